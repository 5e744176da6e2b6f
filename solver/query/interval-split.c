/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says where to split a box: it goes from an undecided goal down to a value of a dimension at
 * which the goal may turn, and inverts each operator on the way. */
#include "solver/query/interval-private.h"

/* A new operation of ir-ops.def does not compile before the switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* A term that is undecided, and the value at which the goal would turn. */
struct aim {
	uint32_t term;
	term_bits value;
};

static term_bits middle_of_range(struct range r)
{
	return r.lo + r.span / 2;
}

static __int128 signed_aim(term_bits v, unsigned width)
{
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

/* The operands of an operator on two: the one that has more values, x, and y. */
struct pair {
	uint32_t x, y;
	struct range of_x, of_y;
	bool swapped; /* x is the second one */
};

static struct pair pair_of(const struct interval_solver *b, const struct term_node *n)
{
	struct range a = b->of[n->a], c = n->b ? b->of[n->b] : range_of(0);

	if (c.span > a.span)
		return (struct pair){ n->b, n->a, c, a, true };
	return (struct pair){ n->a, n->b, a, c, false };
}

/* The first value of x for which the comparison is another one. */
static term_bits turn_of(const struct term_node *n, const struct pair *p)
{
	bool strict = n->kind == IR_ULT || n->kind == IR_SLT;
	bool next = n->kind != IR_EQ && strict == p->swapped;

	return middle_of_range(p->of_y) + next;
}

static term_bits before_product(const struct term_node *n, const struct pair *p, term_bits value)
{
	__int128 by = signed_aim(middle_of_range(p->of_y) & term_mask(n->width), n->width);

	return by ? (term_bits)(signed_aim(value, n->width) / by) : middle_of_range(p->of_x);
}

static term_bits before_remainder(const struct pair *p, term_bits value)
{
	term_bits by = MAX(middle_of_range(p->of_y), 1), t = p->of_x.lo - p->of_x.lo % by + value;

	return t < p->of_x.lo ? t + by : t;
}

/* Bits low … of what has these values. */
static term_bits before_extract(const struct term_node *n, struct range of_a, term_bits value)
{
	unsigned low = (unsigned)n->value;
	term_bits mask = term_mask(n->width), t = (of_a.lo & ~(mask << low)) | value << low;

	if (t < of_a.lo && low + n->width < 128)
		t += (term_bits)1 << (low + n->width);
	return t;
}

static struct aim into_operand(const struct interval_solver *b, const struct term_node *n,
			       term_bits value)
{
	struct pair p = pair_of(b, n);
	term_bits y = middle_of_range(p.of_y);
	unsigned by = (unsigned)MIN(y, 127);

	switch ((enum ir_kind)n->kind) {
	case IR_ADD:
		return (struct aim){ p.x, value - y };
	case IR_SUB:
		return (struct aim){ p.x, p.swapped ? y - value : value + y };
	case IR_NEG:
		return (struct aim){ p.x, -value };
	case IR_NOT:
		return (struct aim){ p.x, ~value };
	case IR_MUL:
		return (struct aim){ p.x, before_product(n, &p, value) };
	case IR_UDIV:
	case IR_SDIV:
		return (struct aim){ p.x, p.swapped ? middle_of_range(p.of_x) : value * y };
	case IR_UREM:
	case IR_SREM:
		return (struct aim){ p.x, before_remainder(&p, value) };
	case IR_SHL:
		return (struct aim){ p.x, p.swapped ? middle_of_range(p.of_x) : value >> by };
	case IR_LSHR:
	case IR_ASHR:
		return (struct aim){ p.x, p.swapped ? middle_of_range(p.of_x) : value << by };
	case IR_EXTRACT:
		return (struct aim){ p.x, before_extract(n, p.of_x, value) };
	case IR_ZEXT:
	case IR_SEXT:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
		return (struct aim){ p.x, value };
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
	case IR_ITE:
	case IR_CONCAT: /* aim_below() has these */
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	return (struct aim){ p.x, middle_of_range(p.of_x) };
}

static struct aim into_parts(const struct interval_solver *b, const struct interval_step *s,
			     term_bits value)
{
	const struct term_node *n = s->node;

	if (b->of[n->a].span)
		return (struct aim){ n->a, value >> s->b_width };
	return (struct aim){ n->b, value };
}

/* One step down. */
static struct aim aim_below(const struct interval_solver *b, const struct interval_step *s,
			    term_bits value)
{
	const struct term_node *n = s->node;
	struct pair p;

	switch (n->kind) {
	case TERM_VAR:
		return (struct aim){ s->expr, value };
	case IR_ITE:
		if (b->of[n->c].span)
			return (struct aim){ n->c, 1 };
		return (struct aim){ b->of[n->c].lo ? n->a : n->b, value };
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		p = pair_of(b, n);
		return (struct aim){ p.x, turn_of(n, &p) };
	case IR_CONCAT:
		return into_parts(b, s, value);
	default:
		return into_operand(b, n, value);
	}
}

static bool lies_inside(struct range box, unsigned width, term_bits at)
{
	term_bits offset = (at - box.lo) & term_mask(width);

	return offset && offset <= box.span;
}

/* When no value suggests itself: where numbers wrap, or in the middle. */
static term_bits plain_split(const struct interval_dim *d)
{
	term_bits sign = (term_bits)1 << (d->width - 1);

	if (lies_inside(d->box, d->width, 0))
		return 0;
	if (lies_inside(d->box, d->width, sign))
		return sign;
	return (d->box.lo + (d->box.span + 1) / 2) & term_mask(d->width);
}

guint interval_split(const struct interval_solver *b, uint32_t goal, unsigned depth, term_bits *at)
{
	struct aim aim = { g_array_index(b->goals, struct interval_goal, goal).term, 1 };
	const struct interval_step *s;
	const struct interval_dim *d;
	const uint64_t middle = b->limits->interval_middle;

	for (;;) {
		s = interval_step_at(b, b->step_of[aim.term]);
		if (s->dim != NO_DIM && interval_dim_at(b, s->dim)->free)
			break;
		aim = aim_below(b, s, aim.value);
		aim.value &= term_mask(term_width(b->f->pool, aim.term));
	}
	d = interval_dim_at(b, s->dim);
	*at = plain_split(d);
	/* at times it is split in the middle, because values may suggest themselves for ever */
	for (unsigned next = 0; depth % middle != middle - 1 && next < 2; next++) {
		term_bits value = (aim.value + next) & term_mask(d->width);

		if (lies_inside(d->box, d->width, value)) {
			*at = value;
			break;
		}
	}
	return s->dim;
}
