/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite of --tests, run as the command line says, for all commands that take
 * one. */
#ifndef GDBEXT_QUESTION_SUITE_TESTS_H
#define GDBEXT_QUESTION_SUITE_TESTS_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"
#include "solver/search/weighting.h"

/* Runs them, with a progress bar; what is left out is named on standard error.
 * NULL with error when there is nothing to go by. */
struct suite_result *tests_run(const struct options *o, GError **error);

/* An interrupt, or no test that can be used, or none that failed: the exit status
 * with a sentence in error; else 0. */
int tests_check_failed(const struct suite_result *r, GError **error);
/* The same where none passed. */
int tests_check_both(const struct suite_result *r, GError **error);

/* What statements cost by --technique, one name; NULL with error when there is
 * no such technique.  *name: the technique's, static. */
struct weighting *tests_weigh(const struct options *o, const struct suite_result *r,
			      const char **name, GError **error);
/* Is that a technique, and one only? */
bool tests_check_technique(const struct options *o, GError **error);

/* An array of struct technique; NULL with error: there is none of that name. */
GArray *tests_techniques(const char *names, GError **error);

#endif
