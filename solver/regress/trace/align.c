/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/trace/align.h"
#include "solver/base/hash.h"
#include "solver/regress/trace/trace-private.h"

/* A call that goes on. */
struct frame {
	const char *function;
	uint64_t rsp;  /* the last one seen in it: where it calls from */
	guint64 index; /* of the call */
	guint64 last;  /* index of the last definition in it */
};

struct regress_alignment {
	GArray *indices;     /* guint64, by definition */
	GHashTable *numbers; /* guint64 *, an index → number + 1 */
	GHashTable *times;   /* guint64 *, an index without its time → guint: how often it came */
	GHashTable *closest; /* term → number + 1 of the last branch in it, 0 = none */
	GArray *frames;	     /* struct frame */
};

/* splitmix64's finalizer: two numbers become one that looks like no other. */
static guint64 mix_context(guint64 a, guint64 b)
{
	guint64 x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x ^ x >> 31) | 1;
}

static guint closest_known(GHashTable *closest, uint32_t term)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(closest, GUINT_TO_POINTER(term)));
}

/* Number + 1 of the last branch that a variable stands for. */
static guint branch_of(const struct regress_trace *t, const struct term_node *n)
{
	return regress_is_branch(regress_definition_at(t, n->a)) ? n->a + 1 : 0;
}

/* Operands first, on a stack of our own: paths of long runs are deep terms. */
static guint closest_branch(struct regress_alignment *a, const struct regress_trace *t, uint32_t of)
{
	g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	g_array_append_val(stack, of);
	while (stack->len) {
		uint32_t term = g_array_index(stack, uint32_t, stack->len - 1);
		const struct term_node *n = term_node(t->pool, term);
		const uint32_t operands[] = { n->a, n->b, n->c };
		guint before = stack->len, last = 0;

		if (n->kind == TERM_VAR)
			last = branch_of(t, n);
		for (int i = 0; i < 3 && n->kind != TERM_VAR && n->kind != IR_CONST; i++) {
			if (operands[i] &&
			    !g_hash_table_contains(a->closest, GUINT_TO_POINTER(operands[i])))
				g_array_append_val(stack, operands[i]);
			else if (operands[i])
				last = MAX(last, closest_known(a->closest, operands[i]));
		}
		if (stack->len > before)
			continue;
		g_hash_table_insert(a->closest, GUINT_TO_POINTER(term), GUINT_TO_POINTER(last));
		g_array_set_size(stack, before - 1);
	}
	return closest_known(a->closest, of);
}

static struct frame *top_frame(const struct regress_alignment *a)
{
	return a->frames->len ? &g_array_index(a->frames, struct frame, a->frames->len - 1) : NULL;
}

/* The frame that a definition stands in; a new one when its function was called. */
static struct frame *frame_of_definition(struct regress_alignment *a, const struct definition *d)
{
	const char *function = d->statement->function;
	struct frame *f;

	/* the stack grows down: what is called stands below */
	while ((f = top_frame(a)) && d->rsp > f->rsp && g_strcmp0(f->function, function) != 0)
		g_array_set_size(a->frames, a->frames->len - 1);
	if (!f || g_strcmp0(f->function, function) != 0) {
		struct frame called = { function, d->rsp, f ? mix_context(f->last, 1) : 1, 1 };

		g_array_append_val(a->frames, called);
		f = top_frame(a);
	}
	f->rsp = d->rsp;
	return f;
}

static guint64 one_more(GHashTable *times, guint64 index)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(times, &index)) + 1;
	guint64 *key = g_new(guint64, 1);

	*key = index;
	g_hash_table_insert(times, key, GUINT_TO_POINTER(n));
	return n;
}

static guint64 execution_index_of(struct regress_alignment *a, const struct regress_trace *t,
				  const struct definition *d, guint64 place)
{
	struct frame *f = frame_of_definition(a, d);
	guint branch = d->reach ? closest_branch(a, t, d->reach) : 0;
	guint64 index = mix_context(f->index, place);

	if (branch) {
		const struct definition *b = regress_definition_at(t, branch - 1);

		index = mix_context(index,
				    mix_context(g_array_index(a->indices, guint64, branch - 1),
						(guint64)b->actual));
	}
	index = mix_context(index, (guint64)d->kind << 8 | d->size);
	index = mix_context(index, one_more(a->times, index));
	f->last = index;
	return index;
}

static void add_index(struct regress_alignment *a, guint number, guint64 index)
{
	guint64 *key = g_new(guint64, 1);

	g_array_append_val(a->indices, index);
	*key = index;
	if (index)
		g_hash_table_insert(a->numbers, key, GUINT_TO_POINTER(number + 1));
	else
		g_free(key);
}

struct regress_alignment *regress_alignment_new(struct regress_trace *t, regress_place *place,
						void *arg)
{
	struct regress_alignment *a = g_new0(struct regress_alignment, 1);

	a->indices = g_array_new(FALSE, FALSE, sizeof(guint64));
	a->numbers = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	a->times = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	a->closest = g_hash_table_new(NULL, NULL);
	a->frames = g_array_new(FALSE, FALSE, sizeof(struct frame));
	for (guint i = 0; i < regress_trace_count(t); i++) {
		const struct definition *d = regress_definition_at(t, i);
		guint64 where =
			d->statement ? place(arg, d->statement->file, d->statement->line) : 0;

		add_index(a, i, where ? execution_index_of(a, t, d, where) : 0);
	}
	return a;
}

void regress_alignment_free(struct regress_alignment *a)
{
	if (!a)
		return;
	g_array_unref(a->indices);
	g_hash_table_unref(a->numbers);
	g_hash_table_unref(a->times);
	g_hash_table_unref(a->closest);
	g_array_unref(a->frames);
	g_free(a);
}

guint64 regress_alignment_index(const struct regress_alignment *a, guint number)
{
	return g_array_index(a->indices, guint64, number);
}

gint64 regress_alignment_find(const struct regress_alignment *a, guint64 index)
{
	gint64 number = (gint64)GPOINTER_TO_UINT(g_hash_table_lookup(a->numbers, &index)) - 1;

	return index ? number : -1;
}
