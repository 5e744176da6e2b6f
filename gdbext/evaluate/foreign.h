/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tests executed, measured by other tools, of programs in any language.  A folder with
 *
 *     spectra.csv, or spectra     the lines, one a row: CLASS#METHOD:NUMBER or FILE:NUMBER
 *                                 (GZoltar; also FILE#NUMBER, as in Pearson et al., ICSE 2017);
 *                                 a header "name" may stand before them
 *     matrix.txt, or matrix       a row a test: 1 or 0 for each line, + passed or - failed
 *     tests.csv                   may be missing: their names, in the same order
 *
 * or with one table coverage.csv: a header of a name for the tests, one for the outcome (PASS or
 * OK, FAIL or ERROR, or 0 for failed and 1 for passed), and then a line (FILE:NUMBER) a column; a
 * row a test.
 */
#ifndef GDBEXT_EVALUATE_FOREIGN_H
#define GDBEXT_EVALUATE_FOREIGN_H

#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

struct foreign {
	struct units *units; /* a statement a line */
	struct spectrum *spectrum;
	bool *crashed; /* of each test: false, because nothing tells */
};

/* NULL with SUBJECT_ERROR. */
struct foreign *foreign_read(const char *folder, GError **error);
void foreign_free(struct foreign *c);

/* "org.x$Foo#bar():123" is line 123 of org/x/Foo, "a/b.c:3" and "a/b.c#3" line 3 of a/b.c.
 * False: there is no line.  Free *file. */
bool foreign_read_line(const char *text, char **file, unsigned *line);

#endif
