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
/* How a run with some change went. */
enum memory_error_run {
	MEMORY_ERROR_STAYS,
	MEMORY_ERROR_MENDED, /* nothing is invalid, and the test ends well or as before */
	MEMORY_ERROR_SAME,   /* and prints what it printed, as far as it came */
};

/* Makes a recorded run with these actions, all of kind TRACE_ACTION_CODE or none.  Returns
 * MEMORY_ERROR_STAYS also when the run cannot be made. */
enum memory_error_run memory_error_run_with(const struct question *q,
					    const struct trace_action *actions, size_t n);
/* Finds the action that makes the block large enough: it gives the call of malloc or realloc the
 * size that the access needs, or so many times its size where times is not 0.  *words: the change
 * in words, which the caller frees.  NULL = the size is not what is wrong, or that is too small;
 * else the line with the call. */
const struct image_statement *memory_error_larger_block(const struct question *q, unsigned times,
							struct trace_action *action, char **words);
/* The call that allocated the block behind whose end the access is, and the register (enum
 * trace_reg) in which it gets the size.  False: there is none in the program itself. */
struct memory_size_argument {
	const struct image_statement *line;
	const struct trace_insn *call;
	const char *callee;
	unsigned reg;
};
bool memory_error_size_argument(const struct question *q, struct memory_size_argument *out);
/* Does the mutant leave out the call that freed the block too early, or a second time? */
bool memory_error_frees_at(const struct question *q, uint64_t addr);
/* The lines of the story, the last first: where the block was freed, and where it was allocated,
 * each with the calls that were open.  const struct image_statement *; free the array. */
GPtrArray *memory_error_story(const struct question *q);
/* From now on the requirement is that the block is not freed where it was.  False when the error is
 * no use of what was freed, or with error. */
bool memory_error_blame_free(struct question *q, GError **error);
/* Nothing is known that would have made the access valid: from now on the requirement is that the
 * test does not crash, where it did.  False when it did not crash, or with error. */
bool memory_error_relax(struct question *q, GError **error);
/* Where the object was allocated and freed, as notes. */
void memory_error_note(struct question *q);
/* An invalid access of the failing run, which the failure may come from, as a note of a question
 * about something else. */
void memory_error_note_other(struct question *q);
void memory_error_free(struct memory_error *m); /* NULL is fine */

#endif
