/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer about a single failing test, in the light of small changes of its lines:
 * would a common slip of the programmer's (another operator, a constant one off, another
 * variable) make the test pass?  Each change is run, natively and caged.
 */
#ifndef GDBEXT_EVIDENCE_SLIPS_H
#define GDBEXT_EVIDENCE_SLIPS_H

#include "gdbext/question/question.h"

/* Adds to the proven suspects of q's answer, of one line each, what small change of the
 * line lets the test pass, and orders the answer by plausibility.  Its effort is counted in runs,
 * so that the order does not depend on load; seconds: what is left of --timeout.
 * False with error: interrupted. */
bool slips_gather(struct question *q, double seconds, GError **error);

#endif
