/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/json/json-decision.h"
#include "solver/answer/json/json-put.h"

static void put_decision_statement(JsonBuilder *b, const struct image_statement *s)
{
	json_builder_begin_object(b);
	put_string(b, "file", s->file);
	put_count(b, "line", s->line);
	put_count(b, "column", s->column);
	json_builder_end_object(b);
}

char *json_of_decision(const struct search *s, const struct search_decision *d)
{
	const GPtrArray *statements = search_selectors(s)->statements;
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	begin_array(b, "candidate");
	for (unsigned i = 0; i < d->n; i++)
		put_decision_statement(b, statements->pdata[d->set[i]]);
	json_builder_end_array(b);
	put_string(b, "technique", d->technique);
	put_string(b, "verdict", d->verdict);
	put_count(b, "runs", d->runs);
	json_builder_set_member_name(b, "ms");
	json_builder_add_double_value(b, d->ms);
	json_builder_end_object(b);
	return put_end(b, false);
}
