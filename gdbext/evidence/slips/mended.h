/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does one of the changes that mend the output tell a person what is wrong?  If none does, a
 * statement may be missing. */
#ifndef GDBEXT_EVIDENCE_SLIPS_MENDED_H
#define GDBEXT_EVIDENCE_SLIPS_MENDED_H

#include "solver/explanation.h"

/* Is that the line at which the failure shows? */
bool mended_where_it_fails(const struct explanation *e, const char *file, unsigned line);
/* Does the suspect only return what others made, is it of a value that began as 0, of where a store
 * goes, or of values that differ each time?  A change of the code in that line would be told. */
bool mended_says_little(const struct explanation_suspect *suspect);
/* Has a proven suspect that may have been meant so?  What the call that fails could print instead
 * says nothing, a condition that goes the other way only leaves out what went wrong, and a value
 * that has to be another one each time only says what should have come of others, unless a small
 * change of the line does the same. */
bool mended_by_suspect(const struct explanation *e);

#endif
