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
	if (!place->bits || decides || (!place->memory && place->reg >= TRACE_XMM0))
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

/* Does the place lie in what is stored, and is it not all of it? */
static bool is_inside_store(const struct reverse_index_place *place,
			    const struct reverse_index_event *store)
{
	return place->memory && place->size < store->size && place->address >= store->address &&
	       place->address - store->address + place->size <= store->size;
}

struct reverse_index_place slice_place_in_store(const struct reverse_index_place *place,
						const struct reverse_index_event *store)
{
	struct reverse_index_place whole = { true, 0, store->address, store->size, 0 };

	if (!is_inside_store(place, store) || store->size > sizeof(store->value))
		return *place;
	whole.bits = (place->bits ? place->bits : bits_of_width(8 * place->size))
		     << 8 * (place->address - store->address);
	return whole;
}

bool slice_part_of_store(const struct reverse_index_place *place,
			 const struct reverse_index_event *store, struct reverse_index_event *out)
{
	unsigned first = 0, size = place->size;
	uint64_t at;

	if (!place->memory || place->address < store->address)
		return false;
	if (place->bits) {
		first = (unsigned)__builtin_ctzll(place->bits) / 8;
		size = 8 - (unsigned)__builtin_clzll(place->bits) / 8 - first;
	}
	at = place->address + first - store->address;
	if (size >= store->size || at + size > store->size || at + size > sizeof(store->value))
		return false;
	*out = *store;
	out->address = store->address + at;
	out->size = size;
	out->value = store->value >> 8 * at & bits_of_width(8 * size);
	return true;
}

static bool is_vector_move(const struct ir_block *ir, const struct ir_op *op, int32_t value)
{
	const struct ir_op *from = value >= 0 ? &ir->ops[value] : NULL;

	while (from && (from->kind == IR_ZEXT || from->kind == IR_EXTRACT) && from->a >= 0 &&
	       !(from->kind == IR_EXTRACT && from->value))
		from = &ir->ops[from->a];
	return from && op->kind != IR_STOREG &&
	       (from->kind == IR_LOAD ||
		(from->kind == IR_GET && from->offset >= IR_STATE_YMM &&
		 from->offset < IR_STATE_OTHER && (from->offset - IR_STATE_YMM) % 32 == 0));
}

/* The only operation that writes the place moves what it writes. */
static bool is_moved_whole(const struct ir_block *ir, const struct reverse_index_place *place,
			   struct reverse_index_place *out, bool *loads)
{
	unsigned writes = 0;

	for (uint32_t i = 0; i < ir->n_ops; i++) {
		const struct ir_op *op = &ir->ops[i], *from;
		int32_t value;

		if (!writes_place(op, place, false, &value))
			continue;
		if (writes++ || !is_vector_move(ir, op, value) ||
		    (op->kind == IR_PUT && (op->offset - IR_STATE_YMM) % 32))
			return false;
		for (from = &ir->ops[value]; from->kind == IR_ZEXT || from->kind == IR_EXTRACT;)
			from = &ir->ops[from->a];
		*loads = from->kind == IR_LOAD;
		out->reg = *loads ? 0 : register_at(from->offset);
	}
	return writes == 1;
}

bool slice_part_moved(const struct reverse_index_insn *info,
		      const struct reverse_index_place *place,
		      const struct reverse_index_event *events, unsigned n,
		      struct reverse_index_place *out)
{
	struct reverse_index_place from = { 0 };
	bool loads = false;

	if ((!place->memory && (place->reg < TRACE_XMM0 || !place->bits)) || n > 1 ||
	    !is_moved_whole(info->ir, place, &from, &loads))
		return false;
	if (place->memory) {
		if (!n || loads || from.reg < TRACE_XMM0 || events[0].size <= 8 ||
		    !is_inside_store(place, &events[0]) || place->size > 8)
			return false;
		from.bits = bits_of_width(place->size) << (place->address - events[0].address);
	} else if (loads) {
		const unsigned first = (unsigned)__builtin_ctzll(place->bits),
			       size = (unsigned)__builtin_popcountll(place->bits);

		if (!n || first + size > events[0].size)
			return false;
		from = (struct reverse_index_place){ true, 0, events[0].address + first, size, 0 };
	} else {
		from.bits = place->bits;
	}
	*out = from;
	return true;
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
