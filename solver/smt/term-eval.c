/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Concrete values of operators and terms. */
#include "solver/smt/term-private.h"
#include "solver/isa/eval.h"

static __int128 as_signed(term_bits v, unsigned width)
{
	if (width >= 128)
		return (__int128)v;
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

static term_bits divide(enum ir_kind kind, unsigned width, term_bits a, term_bits b)
{
	__int128 sa = as_signed(a, width), sb = as_signed(b, width);
	term_bits ma = sa < 0 ? -(term_bits)sa : (term_bits)sa;
	term_bits mb = sb < 0 ? -(term_bits)sb : (term_bits)sb;

	switch (kind) {
	case IR_UDIV:
		return b ? a / b : ~(term_bits)0;
	case IR_UREM:
		return b ? a % b : a;
	case IR_SDIV:
		if (!b)
			return sa < 0 ? 1 : ~(term_bits)0;
		return (sa < 0) != (sb < 0) ? -(ma / mb) : ma / mb;
	default: /* IR_SREM: the dividend's sign */
		if (!b)
			return a;
		return sa < 0 ? -(ma % mb) : ma % mb;
	}
}

static term_bits shift(enum ir_kind kind, unsigned width, term_bits a, term_bits by)
{
	bool all = by >= width;

	switch (kind) {
	case IR_SHL:
		return all ? 0 : a << (unsigned)by;
	case IR_LSHR:
		return all ? 0 : a >> (unsigned)by;
	default: {
		__int128 s = as_signed(a, width);

		return (term_bits)(all ? (s < 0 ? -1 : 0) : s >> (unsigned)by);
	}
	}
}

static term_bits count_bits(enum ir_kind kind, unsigned width, term_bits a)
{
	unsigned n = 0;

	if (kind == IR_POPCNT) {
		for (unsigned i = 0; i < width; i++)
			n += (unsigned)(a >> i) & 1;
		return n;
	}
	while (n < width && !(a >> (kind == IR_CTZ ? n : width - 1 - n) & 1))
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
	term_bits r;

	switch (kind) {
	case IR_ADD:
		r = a + b;
		break;
	case IR_SUB:
		r = a - b;
		break;
	case IR_MUL:
		r = a * b;
		break;
	case IR_UDIV:
	case IR_SDIV:
	case IR_UREM:
	case IR_SREM:
		r = divide(kind, width, a, b);
		break;
	case IR_AND:
		r = a & b;
		break;
	case IR_OR:
		r = a | b;
		break;
	case IR_XOR:
		r = a ^ b;
		break;
	case IR_NOT:
		r = ~a;
		break;
	case IR_NEG:
		r = -a;
		break;
	case IR_SHL:
	case IR_LSHR:
	case IR_ASHR:
		r = shift(kind, width, a, b);
		break;
	case IR_EQ:
		r = a == b;
		break;
	case IR_ULT:
		r = a < b;
		break;
	case IR_ULE:
		r = a <= b;
		break;
	case IR_SLT:
		r = as_signed(a, a_width) < as_signed(b, a_width);
		break;
	case IR_SLE:
		r = as_signed(a, a_width) <= as_signed(b, a_width);
		break;
	case IR_ITE:
		r = c ? a : b;
		break;
	case IR_CONCAT:
		r = a << b_width | b;
		break;
	case IR_EXTRACT:
		r = a >> value;
		break;
	case IR_ZEXT:
		r = a;
		break;
	case IR_SEXT:
		r = (term_bits)as_signed(a, a_width);
		break;
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
		r = count_bits(kind, a_width, a);
		break;
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
	GArray *stack;
};

struct term_memo *term_memo_new(const struct term_pool *p,
				term_bits (*var)(void *arg, uint32_t number), void *arg)
{
	struct term_memo *m = g_new0(struct term_memo, 1);

	m->pool = p;
	m->var = var;
	m->arg = arg;
	m->stack = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return m;
}

void term_memo_free(struct term_memo *m)
{
	if (!m)
		return;
	g_free(m->values);
	g_free(m->known);
	g_array_free(m->stack, TRUE);
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
	for (uint32_t i = m->room; i < size; i++)
		m->known[i] = 0;
	m->room = size;
}

static bool operand_is_pending(struct term_memo *m, uint32_t t)
{
	if (!t || m->known[t])
		return false;
	g_array_append_val(m->stack, t);
	return true;
}

static void evaluate_top(struct term_memo *m, uint32_t t)
{
	const struct term_node *n = term_node(m->pool, t);
	bool pending = false;

	if (n->kind == IR_CONST) {
		m->values[t] = n->value;
	} else if (n->kind == TERM_VAR) {
		m->values[t] = m->var(m->arg, n->a) & term_mask(n->width);
	} else if (n->kind == IR_ITE) {
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
	g_array_set_size(m->stack, 0);
	g_array_append_val(m->stack, t);
	while (m->stack->len) {
		uint32_t top = g_array_index(m->stack, uint32_t, m->stack->len - 1);

		if (!m->known[top])
			evaluate_top(m, top);
		if (m->known[top])
			g_array_set_size(m->stack, m->stack->len - 1);
	}
	return m->values[t];
}
