/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/own-verdict.h"

#include "gdbext/question/failing-check.h"
#include "solver/cause/verdict.h"
#include "solver/check/check-count.h"
#include "solver/check/check-sites.h"
#include "solver/source/failing-lines.h"

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

/* "a failed check is counted, `fails++'" */
static const char *words_of_row(const struct explanation_verdict *v)
{
	g_autoptr(GRegex) counts =
		g_regex_new("\\w+\\s*(\\+\\+|\\+=\\s*1|\\|?=\\s*\\w+)(?=\\s*;)|\\+\\+\\w+(?=\\s*;)",
			    0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *statement = NULL, *words = NULL;

	if (g_regex_match(counts, v->text, 0, &match))
		statement = g_match_info_fetch(match, 0);
	words = statement ? g_strdup_printf("a failed check is counted, `%s'", statement)
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

/* The lines whose condition may decide about what the row counts: a macro decides in its own line.
 */
static GHashTable *deciding_lines(const struct question *q, const struct explanation_verdict *v)
{
	GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < q->e->verdict->len; i++) {
		const struct explanation_verdict *d = verdict_number(q, i);

		if (d->decides && (d == v || !v->decides))
			g_hash_table_add(lines, key_of_row(d));
	}
	return lines;
}

/* Each line that counts so is one of the test's own, although another check failed. */
static void add_rows_of_stores(struct question *q, const struct image *im, const GArray *stores)
{
	for (guint k = 0; k < stores->len; k++) {
		const struct check_count *c = &g_array_index(stores, struct check_count, k);
		const struct image_row *at = image_row_at(im, c->store->addr);
		const struct image_statement *s = at ? image_statement(im, at->statement) : NULL;
		const struct explanation_verdict row = {
			.function = s ? s->function : NULL,
			.file = s ? s->file : NULL,
			.text = s && s->file ? image_source_line(im, s->file, s->line) : NULL,
			.line = s ? s->line : 0,
			.decides = true,
		};

		if (row.text && row.function && !verdict_row(q->e, row.file, row.line))
			g_array_append_val(q->e->verdict, row);
	}
}

/* Adds the stores that count what the row counts; false: it counts nothing. */
static bool add_counting_stores(struct question *q, const struct explanation_verdict *v)
{
	g_autoptr(GHashTable) decides = deciding_lines(q, v);
	bool added = false;

	for (size_t i = 0; i < q->run.n_images && !added; i++) {
		const struct image *im = q->run.images[i];
		g_autoptr(GArray) stores = check_count_stores(im, v->file, v->line, decides);

		for (guint k = 0; k < stores->len; k++)
			check_sites_add_count(q->run.checks->sites, im,
					      &g_array_index(stores, struct check_count, k),
					      words_of_row(v), compared_by(q, v));
		add_rows_of_stores(q, im, stores);
		added = stores->len > 0;
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
	for (guint i = 0; i < q->e->verdict->len && !counts; i++)
		counts = q->run.checks && q->run.checks->sites &&
			 add_counting_stores(q, verdict_number(q, i));
	if (counts)
		result = failing_check_require_first(q, found, error);
	for (guint i = 0; *found && i < q->e->verdict->len; i++)
		if (only_reports(verdict_number(q, i)))
			g_hash_table_add(q->run.checks->reporting,
					 key_of_row(verdict_number(q, i)));
	return result;
}
