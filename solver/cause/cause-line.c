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
	GArray *places;		 /* uint64_t: link-time addresses; the loop below adds to them */
	GHashTable *met;	 /* of .places */
	const struct call *call; /* NULL = the whole run is asked about */
};

/* One call of a function. */
struct call {
	uint64_t first, end; /* steps, .end is behind the last one */
	uint32_t depth;	     /* of its own instructions */
};

static void add_place_away(struct away *a, uint64_t link)
{
	gpointer key = g_memdup2(&link, sizeof(link));

	if (g_hash_table_add(a->met, key))
		g_array_append_val(a->places, link);
}

/* The last step that executed one of the instructions: in the call, if one is asked about, and not
 * in those that it makes. */
static uint64_t last_step(struct finder *f, const struct call *call, const uint64_t *pcs,
			  unsigned n)
{
	uint64_t step = call ? call->end : reverse_index_steps(f->index);

	do
		step = reverse_index_find_insn(f->index, call ? call->first : 0, step, pcs, n);
	while (call && step != UINT64_MAX &&
	       reverse_index_at(f->index, step)->depth != call->depth);
	return step;
}

/* The branch at the end of a block, the last time that it went the other way. */
static void led_away(struct away *a, uint64_t pc)
{
	struct known_cause made = { .cause.kind = CAUSE_DECIDED, .decides = true };
	struct wanted w = { .edge = CAUSE_AWAY };

	made.step = last_step(a->f, a->call, &pc, 1);
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
			add_place_away(a, insns[i].addr);
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
	if (b && !a->call && !reverse_index_met(a->f->index, f->entry + a->bias)) {
		add_callers(a, f);
		return;
	}
	for (uint32_t i = 0; b && i < b->n_control; i++) {
		uint64_t last = cfg->blocks[b->control[i]].last, pc = last + a->bias;

		if (reverse_index_met(a->f->index, pc) &&
		    (!a->call || last_step(a->f, a->call, &pc, 1) != UINT64_MAX))
			led_away(a, pc);
		else
			add_place_away(a, last);
	}
}

static void find_what_led_away(struct finder *f, const struct stop *line, uint64_t bias,
			       const struct call *call)
{
	struct away a = { f,
			  line->image,
			  bias,
			  g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			  g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL),
			  call };

	for (guint i = 0; i < line->places->len; i++)
		add_place_away(&a, g_array_index(line->places, uint64_t, i));
	for (guint i = 0; i < a.places->len; i++)
		look_before(&a, g_array_index(a.places, uint64_t, i));
	g_array_free(a.places, TRUE);
	g_hash_table_destroy(a.met);
}

static bool fail_with_line(struct finder *f, const char *format, const char *line, GError **error)
	G_GNUC_PRINTF(2, 0);

static bool fail_with_line(struct finder *f, const char *format, const char *line, GError **error)
{
	g_autofree char *message = g_strdup_printf(format, line);

	g_set_error_literal(error, STOP_ERROR, STOP_ERROR_REACHED, message);
	cause_tree_free(&f->tree);
	return false;
}

/* The question's place is the line itself. */
static void take_asked_line(struct finder *f, const struct stop *line)
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
	root->step = reverse_index_find_insn(f->index, 0, reverse_index_steps(f->index), pcs,
					     line->places->len);
	return root->step != UINT64_MAX ||
	       fail_with_line(f,
			      "The run does not come to %s before that; ask `why not line N' why.",
			      line->text, error);
}

/* ---- in one call ---- */

/* The last step before the given one that is of a caller; UINT64_MAX = there is none. */
static uint64_t last_outside(struct finder *f, uint64_t before, uint32_t depth)
{
	uint64_t call;

	reverse_index_find_branch(f->index, before, depth, NULL, 0, &call);
	return call;
}

/* Where the call that began with the step ended, by halves. */
static uint64_t end_of_call(struct finder *f, uint64_t first, uint32_t depth)
{
	uint64_t open = first + 1, closed = reverse_index_steps(f->index), at;

	for (at = closed; open < closed; at = open + (closed - open) / 2) {
		uint64_t outside = last_outside(f, at, depth);

		if (outside != UINT64_MAX && outside > first)
			closed = MIN(at == closed ? closed : at, outside);
		else if (at == closed)
			return closed;
		else
			open = at + 1;
	}
	return closed;
}

static struct call call_from(struct finder *f, uint64_t first)
{
	uint32_t depth = reverse_index_at(f->index, first)->depth;

	return (struct call){ first, end_of_call(f, first, depth), depth };
}

/* The call that the stop is in; false when the stop is not in that function, or it just begins. */
static bool find_open_call(struct finder *f, const struct image_function *function, uint64_t bias,
			   struct call *out)
{
	uint64_t end = reverse_index_steps(f->index), outside;
	struct reverse_index_step last, first;
	const struct reverse_index_insn *info;

	if (!end)
		return false;
	last = *reverse_index_at(f->index, end - 1);
	info = reverse_index_insn_of(f->index, &last);
	if (info->insn->flow == TRACE_FLOW_RET)
		last.depth--;
	outside = last_outside(f, end, last.depth);
	out->first = outside == UINT64_MAX ? 0 : outside + 1;
	if (out->first >= end)
		return false;
	first = *reverse_index_at(f->index, out->first);
	out->end = end;
	out->depth = last.depth;
	return reverse_index_insn_of(f->index, &first)->pc == function->entry + bias;
}

/* Finds the call with that number among *all of the function. */
static bool find_call(struct finder *f, uint64_t entry, uint64_t number, uint64_t *all,
		      struct call *out)
{
	g_autoptr(GArray) firsts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	uint64_t step = reverse_index_steps(f->index);

	while ((step = reverse_index_find_insn(f->index, 0, step, &entry, 1)) != UINT64_MAX)
		g_array_append_val(firsts, step);
	*all = firsts->len;
	if (!number || number > firsts->len)
		return false;
	*out = call_from(f, g_array_index(firsts, uint64_t, firsts->len - (guint)number));
	return true;
}

static bool is_in_call(struct finder *f, const struct stop *line, uint64_t bias,
		       const struct call *call)
{
	g_autofree uint64_t *pcs = g_new(uint64_t, line->places->len);

	for (guint i = 0; i < line->places->len; i++)
		pcs[i] = g_array_index(line->places, uint64_t, i) + bias;
	return last_step(f, call, pcs, line->places->len) != UINT64_MAX;
}

/* The number of the last call that did not come to the line; 0 = each one did, or there are more
 * calls than are looked at. */
static uint64_t last_call_without(struct finder *f, const struct stop *line, uint64_t bias,
				  const struct image_function *function)
{
	uint64_t entry = function->entry + bias, step = reverse_index_steps(f->index), behind = 0;
	uint64_t n = 0, most = reverse_index_limits(f->index)->line_calls;
	struct call call;

	while ((step = reverse_index_find_insn(f->index, 0, step, &entry, 1)) != UINT64_MAX) {
		if (++n > most)
			return 0;
		call = call_from(f, step);
		if (!behind && !is_in_call(f, line, bias, &call))
			behind = n;
	}
	return behind ? n + 1 - behind : 0;
}

/* Other calls of its function may not have come to the line. */
static bool fail_reached(struct finder *f, const struct stop *line, uint64_t bias, GError **error)
{
	const struct image_function *function =
		image_function_at(line->image, g_array_index(line->places, uint64_t, 0));
	uint64_t number = 0;
	g_autofree char *words = NULL;

	while (function && function->parent)
		function = function->parent;
	if (function)
		number = last_call_without(f, line, bias, function);
	if (!number)
		return fail_with_line(f, "The run does come to %s; ask `why line N' why.",
				      line->text, error);
	words = g_strdup_printf(
		"%s; ask `why line N' why, or `why not line N in %s:%" G_GUINT64_FORMAT
		"' why not in that call",
		line->text, function->name, number);
	return fail_with_line(f, "The run does come to %s.", words, error);
}

static bool was_not_reached(struct finder *f, const struct stop *line, uint64_t bias,
			    GError **error)
{
	struct known_cause *root = cause_at(f, 0);

	for (guint i = 0; i < line->places->len; i++)
		if (reverse_index_met(f->index, g_array_index(line->places, uint64_t, i) + bias))
			return fail_reached(f, line, bias, error);
	root->cause.because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
	find_what_led_away(f, line, bias, NULL);
	return root->cause.because->len ||
	       fail_with_line(
		       f,
		       "No decision of the recorded code led away from %s: the run ended before "
		       "it, or nothing that ran calls its function by name.",
		       line->text, error);
}

struct cause_tree *cause_of_line_in_call(struct explanation *e, const struct trace_point *m,
					 struct reverse_index *index, const struct stop *line,
					 uint64_t bias, const struct image_function *function,
					 uint64_t number, GError **error)
{
	struct finder *f = cause_finder(e, m, index, "");
	struct known_cause *root = cause_at(f, 0);
	g_autofree char *called = NULL, *words = NULL;
	struct call call;
	uint64_t all = 0;

	take_asked_line(f, line);
	if (number ? !find_call(f, function->entry + bias, number, &all, &call)
		   : !find_open_call(f, function, bias, &call)) {
		words = number ? g_strdup_printf("the run calls it %" G_GUINT64_FORMAT
						 " time%s until then",
						 all, all == 1 ? "" : "s")
			       : g_strdup("the program does not stand in one");
		called = g_strdup_printf("%s: %s", function->name, words);
		fail_with_line(f, "There is no such call of %s.", called, error);
		return NULL;
	}
	called = number ? g_strdup_printf("call %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
					  " of %s",
					  number, all, function->name)
			: g_strdup_printf("this call of %s", function->name);
	words = g_strdup_printf("was not reached in %s", called);
	root->cause.clause = explanation_string(e, words);
	g_free(words);
	words = g_strdup_printf("%s, in %s", line->text, called);
	if (is_in_call(f, line, bias, &call)) {
		if (!number)
			fail_reached(f, line, bias, error);
		else
			fail_with_line(f, "The run does come to %s.", words, error);
		return NULL;
	}
	root->cause.because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
	find_what_led_away(f, line, bias, &call);
	if (root->cause.because->len)
		return &f->tree;
	fail_with_line(
		f, "No decision of the function itself led away from %s: the call ended before it.",
		words, error);
	return NULL;
}

struct cause_tree *cause_of_line(struct explanation *e, const struct trace_point *m,
				 struct reverse_index *index, const struct stop *line,
				 uint64_t bias, bool reached, GError **error)
{
	struct finder *f = cause_finder(e, m, index, reached ? "was reached" : "was not reached");
	bool ok;

	take_asked_line(f, line);
	ok = reached ? was_reached(f, line, bias, error) : was_not_reached(f, line, bias, error);
	return ok ? &f->tree : NULL;
}
