/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/float.h"
#include "solver/smt/smt-engine.h"

#include <string.h>
#include <z3.h>

/* A new operation of ir-ops.def does not compile before each switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

struct z3 {
	const struct deadline *until;
	struct term_pool *pool;
	Z3_context z3;
	Z3_solver solver;
	Z3_model model; /* of the last question, or NULL */
	Z3_ast *asts;	/* by term number */
	uint32_t room;
	GHashTable *expanded; /* floating-point term → the same without floating point */
	GHashTable *core;     /* Z3_ast, of the last question that was SMT_UNSAT */
	GArray *todo;	      /* uint32_t: translation stack */
	bool is_opaque;	      /* a value was made up (float_is_opaque) */
};

static void *engine_new(struct term_pool *p)
{
	struct z3 *s = g_new0(struct z3, 1);
	Z3_config config = Z3_mk_config();

	s->pool = p;
	s->z3 = Z3_mk_context(config);
	Z3_del_config(config);
	/* the default handler exits */
	Z3_set_error_handler(s->z3, NULL);
	s->solver = Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_BV"));
	Z3_solver_inc_ref(s->z3, s->solver);
	s->expanded = g_hash_table_new(NULL, NULL);
	s->core = g_hash_table_new(NULL, NULL);
	s->todo = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return s;
}

static void forget_model(struct z3 *s)
{
	if (s->model)
		Z3_model_dec_ref(s->z3, s->model);
	s->model = NULL;
}

static void engine_free(void *engine)
{
	struct z3 *s = engine;

	forget_model(s);
	Z3_solver_dec_ref(s->z3, s->solver);
	Z3_del_context(s->z3);
	g_hash_table_destroy(s->expanded);
	g_hash_table_destroy(s->core);
	g_array_free(s->todo, TRUE);
	g_free(s->asts);
	g_free(s);
}

static Z3_ast make_numeral(struct z3 *s, unsigned width, uint64_t value)
{
	if (width == 1)
		return value ? Z3_mk_true(s->z3) : Z3_mk_false(s->z3);
	return Z3_mk_unsigned_int64(s->z3, value, Z3_mk_bv_sort(s->z3, width));
}

static Z3_ast variable_in_z3(struct z3 *s, const struct term_node *n)
{
	Z3_sort sort = n->width == 1 ? Z3_mk_bool_sort(s->z3) : Z3_mk_bv_sort(s->z3, n->width);

	return Z3_mk_const(s->z3, Z3_mk_int_symbol(s->z3, (int)n->a), sort);
}

/* Operands of width 1 are Boolean for Z3; where a bit-vector is wanted: */
static Z3_ast as_vector(struct z3 *s, uint32_t t)
{
	Z3_sort one = Z3_mk_bv_sort(s->z3, 1);

	if (term_width(s->pool, t) > 1)
		return s->asts[t];
	return Z3_mk_ite(s->z3, s->asts[t], Z3_mk_unsigned_int64(s->z3, 1, one),
			 Z3_mk_unsigned_int64(s->z3, 0, one));
}

static Z3_ast as_sort_of_width(struct z3 *s, Z3_ast vector, unsigned width)
{
	if (width > 1)
		return vector;
	return Z3_mk_eq(s->z3, vector, Z3_mk_unsigned_int64(s->z3, 1, Z3_mk_bv_sort(s->z3, 1)));
}

static Z3_ast make_connective(struct z3 *s, const struct term_node *n)
{
	Z3_ast two[2] = { s->asts[n->a], n->b ? s->asts[n->b] : NULL };

	if (n->kind == IR_AND)
		return Z3_mk_and(s->z3, 2, two);
	if (n->kind == IR_OR)
		return Z3_mk_or(s->z3, 2, two);
	if (n->kind == IR_XOR)
		return Z3_mk_xor(s->z3, two[0], two[1]);
	if (n->kind == IR_NOT)
		return Z3_mk_not(s->z3, two[0]);
	return NULL; /* arithmetic on one bit: as vectors */
}

/* Number of a kind of bits: a sum, or the highest (lowest) set bit by a chain. */
static Z3_ast count_bits_in_z3(struct z3 *s, const struct term_node *n)
{
	unsigned width = term_width(s->pool, n->a);
	Z3_sort sort = Z3_mk_bv_sort(s->z3, width), one = Z3_mk_bv_sort(s->z3, 1);
	Z3_ast a = as_vector(s, n->a);
	Z3_ast r = Z3_mk_unsigned_int64(s->z3, n->kind == IR_POPCNT ? 0 : width, sort);

	for (unsigned i = 0; i < width; i++) {
		unsigned at = n->kind == IR_CTZ ? width - 1 - i : i;
		Z3_ast set = Z3_mk_eq(s->z3, Z3_mk_extract(s->z3, at, at, a),
				      Z3_mk_unsigned_int64(s->z3, 1, one));
		uint64_t there = n->kind == IR_CLZ ? width - 1 - at : at;
		Z3_ast yes = n->kind == IR_POPCNT
				     ? Z3_mk_bvadd(s->z3, r, Z3_mk_unsigned_int64(s->z3, 1, sort))
				     : Z3_mk_unsigned_int64(s->z3, there, sort);

		r = Z3_mk_ite(s->z3, set, yes, r);
	}
	return r;
}

/* Makes the operation on bit-vectors; its result is a bit-vector, or the truth of a comparison. */
static Z3_ast operation_in_z3(struct z3 *s, const struct term_node *n)
{
	Z3_context z = s->z3;
	Z3_ast a = as_vector(s, n->a), b = n->b ? as_vector(s, n->b) : NULL;

	switch ((enum ir_kind)n->kind) {
	case IR_ADD:
		return Z3_mk_bvadd(z, a, b);
	case IR_SUB:
		return Z3_mk_bvsub(z, a, b);
	case IR_MUL:
		return Z3_mk_bvmul(z, a, b);
	case IR_UDIV:
		return Z3_mk_bvudiv(z, a, b);
	case IR_SDIV:
		return Z3_mk_bvsdiv(z, a, b);
	case IR_UREM:
		return Z3_mk_bvurem(z, a, b);
	case IR_SREM:
		return Z3_mk_bvsrem(z, a, b);
	case IR_AND:
		return Z3_mk_bvand(z, a, b);
	case IR_OR:
		return Z3_mk_bvor(z, a, b);
	case IR_XOR:
		return Z3_mk_bvxor(z, a, b);
	case IR_NOT:
		return Z3_mk_bvnot(z, a);
	case IR_NEG:
		return Z3_mk_bvneg(z, a);
	case IR_SHL:
		return Z3_mk_bvshl(z, a, b);
	case IR_LSHR:
		return Z3_mk_bvlshr(z, a, b);
	case IR_ASHR:
		return Z3_mk_bvashr(z, a, b);
	case IR_CONCAT:
		return Z3_mk_concat(z, a, b);
	case IR_EXTRACT:
		return Z3_mk_extract(z, (unsigned)n->value + n->width - 1, (unsigned)n->value, a);
	case IR_ZEXT:
		return Z3_mk_zero_ext(z, n->width - term_width(s->pool, n->a), a);
	case IR_SEXT:
		return Z3_mk_sign_ext(z, n->width - term_width(s->pool, n->a), a);
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
		return count_bits_in_z3(s, n);
	case IR_ULT:
		return Z3_mk_bvult(z, a, b);
	case IR_ULE:
		return Z3_mk_bvule(z, a, b);
	case IR_SLT:
		return Z3_mk_bvslt(z, a, b);
	case IR_SLE:
		return Z3_mk_bvsle(z, a, b);
	case IR_EQ:
	case IR_ITE: /* they are the same on truth values: translate_node */
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		break;
	}
	g_assert_not_reached();
}

static Z3_ast translate_node(struct z3 *s, const struct term_node *n)
{
	Z3_ast r = NULL;

	if (n->kind == IR_CONST)
		return make_numeral(s, n->width, n->value);
	if (n->kind == TERM_VAR)
		return variable_in_z3(s, n);
	if (n->kind == IR_ITE)
		return Z3_mk_ite(s->z3, s->asts[n->c], s->asts[n->a], s->asts[n->b]);
	if (n->kind == IR_EQ)
		return Z3_mk_eq(s->z3, s->asts[n->a], s->asts[n->b]);
	if (n->width == 1)
		r = make_connective(s, n);
	if (r)
		return r;
	r = operation_in_z3(s, n);
	return ir_has(n->kind, IR_HAS_COMPARISON) ? r : as_sort_of_width(s, r, n->width);
}

static bool ast_is_needed_first(struct z3 *s, uint32_t t)
{
	if (!t || s->asts[t])
		return false;
	g_array_append_val(s->todo, t);
	return true;
}

static void make_room_for_asts(struct z3 *s)
{
	uint32_t size = term_pool_size(s->pool);

	if (size <= s->room)
		return;
	size += size / 2;
	s->asts = g_renew(Z3_ast, s->asts, size);
	memset(s->asts + s->room, 0, (size - s->room) * sizeof(*s->asts));
	s->room = size;
}

static uint32_t ast_without_float(struct z3 *s, uint32_t t)
{
	uint32_t made = float_expanded_once(s->pool, t, s->expanded);

	make_room_for_asts(s);
	return made;
}

/* Whether another term is needed before t can be made. */
static bool ast_waits_for_operand(struct z3 *s, uint32_t t, const struct term_node *n)
{
	bool any = false;

	if (n->kind == TERM_VAR || n->kind == IR_CONST || float_is_opaque(n))
		return false;
	if (n->kind == IR_FP)
		return ast_is_needed_first(s, ast_without_float(s, t));
	any |= ast_is_needed_first(s, n->a);
	any |= ast_is_needed_first(s, n->b);
	any |= ast_is_needed_first(s, n->c);
	return any;
}

static Z3_ast made_up(struct z3 *s, const struct term_node *n)
{
	s->is_opaque = true;
	return Z3_mk_fresh_const(s->z3, "call", Z3_mk_bv_sort(s->z3, n->width));
}

static Z3_ast translate_to_z3(struct z3 *s, uint32_t term)
{
	make_room_for_asts(s);
	g_array_set_size(s->todo, 0);
	ast_is_needed_first(s, term);
	while (s->todo->len) {
		uint32_t t = g_array_index(s->todo, uint32_t, s->todo->len - 1);
		const struct term_node n = *term_node(s->pool, t);

		if (!s->asts[t] && ast_waits_for_operand(s, t, &n))
			continue;
		g_array_set_size(s->todo, s->todo->len - 1);
		if (s->asts[t])
			continue;
		if (n.kind != IR_FP)
			s->asts[t] = translate_node(s, &n);
		else if (float_is_opaque(&n))
			s->asts[t] = made_up(s, &n);
		else
			s->asts[t] = s->asts[ast_without_float(s, t)];
	}
	return s->asts[term];
}

static void engine_assert(void *engine, uint32_t boolean)
{
	struct z3 *s = engine;

	Z3_solver_assert(s->z3, s->solver, translate_to_z3(s, boolean));
}

/* It counts its work; time only counts when that limit is far away. */
static void set_limits(struct z3 *s, unsigned ms)
{
	const struct limits *l = term_pool_limits(s->pool);
	Z3_params params = Z3_mk_params(s->z3);

	Z3_params_inc_ref(s->z3, params);
	ms = CLAMP(ms, 1, 100000);
	Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "rlimit"),
			   ms * (unsigned)l->z3_units_a_ms);
	Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, "timeout"),
			   ms * (unsigned)l->times_too_slow);
	/* Else it takes SIGINT to itself while it checks, and nobody else hears of it. */
	Z3_params_set_bool(s->z3, params, Z3_mk_string_symbol(s->z3, "ctrl_c"), false);
	Z3_solver_set_params(s->z3, s->solver, params);
	Z3_params_dec_ref(s->z3, params);
}

static void remember_core(struct z3 *s)
{
	Z3_ast_vector core = Z3_solver_get_unsat_core(s->z3, s->solver);

	Z3_ast_vector_inc_ref(s->z3, core);
	g_hash_table_remove_all(s->core);
	for (unsigned i = 0; i < Z3_ast_vector_size(s->z3, core); i++)
		g_hash_table_add(s->core, Z3_ast_vector_get(s->z3, core, i));
	Z3_ast_vector_dec_ref(s->z3, core);
}

static bool engine_in_core(void *engine, uint32_t assumption)
{
	struct z3 *s = engine;

	return g_hash_table_contains(s->core, s->asts[assumption]);
}

/* Z3 can only be stopped from another thread; this one watches the deadline. */
struct watch {
	struct z3 *s;
	GMutex lock;
	GCond over;
	bool done;
};

static gpointer watch_deadline(gpointer data)
{
	enum { LOOK_US = 50000 };
	struct watch *w = data;

	g_mutex_lock(&w->lock);
	while (!w->done) {
		g_cond_wait_until(&w->over, &w->lock, g_get_monotonic_time() + LOOK_US);
		if (!w->done && deadline_is_over(w->s->until))
			Z3_interrupt(w->s->z3);
	}
	g_mutex_unlock(&w->lock);
	return NULL;
}

static Z3_lbool check_until(struct z3 *s, const Z3_ast *assumptions, unsigned n)
{
	struct watch w = { .s = s };
	GThread *thread = g_thread_new("z3-deadline", watch_deadline, &w);
	Z3_lbool answer = Z3_solver_check_assumptions(s->z3, s->solver, n, assumptions);

	g_mutex_lock(&w.lock);
	w.done = true;
	g_cond_signal(&w.over);
	g_mutex_unlock(&w.lock);
	g_thread_join(thread);
	g_mutex_clear(&w.lock);
	g_cond_clear(&w.over);
	return answer;
}

static void engine_end_at(void *engine, const struct deadline *until)
{
	struct z3 *s = engine;

	s->until = until;
}

static enum smt_answer engine_check(void *engine, const uint32_t *assumptions, unsigned n,
				    unsigned effort_ms)
{
	struct z3 *s = engine;
	g_autofree Z3_ast *asts = g_new(Z3_ast, MAX(n, 1));

	for (unsigned i = 0; i < n; i++)
		asts[i] = translate_to_z3(s, assumptions[i]);
	set_limits(s, effort_ms);
	switch (check_until(s, asts, n)) {
	case Z3_L_FALSE:
		remember_core(s);
		return SMT_UNSAT;
	case Z3_L_TRUE:
		forget_model(s);
		s->model = Z3_solver_get_model(s->z3, s->solver);
		if (!s->model)
			return SMT_UNKNOWN;
		Z3_model_inc_ref(s->z3, s->model);
		return s->is_opaque ? SMT_UNKNOWN : SMT_SAT;
	case Z3_L_UNDEF:
		break;
	}
	return SMT_UNKNOWN;
}

static uint64_t word_of_vector(struct z3 *s, Z3_ast vector, unsigned low, unsigned width)
{
	Z3_ast part = Z3_mk_extract(s->z3, low + width - 1, low, vector), value = NULL;
	uint64_t word = 0;

	if (Z3_model_eval(s->z3, s->model, part, true, &value))
		Z3_get_numeral_uint64(s->z3, value, &word);
	return word;
}

static term_bits engine_value(void *engine, uint32_t t)
{
	struct z3 *s = engine;
	unsigned width = term_width(s->pool, t);
	Z3_ast ast, value = NULL;

	g_assert(s->model);
	ast = translate_to_z3(s, t);
	if (width == 1)
		return Z3_model_eval(s->z3, s->model, ast, true, &value) &&
		       Z3_get_bool_value(s->z3, value) == Z3_L_TRUE;
	if (width <= 64)
		return word_of_vector(s, ast, 0, width);
	return (term_bits)word_of_vector(s, ast, 64, width - 64) << 64 |
	       word_of_vector(s, ast, 0, 64);
}

const struct smt_engine smt_z3_engine = {
	.create = engine_new,
	.free = engine_free,
	.end_at = engine_end_at,
	.assert = engine_assert,
	.check = engine_check,
	.in_core = engine_in_core,
	.value = engine_value,
};
