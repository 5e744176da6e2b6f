/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `ask --window N --at STOP': the first run kept the end of the thread, and STOP may lie before
 * it.  The window is then moved to the stop, by caged runs of the same test.
 *
 * `ask why EXPR' where the run ends: the first run keeps its end (limit `ask_window') unless the
 * user says something else.  Only where a cause lies before that, the whole run is looked at.
 */
#ifndef GDBEXT_COMMAND_ASK_WINDOW_H
#define GDBEXT_COMMAND_ASK_WINDOW_H

#include "gdbext/question/question.h"
#include "solver/source/stop.h"

/* Where the record leaves out the run's beginning: q's record becomes that of the last --window
 * instructions before the stop, and stop->count counts from where it begins.  STOP_ERROR_REACHED
 * when the whole run does not come there so often. */
bool ask_window_move(struct question *q, struct stop *stop, GError **error);

/* The whole run is recorded, in the cage, in place of its end.  False when that cannot be done, or
 * when it does not end as it did before. */
bool ask_window_widen(struct question *q);

#endif
