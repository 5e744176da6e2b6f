/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/formula.h"

struct formula *formula_of_nothing(void)
{
	struct formula *f = g_new0(struct formula, 1);

	f->pool = term_pool_new();
	f->definitions = g_array_new(FALSE, FALSE, sizeof(struct definition));
	f->constraints = g_array_new(FALSE, FALSE, sizeof(struct constraint));
	f->unexplored = g_array_new(FALSE, FALSE, sizeof(struct unexplored));
	f->path = g_array_new(FALSE, FALSE, sizeof(struct path_entry));
	f->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	f->instance_end = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return f;
}

void formula_forget(struct formula *f)
{
	term_pool_free(f->pool);
	g_array_free(f->definitions, TRUE);
	g_array_free(f->constraints, TRUE);
	g_array_free(f->unexplored, TRUE);
	g_array_free(f->path, TRUE);
	g_array_free(f->pcs, TRUE);
	g_array_free(f->instance_end, TRUE);
	g_free(f);
}
