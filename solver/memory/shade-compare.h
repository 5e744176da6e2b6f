/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a comparison depend on bits that nobody set?  Not when the others decide it: whatever the
 * unset bits are, 0x1? is less than 0x20.
 */
#ifndef SOLVER_MEMORY_SHADE_COMPARE_H
#define SOLVER_MEMORY_SHADE_COMPARE_H

#include "solver/isa/flags.h"
#include "solver/memory/shade.h"

/* What stands for a value with its shade. */
struct shade_operand {
	const struct shade *shade;
	const struct ir_value *value;
	unsigned width;
};

bool shade_equality_is_open(const struct shade_operand *a, const struct shade_operand *b);
/* a < b, of at most 64 bits. */
bool shade_order_is_open(const struct shade_operand *a, const struct shade_operand *b,
			 bool is_signed);
/* An x86 condition of flags that were set by an operation on d1 and d2. */
bool shade_condition_is_open(unsigned condition, const struct flags_op *f,
			     const struct shade_operand *d1, const struct shade_operand *d2);

#endif
