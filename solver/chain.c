/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/chain.h"

#include <string.h>

/* What a step on the way costs: the shortest way is told, but rather through
 * other changes and through what a decision let run than past them. */
enum { NO_WAY = INT32_MAX, COST_SHOWN = 2, COST_CHANGED = -1, COST_PAST = 1 };

struct way {
	int32_t cost;  /* to the failure */
	uint32_t next; /* definition, or f->defs->len for the failure */
};

struct tracer {
	const struct formula *f;
	const struct search_answer *answer;
	struct naming *naming;
	struct explanation *e;
	term_bits *after; /* by definition: with the suspect's change */
	struct term_memo *before_memo, *after_memo;
	GHashTable *changed; /* number of a definition + 1 → its change */
	struct way *ways;
	int32_t *told[2]; /* by term: least cost it was told, by control and by data */
	GArray *open;	  /* uint32_t: terms to go through */
	GArray *nodes;	  /* struct node, of the suspect's links */
};

/* A link in the making. */
struct node {
	uint32_t first, last; /* definitions of this statement on the way */
	int next;	      /* node it leads to, -1 = the failure */
};

static const struct def *def_at(const struct tracer *t, uint32_t i)
{
	return &g_array_index(t->f->defs, struct def, i);
}

static term_bits value_before(void *arg, uint32_t number)
{
	return def_at(arg, number)->actual;
}

static term_bits value_after(void *arg, uint32_t number)
{
	return ((struct tracer *)arg)->after[number];
}

static const struct path_change *change_of(const struct tracer *t, uint32_t i)
{
	return g_hash_table_lookup(t->changed, GUINT_TO_POINTER(i + 1));
}

/* Operands have smaller numbers, so one pass gives all values. */
static void evaluate(struct tracer *t)
{
	for (guint i = 0; i < t->answer->path->changes->len; i++) {
		const struct path_change *c =
			&g_array_index(t->answer->path->changes, struct path_change, i);

		g_hash_table_insert(t->changed, GUINT_TO_POINTER(c->def + 1), (gpointer)c);
	}
	for (uint32_t i = 0; i < t->f->defs->len; i++) {
		const struct def *d = def_at(t, i);
		const struct path_change *c = change_of(t, i);

		t->after[i] = c		? c->value
			      : d->expr ? term_eval(t->after_memo, d->expr)
					: d->actual;
	}
}

static bool is_before(const struct tracer *t, const struct def *d)
{
	return term_eval(t->before_memo, d->reach) != 0;
}

static bool is_after(const struct tracer *t, const struct def *d)
{
	return term_eval(t->after_memo, d->reach) != 0;
}

static bool is_affected(const struct tracer *t, uint32_t i)
{
	const struct def *d = def_at(t, i);
	bool before = is_before(t, d), after = is_after(t, d);

	return before != after || (before && t->after[i] != d->actual);
}

/* ---- the shortest ways ---- */

/* Nothing but another definition's value in another place. */
static bool is_move(const struct tracer *t, const struct def *d)
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

static bool is_shown(const struct tracer *t, uint32_t i)
{
	const struct def *d = def_at(t, i);

	if (change_of(t, i))
		return true;
	if (d->selector == SELECTOR_HARD || !d->expr)
		return false;
	/* x = y is a step of its own; passing y on is not */
	return d->kind != DEF_REGISTER || !is_move(t, d);
}

static void relax(struct tracer *t, uint32_t i, uint32_t to, int32_t cost, bool by_data)
{
	if (by_data && i < t->f->defs->len && def_at(t, i)->kind == DEF_GUARD)
		cost += COST_PAST;
	if (i < t->f->defs->len && cost < t->ways[i].cost && is_affected(t, i))
		t->ways[i] = (struct way){ cost, to };
}

/* All definitions below a term.  A term that was told a cheaper way before needs
 * no other, so a long run's nested conditions are gone through once. */
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
			relax(t, n->a, to, cost, by_data);
		} else if (n->kind != IR_CONST) {
			const uint32_t operands[] = { n->a, n->b, n->c };

			for (size_t i = 0; i < G_N_ELEMENTS(operands); i++)
				if (operands[i])
					g_array_append_val(t->open, operands[i]);
		}
	}
}

/* Users come after what they use: backwards, each way is known when it is
 * needed. */
static void find_ways(struct tracer *t)
{
	uint32_t n = t->f->defs->len;

	for (uint32_t i = 0; i < n; i++)
		t->ways[i] = (struct way){ NO_WAY, n };
	for (guint i = 0; i < t->f->hards->len; i++) {
		const struct hard *h = &g_array_index(t->f->hards, struct hard, i);

		if (h->requirement && !term_eval(t->before_memo, h->term))
			relax_term(t, h->term, n, 0, true);
	}
	for (uint32_t i = n; i > 0; i--) {
		const struct def *d = def_at(t, i - 1);
		int32_t cost = t->ways[i - 1].cost;

		if (cost == NO_WAY)
			continue;
		cost += change_of(t, i - 1) ? COST_CHANGED : is_shown(t, i - 1) ? COST_SHOWN : 0;
		if (d->expr)
			relax_term(t, d->expr, i - 1, cost, true);
		relax_term(t, d->reach, i - 1, cost, false);
	}
}

/* ---- from ways to links ---- */

/* Instances of the same thing. */
static bool same_step(const struct tracer *t, uint32_t a, uint32_t b)
{
	const struct def *x = def_at(t, a), *y = def_at(t, b);

	if (x->kind == DEF_GUARD || y->kind == DEF_GUARD)
		return x->kind == y->kind && x->pc == y->pc;
	return x->kind == y->kind && x->statement == y->statement;
}

/* A register on its way to a store of the same line. */
static bool same_line(struct tracer *t, uint32_t a, uint32_t b)
{
	const struct def *x = def_at(t, a), *y = def_at(t, b);
	struct name of_x, of_y;

	return (x->kind == DEF_REGISTER || y->kind == DEF_REGISTER) && x->kind != DEF_GUARD &&
	       y->kind != DEF_GUARD && naming_statement(t->naming, x->pc, &of_x) &&
	       naming_statement(t->naming, y->pc, &of_y) &&
	       of_x.statement->line == of_y.statement->line &&
	       strcmp(of_x.statement->file, of_y.statement->file) == 0 &&
	       strcmp(of_x.statement->function, of_y.statement->function) == 0;
}

static int node_of(const struct tracer *t, uint32_t i)
{
	for (guint k = 0; k < t->nodes->len; k++)
		if (same_step(t, g_array_index(t->nodes, struct node, k).last, i))
			return (int)k;
	return -1;
}

/* Instances of one statement become one link, with the values of the last.
 * before: the node that leads to it, -1 = none. */
static int add_node(struct tracer *t, uint32_t i, int before)
{
	int k = node_of(t, i);
	struct node fresh = { i, i, -1 }, *n;

	if (k < 0 && before >= 0 &&
	    same_line(t, g_array_index(t->nodes, struct node, (guint)before).last, i))
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

static void add_way(struct tracer *t, uint32_t from)
{
	int last = -1;

	for (uint32_t i = from; i < t->f->defs->len; i = t->ways[i].next) {
		int k;

		if (i != from && !is_shown(t, i))
			continue;
		k = add_node(t, i, last);
		if (last >= 0 && last != k)
			g_array_index(t->nodes, struct node, (guint)last).next = k;
		last = k;
	}
	if (last >= 0)
		g_array_index(t->nodes, struct node, (guint)last).next = -1;
}

/* Each statement's last change that leads to the failure. */
static void add_ways(struct tracer *t)
{
	const GArray *selectors = t->answer->selectors;

	for (guint s = 0; s < selectors->len; s++) {
		unsigned selector = g_array_index(selectors, unsigned, s);
		uint32_t from = UINT32_MAX;

		for (guint i = 0; i < t->answer->path->changes->len; i++) {
			uint32_t d =
				g_array_index(t->answer->path->changes, struct path_change, i).def;

			if (def_at(t, d)->selector == selector && t->ways[d].cost != NO_WAY)
				from = d;
		}
		if (from != UINT32_MAX)
			add_way(t, from);
	}
}

static gint by_first(gconstpointer a, gconstpointer b, gpointer nodes)
{
	const struct node *x = &g_array_index((GArray *)nodes, struct node, *(const guint *)a);
	const struct node *y = &g_array_index((GArray *)nodes, struct node, *(const guint *)b);

	return x->first < y->first ? -1 : x->first > y->first;
}

/* ---- words ---- */

static const char *values_text(struct tracer *t, const struct name *name, uint32_t i)
{
	const struct def *d = def_at(t, i);
	const char *before = NULL, *after = NULL;
	g_autofree char *both = NULL;

	if (is_before(t, d))
		before = naming_value(t->naming, name, d, d->actual, d->actual);
	if (is_after(t, d))
		after = naming_value(t->naming, name, d, t->after[i], d->actual);
	if (!before)
		return after;
	both = g_strdup_printf("%s -> %s", before, after ? after : "not run");
	return g_strcmp0(before, after) == 0 ? before : explanation_string(t->e, both);
}

static struct explanation_link new_link(enum explanation_edge edge)
{
	struct explanation_link l = { .edge = edge };

	l.values = g_array_new(FALSE, TRUE, sizeof(struct explanation_value));
	l.because = g_array_new(FALSE, FALSE, sizeof(unsigned));
	return l;
}

static void add_value(struct explanation_link *l, const char *name, const char *value)
{
	struct explanation_value v = { name, value };

	if (value)
		g_array_append_val(l->values, v);
}

/* What the values of a link are of. */
static const char *value_name(struct tracer *t, const struct name *name)
{
	g_autofree char *head = NULL;

	if (strcmp(name->kind, "return") == 0)
		return "result";
	if (strcmp(name->kind, "switch") != 0 || !name->clause)
		return name->clause;
	head = g_strdup_printf("switch (%s)", name->clause);
	return explanation_string(t->e, head);
}

static struct explanation_link describe_node(struct tracer *t, const struct node *n)
{
	const struct def *d = def_at(t, n->last);
	struct explanation_link l = new_link(d->kind == DEF_GUARD ? EDGE_CONTROL : EDGE_DATA);
	struct name name;

	if (!naming_name(t->naming, t->f, d, &name))
		return l;
	l.function = name.statement->function;
	l.file = name.statement->file;
	l.line = name.statement->line;
	l.text = name.text;
	l.clause = name.clause;
	add_value(&l, value_name(t, &name), values_text(t, &name, n->last));
	return l;
}

static bool on_one_line(struct tracer *t, const struct def *a, const struct def *b)
{
	struct name x, y;

	return naming_statement(t->naming, a->pc, &x) && naming_statement(t->naming, b->pc, &y) &&
	       x.statement->line == y.statement->line &&
	       strcmp(x.statement->file, y.statement->file) == 0;
}

/* Whether the failing statement is come to with the change: its decisions are
 * the last ones that are no one's to change; what it calls stands between. */
static bool failure_is_reached(struct tracer *t)
{
	const struct def *last = NULL;

	for (uint32_t i = t->f->defs->len; i > 0; i--) {
		const struct def *d = def_at(t, i - 1);

		if (!is_before(t, d) || !d->pc)
			continue;
		if (!last && d->kind == DEF_GUARD && d->selector == SELECTOR_HARD)
			last = d;
		if (!last || d->rsp < last->rsp)
			continue;
		if (!on_one_line(t, d, last))
			return false;
		if (is_after(t, d))
			return true;
	}
	return !last;
}

static struct explanation_link describe_failure(struct tracer *t)
{
	const struct explanation_failure *f = &t->e->failure;
	struct explanation_link l = new_link(EDGE_DATA);
	g_autofree char *text = g_strdup_printf("assert(%s);", f->requirement);

	l.function = f->function;
	l.file = f->file;
	l.line = f->line;
	l.clause = f->requirement;
	l.text = explanation_string(t->e, text);
	add_value(&l, f->requirement, failure_is_reached(t) ? "false -> true" : "false -> not run");
	return l;
}

/* ---- the explanation's list ---- */

static bool same_values(const GArray *a, const GArray *b)
{
	for (guint i = 0; a->len == b->len && i < a->len; i++) {
		const struct explanation_value *x = &g_array_index(a, struct explanation_value, i);
		const struct explanation_value *y = &g_array_index(b, struct explanation_value, i);

		if (g_strcmp0(x->name, y->name) || g_strcmp0(x->value, y->value))
			return false;
	}
	return a->len == b->len;
}

static bool same_link(const struct explanation_link *a, const struct explanation_link *b)
{
	return a->line == b->line && a->edge == b->edge && !g_strcmp0(a->file, b->file) &&
	       !g_strcmp0(a->function, b->function) && !g_strcmp0(a->clause, b->clause) &&
	       same_values(a->values, b->values);
}

static void free_link(struct explanation_link *l)
{
	g_array_unref(l->values);
	g_array_unref(l->because);
}

/* Takes the link; its index in the explanation. */
static unsigned share_link(struct explanation *e, struct explanation_link l)
{
	for (guint i = 0; i < e->chain->len; i++)
		if (same_link(&g_array_index(e->chain, struct explanation_link, i), &l)) {
			free_link(&l);
			return i;
		}
	g_array_append_val(e->chain, l);
	return e->chain->len - 1;
}

static void add_because(struct explanation *e, unsigned effect, unsigned cause)
{
	GArray *because = g_array_index(e->chain, struct explanation_link, effect).because;

	for (guint i = 0; i < because->len; i++)
		if (g_array_index(because, unsigned, i) == cause)
			return;
	if (cause != effect)
		g_array_append_val(because, cause);
}

static void put_links(struct tracer *t, struct explanation_suspect *suspect)
{
	guint n = t->nodes->len, dropped = n > CHAIN_LONGEST - 1 ? n - (CHAIN_LONGEST - 1) : 0;
	guint middle = CHAIN_LONGEST / 2;
	g_autofree guint *order = g_new(guint, n + 1);
	g_autofree unsigned *index = g_new0(unsigned, n + 1);
	unsigned failure, last = 0;

	for (guint i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof(*order), by_first, t->nodes);
	for (guint i = 0; i < n; i++) {
		if (i >= middle && i < middle + dropped) {
			index[order[i]] = last; /* what follows leads back to before the gap */
			continue;
		}
		last = share_link(
			t->e, describe_node(t, &g_array_index(t->nodes, struct node, order[i])));
		index[order[i]] = last;
		g_array_append_val(suspect->chain, last);
	}
	failure = share_link(t->e, describe_failure(t));
	g_array_append_val(suspect->chain, failure);
	for (guint i = 0; i < n; i++) {
		int next = g_array_index(t->nodes, struct node, i).next;

		add_because(t->e, next < 0 ? failure : index[next], index[i]);
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

void chain_describe(struct explanation *e, struct naming *naming, const struct formula *f,
		    const struct search_answer *a, struct explanation_suspect *suspect)
{
	struct tracer t = { .f = f, .answer = a, .naming = naming, .e = e };

	t.after = g_new0(term_bits, MAX(f->defs->len, 1));
	t.ways = g_new(struct way, MAX(f->defs->len, 1));
	t.told[0] = new_costs(f->pool);
	t.told[1] = new_costs(f->pool);
	t.open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	t.changed = g_hash_table_new(NULL, NULL);
	t.nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
	t.before_memo = term_memo_new(f->pool, value_before, &t);
	t.after_memo = term_memo_new(f->pool, value_after, &t);
	evaluate(&t);
	find_ways(&t);
	add_ways(&t);
	if (t.nodes->len)
		put_links(&t, suspect);
	term_memo_free(t.before_memo);
	term_memo_free(t.after_memo);
	g_hash_table_destroy(t.changed);
	g_array_free(t.nodes, TRUE);
	g_array_free(t.open, TRUE);
	g_free(t.told[0]);
	g_free(t.told[1]);
	g_free(t.after);
	g_free(t.ways);
}

/* ---- order ---- */

static void place(const struct explanation *e, unsigned link, unsigned *place_of, GArray *chain)
{
	struct explanation_link l = g_array_index(e->chain, struct explanation_link, link);

	if (place_of[link] != UINT32_MAX)
		return;
	place_of[link] = chain->len;
	g_array_append_val(chain, l);
}

static void renumber(GArray *indices, const unsigned *place_of)
{
	for (guint i = 0; i < indices->len; i++) {
		unsigned *index = &g_array_index(indices, unsigned, i);

		*index = place_of[*index];
	}
}

void chain_finish(struct explanation *e)
{
	GArray *chain =
		g_array_sized_new(FALSE, TRUE, sizeof(struct explanation_link), e->chain->len);
	g_autofree unsigned *place_of = g_new(unsigned, e->chain->len + 1);

	memset(place_of, 0xff, (e->chain->len + 1) * sizeof(*place_of));
	for (guint last = 0; last < 2; last++)
		for (guint i = 0; i < e->suspects->len; i++) {
			const struct explanation_suspect *s = e->suspects->pdata[i];

			for (guint k = 0; k < s->chain->len; k++)
				if ((k + 1 == s->chain->len) == (last == 1))
					place(e, g_array_index(s->chain, unsigned, k), place_of,
					      chain);
		}
	for (guint i = 0; i < chain->len; i++)
		renumber(g_array_index(chain, struct explanation_link, i).because, place_of);
	for (guint i = 0; i < e->suspects->len; i++)
		renumber(((struct explanation_suspect *)e->suspects->pdata[i])->chain, place_of);
	/* the same links in another order: nothing to free, nothing to own */
	g_assert(chain->len == e->chain->len);
	memcpy(e->chain->data, chain->data, chain->len * sizeof(struct explanation_link));
	g_array_free(chain, TRUE);
}
