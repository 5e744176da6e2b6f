/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a register: moved, passed to a call, returned, or set to something else. */
#include "solver/naming/naming-private.h"

/* ---- moves ---- */

/* The opcode behind the prefixes, of an instruction that has one more byte; NULL = it cannot be
 * read.  *narrow: it is about 16 bits. */
static const uint8_t *opcode_of(const struct image *im, const struct trace_insn *insn, bool *narrow)
{
	size_t avail, at = 0;
	const uint8_t *b = image_bytes(im, insn->addr, &avail);

	*narrow = false;
	if (!b || avail < insn->length || insn->length < 2)
		return NULL;
	for (; at + 2 < insn->length && (b[at] == 0x66 || (b[at] & 0xf0) == 0x40); at++)
		*narrow = *narrow || b[at] == 0x66;
	return b + at;
}

/* Does the instruction only move or extend what a register, or a place in memory, holds? */
static bool moves_only(const uint8_t *opcode)
{
	if (opcode[0] == 0x0f) /* movzx, movsx */
		return (opcode[1] & 0xf6) == 0xb6;
	/* mov, movsxd, cltq */
	return (opcode[0] >= 0x88 && opcode[0] <= 0x8b) || opcode[0] == 0x63 || opcode[0] == 0x98;
}

bool naming_is_move(const struct image *im, const struct trace_insn *insn)
{
	bool narrow;
	const uint8_t *opcode = insn->n_mem ? NULL : opcode_of(im, insn, &narrow);

	return opcode && moves_only(opcode);
}

/* Does the instruction set the whole register to something else? */
static bool sets_anew(const struct image *im, const struct trace_insn *insn, unsigned reg)
{
	bool narrow;
	const uint8_t *opcode = insn->out_gpr == 1u << reg ? opcode_of(im, insn, &narrow) : NULL;
	const struct trace_mem *m = &insn->mem[0];

	if (!opcode || !moves_only(opcode) || narrow || opcode[0] == 0x88 || opcode[0] == 0x8a ||
	    opcode[0] == 0x98)
		return false;
	return insn->n_mem ? m->base != reg && m->index != reg
			   : (insn->use_gpr & ~insn->out_gpr) != 0;
}

/* ---- roles: what becomes of the register ---- */

int naming_argument_number(unsigned reg)
{
	static const uint8_t order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					 TRACE_RCX, TRACE_R8,  TRACE_R9 };

	for (unsigned i = 0; i < G_N_ELEMENTS(order); i++)
		if (order[i] == reg)
			return (int)i;
	return -1;
}

static struct naming_role role_at_branch(const struct image *im, const struct trace_insn *insn,
					 unsigned reg, unsigned *left)
{
	struct naming_role taken = naming_find_role(im, insn->target, reg, left);
	struct naming_role other = naming_find_role(im, insn->addr + insn->length, reg, left);
	struct naming_role role = taken.kind == ROLE_NONE ? other : taken;

	if (taken.kind == ROLE_USED || other.kind == ROLE_USED || role.kind == ROLE_ARGUMENT)
		role.kind = ROLE_USED;
	role.maybe = true;
	return role;
}

struct naming_role naming_find_role(const struct image *im, uint64_t at, unsigned reg,
				    unsigned *left)
{
	const struct image_function *f = image_function_at(im, at);

	while ((*left)-- > 1) {
		const struct trace_insn *insn = image_insn_at(im, at);

		if (!insn)
			break;
		if (insn->flow == TRACE_FLOW_RET)
			return (struct naming_role){ reg == TRACE_RAX ? ROLE_RESULT : ROLE_NONE,
						     false, NULL };
		if (sets_anew(im, insn, reg))
			return (struct naming_role){ ROLE_NONE, false, NULL };
		if (insn->use_gpr & 1u << reg)
			return (struct naming_role){ ROLE_USED, false, NULL };
		if (insn->flow == TRACE_FLOW_CALL)
			return (struct naming_role){ naming_argument_number(reg) < 0
							     ? ROLE_NONE
							     : ROLE_ARGUMENT,
						     false, insn };
		if (insn->flow == TRACE_FLOW_COND)
			return role_at_branch(im, insn, reg, left);
		if (insn->flow == TRACE_FLOW_JUMP && image_function_at(im, insn->target) == f)
			at = insn->target;
		else if (insn->flow == TRACE_FLOW_NONE)
			at = insn->addr + insn->length;
		else
			break;
	}
	*left = 1;
	return (struct naming_role){ ROLE_USED, false, NULL };
}
