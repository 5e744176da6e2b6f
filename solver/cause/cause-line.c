/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a line was reached, or why it never was. */
#include "solver/cause/cause-private.h"

#include "solver/base/hash.h"

/* Places that control would have to reach.  A branch before one of them that was executed led
 * away from it. */
struct away {
	struct finder *f;
	const struct image *im;
	uint64_t bias;
	GArray *places;	 /* uint64_t: link-time addresses; the loop below adds to them */
	GHashTable *met; /* of .places */
};

static void add_place(struct away *a, uint64_t link)
{
	gpointer key = g_memdup2(&link, sizeof(link));

	if (g_hash_table_add(a->met, key))
		g_array_append_val(a->places, link);
}

/* The branch at the end of a block, the last time that it went the other way. */
static void led_away(struct away *a, uint64_t pc)
{
	struct known_cause made = { .cause.kind = CAUSE_DECIDED, .decides = true };
	struct wanted w = { .edge = CAUSE_AWAY };

	made.step = reverse_index_find_insn(a->f->index, reverse_index_steps(a->f->index), &pc, 1);
	w.step = made.step;
	if (made.step != UINT64_MAX)
		cause_add(a->f, cause_at(a->f, 0), &made, &w, NULL);
}

/* Adds the code that calls the function.  Calls through pointers are not known. */
static void add_callers(struct away *a, const struct image_function *f)
{
	const struct trace_insn *insns;
	size_t n = image_insns(a->im, &insns);

	for (size_t i = 0; i < n; i++)
		if ((insns[i].flow == TRACE_FLOW_CALL || insns[i].flow == TRACE_FLOW_JUMP) &&
		    insns[i].target == f->entry && image_function_at(a->im, insns[i].addr) != f)
			add_place(a, insns[i].addr);
}

static void look_before(struct away *a, uint64_t link)
{
	const struct image_function *f = image_function_at(a->im, link);
	const struct image_cfg *cfg;
	const struct image_block *b;

	while (f && f->parent)
		f = f->parent;
	cfg = f ? image_cfg(a->im, f) : NULL;
	b = cfg ? image_block_at(a->im, f, link) : NULL;
	if (b && !reverse_index_met(a->f->index, f->entry + a->bias)) {
		add_callers(a, f);
		return;
	}
	for (uint32_t i = 0; b && i < b->n_control; i++) {
		uint64_t last = cfg->blocks[b->control[i]].last;

		if (reverse_index_met(a->f->index, last + a->bias))
			led_away(a, last + a->bias);
		else
			add_place(a, last);
	}
}

static void find_what_led_away(struct finder *f, const struct stop *line, uint64_t bias)
{
	struct away a = { f, line->image, bias, g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			  g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL) };

	for (guint i = 0; i < line->places->len; i++)
		add_place(&a, g_array_index(line->places, uint64_t, i));
	for (guint i = 0; i < a.places->len; i++)
		look_before(&a, g_array_index(a.places, uint64_t, i));
	g_array_free(a.places, TRUE);
	g_hash_table_destroy(a.met);
}

static bool fail(struct finder *f, const char *format, const char *line, GError **error)
	G_GNUC_PRINTF(2, 0);

static bool fail(struct finder *f, const char *format, const char *line, GError **error)
{
	g_autofree char *message = g_strdup_printf(format, line);

	g_set_error_literal(error, STOP_ERROR, STOP_ERROR_REACHED, message);
	cause_tree_free(&f->tree);
	return false;
}

/* The question's place is the line itself. */
static void take_line(struct finder *f, const struct stop *line)
{
	uint64_t link = g_array_index(line->places, uint64_t, 0);
	const struct image_row *row = image_row_at(line->image, link);

	if (row)
		cause_take_line(f, cause_at(f, 0), line->image,
				image_statement(line->image, row->statement));
}

static bool was_reached(struct finder *f, const struct stop *line, uint64_t bias, GError **error)
{
	g_autofree uint64_t *pcs = g_new(uint64_t, line->places->len);
	struct known_cause *root = cause_at(f, 0);

	for (guint i = 0; i < line->places->len; i++)
		pcs[i] = g_array_index(line->places, uint64_t, i) + bias;
	root->step = reverse_index_find_insn(f->index, reverse_index_steps(f->index), pcs,
					     line->places->len);
	return root->step != UINT64_MAX ||
	       fail(f, "The run does not come to %s before that; ask `why not line N' why.",
		    line->text, error);
}

static bool was_not_reached(struct finder *f, const struct stop *line, uint64_t bias,
			    GError **error)
{
	struct known_cause *root = cause_at(f, 0);

	for (guint i = 0; i < line->places->len; i++)
		if (reverse_index_met(f->index, g_array_index(line->places, uint64_t, i) + bias))
			return fail(f, "The run does come to %s; ask `why line N' why.", line->text,
				    error);
	root->cause.because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
	find_what_led_away(f, line, bias);
	return root->cause.because->len ||
	       fail(f,
		    "No decision of the recorded code led away from %s: the run ended before "
		    "it, or nothing that ran calls its function by name.",
		    line->text, error);
}

struct cause_tree *cause_of_line(struct explanation *e, const struct trace_point *m,
				 struct reverse_index *index, const struct stop *line,
				 uint64_t bias, bool reached, GError **error)
{
	struct finder *f = cause_finder(e, m, index, reached ? "was reached" : "was not reached");
	bool ok;

	take_line(f, line);
	ok = reached ? was_reached(f, line, bias, error) : was_not_reached(f, line, bias, error);
	return ok ? &f->tree : NULL;
}
