/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From two versions and a test to the answer: both are built and tested, the changes that may be
 * to blame are looked for, and what was found is proven.
 */
#ifndef GDBEXT_REGRESS_FLOW_H
#define GDBEXT_REGRESS_FLOW_H

#include "gdbext/options/options.h"
#include "solver/regress/answer.h"

struct regression;

/* o: of OPTIONS_REGRESS; must outlive it. */
struct regression *regression_new(const struct options *o);
/* Ends all processes and removes what was built, but what --keep names. */
void regression_free(struct regression *r);

/* Answers; the regression's.  NULL with a sentence in error, and the exit status in *status. */
const struct regress_answer *regression_explain(struct regression *r, int *status, GError **error);

/* Where the files of the new version are; the regression's. */
const char *regression_new_folder(const struct regression *r);

#endif
