/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/smt-lib.h"

#include "solver/smt/float.h"

#include <inttypes.h>

/* A new operation of ir-ops.def does not compile here before it is written. */
#pragma GCC diagnostic error "-Wswitch-enum"

struct writer {
	FILE *f;
	struct term_pool *p;
	GHashTable *written;  /* terms */
	GHashTable *expanded; /* floating-point term → the same without floating point */
	GArray *todo;	      /* uint32_t: terms to be written, users below operands */
};

static void write_sort(FILE *f, unsigned width)
{
	if (width == 1)
		fputs("Bool", f);
	else
		fprintf(f, "(_ BitVec %u)", width);
}

static void write_constant(FILE *f, unsigned width, uint64_t value)
{
	if (width == 1)
		fputs(value ? "true" : "false", f);
	else
		fprintf(f, "(_ bv%" PRIu64 " %u)", value, width);
}

/* A use of the term: its name, or its value. */
static void write_use(const struct writer *w, uint32_t t)
{
	const struct term_node *n = term_node(w->p, t);

	if (n->kind == IR_CONST)
		write_constant(w->f, n->width, n->value);
	else if (n->kind == TERM_VAR)
		fprintf(w->f, "v%u", n->a);
	else
		fprintf(w->f, "%s%u", float_is_opaque(n) ? "c" : "t", t);
}

/* Where a bit-vector is wanted, and a term of width 1 is Boolean. */
static void write_vector(const struct writer *w, uint32_t t)
{
	if (term_width(w->p, t) > 1) {
		write_use(w, t);
		return;
	}
	fputs("(ite ", w->f);
	write_use(w, t);
	fputs(" #b1 #b0)", w->f);
}

static void write_applied(const struct writer *w, const char *name, const struct term_node *n,
			  void (*write_operand)(const struct writer *w, uint32_t t))
{
	const uint32_t operands[] = { n->a, n->b };

	fprintf(w->f, "(%s", name);
	for (unsigned i = 0; i < G_N_ELEMENTS(operands) && operands[i]; i++) {
		fputc(' ', w->f);
		write_operand(w, operands[i]);
	}
	fputc(')', w->f);
}

/* Its result is a bit-vector even when it has one bit. */
static void write_vector_applied(const struct writer *w, const char *name,
				 const struct term_node *n)
{
	if (n->width == 1)
		fputs("(= #b1 ", w->f);
	write_applied(w, name, n, write_vector);
	if (n->width == 1)
		fputc(')', w->f);
}

/* Bit-wise operators are connectives on width 1. */
static void write_bitwise(const struct writer *w, const char *connective, const char *name,
			  const struct term_node *n)
{
	write_applied(w, n->width == 1 ? connective : name, n, write_use);
}

static void write_choice(const struct writer *w, const struct term_node *n)
{
	fputs("(ite ", w->f);
	write_use(w, n->c);
	fputc(' ', w->f);
	write_use(w, n->a);
	fputc(' ', w->f);
	write_use(w, n->b);
	fputc(')', w->f);
}

static void write_bit(const struct writer *w, uint32_t t, unsigned at)
{
	fprintf(w->f, "((_ extract %u %u) ", at, at);
	write_vector(w, t);
	fputc(')', w->f);
}

/* SMT-LIB has no operators that count bits.  The number of zeros is a chain of choices, one
 * for each bit; the number of ones is a sum. */
static void write_count(const struct writer *w, const struct term_node *n)
{
	unsigned width = n->width;

	if (width == 1)
		fputs("(= #b1 ", w->f);
	for (unsigned i = 0; i < width; i++) {
		fputs(n->kind == IR_POPCNT ? "(bvadd " : "(ite (= #b1 ", w->f);
		if (n->kind == IR_POPCNT)
			fprintf(w->f, "((_ zero_extend %u) ", width - 1);
		write_bit(w, n->a, n->kind == IR_CLZ ? width - 1 - i : i);
		fputs(") ", w->f);
		if (n->kind != IR_POPCNT)
			fprintf(w->f, "(_ bv%u %u) ", i, width);
	}
	fprintf(w->f, "(_ bv%u %u)", n->kind == IR_POPCNT ? 0 : width, width);
	for (unsigned i = 0; i < width + (width == 1); i++)
		fputc(')', w->f);
}

static void write_part(const struct writer *w, const struct term_node *n)
{
	g_autofree char *name = g_strdup_printf(
		"(_ extract %u %u)", (unsigned)n->value + n->width - 1, (unsigned)n->value);

	write_vector_applied(w, name, n);
}

static void write_extended(const struct writer *w, const char *how, const struct term_node *n)
{
	g_autofree char *name =
		g_strdup_printf("(_ %s %u)", how, n->width - term_width(w->p, n->a));

	write_vector_applied(w, name, n);
}

static void write_operation(const struct writer *w, const struct term_node *n)
{
	switch ((enum ir_kind)n->kind) {
	case IR_ADD:
		write_vector_applied(w, "bvadd", n);
		break;
	case IR_SUB:
		write_vector_applied(w, "bvsub", n);
		break;
	case IR_MUL:
		write_vector_applied(w, "bvmul", n);
		break;
	case IR_UDIV:
		write_vector_applied(w, "bvudiv", n);
		break;
	case IR_SDIV:
		write_vector_applied(w, "bvsdiv", n);
		break;
	case IR_UREM:
		write_vector_applied(w, "bvurem", n);
		break;
	case IR_SREM:
		write_vector_applied(w, "bvsrem", n);
		break;
	case IR_AND:
		write_bitwise(w, "and", "bvand", n);
		break;
	case IR_OR:
		write_bitwise(w, "or", "bvor", n);
		break;
	case IR_XOR:
		write_bitwise(w, "xor", "bvxor", n);
		break;
	case IR_NOT:
		write_bitwise(w, "not", "bvnot", n);
		break;
	case IR_NEG:
		write_vector_applied(w, "bvneg", n);
		break;
	case IR_SHL:
		write_vector_applied(w, "bvshl", n);
		break;
	case IR_LSHR:
		write_vector_applied(w, "bvlshr", n);
		break;
	case IR_ASHR:
		write_vector_applied(w, "bvashr", n);
		break;
	case IR_EQ:
		write_applied(w, "=", n, write_use);
		break;
	case IR_ULT:
		write_applied(w, "bvult", n, write_vector);
		break;
	case IR_ULE:
		write_applied(w, "bvule", n, write_vector);
		break;
	case IR_SLT:
		write_applied(w, "bvslt", n, write_vector);
		break;
	case IR_SLE:
		write_applied(w, "bvsle", n, write_vector);
		break;
	case IR_ITE:
		write_choice(w, n);
		break;
	case IR_CONCAT:
		write_vector_applied(w, "concat", n);
		break;
	case IR_EXTRACT:
		write_part(w, n);
		break;
	case IR_ZEXT:
		write_extended(w, "zero_extend", n);
		break;
	case IR_SEXT:
		write_extended(w, "sign_extend", n);
		break;
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
		write_count(w, n);
		break;
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		g_assert_not_reached(); /* no term is one of these, IR_FP and IR_CONST apart */
	}
}

static uint32_t without_floating_point(struct writer *w, uint32_t t)
{
	gpointer known = g_hash_table_lookup(w->expanded, GUINT_TO_POINTER(t));

	if (!known) {
		known = GUINT_TO_POINTER(float_expanded(w->p, t));
		g_hash_table_insert(w->expanded, GUINT_TO_POINTER(t), known);
	}
	return GPOINTER_TO_UINT(known);
}

static bool needs_first(struct writer *w, uint32_t t)
{
	if (!t || g_hash_table_contains(w->written, GUINT_TO_POINTER(t)))
		return false;
	g_array_append_val(w->todo, t);
	return true;
}

/* Whether another term has to be written before t. */
static bool waits(struct writer *w, uint32_t t)
{
	const struct term_node n = *term_node(w->p, t);
	bool any = false;

	if (n.kind == TERM_VAR || n.kind == IR_CONST || float_is_opaque(&n))
		return false;
	if (n.kind == IR_FP)
		return needs_first(w, without_floating_point(w, t));
	any |= needs_first(w, n.a);
	any |= needs_first(w, n.b);
	any |= needs_first(w, n.c);
	return any;
}

static void write_declaration(const struct writer *w, uint32_t t)
{
	fputs("(declare-const ", w->f);
	write_use(w, t);
	fputc(' ', w->f);
	write_sort(w->f, term_width(w->p, t));
	fputs(float_is_opaque(term_node(w->p, t)) ? ") ; a function's result, free here\n" : ")\n",
	      w->f);
}

static void write_term(struct writer *w, uint32_t t)
{
	const struct term_node n = *term_node(w->p, t);

	if (n.kind == IR_CONST)
		return;
	if (n.kind == TERM_VAR || float_is_opaque(&n)) {
		write_declaration(w, t);
		return;
	}
	fprintf(w->f, "(define-fun t%u () ", t);
	write_sort(w->f, n.width);
	fputc(' ', w->f);
	if (n.kind == IR_FP)
		write_use(w, without_floating_point(w, t));
	else
		write_operation(w, &n);
	fputs(")\n", w->f);
}

/* Operands first, without recursion: terms may be deep. */
static void write_terms_below(struct writer *w, uint32_t term)
{
	needs_first(w, term);
	while (w->todo->len) {
		uint32_t t = g_array_index(w->todo, uint32_t, w->todo->len - 1);
		bool done = g_hash_table_contains(w->written, GUINT_TO_POINTER(t));

		if (!done && waits(w, t))
			continue;
		g_array_set_size(w->todo, w->todo->len - 1);
		if (done)
			continue;
		write_term(w, t);
		g_hash_table_add(w->written, GUINT_TO_POINTER(t));
	}
}

void smt_lib_write(FILE *f, struct term_pool *p, const uint32_t *terms, unsigned n)
{
	g_autoptr(GHashTable) written = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) expanded = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct writer w = { f, p, written, expanded, todo };

	fputs("(set-logic QF_BV)\n", f);
	for (unsigned i = 0; i < n; i++) {
		write_terms_below(&w, terms[i]);
		fputs("(assert ", f);
		write_use(&w, terms[i]);
		fputs(")\n", f);
	}
	fputs("(check-sat)\n", f);
}
