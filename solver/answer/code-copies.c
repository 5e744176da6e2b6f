/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/code-copies.h"

static const struct trace_mem *operand_stored_to(const struct trace_insn *insn)
{
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			return &insn->mem[i];
	return NULL;
}

/* Could both instructions do the same thing of their statement?  In one piece of straight code,
 * two branches or registers are two things, and so are stores that address differently. */
static bool does_the_same(const struct image *im, const struct image_function *f,
			  const struct definition *d, const struct trace_insn *a,
			  const struct trace_insn *b)
{
	bool apart = image_block_at(im, f, a->addr) != image_block_at(im, f, b->addr);
	const struct trace_mem *to = operand_stored_to(a), *other = operand_stored_to(b);

	if (d->kind == DEF_GUARD)
		return apart && b->flow == TRACE_FLOW_COND;
	if (d->kind == DEF_REGISTER)
		return apart && d->reg < TRACE_RFLAGS && b->out_gpr & 1u << d->reg;
	return to && other && to->size == other->size &&
	       (apart || (to->base == other->base && to->index == other->index));
}

bool code_has_copies(const struct trace_point *at, struct naming *naming,
		     const struct definition *d, const char *clause)
{
	uint64_t bias = 0;
	const struct image *im = trace_point_image_at(at, d->pc, &bias);
	const struct image_row *row = im ? image_row_at(im, d->pc - bias) : NULL;
	const struct trace_insn *insns, *own = im ? image_insn_at(im, d->pc - bias) : NULL;
	size_t n = im ? image_insns(im, &insns) : 0;

	for (size_t i = 0; row && own && i < n; i++) {
		const struct image_row *there = image_row_at(im, insns[i].addr);
		const struct image_function *f = image_function_at(im, insns[i].addr);
		struct definition other = *d;
		struct name name;

		if (!there || there->statement != row->statement || &insns[i] == own ||
		    !does_the_same(im, f, d, own, &insns[i]))
			continue;
		other.pc = insns[i].addr + bias;
		if (d->kind != DEF_GUARD || (naming_name(naming, NULL, &other, &name) &&
					     g_strcmp0(name.clause, clause) == 0))
			return true;
	}
	return false;
}
