/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of test frameworks that a program makes: the table (gdbext/frameworks.conf as it is
 * installed, or --fail-table), the functions of --fail-call, and the calls of them in the code.
 */
#ifndef GDBEXT_QUESTION_RUNS_CHECKS_H
#define GDBEXT_QUESTION_RUNS_CHECKS_H

#include "gdbext/options/options.h"
#include "gdbext/replay/replay.h"
#include "solver/check/check-sites.h"

struct checks {
	struct check_table *table;
	struct check_sites *sites;
	GHashTable *reporting, *inserted; /* of struct requirement */
};

/* Reads the table and finds the calls.  False with error: a table cannot be read, or a function of
 * --fail-call is called nowhere. */
bool checks_begin(struct checks *c, const struct options *o, struct image *const *images,
		  size_t n_images, GError **error);
void checks_clear(struct checks *c);

/* The test's words with those that its framework needs, and with those that choose the test of
 * --test; *variables: NAME=VALUE to set (NULL-terminated).  Both the caller's.  NULL with error
 * when the framework cannot choose one. */
char **checks_words(const struct checks *c, const struct options *o, char ***variables,
		    GError **error);

#endif
