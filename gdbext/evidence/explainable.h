/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which failing tests of a suite can be explained. */
#ifndef GDBEXT_EVIDENCE_EXPLAINABLE_H
#define GDBEXT_EVIDENCE_EXPLAINABLE_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"

/* Can the i-th test be explained: does it fail by an assertion, a crash, its exit status or its
 * output, or not end at all, and does it run without a shell? */
bool explainable_test(const struct options *options, const struct suite_result *r, unsigned i);
/* The tests that can be explained, in the order in which that tells most (unsigned; free the
 * array): those that end come before those that do not end, which take longest, and each that
 * executes the same lines as an earlier one behind all others of its kind. */
GArray *explainable_tests(const struct options *options, const struct suite_result *r);

#endif
