/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which actions of the plan changed something in a step of a cursor (trace_cursor_set_actions). */
#ifndef SOLVER_TRACE_ACTED_H
#define SOLVER_TRACE_ACTED_H

#include "solver/trace/run.h"

/* The actions that changed something in the last step, *n of them; valid until the next step. */
const struct trace_action *const *trace_cursor_acted(const struct trace_cursor *c, size_t *n);

#endif
