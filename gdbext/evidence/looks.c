/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/looks.h"

static bool are_for_ranking(const struct test_looks *l)
{
	return l->o->command != OPTIONS_EXPLAIN && !l->o->joint && !l->o->thorough;
}

void test_looks_limit(const struct test_looks *l, struct limits *of)
{
	if (are_for_ranking(l))
		of->merge_later_steps = MIN(of->merge_later_steps, of->ranked_merge_steps);
}

struct question_look test_looks_first(const struct test_looks *l)
{
	const struct limits *limits = l->limits;
	bool quick = limits->quick_look && limits->quick_look < limits->first_look;

	return (struct question_look){ .work = quick ? limits->quick_look : limits->first_look,
				       .more = quick ? limits->first_look : 0,
				       .limit = quick ? LIMIT_quick_look : LIMIT_first_look };
}

bool test_looks_are_over(const struct test_looks *l)
{
	return l->dear || l->in_vain;
}

void test_looks_note(struct test_looks *l, struct question_look *look, bool quick, bool any)
{
	const struct limits *limits = l->limits;

	look->limit = LIMIT_first_look;
	if (l->mended || quick)
		return;
	l->dear = any && limits->dear_look;
	l->in_vain = !any && limits->last_look && are_for_ranking(l);
	if (l->dear) {
		look->more = look->work + limits->dear_look;
		look->limit = LIMIT_dear_look;
	} else if (l->in_vain) {
		look->more = look->work + limits->last_look;
		look->limit = LIMIT_last_look;
	}
}

struct question_look test_looks_next(const struct test_looks *l)
{
	const struct limits *limits = l->limits;

	if (l->mended)
		return (struct question_look){ .work = limits->next_look,
					       .limit = LIMIT_next_look };
	if (l->dear)
		return (struct question_look){ .work = limits->dear_look,
					       .limit = LIMIT_dear_look };
	if (l->in_vain)
		return (struct question_look){ .work = limits->ask_again,
					       .limit = LIMIT_ask_again };
	return (struct question_look){ 0 };
}

GHashTable *test_looks_lines(const struct test_looks *l, const struct explanation *e)
{
	GHashTable *lines;

	if (!l->in_vain || !l->limits->ask_again)
		return NULL;
	lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *of =
			&g_array_index(e->lines, struct explanation_line, i);

		g_hash_table_add(lines, g_strdup_printf("%s:%u", of->file, of->line));
	}
	return lines;
}
