/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cause/verdict.h"

#include "solver/cause/cause.h"
#include "solver/image/variable/variable.h"
#include "solver/source/source.h"

#include <string.h>

enum { MOST_CAUSES = 60 };

struct verdict_way {
	struct explanation *e;
	const struct image *im;
	struct cause_tree *tree;
	unsigned left; /* causes that may still be looked at */
};

static const struct cause *way_cause(const struct verdict_way *w, unsigned i)
{
	return w->tree->causes->pdata[i];
}

/* ---- what a statement does ---- */

/* `return fails ? 1 : 0;', `failed = 1;', `ok = ok && test_days();', `if (!ok)': nothing is
 * computed from what is tested. */
static bool only_hands_on(const char *text)
{
	static const char hands_on[] =
		"^(\\}?\\s*else\\s+)?"
		"(return\\b|if\\b|((static|const|unsigned|int|bool|_Bool|long|auto|char|size_t)\\b"
		"\\s*\\*?\\s*)+)?"
		"(\\s|\\w+(\\[\\w+\\]\\.\\w+)?\\(\\)|\\w*[Tt]est\\w*\\(\\w+\\)|(\\w|\\.|->|\\[\\w+"
		"\\]|-\\d)+|"
		"(==|!=|>|<|>=)\\s*([01]|true|false|NULL|nullptr)\\b|"
		"&&|\\|\\||!(?!=)|(?<![=!<>])=(?!=)|[?:()|&+^]|--)*"
		"(\\{[\\s0,]*\\}\\s*)?[;{]?$";
	/* `return passed == run ? 0 : 1;' */
	static const char counted[] =
		"^(return|if)\\b[\\s(!]*[\\w.>-]+\\s*(==|!=|<|>)\\s*[A-Za-z_][\\w.>-]*"
		"[\\s)]*(\\?[\\s\\w]+:[\\s\\w]+)?[;{]?$";
	/* of a function that stands in one line, its body; a returned value stands at the end */
	const char *body = text && g_str_has_suffix(text, "}") ? strchr(text, '{') : NULL;
	g_autofree char *code = g_strdup(body ? body + 1 : text ? text : "");

	if (body)
		*strrchr(code, '}') = '\0';
	g_strstrip(code);
	return strcmp(code, "}") == 0 || g_regex_match_simple(hands_on, code, 0, 0) ||
	       g_regex_match_simple(counted, code, 0, 0);
}

/* `mu_run_test(test_stack);': a macro that calls a test, and looks at what it returns. */
static bool runs_test(const struct image *im, const char *text)
{
	g_autoptr(GRegex) call =
		g_regex_new("^\\s*\\w+\\s*\\(\\s*(\\w+)\\s*\\)\\s*;?\\s*$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	const struct image_function *f = NULL;

	if (text && g_regex_match(call, text, 0, &match)) {
		g_autofree char *name = g_match_info_fetch(match, 1);

		f = image_function_named(im, name);
	}
	return f && !image_parameter_type(im, f, 0);
}

bool verdict_is_name_of_check(const char *function)
{
	return g_regex_match_simple("(^|_)(check|assert|expect|verify|require|case)", function,
				    G_REGEX_CASELESS, 0);
}

/* Has it an argument that its source names?  The object of a member function is none. */
static bool has_argument(const struct image *im, const struct image_function *f)
{
	return image_parameter_type(im, f, image_function_has_object(im, f)) != NULL;
}

/* main, or a function that only the test calls: it has no arguments, so nothing is asked of it, or
 * is called one. */
static bool is_test_function(const struct verdict_way *w, const char *function)
{
	const struct image_function *f = function ? image_function_named(w->im, function) : NULL;

	return f && (strcmp(function, "main") == 0 ||
		     g_regex_match_simple("(^|_)(test|suite)", function, G_REGEX_CASELESS, 0) ||
		     !has_argument(w->im, f));
}

static bool is_parameter_of(const struct image *im, const struct image_function *f,
			    const char *word)
{
	const struct image_variable *const *all;
	size_t n = image_variables_at(im, f->body, &all);

	for (size_t i = 0; i < n; i++)
		if (all[i]->parameter && !all[i]->inlined && strcmp(all[i]->name, word) == 0)
			return true;
	return false;
}

/* `if (strcmp(got, want) != 0)': every name is a parameter's, a member's, or a called function's
 * that is none of the program's. */
static bool compares_parameters(const struct image *im, const struct image_function *f,
				const char *text)
{
	g_autoptr(GRegex) names =
		g_regex_new("(?<![\\w.>'\"])[A-Za-z_]\\w*(?!\\w|::)(\\s*\\()?", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	bool found = false;

	for (bool more = g_regex_match(names, text, 0, &match); more;
	     more = g_match_info_next(match, NULL)) {
		g_autofree char *word = g_match_info_fetch(match, 0);
		const bool calls = strchr(word, '(') != NULL;

		*(word + strcspn(word, " \t(")) = '\0';
		if (strcmp(word, "if") == 0 || strcmp(word, "else") == 0 ||
		    (calls && !image_function_named(im, word)))
			continue;
		if (calls || !is_parameter_of(im, f, word))
			return false;
		found = true;
	}
	return found;
}

/* Does the condition stand in a function that compares what it is given? */
static bool is_in_check(const struct verdict_way *w, const struct cause *c)
{
	const struct image_function *f =
		c->function ? image_function_named(w->im, c->function) : NULL;

	return f && strcmp(f->name, "main") != 0 && has_argument(w->im, f) &&
	       (verdict_is_name_of_check(c->function) || compares_parameters(w->im, f, c->text));
}

/* ---- the way ---- */

static bool add_row(struct verdict_way *w, const struct cause *c, bool decides)
{
	const struct explanation_verdict row = { c->function, c->file, c->text,
						 c->line,     decides, decides && is_in_check(w, c),
						 false };

	if (!c->file || !c->function || verdict_row(w->e, c->file, c->line))
		return false;
	g_array_append_val(w->e->verdict, row);
	return true;
}

static void add_leading_row(struct verdict_way *w, const struct cause *c)
{
	if (add_row(w, c, false))
		g_array_index(w->e->verdict, struct explanation_verdict, w->e->verdict->len - 1)
			.leads = true;
}

/* The decision that led to the cause; NULL = there is none. */
static const struct cause *decision_of(struct verdict_way *w, unsigned i)
{
	const struct cause *c = way_cause(w, i);

	cause_unfold(w->tree, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const struct cause_link *l = &g_array_index(c->because, struct cause_link, k);
		const struct cause *d = way_cause(w, l->cause);

		if (l->edge == CAUSE_CONTROL && d->kind == CAUSE_DECIDED && d->text && d->function)
			return d;
	}
	return NULL;
}

/* The decisions of the test's own functions that led to the check, `for (i = 0; i < n; i++)' around
 * `run_case(i, &c);': only whether the check is made depends on them. */
static void add_way_in(struct verdict_way *w, const struct cause *check)
{
	const struct cause *d = check;
	guint number = 0;

	while (w->left && g_ptr_array_find(w->tree->causes, d, &number) &&
	       (d = decision_of(w, number)) &&
	       (d->line == check->line || is_test_function(w, d->function))) {
		add_leading_row(w, d);
		w->left--;
	}
}

/* Adds to calls (const struct cause *) the calls that passed what the condition compares. */
static void calls_of_check(struct verdict_way *w, const struct cause *d, GPtrArray *calls)
{
	guint number = 0;

	g_ptr_array_find(w->tree->causes, d, &number);
	cause_unfold(w->tree, number);
	for (guint k = 0; d->because && k < d->because->len; k++) {
		const struct cause *from =
			way_cause(w, g_array_index(d->because, struct cause_link, k).cause);

		if (from->kind == CAUSE_PASSED)
			g_ptr_array_add(calls, (gpointer)from);
	}
}

/* Is what the condition compares passed by a test function, if by any? */
static bool is_called_by_test(struct verdict_way *w, const struct cause *d)
{
	g_autoptr(GPtrArray) calls = g_ptr_array_new();
	bool is = true;

	calls_of_check(w, d, calls);
	for (guint i = 0; i < calls->len && is; i++)
		is = is_test_function(w, ((const struct cause *)calls->pdata[i])->function);
	return is;
}

/* Does it count, in a function that compares what a test gives it, or that a test calls when it has
 * compared?  One that returns what it found may be what is tested. */
static bool counts_in_check(struct verdict_way *w, unsigned i)
{
	const struct cause *c = way_cause(w, i);
	const struct cause *d = c->kind == CAUSE_ASSIGNED ? decision_of(w, i) : NULL;
	const bool own = d && strcmp(d->function, c->function) == 0;

	if (!d || (own ? !is_in_check(w, d) || !is_called_by_test(w, d)
		       : !is_test_function(w, d->function)))
		return false;
	if (!own || d->line != c->line)
		add_row(w, c, false);
	if (own && add_row(w, d, true)) {
		g_autoptr(GPtrArray) calls = g_ptr_array_new();

		calls_of_check(w, d, calls);
		for (guint k = 0; k < calls->len; k++)
			add_leading_row(w, calls->pdata[k]);
		add_way_in(w, d);
	}
	return true;
}

static void follow_verdict(struct verdict_way *w, unsigned i);

/* Goes on with what the cause was made from, and, as a constant says nothing by itself, with what
 * decided that it was given. */
static void follow_what_led_there(struct verdict_way *w, unsigned i)
{
	const struct cause *c = way_cause(w, i);
	bool decided = false;

	cause_unfold(w->tree, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const struct cause_link *l = &g_array_index(c->because, struct cause_link, k);

		if (l->edge == CAUSE_DATA || (l->edge == CAUSE_CONTROL && !decided))
			follow_verdict(w, l->cause);
		decided |= l->edge == CAUSE_CONTROL;
	}
}

/* `ok = ok && compares(x)': what was found before may have decided already. */
static void follow_the_same(struct verdict_way *w, unsigned i)
{
	const struct cause *c = way_cause(w, i);

	cause_unfold(w->tree, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const unsigned of = g_array_index(c->because, struct cause_link, k).cause;
		const struct cause *from = way_cause(w, of);

		if (c->clause && g_strcmp0(from->clause, c->clause) == 0 &&
		    g_strcmp0(from->function, c->function) == 0)
			follow_verdict(w, of);
	}
}

/* The check returned what the cause says. */
static void add_rows_of_check(struct verdict_way *w, unsigned i)
{
	const struct cause *r = way_cause(w, i);
	const struct cause *d = r->text && only_hands_on(r->text) ? decision_of(w, i) : NULL;

	if (d && g_strcmp0(d->function, r->function) == 0 && is_in_check(w, d)) {
		add_row(w, r, false);
		add_row(w, d, true);
	}
}

/* `ok &= expect_str(name, got, want);': a check that returns whether it failed, as one of several;
 * `err = check_header(h);' may be any program's.  Some compilers keep the result in a variable,
 * which the last line of the function loads. */
static void follow_check(struct verdict_way *w, unsigned i)
{
	static const char adds_up[] =
		"^\\s*\\w+\\s*([&|+]=|=\\s*\\w+\\s*(&&?|\\|\\|?|\\+)\\s*!?\\s*\\w+\\s*\\()";
	const struct cause *c = way_cause(w, i);

	if (!g_regex_match_simple(adds_up, c->text, 0, 0))
		return;
	cause_unfold(w->tree, i);
	for (guint k = 0; c->because && k < c->because->len; k++) {
		const unsigned of = g_array_index(c->because, struct cause_link, k).cause;
		const struct cause *r = way_cause(w, of);

		if (r->kind != CAUSE_RETURNED || !r->function ||
		    !verdict_is_name_of_check(r->function))
			continue;
		add_rows_of_check(w, of);
		for (guint j = 0; r->because && j < r->because->len; j++)
			add_rows_of_check(w, g_array_index(r->because, struct cause_link, j).cause);
	}
}

/* C++ keeps what main returns while it ends objects, which takes calls. */
static bool is_followed(const struct cause *c)
{
	return c->kind == CAUSE_ASSIGNED || c->kind == CAUSE_DECIDED || c->kind == CAUSE_RETURNED ||
	       (c->kind == CAUSE_PASSED && g_str_has_prefix(c->text, "return"));
}

static void follow_verdict(struct verdict_way *w, unsigned i)
{
	const struct cause *c = way_cause(w, i);

	if (!w->left || !c->text || !c->function || !is_followed(c))
		return;
	w->left--;
	if (!is_test_function(w, c->function)) {
		if ((only_hands_on(c->text) || verdict_is_name_of_check(c->function)) &&
		    counts_in_check(w, i))
			follow_what_led_there(w, i);
	} else if (!only_hands_on(c->text) && !runs_test(w->im, c->text)) {
		if (add_row(w, c, true))
			add_way_in(w, c);
		follow_check(w, i);
		follow_the_same(w, i);
	} else if (add_row(w, c, false) || c->kind == CAUSE_ASSIGNED || c->kind == CAUSE_DECIDED) {
		follow_what_led_there(w, i);
	}
}

void verdict_describe(struct explanation *e, const struct trace_point *m,
		      struct reverse_index *index, const struct reverse_index_place *status)
{
	struct verdict_way w = { .e = e, .im = trace_point_image(m), .left = MOST_CAUSES };

	g_array_set_size(e->verdict, 0);
	w.tree = cause_of_place(e, m, index, "the status", status, false);
	follow_what_led_there(&w, 0);
	cause_tree_free(w.tree);
}

const struct explanation_verdict *verdict_row(const struct explanation *e, const char *file,
					      unsigned line)
{
	for (guint i = 0; i < e->verdict->len; i++) {
		const struct explanation_verdict *v =
			&g_array_index(e->verdict, struct explanation_verdict, i);

		if (v->line == line && g_strcmp0(v->file, file) == 0)
			return v;
	}
	return NULL;
}

/* Of the rows that decide, or of the others: `fails++' stands under a condition, or is a line's
 * own.
 */
static char *counted_in_rows(const struct explanation *e, const GRegex *counts, bool decide)
{
	char *name = NULL;

	for (guint i = 0; i < e->verdict->len && !name; i++) {
		const struct explanation_verdict *v =
			&g_array_index(e->verdict, struct explanation_verdict, i);
		g_autoptr(GMatchInfo) match = NULL;

		if (v->decides == decide && g_regex_match(counts, v->text, 0, &match))
			name = g_match_info_fetch(match, 1);
	}
	return name;
}

char *verdict_count(const struct explanation *e)
{
	g_autoptr(GRegex) counts = g_regex_new("^\\s*(\\w+)\\s*(\\+\\+|\\+=|\\|?=)", 0, 0, NULL);
	char *name = counted_in_rows(e, counts, false);

	return name ? name : counted_in_rows(e, counts, true);
}

bool verdict_is_of(const struct explanation *e, const char *function)
{
	for (guint i = 0; function && i < e->verdict->len; i++)
		if (strcmp(g_array_index(e->verdict, struct explanation_verdict, i).function,
			   function) == 0)
			return true;
	return false;
}
