/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GDBEXT_REGRESS_FLOW_PRIVATE_H
#define GDBEXT_REGRESS_FLOW_PRIVATE_H

#include "gdbext/regress/coverage.h"
#include "gdbext/regress/flow.h"
#include "gdbext/regress/workshop/workshop.h"
#include "gdbext/replay/folder.h"
#include "solver/regress/search.h"

struct regression {
	const struct options *o;
	GTimer *clock;
	gint64 deadline; /* monotonic, us */
	struct folder *folder;
	struct supervisor *supervisor;
	char *room;	     /* where all is built: the folder's, or --keep's */
	char *place;	     /* where the versions that are open are built; in .room, or it */
	char *stdin_file;    /* absolute; NULL = none */
	char *expected_file; /* what the program has to print; NULL = whatever it prints */
	char *good, *bad;    /* the versions to compare: --old and --new, or what bisecting left */
	guint commits, judged; /* between --old and --new, and how many of them bisecting built */
	struct regress_versions *versions;
	struct workshop_options w;
	struct workshop *workshop;
	struct regress_search *search;
	struct coverage *old_coverage, *new_coverage;
	GArray *none, *all; /* sets: the new version, the old one */
	struct regress_answer *answer;
};

/* Opens the versions, and a workshop for them in the folder room. */
bool regression_open(struct regression *r, const char *room, GError **error);
void regression_close(struct regression *r);

/* With --bisect-first: narrows .good and .bad to two neighbours in the history.  0, or an exit
 * status with a sentence in error. */
int regression_bisect(struct regression *r, GError **error);

/* Builds and tests both; 0 when the old one passes and the new one fails, each twice.  Else an
 * exit status with a sentence in error. */
int regression_check_both(struct regression *r, GError **error);

/* The searches; they fill the answer's root, auxiliary, basis, candidates and outcome. */
void regression_search_after(struct regression *r);
void regression_search_dd(struct regression *r, bool augmented);
/* One more generation of candidates, the most suspicious first: true when the root is among
 * them. */
bool regression_try(struct regression *r, const GArray *order, enum regress_basis basis);
/* With --run: records the failing run, and fills the answer's causes, generation by generation; and
 * the values that the old version had.  Notes in the answer why there are none. */
void regression_find_causes(struct regression *r);
/* Runs what proves the root, and says what came of it. */
void regression_prove(struct regression *r);

#endif
