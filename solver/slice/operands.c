/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/operands.h"

#include "solver/slice/demanded-bits.h"

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

/* The bits that matter of what the operation writes to the place. */
static uint64_t bits_written(const struct ir_op *op, const struct reverse_index_place *place,
			     bool decides)
{
	if (!place->bits || decides)
		return ~UINT64_C(0);
	return op->kind == IR_PUT ? place->bits >> 8 * (op->offset % 8) : place->bits;
}

/* An instruction that writes a part of a register leaves the other bits as they were. */
static void take_unwritten_bits(const struct ir_block *ir, const struct reverse_index_place *place,
				struct slice_operands *out)
{
	uint64_t left = place->bits;

	if (place->memory || place->reg >= G_N_ELEMENTS(out->bits))
		return;
	for (uint32_t i = 0; i < ir->n_ops && left; i++) {
		const struct ir_op *op = &ir->ops[i];

		if (op->kind == IR_PUT && op->offset / 8 == place->reg)
			left &= ~(bits_of_width(ir->ops[op->a].width) << 8 * (op->offset % 8));
	}
	out->bits[place->reg] |= left;
	out->registers |= left ? UINT64_C(1) << place->reg : 0;
}

static void take_demanded_operands(const struct ir_block *ir, const uint64_t *bits,
				   struct slice_operands *out)
{
	unsigned reg, loads = 0;

	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i];

		loads += op->kind == IR_LOAD || op->kind == IR_LOADG;
		if (!bits[i])
			continue;
		if (op->kind == IR_GET && op->offset != IR_STATE_CC_NDEP &&
		    (reg = register_at(op->offset)) != TRACE_REG_NONE) {
			out->registers |= UINT64_C(1) << reg;
			if (reg < G_N_ELEMENTS(out->bits))
				out->bits[reg] |= bits[i] << 8 * (op->offset % 8);
		}
		if (op->kind == IR_LOAD || op->kind == IR_LOADG) {
			out->loads = true;
			out->loaded = bits[i] == bits_of_width(op->width) ? 0 : bits[i];
		}
	}
	if (loads > 1)
		out->loaded = 0; /* it is not known which is which */
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
	g_autofree uint64_t *bits = g_new0(uint64_t, MAX(info->ir->n_ops, 1));
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
			bits[value] = bits_written(&info->ir->ops[i], place, decides) &
				      bits_of_width(info->ir->ops[value].width);
	}
	demanded_bits(info->ir, bits, false);
	take_demanded_operands(info->ir, bits, &out);
	if (any && !decides)
		take_unwritten_bits(info->ir, place, &out);
	if (any && info->ir->complete)
		return out;
	/* libVEX does not tell, so everything that the instruction reads counts */
	out.registers |= info->insn->use_gpr;
	out.loads = true;
	out.loaded = 0;
	memset(out.bits, 0xff, sizeof(out.bits));
	return out;
}

struct reverse_index_place slice_operand_register(const struct slice_operands *from, unsigned reg)
{
	struct reverse_index_place place = { .reg = reg };

	/* whole registers, and what instructions of 32 bits use of them, are no parts */
	if (reg < G_N_ELEMENTS(from->bits) && (from->bits[reg] & UINT32_MAX) != UINT32_MAX)
		place.bits = from->bits[reg];
	return place;
}

struct reverse_index_place slice_operand_memory(const struct slice_operands *from,
						const struct reverse_index_event *events,
						unsigned i)
{
	const struct reverse_index_event *e = &events[i];
	struct reverse_index_place place = { true, 0, e->address, e->size, 0 };
	unsigned first = 0;

	while (first < i && events[first].kind == INDEX_STORE)
		first++;
	if (!from->loaded || e->address - events[first].address >= 8 || e->size > 8)
		return place;
	place.bits = from->loaded >> 8 * (e->address - events[first].address) &
		     bits_of_width(8u * e->size);
	if (!place.bits)
		place.size = 0;
	if (place.bits == bits_of_width(8u * e->size))
		place.bits = 0;
	return place;
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
