/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/chain-private.h"

#include <string.h>

static gint by_first(gconstpointer a, gconstpointer b, gpointer nodes)
{
	const struct node *x = &g_array_index((GArray *)nodes, struct node, *(const guint *)a);
	const struct node *y = &g_array_index((GArray *)nodes, struct node, *(const guint *)b);

	return x->first < y->first ? -1 : x->first > y->first;
}

/* ---- words ---- */

static const char *values_text(struct tracer *t, const struct name *name, uint32_t i)
{
	const struct definition *d = chain_way_def(t, i);
	const char *before = NULL, *after = NULL;
	g_autofree char *both = NULL;

	if (chain_way_before(t, d))
		before = naming_value(t->naming, name, d, d->actual, d->actual);
	/* behind a side that no run took, only what is changed itself is known */
	if (chain_way_leaves(t) && !chain_way_changes(t, i))
		return before;
	if (chain_way_after(t, d))
		after = naming_value(t->naming, name, d, t->after[i], d->actual);
	if (!before && !after)
		return NULL;
	both = g_strdup_printf("%s -> %s", before ? before : "not run", after ? after : "not run");
	return g_strcmp0(before, after) == 0 ? before : explanation_string(t->e, both);
}

struct explanation_link chain_link(enum explanation_edge edge)
{
	struct explanation_link l = { .edge = edge };

	l.values = g_array_new(FALSE, TRUE, sizeof(struct explanation_value));
	l.because = g_array_new(FALSE, FALSE, sizeof(unsigned));
	return l;
}

void chain_value(struct explanation_link *l, const char *name, const char *value)
{
	struct explanation_value v = { name, value };

	if (value)
		g_array_append_val(l->values, v);
}

/* What the values of a link belong to. */
static const char *value_name(struct tracer *t, const struct name *name)
{
	g_autofree char *head = NULL;

	if (strcmp(name->kind, "return") == 0)
		return "result";
	if (strcmp(name->kind, "store") == 0) {
		head = g_strdup_printf("place of %s", name->clause);
		return explanation_string(t->e, head);
	}
	if (strcmp(name->kind, "switch") != 0 || !name->clause)
		return name->clause;
	head = g_strdup_printf("switch (%s)", name->clause);
	return explanation_string(t->e, head);
}

static struct explanation_link describe_node(struct tracer *t, const struct node *n)
{
	const struct definition *d = chain_way_def(t, n->last);
	struct explanation_link l = chain_link(d->kind == DEF_GUARD ? EDGE_CONTROL : EDGE_DATA);
	struct name name;

	if (!naming_name(t->naming, t->f, d, &name))
		return l;
	naming_narrow(t->naming, d, d->actual, t->after[n->last], &name);
	l.function = name.statement->function;
	l.file = name.statement->file;
	l.line = name.statement->line;
	l.text = name.text;
	l.clause = name.clause;
	l.at.step = naming_step(t->naming, d);
	l.at.pc = l.at.step == UINT64_MAX ? 0 : d->pc;
	chain_value(&l, value_name(t, &name), values_text(t, &name, n->last));
	l.before_only = l.values->len && chain_way_leaves(t) && !chain_way_changes(t, n->last);
	return l;
}

static bool is_on_one_line(struct tracer *t, const struct definition *a, const struct definition *b)
{
	struct name x, y;

	return naming_statement(t->naming, a->pc, &x) && naming_statement(t->naming, b->pc, &y) &&
	       x.statement->line == y.statement->line &&
	       strcmp(x.statement->file, y.statement->file) == 0;
}

/* Does control come to the failing statement with the change?  Its decisions are the last ones
 * that nobody may change; only what it calls stands between. */
static bool failure_is_reached(struct tracer *t)
{
	const struct definition *last = NULL;

	for (uint32_t i = t->f->definitions->len; i > 0; i--) {
		const struct definition *d = chain_way_def(t, i - 1);

		if (!chain_way_before(t, d) || !d->pc)
			continue;
		if (!last && d->kind == DEF_GUARD && d->selector == SELECTOR_HARD)
			last = d;
		if (!last || d->rsp < last->rsp)
			continue;
		if (!is_on_one_line(t, d, last))
			return false;
		if (d->kind == DEF_GUARD && chain_way_after(t, d))
			return true;
	}
	return !last;
}

static bool is_unchecked(struct tracer *t)
{
	return t->e->failure.avoided && !chain_way_leaves(t) && !failure_is_reached(t);
}

struct explanation_link chain_failure(const struct explanation *e, bool unchecked)
{
	const struct explanation_failure *f = &e->failure;
	struct explanation_link l = chain_link(EDGE_DATA);

	l.function = f->function;
	l.file = f->file;
	l.line = f->line;
	l.clause = f->cause ? NULL : f->requirement;
	l.text = f->statement;
	chain_value(&l, f->mended.name, unchecked ? f->avoided : f->mended.value);
	return l;
}

/* ---- the explanation's list ---- */

static bool has_same_link_values(const GArray *a, const GArray *b)
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
	return a->line == b->line && a->edge == b->edge && a->before_only == b->before_only &&
	       !g_strcmp0(a->file, b->file) && !g_strcmp0(a->function, b->function) &&
	       !g_strcmp0(a->clause, b->clause) && has_same_link_values(a->values, b->values);
}

static void free_link(struct explanation_link *l)
{
	g_array_unref(l->values);
	g_array_unref(l->because);
}

unsigned chain_share(struct explanation *e, struct explanation_link l)
{
	for (guint i = 0; i < e->chain->len; i++)
		if (same_link(&g_array_index(e->chain, struct explanation_link, i), &l)) {
			free_link(&l);
			return i;
		}
	g_array_append_val(e->chain, l);
	return e->chain->len - 1;
}

void chain_because(struct explanation *e, unsigned effect, unsigned cause)
{
	GArray *because = g_array_index(e->chain, struct explanation_link, effect).because;

	for (guint i = 0; i < because->len; i++)
		if (g_array_index(because, unsigned, i) == cause)
			return;
	if (cause != effect)
		g_array_append_val(because, cause);
}

/* How the headers of a library find their way through its objects tells nothing. */
static bool is_node_of_library(struct tracer *t, const struct node *n)
{
	struct name name;

	return naming_statement(t->naming, chain_way_def(t, n->last)->pc, &name) &&
	       image_is_of_system(name.statement->file);
}

static void put_links_of_nodes(struct tracer *t, struct explanation_suspect *suspect)
{
	guint n = t->nodes->len, most = (guint)limits_or_default(t->f->limits)->chain_links;
	guint dropped = n > most - 1 ? n - (most - 1) : 0, middle = most / 2;
	g_autofree guint *order = g_new(guint, n + 1);
	g_autofree unsigned *index = g_new0(unsigned, n + 1);
	unsigned failure, last = 0;

	for (guint i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof(*order), by_first, t->nodes);
	for (guint i = 0; i < n; i++) {
		const struct node *node = &g_array_index(t->nodes, struct node, order[i]);

		if ((i >= middle && i < middle + dropped) || (i && is_node_of_library(t, node))) {
			index[order[i]] =
				last; /* what follows leads back to the place before the gap */
			continue;
		}
		last = chain_share(t->e, describe_node(t, node));
		index[order[i]] = last;
		g_array_append_val(suspect->chain, last);
	}
	failure = chain_share(t->e, chain_failure(t->e, suspect->unchecked));
	g_array_append_val(suspect->chain, failure);
	for (guint i = 0; i < n; i++) {
		int next = g_array_index(t->nodes, struct node, i).next;

		chain_because(t->e, next < 0 ? failure : index[next], index[i]);
	}
}

void chain_describe(struct explanation *e, struct naming *naming, const struct formula *f,
		    const struct search_answer *a, struct explanation_suspect *suspect)
{
	struct tracer t = { .f = f, .answer = a, .naming = naming, .e = e };

	chain_way_init(&t);
	suspect->unchecked = is_unchecked(&t);
	suspect->chain_leaves = chain_way_leaves(&t);
	if (t.nodes->len)
		put_links_of_nodes(&t, suspect);
	chain_way_deinit(&t);
}

/* ---- order ---- */

static void place_link(const struct explanation *e, unsigned link, unsigned *place_of,
		       GArray *chain)
{
	struct explanation_link l = g_array_index(e->chain, struct explanation_link, link);

	if (place_of[link] != UINT32_MAX)
		return;
	place_of[link] = chain->len;
	g_array_append_val(chain, l);
}

static void renumber_links(GArray *indices, const unsigned *place_of)
{
	for (guint i = 0; i < indices->len; i++) {
		unsigned *index = &g_array_index(indices, unsigned, i);

		*index = place_of[*index];
	}
}

/* Leaves out those of links that go. */
static void keep_below(GArray *indices, guint kept)
{
	for (guint i = indices->len; i > 0; i--)
		if (g_array_index(indices, unsigned, i - 1) >= kept)
			g_array_remove_index(indices, i - 1);
}

void chain_finish(struct explanation *e)
{
	guint kept;
	GArray *chain =
		g_array_sized_new(FALSE, TRUE, sizeof(struct explanation_link), e->chain->len);
	g_autofree unsigned *place_of = g_new(unsigned, e->chain->len + 1);

	memset(place_of, 0xff, (e->chain->len + 1) * sizeof(*place_of));
	for (guint last = 0; last < 2; last++)
		for (guint i = 0; i < e->suspects->len; i++) {
			const struct explanation_suspect *s = e->suspects->pdata[i];

			for (guint k = 0; k < s->chain->len; k++)
				if ((k + 1 == s->chain->len) == (last == 1))
					place_link(e, g_array_index(s->chain, unsigned, k),
						   place_of, chain);
		}
	/* those of suspects that are there no more come behind, and go at the end */
	kept = chain->len;
	for (guint i = 0; i < e->chain->len; i++)
		place_link(e, i, place_of, chain);
	for (guint i = 0; i < chain->len; i++) {
		GArray *because = g_array_index(chain, struct explanation_link, i).because;

		renumber_links(because, place_of);
		keep_below(because, kept);
	}
	for (guint i = 0; i < e->suspects->len; i++)
		renumber_links(((struct explanation_suspect *)e->suspects->pdata[i])->chain,
			       place_of);
	/* these are the same links in another order, so nothing is freed or taken over yet */
	g_assert(chain->len == e->chain->len);
	if (chain->len)
		memcpy(e->chain->data, chain->data, chain->len * sizeof(struct explanation_link));
	g_array_set_size(e->chain, kept);
	g_array_free(chain, TRUE);
}
