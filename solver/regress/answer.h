/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer: which changes are to blame, what proves it, and how they cause the failure.
 *
 *     root       changes 2 and 3           reverted, the test passes; applied to the old version
 *                                          alone, it fails
 *     auxiliary  change 7                  reverted with them only so that it compiles
 *     causes     0: s2 s3 s7 s10 s13       why the test fails; holds change 3
 *                1: s2 s5                  why s5 went the way that let 0 happen; holds change 2
 */
#ifndef SOLVER_REGRESS_ANSWER_H
#define SOLVER_REGRESS_ANSWER_H

#include "solver/regress/changes.h"
#include "solver/regress/oracle.h"

enum regress_technique { REGRESS_AFTER, REGRESS_DD, REGRESS_ADD };

/* How the answer ended. */
enum regress_outcome {
	REGRESS_FOUND,	   /* there is a root */
	REGRESS_NOT_FOUND, /* nothing that was tried lets the test pass */
	REGRESS_CUT,	   /* the time was up, or it was interrupted */
};

/* Where the candidates came from among which the root was found. */
enum regress_basis {
	REGRESS_BY_CAUSES,   /* statements that weakest preconditions name */
	REGRESS_BY_CODE,     /* changed lines that the test executes, with other code than before */
	REGRESS_BY_EXECUTED, /* changed lines that the test executes */
	REGRESS_BY_SOURCES,  /* and changed declarations, macros, types */
	REGRESS_BY_ALL,	     /* all changes */
};

/* One statement of a cause.  Strings are the answer's; NULL = not known. */
struct regress_statement {
	const char *file, *function;
	unsigned line;
	const char *text;   /* of the source line */
	const char *clause; /* what got the value: "sum", "x < y" */
	const char *value;  /* in the new version */
	const char *before; /* in the old version, where that executed it */
	GArray *changes;    /* on its line; unsigned */
};

/* Why something happened: the failure, or that a predicate went the way that it did. */
struct regress_cause {
	GArray *statements;    /* struct regress_statement, in the order of the run */
	GArray *changes;       /* that its statements stand on */
	unsigned generation;   /* how many predicates lie between it and the failure */
	int effect;	       /* the cause that it let happen, -1 = the failure itself */
	const char *predicate; /* "x < y went false, f.c:5": what it is the cause of; NULL = none */
	bool relevant;	       /* it holds a root change, or leads from one to the failure */
};

struct regress_proof {
	enum regress_verdict without; /* new version minus root (and auxiliary) */
	char *without_ending;
	enum regress_verdict with; /* old version plus root (and, if that is needed, auxiliary) */
	char *with_ending;	   /* how the test ended, or the compiler's first error */
	bool with_auxiliary;
};

struct regress_stats {
	unsigned builds, failed_builds, tests, jobs;
	double build_s, test_s, analysis_s, total_s;
};

struct regress_answer {
	char *old_name, *new_name, *test, *failure; /* "exit status 1" */
	enum regress_technique technique;
	enum regress_outcome outcome;
	enum regress_basis basis;
	const struct regress_changes *changes; /* not owned */
	GArray *root, *auxiliary;	       /* unsigned; empty where there is none */
	GArray *candidates; /* how many changes were looked at, generation by generation; unsigned
			     */
	struct regress_proof proof;
	GArray *causes;	  /* struct regress_cause; the first is the failure's */
	GPtrArray *notes; /* char *: what the answer does not cover, whole sentences */
	struct regress_stats stats;
	GStringChunk *strings;
};

struct regress_answer *regress_answer_new(const struct regress_changes *changes);
void regress_answer_free(struct regress_answer *a);
void regress_answer_note(struct regress_answer *a, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The answer's own copy; NULL stays NULL. */
const char *regress_answer_string(struct regress_answer *a, const char *text);
/* Adds a cause; its index. */
unsigned regress_answer_add_cause(struct regress_answer *a, int effect, const char *predicate);
struct regress_cause *regress_answer_cause(const struct regress_answer *a, unsigned i);
/* Marks the causes that hold a root change, and those on the way from them to the failure. */
void regress_answer_mark_relevant(struct regress_answer *a);

/* "after", "dd", "add"; "found", "not found", "cut"; "passes", "fails", "does not compile" ... */
const char *regress_technique_name(enum regress_technique t);
const char *regress_outcome_name(enum regress_outcome o);
const char *regress_verdict_name(enum regress_verdict v);
const char *regress_kind_name(enum regress_kind k);
const char *regress_basis_name(enum regress_basis b);

#endif
