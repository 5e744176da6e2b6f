/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store to a bit-field stores its neighbours, too, which the statement does not assign to. */
#include "solver/formula/walk-private.h"

/* The term of which this is the low part, or which was widened to it. */
static uint32_t without_widths(const struct term_pool *p, uint32_t t)
{
	const struct term_node *n = term_node(p, t);

	while (n->kind == IR_ZEXT || (n->kind == IR_EXTRACT && n->value == 0)) {
		t = n->a;
		n = term_node(p, t);
	}
	return t;
}

static bool is_same_bit_field(const struct walk *w, uint32_t a, uint32_t b)
{
	return without_widths(w->p, a) == without_widths(w->p, b);
}

static bool is_const_of(const struct walk *w, uint32_t t, uint64_t *value)
{
	return term_width(w->p, t) <= 64 && term_is_const(w->p, t, value);
}

/* The bits that the term has from the old bytes; 0 = none, or that is not known. */
static uint64_t bits_kept(const struct walk *w, uint32_t t, uint32_t old)
{
	const struct term_node *n = term_node(w->p, without_widths(w->p, t));
	const uint32_t sides[] = { n->a, n->b };
	uint64_t value;

	if (n->kind != IR_AND && n->kind != IR_OR)
		return 0;
	for (unsigned i = 0; i < 2; i++) {
		if (is_same_bit_field(w, sides[i], old) && is_const_of(w, sides[!i], &value))
			return n->kind == IR_AND ? value : ~value;
		if (n->kind == IR_OR &&
		    term_node(w->p, without_widths(w->p, sides[i]))->kind == IR_AND &&
		    (value = bits_kept(w, sides[i], old)))
			return value;
	}
	return 0;
}

/* The bits of the definition that are not of what the statement assigns to; kept: those that stay
 * as they were.  0 = there are none: the program itself keeps some bits of a number. */
static uint64_t bits_of_neighbours(struct walk *w, const struct definition *d, uint64_t kept)
{
	struct insn_info *info = w->info;
	uint64_t field = 0;

	if (!info->assigned_known)
		info->assigned = assigned_by(w->sources, info->module->image, info->statement,
					     info->link, &info->field);
	info->assigned_known = true;
	if (info->assigned == ASSIGNED_TO_WHOLE)
		return 0;
	if (info->assigned == ASSIGNED_TO_FIELD)
		field = assigned_bits(&info->field, d->address, d->size);
	return field ? ~field : kept;
}

static bool combines_bits(const struct walk *w, uint32_t value)
{
	const struct term_node *n = term_node(w->p, without_widths(w->p, value));

	while (n->kind == IR_CONCAT) { /* of bytes that were stored one by one */
		if (combines_bits(w, n->a))
			return true;
		n = term_node(w->p, without_widths(w->p, n->b));
	}
	return n->kind == IR_AND || n->kind == IR_OR;
}

void walk_keep_neighbours(struct walk *w, struct definition *d, uint32_t value)
{
	const unsigned width = 8 * d->size;
	uint32_t old, mask;
	uint64_t kept;

	if (width > 64 || !combines_bits(w, value))
		return;
	old = memory_bytes(w, d->address, d->size);
	kept = bits_of_neighbours(w, d, old ? bits_kept(w, value, old) : 0);
	if (width < 64)
		kept &= (UINT64_C(1) << width) - 1;
	if (!kept)
		return;
	d->kept = kept;
	mask = term_const(w->p, width, kept);
	walk_require(w,
		     term_eq(w->p, term_op2(w->p, IR_AND, d->variable, mask),
			     term_op2(w->p, IR_AND, value, mask)),
		     false);
}
