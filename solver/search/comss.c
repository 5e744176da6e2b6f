/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/comss.h"

#include <string.h>

/* A set of selectors, ascending. */
struct set {
	double weight;
	unsigned serial; /* older first among equal weights */
	unsigned n;
	unsigned member[];
};

struct comss {
	unsigned n, max_size;
	double *weights;
	GPtrArray *cores;     /* struct set */
	GPtrArray *blocked;   /* struct set: accepted or given up */
	GPtrArray *heap;      /* struct set: open nodes, least weight first */
	GPtrArray *postponed; /* struct set: to be refuted later, and what contains one */
	GPtrArray *deferred;  /* struct set: undecided, and what contains one of them */
	GHashTable *seen;     /* struct set by members: every node ever opened (owner) */
	struct set *current;
	unsigned serial;
	bool hopeless, late;
};

static guint hash_of_members(gconstpointer key)
{
	const struct set *s = key;
	guint h = s->n;

	for (unsigned i = 0; i < s->n; i++)
		h = (h ^ s->member[i]) * 0x9e3779b1u;
	return h;
}

static gboolean members_are_equal(gconstpointer a, gconstpointer b)
{
	const struct set *x = a, *y = b;

	return x->n == y->n && memcmp(x->member, y->member, x->n * sizeof(x->member[0])) == 0;
}

static struct set *set_new(const unsigned *member, unsigned n)
{
	struct set *s = g_malloc0(sizeof(*s) + n * sizeof(s->member[0]));

	s->n = n;
	if (n)
		memcpy(s->member, member, n * sizeof(member[0]));
	return s;
}

static bool comes_before(const struct set *a, const struct set *b)
{
	return a->weight != b->weight ? a->weight < b->weight : a->serial < b->serial;
}

static void heap_push(GPtrArray *heap, struct set *s)
{
	guint i = heap->len;

	g_ptr_array_add(heap, s);
	while (i > 0 && comes_before(s, heap->pdata[(i - 1) / 2])) {
		heap->pdata[i] = heap->pdata[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap->pdata[i] = s;
}

static struct set *heap_pop(GPtrArray *heap)
{
	struct set *top = heap->pdata[0], *last = heap->pdata[heap->len - 1];
	guint i = 0, child;

	g_ptr_array_set_size(heap, (gint)heap->len - 1);
	while ((child = 2 * i + 1) < heap->len) {
		if (child + 1 < heap->len &&
		    comes_before(heap->pdata[child + 1], heap->pdata[child]))
			child++;
		if (!comes_before(heap->pdata[child], last))
			break;
		heap->pdata[i] = heap->pdata[child];
		i = child;
	}
	if (heap->len)
		heap->pdata[i] = last;
	return top;
}

static void open_search_node(struct comss *c, struct set *s)
{
	if (g_hash_table_contains(c->seen, s)) {
		g_free(s);
		return;
	}
	s->weight = 0;
	for (unsigned i = 0; i < s->n; i++)
		s->weight += c->weights[s->member[i]];
	s->serial = c->serial++;
	g_hash_table_add(c->seen, s);
	heap_push(c->heap, s);
}

static void set_weights(struct comss *c, unsigned from, const double *weights)
{
	c->weights = g_renew(double, c->weights, MAX(c->n, 1));
	for (unsigned i = from; i < c->n; i++) {
		c->weights[i] = weights ? weights[i] : 1;
		g_assert(c->weights[i] > 0);
	}
}

struct comss *comss_new(unsigned n, const double *weights, unsigned max_size)
{
	struct comss *c = g_new0(struct comss, 1);

	c->n = n;
	c->max_size = max_size;
	set_weights(c, 0, weights);
	c->cores = g_ptr_array_new_with_free_func(g_free);
	c->blocked = g_ptr_array_new_with_free_func(g_free);
	c->heap = g_ptr_array_new();
	c->deferred = g_ptr_array_new();
	c->postponed = g_ptr_array_new();
	c->seen = g_hash_table_new_full(hash_of_members, members_are_equal, g_free, NULL);
	open_search_node(c, set_new(NULL, 0));
	return c;
}

void comss_free(struct comss *c)
{
	if (!c)
		return;
	g_ptr_array_free(c->cores, TRUE);
	g_ptr_array_free(c->blocked, TRUE);
	g_ptr_array_free(c->heap, TRUE);
	g_ptr_array_free(c->deferred, TRUE);
	g_ptr_array_free(c->postponed, TRUE);
	g_hash_table_destroy(c->seen);
	g_free(c->weights);
	g_free(c);
}

void comss_grow(struct comss *c, unsigned n, const double *weights)
{
	unsigned old = c->n;

	g_assert(n >= old);
	c->n = n;
	set_weights(c, old, weights);
}

static bool set_contains(const struct set *s, unsigned member)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->member[i] == member)
			return true;
	return false;
}

static bool set_includes_core(const struct set *big, const struct set *small)
{
	for (unsigned i = 0; i < small->n; i++)
		if (!set_contains(big, small->member[i]))
			return false;
	return true;
}

static bool set_hits_core(const struct set *s, const struct set *core)
{
	for (unsigned i = 0; i < s->n; i++)
		if (set_contains(core, s->member[i]))
			return true;
	return false;
}

static bool includes_one_of(const struct set *s, const GPtrArray *sets)
{
	for (guint i = 0; i < sets->len; i++)
		if (set_includes_core(s, sets->pdata[i]))
			return true;
	return false;
}

/* The smallest core that s misses: fewest children. */
static const struct set *smallest_missed_core(const struct comss *c, const struct set *s)
{
	const struct set *best = NULL;

	for (guint i = 0; i < c->cores->len; i++) {
		const struct set *core = c->cores->pdata[i];

		if ((!best || core->n < best->n) && !set_hits_core(s, core))
			best = core;
	}
	return best;
}

static struct set *with_member(const struct set *s, unsigned member)
{
	struct set *t = g_malloc0(sizeof(*t) + (s->n + 1) * sizeof(t->member[0]));
	unsigned i = 0;

	for (; i < s->n && s->member[i] < member; i++)
		t->member[i] = s->member[i];
	t->member[i] = member;
	for (; i < s->n; i++)
		t->member[i + 1] = s->member[i];
	t->n = s->n + 1;
	return t;
}

static void expand_hitting_set(struct comss *c, const struct set *s, const struct set *core)
{
	if (s->n >= c->max_size)
		return;
	for (unsigned i = 0; i < core->n; i++)
		open_search_node(c, with_member(s, core->member[c->late ? core->n - 1 - i : i]));
}

void comss_prefer_last(struct comss *c)
{
	c->late = true;
}

const unsigned *comss_candidate(struct comss *c, unsigned *n)
{
	while (!c->hopeless && (c->current || c->heap->len)) {
		const struct set *missed;

		if (!c->current)
			c->current = heap_pop(c->heap);
		if (includes_one_of(c->current, c->blocked)) {
			c->current = NULL;
		} else if (includes_one_of(c->current, c->deferred)) {
			comss_defer(c);
		} else if (includes_one_of(c->current, c->postponed)) {
			comss_postpone(c);
		} else if ((missed = smallest_missed_core(c, c->current))) {
			expand_hitting_set(c, c->current, missed);
			c->current = NULL;
		} else {
			*n = c->current->n;
			return c->current->member;
		}
	}
	return NULL;
}

void comss_accept(struct comss *c)
{
	g_assert(c->current);
	g_ptr_array_add(c->blocked, set_new(c->current->member, c->current->n));
	c->current = NULL;
}

void comss_defer(struct comss *c)
{
	g_assert(c->current);
	g_ptr_array_add(c->deferred, c->current);
	c->current = NULL;
}

void comss_postpone(struct comss *c)
{
	g_assert(c->current);
	g_ptr_array_add(c->postponed, c->current);
	c->current = NULL;
}

static bool open_again(struct comss *c, GPtrArray *sets)
{
	bool any = sets->len > 0;

	for (guint i = 0; i < sets->len; i++)
		heap_push(c->heap, sets->pdata[i]);
	g_ptr_array_set_size(sets, 0);
	return any;
}

bool comss_resume(struct comss *c)
{
	return open_again(c, c->deferred);
}

bool comss_resume_postponed(struct comss *c)
{
	return open_again(c, c->postponed);
}

static int compare_members(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

void comss_add_core(struct comss *c, const unsigned *core, unsigned n)
{
	struct set *s = set_new(core, n);

	qsort(s->member, n, sizeof(s->member[0]), compare_members);
	g_ptr_array_add(c->cores, s);
	if (n == 0)
		c->hopeless = true;
}

void comss_refute(struct comss *c, const unsigned *core, unsigned n)
{
	g_assert(c->current);
	comss_add_core(c, core, n);
	/* a core that the set hits would bring the same candidate again */
	g_assert(!set_hits_core(c->current, c->cores->pdata[c->cores->len - 1]));
}

unsigned comss_n_cores(const struct comss *c)
{
	return c->cores->len;
}
