/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which failing tests of a suite can be explained. */
#ifndef GDBEXT_EVIDENCE_EXPLAINABLE_H
#define GDBEXT_EVIDENCE_EXPLAINABLE_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"

/* Can the i-th test be explained: does it fail by an assertion, a crash, its exit status or its
 * output, or not end at all, and does it run without a shell? */
bool explainable_test(const struct options *options, const struct suite_result *r, unsigned i);
/* Did it not end, run without a shell? */
bool explainable_is_endless(const struct suite_result *r, unsigned i);

#endif
