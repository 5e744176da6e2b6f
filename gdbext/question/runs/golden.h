/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another program does for the test of the command line. */
#ifndef GDBEXT_QUESTION_RUNS_GOLDEN_H
#define GDBEXT_QUESTION_RUNS_GOLDEN_H

#include "gdbext/options/options.h"
#include "solver/output/expected.h"

/* Runs --golden with PROG's arguments, input and directory.  False with error when it cannot be
 * run, crashes, or takes longer than a run may. */
bool golden_run(const struct options *o, struct expected_output *out, GError **error);

#endif
