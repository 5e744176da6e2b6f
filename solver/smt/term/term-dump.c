/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/term.h"

#include <inttypes.h>

/* Deeper terms are said by number: they may be shared, and as a tree far larger than they are. */
enum { DEPTH = 4 };

static const char *name_of_node(const struct term_node *n)
{
	if (n->kind != IR_FP)
		return ir_info(n->kind)->name;
	return n->value < IR_FP_CALL ? ir_fp_info((unsigned)n->value)->name : "CALL";
}

static void dump_below(FILE *f, const struct term_pool *p, uint32_t t, unsigned depth)
{
	const struct term_node *n = term_node(p, t);
	const uint32_t operands[] = { n->a, n->b, n->c };

	if (n->kind == IR_CONST) {
		fprintf(f, "%#" PRIx64, n->value);
		return;
	}
	if (n->kind == TERM_VAR || !depth) {
		fprintf(f, "%c%" PRIu32, n->kind == TERM_VAR ? 'v' : 't',
			n->kind == TERM_VAR ? n->a : t);
		return;
	}
	fprintf(f, "%s:%u(", name_of_node(n), n->width);
	for (unsigned i = 0; i < G_N_ELEMENTS(operands) && operands[i]; i++) {
		fputs(i ? ", " : "", f);
		dump_below(f, p, operands[i], depth - 1);
	}
	if (n->kind == IR_EXTRACT)
		fprintf(f, ", from bit %" PRIu64, n->value);
	fputc(')', f);
}

void term_dump(FILE *f, const struct term_pool *p, uint32_t t)
{
	if (t)
		dump_below(f, p, t, DEPTH);
	else
		fputs("none", f);
}

void term_dump_bits(FILE *f, term_bits value)
{
	if (value >> 64)
		fprintf(f, "0x%" PRIx64 "%016" PRIx64, (uint64_t)(value >> 64), (uint64_t)value);
	else
		fprintf(f, "%#" PRIx64, (uint64_t)value);
}
