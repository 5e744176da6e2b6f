/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of memory-error.h share: memory-error.c makes the requirement and its runs,
 * memory-error-words.c puts the access into words. */
#ifndef GDBEXT_QUESTION_MEMORY_ERROR_PRIVATE_H
#define GDBEXT_QUESTION_MEMORY_ERROR_PRIVATE_H

#include "gdbext/question/memory-error.h"
#include "gdbext/question/runs/sanitizer-report.h"
#include "solver/memory/memory.h"

struct memory_error {
	const struct question *q;
	struct memory_finding finding;
	struct trace_run *run;	  /* .finding's */
	struct stop stop;	  /* the access, or the call that made its block or freed it */
	struct trace_point *call; /* where the requirement is, when it is about that */
	char *sentence;
	struct memory_reported reported; /* by AddressSanitizer */
};

/* The statement of a call that was open; NULL = it is not known. */
const struct image_statement *memory_error_statement_at(const struct question *q,
							const struct memory_frame *f);
/* "invalid read: reads 4 bytes, right behind the end of a block of 16 bytes"; caller frees. */
char *memory_error_sentence(const struct memory_finding *f);
/* Notes a finding of the failing run that the question is not about. */
void memory_error_note_finding(struct question *q, const struct memory_finding *f);

#endif
