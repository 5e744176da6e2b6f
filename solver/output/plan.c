/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/plan-private.h"
#include "solver/output/lines.h"
#include "solver/output/match.h"
#include "solver/output/shown.h"
#include "solver/output/wanted.h"
#include "solver/base/hash.h"
#include "solver/trace/superblock/prefix-counts.h"

#include <string.h>

static void clear_check(gpointer data)
{
	struct output_check *c = data;

	if (c->others)
		g_array_free(c->others, TRUE);
}

/* ---- checks ---- */

static struct output_check *add_planned_check(struct planning *g, const struct printed_call *call,
					      enum output_check_kind kind, bool keeps)
{
	struct output_check c = { .kind = kind,
				  .pc = call->pc,
				  .nth = call->nth,
				  .step = call->step,
				  .call = call,
				  .keeps = keeps };
	struct output_plan *plan = g->plan;

	if (!keeps && plan->first == G_MAXUINT) {
		plan->first = plan->checks->len;
		plan->call = call;
		plan->step = call->step;
	}
	g_array_append_val(plan->checks, c);
	return &g_array_index(plan->checks, struct output_check, plan->checks->len - 1);
}

/* If there were a call more or less before it, it would be another execution of its instruction. */
static bool is_counted_otherwise(struct planning *g, const struct printed_call *call)
{
	return g_hash_table_contains(g->shifted, &call->pc);
}

static bool is_number_directive(enum directive_kind kind)
{
	return kind == DIRECTIVE_INT || kind == DIRECTIVE_CHAR || kind == DIRECTIVE_FLOAT;
}

static struct output_check value_check(const struct match_item *item,
				       const struct directive_value *v)
{
	const struct directive *d = &item->piece->directive;

	return (struct output_check){ .kind = OUTPUT_VALUE,
				      .pc = item->call->pc,
				      .nth = item->call->nth,
				      .step = item->call->step,
				      .call = item->call,
				      .place = item->piece->place,
				      .size = d->size,
				      .is_float = d->kind == DIRECTIVE_FLOAT,
				      .low = v->low,
				      .high = v->high };
}

static void require_value(struct planning *g, const struct match_item *item,
			  const struct directive_value *v, bool keeps)
{
	struct output_check *c = add_planned_check(g, item->call, OUTPUT_VALUE, keeps);

	*c = value_check(item, v);
	c->keeps = keeps;
}

static size_t same_characters(const struct match_item *item, const struct directive_value *v)
{
	size_t n = 0;

	while (n < v->length && n < item->actual_length && v->text[n] == item->actual[n])
		n++;
	return n;
}

static void require_string(struct planning *g, const struct match_item *item,
			   const struct directive_value *v)
{
	struct output_check *c = add_planned_check(g, item->call, OUTPUT_STRING, false);

	c->place = item->piece->place;
	c->address = item->piece->bits;
	c->skip = item->skipped;
	c->text = v->text;
	c->length = v->length;
	c->differs = same_characters(item, v);
	c->whole = v->whole && !item->skipped && !item->cut &&
		   item->piece->directive.kind == DIRECTIVE_STRING;
	if (!c->whole)
		return;
	c->others = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	wanted_strings(g->p, g->run, v->text, v->length, c->others);
}

/* False: it cannot be required that the item prints what is expected. */
static void require_item(struct planning *g, const struct match_item *item)
{
	enum directive_kind kind = item->piece->directive.kind;
	bool same = item->expected_length == item->actual_length &&
		    memcmp(item->expected, item->actual, item->actual_length) == 0;
	struct directive_value v;

	if (is_counted_otherwise(g, item->call)) {
		g->ended = true;
		return;
	}
	if (kind == DIRECTIVE_TEXT || kind == DIRECTIVE_OPAQUE || kind == DIRECTIVE_COUNT ||
	    (same && !is_number_directive(kind)) || !match_read(item, &v))
		return;
	if (kind == DIRECTIVE_STRING || kind == DIRECTIVE_BYTES)
		require_string(g, item, &v);
	else
		require_value(g, item, &v, same);
}

/* What was printed rightly there has to stay so. */
static void keep_bytes(struct planning *g, uint64_t from, uint64_t to)
{
	g_autoptr(GArray) items = match_items_of(g->p, g->stream, from, to);

	for (guint i = 0; items && i < items->len; i++) {
		struct match_item *item = &g_array_index(items, struct match_item, i);

		item->expected = item->actual;
		item->expected_length = item->actual_length;
		if (is_number_directive(item->piece->directive.kind))
			require_item(g, item);
	}
}

static uint64_t beginning_of_line(const GArray *lines, guint i, uint64_t end)
{
	return i < lines->len ? g_array_index(lines, struct text_line, i).at : end;
}

static void keep_lines(struct planning *g, guint from, guint to)
{
	uint64_t end = g->p->text[g->stream]->len;

	keep_bytes(g, beginning_of_line(g->actual_lines, from, end),
		   beginning_of_line(g->actual_lines, to, end));
}

/* ---- other calls should have run ---- */

static bool count_wanted(struct planning *g, uint64_t step, GError **error)
{
	struct lift *lift = lift_new();
	struct prefix_counts *counts = prefix_counts_new(g->run, lift, step, error);
	bool ok = counts != NULL;

	for (guint i = 0; ok && i < g->plan->wanted->len; i++) {
		uint64_t n = prefix_counts_of(counts, g_array_index(g->plan->wanted, uint64_t, i));

		g_array_append_val(g->plan->wanted_before, n);
	}
	prefix_counts_free(counts);
	lift_free(lift);
	return ok;
}

static bool is_wanted_pc(const struct planning *g, uint64_t pc)
{
	for (guint i = 0; i < g->plan->wanted->len; i++)
		if (g_array_index(g->plan->wanted, uint64_t, i) == pc)
			return true;
	return false;
}

/* What a call has to be given so that it prints the text; one whose format the run showed. */
static void want_values(struct planning *g, const struct printed_call *call, const char *text,
			size_t length)
{
	g_autoptr(GArray) items = match_items_of(g->p, g->stream, call->from, call->to);

	if (!items || !match_items(items, text, length, true, g->p->limits))
		return;
	for (guint i = 0; i < items->len; i++) {
		const struct match_item *item = &g_array_index(items, struct match_item, i);
		struct directive_value v;
		struct output_check c;

		/* what lies on the stack may lie elsewhere then */
		if (item->piece->made_by || item->piece->place.kind != PRINTED_REGISTER ||
		    !is_number_directive(item->piece->directive.kind) || !match_read(item, &v))
			continue;
		c = value_check(item, &v);
		g_array_append_val(g->plan->wanted_values, c);
	}
}

static void want_values_of_calls(struct planning *g, const char *text, size_t length)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(hash_u64, g_int64_equal);

	for (guint i = 0; i < g->p->calls[g->stream]->len; i++) {
		const struct printed_call *call = g->p->calls[g->stream]->pdata[i];

		if (!is_wanted_pc(g, call->pc) || !g_hash_table_add(seen, (gpointer)&call->pc))
			continue;
		want_values(g, call, text, length);
		g_hash_table_add(g->shifted, (gpointer)&call->pc);
	}
}

/* What printed the byte (or the run's end) is not what comes next: this text should be. */
static void require_other(struct planning *g, uint64_t at, const char *text, size_t length)
{
	const struct printed_call *call = printed_call_at(g->p, g->stream, at);
	struct output_plan *plan = g->plan;
	bool again = plan->wanted->len || plan->wanted_sentence;

	g->ended = true;
	if (again)
		return; /* of two texts that are missing, one is looked for */
	if (!call && at < g->p->text[g->stream]->len)
		return; /* nobody knows what printed it */
	if (call && is_counted_otherwise(g, call))
		return;
	if (call)
		add_planned_check(g, call, OUTPUT_NOT_HERE, false);
	else if (plan->first == G_MAXUINT)
		plan->step = g->p->steps;
	plan->at_end = !call;
	if (length && wanted_find(g->p, g->stream, g->run, text, length, plan->wanted)) {
		want_values_of_calls(g, text, length);
	} else if (length && !plan->wanted_sentence) {
		g_autofree char *shown = shown_line(text, length);

		plan->wanted_sentence = g_strdup_printf(
			"no format and no constant of the program prints %s as a whole", shown);
	}
}

static void require_missing(struct planning *g, guint actual, guint expected)
{
	const struct text_line *e = &g_array_index(g->expected_lines, struct text_line, expected);
	uint64_t end = g->p->text[g->stream]->len;
	uint64_t at = beginning_of_line(g->actual_lines, actual, end);

	if (plan_is_first(g))
		plan_say_missing(g, actual, expected);
	require_other(g, at, e->text, e->length);
	/* what comes behind it is as known as before */
	g->ended = g->plan->at_end || !g->plan->wanted->len;
}

static bool is_changed_item(const struct match_item *item)
{
	return item->expected_length != item->actual_length ||
	       memcmp(item->expected, item->actual, item->actual_length) != 0;
}

/* Calls that were too many can print a shorter line only where strings become empty and the others
 * take over what is left: then nobody meant them to. */
static bool is_forced(const GArray *items)
{
	unsigned changed = 0, emptied = 0;

	for (guint i = 0; i < items->len; i++) {
		const struct match_item *item = &g_array_index(items, struct match_item, i);

		changed += is_changed_item(item);
		emptied += item->actual_length && !item->expected_length;
	}
	return emptied > 1 || (emptied && changed > 2);
}

static GArray *matched_line(struct planning *g, guint actual, guint expected)
{
	const struct text_line *a = &g_array_index(g->actual_lines, struct text_line, actual),
			       *e = &g_array_index(g->expected_lines, struct text_line, expected);
	GArray *items = match_items_of(g->p, g->stream, a->at, a->at + a->length);

	if (!items ||
	    (match_items(items, e->text, e->length, false, g->p->limits) && !is_forced(items)))
		return items;
	g_array_free(items, TRUE);
	return NULL;
}

static void require_items(struct planning *g, const GArray *items)
{
	for (guint i = 0; i < items->len; i++)
		require_item(g, &g_array_index(items, struct match_item, i));
}

/* The next line that is expected may be one that the same calls print with other arguments. */
static void require_no_extra(struct planning *g, guint actual, guint expected)
{
	uint64_t at = g_array_index(g->actual_lines, struct text_line, actual).at;
	const struct printed_call *call = printed_call_at(g->p, g->stream, at);
	g_autoptr(GArray) items =
		expected < g->expected_lines->len ? matched_line(g, actual, expected) : NULL;
	guint before = g->plan->checks->len;

	if (plan_is_first(g))
		plan_say_extra(g, actual);
	if (items)
		require_items(g, items);
	if (!call)
		g->ended = true;
	else if (g->plan->checks->len == before)
		g_hash_table_add(
			g->shifted,
			(gpointer)&add_planned_check(g, call, OUTPUT_NOT_HERE, false)->call->pc);
	else
		g->ended = true; /* the call may print what comes next, or not be made */
	for (guint i = before; i < g->plan->checks->len; i++)
		g_array_index(g->plan->checks, struct output_check, i).is_extra = true;
}

/* The call may have to print another value, although the line then goes on otherwise; false when
 * it cannot print what is expected. */
static bool require_values_of_call(struct planning *g, const struct printed_call *call,
				   const char *text, size_t length)
{
	g_autoptr(GArray) items = match_items_of(g->p, g->stream, call->from, call->to);
	guint before = g->plan->checks->len;

	if (!items || wanted_is_literal(call, items) ||
	    !match_items(items, text, length, true, g->p->limits))
		return false;
	require_items(g, items);
	for (guint i = before; i < g->plan->checks->len; i++)
		if (!g_array_index(g->plan->checks, struct output_check, i).keeps) {
			g->ended = true;
			return true;
		}
	g_array_set_size(g->plan->checks, before);
	return false;
}

/* The first byte of the line that differs, and the call that printed it. */
static void require_other_in_line(struct planning *g, guint actual, guint expected)
{
	const struct text_line *a = &g_array_index(g->actual_lines, struct text_line, actual),
			       *e = &g_array_index(g->expected_lines, struct text_line, expected);
	const struct printed_call *call;
	size_t same = 0, from;

	while (same < MIN(a->length, e->length) && a->text[same] == e->text[same])
		same++;
	call = printed_call_at(g->p, g->stream, a->at + same);
	if (call && call->from > a->at)
		keep_bytes(g, a->at, call->from);
	from = call && call->from > a->at ? (size_t)(call->from - a->at) : call ? 0 : same;
	if (call && call->from >= a->at &&
	    require_values_of_call(g, call, e->text + from, e->length - from))
		return;
	require_other(g, a->at + same, e->text + from, e->length - from);
}

static void compare_line(struct planning *g, guint actual, guint expected)
{
	g_autoptr(GArray) items = matched_line(g, actual, expected);
	guint before = g->plan->checks->len;

	if (plan_is_first(g))
		plan_say_changed(g, actual, expected);
	if (items) {
		require_items(g, items);
		for (guint i = before; i < g->plan->checks->len; i++)
			if (!g_array_index(g->plan->checks, struct output_check, i).keeps)
				return;
		g_array_set_size(g->plan->checks, before);
	}
	require_other_in_line(g, actual, expected);
}

static void compare_in_turn(struct planning *g, const struct lines_hunk *h)
{
	guint i = h->actual, j = h->expected;

	for (; i < h->actual_end && j < h->expected_end && !g->ended; i++, j++)
		compare_line(g, i, j);
	if (j < h->expected_end && !g->ended)
		require_missing(g, i, j);
	for (; i < h->actual_end && !g->ended; i++)
		require_no_extra(g, i, j);
}

/* Could the calls of the one line have printed the other? */
static bool may_stand_for(guint actual, guint expected, gpointer data)
{
	const struct planning *g = data;
	g_autoptr(GArray) items = matched_line(data, actual, expected);

	return items && wanted_constants_exist(g->p, g->run, items);
}

/* Lines go together that the same calls print; the others are missing, extra or other ones. */
static void compare_hunk(struct planning *g, const struct lines_hunk *h)
{
	guint n = h->actual_end - h->actual, m = h->expected_end - h->expected;
	guint i = h->actual, j = h->expected;
	g_autoptr(GArray) parts = NULL;

	if (n == m || n * m > g->p->limits->output_pairs) {
		compare_in_turn(g, h);
		return;
	}
	parts = lines_pair(h, may_stand_for, g);
	for (guint k = 0; k < parts->len; k++) {
		const struct lines_hunk *part = &g_array_index(parts, struct lines_hunk, k);

		for (; i < part->actual && !g->ended; i++, j++)
			compare_line(g, i, j);
		if (!g->ended)
			compare_in_turn(g, part);
		i = part->actual_end;
		j = part->expected_end;
	}
	for (; i < h->actual_end && !g->ended; i++, j++)
		compare_line(g, i, j);
}

static void compare_texts(struct planning *g)
{
	g_autoptr(GArray) hunks = lines_compare(g->actual_lines, g->expected_lines);
	guint at = 0;

	for (guint i = 0; i < hunks->len && !g->ended; i++) {
		const struct lines_hunk *h = &g_array_index(hunks, struct lines_hunk, i);

		keep_lines(g, at, h->actual);
		compare_hunk(g, h);
		at = h->actual_end;
	}
	if (!g->ended)
		keep_lines(g, at, g->actual_lines->len);
}

/* ---- the plan ---- */

static bool find_stream(struct planning *g, const struct expected_output *expected)
{
	for (g->stream = 0; g->stream < PRINTED_STREAMS; g->stream++) {
		g->expected = expected->text[g->stream];
		if (g->expected && !g_string_equal(g->expected, g->p->text[g->stream]))
			return true;
	}
	return false;
}

static const struct printed_call *last_call_before(const struct planning *g, uint64_t step)
{
	const struct printed_call *last = NULL;

	for (guint i = 0; i < g->p->calls[g->stream]->len; i++) {
		const struct printed_call *call = g->p->calls[g->stream]->pdata[i];

		if (call->step < step)
			last = call;
	}
	return last;
}

static bool is_usable(const struct planning *g, GError **error)
{
	const struct output_plan *plan = g->plan;

	if (plan->at_end || plan->first != G_MAXUINT)
		return true;
	g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
		    "%s, but no call in the program's own code is known to have printed that; "
		    "name the library that printed it with --trace-lib.",
		    plan->sentence ? plan->sentence : "The output differs");
	return false;
}

static void check_known(struct planning *g)
{
	struct output_plan *plan = g->plan;

	/* a check without its call cannot end the run: see add_planned_check */
	if (plan->first == G_MAXUINT && !plan->at_end)
		g_array_set_size(plan->checks, 0);
	plan->near = last_call_before(g, plan->step);
}

struct output_plan *output_plan_new(const struct printed *p, const struct expected_output *expected,
				    struct trace_run *run, uint64_t steps, GError **error)
{
	struct output_plan *plan = g_new0(struct output_plan, 1);
	struct planning g = { .plan = plan, .p = p, .run = run };
	bool ok;

	plan->checks = g_array_new(FALSE, TRUE, sizeof(struct output_check));
	g_array_set_clear_func(plan->checks, clear_check);
	plan->wanted = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	plan->wanted_before = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	plan->wanted_values = g_array_new(FALSE, FALSE, sizeof(struct output_check));
	plan->first = G_MAXUINT;
	g.shifted = g_hash_table_new(hash_u64, g_int64_equal);
	if (find_stream(&g, expected)) {
		plan->stream = g.stream;
		g.name = g.stream == PRINTED_ERR ? "the error output"
			 : expected->name	 ? expected->name
						 : "the output";
		g.actual_lines = lines_split(p->text[g.stream]);
		g.expected_lines = lines_split(g.expected);
		compare_texts(&g);
		plan_put_in_order(plan);
		check_known(&g);
		plan_leave_out_late_checks(plan, steps);
		g_array_free(g.actual_lines, TRUE);
		g_array_free(g.expected_lines, TRUE);
	}
	g_hash_table_destroy(g.shifted);
	ok = is_usable(&g, error) && count_wanted(&g, plan->step, error);
	if (!ok)
		output_plan_free(plan);
	return ok ? plan : NULL;
}

void output_plan_free(struct output_plan *plan)
{
	if (!plan)
		return;
	g_array_free(plan->checks, TRUE);
	g_array_free(plan->wanted, TRUE);
	g_array_free(plan->wanted_before, TRUE);
	g_array_free(plan->wanted_values, TRUE);
	g_free(plan->sentence);
	g_free(plan->wanted_sentence);
	g_free(plan->actual);
	g_free(plan->expected);
	g_free(plan);
}
