/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requirement that no access to memory is invalid: --memory, and always when a signal ended the
 * test.  The first invalid access of the failing run is the failure; solver/memory finds it in the
 * record.
 */
#ifndef GDBEXT_QUESTION_MEMORY_ERROR_H
#define GDBEXT_QUESTION_MEMORY_ERROR_H

#include "gdbext/question/question.h"

struct memory_error;

/* 0, or the exit status with error.  *found: the run has an invalid access, and q's requirement is
 * that it is valid. */
int memory_error_require(struct question *q, bool *found, GError **error);
/* Nothing is known that would have made the access valid: from now on the requirement is that the
 * test does not crash, where it did.  False when it did not crash, or with error. */
bool memory_error_relax(struct question *q, GError **error);
/* Where the object was allocated and freed, as notes. */
void memory_error_note(struct question *q);
void memory_error_free(struct memory_error *m); /* NULL is fine */

#endif
