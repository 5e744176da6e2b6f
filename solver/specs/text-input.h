/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which bytes of standard input a run read, by which calls: getchar and its like give a byte, or
 * -1 at the end; fgets, fread and read fill a buffer.  Others (scanf, getline) are not followed,
 * and what comes after them is not known.
 */
#ifndef SOLVER_SPECS_TEXT_INPUT_H
#define SOLVER_SPECS_TEXT_INPUT_H

#include "solver/trace/run.h"

struct text_input;

/* text: all of it, without NULs; outlives it. */
struct text_input *text_input_new(const char *text);
void text_input_free(struct text_input *t);
/* Arguments of a call: RDI, RSI, RDX before the step; result: RAX after it. */
void text_input_note(struct text_input *t, const struct trace_step *step,
		     const uint64_t arguments[3], uint64_t result);
/* The byte that a call returned at that step. */
bool text_input_returned(const struct text_input *t, uint64_t step, unsigned *offset);
/* The byte that lay at this address before that step. */
bool text_input_at(const struct text_input *t, uint64_t address, uint64_t step, unsigned *offset);
/* Changes the number at offset, and no more of the text. */
void text_input_set_number(char **text, unsigned offset, int64_t value);

#endif
