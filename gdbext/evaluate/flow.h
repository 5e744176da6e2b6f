/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole evaluation: every version of every subject, each a cell of the workplace.  A cell that
 * is there is not measured again, so an evaluation that was ended, by whatever, goes on where it
 * was; versions that were skipped are tried again. Of N shards, the I-th has every N-th version.
 */
#ifndef GDBEXT_EVALUATE_FLOW_H
#define GDBEXT_EVALUATE_FLOW_H

#include "gdbext/evaluate/measure.h"

struct flow {
	struct measure measure;
	GPtrArray *subjects;	/* struct subject *, by name */
	unsigned shard, shards; /* 1 … shards */
};

struct flow_count {
	unsigned measured; /* this time */
};

/* False with error: interrupted, or a file cannot be written.  What was measured is there. */
bool flow_run(const struct flow *f, struct flow_count *count, GError **error);

#endif
