/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy of the cage: what happens with each system call of a forced run.  It is an
 * allow-list.  Calls that no row names, those of newer kernels included, fail with
 * ENOSYS.  Calls by the 32-bit entry or by x32 numbers end the run.
 *
 * A row allows a call because it only reads, computes, changes this process, or changes
 * what is open.  The last does no harm, because everything that is open for writing
 * belongs to the run: only the guard opens files (cage-guard.h).
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_CALLS_H
#define GDBEXT_REPLAY_CAGE_CAGE_CALLS_H

#include <stddef.h>
#include <stdint.h>

enum cage_verdict {
	CAGE_ALLOW,
	CAGE_ANSWER, /* it is not done: it returns .error, or success when that is 0 */
	CAGE_ASK,    /* the guard decides */
};

struct cage_call {
	int call;
	enum cage_verdict verdict;
	int error;
};

/* A call whose arguments, masked, have these values; .mask 0 = no more of them.  Of several rows
 * for a call the first counts. */
struct cage_argument {
	int call;
	struct {
		unsigned number;
		uint64_t mask, value;
	} where[3];
	enum cage_verdict verdict;
	int error;
};

const struct cage_call *cage_calls(size_t *n);
const struct cage_argument *cage_arguments(size_t *n);

/* Calls by which a process starts a run.  But for these, and for what the guard decides, it closes
 * the cage on itself, once for all of its runs (cage_narrow_self). */
const int *cage_starting_calls(size_t *n);

#endif
