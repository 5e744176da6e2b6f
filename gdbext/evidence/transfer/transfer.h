/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does what explains some failing tests explain another one, too?  The changes that mended those
 * are made in a run of this one: a branch that goes the other way, a value in place of its own.
 * Each such run takes about as long as the test; explaining the test takes hundreds of them.
 *
 * A change says where in memory a value goes by an address.  In this test a block of the heap, or
 * a function's frame, may be elsewhere, so a change counts only where its instructions write
 * there by themselves, and where it leads the run out of no object (solver/memory/memory.h).
 *
 *     x = transfer_new(limits)
 *     transfer_note(x, e)                          for each test that was explained
 *     transfer_try(x, joint, …)                    for each other one
 */
#ifndef GDBEXT_EVIDENCE_TRANSFER_TRANSFER_H
#define GDBEXT_EVIDENCE_TRANSFER_TRANSFER_H

#include "gdbext/question/question.h"
#include "solver/explanation.h"
#include "solver/rank/units.h"
#include "solver/search/joint.h"

struct transfer;

struct transfer *transfer_new(const struct limits *limits);
void transfer_free(struct transfer *x);

/* Notes the proven suspects of an explanation, which has to outlive x. */
void transfer_note(struct transfer *x, const struct explanation *e);
/* The same of another explanation of the same test. */
void transfer_note_more(struct transfer *x, const struct explanation *e);

struct transfer_test {
	char *const *argv;
	const char *stdin_file; /* NULL = none */
	const struct expected_output
		*expected; /* what it has to print; NULL = status 0 is enough */
	const struct units *units;
	const guint8 *lines; /* of these units, one byte each: 1 = executed; NULL = not known */
};

/* Tries the noted changes on the test, which fails without them: those that are part of the sets
 * of j, the cheapest sets first.  Gives an explanation with those that mend it as suspects.  NULL:
 * the test does not fail here, or it was interrupted (error).  Turns the replay of first, which is
 * a question about another test of the program, to the test. */
struct explanation *transfer_try(struct transfer *x, const struct joint *j,
				 const struct question *first, const struct transfer_test *test,
				 GError **error);
/* Adds the proven suspects of an explanation to another one.  Their strings stay where they are. */
void transfer_add(struct explanation *to, const struct explanation *from);
/* How many runs were made for it. */
unsigned transfer_runs(const struct transfer *x);

#endif
