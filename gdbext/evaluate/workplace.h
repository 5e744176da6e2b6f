/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where subjects are built and measurements kept: the folder of `evaluate --output'.
 *
 *     settings.txt                what was asked for
 *     versions.txt                all versions, those of other shards too: SUBJECT, tab, VERSION
 *     build/SUBJECT/              {out} of subject.conf; beside it the logs of its commands
 *     cells/SUBJECT/VERSION.csv   the measurements of a version; written whole or not at all
 *     cells/SUBJECT/VERSION.times.csv, VERSION.skipped
 *     results.csv, times.csv, skipped.csv     all cells, by subject and version
 */
#ifndef GDBEXT_EVALUATE_WORKPLACE_H
#define GDBEXT_EVALUATE_WORKPLACE_H

#include "gdbext/evaluate/subject.h"

struct supervisor;

struct workplace {
	char *folder;		       /* absolute */
	struct supervisor *supervisor; /* runs builds; NULL = nothing is built */
	double build_timeout;	       /* seconds */
};

/* Makes the folder.  settings: what the measurements depend on; a folder that was begun with
 * other ones is refused. */
struct workplace *workplace_new(const char *folder, const char *settings, double build_timeout,
				GError **error);
void workplace_free(struct workplace *w);

char *workplace_out(const struct workplace *w, const struct subject *s);

/* Builds the subject unless it is built.  SUBJECT_ERROR_BUILD names the log; REPLAY_ERROR: it was
 * interrupted. */
bool workplace_build(const struct workplace *w, const struct subject *s, GError **error);
bool workplace_build_version(const struct workplace *w, const struct subject *s,
			     const struct subject_version *v, GError **error);

/* One version's measurements. */
struct workplace_cell {
	const char *rows, *times; /* without headers */
	const char *skipped;	  /* why it was not measured; NULL = it was */
};
enum workplace_state { WORKPLACE_NEW, WORKPLACE_SKIPPED, WORKPLACE_MEASURED };
enum workplace_state workplace_state(const struct workplace *w, const struct subject *s,
				     const struct subject_version *v);
bool workplace_put(const struct workplace *w, const struct subject *s,
		   const struct subject_version *v, const struct workplace_cell *cell,
		   GError **error);

/* Notes that these subjects' versions are to be measured, here or in another shard. */
bool workplace_expect(const struct workplace *w, const GPtrArray *subjects, GError **error);

/* Was the other workplace made with the same options? */
bool workplace_check(const struct workplace *w, const char *folder, GError **error);
/* Takes over the cells of another workplace's folder that this one does not have, and the versions
 * that are expected there. */
bool workplace_take(const struct workplace *w, const char *folder, GError **error);

struct workplace_count {
	unsigned measured, skipped;
	unsigned missing; /* expected, but neither */
};
/* Writes results.csv, times.csv and skipped.csv from all cells. */
bool workplace_gather(const struct workplace *w, struct workplace_count *count, GError **error);

#endif
