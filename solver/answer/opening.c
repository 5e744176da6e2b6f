/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/opening.h"

#include "solver/cause/cause.h"
#include "solver/source/c-expression.h"

#include <string.h>

static const struct cause *cause_number(const struct cause_tree *t, unsigned i)
{
	return t->causes->pdata[i];
}

/* The cause whose value went into this one; -1 = there is none, or its end. */
static int data_cause_of(struct cause_tree *t, unsigned i)
{
	const struct cause *c = cause_number(t, i);

	if (c->kind == CAUSE_INPUT || c->kind == CAUSE_INITIAL)
		return -1;
	cause_unfold(t, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const struct cause_link *l = &g_array_index(c->because, struct cause_link, k);

		if (l->edge == CAUSE_DATA)
			return (int)l->cause;
	}
	return -1;
}

static void add_row(struct explanation *e, const struct cause *c)
{
	struct explanation_value value = { c->clause, c->value };
	struct explanation_link row = {
		.function = c->function,
		.file = c->file,
		.line = c->line,
		.text = c->text,
		.clause = c->clause,
		.values = g_array_new(FALSE, FALSE, sizeof(struct explanation_value)),
		.because = g_array_new(FALSE, FALSE, sizeof(guint)),
		.edge = EDGE_DATA,
	};

	if (c->clause && c->value)
		g_array_append_val(row.values, value);
	g_array_append_val(e->opening, row);
}

static void follow(struct explanation *e, struct cause_tree *t, unsigned most)
{
	int at = 0;

	while (e->opening->len < most && (at = data_cause_of(t, (unsigned)at)) >= 0)
		add_row(e, cause_number(t, (unsigned)at));
}

static void open_with(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const char *text, unsigned most)
{
	const struct image *im = trace_point_image(m);
	struct c_expression *expression = c_expression_parse(im, text, NULL);
	struct expression_code *code =
		expression ? expression_compile(im, trace_point_frame(m), expression, NULL) : NULL;
	struct cause_tree *t;

	if (code) {
		expression_run(code, trace_point_frame(m), trace_point_cursor(m));
		t = cause_of_value(e, m, index, text, code);
		follow(e, t, most);
		cause_tree_free(t);
	}
	expression_code_free(code);
	c_expression_free(expression);
}

/* Which values are looked at first: a pointer that led nowhere, then all others. */
static bool has_turn(const struct explanation *e, const struct explanation_value *v, bool first)
{
	bool null = g_strcmp0(e->failure.kind, "signal") == 0 && g_strcmp0(v->value, "NULL") == 0;

	return null == first;
}

/* Pointers come first, because one of them led nowhere. */
static bool is_pointer(const struct image_variable *v)
{
	return v->type && v->type->kind == IMAGE_TYPE_POINTER;
}

static bool is_named(const char *text, const char *name)
{
	g_autofree char *word = g_regex_escape_string(name, -1);
	g_autofree char *pattern = g_strdup_printf("\\b%s\\b", word);

	return g_regex_match_simple(pattern, text, 0, 0);
}

/* When the failure tells no values, the variables that the line names are taken. */
static void open_with_line(struct explanation *e, const struct trace_point *m,
			   struct reverse_index *index, unsigned most)
{
	const struct image_variable *const *all;
	size_t n = image_variables_at(trace_point_image(m), trace_point_frame(m)->pc, &all);
	/* asking about one calls image_variables_at() again */
	g_autofree const struct image_variable **v = g_memdup2(all, n * sizeof *v);

	for (int turn = 0; turn < 2 && e->failure.text; turn++)
		for (size_t i = 0; i < n && !e->opening->len; i++)
			if (is_pointer(v[i]) == (turn == 0) && v[i]->name &&
			    is_named(e->failure.text, v[i]->name))
				open_with(e, m, index, v[i]->name, most);
}

void opening_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct limits *limits)
{
	unsigned most = (unsigned)limits_or_default(limits)->opening_rows;

	for (int turn = 0; turn < 2; turn++)
		for (guint i = 0; i < e->failure.values->len && !e->opening->len; i++) {
			const struct explanation_value *v =
				&g_array_index(e->failure.values, struct explanation_value, i);

			if (has_turn(e, v, turn == 0))
				open_with(e, m, index, v->name, most);
		}
	if (!e->failure.values->len && g_strcmp0(e->failure.kind, "signal") == 0)
		open_with_line(e, m, index, most);
}
