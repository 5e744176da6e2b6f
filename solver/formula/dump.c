/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A formula as text, for those who look into gdb-why itself. */
#include "solver/formula/formula.h"
#include "solver/image/image.h"

#include <inttypes.h>

static void dump_place(FILE *out, const struct definition *d)
{
	static const char *const kinds[] = {
		[DEF_REGISTER] = "register", [DEF_MEMORY] = "memory", [DEF_ADDRESS] = "address",
		[DEF_GUARD] = "guard",	     [DEF_TARGET] = "target", [DEF_INPUT] = "input",
		[DEF_UNKNOWN] = "unknown",
	};

	fprintf(out, "; %s at pc %#" PRIx64, kinds[d->kind], d->pc);
	if (d->statement)
		fprintf(out, ", %s:%u", d->statement->file, d->statement->line);
	if (d->selector == SELECTOR_HARD)
		fputs(", hard", out);
	else
		fprintf(out, ", selector %" PRIu32, d->selector);
}

static void dump_definition(FILE *out, const struct formula *f, const struct definition *d)
{
	fprintf(out, "v%" PRIu32 ":%u = ", term_node(f->pool, d->variable)->a,
		term_width(f->pool, d->variable));
	term_dump(out, f->pool, d->expr);
	dump_place(out, d);
	fputs(", was ", out);
	term_dump_bits(out, d->actual);
	fputs(", if ", out);
	term_dump(out, f->pool, d->reach);
	fputc('\n', out);
}

void formula_dump(FILE *out, const struct formula *f)
{
	for (guint i = 0; i < f->definitions->len; i++)
		dump_definition(out, f, &g_array_index(f->definitions, struct definition, i));
	for (guint i = 0; i < f->constraints->len; i++) {
		const struct constraint *c = &g_array_index(f->constraints, struct constraint, i);

		fputs(c->requirement ? "required: " : "must hold: ", out);
		term_dump(out, f->pool, c->term);
		fprintf(out, "; at pc %#" PRIx64 "%s\n", c->pc, c->crash ? ", a crash" : "");
	}
	for (guint i = 0; i < f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(f->unexplored, struct unexplored, i);

		fputs("unexplored: if ", out);
		term_dump(out, f->pool, u->taken);
		fprintf(out, "; %s at pc %#" PRIx64 ", execution %" PRIu64 " of run %" PRIu32 "\n",
			u->outcome ? "taken" : "not taken", u->pc, u->nth, u->run);
	}
}
