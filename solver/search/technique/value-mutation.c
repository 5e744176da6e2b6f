/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/technique/value-mutation.h"

#include <math.h>
#include <string.h>

/* What one instruction gives, at its executions in the run. */
struct insn_info {
	uint64_t pc;
	enum definition_kind kind;
	uint8_t reg;
	GArray *numbers; /* uint32_t: definitions, ascending */
};

struct varying {
	const struct formula *f;
	const struct limits *limits;
	const struct deadline *until;
	struct incremental *w;
	struct value_mutation v;
	value_mutation_try try;
	void *arg;
	bool ended;
};

static const struct definition *definition_varied(const struct varying *x, uint32_t number)
{
	return &g_array_index(x->f->definitions, struct definition, number);
}

static term_bits natural_value(const struct varying *x, uint32_t number)
{
	return incremental_natural(x->w, definition_varied(x, number)->variable);
}

/* May the test pass with the values that are set?  Where no run went, anything may happen. */
static bool may_pass_unexplored(const struct varying *x)
{
	bool open = true;

	for (guint i = 0; i < x->f->unexplored->len; i++)
		if (incremental_value(x->w,
				      g_array_index(x->f->unexplored, struct unexplored, i).taken))
			return true;
	for (guint i = 0; i < x->f->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(x->f->constraints, struct constraint, i);

		if (incremental_value(x->w, h->term) || incremental_is_unsure(x->w, h->term))
			continue;
		if (h->crash)
			return true;
		open = false;
	}
	return open;
}

/* Sets the changes, and passes them on unless the formula refutes them. */
static void offer_varied(struct varying *x, unsigned more)
{
	guint n = x->v.changes->len;
	g_autofree uint32_t *numbers = g_new(uint32_t, MAX(n, 1));
	g_autofree term_bits *values = g_new(term_bits, MAX(n, 1));

	for (guint i = 0; i < n; i++) {
		const struct model_path_change *c =
			&g_array_index(x->v.changes, struct model_path_change, i);

		numbers[i] = c->def;
		values[i] = c->value;
	}
	x->v.more = more;
	/* most mutations are refuted, and each takes time in proportion to the size of the
	 * formula */
	if (deadline_is_over(x->until))
		x->ended = true;
	if (n && !x->ended) {
		incremental_change(x->w, numbers, n);
		incremental_set(x->w, values);
		if (may_pass_unexplored(x))
			x->ended = x->try(x->arg, &x->v);
	}
	g_array_set_size(x->v.changes, 0);
}

static void change_varied(struct varying *x, uint32_t number, term_bits value)
{
	struct model_path_change c = { number, natural_value(x, number), value };

	if (c.natural != value)
		g_array_append_val(x->v.changes, c);
}

static uint32_t number_at(const struct insn_info *s, guint i)
{
	return g_array_index(s->numbers, uint32_t, i);
}

/* The i-th number when they are taken alternately from the last one back and from the first one
 * on. */
static guint alternating_index(guint i, guint n)
{
	return i % 2 ? i / 2 : n - 1 - i / 2;
}

/* ---- branches ---- */

static void turn_branch_to(struct varying *x, const struct insn_info *s, bool outcome)
{
	guint n = s->numbers->len;

	for (guint i = 0; i < n; i++)
		change_varied(x, number_at(s, i), outcome);
	offer_varied(x, natural_value(x, number_at(s, n - 1)) == outcome ? 0 : n);
}

static void turn_one(struct varying *x, uint32_t number)
{
	change_varied(x, number, !natural_value(x, number));
	offer_varied(x, 0);
}

static void turn_each(struct varying *x, const struct insn_info *s)
{
	for (guint i = 0; i < s->numbers->len; i++)
		change_varied(x, number_at(s, i), !natural_value(x, number_at(s, i)));
	offer_varied(x, 0);
}

/* Each loop has a branch that leaves it in the end. */
static void go_on_in_loop(struct varying *x, const struct insn_info *s)
{
	for (unsigned i = 0; i < x->limits->mutation_doublings && !x->ended; i++) {
		uint32_t last = number_at(s, s->numbers->len - 1);

		change_varied(x, last, !natural_value(x, last));
		offer_varied(x, (2u << i) - 1);
	}
}

/* The first comparison that the condition is made of. */
static const struct term_node *comparison_in(const struct varying *x, uint32_t t)
{
	for (uint64_t depth = 0; t && depth < x->limits->mutation_depth; depth++) {
		const struct term_node *n = term_node(x->f->pool, t);

		switch (n->kind) {
		case IR_NOT:
		case IR_OR:
		case IR_AND:
			t = n->a;
			break;
		case TERM_VAR:
			t = n->a < x->f->definitions->len ? definition_varied(x, n->a)->expr : 0;
			break;
		case IR_FP:
			return n->width == 1 ? n : NULL;
		case IR_EQ:
		case IR_ULT:
		case IR_ULE:
		case IR_SLT:
		case IR_SLE:
			return term_width(x->f->pool, n->a) > 1 ? n : NULL;
		default:
			return NULL;
		}
	}
	return NULL;
}

static double varied_number_of(const struct varying *x, uint32_t t, bool is_float)
{
	unsigned width = term_width(x->f->pool, t);
	uint64_t bits = (uint64_t)incremental_natural(x->w, t);
	uint32_t low = (uint32_t)bits;
	float single;
	double both;

	memcpy(&single, &low, sizeof(single));
	memcpy(&both, &bits, sizeof(both));
	if (is_float)
		return width == 32 ? (double)single : both;
	return width > 64 ? NAN : (double)((int64_t)(bits << (64 - width)) >> (64 - width));
}

/* How much the compared sides differ; NaN: that is not known. */
static double compared_difference(const struct varying *x, uint32_t number)
{
	const struct term_node *n = comparison_in(x, definition_varied(x, number)->expr);

	if (!n)
		return NAN;
	return fabs(varied_number_of(x, n->a, n->kind == IR_FP) -
		    varied_number_of(x, n->b, n->kind == IR_FP));
}

/* The least difference above the limit among executions with that outcome; infinite: there is
 * none. */
static double next_limit(const struct varying *x, const struct insn_info *s, bool outcome,
			 double limit)
{
	double next = INFINITY;

	for (guint i = 0; i < s->numbers->len; i++) {
		uint32_t number = number_at(s, i);
		double off = compared_difference(x, number);

		if (natural_value(x, number) == outcome && off > limit && off < next)
			next = off;
	}
	return next;
}

/* Another bound, or another comparison. */
static void turn_near(struct varying *x, const struct insn_info *s, bool outcome)
{
	double limit = -1;

	for (unsigned k = 0; k < x->limits->mutation_bounds && !x->ended; k++) {
		limit = next_limit(x, s, outcome, limit);
		if (isinf(limit))
			return;
		for (guint i = 0; i < s->numbers->len; i++)
			if (natural_value(x, number_at(s, i)) == outcome &&
			    compared_difference(x, number_at(s, i)) <= limit)
				change_varied(x, number_at(s, i), !outcome);
		if (x->v.changes->len > 1)
			offer_varied(x, 0);
		g_array_set_size(x->v.changes, 0);
	}
}

static void vary_branch(struct varying *x, const struct insn_info *s)
{
	guint n = s->numbers->len;

	for (guint i = 0; i < MIN(n, 2 * x->limits->mutations_alone) && !x->ended; i++)
		turn_one(x, number_at(s, alternating_index(i, n)));
	turn_branch_to(x, s, false);
	turn_branch_to(x, s, true);
	turn_near(x, s, false);
	turn_near(x, s, true);
	if (n > 1)
		turn_each(x, s);
	go_on_in_loop(x, s);
}

/* ---- values ---- */

static term_bits bits_of_double(double v, unsigned width)
{
	float single = (float)v;
	uint32_t low;
	uint64_t bits;

	memcpy(&low, &single, sizeof(low));
	memcpy(&bits, &v, sizeof(bits));
	return width == 32 ? low : bits;
}

enum { FLOAT_RULES = 9, INTEGER_RULES = 7 };

/* The bits of the definition's value that may change: a bit-field's, else all of them. */
static uint64_t bits_varied(const struct varying *x, uint32_t number)
{
	const struct definition *d = definition_varied(x, number);

	return ~d->kept & (~(uint64_t)0 >> (64 - term_width(x->f->pool, d->variable)));
}

static term_bits by_rule(const struct varying *x, uint32_t number, unsigned rule)
{
	uint32_t variable = definition_varied(x, number)->variable;
	unsigned width = term_width(x->f->pool, variable);
	const uint64_t bits = bits_varied(x, number);
	const unsigned low = bits ? (unsigned)__builtin_ctzll(bits) : 0;
	const term_bits natural = natural_value(x, number);
	const uint64_t v = (uint64_t)(natural & bits) >> low;
	double d = varied_number_of(x, variable, true);
	const double numbers[FLOAT_RULES] = {
		d / 2, 2 * d, d + 0.5, d - 0.5, d + 1, d - 1, 0, 1, -d
	};
	const uint64_t integers[INTEGER_RULES] = { v + 1, v - 1, 0, 1, v / 2, 2 * v, -v };

	if (incremental_is_float(x->w, number))
		return bits_of_double(numbers[rule], width);
	/* the rules are those of the first execution, which may be of a number of another kind */
	if (rule >= INTEGER_RULES)
		return natural;
	return (natural & ~(term_bits)bits) | (integers[rule] << low & bits);
}

static void vary_value(struct varying *x, const struct insn_info *s)
{
	guint n = s->numbers->len;
	unsigned rules = incremental_is_float(x->w, number_at(s, 0)) ? FLOAT_RULES : INTEGER_RULES;

	if (term_width(x->f->pool, definition_varied(x, number_at(s, 0))->variable) > 64)
		return;
	for (unsigned rule = 0; rule < rules && !x->ended; rule++) {
		for (guint i = 0; i < n; i++)
			change_varied(x, number_at(s, i), by_rule(x, number_at(s, i), rule));
		offer_varied(x, 0);
		for (guint i = 0; i < MIN(n, x->limits->mutations_alone) && n > 1 && !x->ended;
		     i++) {
			uint32_t number = number_at(s, alternating_index(i, n));

			change_varied(x, number, by_rule(x, number, rule));
			offer_varied(x, 0);
		}
	}
}

/* ---- the statement ---- */

static void free_info(gpointer info)
{
	struct insn_info *s = info;

	g_array_free(s->numbers, TRUE);
	g_free(s);
}

static struct insn_info *insn_info_of(GPtrArray *insn_infos, const struct definition *d)
{
	struct insn_info *s;

	for (guint i = 0; i < insn_infos->len; i++) {
		s = insn_infos->pdata[i];
		if (s->pc == d->pc && s->kind == d->kind && s->reg == d->reg)
			return s;
	}
	s = g_new0(struct insn_info, 1);
	s->pc = d->pc;
	s->kind = d->kind;
	s->reg = d->reg;
	s->numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_ptr_array_add(insn_infos, s);
	return s;
}

/* The definitions of the statement in the run on which a constraint depends. */
static GPtrArray *sites_of(const struct varying *x, unsigned selector)
{
	GPtrArray *insn_infos = g_ptr_array_new_with_free_func(free_info);

	for (uint32_t i = 0; i < x->f->definitions->len; i++) {
		const struct definition *d = definition_varied(x, i);

		if (!d->expr || d->selector != selector ||
		    !incremental_matters(x->w, d->variable) ||
		    (d->reach && !incremental_natural(x->w, d->reach)))
			continue;
		if (d->kind == DEF_GUARD || d->kind == DEF_MEMORY || d->kind == DEF_REGISTER)
			g_array_append_val(insn_info_of(insn_infos, d)->numbers, i);
	}
	return insn_infos;
}

bool value_mutations_of(const struct formula *f, struct incremental *w, unsigned selector,
			const struct deadline *until, value_mutation_try try, void *arg)
{
	struct varying x = { .f = f,
			     .limits = limits_or_default(f->limits),
			     .until = until,
			     .w = w,
			     .try = try,
			     .arg = arg };
	g_autoptr(GPtrArray) insn_infos = NULL;

	x.v.changes = g_array_new(FALSE, FALSE, sizeof(struct model_path_change));
	insn_infos = sites_of(&x, selector);
	for (guint i = insn_infos->len; i > 0 && !x.ended; i--) {
		const struct insn_info *s = insn_infos->pdata[i - 1];

		if (s->kind == DEF_GUARD)
			vary_branch(&x, s);
		else
			vary_value(&x, s);
	}
	g_array_free(x.v.changes, TRUE);
	return x.ended;
}
