/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of gdb-why.  Everything that --help says comes from one table,
 * options-table.c, and the options in the man pages come from --help.
 */
#ifndef GDBEXT_OPTIONS_OPTIONS_H
#define GDBEXT_OPTIONS_OPTIONS_H

#include "solver/limits/limits.h"
#include "tui/report/report.h"

#include <glib.h>
#include <stdbool.h>

#define OPTIONS_ERROR options_error_quark()
GQuark options_error_quark(void);
enum options_error {
	OPTIONS_ERROR_USAGE, /* the message is one line and says what to do */
};
/* Sets this error; line ends in the message become blanks.  Returns false. */
G_GNUC_PRINTF(2, 3)
bool options_wrong(GError **error, const char *format, ...);

enum options_command {
	OPTIONS_EXPLAIN,
	OPTIONS_RECORD,
	OPTIONS_ASK,
	OPTIONS_RANK,
	OPTIONS_PANEL,
	OPTIONS_TRY,
	OPTIONS_REGRESS,
	OPTIONS_SPECS,
	OPTIONS_LESSON,
	OPTIONS_EVALUATE,
	OPTIONS_SESSION,
	OPTIONS_HELP,
	OPTIONS_VERSION
};
enum options_topic { OPTIONS_NO_TOPIC, OPTIONS_ON_LIMITS };
enum options_granularity {
	OPTIONS_BY_INSTANCE,
	OPTIONS_BY_ROW,
	OPTIONS_BY_LINE,
	OPTIONS_BY_FUNCTION,
};
enum options_paths { OPTIONS_PATHS_ON_DEMAND, OPTIONS_PATHS_ALL };
enum options_input { OPTIONS_INPUT_ARGV, OPTIONS_INPUT_HEAP, OPTIONS_INPUT_STDIN };
enum options_engine { OPTIONS_ENGINE_STEP, OPTIONS_ENGINE_JIT };

/* Exit statuses, for main. */
enum {
	OPTIONS_EXIT_EXPLAINED = 0,
	OPTIONS_EXIT_PASSED = 1,
	OPTIONS_EXIT_USAGE = 2,
	OPTIONS_EXIT_UNEXPLAINED = 3,
	OPTIONS_EXIT_NONE_PASSED = 3, /* RANK */
	OPTIONS_EXIT_INTERRUPTED = 130,
};

/* Which process is looked at, when the test makes several. */
enum options_follow {
	OPTIONS_FOLLOW_FAILED, /* the child that failed, when the test did */
	OPTIONS_FOLLOW_CHILD,  /* a child that failed, also when the test passes */
	OPTIONS_FOLLOW_PARENT,
};

/* So many failing tests of a suite are explained when the user does not say which. */
#define OPTIONS_FAILING "3"

/* --max-record when the user does not say it. */
#define OPTIONS_MAX_RECORD (UINT64_C(2) << 30)

struct options {
	enum options_command command;
	enum options_command help_on; /* HELP: one of the commands above; else the overview */
	enum options_topic topic;     /* HELP: a topic that is no command */
	bool as_page;		      /* HELP: in Markdown, for the handbook */

	char **words; /* SESSION: a command line for GDB; LESSON: what to do; NULL-terminated */

	/* EXPLAIN, RECORD, ASK, RANK, PANEL, TRY, REGRESS: */
	char **program;	    /* PROG ARGS..., as given, NULL-terminated, at least PROG; with
			     * .record: PROG or nothing, never NULL */
	char *record;	    /* EXPLAIN: the file to answer from; NULL = run the test */
	char *save_record;  /* EXPLAIN, ASK: where the run is kept for the next question; NULL =
			     * nowhere */
	char *shown;	    /* ASK: how a debugger shows the value, where the run does not tell;
			     * NULL = nobody said */
	char *trace_search; /* EXPLAIN, ASK: where decisions are written; NULL = nowhere */
	char *stdin_file;   /* NULL = /dev/null */
	char *directory;    /* work as if started there; NULL = here */
	char *output;	    /* the answer is written there; NULL = stdout.  RECORD: the record;
			     * NULL = PROG.why.  PANEL: the commands for GDB */
	char **given;	    /* PANEL: those of its options that EXPLAIN takes, too;
			     * NULL-terminated */
	char **given_ask;   /* PANEL: those that ASK takes, too */
	char **given_try;   /* PANEL: those that TRY takes, too */
	char **given_specs; /* PANEL: those that SPECS takes, too */
	char *flip, *set;   /* TRY: one of these, */
	char *suspect;	    /* … or this: FILE:N */
	char *after;	    /* TRY: with .set, either this or .at */
	char *gdb;	    /* "gdb" */
	char **trace_libs;  /* NULL-terminated; NULL = none */
	char **keep_env;    /* RECORD: names; likewise */
	double timeout;	    /* seconds, the whole analysis */
	double run_timeout; /* seconds, one run */
	guint64 max_record; /* bytes of the stream of a thread */
	guint64 window;	    /* instructions of a thread that are kept; 0 = all */
	bool all;	    /* text: all explanations, not the first ones */
	unsigned max_suspects;
	struct limits limits; /* .runs is --max-runs, and so on */
	char **limit_words;   /* as given with --limit, NULL-terminated; NULL = none */
	int format;	      /* enum tui_format; RANK: enum tui_rank_format */
	int graph;	      /* EXPLAIN: enum tui_graph */
	int color;	      /* enum tui_color_when */
	int granularity;      /* enum options_granularity */
	int engine;	      /* enum options_engine */
	int solver;	      /* enum smt_kind */
	int paths;	      /* EXPLAIN: enum options_paths */
	bool stats, thorough, check, no_hijack, hard_addresses, show_output, stream;
	unsigned events; /* EXPLAIN, ASK, TRY, SPECS: the descriptor for events
			  * (gdbext/ipc/event.h), in place of all that is printed; 0 = none */
	bool in_gdb;	 /* EXPLAIN, ASK: what is suggested is typed in why.gdb or the panel */
	bool no_program; /* RECORD */
	char *question;	 /* ASK: in one line */
	char *at;	 /* ASK: the stop; NULL = where it failed */
	char **where;	 /* ASK: "EXPR == VALUE" that hold at the stop; NULL = none */
	unsigned depth;	 /* ASK: hops of a tree of causes */
	char *row; /* ASK: "4", "4.2": go on from that row (ask-tree.h); NULL = from the question */

	/* RANK; EXPLAIN with .tests: */
	char *tests;		 /* RANK: never NULL */
	char *golden, *expected; /* only one of these is given; NULL = it is not */
	/* EXPLAIN, ASK … without .tests: what the test has to print: */
	char *expect, *expect_stderr; /* files; NULL = it does not matter */
	char *output_file;	      /* a file in the place of standard output; NULL = none */
	char *require;		      /* EXPLAIN: "STOP COND"; NULL = none */
	bool memory;		      /* EXPLAIN: invalid accesses are failures */
	char **fail_calls;	      /* functions whose calls are failures; NULL = none */
	char *fail_table;	      /* NULL = the installed one */
	int follow;		      /* enum options_follow */
	char *follow_program;	      /* a program that the command runs; NULL = the command */
	char *one_test;		      /* NULL = all tests of the program */
	unsigned expect_status;	      /* 0 unless one is given */
	bool of_suite;	 /* set while one test of .tests is explained: .golden is about it */
	bool any_status; /* likewise: .expect is all that counts */
	char *technique; /* as solver/rank/ranking.h reads it; EXPLAIN: NULL = the usual
			  * one */
	unsigned jobs;	 /* 0 = one a processor */
	bool no_cache;
	bool no_evidence;
	bool joint;    /* EXPLAIN: only what explains all of them */
	char *failing; /* EXPLAIN: which failing tests; NULL = the usual number */
	/* RANK: */
	unsigned max_lines; /* 0 = all */
	int scheme;	    /* enum rank_scheme */
	bool annotate;

	/* REGRESS: */
	char *old_version, *new_version; /* folders or revisions; never NULL */
	char *build;			 /* a shell's command; NULL = "make" */
	char *run, *test;      /* one of them: a program of the tree (then .program is it and its
				* arguments), a shell's command */
	char *keep;	       /* the folder in which what is built stays; NULL = nowhere */
	int regress_technique; /* enum regress_technique */
	double build_timeout;  /* seconds, one build */
	bool bisect_first, verbose, regress_panel;

	/* SPECS: */
	char *spec; /* the C file or shared object; never NULL.  .at: the checked function; NULL =
		     * those that it names.  .check: only check */
	int specs_technique; /* enum locate_technique */
	int specs_input;     /* enum options_input */
	unsigned max_nodes, rounds;
	unsigned make_tests; /* so many tests at least; 0 = those that the ranking needs */
	char *save_tests;    /* a folder; NULL = they are not kept */
	char *said;	     /* the file of what the user said; NULL = the usual one */
	bool interactive;
	/* LESSON, with .golden, .tests, .test, .format (enum lesson_format): */
	char *seed;    /* start: which variant; NULL = the first one */
	char *because; /* answer: why, in the student's words */
	char *lesson;  /* grade: the lesson of all submissions; NULL = each says it */
	char *cflags;  /* new: what the compiler needs; NULL = nothing */
	bool mended, exam, solution, fault_only;
	int exam_allows; /* start: enum lesson_allow */
	/* EVALUATE: .program has the subjects, or the folders of measurements; may be empty */
	char *sizes, *shard, *which; /* NULL = the usual one */
	char *accuracy_graph, *page; /* files to write; NULL = not wanted */
	unsigned seeds;
	bool merge, table, list;
};

/* Reads the command line.  It takes what it understands out of *argc and *argv (as
 * g_option_context_parse does).  On success *o is filled; clear it with options_clear.  After
 * `--', or after the first word that is no option, everything belongs to the program and stays
 * untouched, byte for byte. */
bool options_parse(int *argc, char ***argv, struct options *o, GError **error);
void options_clear(struct options *o);
/* Is it said what one test has to print, or its status? */
bool options_want_output(const struct options *o);
/* What follows the words `why output' or `why not output' of the question; NULL = it is another
 * one. */
const char *options_asks_output(const struct options *o);

/* What --help and --version print; free it. */
char *options_help(const struct options *o);
char *options_version(void);

#endif
