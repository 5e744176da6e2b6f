/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of the constraints that a call violates are of one fault.  One that breaks them all is a
 * line that, changed alone, lets the call keep them all (proof.h).  Where there is none, each
 * constraint is asked about alone:
 *
 *     a list forgets the rest of its nodes, and sets its size to 0
 *     remove_ok and size_ok together   no line mends them
 *     remove_ok                        prev->next = lst
 *     size_ok                          l->size = 0
 *
 * The constraints that the same line mends are of one fault; the others are of faults to come.
 * Where some constraint stays without a line, and a line mends all by leaving out what the call
 * does, it is one fault.
 */
#ifndef GDBEXT_SPECS_SEPARATE_H
#define GDBEXT_SPECS_SEPARATE_H

#include "gdbext/specs/study-private.h"

unsigned separate_count(locate_set constraints);
/* proof_find for these constraints of the test, by changes of these lines; the caller's.  NULL: it
 * could not be asked. */
GHashTable *separate_proofs(struct study *s, const struct study_test *t, locate_set constraints,
			    GHashTable *lines);
/* *constraints becomes those of one fault; what comes back is separate_proofs of them. */
GHashTable *separate_one(struct study *s, const struct study_test *t, locate_set *constraints);
/* What faults that were told, but for this one, may be the reason of in a test that violates it.  A
 * fault whose line is proven is no reason where that line is not executed. */
locate_set separate_told(const struct study *s, const struct study_fault *but,
			 const struct study_test *t);
/* Is one of these faults the reason of these violations, too?  Then it explains them from now on.
 */
bool separate_is_told(struct study *s, const struct study_test *t, locate_set constraints);

#endif
