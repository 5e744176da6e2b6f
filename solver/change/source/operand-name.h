/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source calls the memory that an instruction names by its frame or by a fixed address. */
#ifndef SOLVER_CHANGE_SOURCE_OPERAND_NAME_H
#define SOLVER_CHANGE_SOURCE_OPERAND_NAME_H

#include "solver/change/code/mutant-insn.h"
#include "solver/image/variable/variable.h"

/* What the bytes there are called in code at pc (link-time).  at: the displacement from RBP or RSP,
 * or with RIP the link-time address.  False: nobody knows.  Addresses in a frame count from one
 * that no program has; image_lvalue_clear() what *out owns. */
bool operand_lvalue(const struct image *im, uint64_t pc, ZydisRegister base, int64_t at,
		    unsigned bytes, struct image_lvalue *out);

/* The variable that a memory operand is, by RBP or RIP and without an index; NULL: it has no name
 * that a source may have.  Free it. */
char *operand_name(const struct image *im, const struct insn *in, const ZydisDecodedOperand *o);
/* The variable that the instruction at addr (link-time) stores to; NULL: none that is known.  Free
 * it. */
char *operand_name_stored(const struct image *im, uint64_t addr);
/* Does it store to a floating-point variable of the frame?  The number of the instruction is not
 * that of the source then, but its bits. */
bool operand_stores_real(const struct image *im, uint64_t addr);

#endif
