/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers that are given and used within one statement. */
#ifndef SOLVER_SLICE_SAME_STATEMENT_H
#define SOLVER_SLICE_SAME_STATEMENT_H

#include "solver/trace/index/reverse-index.h"

/* Did the writer only make a register for the same execution of the user's line, that of the step?
 */
bool slice_is_inside_of_statement(struct reverse_index *h, const struct reverse_index_place *place,
				  uint64_t step, uint64_t writer);

#endif
