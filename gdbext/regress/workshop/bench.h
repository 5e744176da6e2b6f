/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One private copy of the new version, with some changes reverted. */
#ifndef GDBEXT_REGRESS_WORKSHOP_BENCH_H
#define GDBEXT_REGRESS_WORKSHOP_BENCH_H

#include "gdbext/regress/workshop/dependents.h"
#include "gdbext/regress/workshop/versions.h"

struct bench {
	char *folder; /* "" until it is made */
	char *log;
	char *answers;	  /* a folder: what `configure' found out */
	GArray *reverted; /* what it holds; NULL = it is not made yet */
	GArray *built;	  /* what was built last, with success; NULL = nothing */
	bool busy;
};

/* folder: where it will be. */
struct bench *bench_new(char *folder, char *log);
void bench_free(void *bench);

/* What copies are made of. */
struct bench_plan {
	const struct regress_versions *versions;
	const struct dependents *dependents;
	bool anywhere;	   /* the copy is built under another name than the version's folder */
	unsigned left_out; /* with that: files of the build that hold that name stay out of it */
	char *example;	   /* one of them; NULL = there is none */
};

/* Makes the copy: of the version, or of a bench that has been built, with what was built. */
bool bench_make(struct bench *b, struct bench_plan *plan, const struct bench *built,
		GError **error);
/* Writes what differs from what it holds. */
bool bench_turn_to(struct bench *b, const struct bench_plan *plan, const GArray *reverted,
		   GError **error);

#endif
