/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/what-if.h"
#include "solver/formula/inline.h"

enum { NOWHERE = UINT32_MAX };

/* A term whose operands are places before it. */
struct step {
	uint8_t kind, width, a_width, b_width;
	uint32_t a, b, c; /* TERM_VAR: a = what the program computes, or NOWHERE */
	uint64_t value;	  /* as a term_node's */
};

/* A constraint or an unexplored side. */
struct root {
	uint32_t at;
	bool requirement; /* or: the side leaves the formula */
	bool avoided;	  /* the side must not be taken */
};

struct what_if {
	const struct formula *f;
	const struct encoding *e;
	GArray *steps;	   /* struct step */
	GArray *hards;	   /* struct root */
	GArray *sides;	   /* struct root */
	GArray *instances; /* uint32_t: places */
	GArray *numbers;   /* uint32_t: their definitions */
	term_bits *now;	   /* by place */
	term_bits *natural;
	uint64_t work;
};

static const struct def *def_of(const struct what_if *w, const struct term_node *n)
{
	return &g_array_index(w->f->defs, struct def, n->a);
}

/* What the term is computed from, in order; 0 = nothing. */
static void operands(const struct what_if *w, const struct term_node *n, uint32_t of[3])
{
	of[0] = of[1] = of[2] = 0;
	if (n->kind == TERM_VAR) {
		const struct def *d = def_of(w, n);

		of[0] = d->expr ? inlined_term(w->e->inlined, d->expr) : 0;
	} else if (n->kind != IR_CONST) {
		of[0] = n->a;
		of[1] = n->b;
		of[2] = n->c;
	}
}

static void add_step(struct what_if *w, uint32_t *place, uint32_t t)
{
	const struct term_pool *p = w->f->pool;
	const struct term_node *n = term_node(p, t);
	uint32_t of[3];
	struct step s = { .kind = n->kind, .width = n->width, .value = n->value };

	operands(w, n, of);
	s.a = of[0] ? place[of[0]] - 1 : NOWHERE;
	s.b = of[1] ? place[of[1]] - 1 : NOWHERE;
	s.c = of[2] ? place[of[2]] - 1 : NOWHERE;
	s.a_width = of[0] ? (uint8_t)term_width(p, of[0]) : 0;
	s.b_width = of[1] ? (uint8_t)term_width(p, of[1]) : 0;
	if (n->kind == TERM_VAR)
		s.value = n->a;
	g_array_append_val(w->steps, s);
	place[t] = w->steps->len;
}

/* Operands first, without recursion; where the term stands then. */
static uint32_t add_term(struct what_if *w, uint32_t *place, uint32_t term)
{
	g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_val(todo, term);
	while (todo->len) {
		uint32_t t = g_array_index(todo, uint32_t, todo->len - 1), of[3];
		guint before = todo->len;

		operands(w, term_node(w->f->pool, t), of);
		for (unsigned i = 0; !place[t] && i < 3; i++)
			if (of[i] && !place[of[i]])
				g_array_append_val(todo, of[i]);
		if (todo->len > before)
			continue;
		if (!place[t])
			add_step(w, place, t);
		g_array_set_size(todo, before - 1);
	}
	return place[term] - 1;
}

static void add_instances(struct what_if *w, const struct encoding_question *q, uint32_t *place)
{
	for (uint32_t i = 0; i < w->f->defs->len; i++) {
		const struct def *d = &g_array_index(w->f->defs, struct def, i);
		uint32_t at;

		if (!encoding_is_relaxed(w->e, d, q))
			continue;
		at = add_term(w, place, d->variable);
		g_array_append_val(w->instances, at);
		g_array_append_val(w->numbers, i);
	}
}

static void add_roots(struct what_if *w, const struct encoding_question *q, bool guess,
		      uint32_t *place)
{
	const struct formula *f = w->f;
	uint64_t v;

	for (guint i = 0; i < f->hards->len; i++) {
		const struct hard *h = &g_array_index(f->hards, struct hard, i);
		uint32_t term = inlined_term(w->e->inlined, h->term);
		struct root r = { .requirement = h->requirement };

		if (term_is_const(f->pool, term, &v) && v)
			continue;
		r.at = add_term(w, place, term);
		g_array_append_val(w->hards, r);
	}
	for (guint i = 0; i < f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(f->unexplored, struct unexplored, i);
		uint32_t term = inlined_term(w->e->inlined, u->taken);
		struct root r = { .requirement = guess || !u->returns,
				  .avoided = u->cut || encoding_avoids(w->e, q, i) };

		if (term_is_const(f->pool, term, &v) && !v)
			continue;
		r.at = add_term(w, place, term);
		g_array_append_val(w->sides, r);
	}
}

static term_bits mask(unsigned width)
{
	return width >= 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
}

static term_bits operand(const struct what_if *w, uint32_t at)
{
	return at == NOWHERE ? 0 : w->now[at];
}

static term_bits value_of(const struct what_if *w, const struct step *s)
{
	if (s->kind == IR_CONST)
		return s->value;
	if (s->kind == TERM_VAR)
		return s->a != NOWHERE ? w->now[s->a]
				       : g_array_index(w->f->defs, struct def, s->value).actual &
						 mask(s->width);
	if (s->kind == IR_ITE)
		return w->now[s->c] ? w->now[s->a] : w->now[s->b];
	return term_apply(s->kind, s->width, w->now[s->a], s->a_width, operand(w, s->b), s->b_width,
			  operand(w, s->c), s->value);
}

static void evaluate_from(struct what_if *w, uint32_t at)
{
	const struct step *steps = (const struct step *)(const void *)w->steps->data;

	for (uint32_t i = at; i < w->steps->len; i++)
		w->now[i] = value_of(w, &steps[i]);
	w->work += w->steps->len - at;
}

static void suppose(struct what_if *w, unsigned instance, term_bits value)
{
	uint32_t at = g_array_index(w->instances, uint32_t, instance);

	w->now[at] = value & mask(g_array_index(w->steps, struct step, at).width);
	evaluate_from(w, at + 1);
}

struct what_if *what_if_new(const struct encoding *e, const struct encoding_question *q, bool guess)
{
	struct what_if *w = g_new0(struct what_if, 1);
	g_autofree uint32_t *place = g_new0(uint32_t, term_pool_size(e->formula->pool));

	w->f = e->formula;
	w->e = e;
	w->steps = g_array_new(FALSE, FALSE, sizeof(struct step));
	w->hards = g_array_new(FALSE, FALSE, sizeof(struct root));
	w->sides = g_array_new(FALSE, FALSE, sizeof(struct root));
	w->instances = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	w->numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	add_instances(w, q, place);
	add_roots(w, q, guess, place);
	w->now = g_new0(term_bits, MAX(w->steps->len, 1));
	evaluate_from(w, 0);
	w->natural = g_memdup2(w->now, w->steps->len * sizeof(*w->now));
	return w;
}

void what_if_free(struct what_if *w)
{
	if (!w)
		return;
	g_array_free(w->steps, TRUE);
	g_array_free(w->hards, TRUE);
	g_array_free(w->sides, TRUE);
	g_array_free(w->instances, TRUE);
	g_array_free(w->numbers, TRUE);
	g_free(w->now);
	g_free(w->natural);
	g_free(w);
}

unsigned what_if_instances(const struct what_if *w)
{
	return w->instances->len;
}

uint32_t what_if_definition(const struct what_if *w, unsigned instance)
{
	return g_array_index(w->numbers, uint32_t, instance);
}

term_bits what_if_natural(const struct what_if *w, unsigned instance)
{
	return w->natural[g_array_index(w->instances, uint32_t, instance)];
}

uint64_t what_if_work(const struct what_if *w)
{
	return w->work;
}

/* What happens on a side that no run took is not known: where the question
 * allows to go there, the requirement may hold.  A side that comes back leaves what
 * it may write as it is, which is one way to come back; or it is guessed to help. */
bool what_if_holds(struct what_if *w, unsigned instance, term_bits value)
{
	bool goes_away = false;

	suppose(w, instance, value);
	for (guint i = 0; i < w->sides->len; i++) {
		const struct root *r = &g_array_index(w->sides, struct root, i);

		if (!w->now[r->at])
			continue;
		if (r->avoided)
			return false;
		goes_away |= r->requirement;
	}
	for (guint i = 0; i < w->hards->len; i++) {
		const struct root *r = &g_array_index(w->hards, struct root, i);

		if (!(goes_away && r->requirement) && !w->now[r->at])
			return false;
	}
	return true;
}

static __int128 as_signed(term_bits v, unsigned width)
{
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

static bool compares(const struct step *s)
{
	return s->a_width > 1 && s->a_width <= 64 &&
	       (s->kind == IR_EQ || s->kind == IR_ULT || s->kind == IR_ULE || s->kind == IR_SLT ||
		s->kind == IR_SLE);
}

/* By how much the left side of a comparison is the greater one. */
static __int128 lead(const struct step *s, const term_bits *values)
{
	if (s->kind == IR_ULT || s->kind == IR_ULE)
		return (__int128)values[s->a] - (__int128)values[s->b];
	return as_signed(values[s->a], s->a_width) - as_signed(values[s->b], s->a_width);
}

/* Around the value at which a lead that grows by `growth' over `distance' is
 * gone; as far around as the growth is uncertain. */
static void append_turn(term_bits natural, __int128 lead, __int128 growth, unsigned distance,
			GArray *values)
{
	__int128 to = -lead * distance / growth;
	__int128 off = distance / (growth < 0 ? -growth : growth);

	for (int i = -2; i <= 2; i++) {
		term_bits v = natural + (term_bits)(to + (i > 1 || i < -1 ? i * (off + 1) / 2 : i));

		g_array_append_val(values, v);
	}
}

void what_if_turns(struct what_if *w, unsigned instance, GArray *values)
{
	static const unsigned distances[] = { 1, 256 };
	uint32_t at = g_array_index(w->instances, uint32_t, instance);
	const struct step *steps = (const struct step *)(const void *)w->steps->data;
	term_bits natural = w->natural[at];

	for (unsigned k = 0; k < G_N_ELEMENTS(distances); k++) {
		if (distances[k] > mask(steps[at].width) / 2)
			return;
		suppose(w, instance, natural + distances[k]);
		for (uint32_t i = at + 1; i < w->steps->len; i++) {
			__int128 first, growth;

			if (!compares(&steps[i]))
				continue;
			first = lead(&steps[i], w->natural);
			growth = lead(&steps[i], w->now) - first;
			if (growth && (k == 0 || growth % distances[k]))
				append_turn(natural, first, growth, distances[k], values);
		}
	}
}
