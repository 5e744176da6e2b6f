/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Concrete values of operators and terms. */
#include "solver/smt/term/term-private.h"
#include "solver/isa/eval.h"

#include <string.h>

static __int128 signed_operand(term_bits v, unsigned width)
{
	if (width >= 128)
		return (__int128)v;
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

/* As SMT-LIB has it: a quotient by zero is 1 or all ones, a remainder the dividend. */
static term_bits sdiv(term_bits a, term_bits b, unsigned width)
{
	__int128 sa = signed_operand(a, width), sb = signed_operand(b, width);
	term_bits ma = sa < 0 ? -(term_bits)sa : (term_bits)sa;
	term_bits mb = sb < 0 ? -(term_bits)sb : (term_bits)sb;

	if (!b)
		return sa < 0 ? 1 : ~(term_bits)0;
	return (sa < 0) != (sb < 0) ? -(ma / mb) : ma / mb;
}

/* The dividend's sign. */
static term_bits srem(term_bits a, term_bits b, unsigned width)
{
	__int128 sa = signed_operand(a, width), sb = signed_operand(b, width);
	term_bits ma = sa < 0 ? -(term_bits)sa : (term_bits)sa;
	term_bits mb = sb < 0 ? -(term_bits)sb : (term_bits)sb;

	if (!b)
		return a;
	return sa < 0 ? -(ma % mb) : ma % mb;
}

static term_bits shl(term_bits a, term_bits by, unsigned width)
{
	return by >= width ? 0 : a << (unsigned)by;
}

static term_bits lshr(term_bits a, term_bits by, unsigned width)
{
	return by >= width ? 0 : a >> (unsigned)by;
}

static term_bits ashr(term_bits a, term_bits by, unsigned width)
{
	return (term_bits)(signed_operand(a, width) >> (by >= width ? width - 1 : (unsigned)by));
}

static unsigned ones(term_bits a)
{
	return (unsigned)__builtin_popcountll((uint64_t)a) +
	       (unsigned)__builtin_popcountll((uint64_t)(a >> 64));
}

static unsigned leading_zeros(term_bits a, unsigned width)
{
	unsigned n = 0;

	while (n < width && !(a >> (width - 1 - n) & 1))
		n++;
	return n;
}

static unsigned trailing_zeros(term_bits a, unsigned width)
{
	unsigned n = 0;

	while (n < width && !(a >> n & 1))
		n++;
	return n;
}

static term_bits floating_point(unsigned width, term_bits a, unsigned a_width, term_bits b,
				uint64_t what)
{
	const struct ir_op op = { .kind = IR_FP, .width = (uint16_t)width, .value = what };
	uint64_t r = 0;
	bool defined = eval_fp(&op, a_width, (uint64_t)a, (uint64_t)b, &r);

	g_assert(defined);
	return r;
}

term_bits term_apply(enum ir_kind kind, unsigned width, term_bits a, unsigned a_width, term_bits b,
		     unsigned b_width, term_bits c, uint64_t value)
{
	const unsigned w = width, wa = a_width, wb = b_width;
	const uint64_t low = value;
	term_bits r;

	switch (kind) {
#define sx(a, w) signed_operand(a, w)
#define IR_OPERATOR(NAME, name, operands, result, properties, neutral, ...) \
	case IR_##NAME:                                                     \
		r = (term_bits)(__VA_ARGS__);                               \
		break;
#include "solver/isa/ir-ops.def"
#undef sx
	case IR_FP:
		r = floating_point(width, a, a_width, b, value);
		break;
	default:
		g_assert_not_reached();
	}
	return r & term_mask(width);
}

struct term_memo {
	const struct term_pool *pool;
	term_bits (*var)(void *arg, uint32_t number);
	void *arg;
	uint32_t room;
	term_bits *values;
	uint8_t *known;
	uint32_t *stack; /* terms that are being evaluated */
	uint32_t n_stack, stack_room;
};

struct term_memo *term_memo_new(const struct term_pool *p,
				term_bits (*var)(void *arg, uint32_t number), void *arg)
{
	struct term_memo *m = g_new0(struct term_memo, 1);

	m->pool = p;
	m->var = var;
	m->arg = arg;
	return m;
}

void term_memo_free(struct term_memo *m)
{
	if (!m)
		return;
	g_free(m->values);
	g_free(m->known);
	g_free(m->stack);
	g_free(m);
}

static void make_room_for_all_terms(struct term_memo *m)
{
	uint32_t size = term_pool_size(m->pool);

	if (size <= m->room)
		return;
	size += size / 2;
	m->values = g_renew(term_bits, m->values, size);
	m->known = g_renew(uint8_t, m->known, size);
	memset(m->known + m->room, 0, size - m->room);
	m->room = size;
}

void term_memo_forget(struct term_memo *m, void *arg)
{
	m->arg = arg;
	if (m->known)
		memset(m->known, 0, m->room);
}

static void push_unknown_term(struct term_memo *m, uint32_t t)
{
	if (m->n_stack == m->stack_room) {
		m->stack_room = MAX(2 * m->stack_room, 64);
		m->stack = g_renew(uint32_t, m->stack, m->stack_room);
	}
	m->stack[m->n_stack++] = t;
}

/* A constant or a variable. */
static bool evaluate_leaf(struct term_memo *m, uint32_t t, const struct term_node *n)
{
	if (n->kind == IR_CONST)
		m->values[t] = n->value;
	else if (n->kind == TERM_VAR)
		m->values[t] = m->var(m->arg, n->a) & term_mask(n->width);
	else
		return false;
	m->known[t] = 1;
	return true;
}

static bool operand_is_pending(struct term_memo *m, uint32_t t)
{
	if (!t || m->known[t] || evaluate_leaf(m, t, term_node(m->pool, t)))
		return false;
	push_unknown_term(m, t);
	return true;
}

static void evaluate_top(struct term_memo *m, uint32_t t)
{
	const struct term_node *n = term_node(m->pool, t);
	bool pending = false;

	if (evaluate_leaf(m, t, n))
		return;
	if (n->kind == IR_ITE) {
		/* only the branch that is taken, so long chains stay cheap */
		if (operand_is_pending(m, n->c))
			return;
		uint32_t branch = m->values[n->c] ? n->a : n->b;

		if (operand_is_pending(m, branch))
			return;
		m->values[t] = m->values[branch];
	} else {
		pending |= operand_is_pending(m, n->a);
		pending |= operand_is_pending(m, n->b);
		pending |= operand_is_pending(m, n->c);
		if (pending)
			return;
		m->values[t] =
			term_apply(n->kind, n->width, m->values[n->a], term_width(m->pool, n->a),
				   n->b ? m->values[n->b] : 0, n->b ? term_width(m->pool, n->b) : 0,
				   n->c ? m->values[n->c] : 0, n->value);
	}
	m->known[t] = 1;
}

term_bits term_eval(struct term_memo *m, uint32_t t)
{
	make_room_for_all_terms(m);
	m->n_stack = 0;
	push_unknown_term(m, t);
	while (m->n_stack) {
		uint32_t top = m->stack[m->n_stack - 1];

		if (!m->known[top])
			evaluate_top(m, top);
		if (m->known[top])
			m->n_stack--;
	}
	return m->values[t];
}
