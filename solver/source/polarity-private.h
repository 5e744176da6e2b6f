/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of polarity.h share. */
#ifndef SOLVER_SOURCE_POLARITY_PRIVATE_H
#define SOLVER_SOURCE_POLARITY_PRIVATE_H

#include "solver/source/polarity.h"

/* The comparisons that a text has. */
struct comparison {
	unsigned equal, unequal, less, greater, other;
	char last; /* the first character of what stands to the right of it, without blanks */
};

struct comparison polarity_comparison(const char *code);
/* The constant with which the comparison before the jump compares; false = there is none. */
bool polarity_constant(const struct image *im, uint64_t jump, int8_t *constant);
/* Compares the comparison in the text of a condition with that of its jump. */
enum polarity_meaning polarity_by_comparison(const struct image *im, const struct trace_insn *jump,
					     const char *code);
/* The same of what a `!' before it negates, which the code may have turned already. */
enum polarity_meaning polarity_by_text(const struct image *im, const struct trace_insn *jump,
				       const char *code);
enum polarity_meaning polarity_taken_is(bool value);
/* The conditional jump that straight code from a place leads to; 0 = none. */
uint64_t polarity_next_jump(const struct image *im, const struct limits *limits, uint64_t at);
/* For a jump whose statement is the call of a macro: .clause and .meaning, where they are known. */
void polarity_of_macro(const struct image *im, struct sources *sources, const struct limits *limits,
		       const struct trace_insn *jump, struct polarity *out);

#endif
