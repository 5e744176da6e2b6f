/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/opening.h"

#include "solver/cause/cause.h"
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-expression.h"

#include <string.h>

static const struct cause *cause_number(const struct cause_tree *t, unsigned i)
{
	return t->causes->pdata[i];
}

/* The cause with which the chain goes on: the latest one whose value went into this one.  When
 * this one was given a constant, it is the decision that led there.  NULL = there is none. */
static const struct cause_link *next_of(struct cause_tree *t, unsigned i)
{
	const struct cause *c = cause_number(t, i);
	const struct cause_link *decided = NULL;

	if (c->kind == CAUSE_INITIAL)
		return NULL;
	cause_unfold(t, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const struct cause_link *l = &g_array_index(c->because, struct cause_link, k);

		if (l->edge == CAUSE_DATA)
			return l;
		if (l->edge == CAUSE_CONTROL && !decided)
			decided = l;
	}
	return decided;
}

static void add_opening_row(struct explanation *e, const struct cause *c, enum cause_edge edge)
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
		.edge = edge == CAUSE_CONTROL ? EDGE_CONTROL : EDGE_DATA,
	};

	/* a constant is its own value */
	if (c->clause && c->value && strcmp(c->clause, c->value) != 0)
		g_array_append_val(row.values, value);
	g_array_append_val(e->opening, row);
}

/* Several steps of one line are one row, and so are those of several rounds of a loop. */
static bool is_row_told(const struct explanation *e, const struct cause *c)
{
	for (guint i = 0; i < e->opening->len; i++) {
		const struct explanation_link *told =
			&g_array_index(e->opening, struct explanation_link, i);

		if (told->line == c->line && g_strcmp0(told->file, c->file) == 0 &&
		    (i + 1 == e->opening->len || g_strcmp0(told->clause, c->clause) == 0))
			return true;
	}
	return false;
}

/* Takes the tree. */
static void follow_cause_tree(struct explanation *e, struct cause_tree *t, unsigned most)
{
	const struct cause_link *l = next_of(t, 0);

	for (unsigned hops = 0; l && e->opening->len < most && hops < 4 * most; hops++) {
		unsigned at = l->cause;

		if (!is_row_told(e, cause_number(t, at)))
			add_opening_row(e, cause_number(t, at), l->edge);
		l = next_of(t, at);
	}
	cause_tree_free(t);
}

/* A single row which says that something came from outside is no chain. */
static void open_with_text(struct explanation *e, const struct trace_point *m,
			   struct reverse_index *index, const struct reverse_index_place *place,
			   unsigned most)
{
	struct cause_tree *t = cause_of_place(e, m, index, "the text", place, true);
	const struct cause_link *l = next_of(t, 0);

	if (l && cause_number(t, l->cause)->kind == CAUSE_ASSIGNED)
		follow_cause_tree(e, t, most);
	else
		cause_tree_free(t);
}

static void open_with(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const char *text, unsigned most)
{
	const struct image *im = trace_point_image(m);
	struct cause_tree *result = cause_of_result(e, m, index, text);
	struct c_expression *expression = result ? NULL : c_expression_parse(im, text, NULL);
	struct expression_code *code =
		expression ? expression_compile(im, trace_point_frame(m), expression, NULL) : NULL;

	if (result)
		follow_cause_tree(e, result, most);
	if (code) {
		expression_run(code, trace_point_frame(m), trace_point_cursor(m));
		follow_cause_tree(e, cause_of_value(e, m, index, text, code), most);
	}
	expression_code_free(code);
	c_expression_free(expression);
}

/* Which values are looked at first: a pointer that led nowhere, then all others. */
static bool is_value_of_pass(const struct explanation *e, const struct explanation_value *v,
			     bool first)
{
	bool null = g_strcmp0(e->failure.kind, "signal") == 0 && g_strcmp0(v->value, "NULL") == 0;

	return null == first;
}

/* Pointers come first, because one of them led nowhere. */
static bool is_pointer_variable(const struct image_variable *v)
{
	return v->type && v->type->kind == IMAGE_TYPE_POINTER;
}

static bool is_named_in(const char *text, const char *name)
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
			if (is_pointer_variable(v[i]) == (turn == 0) && v[i]->name &&
			    is_named_in(e->failure.text, v[i]->name))
				open_with(e, m, index, v[i]->name, most);
}

/* A constant status was chosen by a decision, an error that was found. */
static bool tells_by_line(const struct explanation *e)
{
	return !e->failure.values->len && (g_strcmp0(e->failure.kind, "signal") == 0 ||
					   g_strcmp0(e->failure.kind, "status") == 0);
}

/* Begins with where the pointer came from, because it is known already that the failing line
 * loaded it. */
static void open_with_pointer(struct explanation *e, const struct trace_point *m,
			      struct reverse_index *index, const struct reverse_index_place *place,
			      unsigned most)
{
	follow_cause_tree(e, cause_of_place(e, m, index, "the address", place, false), most);
	if (e->opening->len > 1 &&
	    g_array_index(e->opening, struct explanation_link, 0).line == e->failure.line)
		g_array_remove_index(e->opening, 0);
}

void opening_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct reverse_index_place *place,
		      const struct limits *limits)
{
	unsigned most = (unsigned)limits_or_default(limits)->opening_rows;

	g_array_set_size(e->opening, 0);
	/* contents that are wrong; the failure's values tell of the pointer to them */
	if (place && place->memory)
		open_with_text(e, m, index, place, most);
	for (int turn = 0; turn < 2; turn++) {
		/* a pointer that is not NULL need not be one of those that the line names */
		if (turn == 1 && !e->opening->len && place && !place->memory &&
		    g_strcmp0(e->failure.kind, "signal") == 0)
			open_with_pointer(e, m, index, place, most);
		for (guint i = 0; i < e->failure.values->len && !e->opening->len; i++) {
			const struct explanation_value *v =
				&g_array_index(e->failure.values, struct explanation_value, i);

			if (is_value_of_pass(e, v, turn == 0))
				open_with(e, m, index, v->name, most);
		}
	}
	if (tells_by_line(e))
		open_with_line(e, m, index, most);
	if (!e->opening->len && place && !place->memory)
		follow_cause_tree(e, cause_of_place(e, m, index, "the value", place, false), most);
}
