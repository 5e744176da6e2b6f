/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite of --tests, run as the command line says, for all commands that take
 * one. */
#ifndef GDBEXT_QUESTION_RUNS_SUITE_TESTS_H
#define GDBEXT_QUESTION_RUNS_SUITE_TESTS_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"
#include "solver/search/weighting.h"

/* Runs them, with a progress bar.  Tests that are left out are named on standard error.  NULL
 * with error when no result can be used. */
struct suite_result *tests_run(const struct options *o, GError **error);

/* After an interrupt, or when no test can be used or none failed, this is the exit status, with
 * a sentence in error; otherwise 0. */
int tests_check_failed(const struct suite_result *r, GError **error);
/* The same, and also when no test passed. */
int tests_check_both(const struct suite_result *r, GError **error);

/* What statements cost by --technique, which is one name; NULL with error when there is no such
 * technique.  *name: the technique's name, static. */
struct weighting *tests_weigh(const struct options *o, const struct suite_result *r,
			      const char **name, GError **error);
/* Is that a technique, and one only? */
bool tests_check_technique(const struct options *o, GError **error);

/* An array of struct technique, which refer to the limits; NULL with error: there is none with
 * that name. */
GArray *tests_techniques(const char *names, const struct limits *limits, GError **error);

#endif
