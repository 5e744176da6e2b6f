/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A path through a formula as text, for those who look into gdb-why itself. */
#include "solver/formula/model/model-path.h"

#include <inttypes.h>

static void dump_action(FILE *out, const struct trace_action *a)
{
	static const char *const kinds[] = { [TRACE_ACTION_FORCE] = "force",
					     [TRACE_ACTION_JUMP] = "jump",
					     [TRACE_ACTION_REG] = "register",
					     [TRACE_ACTION_MEM] = "memory",
					     [TRACE_ACTION_CODE] = "code" };

	fprintf(out, "; %s at %#" PRIx64 " of module %" PRIu32 ", execution %" PRIu64,
		a->kind < G_N_ELEMENTS(kinds) && kinds[a->kind] ? kinds[a->kind] : "?", a->addr,
		a->module, a->nth);
}

void model_path_dump(FILE *out, const struct model_path *p)
{
	for (guint i = 0; i < p->changes->len; i++) {
		const struct model_path_change *c =
			&g_array_index(p->changes, struct model_path_change, i);

		fprintf(out, "v%" PRIu32 " := ", c->def);
		term_dump_bits(out, c->value);
		fputs(" for ", out);
		term_dump_bits(out, c->natural);
		if (i < p->actions->len)
			dump_action(out, &g_array_index(p->actions, struct trace_action, i));
		fputc('\n', out);
	}
	fputs(p->leaves ? "then where no run went\n" : "to the end of the formula\n", out);
}
