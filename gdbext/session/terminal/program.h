/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal of the program under GDB: its own, tied to the user's while the program runs, so
 * that its input and output never mix with GDB's.
 */
#ifndef GDBEXT_SESSION_TERMINAL_PROGRAM_H
#define GDBEXT_SESSION_TERMINAL_PROGRAM_H

#include <glib.h>
#include <stdbool.h>

#define PROGRAM_ERROR program_error_quark()
GQuark program_error_quark(void);
enum program_error {
	PROGRAM_ERROR_TERMINAL, /* the program cannot be given a terminal */
};

struct program;

struct program *program_new(GError **error); /* NULL: it cannot be given one */
void program_free(struct program *p);
const char *program_tty(const struct program *p); /* its name */
int program_fd(const struct program *p);	  /* readable when it wrote something */
/* Writes what the program wrote to standard output, and says whether there was anything. */
bool program_show_output(struct program *p);
/* Ties the keyboard to the program, and unties it. */
void program_attach(struct program *p);
void program_detach(struct program *p);
/* The keyboard is readable: passes on what was typed.  At the end of its input the program's
 * input ends, too; then this is false. */
bool program_feed(struct program *p);
/* Everything that was typed to it since the run began. */
const GString *program_typed(const struct program *p);
void program_forget_typed(struct program *p);
/* What was typed to it and it did not read; it will not read it any more.  Free it. */
GString *program_take_unread(struct program *p);
void program_resized(struct program *p);

#endif
