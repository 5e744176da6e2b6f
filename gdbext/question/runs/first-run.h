/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first run of a test, as the command line wants it. */
#ifndef GDBEXT_QUESTION_RUNS_FIRST_RUN_H
#define GDBEXT_QUESTION_RUNS_FIRST_RUN_H

#include "gdbext/options/options.h"
#include "gdbext/replay/replay.h"

/* What replay_new takes; everything in it still belongs to o. */
struct replay_options first_run_options(const struct options *o);

#endif
