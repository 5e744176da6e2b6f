/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From finished tests to the result.  They are taken in the suite's order, whichever ends
 * first, so that the same suite gives the same spectrum. */
#ifndef GDBEXT_SUITE_FOLD_H
#define GDBEXT_SUITE_FOLD_H

#include "gdbext/suite/pool.h"

/* Takes the finished tests before which no unfinished one stands. */
void fold_ready(struct pool *p);
/* Takes all finished tests; the others were not run. */
void fold_rest(struct pool *p);

#endif
