/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is required of a run that exits. */
#ifndef SOLVER_FORMULA_EXIT_H
#define SOLVER_FORMULA_EXIT_H

#include "solver/formula/run-walker.h"
#include "solver/formula/walk-private.h"

/* The walker's step called exit, or main's return.  It passes when its status is 0. */
void exit_require_success(struct walk *w, const struct run_walker *l);

#endif
