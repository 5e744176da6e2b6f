/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Source text of any kind, asked at every place: what is found lies within the
 * text, and a condition's outcomes lead to parts that are there.
 */
#include "solver/source/condition-text.h"
#include "solver/source/expression/expression.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_lie_within(const struct source *s, struct source_span span)
{
	if (span.from > span.to || span.to > s->length)
		abort();
	g_free(source_text(s, span));
}

static void must_lead_on(const struct condition_text *c, int to, guint from)
{
	if (to != CONDITION_TRUE && to != CONDITION_FALSE &&
	    (to <= (int)from || to >= (int)c->atoms->len))
		abort();
}

static void ask_condition(const struct source *s, size_t at)
{
	struct condition_text c;

	if (!condition_text_find(s, at, &c))
		return;
	must_lie_within(s, c.whole);
	must_lie_within(s, c.body);
	must_lie_within(s, c.step);
	for (guint i = 0; i < c.atoms->len; i++) {
		const struct condition_atom *a = &g_array_index(c.atoms, struct condition_atom, i);

		must_lie_within(s, a->span);
		must_lead_on(&c, a->if_true, i);
		must_lead_on(&c, a->if_false, i);
	}
	condition_text_clear(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, MIN(size, 512));
	struct source *s = source_new(text);

	for (size_t at = 0; at < s->length; at++) {
		must_lie_within(s, source_statement(s, at));
		must_lie_within(s, source_assigned(s, at));
		must_lie_within(s, source_returned(s, at));
		must_lie_within(s, source_argument(s, at, "f", 1));
		must_lie_within(s, source_put(s, at, 1));
		ask_condition(s, at);
	}
	source_free(s);
	g_array_unref(expression_parts(text));
	return 0;
}
