/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/smt-lib.h"

#include "solver/smt/float.h"

#include <inttypes.h>
#include <string.h>

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

/* Bit-wise operators are connectives on width 1: `and' for `bvand'. */
static void write_bitwise(const struct writer *w, const char *name, const struct term_node *n)
{
	write_applied(w, n->width == 1 ? name + strlen("bv") : name, n, write_use);
}

static void write_equality(const struct writer *w, const char *name, const struct term_node *n)
{
	write_applied(w, name, n, write_use);
}

static void write_comparison(const struct writer *w, const char *name, const struct term_node *n)
{
	write_applied(w, name, n, write_vector);
}

static void write_choice(const struct writer *w, const char *name, const struct term_node *n)
{
	fprintf(w->f, "(%s ", name);
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
static void write_count(const struct writer *w, const char *unused, const struct term_node *n)
{
	unsigned width = n->width;

	(void)unused;
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

static void write_part(const struct writer *w, const char *name, const struct term_node *n)
{
	unsigned low = (unsigned)n->value;
	g_autofree char *of_bits = g_strdup_printf("(_ %s %u %u)", name, low + n->width - 1, low);

	write_vector_applied(w, of_bits, n);
}

static void write_extended(const struct writer *w, const char *name, const struct term_node *n)
{
	unsigned by = n->width - term_width(w->p, n->a);
	g_autofree char *by_bits = g_strdup_printf("(_ %s %u)", name, by);

	write_vector_applied(w, by_bits, n);
}

/* Who writes an operator, and its name in SMT-LIB.  The table below is made by ir-ops.def, so a
 * new operation does not compile before it has its line here. */
#define FORM_ADD .write = write_vector_applied, .name = "bvadd"
#define FORM_SUB .write = write_vector_applied, .name = "bvsub"
#define FORM_MUL .write = write_vector_applied, .name = "bvmul"
#define FORM_UDIV .write = write_vector_applied, .name = "bvudiv"
#define FORM_SDIV .write = write_vector_applied, .name = "bvsdiv"
#define FORM_UREM .write = write_vector_applied, .name = "bvurem"
#define FORM_SREM .write = write_vector_applied, .name = "bvsrem"
#define FORM_AND .write = write_bitwise, .name = "bvand"
#define FORM_OR .write = write_bitwise, .name = "bvor"
#define FORM_XOR .write = write_bitwise, .name = "bvxor"
#define FORM_NOT .write = write_bitwise, .name = "bvnot"
#define FORM_NEG .write = write_vector_applied, .name = "bvneg"
#define FORM_SHL .write = write_vector_applied, .name = "bvshl"
#define FORM_LSHR .write = write_vector_applied, .name = "bvlshr"
#define FORM_ASHR .write = write_vector_applied, .name = "bvashr"
#define FORM_EQ .write = write_equality, .name = "="
#define FORM_ULT .write = write_comparison, .name = "bvult"
#define FORM_ULE .write = write_comparison, .name = "bvule"
#define FORM_SLT .write = write_comparison, .name = "bvslt"
#define FORM_SLE .write = write_comparison, .name = "bvsle"
#define FORM_ITE .write = write_choice, .name = "ite"
#define FORM_CONCAT .write = write_vector_applied, .name = "concat"
#define FORM_EXTRACT .write = write_part, .name = "extract"
#define FORM_ZEXT .write = write_extended, .name = "zero_extend"
#define FORM_SEXT .write = write_extended, .name = "sign_extend"
#define FORM_CLZ .write = write_count, .name = NULL
#define FORM_CTZ .write = write_count, .name = NULL
#define FORM_POPCNT .write = write_count, .name = NULL

static const struct {
	void (*write)(const struct writer *w, const char *name, const struct term_node *n);
	const char *name;
} forms[] = {
#define IR_OPERATOR(NAME, ...) [IR_##NAME] = { FORM_##NAME },
#include "solver/isa/ir-ops.def"
};

static bool text_is_needed_first(struct writer *w, uint32_t t)
{
	if (!t || g_hash_table_contains(w->written, GUINT_TO_POINTER(t)))
		return false;
	g_array_append_val(w->todo, t);
	return true;
}

/* Whether another term has to be written before t. */
static bool text_waits_for_operand(struct writer *w, uint32_t t)
{
	const struct term_node n = *term_node(w->p, t);
	bool any = false;

	if (n.kind == TERM_VAR || n.kind == IR_CONST || float_is_opaque(&n))
		return false;
	if (n.kind == IR_FP)
		return text_is_needed_first(w, float_expanded_once(w->p, t, w->expanded));
	any |= text_is_needed_first(w, n.a);
	any |= text_is_needed_first(w, n.b);
	any |= text_is_needed_first(w, n.c);
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
		write_use(w, float_expanded_once(w->p, t, w->expanded));
	else
		forms[n.kind].write(w, forms[n.kind].name, &n);
	fputs(")\n", w->f);
}

/* Operands first, without recursion: terms may be deep. */
static void write_terms_below(struct writer *w, uint32_t term)
{
	text_is_needed_first(w, term);
	while (w->todo->len) {
		uint32_t t = g_array_index(w->todo, uint32_t, w->todo->len - 1);
		bool done = g_hash_table_contains(w->written, GUINT_TO_POINTER(t));

		if (!done && text_waits_for_operand(w, t))
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
