/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions and hard constraints of the formula under construction. */
#include "solver/formula/walk-private.h"

#include <string.h>

/* The term that a side was taken which no run took and which may have written what this term
 * depends on; 0 = there is none. */
static uint32_t walk_escapes(struct walk *w, uint32_t term)
{
	gpointer known;
	const struct term_node n = *term_node(w->p, term);
	uint32_t operand[3] = { n.a, n.b, n.c }, escapes = 0;

	if (n.kind == IR_CONST)
		return 0;
	if (n.kind == TERM_VAR)
		return g_array_index(w->f->definitions, struct definition, n.a).escapes;
	if (g_hash_table_lookup_extended(w->escapes, GUINT_TO_POINTER(term), NULL, &known))
		return GPOINTER_TO_UINT(known);
	for (unsigned i = 0; i < 3; i++) {
		uint32_t e = operand[i] ? walk_escapes(w, operand[i]) : 0;

		if (e)
			escapes = escapes ? term_or(w->p, escapes, e) : e;
	}
	g_hash_table_insert(w->escapes, GUINT_TO_POINTER(term), GUINT_TO_POINTER(escapes));
	return escapes;
}

void walk_rely_on(struct walk *w, uint32_t term)
{
	uint32_t escapes = walk_escapes(w, term);

	if (escapes)
		w->reach = term_and(w->p, w->reach, term_not(w->p, escapes));
}

uint64_t walk_step_number(const struct walk *w)
{
	return w->step && !w->step_run_number ? w->step->number : DEFINITION_OF_ANOTHER_RUN;
}

struct definition *walk_define(struct walk *w, enum definition_kind kind, unsigned width,
			       uint32_t expr, uint32_t selector, term_bits actual)
{
	struct definition d = { .kind = kind,
				.expr = expr,
				.selector = selector,
				.reach = w->reach,
				.actual = actual,
				.step = walk_step_number(w),
				.rbp = w->before[TRACE_RBP],
				.rsp = w->before[TRACE_RSP] };
	struct path_entry e = { .kind = PATH_DEF, .index = w->f->definitions->len };

	d.escapes = expr ? walk_escapes(w, expr) : 0;

	d.variable = term_var(w->p, width, w->f->definitions->len);
	g_array_append_val(w->f->definitions, d);
	if (kind != DEF_INPUT && kind != DEF_UNKNOWN)
		g_array_append_val(w->f->path, e);
	return &g_array_index(w->f->definitions, struct definition, w->f->definitions->len - 1);
}

static void require_term_at(struct walk *w, uint32_t reach, uint32_t term, bool requirement)
{
	struct constraint h = { .term = term_or(w->p, term_not(w->p, reach), term),
				.requirement = requirement,
				.pc = w->step ? w->step->pc : 0 };
	uint64_t v;

	if (!term_is_const(w->p, h.term, &v) || !v)
		g_array_append_val(w->f->constraints, h);
}

void walk_require(struct walk *w, uint32_t term, bool requirement)
{
	require_term_at(w, w->reach, term, requirement);
}

static void note_changeable(void *arg, uint32_t variable)
{
	struct walk *w = ((void **)arg)[0];
	bool *changeable = ((void **)arg)[1];
	uint32_t number = term_node(w->p, variable)->a;

	*changeable |=
		g_array_index(w->f->definitions, struct definition, number).kind != DEF_INPUT;
}

/* Does each term depend on more than inputs?  Worked out once, from operands to users. */
bool walk_is_changeable(struct walk *w, uint32_t term)
{
	gpointer known = g_hash_table_lookup(w->changeable, GUINT_TO_POINTER(term));
	bool changeable = false;
	void *arg[2] = { w, &changeable };

	if (known)
		return GPOINTER_TO_INT(known) == 2;
	const struct term_node n = *term_node(w->p, term);

	if (n.kind == TERM_VAR)
		note_changeable(arg, term);
	else if (n.kind != IR_CONST)
		changeable = (n.a && walk_is_changeable(w, n.a)) ||
			     (n.b && walk_is_changeable(w, n.b)) ||
			     (n.c && walk_is_changeable(w, n.c));
	g_hash_table_insert(w->changeable, GUINT_TO_POINTER(term),
			    GINT_TO_POINTER(changeable ? 2 : 1));
	return changeable;
}

/* A line may have several statements: `x = f ();' calls and stores. */
static bool is_received_here(const struct walk *w, const struct definition *d)
{
	const struct image_statement *a = d->statement, *b = w->info->statement;

	return d->kind == DEF_INPUT && a && b && a->line == b->line &&
	       strcmp(a->file, b->file) == 0;
}

bool walk_is_received(const struct walk *w, uint32_t term)
{
	const struct term_node *n = term_node(w->p, term);

	switch (n->kind) {
	case TERM_VAR:
		return is_received_here(w,
					&g_array_index(w->f->definitions, struct definition, n->a));
	case IR_ZEXT:
	case IR_SEXT:
	case IR_EXTRACT:
		return walk_is_received(w, n->a);
	case IR_CONCAT:
		return walk_is_received(w, n->a) && walk_is_received(w, n->b);
	default:
		return false;
	}
}

term_bits walk_actual(struct walk *w, uint32_t term)
{
	return term_eval(w->actual, term);
}

/* How many bits a signed value needs. */
static unsigned bits_of_signed(term_bits v, unsigned width)
{
	unsigned n = width;

	while (n > 1 && (v >> (n - 1) & 1) == (v >> (n - 2) & 1))
		n--;
	return n;
}

/* Does the term, as a signed number, fit into so many bits?  It is one comparison, from which
 * the interval solver learns as much as circuits do. */
static uint32_t fits_in(struct walk *w, uint32_t term, unsigned bits)
{
	unsigned width = term_width(w->p, term);
	term_bits half = (term_bits)1 << (bits - 1);

	if (bits >= width)
		return term_true(w->p);
	return term_op2(w->p, IR_ULT,
			term_op2(w->p, IR_ADD, term, term_const_wide(w->p, width, half)),
			term_const_wide(w->p, width, 2 * half));
}

/* Limits the factors to so many bits that the product cannot overflow; the bits that they may
 * have more than in the run are shared.  That is stricter than necessary, and far easier than
 * the product in double width. */
static uint32_t factors_fit(struct walk *w, const struct term_node *n)
{
	unsigned a = bits_of_signed(walk_actual(w, n->a), n->width);
	unsigned b = bits_of_signed(walk_actual(w, n->b), n->width);
	unsigned spare = n->width > a + b ? n->width - a - b : 0;

	if (term_is_const(w->p, n->b, NULL))
		return fits_in(w, n->a, a + spare);
	if (term_is_const(w->p, n->a, NULL))
		return fits_in(w, n->b, b + spare);
	return term_and(w->p, fits_in(w, n->a, a + spare / 2),
			fits_in(w, n->b, b + spare - spare / 2));
}

static uint32_t does_not_overflow(struct walk *w, const struct term_node *n)
{
	unsigned wide = n->width + 1;

	if (n->kind == IR_EXTRACT)
		return fits_in(w, n->a, n->width);
	if (n->kind == IR_MUL)
		return factors_fit(w, n);
	return fits_in(
		w,
		term_op2(w->p, n->kind, term_sext(w->p, n->a, wide), term_sext(w->p, n->b, wide)),
		n->width);
}

/* A term that must not overflow if the path comes there.  shifted: zeros follow its bits, so that
 * an extract in it is what a shift to the left kept. */
struct sum {
	uint32_t term, reach;
	bool shifted;
};

/* Is the one part of the other, so that it holds wherever the other does?  A path's guards are
 * added at its end, and far fewer of them than this since the last look. */
static bool is_reach_within(const struct walk *w, uint32_t reach, uint32_t wider)
{
	enum { MOST_GUARDS = 256 };
	const struct term_node *n = term_node(w->p, reach);

	for (unsigned i = 0; reach != wider && n->kind == IR_AND && i < MOST_GUARDS; i++) {
		reach = n->a;
		n = term_node(w->p, reach);
	}
	return reach == wider || wider == term_true(w->p);
}

/* A sum that must not overflow on a path need not be bounded once more further along it. */
static bool is_first_sum(struct walk *w, struct sum s)
{
	uint64_t key = (uint64_t)s.term << 32 | s.reach;
	gpointer last = g_hash_table_lookup(w->bounded_at, GUINT_TO_POINTER(s.term));

	if ((last && is_reach_within(w, s.reach, GPOINTER_TO_UINT(last))) ||
	    !g_hash_table_add(w->bounded, GSIZE_TO_POINTER(key)))
		return false;
	g_hash_table_insert(w->bounded_at, GUINT_TO_POINTER(s.term), GUINT_TO_POINTER(s.reach));
	return true;
}

static void push_sum(GArray *open, uint32_t term, uint32_t reach, bool shifted)
{
	struct sum s = { term, reach, shifted };

	g_array_append_val(open, s);
}

/* Compilers multiply by shifts to the left, which terms write as zeros behind the bits that stay.
 */
static bool is_shift_of_product(const struct walk *w, const struct term_node *n)
{
	uint64_t zero;

	return n->kind == IR_CONCAT && term_is_const(w->p, n->b, &zero) && !zero;
}

/* A sum that its statement leaves in a register must not overflow either, if the statement is
 * reached. */
static void push_parts(struct walk *w, const struct term_node *n, struct sum s, GArray *open)
{
	bool shifted = is_shift_of_product(w, n) || (s.shifted && n->kind != IR_EXTRACT);

	if (n->kind == TERM_VAR) {
		const struct definition *d =
			&g_array_index(w->f->definitions, struct definition, n->a);

		if (d->kind == DEF_REGISTER)
			push_sum(open, d->expr, d->reach, s.shifted);
		return;
	}
	push_sum(open, n->a, s.reach, shifted);
	if (n->b)
		push_sum(open, n->b, s.reach, shifted);
}

/* Is this an operation that makes a signed number from signed numbers? */
static bool is_made_of_signed(enum ir_kind kind)
{
	return kind == IR_NEG || kind == IR_ITE || kind == IR_SEXT || kind == IR_SDIV ||
	       kind == IR_SREM;
}

static bool has_sum(struct walk *w, uint32_t term);

static bool has_sum_in_parts(struct walk *w, const struct term_node *n)
{
	if (n->kind == TERM_VAR) {
		const struct definition *d =
			&g_array_index(w->f->definitions, struct definition, n->a);

		return d->kind == DEF_REGISTER && has_sum(w, d->expr);
	}
	if (n->kind == IR_ADD || n->kind == IR_SUB || n->kind == IR_MUL || n->kind == IR_EXTRACT)
		return true;
	return (is_made_of_signed(n->kind) || is_shift_of_product(w, n)) &&
	       (has_sum(w, n->a) || (n->b && has_sum(w, n->b)));
}

/* Is there anything in the term that bound_sum() may bound?  What the sides of branches left is
 * chosen among values that were bounded when they were stored, however deep the choice is. */
static bool has_sum(struct walk *w, uint32_t term)
{
	gpointer known = g_hash_table_lookup(w->sums, GUINT_TO_POINTER(term));
	bool has;

	if (known)
		return GPOINTER_TO_INT(known) == 2;
	const struct term_node n = *term_node(w->p, term);

	has = has_sum_in_parts(w, &n);
	g_hash_table_insert(w->sums, GUINT_TO_POINTER(term), GINT_TO_POINTER(has ? 2 : 1));
	return has;
}

static void bound_sum(struct walk *w, struct sum s, GArray *open)
{
	const struct term_node n = *term_node(w->p, s.term);
	bool arithmetic = n.kind == IR_ADD || n.kind == IR_SUB || n.kind == IR_MUL ||
			  (s.shifted && n.kind == IR_EXTRACT && !n.value);
	bool goes_on = arithmetic || n.kind == TERM_VAR || is_made_of_signed(n.kind) ||
		       is_shift_of_product(w, &n);
	uint32_t fits;

	if (n.width > 64 || !goes_on || !has_sum(w, s.term) || !walk_is_changeable(w, s.term) ||
	    !is_first_sum(w, s))
		return;
	if (arithmetic) {
		fits = does_not_overflow(w, &n);
		if (walk_actual(w, fits))
			require_term_at(w, s.reach, fits, false);
	}
	push_parts(w, &n, s, open);
}

/* All bits of the exponent's field. */
void walk_forbid_overflow_of_float(struct walk *w, const struct definition *d)
{
	unsigned width = term_width(w->p, d->variable), fraction = width == 64 ? 52 : 23;
	uint32_t field, finite;

	if (width != 32 && width != 64)
		return;
	field = term_extract(w->p, d->variable, fraction, width - 1 - fraction);
	finite = term_not(
		w->p, term_eq(w->p, field, term_const(w->p, width - 1 - fraction, ~UINT64_C(0))));
	if (walk_actual(w, finite))
		require_term_at(w, d->reach, finite, false);
}

static uint64_t name_value(const struct image_type *type, uint32_t i)
{
	return type->kind == IMAGE_TYPE_BOOL ? i : (uint64_t)type->enumerators[i].value;
}

void walk_keep_to_names(struct walk *w, const struct definition *d, const struct image_type *type)
{
	const uint32_t n = type->kind == IMAGE_TYPE_BOOL ? 2 : type->n_enumerators;
	unsigned width = term_width(w->p, d->variable);
	uint32_t named = term_false(w->p);

	if (width > 64 || n > 64) /* as many as a word has bits */
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t value = name_value(type, i);

		if (width < 64)
			value &= (UINT64_C(1) << width) - 1;
		named = term_or(w->p, named,
				term_eq(w->p, d->variable, term_const(w->p, width, value)));
	}
	if (walk_actual(w, named))
		require_term_at(w, d->reach, named, false);
}

void walk_forbid_overflow(struct walk *w, uint32_t value)
{
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(struct sum));

	push_sum(open, value, w->reach, false);
	while (open->len) {
		struct sum s = g_array_index(open, struct sum, open->len - 1);

		g_array_set_size(open, open->len - 1);
		bound_sum(w, s, open);
	}
}

static gint latest_definition_first(gconstpointer a, gconstpointer b)
{
	const struct definition *x = *(const struct definition *const *)a;
	const struct definition *y = *(const struct definition *const *)b;

	return x->step > y->step ? -1 : x->step < y->step ? 1 : x->variable < y->variable ? 1 : -1;
}

GPtrArray *formula_executed(const struct formula *f)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < f->definitions->len; i++) {
		const struct definition *d = &g_array_index(f->definitions, struct definition, i);

		if (d->step != DEFINITION_OF_ANOTHER_RUN)
			g_ptr_array_add(all, (gpointer)d);
	}
	g_ptr_array_sort(all, latest_definition_first);
	return all;
}

void formula_free(struct formula *f)
{
	if (!f)
		return;
	g_array_free(f->definitions, TRUE);
	g_array_free(f->constraints, TRUE);
	g_array_free(f->unexplored, TRUE);
	g_array_free(f->path, TRUE);
	g_array_free(f->pcs, TRUE);
	g_array_free(f->instance_end, TRUE);
	g_ptr_array_unref(f->taken);
	g_free(f);
}

const struct definition *formula_definition(const struct formula *f, const struct term_node *n)
{
	return n->kind == TERM_VAR && n->a < f->definitions->len
		       ? &g_array_index(f->definitions, struct definition, n->a)
		       : NULL;
}
