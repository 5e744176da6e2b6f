/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GDBEXT_REGRESS_WORKSHOP_WORKSHOP_PRIVATE_H
#define GDBEXT_REGRESS_WORKSHOP_WORKSHOP_PRIVATE_H

#include "gdbext/regress/workshop/bench.h"
#include "gdbext/regress/workshop/workshop.h"
#include "gdbext/replay/cage/view.h"

/* What is known of one set. */
struct known {
	bool is_built, is_tested;
	enum regress_verdict build, test;
	char *log;    /* of a build that failed */
	char *ending; /* of the last run of the test */
	unsigned tests;
	GBytes *output; /* of the last run of --run's program; NULL = not known */
	bool varies;	/* it did not print the same twice */
};

struct workshop {
	struct regress_oracle oracle; /* first */
	const struct workshop_options *o;
	struct bench_plan plan;
	struct dependents *dependents;
	struct view view;   /* .folder is a bench's; .onto[0] NULL = it is not possible here */
	GPtrArray *benches; /* struct bench * */
	GHashTable *known;  /* key of the set -> struct known *; entries stay */
	GMutex lock;	    /* of what is above and below, but a bench that is busy */
	GCond freed;
	GBytes *expected; /* a run passes that prints this; NULL = whatever it prints */
	struct workshop_stats stats;
	GError *error;
	bool late, flaky;
};

/* With the lock held: what is known of a set (an entry that stays); may anything more be started?
 */
struct known *workshop_known(struct workshop *w, const GArray *reverted);
bool workshop_goes_on(struct workshop *w);
/* So many seconds, or what is left of all time. */
double workshop_limited(const struct workshop *w, double seconds);
/* Nothing can go on; takes the error over. */
void workshop_stop(struct workshop *w, GError *error);

/* With --verbose: what came of a set, with the first error where it does not compile. */
void workshop_say(struct workshop *w, const GArray *reverted, const char *what);

/* With .progress: writes the line anew. */
void workshop_show_progress(const struct workshop *w);

/* A bench for oneself, one that holds the set if there is one; NULL = nothing may be started. */
struct bench *workshop_take(struct workshop *w, const GArray *reverted);
void workshop_give(struct workshop *w, struct bench *b);
/* Makes the set stand in it, built. */
enum regress_verdict workshop_stand(struct workshop *w, struct bench *b, const GArray *reverted);

/* What a process in a bench sees, and the folder that it starts in. */
const char *workshop_place(const struct workshop *w, const char *bench, struct view *view);

enum regress_verdict workshop_test(struct regress_oracle *o, const GArray *reverted);

#endif
