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
	GArray *standings;	 /* see cause_standings */
	char *before;		 /* from there one of the places can still be reached */
};

static void add_place_away(struct away *a, uint64_t link)
{
	gpointer key = g_memdup2(&link, sizeof(link));

	if (g_hash_table_add(a->met, key))
		g_array_append_val(a->places, link);
}

/* Did the branch go to where the place is executed in any case?  Then control was lost behind it.
 */
static bool led_to(struct away *a, const struct image_cfg *cfg, const struct image_block *branch,
		   const struct image_block *place, uint64_t step)
{
	bool taken = reverse_index_at(a->f->index, step)->value != 0;
	const struct trace_insn *insn = image_insn_at(a->im, branch->last);
	int32_t at;

	if (branch->n_succ != 2 || !insn || insn->flow != TRACE_FLOW_COND)
		return false;
	at = (int32_t)branch->succ[taken ? 0 : 1];
	while (at >= 0 && (uint32_t)at != place->id)
		at = cfg->blocks[at].ipdom;
	return at >= 0;
}

/* The branch was executed last by this step, which went the other way. */
static void led_away(struct away *a, uint64_t step)
{
	struct known_cause made = { .cause.kind = CAUSE_DECIDED, .decides = true, .step = step };
	struct wanted w = { .edge = CAUSE_AWAY, .step = step };

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

	if (!a->before)
		a->before = cause_where_before(a->standings, a->im, link);
	while (f && f->parent)
		f = f->parent;
	cfg = f ? image_cfg(a->im, f) : NULL;
	b = cfg ? image_block_at(a->im, f, link) : NULL;
	if (b && !a->call && !reverse_index_met(a->f->index, f->entry + a->bias)) {
		add_callers(a, f);
		return;
	}
	for (uint32_t i = 0; b && i < b->n_control; i++) {
		const struct image_block *branch = &cfg->blocks[b->control[i]];
		uint64_t pc = branch->last + a->bias, step = UINT64_MAX;

		if (reverse_index_met(a->f->index, pc))
			step = cause_last_step(a->f, a->call, &pc, 1);
		if (step == UINT64_MAX)
			add_place_away(a, branch->last);
		else if (!led_to(a, cfg, branch, b, step))
			led_away(a, step);
	}
}

/* NULL, or where the program stands while the line is still to come. */
static char *find_what_led_away(struct finder *f, const struct stop *line, uint64_t bias,
				const struct call *call)
{
	struct away a = { f,
			  line->image,
			  bias,
			  g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			  g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL),
			  call,
			  cause_standings(f, call),
			  NULL };

	for (guint i = 0; i < line->places->len; i++)
		add_place_away(&a, g_array_index(line->places, uint64_t, i));
	for (guint i = 0; i < a.places->len; i++)
		look_before(&a, g_array_index(a.places, uint64_t, i));
	g_array_free(a.places, TRUE);
	g_hash_table_destroy(a.met);
	g_array_unref(a.standings);
	return a.before;
}

/* The causes of the question become what led away.  Otherwise says why nothing did, and words name
 * the line and what is asked about. */
static bool was_led_away(struct finder *f, const struct stop *line, uint64_t bias,
			 const struct call *call, const char *words, GError **error)
{
	struct known_cause *root = cause_at(f, 0);
	g_autofree char *before = NULL, *message = NULL;

	g_clear_pointer(&root->cause.because, g_array_unref);
	root->cause.because = g_array_new(FALSE, FALSE, sizeof(struct cause_link));
	before = find_what_led_away(f, line, bias, call);
	if (!before && root->cause.because->len)
		return true;
	if (before)
		message = g_strdup_printf("No decision has led away from %s: the program "
					  "stands before it, at %s.",
					  words, before);
	else if (call)
		message = g_strdup_printf("No decision of the function itself led away from %s: "
					  "the call ended before it.",
					  words);
	else
		message = g_strdup_printf("No decision of the recorded code led away from %s: the "
					  "run ended before it, or nothing that ran calls its "
					  "function by name.",
					  words);
	g_set_error_literal(error, STOP_ERROR, STOP_ERROR_REACHED, message);
	cause_tree_free(&f->tree);
	return false;
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
	for (guint i = 0; root->step == UINT64_MAX && i < line->places->len; i++)
		if (pcs[i] == trace_cursor_pc(trace_point_cursor(f->point)))
			return fail_with_line(f,
					      "The program stands before %s, the first time; go on "
					      "by `next', and ask then why it came there.",
					      line->text, error);
	return root->step != UINT64_MAX ||
	       fail_with_line(f,
			      "The run does not come to %1$s before that; `why not line %1$s' "
			      "says why.",
			      line->text, error);
}

static bool is_in_call(struct finder *f, const struct stop *line, uint64_t bias,
		       const struct call *call)
{
	g_autofree uint64_t *pcs = g_new(uint64_t, line->places->len);

	for (guint i = 0; i < line->places->len; i++)
		pcs[i] = g_array_index(line->places, uint64_t, i) + bias;
	return cause_last_step(f, call, pcs, line->places->len) != UINT64_MAX;
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
		call = cause_call_from(f, step);
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
		return fail_with_line(f, "The run does come to %1$s; `why line %1$s' says why.",
				      line->text, error);
	words = g_strdup_printf(
		"%s; ask `why line %s' why, or `why not line %s in %s:%" G_GUINT64_FORMAT
		"' why not in that call",
		line->text, line->text, line->text, function->name, number);
	return fail_with_line(f, "The run does come to %s.", words, error);
}

static bool was_not_reached(struct finder *f, const struct stop *line, uint64_t bias,
			    GError **error)
{
	for (guint i = 0; i < line->places->len; i++)
		if (reverse_index_met(f->index, g_array_index(line->places, uint64_t, i) + bias))
			return fail_reached(f, line, bias, error);
	return was_led_away(f, line, bias, NULL, line->text, error);
}

/* What is asked about becomes the question's text. */
static char *name_asked_part(struct finder *f, const struct stop *line, const char *part)
{
	g_autofree char *words = g_strdup_printf("was not reached in %s", part);

	cause_at(f, 0)->cause.clause = explanation_string(f->e, words);
	return g_strdup_printf("%s, in %s", line->text, part);
}

/* The call came to the line, in an earlier round of a loop perhaps, in which it stands. */
static bool was_not_reached_in_round(struct finder *f, const struct stop *line, uint64_t bias,
				     const struct call *call, GError **error)
{
	g_autofree char *words = NULL;
	struct call round;

	if (!cause_find_round(f, line, bias, call, &round) || is_in_call(f, line, bias, &round))
		return fail_reached(f, line, bias, error);
	words = name_asked_part(f, line, "this round of the loop");
	return was_led_away(f, line, bias, &round, words, error);
}

static bool find_asked_call(struct finder *f, uint64_t bias, const struct image_function *function,
			    uint64_t number, struct call *call, char **name, GError **error)
{
	g_autofree char *words = NULL;
	uint64_t all = 0;

	if (!number && cause_find_open_call(f, function, bias, call)) {
		*name = g_strdup_printf("this call of %s", function->name);
		return true;
	}
	if (number && cause_find_call(f, function->entry + bias, number, &all, call)) {
		*name = g_strdup_printf("call %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " of %s",
					number, all, function->name);
		return true;
	}
	words = number ? g_strdup_printf("%s: the run calls it %" G_GUINT64_FORMAT
					 " time%s until then",
					 function->name, all, all == 1 ? "" : "s")
		       : g_strdup_printf("%s: the program does not stand in one", function->name);
	return fail_with_line(f, "There is no such call of %s.", words, error);
}

struct cause_tree *cause_of_line_in_call(struct explanation *e, const struct trace_point *m,
					 struct reverse_index *index, const struct stop *line,
					 uint64_t bias, const struct image_function *function,
					 uint64_t number, GError **error)
{
	struct finder *f = cause_finder(e, m, index, "");
	g_autofree char *called = NULL, *words = NULL;
	struct call call;
	bool ok;

	take_asked_line(f, line);
	if (!find_asked_call(f, bias, function, number, &call, &called, error))
		return NULL;
	words = name_asked_part(f, line, called);
	if (!is_in_call(f, line, bias, &call))
		ok = was_led_away(f, line, bias, &call, words, error);
	else if (!number)
		ok = was_not_reached_in_round(f, line, bias, &call, error);
	else
		ok = fail_with_line(f, "The run does come to %s.", words, error);
	return ok ? &f->tree : NULL;
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
