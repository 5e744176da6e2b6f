/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/memory/shade-compare.h"

static uint64_t shade_compare_ones(unsigned width)
{
	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static bool differ_for_sure(const struct shade_operand *a, const struct shade_operand *b)
{
	if (!a->value->known || !b->value->known)
		return true; /* nothing is claimed */
	for (unsigned i = 0; i < (a->width + 63) / 64; i++)
		if ((a->value->w[i] ^ b->value->w[i]) & ~(a->shade->unset[i] | b->shade->unset[i]) &
		    shade_compare_ones(MIN(64, a->width - 64 * i)))
			return true;
	return false;
}

/* Whether a < b may depend on unset bits, of values of at most 64 bits. */
bool shade_order_is_open(const struct shade_operand *a, const struct shade_operand *b,
			 bool is_signed)
{
	uint64_t mask = shade_compare_ones(a->width),
		 flip = is_signed ? UINT64_C(1) << (a->width - 1) : 0;
	uint64_t ua = a->shade->unset[0] & mask, ub = b->shade->unset[0] & mask;
	uint64_t x = (a->value->w[0] ^ flip) & mask, y = (b->value->w[0] ^ flip) & mask;

	if (!(ua | ub) || !a->value->known || !b->value->known)
		return false;
	return !((x | ua) < (y & ~ub) || (x & ~ua) > (y | ub));
}

bool shade_equality_is_open(const struct shade_operand *a, const struct shade_operand *b)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < 4; i++)
		any |= a->shade->unset[i] | b->shade->unset[i];
	return any && !differ_for_sure(a, b);
}

/* An x86 condition of flags that were set by an operation on d1 and d2. */
bool shade_condition_is_open(unsigned condition, const struct flags_op *f,
			     const struct shade_operand *d1, const struct shade_operand *d2)
{
	static const struct ir_value zero = { .known = true };
	static const struct shade none = { 0 };
	const struct shade_operand nothing = { &none, &zero, f->width };
	unsigned pair = condition & ~1u;

	if (f->kind == FLAGS_SUB && pair == 4)
		return shade_equality_is_open(d1, d2);
	if (f->kind == FLAGS_SUB && (pair == 2 || pair == 6))
		return shade_order_is_open(d1, d2, false);
	if (f->kind == FLAGS_SUB && (pair == 12 || pair == 14))
		return shade_order_is_open(d1, d2, true);
	if (f->kind == FLAGS_LOGIC && pair == 4)
		return shade_equality_is_open(d1, &nothing);
	if (f->kind == FLAGS_LOGIC && (pair == 8 || pair == 12))
		return d1->shade->unset[0] >> (f->width - 1) & 1;
	if (f->kind == FLAGS_LOGIC && pair == 14)
		return shade_order_is_open(d1, &nothing, true);
	if (f->kind == FLAGS_LOGIC && (pair == 0 || pair == 2))
		return false;
	return d1->shade->unset[0] || (f->kind != FLAGS_LOGIC && d2->shade->unset[0]);
}
