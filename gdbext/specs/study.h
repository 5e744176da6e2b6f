/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What breaks a constraint: the cores of the failing run, tests made from it, and how suspicious
 * that makes each statement (solver/specs/locate.h), one fault after the other.
 *
 * Each checked call counts as a test: what it executed, and which constraints it violated.  Calls
 * that a caller makes although its precondition does not hold are left out.  Calls after the first
 * one of a run that violates something may work on what is broken already; of these only those
 * count that got what they demand, and violate what no call of the run before them did.
 */
#ifndef GDBEXT_SPECS_STUDY_H
#define GDBEXT_SPECS_STUDY_H

#include "gdbext/specs/probe.h"
#include "solver/smt/smt.h"
#include "solver/specs/locate.h"

/* What tests choose. */
enum study_input {
	STUDY_ARGV,
	STUDY_HEAP,  /* the parameters and what they lead to (heap.h) */
	STUDY_STDIN, /* bytes of standard input */
};

struct study_test;
struct study_fault;
struct said; /* said.h */

/* Between two rounds. */
struct study_round {
	const struct study_fault *fault; /* its last ratings are those of now */
	const struct study_test *next;	 /* the test that is taken now; NULL = there is none */
};

enum study_reply {
	STUDY_GOES_ON,
	STUDY_SAID, /* .said is more now: ratings and the next test are found anew */
	STUDY_STOPS,
};

/* Who follows a study while it goes on. */
struct study_listener {
	/* A fault, before it is told what its cause may be. */
	void (*begins)(void *arg, const struct study_fault *f);
	/* NULL = nobody is asked, and it goes on. */
	enum study_reply (*ask)(void *arg, const struct study_round *round);
	void *arg;
};

struct study_options {
	enum locate_technique technique;
	enum study_input input;
	int function;	/* number in the specification; -1 = that of the first violation */
	unsigned nodes; /* HEAP: at most */
	unsigned rounds;
	bool evidence; /* sat-tar: suspects are tried, too (proof.h) */
	char *const *argv;
	const char *stdin_file;
	enum smt_kind solver;
	const struct limits *limits;
	const struct deadline *until;
	const struct said *said; /* what the user said; NULL = nothing */
	const struct study_listener *listener;
};

/* A checked call of a run. */
struct study_test {
	char **argv;		  /* of its run; PROG first */
	struct spec_state *state; /* given to it; NULL = none */
	char *calls;		  /* of operations that make the state (heap_calls); NULL = none */
	char *text;		  /* STDIN: its standard input, … */
	char *stdin_file;	  /* … and where that lies; NULL = that of the first test */
	uint64_t call;
	locate_set
		violated; /* what no call of its run before it did; the last bit: it crashed, … */
	bool is_unending; /* … or did not end: then a limit ended it */
	locate_set crashing; /* of these the predicates crashed (spec_events_blame) */
	locate_set again;    /* what it violates, and a call of its run before it did, too */
	GHashTable *lines;
};
#define STUDY_CRASHED ((locate_set)1 << 63)

/* One fault. */
struct study_fault {
	const struct study_test *first;
	locate_set constraints; /* what it breaks, as far as that is known: some of what .first
				 * violates */
	locate_set others;   /* what else .first violates: that says nothing of this fault, … */
	locate_set explains; /* … and what it may break in other tests */
	GPtrArray *chosen;   /* struct study_test, by round */
	/* GArray of struct locate_rating, the most suspicious first: before the first round, and
	 * after each */
	GPtrArray *ratings;
	GHashTable *proven; /* what can mend .first (proof_find); NULL = that was not asked */
	bool has_core;	    /* false: the core was not found, for .why_not */
	char *why_not;
};

/* A predicate that misbehaves in a test that was made.  What comes after it says nothing. */
struct study_misbehaviour {
	unsigned constraint;
	enum spec_verdict verdict; /* WRITES, UNENDING */
	bool is_unending;	   /* UNENDING: a limit ended it; else it crashed, … */
	bool aborts;		   /* … or aborted: an assert of its own failed, perhaps */
	char *test;		   /* in words */
};

struct study;

/* Runs the test.  NULL with a sentence; o and what it points to must outlive it. */
struct study *study_new(struct probe *p, const struct study_options *o, GError **error);
void study_free(struct study *s);
/* What the test told, whether or not it failed. */
const struct spec_events *study_events(const struct study *s);
const struct run_result *study_end(const struct study *s);

/* The test as it is told and kept: "2 1 2, call 1", or "l = #1 {…}, k = 1"; the caller's. */
char *study_test_words(const struct study_test *t, const struct spec_types *types);
/* Did the user say whether it passes? */
bool study_test_is_said(const struct study *s, const struct study_test *t, bool *passes);
/* The next fault; NULL at the end, when .listener stopped it, or with error. */
const struct study_fault *study_next(struct study *s, GError **error);
/* The function that the study is about: that of the first violation; *number (may be
 * NULL): in the specification. */
const struct image_function *study_function(const struct study *s, unsigned *number);
bool study_is_stopped(const struct study *s); /* by .listener */
/* Does a call of this function fail in the test although all that the function demands was true?
 * Then the function has a fault of its own, whatever was violated before. */
bool study_also_fails(const struct study *s, unsigned function);
/* Why no states could be given to the call: a sentence; NULL = they could, or none was wanted. */
const char *study_without_states(const struct study *s);
/* Makes tests until there are so many, or no more are found. */
void study_make_tests(struct study *s, unsigned n);
/* struct study_misbehaviour: each predicate once. */
const GPtrArray *study_misbehaviours(const struct study *s);
/* struct study_test: the calls of all runs that count. */
const GPtrArray *study_tests(const struct study *s);
/* The state at the test's call, with addresses; the caller's.  NULL with a sentence. */
struct spec_state *study_state_at(struct study *s, const struct study_test *t, GError **error);
/* So many bytes the program lies behind its link-time addresses in runs.  False: not known. */
bool study_bias(struct study *s, uint64_t *bias);
/* So many runs were made. */
unsigned study_runs(const struct study *s);

#endif
