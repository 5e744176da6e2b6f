/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A prompt: lines are read with editing, completion and history at a terminal, and one by one from
 * a pipe or a file.  It never waits: who owns it says when the keyboard is readable.  The one door
 * to readline, so there is one at a time.
 */
#ifndef GDBEXT_SESSION_TERMINAL_PROMPT_H
#define GDBEXT_SESSION_TERMINAL_PROMPT_H

#include <glib.h>
#include <stdbool.h>

struct prompt;

/* completions: gives what GDB would complete a line to, as whole lines, or NULL. */
typedef char **prompt_complete_fn(void *arg, const char *line);
struct prompt *prompt_new(prompt_complete_fn *complete, void *arg);
void prompt_free(struct prompt *p);

/* GDB's history: the name of its file and how many lines are kept.  It is read once;
 * prompt_save_history writes it. */
void prompt_load_history(struct prompt *p, const char *file, unsigned size);
void prompt_save_history(struct prompt *p);
void prompt_add_history(struct prompt *p, const char *line);

/* Shows text and starts to read a line. */
void prompt_begin(struct prompt *p, const char *text);
/* These keys were typed before a line was read, and begin the next one. */
void prompt_type_ahead(struct prompt *p, const GString *keys);
bool prompt_is_reading(const struct prompt *p);
/* The keyboard is readable. */
void prompt_feed(struct prompt *p);
/* The line that was read, given once; *ended: there are no more (line is NULL then).  False:
 * there is none yet. */
bool prompt_take(struct prompt *p, char **line, bool *ended);
/* What Ctrl-C does: drops what was typed and shows a fresh prompt. */
void prompt_cancel(struct prompt *p);
void prompt_end(struct prompt *p);
/* Call these before and after anything that is written while a line is being read. */
void prompt_hide(struct prompt *p);
void prompt_show(struct prompt *p);
/* Shows a line above the one that is being read, at most as wide as the terminal.  It replaces
 * the last such line and disappears when the line has been read.  NULL: none. */
void prompt_set_status(struct prompt *p, const char *text);
void prompt_resized(struct prompt *p);
bool prompt_is_terminal(const struct prompt *p);

#endif
