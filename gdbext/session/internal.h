/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of session/ share; nobody else includes it.
 *
 * Only session_turn waits: it lets GDB's words, the program's terminal, the keyboard
 * and signals in, one event after the other.  Nothing that is called from there waits
 * itself; it only notes what it saw.
 */
#ifndef GDBEXT_SESSION_INTERNAL_H
#define GDBEXT_SESSION_INTERNAL_H

#include "gdbext/session/session.h"
#include "gdbext/session/terminal/program.h"
#include "gdbext/session/terminal/prompt.h"
#include "gdbext/session/typed/row.h"
#include "gdbext/session/typed/rules.h"
#include "mi/conn.h"
#include "solver/explanation.h"
#include "tui/report/report.h"

#include <stdio.h>

/* --- the state --- */

struct session {
	struct mi_conn *gdb;
	struct prompt *prompt;
	struct program *program;
	guint keyboard, gdb_source, program_source; /* event sources; 0: nobody listens */

	/* what events have noted */
	GQueue said;	  /* GDB's words that were not shown yet */
	char *wanted;	  /* GDB reads the body of a command, and asks for each line with this */
	bool stopped;	  /* the program has stopped since it was last set running */
	bool interrupted; /* Ctrl-C was pressed, and nobody has dealt with it */
	bool resized;
	bool hung_up; /* the terminal is gone, or a signal tells us to end */
	GError *lost; /* GDB is gone */
	unsigned breakpoints, last_breakpoint; /* how many; the newest one's number */

	const char *command; /* at work; NULL: none */
	GQueue script;	     /* char *: lines of a file, executed before what is typed */
	bool in_script, command_failed;
	bool introduced; /* its body's first line was asked for */
	char *last_line; /* for an empty one; NULL: nothing to repeat */
	/* GDB's settings, as last asked for */
	char *prompt_text;
	bool confirm, pagination, saves_history;
	bool styled;	   /* GDB's words are shown in colour */
	uint64_t asked[5]; /* tokens */

	/* for questions */
	const char *gdb_path; /* as the user named it; NULL = gdb */
	bool hushed;	      /* we asked for what GDB says now, so it is not shown */
	bool failed;	      /* the program, by a signal that ends it */
	unsigned stop_breakpoint, breakpoints_at_start; /* the one that it stopped at, 0: none; the
							 * newest when the run began */
	unsigned runs;					/* of the program so far */
	GQueue *analyses; /* of struct analysis *, the first is at work */
	struct kept *kept;
	guint ticker;		    /* while there are some: source, 0: none */
	bool tick;		    /* it did */
	bool in_order;		    /* nobody types while an answer is awaited */
	unsigned lines;		    /* that were executed so far */
	struct explanation *answer; /* the last one with suspects; NULL: none */
	char **judges;		    /* what was expected then: --expect FILE; NULL: no output */
	char *expected; /* in a lesson: what the student expects of the next one; NULL: nothing */
	char *tree;	/* the text of the last one, when it had none; NULL: it had */
	/* The question that .tree answers, with the rows that it went on from, and the run and the
	 * stop that it was about; NULL: it has no rows. */
	char *tree_question, *tree_about;
	bool quiet;	  /* GDB was told to introduce nothing */
	bool ended_badly; /* the program failed, or exited with another status than 0 */
	unsigned hinted;  /* the number of the last run whose end was hinted at */

	FILE *log; /* of `set logging'; NULL: none */
	char *log_path;

	unsigned rows, columns; /* of the terminal; 0: no limit */
	unsigned rows_shown;	/* by the command at work */
	bool within_line;	/* what GDB said last did not end its line */
	bool skips_output;	/* of it: `q' at a page's end */
	bool whole;		/* `c': its output without pages */
};

/* --- session.c --- */

/* Waits for one event and lets it in. */
void session_turn(struct session *s);
void session_listen(struct session *s, bool listen);
/* Each command may have changed GDB's settings.  Asks for them, and returns the token of the
 * last answer; when that has come, takes them. */
uint64_t session_ask_settings(struct session *s);
void session_take_settings(struct session *s);
/* The value of one of GDB's settings, asked for now; free it. */
char *session_shown(struct session *s, const char *setting);

/* --- screen.c: what GDB says --- */

void screen_measure(struct session *s);
/* Keeps it, to be shown. */
void screen_hear(struct session *s, const struct mi_record *r);
void screen_flush(struct session *s);
void screen_show_program(struct session *s);
void screen_forget(struct session *s);

/* --- log.c: what was shown, in a file --- */

/* True: the line was `set logging on' or the like, and is done. */
bool log_execute(struct session *s, const char *line);
void log_text(struct session *s, const char *text, size_t n);
void log_end(struct session *s);
/* These print on standard output, too. */
void log_say(struct session *s, const char *text);
void log_show(struct session *s, const struct explanation *e, const struct tui_options *o);

/* --- context.c: what a replay needs to come to the same stop --- */

struct context {
	char *program;	      /* its file */
	GPtrArray *arguments; /* char *, as the shell makes them */
	GPtrArray *options;   /* char *, for `gdb-why ask': the stop */
	char *input;	      /* the file of the standard input; NULL: it is empty */
	char **environment, *directory;
	char *typed_file; /* NULL: none; context_clear removes it */
};

/* at_stop: also finds where the program stands.  False with a sentence when the run cannot be
 * repeated, or when there is nothing to ask about.  Call context_clear in any case. */
bool context_gather(struct session *s, bool at_stop, struct context *c, GError **error);
void context_clear(struct context *c);
/* What `evaluate' says of the expression in the frame that a question is about: the innermost one
 * of the program's own, from the selected one on.  NULL: it says nothing, or no program stands
 * there. */
char *context_evaluate(struct session *s, const struct context *c, const char *expression,
		       char *(*evaluate)(struct session *s, const char *expression));

/* The arguments of gdb-why COMMAND: what the context says, then `words' (NULL-terminated).
 * record: a record of that run, NULL = it has to be run. */
char **context_command_line(const struct session *s, const struct context *c, const char *record,
			    const char *command, const char *const *words);

/* --- predict.c: lessons --- */

/* Asks a student, at a terminal, what the answer about this program will be. */
void predict_ask(struct session *s, const char *program);
/* Says how the answer differs from that. */
void predict_compare(struct session *s, const struct explanation *e);

/* --- origin.c: where the process comes from --- */

/* Was the process started here, or is there none?  If it was not, its run cannot be repeated:
 * false with a sentence.  program: its file, NULL = not known. */
bool origin_is_here(struct session *s, const char *program, GError **error);

/* --- kept.c: the record of a run, for the next question about it --- */

struct kept;

struct kept *kept_new(void);
void kept_free(struct kept *k);
/* A text that tells this run from others; free it. */
char *kept_describe_run(const struct session *s, const struct context *c);
bool kept_is_there(const struct kept *k, const char *run);
const char *kept_file(const struct kept *k);
/* The name of a file for the answer in JSON, valid until another answer is kept; NULL with
 * error. */
const char *kept_answer(struct kept *k, const struct explanation *e, GError **error);
/* The name of the file into which the record of this run is to be put; NULL: do not keep it. */
const char *kept_take_new(struct kept *k, const char *run);
/* Keeps nothing more of this run. */
void kept_is_useless(struct kept *k);

/* --- ask.c: `why' and what follows it --- */

/* Begins to answer `why ARGUMENTS'; what is wrong with the question is said. */
void ask_why(struct session *s, const char *arguments);
void ask_why_not(struct session *s, const char *arguments);
/* What follows the word that the text begins with, without blanks; NULL: it begins otherwise. */
const char *ask_behind_word(const char *text, const char *word);

/* --- analysis.c: questions that are being answered --- */

/* One question is being answered, the others wait.  analysis_show_news shows the answers at the
 * prompt; in scripts, analysis_ask itself waits for its answer and shows it. */
enum analysis_kind {
	ANALYSIS_SUSPECTS, /* gdb-why ask, an answer that has suspects */
	ANALYSIS_TREE,	   /* ... that has none */
	ANALYSIS_TRY,	   /* gdb-why try */
	ANALYSIS_SPECS,	   /* gdb-why specs */
};
/* typed: what the user typed.  words: the question, or options of `try' and `specs';
 * NULL-terminated. analysis_ask takes it over, and what is in *c. */
void analysis_ask(struct session *s, enum analysis_kind kind, const char *typed, char **words,
		  struct context *c);
/* Answers what the question that is at work asks (specs --interactive). */
void analysis_say(struct session *s, const char *words);
bool analysis_is_busy(const struct session *s);
bool analysis_has_news(const struct session *s);
void analysis_show_news(struct session *s);
/* One line about what is being done; NULL: nothing, or it waits for a word.  Free it. */
char *analysis_status(const struct session *s);
/* The question whose suspects are being searched for, and the suspects found so far (NULL:
 * none).  NULL: there is no such question. */
const char *analysis_of_suspects(const struct session *s, const struct explanation **found);
/* The question whose answer's rows a number means: the last one that waits for its answer, or else
 * the last that was answered.  *about: its run and stop (row_about).  NULL: there is none.  Free
 * both. */
char *analysis_rows_asked(const struct session *s, char **about);
/* Ends the question that is being answered and all that wait. */
void analysis_cancel(struct session *s);
/* The same, and waits until they have ended. */
void analysis_end_all(struct session *s);

/* --- goto.c: to a point of the run --- */

/* Adds to go what GDB has to do to start the program again and to stop it where suspect a of e is
 * executed; asks first.  False: it is not known where that is. */
bool goto_suspect(struct session *s, const struct explanation *e,
		  const struct explanation_suspect *a, GPtrArray *go);

/* --- try.c: changes, and the panel --- */

/* Runs the program with one change (`gdb-why try' with these options) to show what follows from
 * it. */
void try_change(struct session *s, const char *typed, const char *const *options);
/* Runs it with exactly what suspect a of e changes. */
void try_exactly(struct session *s, const char *typed, const struct explanation *e,
		 const struct explanation_suspect *a);
/* The last execution that the suspect changes and the failing run comes to; NULL = not known. */
const struct explanation_instance *try_instance(const struct explanation_suspect *a);
/* How many executions of lines it changes. */
guint try_executions(const struct explanation_suspect *a);
/* The same as a stop, "push+37:2" or "list.c:40"; free it. */
char *try_place(const struct explanation_suspect *a);
/* Opens the panel.  Breakpoints and places that were chosen there become commands for GDB. */
void try_panel(struct session *s, GPtrArray *go);
/* What `gdb-why lesson' does in the folder of the program's lesson; "" = shows the task. */
void try_lesson(struct session *s, const char *arguments);

enum { SHOWN_SUSPECTS = 20 };
/* What an answer with suspects suggests. */
#define WHAT_NEXT "`try 1' runs the program with that change; `goto 1' stops there"

/* --- why.c: our own commands --- */

/* Executes the line if it is one of our commands; false: it is one of GDB's.  *go: what GDB has
 * to execute for it, or NULL; free it with g_strfreev. */
bool why_execute(struct session *s, const char *line, char ***go);
bool why_is_own(const char *line);
/* The name of the i-th of them; NULL behind the last one. */
const char *why_name(size_t i);
/* Adds our commands to which a line may be completed. */
void why_complete(const char *line, GPtrArray *lines);
/* The start of the expression that a question is about; NULL: the line is no question. */
const char *why_expression(const char *line);

/* --- script.c: files of commands --- */

/* The lines of the file that `source FILE' names, if we have to execute one of them; else NULL.
 * Free it with g_strfreev. */
char **script_lines(const char *line);
/* Gives GDB commands with the names of ours, which it executes in bodies: definitions, conditions,
 * hooks. */
void script_teach_gdb(struct session *s);

/* --- command.c --- */

/* Asks the user until there is an answer; without a terminal the answer is yes. */
bool session_agrees(struct session *s, const char *question);

/* Reads a line at another prompt than the main one; free it.  NULL: interrupted. */
char *session_ask(struct session *s, const char *text);
/* Executes the lines of `first' (NULL-terminated; NULL: none) and then, unless it is a batch,
 * what the user types, until they quit.  False when GDB is lost. */
bool command_loop(struct session *s, const char *const *first, bool batch, int *status);

#endif
