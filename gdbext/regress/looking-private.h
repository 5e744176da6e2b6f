/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of both versions, while causes are looked for in them. */
#ifndef GDBEXT_REGRESS_LOOKING_PRIVATE_H
#define GDBEXT_REGRESS_LOOKING_PRIVATE_H

#include "gdbext/regress/flow-private.h"
#include "gdbext/replay/replay.h"
#include "solver/output/expected.h"
#include "solver/regress/trace/trace.h"

/* One version's run. */
struct looking {
	struct regression *r;
	gint64 deadline;
	struct replay *replay;
	struct replay_failing failing;
	struct regress_trace *trace;
	const char *folder;
	bool is_new; /* it is asked why this one fails */
	struct expected_output expected;
	GHashTable *paths; /* as debug information names files -> as the tree does */
	GArray *numbers;   /* by statement of all causes, in their order: its definition (guint);
			    * NUMBERLESS = it has none */
	GError *error;
};

enum { NUMBERLESS = G_MAXINT32 };

/* Records the run of --run's program as it stands built in the folder, and makes its trace.  False
 * with .error. */
bool looking_record(struct looking *l, const char *folder);
void looking_forget(struct looking *l);
/* The name of a file of debug information in the tree; NULL = the file is not in the tree. */
const char *looking_file(struct looking *l, const char *file);

/* What the old version's run did at the statements of the causes: their values, and the changed
 * lines that only that run executed and that these rest on there. */
void regression_compare_runs(struct looking *newer);

#endif
