/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/kept-bits.h"

#include "solver/slice/demanded-bits.h"

#include <string.h>

/* What is known of the bits of a value. */
struct known_bits {
	uint64_t kept; /* as the memory held them that is stored to */
	uint64_t zero;
};

struct keeping {
	struct reverse_index *index;
	uint64_t step; /* of the store */
	const struct reverse_index_event *store;
	uint64_t left; /* so many instructions may be looked at */
};

/* One instruction on the way to the stored value. */
struct kept_step {
	struct keeping *k;
	uint64_t number;
	uint32_t depth;
	const struct ir_block *ir;
};

static struct known_bits known_bits_of_op(const struct kept_step *s, int32_t number);

/* The value that the step gave the register. */
static struct known_bits known_bits_given(struct keeping *k, uint64_t step, uint32_t depth,
					  unsigned reg)
{
	const struct known_bits unknown = { 0, 0 };
	const struct reverse_index_step at = *reverse_index_at(k->index, step);
	const struct kept_step s = { k, step, at.depth, reverse_index_insn_of(k->index, &at)->ir };

	if (at.depth != depth || !s.ir->complete || !k->left)
		return unknown;
	k->left--;
	for (uint32_t i = s.ir->n_ops; i > 0; i--) {
		const struct ir_op *op = &s.ir->ops[i - 1];
		uint64_t own;
		struct known_bits b;

		if (op->kind != IR_PUT || op->offset / 8 != reg)
			continue;
		if (op->offset % 8)
			return unknown;
		own = bits_of_width(s.ir->ops[op->a].width);
		b = known_bits_of_op(&s, op->a);
		return (struct known_bits){ b.kept & own, b.zero & own };
	}
	return unknown;
}

static struct known_bits known_bits_of_register(const struct kept_step *s, const struct ir_op *op)
{
	const struct reverse_index_place place = { .reg = op->offset / 8 };
	struct known_bits b = { 0, 0 };
	struct reverse_index_event event;
	uint64_t writer;

	if (op->offset >= IR_STATE_CC_OP ||
	    reverse_index_find(s->k->index, &place, s->number, &writer, &event) != INDEX_WRITTEN)
		return b;
	b = known_bits_given(s->k, writer, s->depth, place.reg);
	b.kept >>= 8 * (op->offset % 8);
	b.zero >>= 8 * (op->offset % 8);
	if (op->offset % 8)
		b.kept = 0;
	return b;
}

/* Was the memory written between the step that loaded it and the store? */
static bool is_as_loaded(const struct keeping *k, uint64_t load)
{
	const struct reverse_index_place place = { true, 0, k->store->address, k->store->size, 0 };
	struct reverse_index_event event;
	uint64_t writer;
	const enum reverse_index_found found =
		reverse_index_find(k->index, &place, k->step, &writer, &event);

	return found == INDEX_NOTHING || writer < load ||
	       (found == INDEX_OUTSIDE && writer == load);
}

static bool is_only_load(const struct ir_block *ir)
{
	unsigned loads = 0;

	for (uint32_t i = 0; i < ir->n_ops; i++)
		loads += ir_has(ir->ops[i].kind, IR_HAS_LOAD);
	return loads == 1;
}

static struct known_bits known_bits_loaded(const struct kept_step *s, const struct ir_op *op)
{
	unsigned n, first = 0;
	const struct reverse_index_event *e = reverse_index_events(s->k->index, s->number, &n);
	struct known_bits b = { 0, 0 };

	while (first < n && e[first].kind == INDEX_STORE)
		first++;
	if (first < n && e[first].address == s->k->store->address && is_only_load(s->ir) &&
	    is_as_loaded(s->k, s->number))
		b.kept = bits_of_width(MIN(op->width, 8u * s->k->store->size));
	return b;
}

/* Where one side is 0, the other one comes through. */
static struct known_bits either_of(struct known_bits a, struct known_bits b)
{
	return (struct known_bits){ (a.kept & b.zero) | (b.kept & a.zero), a.zero & b.zero };
}

static struct known_bits masked_by(const struct kept_step *s, struct known_bits b, int32_t mask)
{
	const struct ir_op *op = &s->ir->ops[mask];

	if (op->kind != IR_CONST)
		return (struct known_bits){ 0, b.zero | known_bits_of_op(s, mask).zero };
	return (struct known_bits){ b.kept & op->value, b.zero | ~op->value };
}

static struct known_bits known_bits_shifted(const struct kept_step *s, const struct ir_op *op)
{
	const struct ir_op *by = &s->ir->ops[op->b];
	const struct known_bits b = known_bits_of_op(s, op->a);
	struct known_bits out = { 0, 0 };

	if (by->kind != IR_CONST || by->value >= op->width || op->kind == IR_ASHR)
		return out;
	if (by->value == 0)
		return b;
	out.zero = op->kind == IR_SHL ? b.zero << by->value | bits_of_width((unsigned)by->value)
				      : (b.zero & bits_of_width(op->width)) >> by->value |
						~(bits_of_width(op->width) >> by->value);
	return out;
}

static struct known_bits known_bits_moved(const struct kept_step *s, const struct ir_op *op)
{
	struct known_bits a = known_bits_of_op(s, op->a), b = { 0, 0 };
	const unsigned low = op->kind == IR_CONCAT ? s->ir->ops[op->b].width : 0;
	const uint64_t own = bits_of_width(s->ir->ops[op->a].width);

	if (op->kind == IR_ZEXT)
		return (struct known_bits){ a.kept & own, a.zero | ~own };
	if (op->kind == IR_EXTRACT && op->value >= 64)
		return b;
	if (op->kind == IR_EXTRACT)
		return op->value ? (struct known_bits){ 0, a.zero >> op->value } : a;
	/* CONCAT: its higher part stays in its place only when both parts were there */
	b = known_bits_of_op(s, op->b);
	b.kept &= bits_of_width(low);
	b.zero = (b.zero & bits_of_width(low)) | (low < 64 ? a.zero << low : 0);
	return b;
}

static struct known_bits known_bits_of_operator(const struct kept_step *s, const struct ir_op *op)
{
	struct known_bits a, b;

	switch (op->kind) {
	case IR_AND:
		if (s->ir->ops[op->a].kind == IR_CONST)
			return masked_by(s, known_bits_of_op(s, op->b), op->a);
		return masked_by(s, known_bits_of_op(s, op->a), op->b);
	case IR_OR:
	case IR_XOR:
		return either_of(known_bits_of_op(s, op->a), known_bits_of_op(s, op->b));
	case IR_SHL:
	case IR_LSHR:
		return known_bits_shifted(s, op);
	case IR_ZEXT:
	case IR_EXTRACT:
	case IR_CONCAT:
		return known_bits_moved(s, op);
	case IR_ITE:
		a = known_bits_of_op(s, op->a);
		b = known_bits_of_op(s, op->b);
		return (struct known_bits){ a.kept & b.kept, a.zero & b.zero };
	default:
		return (struct known_bits){ 0, 0 };
	}
}

/* Bits above the width are nobody's. */
static struct known_bits known_bits_of_op(const struct kept_step *s, int32_t number)
{
	const struct ir_op *op = &s->ir->ops[number];
	struct known_bits b = { 0, 0 };

	if (op->width > 64)
		return b;
	if (op->kind == IR_CONST)
		b.zero = ~op->value;
	else if (op->kind == IR_GET)
		b = known_bits_of_register(s, op);
	else if (op->kind == IR_LOAD)
		b = known_bits_loaded(s, op);
	else
		b = known_bits_of_operator(s, op);
	return b;
}

uint64_t kept_bits(struct reverse_index *h, uint64_t step, const struct reverse_index_event *store)
{
	struct keeping k = { h, step, store, reverse_index_limits(h)->kept_insns };
	const struct reverse_index_step at = *reverse_index_at(h, step);
	const struct reverse_index_event own = *store;
	const struct reverse_index_insn *info = reverse_index_insn_of(h, &at);
	const struct kept_step s = { &k, step, at.depth, info->ir };

	k.store = &own;
	if (info->n_stores != 1 || !info->ir->complete || own.size > sizeof(own.value))
		return 0;
	return known_bits_of_op(&s, info->values[0]).kept & bits_of_width(8u * own.size);
}

/* The bits that matter of what was stored; all of them when all of the place do. */
static uint64_t bits_in_store(const struct reverse_index_place *place,
			      const struct reverse_index_event *store)
{
	const uint64_t all = bits_of_width(8u * MIN(store->size, 8u));

	if (!place->bits || store->size > sizeof(store->value))
		return all;
	if (place->address >= store->address)
		return place->bits << 8 * (place->address - store->address) & all;
	return place->bits >> 8 * (store->address - place->address) & all;
}

enum reverse_index_found kept_bits_find(struct reverse_index *h,
					const struct reverse_index_place *place, uint64_t before,
					uint64_t *number, struct reverse_index_event *event)
{
	enum reverse_index_found found;
	uint64_t bits;

	while (true) {
		found = reverse_index_find(h, place, before, number, event);
		if (found != INDEX_WRITTEN || !place->memory || !place->bits)
			return found;
		bits = bits_in_store(place, event);
		if (bits && bits & ~kept_bits(h, *number, event))
			return found;
		before = *number;
	}
}

/* The bits that matter of .size bytes behind the first n. */
static uint64_t bits_behind(const struct reverse_index_place *place, uint64_t n, unsigned size)
{
	return place->bits && n < 8 ? place->bits >> 8 * n & bits_of_width(8 * MIN(size, 8)) : 0;
}

static void add_unwritten_part(struct place_parts *out, const struct reverse_index_place *place,
			       uint64_t address, uint64_t end)
{
	struct reverse_index_place rest = *place;

	if (address >= end)
		return;
	rest.address = address;
	rest.size = (unsigned)(end - address);
	rest.bits = bits_behind(place, address - place->address, rest.size);
	if (rest.bits || !place->bits)
		out->rest[out->n_rest++] = rest;
}

struct place_parts place_parts_of(struct reverse_index *h, const struct reverse_index_place *place,
				  uint64_t step, const struct reverse_index_event *store)
{
	const uint64_t end = place->address + place->size, until = store->address + store->size;
	const uint64_t bits = bits_in_store(place, store);
	const uint64_t kept =
		place->bits && store->kind == INDEX_STORE ? bits & kept_bits(h, step, store) : 0;
	struct place_parts out = { .written = *place, .kept.memory = true };

	add_unwritten_part(&out, place, place->address, MIN(store->address, end));
	add_unwritten_part(&out, place, MAX(until, place->address), end);
	out.written.address = store->address;
	out.written.size = store->size;
	out.written.bits = place->bits ? bits & ~kept : 0;
	if (out.written.bits == bits_of_width(8u * MIN(store->size, 8u)))
		out.written.bits = 0;
	if (kept) {
		out.kept = out.written;
		out.kept.bits = kept;
	}
	return out;
}
