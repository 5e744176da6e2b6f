/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/own-verdict.h"

#include "gdbext/question/failing-check.h"
#include "solver/cause/verdict.h"
#include "solver/check/check-count.h"
#include "solver/check/check-sites.h"
#include "solver/image/variable/variable.h"
#include "solver/source/failing-lines.h"
#include "solver/source/source.h"

#include <string.h>

struct reverse_index_place own_verdict_status(const struct question *q)
{
	const struct image_frame *frame = trace_point_frame(q->point);
	const struct trace_insn *last = image_insn_at(trace_point_image(q->point), frame->pc);
	bool calls = last && (last->flow == TRACE_FLOW_CALL || last->flow == TRACE_FLOW_JUMP);

	return (struct reverse_index_place){ .reg = calls ? TRACE_RDI : TRACE_RAX };
}

static const struct explanation_verdict *verdict_number(const struct question *q, guint i)
{
	return &g_array_index(q->e->verdict, struct explanation_verdict, i);
}

static char *key_of_row(const struct explanation_verdict *v)
{
	const struct image_statement s = { .file = v->file, .line = v->line };

	return failing_lines_key(&s);
}

/* What the first group of the pattern matches in the text; NULL = it does not match.  Free it. */
static char *part_of_text(const char *text, const char *pattern)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

/* "a failed check is counted, `fails++'", "the test fails by `return 1'", "`CHECK(n == 3)' failed"
 * of the line with the store. */
static const char *words_of_line(const char *text)
{
	g_autofree char *counts =
		part_of_text(text, "(\\w+\\s*(?:\\+\\+|\\+=\\s*1|\\|=\\s*\\w+)|\\+\\+\\w+)\\s*;");
	/* `failed = 1;', too */
	g_autofree char *leaves =
		part_of_text(text, "\\b((?:return|throw)\\b[^;]*|\\w+\\s*=\\s*\\w+)\\s*(?:;|$)");
	g_autofree char *macro = part_of_text(text, "^\\s*(\\w+\\s*\\(.*\\))\\s*;?\\s*$");
	g_autofree char *words = counts ? g_strdup_printf("a failed check is counted, `%s'", counts)
				 : leaves ? g_strdup_printf("the test fails by `%s'", leaves)
				 : macro  ? g_strdup_printf("`%s' failed", macro)
					  : g_strdup("a failed check is counted");

	return g_intern_string(words);
}

/* "got != want" of the condition that decides in the row's function; NULL = there is none. */
static const char *compared_by(const struct question *q, const struct explanation_verdict *v)
{
	for (guint i = 0; i < q->e->verdict->len; i++) {
		const struct explanation_verdict *d = verdict_number(q, i);
		const char *from = d->decides && strcmp(d->function, v->function) == 0
					   ? strstr(d->text, "if (")
					   : NULL;
		const char *to = from ? strrchr(from, ')') : NULL;
		g_autofree char *text =
			to && to > from + 4 ? g_strndup(from + 4, (gsize)(to - from - 4)) : NULL;

		if (text && !strpbrk(text, ";{"))
			return g_intern_string(text);
	}
	return NULL;
}

/* `const char *got = (a)' of a macro: the variables that are declared in the line of the check, as
 * "got == want"; NULL = there are none, or more. */
static const char *compared_by_variables(const struct image *im, const struct check_count *c,
					 const struct explanation_verdict *row)
{
	const struct image_variable *const *all;
	size_t n = image_variables_at(im, c->store->addr, &all);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *text = NULL;

	for (size_t i = 0; i < n; i++)
		if (all[i]->function && all[i]->line == row->line &&
		    g_strcmp0(all[i]->file, row->file) == 0)
			g_ptr_array_add(names, (gpointer)all[i]->name);
	if (!names->len || names->len > 2)
		return NULL;
	g_ptr_array_add(names, NULL);
	text = g_strjoinv(" == ", (char **)names->pdata);
	return g_intern_string(text);
}

/* "n == 3" of `CHECK(n == 3);', "name == want" of `EXPECT_STR(name, want);'; NULL = it is no such
 * call. */
static const char *compared_by_macro(const char *text)
{
	g_autofree char *name = part_of_text(text, "^\\s*(\\w+)\\s*\\(");
	struct source *s = name ? source_new(text) : NULL;
	const size_t at = name ? (size_t)(strstr(text, name) - text) : 0;
	struct source_span first = { 0 }, second = { 0 };
	g_autofree char *a = NULL, *b = NULL, *both = NULL;

	if (s) {
		first = source_argument(s, at, name, 0);
		second = source_argument(s, at, name, 1);
	}
	if (first.to > first.from)
		a = source_text(s, first);
	if (second.to > second.from)
		b = source_text(s, second);
	if (s)
		source_free(s);
	if (a && b && !g_regex_match_simple("[=<>!&|]", a, 0, 0))
		both = g_strdup_printf("%s == %s", a, b);
	return both ? g_intern_string(both) : g_intern_string(a);
}

/* s: NULL = not known. */
static struct explanation_verdict row_of_statement(const struct image *im,
						   const struct image_statement *s, bool decides)
{
	return (struct explanation_verdict){
		.function = s ? s->function : NULL,
		.file = s ? s->file : NULL,
		.text = s && s->file ? image_source_line(im, s->file, s->line) : NULL,
		.line = s ? s->line : 0,
		.decides = decides,
	};
}

/* The line, and those behind it as far as its brackets go.  NULL: there is none. */
static char *text_in_brackets(const struct image *im, const char *file, unsigned line)
{
	enum { MOST_LINES = 8 };
	g_autoptr(GString) text = g_string_new(NULL);
	int open = 0;

	for (unsigned i = 0; i < MOST_LINES && (!i || open > 0); i++) {
		const char *more = file ? image_source_line(im, file, line + i) : NULL;
		g_autofree char *trimmed = more ? g_strstrip(g_strdup(more)) : NULL;

		if (!trimmed)
			return NULL;
		for (const char *c = trimmed; *c; c++)
			open += (*c == '(') - (*c == ')');
		g_string_append_printf(text, "%s%s", i ? " " : "", trimmed);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *compared_in_line(const struct image *im, const struct check_count *c,
				    const struct explanation_verdict *row)
{
	const char *variables = compared_by_variables(im, c, row);
	const struct image_row *at = image_row_at(im, c->branch->addr);
	const struct image_statement *by = at ? image_statement(im, at->statement) : NULL;
	g_autofree char *text = by ? text_in_brackets(im, by->file, by->line) : NULL;
	g_autofree char *condition =
		text ? part_of_text(text, "^\\s*if\\s*\\((?:!\\s*\\()?(.*?)\\)+\\s*\\{?\\s*$")
		     : NULL;

	if (variables || !condition)
		return variables ? variables : compared_by_macro(row->text);
	return g_intern_string(condition);
}

/* The lines whose condition may decide about what the row counts: a macro decides in its own line.
 */
static GHashTable *deciding_lines(const struct question *q, const struct explanation_verdict *v)
{
	GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < q->e->verdict->len; i++) {
		const struct explanation_verdict *d = verdict_number(q, i);

		if ((d->decides || g_str_has_prefix(d->text, "if")) && (d == v || !v->decides))
			g_hash_table_add(lines, key_of_row(d));
	}
	return lines;
}

static void add_verdict_row(struct explanation *e, struct explanation_verdict row)
{
	if (row.text && row.function && !verdict_row(e, row.file, row.line))
		g_array_append_val(e->verdict, row);
}

/* `ok = ok && test_days();', `if (!test_days())': a test that failed returns 0. */
static bool zero_fails(const struct question *q)
{
	bool fails = false;

	for (guint i = 0; i < q->e->verdict->len && !fails; i++) {
		const struct explanation_verdict *v = verdict_number(q, i);
		const char *pattern = v->decides ? "^\\s*\\w+\\s*(&=|=\\s*\\w+\\s*&&)"
						 : "&&|&=|\\bif\\s*\\(\\s*!";

		fails = !v->leads && g_regex_match_simple(pattern, v->text, 0, 0);
	}
	return fails;
}

/* `sum += atoi(line);' computes. */
static bool only_counts(const char *text)
{
	return !g_regex_match_simple("[-+*/&|^]=\\s*(?!1\\s*;|\\w+\\s*;)", text, 0, 0) ||
	       g_regex_match_simple("^\\s*\\w+\\s*\\(", text, 0, 0);
}

/* Each line that counts or throws so is one of the test's own, although another check failed.
 * compared: NULL = what stands in the line. */
static bool add_counts(struct question *q, const struct image *im, const GArray *counts,
		       const char *compared)
{
	bool added = false;

	for (guint k = 0; k < counts->len; k++) {
		const struct check_count *c = &g_array_index(counts, struct check_count, k);
		const struct image_row *at = image_row_at(im, c->store->addr);
		const struct explanation_verdict row =
			row_of_statement(im, at ? image_statement(im, at->statement) : NULL, true);

		if (!row.text || !row.function || !only_counts(row.text))
			break;
		check_sites_add_count(q->run.checks->sites, im, c, words_of_line(row.text),
				      compared ? compared : compared_in_line(im, c, &row));
		add_verdict_row(q->e, row);
		added = true;
	}
	return added;
}

/* `passed++', of `return passed == run ? 0 : 1;'. */
static bool counts_what_holds(const struct explanation_verdict *v)
{
	return g_regex_match_simple(
		"\\b\\w*(pass|succ|good)\\w*\\s*(\\+\\+|\\+=)|\\+\\+\\s*\\w*(pass|succ|good)",
		v->text, G_REGEX_CASELESS, 0);
}

/* What the program counts is what holds: adds the other sides. */
static bool add_other_sides(struct question *q, const struct image *im,
			    const struct explanation_verdict *v, const GArray *stores,
			    const char *compared)
{
	g_autofree char *counts =
		part_of_text(v->text, "(\\w+\\s*(?:\\+\\+|\\+=[^;]*)|\\+\\+\\s*\\w+)");
	g_autofree char *words =
		g_strdup_printf("a failed check leaves out `%s'", counts ? counts : "");
	bool added = false;

	for (guint i = 0; i < stores->len; i++) {
		struct check_count c = g_array_index(stores, struct check_count, i);

		if (!check_count_turn(im, &c))
			continue;
		check_sites_add_count(q->run.checks->sites, im, &c, g_intern_string(words),
				      compared);
		added = true;
	}
	return added;
}

/* Adds the stores that count what the row counts; false: it counts nothing. */
static bool add_counting_stores(struct question *q, const struct explanation_verdict *v)
{
	g_autoptr(GHashTable) decides = deciding_lines(q, v);
	const char *compared = compared_by(q, v);
	bool added = false;

	for (size_t i = 0; i < q->run.n_images && !added; i++) {
		const struct image *im = q->run.images[i];
		g_autoptr(GArray) stores = check_count_stores(im, v->file, v->line, decides);
		const struct check_count *first =
			stores->len ? &g_array_index(stores, struct check_count, 0) : NULL;

		if (first && counts_what_holds(v))
			added = add_other_sides(q, im, v, stores, compared);
		else if (first && !(first->returns && first->zero != zero_fails(q)))
			added = add_counts(q, im, stores, compared);
	}
	return added;
}

/* ---- checks that throw ---- */

/* Is the line, or one just before it, `} catch (const Failure &f) {'? */
static bool is_behind_catch(const struct question *q, const struct explanation_verdict *v)
{
	enum { MOST_BEFORE = 5 };

	for (unsigned at = v->line; at && at + MOST_BEFORE > v->line; at--) {
		const char *text = image_source_line(q->run.images[0], v->file, at);

		if (text && g_regex_match_simple("\\bcatch\\s*\\(", text, 0, 0))
			return true;
	}
	return false;
}

static bool is_verdict_caught(const struct question *q)
{
	bool caught = false;

	for (guint i = 0; i < q->e->verdict->len && !caught; i++)
		caught = is_behind_catch(q, verdict_number(q, i));
	return caught;
}

static void add_rows_of_branches(struct question *q, const struct image *im, const GArray *throws)
{
	for (guint i = 0; i < throws->len; i++) {
		const struct check_count *c = &g_array_index(throws, struct check_count, i);
		const struct image_row *at = image_row_at(im, c->branch->addr);
		struct explanation_verdict row =
			row_of_statement(im, at ? image_statement(im, at->statement) : NULL, true);

		row.checks = true;
		add_verdict_row(q->e, row);
	}
}

/* `if (!(got == want)) throw Failure(text);': adds those of the functions that are called checks; a
 * tested function may throw, too. */
static bool add_throwing_checks(struct question *q)
{
	bool added = false;

	for (size_t i = 0; i < q->run.n_images && is_verdict_caught(q); i++) {
		const struct image *im = q->run.images[i];
		const struct image_function *all;
		size_t n = image_functions(im, &all);

		for (size_t k = 0; k < n; k++) {
			g_autoptr(GArray) throws = verdict_is_name_of_check(all[k].name)
							   ? check_count_throws(im, all[k].name)
							   : NULL;

			if (throws && add_counts(q, im, throws, NULL)) {
				add_rows_of_branches(q, im, throws);
				added = true;
			}
		}
	}
	return added;
}

/* What a function of the test compares itself may be compared wrongly there. */
static bool only_reports(const struct explanation_verdict *v)
{
	return !v->decides || v->checks;
}

int own_verdict_require(struct question *q, bool *found, GError **error)
{
	const struct reverse_index_place status = own_verdict_status(q);
	bool counts = false;
	int result = 0;

	*found = false;
	if (q->run.failing.end != RUN_STATUS || !q->index || !reverse_index_steps(q->index))
		return 0;
	verdict_describe(q->e, q->point, q->index, &status);
	if (!q->run.checks || !q->run.checks->sites)
		return 0;
	counts = add_throwing_checks(q);
	/* what stands nearest to the check says most */
	for (guint i = q->e->verdict->len; i > 0 && !counts; i--)
		counts = !verdict_number(q, i - 1)->leads &&
			 add_counting_stores(q, verdict_number(q, i - 1));
	if (counts)
		result = failing_check_require(q, found, error);
	if (*found)
		add_verdict_row(q->e, row_of_statement(q->run.images[0], failing_check_called_at(q),
						       false));
	for (guint i = 0; *found && i < q->e->verdict->len; i++)
		if (only_reports(verdict_number(q, i)))
			g_hash_table_add(q->run.checks->reporting,
					 key_of_row(verdict_number(q, i)));
	return result;
}
