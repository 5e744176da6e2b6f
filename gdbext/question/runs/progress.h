/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is told while a question is answered: to the gdb-why that started this one with
 * `--events', or to the person on standard error.
 */
#ifndef GDBEXT_QUESTION_RUNS_PROGRESS_H
#define GDBEXT_QUESTION_RUNS_PROGRESS_H

#include "gdbext/ipc/event.h"
#include "gdbext/options/options.h"

/* Tells that another stage begins, and how often the program ran with a change so far.  A person
 * is not told. */
void progress_stage(const struct options *o, enum event_stage stage, uint64_t runs);
/* Tells one sentence, without a newline. */
void progress_note(const struct options *o, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
