/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/where.h"
#include "gdbext/question/runs/progress.h"
#include "solver/source/expression/expression.h"
#include "solver/source/value.h"

#include <string.h>

enum {
	MOST_DIFFERENCES = 5, /* that are named */
	MOST_LATER = 5000,    /* times that are looked at behind one at which none differs */
};

/* What the times were like that came closest. */
struct nearest {
	const struct options *o;
	char *const *conditions;
	uint64_t time;	/* that of the best one, from 1; 0: there was none yet */
	uint64_t times; /* all that were seen */
	unsigned agree; /* conditions, at the best one */
	char *differ;	/* those that do not, there */
	bool warned;
	/* The times at which none differs, although the record does not tell all: the first one of
	 * those at which it tells the most, and how many of these there are. */
	uint64_t likely, likely_times;
	unsigned told;
	bool cut; /* there are later times, which were not looked at */
};

/* False when the record does not tell. */
static bool evaluate_where(const struct trace_point *m, const char *text, struct expression *out,
			   GError **error)
{
	const struct image *im = trace_point_image(m);
	struct c_expression *e = c_expression_parse(im, text, error);
	struct expression_code *code =
		e ? expression_compile(im, trace_point_frame(m), e, error) : NULL;

	if (code) {
		expression_run(code, trace_point_frame(m), trace_point_cursor(m));
		expression_result(code, trace_point_frame(m), out);
	}
	expression_code_free(code);
	c_expression_free(e);
	return code && out->has_value;
}

static bool is_zero_value(const struct expression *x)
{
	for (size_t i = 0; i < x->type->size; i++)
		if (x->bytes[i])
			return false;
	return true;
}

static char *describe_difference(const struct trace_point *m, const char *condition)
{
	const char *is = strstr(condition, " == ");
	g_autofree char *name = is ? g_strndup(condition, (gsize)(is - condition)) : NULL;
	g_autofree char *value = NULL;
	struct expression x = { 0 };

	if (name && evaluate_where(m, name, &x, NULL))
		value = value_text(trace_point_image(m), trace_point_frame(m), x.type, x.bytes,
				   x.type->size);
	return value ? g_strdup_printf("%s is %s, not %s", name, value, is + 4)
		     : g_strdup_printf("`%s' does not hold", condition);
}

static char *describe_differences(const struct trace_point *m, const GPtrArray *conditions)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < conditions->len && i < MOST_DIFFERENCES; i++) {
		g_autofree char *one = describe_difference(m, conditions->pdata[i]);

		g_string_append_printf(out, "%s%s", i ? "; " : "", one);
	}
	if (conditions->len > MOST_DIFFERENCES)
		g_string_append_printf(out, "; and %u more", conditions->len - MOST_DIFFERENCES);
	return g_string_free(out, FALSE);
}

/* What cannot be asked about is said once, and not compared.  *told: the record tells, or never
 * can. */
static bool is_condition_met(struct nearest *n, const struct trace_point *m, const char *condition,
			     bool *told)
{
	GError *error = NULL;
	struct expression x = { 0 };
	bool known = evaluate_where(m, condition, &x, &error);

	if (error && !n->warned)
		progress_note(n->o, "`%s' cannot be compared: %s.", condition, error->message);
	*told = known || error;
	g_clear_error(&error);
	return !known || !is_zero_value(&x);
}

static void note_likely(struct nearest *n, unsigned told)
{
	if (!n->likely || told > n->told) {
		n->likely = n->times;
		n->likely_times = 0;
		n->told = told;
	}
	n->likely_times += told == n->told;
}

static bool is_point_meant(const struct trace_point *m, void *arg)
{
	struct nearest *n = arg;
	g_autoptr(GPtrArray) wrong = g_ptr_array_new();
	unsigned agree = 0, all_told = 0, n_conditions = 0;

	for (char *const *c = n->conditions; *c; c++, n_conditions++) {
		bool told;

		if (is_condition_met(n, m, *c, &told))
			agree++;
		else
			g_ptr_array_add(wrong, *c);
		all_told += told;
	}
	n->warned = true;
	n->times++;
	if (!wrong->len && all_told < n_conditions) {
		note_likely(n, all_told);
		n->cut = n->times - n->likely >= MOST_LATER;
		return n->cut;
	}
	if (wrong->len && (!n->time || agree > n->agree)) {
		g_free(n->differ);
		n->time = n->times;
		n->differ = describe_differences(m, wrong);
		n->agree = agree;
	}
	return !wrong->len;
}

bool where_find(const struct question *q, char *const *conditions, struct stop *stop,
		GError **error)
{
	const struct replay_failing *f = &q->run.failing;
	struct nearest n = { .o = q->o, .conditions = conditions };
	uint64_t count = 0;
	bool ok = trace_point_find(q->run.images, q->run.n_images, f->record, f->thread, stop,
				   is_point_meant, &n, &count, &q->until, error);

	if (ok && (!count || n.cut) && n.likely) {
		count = stop->count + n.likely - 1;
		if (n.likely_times > 1)
			progress_note(q->o,
				      "The values there do not tell which of %" G_GUINT64_FORMAT
				      "%s times is meant; this is about the first of them.  A "
				      "breakpoint on that line tells.",
				      n.likely_times, n.cut ? " or more" : "");
	} else if (ok && !count && n.agree) {
		progress_note(q->o, "The replay reaches the same stop with other values: %s.",
			      n.differ);
		count = stop->count + n.time - 1;
	}
	if (ok && !count && n.differ)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The replay reaches the same stop with other values: %s.", n.differ);
	else if (ok && !count)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The replay does not come to %s so often; does the program do the same "
			    "each time?",
			    stop->text);
	else if (ok)
		stop->count = count;
	g_free(n.differ);
	return ok && count;
}
