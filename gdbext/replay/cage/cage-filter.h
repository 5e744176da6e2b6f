/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy of the cage (cage-calls.h) as a seccomp filter: a program of the kernel's classic
 * BPF (Documentation/userspace-api/seccomp_filter.rst).
 *
 * The kernel checks, translates and keeps it once more for each caged run, at a cost that grows
 * with its length.  libseccomp compares with the number of each call, which takes 574 instructions
 * and a sixth of a run of a small program.  Most neighbours have the same verdict, so here a
 * search tree goes over ranges of numbers, with about half as many; and most of it is put once on
 * the process that starts the runs.  The test compares the verdicts with those of libseccomp.
 */
#ifndef GDBEXT_REPLAY_CAGE_CAGE_FILTER_H
#define GDBEXT_REPLAY_CAGE_CAGE_FILTER_H

#include "gdbext/replay/cage/cage-calls.h"

#include <glib.h>

struct sock_filter;

/* When there are two filters, the kernel takes the stricter verdict.  So the filter can be made
 * in two parts, each of which allows what the other one decides. */
enum cage_part {
	CAGE_WHOLE,
	CAGE_SHARED, /* all but cage_starting_calls() and what the guard decides: for who starts
		      * runs, which inherit it */
	CAGE_OWN,    /* the other: each run's own, and short */
};

/* The filter for all rows of cage-calls.h and n more of arguments.  Of rows of one call the first
 * counts whose arguments are as it says.  *length instructions; caller frees. */
struct sock_filter *cage_filter_new(enum cage_part part, const struct cage_argument *more, size_t n,
				    size_t *length);

#endif
