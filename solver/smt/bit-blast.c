/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine that turns terms into circuits once and asks a SAT solver. */
#include "solver/smt/float.h"
#include "solver/smt/smt-engine.h"
#include "solver/smt/circuits.h"
#include "solver/smt/late-circuits.h"
#include "solver/smt/term/term-reason.h"

#include <string.h>
#include <time.h>

/* A new operation of ir-ops.def does not compile before each switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

struct bits {
	struct term_pool *pool;
	struct aig *aig;
	struct late_circuits *late;
	GArray *literals; /* int: the bits of the terms that were translated */
	uint32_t *start;  /* by term: where its bits are in literals, plus 1 */
	uint32_t room;
	GHashTable *expanded; /* floating-point term → the same without floating point */
	GHashTable *expected; /* variable → term_bits */
	GArray *asserted;     /* uint32_t: terms that no circuit was made for yet */
	GArray *given;	      /* uint32_t: terms that were asserted and translated */
	GHashTable *numbered; /* number of a variable → its term */
	GArray *todo;	      /* uint32_t: translation stack */
	GArray *model;	      /* bool, by variable, of the last question that was SMT_SAT */
	bool is_opaque;	      /* a value was made up (float_is_opaque) */
	gint64 deadline;      /* in the thread's own time */
	const struct deadline *until;
	uint64_t calls; /* of ask_for_end */
	uint64_t made;	/* gates, as bitblast_cost has them */
};

static void *bitblast_new(struct term_pool *p)
{
	struct bits *b = g_new0(struct bits, 1);

	b->pool = p;
	b->aig = aig_new();
	b->late = late_circuits_new(b->aig);
	b->literals = g_array_new(FALSE, FALSE, sizeof(int));
	b->expanded = g_hash_table_new(NULL, NULL);
	b->expected = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	b->asserted = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b->given = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b->numbered = g_hash_table_new(NULL, NULL);
	b->todo = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b->model = g_array_new(FALSE, TRUE, sizeof(bool));
	return b;
}

static void bitblast_free(void *engine)
{
	struct bits *b = engine;

	late_circuits_free(b->late);
	aig_free(b->aig);
	g_array_free(b->literals, TRUE);
	g_hash_table_destroy(b->expanded);
	g_hash_table_destroy(b->expected);
	g_array_free(b->asserted, TRUE);
	g_array_free(b->given, TRUE);
	g_hash_table_destroy(b->numbered);
	g_array_free(b->todo, TRUE);
	g_array_free(b->model, TRUE);
	g_free(b->start);
	g_free(b);
}

static const int *literals_of_term(const struct bits *b, uint32_t t)
{
	return t ? &g_array_index(b->literals, int, b->start[t] - 1) : NULL;
}

static void bitblast_end_at(void *engine, const struct deadline *until)
{
	struct bits *b = engine;

	b->until = until;
}

static void bitblast_expect(void *engine, uint32_t variable, term_bits value)
{
	struct bits *b = engine;

	g_hash_table_insert(b->expected, GUINT_TO_POINTER(variable),
			    g_memdup2(&value, sizeof value));
}

static void input_literals(struct bits *b, uint32_t variable, unsigned n, int *out)
{
	const term_bits *known = g_hash_table_lookup(b->expected, GUINT_TO_POINTER(variable));

	for (unsigned i = 0; i < n; i++)
		out[i] = aig_input(b->aig, known && *known >> i & 1);
}

static void extend_literals(const int *a, unsigned from, int fill, unsigned to, int *out)
{
	memcpy(out, a, from * sizeof *out);
	for (unsigned i = from; i < to; i++)
		out[i] = fill;
}

static int compare_literals(struct aig *g, enum ir_kind kind, const int *x, const int *y,
			    unsigned n)
{
	switch ((unsigned)kind) {
	case IR_EQ:
		return word_equal(g, x, y, n);
	case IR_ULT:
	case IR_ULE:
		return circuit_less(g, x, y, n, kind == IR_ULE);
	default:
		return circuit_less_signed(g, x, y, n, kind == IR_SLE);
	}
}

static void each_bit(struct aig *g, enum ir_kind kind, const int *x, const int *y, unsigned n,
		     int *out)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = kind == IR_NOT	  ? -x[i]
			 : kind == IR_AND ? aig_and(g, x[i], y[i])
			 : kind == IR_OR  ? aig_or(g, x[i], y[i])
					  : aig_xor(g, x[i], y[i]);
}

/* The operands' bits are there. */
static void circuit_of_term(struct bits *b, uint32_t t, const struct term_node *n, int *out)
{
	const int *x = NULL, *y = NULL;
	unsigned width = n->width;

	if (n->kind == TERM_VAR) {
		g_hash_table_insert(b->numbered, GUINT_TO_POINTER(n->a), GUINT_TO_POINTER(t));
		input_literals(b, t, width, out);
		return;
	}
	if (n->kind == IR_CONST) {
		circuit_constant(n->value, width, out);
		return;
	}
	x = literals_of_term(b, n->a);
	y = literals_of_term(b, n->b);
	switch (n->kind) {
	case IR_ITE:
		circuit_mux(b->aig, *literals_of_term(b, n->c), x, y, width, out);
		break;
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		*out = compare_literals(b->aig, n->kind, x, y, term_width(b->pool, n->a));
		break;
	case IR_CONCAT:
		memcpy(out, y, term_width(b->pool, n->b) * sizeof *out);
		memcpy(out + term_width(b->pool, n->b), x, term_width(b->pool, n->a) * sizeof *out);
		break;
	case IR_EXTRACT:
		memcpy(out, x + n->value, width * sizeof *out);
		break;
	case IR_ZEXT:
		extend_literals(x, term_width(b->pool, n->a), AIG_FALSE, width, out);
		break;
	case IR_SEXT:
		extend_literals(x, term_width(b->pool, n->a), x[term_width(b->pool, n->a) - 1],
				width, out);
		break;
	case IR_NOT:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
		each_bit(b->aig, n->kind, x, y, width, out);
		break;
	default:
		if (!late_circuits_take(b->late, t, n->kind, x, y, width, out))
			circuit_operator(b->aig, n->kind, x, y, width, out);
		break;
	}
}

static bool bits_are_needed_first(struct bits *b, uint32_t t)
{
	if (!t || b->start[t])
		return false;
	g_array_append_val(b->todo, t);
	return true;
}

static void make_room_for_bits(struct bits *b)
{
	uint32_t size = term_pool_size(b->pool);

	if (size <= b->room)
		return;
	size += size / 2;
	b->start = g_renew(uint32_t, b->start, size);
	memset(b->start + b->room, 0, (size - b->room) * sizeof(*b->start));
	b->room = size;
}

static uint32_t bits_without_float(struct bits *b, uint32_t t)
{
	uint32_t made = float_expanded_once(b->pool, t, b->expanded);

	make_room_for_bits(b);
	return made;
}

/* Are the bits of another term needed before t's can be made? */
static bool bits_wait_for_operand(struct bits *b, uint32_t t, const struct term_node *n)
{
	bool any = false;

	if (n->kind == TERM_VAR || n->kind == IR_CONST || float_is_opaque(n))
		return false;
	if (n->kind == IR_FP)
		return bits_are_needed_first(b, bits_without_float(b, t));
	any |= bits_are_needed_first(b, n->a);
	any |= bits_are_needed_first(b, n->b);
	any |= bits_are_needed_first(b, n->c);
	return any;
}

static void make_bits(struct bits *b, uint32_t t, const struct term_node *n)
{
	int out[CIRCUIT_MAX_WIDTH];

	if (float_is_opaque(n)) {
		b->is_opaque = true;
		input_literals(b, t, n->width, out);
	} else if (n->kind == IR_FP) {
		b->start[t] = b->start[bits_without_float(b, t)];
		return;
	} else {
		circuit_of_term(b, t, n, out);
	}
	b->start[t] = b->literals->len + 1;
	g_array_append_vals(b->literals, out, n->width);
}

/* Makes operands first, without recursion, because terms may be deep. */
static const int *translate_to_bits(struct bits *b, uint32_t term)
{
	make_room_for_bits(b);
	bits_are_needed_first(b, term);
	while (b->todo->len) {
		uint32_t t = g_array_index(b->todo, uint32_t, b->todo->len - 1);
		const struct term_node n = *term_node(b->pool, t);

		if (!b->start[t] && bits_wait_for_operand(b, t, &n))
			continue;
		g_array_set_size(b->todo, b->todo->len - 1);
		if (!b->start[t])
			make_bits(b, t, &n);
	}
	return literals_of_term(b, term);
}

/* Each of them once: terms share parts, so there may be more ways to one than anybody can go. */
static void append_disjuncts(const struct term_pool *p, uint32_t t, GHashTable *seen, GArray *found)
{
	const struct term_node *n = term_node(p, t);

	if (!g_hash_table_add(seen, GUINT_TO_POINTER(t)))
		return;
	if (n->kind == IR_OR && n->width == 1) {
		append_disjuncts(p, n->a, seen, found);
		append_disjuncts(p, n->b, seen, found);
	} else {
		g_array_append_val(found, t);
	}
}

/* Adds clauses that say: unless one of the others holds, the words are equal. */
static void assert_equal(struct bits *b, GArray *clause, uint32_t equation)
{
	const struct term_node n = *term_node(b->pool, equation);
	unsigned width = term_width(b->pool, n.a);
	int x[CIRCUIT_MAX_WIDTH], y[CIRCUIT_MAX_WIDTH];

	memcpy(x, translate_to_bits(b, n.a), width * sizeof *x);
	memcpy(y, translate_to_bits(b, n.b), width * sizeof *y);
	for (unsigned i = 0; i < width; i++)
		for (int sign = -1; sign <= 1; sign += 2) {
			guint before = clause->len;
			int two[2] = { sign * x[i], -sign * y[i] };

			g_array_append_vals(clause, two, 2);
			aig_clause(b->aig, (const int *)(const void *)clause->data, clause->len);
			g_array_set_size(clause, before);
		}
}

static void give_clauses(struct bits *b, uint32_t boolean)
{
	g_autoptr(GArray) terms = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) clause = g_array_new(FALSE, FALSE, sizeof(int));
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	uint32_t equation = 0;

	append_disjuncts(b->pool, boolean, seen, terms);
	for (guint i = 0; i < terms->len; i++) {
		uint32_t t = g_array_index(terms, uint32_t, i);

		if (term_node(b->pool, t)->kind == IR_EQ && !equation)
			equation = t;
		else
			g_array_append_val(clause, *translate_to_bits(b, t));
	}
	if (equation)
		assert_equal(b, clause, equation);
	else
		aig_clause(b->aig, (const int *)(const void *)clause->data, clause->len);
}

/* Circuits are made when something is asked. */
static void bitblast_assert(void *engine, uint32_t boolean)
{
	g_array_append_val(((struct bits *)engine)->asserted, boolean);
}

/* About as many gates as the operator's circuit has. */
static uint64_t aig_of(const struct term_pool *p, const struct term_node *n)
{
	uint64_t w = n->kind == TERM_VAR ? n->width : term_width(p, n->a), digits = w;
	uint64_t v;

	if (n->kind == TERM_VAR)
		return 2 * w;
	if (n->kind == IR_CONST)
		return 0;
	if (n->kind == IR_FP)
		return float_aig(p, n);
	switch ((enum ir_kind)n->kind) {
	case IR_MUL:
		if (term_is_const(p, n->b, &v))
			digits = (unsigned)__builtin_popcountll(v ^ 3 * v); /* as in circuits.c */
		return 3 * w * MIN(digits, w / 2);
	case IR_UDIV:
	case IR_UREM:
	case IR_SDIV:
	case IR_SREM:
		if (term_is_const(p, n->b, &v) && v)
			digits = 64 - (unsigned)__builtin_clzll(v);
		return 4 * w * digits + 6 * w;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
		return 7 * w;
	case IR_NOT:
	case IR_CONCAT:
	case IR_EXTRACT:
	case IR_ZEXT:
	case IR_SEXT:
		return 0;
	case IR_ADD:
	case IR_SUB:
	case IR_NEG:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
	case IR_ITE:
		return 2 * w;
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	g_assert_not_reached();
}

static void visit_waiting_bits(const struct bits *b, uint8_t *seen, GArray *open, uint32_t t)
{
	if (!t || seen[t] || (t < b->room && b->start[t]))
		return;
	seen[t] = 1;
	g_array_append_val(open, t);
}

static uint64_t bitblast_cost(void *engine)
{
	struct bits *b = engine;
	g_autofree uint8_t *seen = g_new0(uint8_t, term_pool_size(b->pool));
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint64_t cost = 0;

	for (guint i = 0; i < b->asserted->len; i++)
		visit_waiting_bits(b, seen, open, g_array_index(b->asserted, uint32_t, i));
	while (open->len) {
		const struct term_node *n =
			term_node(b->pool, g_array_index(open, uint32_t, open->len - 1));

		g_array_set_size(open, open->len - 1);
		if (n->kind != IR_CONST)
			cost += aig_of(b->pool, n);
		if (n->kind == TERM_VAR || n->kind == IR_CONST)
			continue;
		visit_waiting_bits(b, seen, open, n->a);
		visit_waiting_bits(b, seen, open, n->b);
		visit_waiting_bits(b, seen, open, n->c);
	}
	return cost;
}

/* Microseconds that this thread has run. */
static gint64 own_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * (gint64)1000000 + t.tv_nsec / 1000;
}

static int ask_for_end(void *state)
{
	struct bits *b = state;

	b->calls++;
	return own_time() >= b->deadline || deadline_is_over(b->until);
}

/* Limits by counts of work, because an answer must not depend on how busy the machine is.  Time
 * only counts when that limit is far away. */
static void set_sat_limits(struct bits *b, unsigned effort_ms)
{
	const struct limits *l = term_pool_limits(b->pool);
	CCaDiCaL *solver = aig_solver(b->aig);
	int ms = (int)CLAMP(effort_ms, 1, 1000000);
	uint64_t variables = (uint64_t)MAX(aig_variables(b->aig), 1);
	int conflicts = (int)CLAMP(l->conflict_size_a_ms / variables, l->fewest_conflicts_a_ms,
				   l->most_conflicts_a_ms);

	ccadical_limit(solver, "conflicts", ms * conflicts);
	ccadical_limit(solver, "decisions", ms * (int)l->decisions_a_ms);
	b->deadline = own_time() + 1000 * (gint64)l->times_too_slow * ms;
	ccadical_set_terminate(solver, b, ask_for_end);
}

static void remember_model(struct bits *b)
{
	CCaDiCaL *solver = aig_solver(b->aig);

	g_array_set_size(b->model, (guint)aig_variables(b->aig) + 1);
	for (guint i = 1; i < b->model->len; i++)
		g_array_index(b->model, bool, i) = ccadical_val(solver, (int)i) > 0;
}

/* Translates what was asserted since the last question; false when there is no time for all of
 * it. */
static bool give_all(struct bits *b)
{
	guint n = 0;

	for (; n < b->asserted->len && !deadline_is_over(b->until); n++)
		give_clauses(b, g_array_index(b->asserted, uint32_t, n));
	g_array_append_vals(b->given, b->asserted->data, n);
	g_array_remove_range(b->asserted, 0, n);
	return !b->asserted->len;
}

/* The value of a variable in the solver's model. */
static term_bits value_in_solver(void *bits, uint32_t number)
{
	const struct bits *b = bits;
	uint32_t t = GPOINTER_TO_UINT(g_hash_table_lookup(b->numbered, GUINT_TO_POINTER(number)));
	const int *bit = literals_of_term(b, t);
	unsigned width = t ? term_width(b->pool, t) : 0;
	term_bits value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= (term_bits)(ccadical_val(aig_solver(b->aig), bit[i]) > 0) << i;
	return value;
}

/* Finds the first of these terms that does not hold; 0 = all do. */
static uint32_t first_violated(struct term_memo *m, const uint32_t *terms, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!(term_eval(m, terms[i]) & 1))
			return terms[i];
	return 0;
}

/* Does the model rest on a result whose circuit was left for later, and which is wrong?  Then that
 * circuit is made. */
static bool is_model_wrong(struct bits *b, const uint32_t *assumptions, unsigned n)
{
	g_autoptr(GHashTable) reasons = g_hash_table_new(NULL, NULL);
	struct term_memo *m;
	uint32_t violated;

	if (!late_circuits_are_waiting(b->late))
		return false;
	if (b->is_opaque) /* terms cannot be evaluated */
		return late_circuits_make_wrong(b->late, NULL);
	m = term_memo_new(b->pool, value_in_solver, b);
	violated = first_violated(m, (const uint32_t *)(const void *)b->given->data, b->given->len);
	if (!violated)
		violated = first_violated(m, assumptions, n);
	if (violated)
		term_reasons(b->pool, m, violated, b->expanded, reasons);
	term_memo_free(m);
	return violated && late_circuits_make_wrong(b->late, reasons);
}

/* CaDiCaL's answer. */
static int ask_sat_solver(struct bits *b, const uint32_t *assumptions, unsigned n,
			  unsigned effort_ms)
{
	CCaDiCaL *solver = aig_solver(b->aig);
	int answer;

	do {
		for (unsigned i = 0; i < n; i++)
			ccadical_assume(solver, *literals_of_term(b, assumptions[i]));
		set_sat_limits(b, effort_ms);
		answer = ccadical_solve(solver);
	} while (answer == 10 && is_model_wrong(b, assumptions, n));
	return answer;
}

static enum smt_answer bitblast_check(void *engine, const uint32_t *assumptions, unsigned n,
				      unsigned effort_ms)
{
	struct bits *b = engine;
	uint64_t cost = b->asserted->len ? bitblast_cost(b) : 0;

	if (cost > term_pool_limits(b->pool)->gates_a_ms * effort_ms)
		return SMT_UNKNOWN;
	b->made += cost;
	if (!give_all(b))
		return SMT_UNKNOWN;
	for (unsigned i = 0; i < n; i++)
		translate_to_bits(b, assumptions[i]);
	switch (ask_sat_solver(b, assumptions, n, effort_ms)) {
	case 10:
		remember_model(b);
		return b->is_opaque ? SMT_UNKNOWN : SMT_SAT;
	case 20:
		return SMT_UNSAT;
	default:
		return SMT_UNKNOWN;
	}
}

static uint64_t bitblast_work(void *engine)
{
	const struct bits *b = engine;
	const struct limits *l = term_pool_limits(b->pool);

	return b->made * 1000 / l->gates_a_ms + b->calls * l->solver_call_work;
}

static bool bitblast_in_core(void *engine, uint32_t assumption)
{
	struct bits *b = engine;

	return ccadical_failed(aig_solver(b->aig), *literals_of_term(b, assumption));
}

static term_bits bitblast_value(void *engine, uint32_t variable)
{
	struct bits *b = engine;
	unsigned width = term_width(b->pool, variable);
	term_bits value = 0;
	const int *bit;

	if (variable >= b->room || !b->start[variable])
		return 0;
	bit = literals_of_term(b, variable);
	for (unsigned i = 0; i < width; i++) {
		guint v = (guint)ABS(bit[i]);

		if (v < b->model->len && g_array_index(b->model, bool, v) == (bit[i] > 0))
			value |= (term_bits)1 << i;
	}
	return value;
}

const struct smt_engine smt_bitblast_engine = {
	.create = bitblast_new,
	.free = bitblast_free,
	.end_at = bitblast_end_at,
	.expect = bitblast_expect,
	.assert = bitblast_assert,
	.check = bitblast_check,
	.cost = bitblast_cost,
	.work = bitblast_work,
	.in_core = bitblast_in_core,
	.value = bitblast_value,
};
