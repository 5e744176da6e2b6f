/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a statement's code stand in several places? */
#ifndef SOLVER_ANSWER_CODE_COPIES_H
#define SOLVER_ANSWER_CODE_COPIES_H

#include "solver/naming/naming.h"
#include "solver/source/trace-point/trace-point.h"

/* The compiler may have made several copies of the statement's code: unrolled and peeled loops.
 * Then the executions of one instruction are not those of the statement.  clause: what of the
 * statement the definition is. */
bool code_has_copies(const struct trace_point *at, struct naming *naming,
		     const struct definition *d, const char *clause);

#endif
