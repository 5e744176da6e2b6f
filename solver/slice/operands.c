/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/operands.h"

#include <string.h>

static unsigned register_at(unsigned offset)
{
	if (offset < IR_STATE_CC_OP)
		return offset / 8;
	if (offset < IR_STATE_DFLAG)
		return TRACE_RFLAGS;
	if (offset >= IR_STATE_YMM && offset < IR_STATE_OTHER)
		return TRACE_XMM0 + (offset - IR_STATE_YMM) / 32;
	return TRACE_REG_NONE;
}

/* Does this operation write the place? Then *op is the operation that computes the value. */
static bool writes_place(const struct ir_op *op, const struct reverse_index_place *place,
			 bool decides, int32_t *value)
{
	if (decides) {
		*value = op->a;
		return op->kind == IR_EXIT || op->kind == IR_NEXT;
	}
	if (place->memory) {
		*value = op->b;
		return op->kind == IR_STORE || op->kind == IR_STOREG;
	}
	*value = op->a;
	/* an operation may leave older flags alone; they are no part of its result */
	return op->kind == IR_PUT && register_at(op->offset) == place->reg &&
	       op->offset != IR_STATE_CC_NDEP;
}

/* Operands have smaller numbers, so one pass backwards goes through them all. */
static void follow_operands(const struct ir_block *ir, uint8_t *used, struct slice_operands *out)
{
	for (uint32_t i = ir->n_ops; i > 0; i--) {
		const struct ir_op *op = &ir->ops[i - 1];
		const int32_t operands[] = { op->a, op->b, op->c, op->d };
		unsigned reg;

		if (!used[i - 1])
			continue;
		if (op->kind == IR_GET && op->offset != IR_STATE_CC_NDEP &&
		    (reg = register_at(op->offset)) != TRACE_REG_NONE)
			out->registers |= UINT64_C(1) << reg;
		if (op->kind == IR_LOAD || op->kind == IR_LOADG) {
			out->loads = true;
			continue; /* where it loads from is another question */
		}
		for (unsigned k = 0; k < G_N_ELEMENTS(operands); k++)
			if (operands[k] >= 0)
				used[operands[k]] = 1;
	}
}

/* x - x and x ^ x are 0, whatever x is. */
static bool is_zero_idiom(const struct reverse_index_insn *info)
{
	const struct ir_block *ir = info->ir;

	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i];
		const struct ir_op *a = op->a >= 0 ? &ir->ops[op->a] : NULL;
		const struct ir_op *b = op->b >= 0 ? &ir->ops[op->b] : NULL;

		if (op->kind != IR_XOR && op->kind != IR_SUB)
			continue;
		if (op->a == op->b || (a->kind == IR_GET && b->kind == IR_GET && a->width > 8 &&
				       a->offset == b->offset))
			return true;
	}
	return false;
}

struct slice_operands slice_operands_of(const struct reverse_index_insn *info,
					const struct reverse_index_place *place, bool decides)
{
	g_autofree uint8_t *used = g_malloc0(MAX(info->ir->n_ops, 1));
	struct slice_operands out = { 0 };
	bool any = false;

	if (is_zero_idiom(info) && !decides)
		return out;
	for (uint32_t i = 0; i < info->ir->n_ops; i++) {
		int32_t value;

		if (!writes_place(&info->ir->ops[i], place, decides, &value))
			continue;
		any = true;
		if (value >= 0)
			used[value] = 1;
	}
	follow_operands(info->ir, used, &out);
	if (any && info->ir->complete)
		return out;
	/* libVEX does not tell, so everything that the instruction reads counts */
	out.registers |= info->insn->use_gpr;
	out.loads = true;
	return out;
}

uint64_t slice_address_registers(const struct reverse_index_insn *info,
				 const struct reverse_index_step *step)
{
	const uint64_t frame = 1 << 20;
	uint64_t out = 0;

	for (unsigned i = 0; i < info->insn->n_mem; i++) {
		const struct trace_mem *m = &info->insn->mem[i];

		if (m->base < TRACE_RFLAGS)
			out |= UINT64_C(1) << m->base;
		if (m->index < TRACE_RFLAGS)
			out |= UINT64_C(1) << m->index;
	}
	out &= ~(UINT64_C(1) << TRACE_RSP);
	if (step->rbp - step->rsp < frame) /* there, it is a frame pointer */
		out &= ~(UINT64_C(1) << TRACE_RBP);
	return out;
}

static bool is_push_or_pop(const struct trace_insn *insn)
{
	return insn->out_gpr & 1u << TRACE_RSP && insn->n_mem && insn->mem[0].base == TRACE_RSP;
}

bool slice_passes_on(const struct reverse_index_insn *info)
{
	const struct image *im = info->module->image;
	const struct image_row *row = image_row_at(im, info->insn->addr);
	const struct image_function *f = image_function_at(im, info->insn->addr);
	bool prologue = f && !f->parent && info->insn->addr < f->body;

	/* The code of the line with a function's opening bracket is its prologue; an optimizer
	 * moves parts of it elsewhere. */
	return !row || row->prologue || prologue || image_row_begins_with(im, row, '{') ||
	       image_moves_result(im, row, info->insn) || is_push_or_pop(info->insn) ||
	       info->insn->out_gpr == (1u << TRACE_RSP | 1u << TRACE_RBP);
}
