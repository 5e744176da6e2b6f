/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of session/ share; no one else includes it.
 *
 * All waiting is done by session_turn: it lets GDB's words, the program's
 * terminal, the keyboard and signals in, one event after the other.  Nothing that
 * is called from there waits itself, but puts down what it saw.
 */
#ifndef GDBEXT_SESSION_INTERNAL_H
#define GDBEXT_SESSION_INTERNAL_H

#include "gdbext/session/session.h"
#include "mi/conn.h"
#include "solver/explanation.h"

#include <stdio.h>
#include <termios.h>

/* --- prompt.c: reading lines --- */

struct prompt;

/* completions gives what GDB would complete a line to, whole lines, or NULL. */
typedef char **prompt_complete_fn(void *arg, const char *line);
struct prompt *prompt_new(prompt_complete_fn *complete, void *arg);
void prompt_free(struct prompt *p);

/* GDB's history: its file's name and how much of it is kept; read once, written
 * by prompt_save_history. */
void prompt_load_history(struct prompt *p, const char *file, unsigned size);
void prompt_save_history(struct prompt *p);
void prompt_add_history(struct prompt *p, const char *line);

/* Shows text and starts to read a line. */
void prompt_begin(struct prompt *p, const char *text);
bool prompt_is_reading(const struct prompt *p);
/* The keyboard is readable. */
void prompt_feed(struct prompt *p);
/* The line that was read, once; *ended: there are no more (line is NULL then).
 * False: not yet. */
bool prompt_take(struct prompt *p, char **line, bool *ended);
/* Ctrl-C: what was typed is dropped, a fresh prompt shown. */
void prompt_cancel(struct prompt *p);
void prompt_end(struct prompt *p);
/* Around anything that is written while a line is being read. */
void prompt_hide(struct prompt *p);
void prompt_show(struct prompt *p);
/* A line above the one that is being read, in place of the last such, as wide as the
 * terminal at most; gone when that has been read.  NULL: none. */
void prompt_set_status(struct prompt *p, const char *text);
void prompt_resized(struct prompt *p);
bool prompt_is_terminal(const struct prompt *p);

/* --- program.c: the program's terminal --- */

struct program;

struct program *program_new(GError **error);
void program_free(struct program *p);
const char *program_tty(const struct program *p); /* its name */
int program_fd(const struct program *p);	  /* readable when it wrote something */
/* Writes what the program wrote to standard output; whether there was anything. */
bool program_show_output(struct program *p);
/* Ties the keyboard to the program, and unties it. */
void program_attach(struct program *p);
void program_detach(struct program *p);
/* The keyboard is readable: passes it on.  At its end the program gets one, too;
 * false then. */
bool program_feed(struct program *p);
/* All that was typed to it since the start of the run. */
const GString *program_typed(const struct program *p);
void program_forget_typed(struct program *p);
void program_resized(struct program *p);

/* --- rules.c: what GDB's prompt does with a line before it is executed --- */

/* What is executed when an empty line follows `line`; free it.  NULL: nothing. */
char *rules_repeat(const char *line);

enum rules_question {
	RULES_NOTHING,
	RULES_QUIT,	 /* while a program is there */
	RULES_DELETE,	 /* all breakpoints */
	RULES_RUN_AGAIN, /* from the beginning */
	RULES_KILL,
};
/* What GDB asks before it executes a line, when there is something to lose. */
enum rules_question rules_question(const char *line);
/* What it says when the answer was no. */
const char *rules_refused(const char *line);
/* What GDB says, on a terminal, before it reads the lines of a command's body; free it.
 * NULL: nothing. */
char *rules_introduction(const char *line, unsigned last_breakpoint);
/* Does GDB go on reading commands while the program runs (`continue &')? */
bool rules_in_background(const char *line);
bool rules_is_quit(const char *line);

/* --- the state --- */

struct session {
	struct mi_conn *gdb;
	struct prompt *prompt;
	struct program *program;
	guint keyboard, gdb_source, program_source; /* event sources; 0: not listened to */

	/* what events have put down */
	GQueue said;	  /* of struct words: not shown yet */
	char *wanted;	  /* GDB reads the body of a command, and asks for a line by this */
	bool stopped;	  /* the program, since it was last set running */
	bool interrupted; /* by Ctrl-C, not dealt with */
	bool resized;
	bool hung_up;			       /* the terminal is gone, or we are told to end */
	GError *lost;			       /* GDB is gone */
	unsigned breakpoints, last_breakpoint; /* how many; the newest one's number */

	const char *command; /* at work; NULL: none */
	GQueue script;	     /* char *: lines of a file, executed before what is typed */
	bool in_script, command_failed;
	bool introduced; /* its body's first line was asked for */
	char *last_line; /* for an empty one; NULL: nothing to repeat */
	/* GDB's settings, as last asked for */
	char *prompt_text;
	bool confirm, pagination, saves_history;
	uint64_t asked[4]; /* tokens */

	/* for questions */
	const char *gdb_path; /* as the user named it; NULL = gdb */
	bool hushed;	      /* what GDB says is asked for by us, and not shown */
	bool failed;	      /* the program, by a signal that ends it */
	unsigned stop_breakpoint, breakpoints_at_start; /* the one that it stopped at, 0: none; the
							 * newest when the run began */
	unsigned runs;					/* of the program so far */
	GQueue *analyses; /* of struct analysis *, the first is at work */
	struct kept *kept;
	guint ticker;		    /* while there are some: source, 0: none */
	bool tick;		    /* it did */
	bool in_order;		    /* an answer is waited for: nobody types */
	unsigned lines;		    /* that were executed so far */
	struct explanation *answer; /* the last one with suspects; NULL: none */
	char *tree;		    /* the text of the last one, when it had none; NULL: it had */

	unsigned rows, columns; /* of the terminal; 0: no limit */
	unsigned rows_shown;	/* by the command at work */
	bool skips_output;	/* of it: `q' at a page's end */
	bool whole;		/* `c': its output without pages */
};

/* --- session.c --- */

/* Lets one event in. */
void session_turn(struct session *s);
void session_listen(struct session *s, bool listen);
/* GDB's settings may have changed with each command.  Asks for them, and returns the
 * token of the last answer; when that is there, takes them. */
uint64_t session_ask_settings(struct session *s);
void session_take_settings(struct session *s);

/* --- screen.c: what GDB says --- */

void screen_measure(struct session *s);
/* Keeps it, to be shown. */
void screen_hear(struct session *s, const struct mi_record *r);
void screen_flush(struct session *s);
void screen_show_program(struct session *s);
void screen_forget(struct session *s);

/* --- context.c: what a replay needs to come to the same stop --- */

struct context {
	char *program;	      /* its file */
	GPtrArray *arguments; /* char *, as the shell makes them */
	GPtrArray *options;   /* char *, for `gdb-why ask': the stop */
	char *input;	      /* the file of the standard input; NULL: it is empty */
	char **environment, *directory;
	char *typed_file; /* NULL: none; context_clear removes it */
};

/* at_stop: and where the program stands.  False with a sentence when the run cannot
 * be repeated, or there is nothing to ask about.  context_clear it in any case. */
bool context_gather(struct session *s, bool at_stop, struct context *c, GError **error);
void context_clear(struct context *c);

/* gdb-why COMMAND with what the context says, and words that go on with that
 * (NULL-terminated).  record: of that run, NULL = it is to be run. */
char **context_command_line(const struct session *s, const struct context *c, const char *record,
			    const char *command, const char *const *words);

/* --- origin.c: where the process comes from --- */

/* True as well when there is none.  False with a sentence: it was not started here, so
 * its run cannot be repeated.  program: its file, NULL = not known. */
bool origin_is_here(struct session *s, const char *program, GError **error);

/* --- child.c: another gdb-why, at work beside us --- */

struct child;

/* argv: NULL-terminated. */
struct child *child_start(char **argv, const struct context *c, GError **error);
/* Kills it if it still runs; NULL is fine. */
void child_free(struct child *child);
/* *status: as of a shell's command, -1 as long as it runs. */
bool child_has_ended(const struct child *child, int *status);
const GString *child_said(const struct child *child);	    /* on standard output */
const GString *child_complaints(const struct child *child); /* on standard error */
/* As Ctrl-C; it ends soon, in whatever way. */
void child_cancel(struct child *child);

/* --- kept.c: the record of a run, for the next question about it --- */

struct kept;

struct kept *kept_new(void);
void kept_free(struct kept *k);
/* What tells this run from others; free it. */
char *kept_describe_run(const struct session *s, const struct context *c);
bool kept_is_there(const struct kept *k, const char *run);
const char *kept_file(const struct kept *k);
/* A name for the answer in JSON, valid until another one is kept; NULL with error. */
const char *kept_answer(struct kept *k, const struct explanation *e, GError **error);
/* The file in which that of this run is to be put; NULL: do not. */
const char *kept_take_new(struct kept *k, const char *run);
/* Nothing more is kept of this run. */
void kept_is_useless(struct kept *k);

/* --- analysis.c: questions that are being answered --- */

/* One is at work, the others wait.  What comes of it is shown at the prompt, by
 * analysis_show_news; in scripts analysis_ask itself waits for it and shows it. */
enum analysis_kind {
	ANALYSIS_SUSPECTS, /* gdb-why ask, an answer that has suspects */
	ANALYSIS_TREE,	   /* ... that has none */
	ANALYSIS_TRY,	   /* gdb-why try */
};
/* typed: what the user calls it.  words: the question, or options of `try';
 * NULL-terminated, analysis_ask's, as is what is in *c. */
void analysis_ask(struct session *s, enum analysis_kind kind, const char *typed, char **words,
		  struct context *c);
bool analysis_is_busy(const struct session *s);
bool analysis_has_news(const struct session *s);
void analysis_show_news(struct session *s);
/* One line about what is done now; NULL: nothing.  Free it. */
char *analysis_status(const struct session *s);
/* The question whose suspects are being searched for, and those found so far (NULL:
 * none); NULL: there is none. */
const char *analysis_of_suspects(const struct session *s, const struct explanation **found);
/* Ends the one at work and all that wait. */
void analysis_cancel(struct session *s);
/* ... and waits for that. */
void analysis_end_all(struct session *s);

/* --- try.c: changes, and the panel --- */

/* Runs the program with one change, `gdb-why try' with these options, to show what
 * comes of it. */
void try_change(struct session *s, const char *typed, const char *const *options);
/* Runs it with exactly what suspect a of e changes. */
void try_exactly(struct session *s, const char *typed, const struct explanation *e,
		 const struct explanation_suspect *a);
/* The last execution that the suspect changes; NULL = not known. */
const struct explanation_instance *try_instance(const struct explanation_suspect *a);
/* The same as a stop, "push+37:2", or "list.c:40"; free it. */
char *try_place(const struct explanation_suspect *a);
/* The panel; a breakpoint at the place that was chosen there becomes one of the
 * commands for GDB. */
void try_panel(struct session *s, GPtrArray *go);

enum { SHOWN_SUSPECTS = 20 };

/* --- why.c: our own commands --- */

/* Executes a line that is one of them; false: it is GDB's.  *go: what GDB has to execute
 * for it; free it with g_strfreev; else NULL. */
bool why_execute(struct session *s, const char *line, char ***go);
bool why_is_own(const char *line);
/* Adds those that a line may become. */
void why_complete(const char *line, GPtrArray *lines);
/* Where the expression begins that a question is about; NULL: it is none. */
const char *why_expression(const char *line);

/* --- script.c: files of commands --- */

/* The lines of the file that `source FILE' names, when one of them is ours to execute;
 * else NULL.  Free it with g_strfreev. */
char **script_lines(const char *line);

/* --- command.c --- */

/* Asks on a terminal, until there is an answer; without one, yes. */
bool session_agrees(struct session *s, const char *question);

/* Reads a line at another prompt than the main one; free it.  NULL: interrupted. */
char *session_ask(struct session *s, const char *text);
/* Executes the lines of `first` (NULL-terminated; NULL: none), then, unless it is a
 * batch, what the user types, until they quit; false when GDB is lost. */
bool command_loop(struct session *s, const char *const *first, bool batch, int *status);

#endif
