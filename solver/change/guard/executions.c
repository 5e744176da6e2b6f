/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/guard/executions.h"
#include "solver/source/operand-text.h"

#include <string.h>

struct dividing {
	const struct guard_samples *s;
	const char *line;
	const struct limits *limits;
	GArray *found;	  /* struct guard */
	GHashTable *ways; /* char *: in which executions a guard holds → its place in found, + 1 */
};

/* How near a variable is to the line. */
enum nearness { STANDS_THERE, MEMBER_OF_IT, ELSEWHERE };

/* The `q' of `q->n', `q.n', `*q' and `q[1]'. */
static char *base_of_watch(const char *text)
{
	text += strspn(text, "*");
	return g_strndup(text, strcspn(text, "-.["));
}

static enum nearness nearness_to_line(const struct dividing *d, const struct watch *w)
{
	g_autofree char *base = base_of_watch(w->text);
	g_autofree char *word = g_strconcat("\\b", base, "\\b", NULL);

	return operand_text_has(d->line, w->text)	   ? STANDS_THERE
	       : g_regex_match_simple(word, d->line, 0, 0) ? MEMBER_OF_IT
							   : ELSEWHERE;
}

static double cost_of_nearness(const struct dividing *d, const struct watch *w)
{
	return (double)d->limits->condition_away / 100 * nearness_to_line(d, w);
}

static bool noted_value(const struct dividing *d, const struct guard_hit *h, guint watch,
			int64_t *out)
{
	const struct trace_note *n =
		&g_array_index(d->s->values, struct trace_note, h->first + watch);

	*out = watch_value(d->s->watches->pdata[watch], n->value);
	return n->known;
}

/* "0101", one digit for each execution; NULL: it holds in all or in none, or nobody knows.  w:
 * G_MAXUINT = the constant.  Free it. */
static char *division_by(const struct dividing *d, const struct guard_part *part, guint v, guint w)
{
	GString *digits = g_string_new(NULL);
	bool known = true;

	for (guint i = 0; known && i < d->s->hits->len; i++) {
		const struct guard_hit *h = &g_array_index(d->s->hits, struct guard_hit, i);
		int64_t a = 0, b = part->constant;

		known = noted_value(d, h, v, &a) && (w == G_MAXUINT || noted_value(d, h, w, &b));
		g_string_append_c(digits, guard_holds(part, a, b) ? '1' : '0');
	}
	if (known && strchr(digits->str, '0') && strchr(digits->str, '1'))
		return g_string_free(digits, FALSE);
	g_string_free(digits, TRUE);
	return NULL;
}

static void offer_division(struct dividing *d, const struct guard_part *part, guint v, guint w,
			   double cost)
{
	char *digits = division_by(d, part, v, w);
	const struct guard g = { .is = *part, .cost = cost };
	guint at;

	if (!digits)
		return;
	at = GPOINTER_TO_UINT(g_hash_table_lookup(d->ways, digits));
	if (!at) {
		g_array_append_val(d->found, g);
		g_hash_table_insert(d->ways, digits, GUINT_TO_POINTER(d->found->len));
		return;
	}
	if (cost < g_array_index(d->found, struct guard, at - 1).cost)
		g_array_index(d->found, struct guard, at - 1) = g;
	g_free(digits);
}

static bool is_ordered(const struct watch *v)
{
	return v->type->kind != IMAGE_TYPE_POINTER && v->type->kind != IMAGE_TYPE_BOOL;
}

static void offer_with_constant(struct dividing *d, guint v, int64_t constant, double cost)
{
	const struct watch *watch = d->s->watches->pdata[v];

	for (enum guard_op op = is_ordered(watch) ? GUARD_LT : GUARD_EQ; op <= GUARD_NE; op++) {
		const struct guard_part part = { .v = watch, .op = op, .constant = constant };

		offer_division(d, &part, v, G_MAXUINT, cost);
	}
}

/* A letter is compared with letters. */
static bool is_letter_watch(const struct watch *w)
{
	return w->type->kind == IMAGE_TYPE_CHAR ||
	       (w->type->kind == IMAGE_TYPE_INT && w->size == 1);
}

/* A line that compares with characters may lack one that was seen there.  Of letters and digits
 * there are many, and most stand for all of their kind. */
static void offer_characters(struct dividing *d, guint v, double cost)
{
	if (!operand_text_is_character_asked(d->line) || !strchr(d->line, '\''))
		return;
	for (guint i = 0; i < d->s->hits->len; i++) {
		struct guard_part part = { .v = d->s->watches->pdata[v], .op = GUARD_EQ };
		const struct guard_hit *h = &g_array_index(d->s->hits, struct guard_hit, i);

		if (noted_value(d, h, v, &part.constant) && part.constant > 0 &&
		    part.constant < 0x7f && !g_ascii_isalnum((char)part.constant))
			offer_division(d, &part, v, G_MAXUINT, cost);
	}
}

/* A floating-point constant would be one of its bits. */
static void offer_constants(struct dividing *d, guint v, const GArray *constants)
{
	const struct watch *watch = d->s->watches->pdata[v];
	const double near = cost_of_nearness(d, watch);

	if (nearness_to_line(d, watch) == ELSEWHERE)
		return;
	offer_with_constant(d, v, 0, near + (double)d->limits->condition_zero / 100);
	if (!is_ordered(watch) || watch->type->kind == IMAGE_TYPE_FLOAT ||
	    (is_letter_watch(watch) && nearness_to_line(d, watch) != STANDS_THERE))
		return;
	for (guint i = 0; i < constants->len; i++)
		offer_with_constant(d, v, g_array_index(constants, int64_t, i),
				    near + (double)d->limits->condition_constant / 100);
	if (nearness_to_line(d, watch) == STANDS_THERE)
		offer_characters(d, v, near + (double)d->limits->condition_constant / 100);
}

static void offer_with_others(struct dividing *d, guint v)
{
	const struct watch *a = d->s->watches->pdata[v];

	for (guint w = v + 1; w < d->s->watches->len; w++) {
		const struct watch *b = d->s->watches->pdata[w];
		const double cost = (double)d->limits->guard_variables / 100 +
				    cost_of_nearness(d, a) + cost_of_nearness(d, b) +
				    (double)(d->limits->guard_later * (v + w)) / 100;

		if (!watches_are_comparable(a, b) || is_letter_watch(a) != is_letter_watch(b) ||
		    MAX(nearness_to_line(d, a), nearness_to_line(d, b)) == ELSEWHERE)
			continue;
		for (enum guard_op op = is_ordered(a) ? GUARD_LT : GUARD_EQ; op <= GUARD_NE; op++) {
			const struct guard_part part = { .v = a, .w = b, .op = op };

			offer_division(d, &part, v, w, cost);
		}
	}
}

static gint cheaper_first(gconstpointer a, gconstpointer b)
{
	const struct guard *x = a, *y = b;

	return (x->cost > y->cost) - (x->cost < y->cost);
}

GArray *guards_of_executions(const struct guard_samples *s, const char *line,
			     const GArray *constants, const struct limits *limits)
{
	struct dividing d = { s, line, limits, g_array_new(FALSE, FALSE, sizeof(struct guard)),
			      g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL) };

	for (guint v = 0; v < s->watches->len; v++) {
		offer_constants(&d, v, constants);
		offer_with_others(&d, v);
	}
	g_hash_table_unref(d.ways);
	g_array_sort(d.found, cheaper_first);
	if (d.found->len > limits->condition_tries)
		g_array_set_size(d.found, (guint)limits->condition_tries);
	return d.found;
}
