/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/json/json-put.h"
#include "tui/report/rank/rank-private.h"

#include <math.h>

enum { SCHEMA = 1 };

/* JSON has no infinity. */
static void put_json_double(JsonBuilder *b, const char *name, double value)
{
	if (isinf(value)) {
		put_string(b, name, value > 0 ? "inf" : "-inf");
		return;
	}
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

static void put_counts(JsonBuilder *b, const struct ranking *r)
{
	json_builder_set_member_name(b, "counts");
	json_builder_begin_object(b);
	put_count(b, "failed", r->failed);
	put_count(b, "passed", r->passed);
	put_count(b, "left_out", r->left_out);
	put_count(b, "not_run", r->not_run);
	put_count(b, "cached", r->cached);
	json_builder_end_object(b);
}

static void put_json_tests(JsonBuilder *b, const struct ranking *r)
{
	begin_array(b, "tests");
	for (unsigned i = 0; i < r->tests->len; i++) {
		const struct ranking_test *t = &g_array_index(r->tests, struct ranking_test, i);

		json_builder_begin_object(b);
		put_string(b, "name", t->name);
		put_string(b, "verdict", t->verdict);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_json_line(JsonBuilder *b, const struct ranking *r, const struct ranking_line *l)
{
	json_builder_begin_object(b);
	put_string(b, "file", l->file);
	put_count(b, "line", l->number);
	put_string(b, "text", l->text);
	put_count(b, "failed", l->failed);
	put_count(b, "passed", l->passed);
	begin_array(b, "scores");
	for (unsigned t = 0; t < r->techniques->len; t++) {
		const struct ranking_score *s = &l->scores[t];

		json_builder_begin_object(b);
		put_json_double(b, "score", s->score);
		put_json_double(b, "rank", order_rank(s->standing, r->scheme));
		put_count(b, "first", s->standing.first);
		put_count(b, "last", s->standing.last);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
}

char *tui_rank_json(const struct ranking *r)
{
	static const char *const schemes[] = {
		[RANK_BEST] = "best", [RANK_AVERAGE] = "average", [RANK_WORST] = "worst"
	};
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_count(b, "schema", SCHEMA);
	put_string(b, "program", r->program);
	put_string(b, "suite", r->suite);
	put_counts(b, r);
	put_string(b, "unproven", r->unproven);
	put_string(b, "cut", r->cut);
	put_json_double(b, "total_ms", r->ms);
	put_string(b, "scheme", schemes[r->scheme]);
	begin_array(b, "techniques");
	for (unsigned t = 0; t < r->techniques->len; t++)
		put_string(b, NULL, r->techniques->pdata[t]);
	json_builder_end_array(b);
	begin_array(b, "lines");
	for (unsigned i = 0; i < r->lines->len; i++)
		put_json_line(b, r, &g_array_index(r->lines, struct ranking_line, i));
	json_builder_end_array(b);
	put_json_tests(b, r);
	json_builder_end_object(b);
	return put_end(b, true);
}
