/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of one suite while they run: shared by run.c and pool.c. */
#ifndef GDBEXT_SUITE_POOL_H
#define GDBEXT_SUITE_POOL_H

#include "gdbext/replay/folder.h"
#include "gdbext/suite/key.h"
#include "gdbext/suite/run.h"

struct task;

struct pool {
	struct suite_result *result;
	const struct suite_options *options;
	struct folder *folder;
	struct supervisor *supervisor;
	enum suite_rule rule;
	char *golden, *expected; /* absolute; only when the rule needs it, else NULL */
	struct suite_conditions conditions, golden_conditions;
	struct suite_cache *cache, *golden_cache; /* NULL = none */

	/* pool_run's: */
	GMainContext *context;
	struct task **tasks; /* one for each test; NULL = not begun, or folded already */
	unsigned jobs, running, begun, folded, done, failed;
	unsigned late;	/* tests that ran into options->run_timeout */
	gint64 longest; /* microseconds, of the tests that ended */
	GError *broken; /* why no test can be started at all */
	bool interrupted;
};

/* Fills p->result.  False with error when nothing could be measured. */
bool pool_run(struct pool *p, GError **error);

#endif
