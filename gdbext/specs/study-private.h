/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between study.c, which runs, rates and concludes, and next-run.c, which says what to run next. */
#ifndef GDBEXT_SPECS_STUDY_PRIVATE_H
#define GDBEXT_SPECS_STUDY_PRIVATE_H

#include "gdbext/specs/heap.h"
#include "gdbext/specs/study.h"
#include "solver/specs/extent.h"

enum { STUDY_PROGRAM };

/* A run: its calls, and what was not made of it yet. */
struct made {
	char **argv;
	struct spec_state *state;  /* given to it, with addresses; NULL = none */
	char *calls;		   /* as in struct study_test */
	char *text, *stdin_file;   /* as in struct study_test */
	struct heap_leaf *leaves;  /* heap_leaves */
	const struct made *parent; /* from whose path it was made; NULL = from none */
	struct run_result result;  /* its record goes when the path is made */
	struct path *path;	   /* NULL = not made */
	unsigned bound;		   /* decisions before that one are its parent's */
	unsigned next;	      /* 1 + the decision that is taken otherwise next; 0 = none is left */
	unsigned next_set;    /* likewise by states that are set in memory */
	unsigned next_solved; /* likewise for numbers that no state of the heap has */
	bool is_expanded;
	/* Steps: the last one before the call that its state is given to, and the last one of the
	 * last call. */
	uint64_t first, last;
};

/* What can mend a call was asked of all lines that it executes. */
struct study_asked {
	const struct study_test *test;
	locate_set constraints;
	GHashTable *proven; /* proof_find */
};

struct study {
	struct probe *probe;
	const struct study_options *o;
	struct lift *lift;
	struct spec_events events;
	struct run_result end; /* its .record is gone */
	GHashTable *seen;      /* char *: arguments of runs, in one line */
	GPtrArray *runs;       /* struct made */
	GPtrArray *tests;      /* struct study_test: all calls that count */
	GPtrArray *faults;     /* struct study_fault */
	GPtrArray *asked;      /* struct study_asked */
	GArray *presumed; /* locate_set: asked about, although faults were told that break it */
	GPtrArray *misbehaved; /* struct study_misbehaviour */
	GPtrArray *statements; /* char * */
	GHashTable *functions; /* const struct image_function *: their statements are there */
	unsigned function;     /* number in the specification */
	struct heap *heap;     /* NULL = not asked for yet */
	bool is_without_heap;  /* there is none, … */
	GError *no_heap;       /* … therefore */
	bool is_stopped;       /* by .listener */
	unsigned n_runs;
	guint32 random;
};

/* ---- study.c ---- */

/* NULL: no test failed so far. */
const struct study_test *study_first_failing(const struct study *s);
struct trace_run *study_open_record(const struct study *s, const char *record, GError **error);
/* The checked calls of the studied function in it. */
struct extent *study_extent(const struct study *s, struct trace_run *run, GError **error);
/* What a run is given.  NULL: as the first test has it. */
struct study_given {
	char **argv;	   /* becomes the study's */
	const char *state; /* at the call that failed first */
	const char *calls; /* that make it; NULL = none */
	const char *text;  /* on standard input */
};
/* NULL with error. */
struct made *study_run(struct study *s, const struct study_given *given, unsigned bound,
		       GError **error);
/* The file that a test reads: its own, or that of the first test. */
const char *study_stdin(const struct study *s, const char *stdin_file);
/* The standard input of the first test; NULL = it is no text. */
char *study_text(const struct study *s);

/* ---- next-run.c ---- */

/* These arguments were not run before; from now on they were. */
bool study_is_new(struct study *s, char *const *argv);
/* One more run.  False: there is none. */
bool study_make_test(struct study *s);

#endif
