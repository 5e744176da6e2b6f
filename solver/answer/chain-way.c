/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds which definitions lie on the way from a change to the failure. */
#include "solver/answer/chain-private.h"

#include <string.h>

/* The way with the least cost is shown; way_shown, way_changed and way_past are what its steps
 * cost.  A way to what is wrong only after the failure costs COST_LATER more, which is more than
 * any other way costs. */
enum { NO_WAY = INT32_MAX, COST_LATER = 1 << 28 };

const struct definition *chain_way_def(const struct tracer *t, uint32_t i)
{
	return &g_array_index(t->f->definitions, struct definition, i);
}

static term_bits chain_value_before(void *arg, uint32_t number)
{
	return chain_way_def(arg, number)->actual;
}

static term_bits chain_value_after(void *arg, uint32_t number)
{
	return ((struct tracer *)arg)->after[number];
}

static const struct model_path_change *change_of(const struct tracer *t, uint32_t i)
{
	return g_hash_table_lookup(t->changed, GUINT_TO_POINTER(i + 1));
}

/* Operands have smaller numbers, so one pass gives all values. */
static void evaluate_traced_values(struct tracer *t)
{
	for (guint i = 0; i < t->answer->path->changes->len; i++) {
		const struct model_path_change *c =
			&g_array_index(t->answer->path->changes, struct model_path_change, i);

		g_hash_table_insert(t->changed, GUINT_TO_POINTER(c->def + 1), (gpointer)c);
	}
	for (uint32_t i = 0; i < t->f->definitions->len; i++) {
		const struct definition *d = chain_way_def(t, i);
		const struct model_path_change *c = change_of(t, i);

		t->after[i] = c		? c->value
			      : d->expr ? term_eval(t->after_memo, d->expr)
					: d->actual;
	}
}

bool chain_way_before(const struct tracer *t, const struct definition *d)
{
	return term_eval(t->before_memo, d->reach) != 0;
}

bool chain_way_after(const struct tracer *t, const struct definition *d)
{
	return term_eval(t->after_memo, d->reach) != 0;
}

bool chain_way_leaves(const struct tracer *t)
{
	for (guint i = 0; i < t->f->unexplored->len; i++)
		if (term_eval(t->after_memo,
			      g_array_index(t->f->unexplored, struct unexplored, i).taken))
			return true;
	return false;
}

bool chain_way_changes(const struct tracer *t, uint32_t i)
{
	return change_of(t, i) != NULL;
}

static bool is_definition_affected(const struct tracer *t, uint32_t i)
{
	const struct definition *d = chain_way_def(t, i);
	bool before = chain_way_before(t, d), after = chain_way_after(t, d);

	return before != after || (before && t->after[i] != d->actual);
}

/* ---- the shortest ways ---- */

/* The definition only moves another definition's value to another place. */
static bool is_move(const struct tracer *t, const struct definition *d)
{
	uint32_t term = d->expr;

	for (;;) {
		const struct term_node *n = term_node(t->f->pool, term);

		if (n->kind == TERM_VAR)
			return true;
		if (n->kind != IR_ZEXT && n->kind != IR_SEXT && n->kind != IR_EXTRACT)
			return false;
		term = n->a;
	}
}

/* A store to a bit-field that stays as it was: only what it writes back of its neighbours changed.
 */
static bool changes_neighbours_only(const struct tracer *t, uint32_t i)
{
	const struct definition *d = chain_way_def(t, i);

	return d->kept && chain_way_before(t, d) && chain_way_after(t, d) &&
	       !((t->after[i] ^ d->actual) & ~d->kept);
}

static bool is_shown(const struct tracer *t, uint32_t i)
{
	const struct definition *d = chain_way_def(t, i);

	if (change_of(t, i))
		return true;
	if (changes_neighbours_only(t, i))
		return false;
	if (d->selector == SELECTOR_HARD || !d->expr)
		return false;
	/* x = y is a step of its own; passing y on as an argument is not */
	return d->kind != DEF_REGISTER || !is_move(t, d);
}

static void relax_way(struct tracer *t, uint32_t i, uint32_t to, int32_t cost, bool by_data)
{
	if (by_data && i < t->f->definitions->len && chain_way_def(t, i)->kind == DEF_GUARD)
		cost += (int32_t)t->limits->way_past;
	if (i < t->f->definitions->len && cost < t->ways[i].cost && is_definition_affected(t, i))
		t->ways[i] = (struct way){ cost, to };
}

/* Of what is chosen by a condition, such as a store that may have hit the place, only what was
 * taken, or would have been. */
static bool is_looked_at_operand(const struct tracer *t, const struct term_node *n, size_t i)
{
	if (n->kind != IR_ITE || i == 2)
		return true;
	return (term_eval(t->before_memo, n->c) != 0) == (i == 0) ||
	       (term_eval(t->after_memo, n->c) != 0) == (i == 0);
}

/* Goes through all definitions below a term.  A term that was told a cheaper way before needs
 * no other one, so a long run's nested conditions are gone through only once. */
static void relax_term(struct tracer *t, uint32_t term, uint32_t to, int32_t cost, bool by_data)
{
	int32_t *told = t->told[by_data];

	g_array_append_val(t->open, term);
	while (t->open->len) {
		const struct term_node *n;

		term = g_array_index(t->open, uint32_t, t->open->len - 1);
		g_array_set_size(t->open, t->open->len - 1);
		if (told[term] <= cost)
			continue;
		told[term] = cost;
		n = term_node(t->f->pool, term);
		if (n->kind == TERM_VAR) {
			relax_way(t, n->a, to, cost, by_data);
		} else if (n->kind != IR_CONST) {
			const uint32_t operands[] = { n->a, n->b, n->c };

			for (size_t i = 0; i < G_N_ELEMENTS(operands); i++)
				if (operands[i] && is_looked_at_operand(t, n, i))
					g_array_append_val(t->open, operands[i]);
		}
	}
}

/* Users come after what they use.  So going backwards, each way is known when it is needed. */
static void find_ways(struct tracer *t)
{
	uint32_t n = t->f->definitions->len;
	bool failed = false; /* of wrong output, more may be wrong after the failure */

	for (uint32_t i = 0; i < n; i++)
		t->ways[i] = (struct way){ NO_WAY, n };
	for (guint i = 0; i < t->f->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(t->f->constraints, struct constraint, i);

		if (!h->requirement || term_eval(t->before_memo, h->term))
			continue;
		relax_term(t, h->term, n, failed ? COST_LATER : 0, true);
		failed = true;
	}
	for (uint32_t i = n; i > 0; i--) {
		const struct definition *d = chain_way_def(t, i - 1);
		int32_t cost = t->ways[i - 1].cost;

		if (cost == NO_WAY)
			continue;
		if (change_of(t, i - 1))
			cost -= (int32_t)t->limits->way_changed;
		else if (is_shown(t, i - 1))
			cost += (int32_t)t->limits->way_shown;
		if (d->expr)
			relax_term(t, d->expr, i - 1, cost, true);
		relax_term(t, d->reach, i - 1, cost, false);
	}
}

/* ---- from ways to links ---- */

/* Are they instances of the same thing?  In calls within each other the statement's variables are
 * others, and the value of one call goes on to the next. */
static bool same_step(const struct tracer *t, uint32_t a, uint32_t b)
{
	const struct definition *x = chain_way_def(t, a), *y = chain_way_def(t, b);

	if (x->rsp != y->rsp)
		return false;
	if (x->kind == DEF_GUARD || y->kind == DEF_GUARD)
		return x->kind == y->kind && x->pc == y->pc;
	return x->kind == y->kind && x->statement == y->statement;
}

/* A register on its way to a store of the same line. */
static bool is_of_same_store(struct tracer *t, uint32_t a, uint32_t b)
{
	const struct definition *x = chain_way_def(t, a), *y = chain_way_def(t, b);
	struct name of_x, of_y;

	return (x->kind == DEF_REGISTER || y->kind == DEF_REGISTER) && x->kind != DEF_GUARD &&
	       y->kind != DEF_GUARD && naming_statement(t->naming, x->pc, &of_x) &&
	       naming_statement(t->naming, y->pc, &of_y) &&
	       of_x.statement->line == of_y.statement->line &&
	       strcmp(of_x.statement->file, of_y.statement->file) == 0 &&
	       strcmp(of_x.statement->function, of_y.statement->function) == 0;
}

static int node_of_definition(const struct tracer *t, uint32_t i)
{
	for (guint k = 0; k < t->nodes->len; k++)
		if (same_step(t, g_array_index(t->nodes, struct node, k).last, i))
			return (int)k;
	return -1;
}

/* Instances of one statement become one link, with the values of the last one.  before: the
 * node that leads to it, -1 = none. */
static int add_way_node(struct tracer *t, uint32_t i, int before)
{
	int k = node_of_definition(t, i);
	struct node fresh = { i, i, -1 }, *n;

	if (k < 0 && before >= 0 &&
	    is_of_same_store(t, g_array_index(t->nodes, struct node, (guint)before).last, i))
		k = before;
	if (k < 0) {
		g_array_append_val(t->nodes, fresh);
		return (int)t->nodes->len - 1;
	}
	n = &g_array_index(t->nodes, struct node, (guint)k);
	n->first = MIN(n->first, i);
	n->last = MAX(n->last, i);
	return k;
}

static void add_way_from(struct tracer *t, uint32_t from)
{
	int last = -1;

	for (uint32_t i = from; i < t->f->definitions->len; i = t->ways[i].next) {
		int k;

		if (i != from && !is_shown(t, i))
			continue;
		k = add_way_node(t, i, last);
		if (last >= 0 && last != k)
			g_array_index(t->nodes, struct node, (guint)last).next = k;
		last = k;
	}
	if (last >= 0)
		g_array_index(t->nodes, struct node, (guint)last).next = -1;
}

static bool ends_later(const struct tracer *t, uint32_t i)
{
	return t->ways[i].cost >= COST_LATER / 2;
}

/* Finds the last change of each statement that leads to the failure. */
static void add_ways_to_failure(struct tracer *t)
{
	const GArray *selectors = t->answer->selectors;

	for (guint s = 0; s < selectors->len; s++) {
		unsigned selector = g_array_index(selectors, unsigned, s);
		uint32_t from = UINT32_MAX;

		for (guint i = 0; i < t->answer->path->changes->len; i++) {
			uint32_t d =
				g_array_index(t->answer->path->changes, struct model_path_change, i)
					.def;

			if (chain_way_def(t, d)->selector == selector &&
			    t->ways[d].cost != NO_WAY &&
			    (from == UINT32_MAX || !ends_later(t, d) || ends_later(t, from)))
				from = d;
		}
		if (from != UINT32_MAX)
			add_way_from(t, from);
	}
}

static int32_t *new_costs(const struct term_pool *p)
{
	uint32_t n = term_pool_size(p);
	int32_t *costs = g_new(int32_t, n);

	for (uint32_t i = 0; i < n; i++)
		costs[i] = NO_WAY;
	return costs;
}

void chain_way_init(struct tracer *t)
{
	uint32_t n = MAX(t->f->definitions->len, 1);

	t->limits = limits_or_default(t->f->limits);
	t->after = g_new0(term_bits, n);
	t->ways = g_new(struct way, n);
	t->told[0] = new_costs(t->f->pool);
	t->told[1] = new_costs(t->f->pool);
	t->open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	t->changed = g_hash_table_new(NULL, NULL);
	t->nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
	t->before_memo = term_memo_new(t->f->pool, chain_value_before, t);
	t->after_memo = term_memo_new(t->f->pool, chain_value_after, t);
	evaluate_traced_values(t);
	find_ways(t);
	add_ways_to_failure(t);
}

void chain_way_deinit(struct tracer *t)
{
	term_memo_free(t->before_memo);
	term_memo_free(t->after_memo);
	g_hash_table_destroy(t->changed);
	g_array_free(t->nodes, TRUE);
	g_array_free(t->open, TRUE);
	g_free(t->told[0]);
	g_free(t->told[1]);
	g_free(t->after);
	g_free(t->ways);
}
