/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test plans of SIR's layout, whose format is STImpL: a test a line, of fields in any order.
 *
 *     -P[ARGUMENTS]        of the program; several follow each other
 *     -I[FILE]             standard input, a file in the folder inputs
 *     -F[FILE|NAME]        the test's result is in this file, too
 *     -S[SCRIPT ARGS]      run before the test, from testplans.alt/testscripts
 *     -X[SCRIPT ARGS]      … after it
 *     -s[SCRIPT VAR=VALUE], -x[…]    the same, read by the test's own shell
 *     -O[NAME]             what the output is called; -C[…] and -A[…] are comments; none matters
 *     setenv VAR VALUE     a line of its own: for all tests that follow
 *
 * A blank may stand before the bracket, \] is a bracket that ends nothing, and \{TEST} is the
 * number of the test.  A line without fields is arguments alone, as the Siemens programs have them.
 * Left out are tests with other fields (-D, a driver in the program's place), and those whose
 * script is not there.
 */
#ifndef GDBEXT_EVALUATE_SIR_PLAN_H
#define GDBEXT_EVALUATE_SIR_PLAN_H

#include <glib.h>
#include <stdbool.h>

/* Is there a plan in the subject's folder? */
bool sir_plan_exists(const char *folder);
/* Are the plans those of single releases, testplans.alt/vN? */
bool sir_plan_is_by_release(const char *folder);
/* The suite of a release (vN), a test a line as gdb-why rank takes it; tests run in inputs, or in
 * the folder where there is none.  Adds to *left_out.  NULL with error; free it. */
char *sir_plan_suite(const char *folder, const char *release, unsigned *left_out, GError **error);

#endif
