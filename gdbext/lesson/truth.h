/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is right in a lesson, found by running it: golden.c says what each hidden test should
 * print, and the engine (`gdb-why explain --joint') says which lines could be changed so that all
 * hidden tests pass.  That takes some seconds and is kept in $XDG_CACHE_HOME/gdb-why/lessons, never
 * in the student's folder.
 */
#ifndef GDBEXT_LESSON_TRUTH_H
#define GDBEXT_LESSON_TRUTH_H

#include "gdbext/lesson/runs.h"
#include "gdbext/lesson/variant.h"
#include "solver/explanation.h"

/* What the hidden tests should do. */
struct lesson_expected {
	unsigned n;
	struct lesson_end *ends; /* of golden.c, one a test; .out as it was written */
};

/* Adds a test with what it should print to the text of a suite. */
void lesson_suite_add(GString *suite, const struct lesson_test *t, const struct lesson_end *golden);
/* What the student is to know: *expected: what the test should print; *suite: the first
 * hidden tests, NULL where the lesson shows none.  Free both.  False with a sentence. */
bool lesson_expect_shown(const struct lesson_variant *v, char **expected, char **suite,
			 GError **error);
/* Compiles golden.c and runs all tests.  NULL with a sentence. */
struct lesson_expected *lesson_expect(struct lesson_runs *r, const struct lesson_variant *v,
				      GError **error);
void lesson_expected_free(struct lesson_expected *x);

struct lesson_truth {
	/* About the failing hidden tests; its first one is the test that the student sees.  With
	 * the author's names. */
	struct explanation *e;
	/* GArray of unsigned, ascending: each a smallest set of lines, at most as many as the fault
	 * has, of which the engine proved that other values there let all hidden tests pass, and
	 * against which no passing test speaks.  None is in main, which reads the arguments and
	 * checks the result, unless the fault is. */
	GPtrArray *sets;
};

struct lesson_search {
	double timeout; /* seconds for the engine */
	bool no_cache;
};

/* NULL with a sentence. */
struct lesson_truth *lesson_truth_find(struct lesson_runs *r, const struct lesson_variant *v,
				       const struct lesson_search *how, GError **error);
void lesson_truth_free(struct lesson_truth *t);

/* The lines of a suspect, ascending; GArray of unsigned, the caller's. */
GArray *lesson_truth_lines(const struct explanation_suspect *s);
/* Is this one of the sets?  lines: ascending. */
bool lesson_truth_accepts(const struct lesson_truth *t, const GArray *lines);
/* The folder of what is kept; free it. */
char *lesson_truth_folder(void);

#endif
