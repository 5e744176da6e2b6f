/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One private copy of the new version, with some changes reverted. */
#ifndef GDBEXT_REGRESS_BENCH_H
#define GDBEXT_REGRESS_BENCH_H

#include "gdbext/regress/versions.h"

struct includers;

struct bench {
	char *folder; /* "" until it is made */
	char *log;
	GArray *reverted; /* what it holds */
	GArray *built;	  /* what was built last, with success; NULL = nothing */
	bool busy;
};

/* Which files include which, by name, in a folder: what has to be built again with a header. */
struct includers *includers_new(const char *folder);
void includers_free(struct includers *i);

/* folder: where it will be. */
struct bench *bench_new(char *folder, char *log);
void bench_free(void *bench);
/* Makes the copy, the first time, and writes what differs from what it holds. */
bool bench_turn_to(struct bench *b, const struct regress_versions *v,
		   const struct includers *includers, const GArray *reverted, GError **error);

#endif
