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

static const struct cause_link *link_of(const struct cause *c, guint k)
{
	return &g_array_index(c->because, struct cause_link, k);
}

/* How far back it is looked for a statement that computes. */
enum { MOST_COPIES = 16 };

/* Did the program compute the value, from several ones or to another one?  A constant, what a
 * library function returned and what the program was started with were only passed on. */
static bool is_cause_computed(struct cause_tree *t, unsigned i, unsigned hops)
{
	const struct cause *c = cause_number(t, i);
	const struct cause *from = NULL;
	unsigned only = 0, n = 0;

	if (c->kind == CAUSE_INITIAL)
		return false;
	cause_unfold(t, i);
	for (guint k = 0; c->because && k < c->because->len; k++)
		if (link_of(c, k)->edge == CAUSE_DATA && !n++)
			only = link_of(c, k)->cause;
	if (!n || hops >= MOST_COPIES)
		return n > 0;
	from = cause_number(t, only);
	if (c->kind != CAUSE_INPUT &&
	    (n > 1 || (c->value && from->value && strcmp(c->value, from->value) != 0)))
		return true;
	return is_cause_computed(t, only, hops + 1);
}

/* An earlier round of the same statement, such as that of a sum. */
static bool is_same_again(const struct cause *c, const struct cause *from)
{
	return c->line == from->line && g_strcmp0(c->file, from->file) == 0 &&
	       g_strcmp0(c->clause, from->clause) == 0;
}

/* `bad += test()': what was 0 added nothing, where the other operand is the whole sum. */
static bool adds_nothing(struct cause_tree *t, unsigned i, const struct cause_link *of)
{
	const struct cause *c = cause_number(t, i);

	if (!c->value || g_strcmp0(cause_number(t, of->cause)->value, "0") != 0 ||
	    strcmp(c->value, "0") == 0)
		return false;
	for (guint k = 0; k < c->because->len; k++) {
		const struct cause_link *l = link_of(c, k);

		if (l->edge == CAUSE_DATA && l->cause != of->cause &&
		    g_strcmp0(cause_number(t, l->cause)->value, c->value) == 0)
			return true;
	}
	return false;
}

/* The latest cause whose value went into this one.  One that the program computed comes before
 * them: in a comparison, the other operand may be a constant, or what the test expects.  NULL =
 * there is none. */
static const struct cause_link *operand_to_follow(struct cause_tree *t, unsigned i)
{
	const struct cause *c = cause_number(t, i);
	const struct cause_link *latest = NULL;

	for (guint k = 0; c->because && k < c->because->len; k++) {
		const struct cause_link *l = link_of(c, k);

		if (l->edge != CAUSE_DATA || adds_nothing(t, i, l))
			continue;
		if ((!latest || !is_same_again(c, cause_number(t, l->cause))) &&
		    is_cause_computed(t, l->cause, 0))
			return l;
		if (!latest)
			latest = l;
	}
	return latest;
}

/* The cause with which the chain goes on: an operand; when a constant was given, it is the decision
 * that led there.  NULL = there is none. */
static const struct cause_link *next_of(struct cause_tree *t, unsigned i)
{
	const struct cause *c = cause_number(t, i);
	const struct cause_link *operand;

	if (c->kind == CAUSE_INITIAL)
		return NULL;
	cause_unfold(t, i);
	operand = operand_to_follow(t, i);
	for (guint k = 0; !operand && c->because && k < c->because->len; k++)
		if (link_of(c, k)->edge == CAUSE_CONTROL)
			operand = link_of(c, k);
	return operand;
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

/* Does the program compute what the tree asks about?  Several causes are those of its parts. */
static bool is_question_computed(struct cause_tree *t)
{
	const struct cause_link *l = operand_to_follow(t, 0);

	return l && is_cause_computed(t, l->cause, 0);
}

/* Takes the tree.  computed: only when the program computed the value. */
static void follow_value(struct explanation *e, struct cause_tree *t, bool computed, unsigned most)
{
	cause_unfold(t, 0);
	if (computed && !is_question_computed(t))
		cause_tree_free(t);
	else
		follow_cause_tree(e, t, most);
}

static void open_with(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const char *text, bool computed, unsigned most)
{
	const struct image *im = trace_point_image(m);
	struct cause_tree *result = cause_of_result(e, m, index, text);
	struct c_expression *expression = result ? NULL : c_expression_parse(im, text, NULL);
	struct expression_code *code =
		expression ? expression_compile(im, trace_point_frame(m), expression, NULL) : NULL;

	if (result)
		follow_value(e, result, computed, most);
	if (code) {
		expression_run(code, trace_point_frame(m), trace_point_cursor(m));
		follow_value(e, cause_of_value(e, m, index, text, code), computed, most);
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
				open_with(e, m, index, v[i]->name, false, most);
}

/* A constant status was chosen by a decision, an error that was found. */
static bool tells_by_line(const struct explanation *e)
{
	return !e->failure.values->len && (g_strcmp0(e->failure.kind, "signal") == 0 ||
					   g_strcmp0(e->failure.kind, "status") == 0);
}

/* Begins with where what the instruction used came from, because it is known already that the
 * failing line loaded it. */
static void open_with_place(struct explanation *e, const struct trace_point *m,
			    struct reverse_index *index, const struct reverse_index_place *place,
			    unsigned most)
{
	follow_cause_tree(e, cause_of_place(e, m, index, "the operand", place, false), most);
	if (e->opening->len > 1 &&
	    g_array_index(e->opening, struct explanation_link, 0).line == e->failure.line)
		g_array_remove_index(e->opening, 0);
}

/* Does what failed compare values, and nothing else?  Of several conditions it is not known which
 * one did not hold. */
static bool failed_comparing(const struct explanation *e)
{
	const char *text = e->failure.requirement;

	return g_strcmp0(e->failure.kind, "signal") != 0 && text && strpbrk(text, "=<>") &&
	       !strstr(text, "&&") && !strstr(text, "||");
}

/* From the first of the values that has a cause. */
static void open_with_values(struct explanation *e, const struct trace_point *m,
			     struct reverse_index *index, bool null, bool computed, unsigned most)
{
	for (guint i = 0; i < e->failure.values->len && !e->opening->len; i++) {
		const struct explanation_value *v =
			&g_array_index(e->failure.values, struct explanation_value, i);

		if (is_value_of_pass(e, v, null))
			open_with(e, m, index, v->name, computed, most);
	}
}

static bool is_signal(const struct explanation *e, const char *name)
{
	return g_strcmp0(e->failure.kind, "signal") == 0 &&
	       (!name || g_strcmp0(e->failure.cause, name) == 0);
}

void opening_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct reverse_index_place *place,
		      const struct limits *limits)
{
	unsigned most = (unsigned)limits_or_default(limits)->opening_rows;

	g_array_set_size(e->opening, 0);
	/* the divisor, not what was divided */
	if (place && is_signal(e, "SIGFPE"))
		open_with_place(e, m, index, place, most);
	/* contents that are wrong; the failure's values tell of the pointer to them */
	else if (place && place->memory)
		open_with_text(e, m, index, place, most);
	open_with_values(e, m, index, true, false, most);
	/* a pointer that is not NULL need not be one of those that the line names */
	if (!e->opening->len && place && !place->memory && is_signal(e, NULL))
		open_with_place(e, m, index, place, most);
	if (failed_comparing(e))
		open_with_values(e, m, index, false, true, most);
	open_with_values(e, m, index, false, false, most);
	if (tells_by_line(e))
		open_with_line(e, m, index, most);
	if (!e->opening->len && place && !place->memory)
		follow_cause_tree(e, cause_of_place(e, m, index, "the value", place, false), most);
}
