/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/circuits.h"

#include <glib.h>
#include <string.h>

/* A new operation of ir-ops.def does not compile before each switch here says what it does. */
#pragma GCC diagnostic error "-Wswitch-enum"

/* a + b + carry; the carry out. */
static int add_circuit(struct aig *g, const int *a, const int *b, int carry, unsigned n, int *out)
{
	for (unsigned i = 0; i < n; i++) {
		int next = aig_majority(g, a[i], b[i], carry);

		out[i] = aig_xor3(g, a[i], b[i], carry);
		carry = next;
	}
	return carry;
}

/* a - b; the carry out says that a >= b. */
static int subtract_circuit(struct aig *g, const int *a, const int *b, unsigned n, int *out)
{
	int inverted[CIRCUIT_MAX_WIDTH + 1] = { 0 };

	for (unsigned i = 0; i < n; i++)
		inverted[i] = -b[i];
	return add_circuit(g, a, inverted, AIG_TRUE, n, out);
}

void circuit_add(struct aig *g, const int *a, const int *b, unsigned n, int *out)
{
	add_circuit(g, a, b, AIG_FALSE, n, out);
}

void circuit_sub(struct aig *g, const int *a, const int *b, unsigned n, int *out)
{
	subtract_circuit(g, a, b, n, out);
}

void circuit_constant(unsigned __int128 value, unsigned n, int *out)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = value >> i & 1 ? AIG_TRUE : AIG_FALSE;
}

void circuit_neg(struct aig *g, const int *a, unsigned n, int *out)
{
	int zero[CIRCUIT_MAX_WIDTH] = { 0 };

	circuit_constant(0, n, zero);
	subtract_circuit(g, zero, a, n, out);
}

static bool is_constant_literal(int literal)
{
	return literal == AIG_TRUE || literal == AIG_FALSE;
}

static unsigned constants_in(const int *a, unsigned n)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++)
		found += is_constant_literal(a[i]);
	return found;
}

/* sum += (a << by) * digit, where digit is 1 or -1. */
static void add_circuit_digit(struct aig *g, int *sum, const int *a, unsigned by, int digit,
			      unsigned n)
{
	int row[CIRCUIT_MAX_WIDTH] = { 0 }, next[CIRCUIT_MAX_WIDTH] = { 0 };

	for (unsigned i = 0; i < n; i++)
		row[i] = i < by ? AIG_FALSE : a[i - by];
	if (digit > 0)
		add_circuit(g, sum, row, AIG_FALSE, n, next);
	else
		subtract_circuit(g, sum, row, n, next);
	memcpy(sum, next, n * sizeof *sum);
}

/* Multiplies by the non-adjacent form of c, which has the fewest digits that are not 0. */
static void multiply_by_constant(struct aig *g, const int *a, unsigned __int128 c, unsigned n,
				 int *out)
{
	circuit_constant(0, n, out);
	for (unsigned i = 0; i < n && c; i++, c >>= 1) {
		if (!(c & 1))
			continue;
		if ((c & 3) == 3) {
			add_circuit_digit(g, out, a, i, -1, n);
			c++;
			/* the carry of an all-ones top is beyond the word */
			if (!c)
				return;
		} else {
			add_circuit_digit(g, out, a, i, 1, n);
		}
	}
}

void word_mul(struct aig *g, const int *a, const int *b, unsigned n, int *out)
{
	if (constants_in(a, n) > constants_in(b, n)) {
		const int *t = a;

		a = b;
		b = t;
	}
	if (constants_in(b, n) == n) {
		unsigned __int128 c = 0;

		for (unsigned i = 0; i < n; i++)
			c |= (unsigned __int128)(b[i] == AIG_TRUE) << i;
		multiply_by_constant(g, a, c, n, out);
		return;
	}
	circuit_constant(0, n, out);
	for (unsigned i = 0; i < n; i++) {
		int row[CIRCUIT_MAX_WIDTH];

		for (unsigned k = 0; k + i < n; k++)
			row[k] = aig_and(g, a[k], b[i]);
		add_circuit_digit(g, out, row, i, 1, n);
	}
}

void circuit_mux(struct aig *g, int c, const int *a, const int *b, unsigned n, int *out)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = aig_mux(g, c, a[i], b[i]);
}

/* The bits of b if it is a constant that is not 0: the rest of a division has no more;
 * otherwise n. */
static unsigned bits_of_constant(const int *b, unsigned n)
{
	unsigned size = n;

	if (constants_in(b, n) < n)
		return n;
	while (size && b[size - 1] == AIG_FALSE)
		size--;
	return size ? size : n;
}

/* Restoring division, a bit of the quotient a step. */
void circuit_divide(struct aig *g, const int *a, const int *b, unsigned n, int *quotient,
		    int *remainder)
{
	int rest[CIRCUIT_MAX_WIDTH + 1], less[CIRCUIT_MAX_WIDTH + 1],
		divisor[CIRCUIT_MAX_WIDTH + 1];
	unsigned size = bits_of_constant(b, n);

	memcpy(divisor, b, size * sizeof *b);
	divisor[size] = AIG_FALSE;
	circuit_constant(0, size, rest);
	for (unsigned i = n; i-- > 0;) {
		memmove(rest + 1, rest, size * sizeof *rest);
		rest[0] = a[i];
		quotient[i] = subtract_circuit(g, rest, divisor, size + 1, less);
		for (unsigned k = 0; k <= size; k++)
			rest[k] = aig_mux(g, quotient[i], less[k], rest[k]);
	}
	circuit_constant(0, n, remainder);
	memcpy(remainder, rest, size * sizeof *rest);
}

static void negate_if(struct aig *g, int condition, const int *a, unsigned n, int *out)
{
	int negated[CIRCUIT_MAX_WIDTH] = { 0 };

	circuit_neg(g, a, n, negated);
	circuit_mux(g, condition, negated, a, n, out);
}

void circuit_divide_signed(struct aig *g, const int *a, const int *b, unsigned n, int *quotient,
			   int *remainder)
{
	int size_a[CIRCUIT_MAX_WIDTH] = { 0 }, size_b[CIRCUIT_MAX_WIDTH] = { 0 },
	    q[CIRCUIT_MAX_WIDTH] = { 0 }, r[CIRCUIT_MAX_WIDTH] = { 0 };
	int sign_a = a[n - 1], sign_b = b[n - 1];

	negate_if(g, sign_a, a, n, size_a);
	negate_if(g, sign_b, b, n, size_b);
	circuit_divide(g, size_a, size_b, n, q, r);
	negate_if(g, aig_xor(g, sign_a, sign_b), q, n, quotient);
	negate_if(g, sign_a, r, n, remainder);
}

/* Does the number b reach beyond its lowest bits? */
static int has_bits_beyond(struct aig *g, const int *b, unsigned from, unsigned n)
{
	int clear[CIRCUIT_MAX_WIDTH];

	for (unsigned i = from; i < n; i++)
		clear[i - from] = -b[i];
	return from < n ? -aig_all(g, clear, n - from) : AIG_FALSE;
}

/* A barrel shifter: by 1, 2, 4 …, each if its bit of b is set. */
static void shift_circuit(struct aig *g, const int *a, const int *b, unsigned n, int fill,
			  bool left, int *out)
{
	unsigned stages = 0;
	int all;

	memcpy(out, a, n * sizeof *out);
	for (; stages < n && 1u << stages < n; stages++) {
		unsigned by = 1u << stages;
		int from[CIRCUIT_MAX_WIDTH];

		memcpy(from, out, n * sizeof *out);
		for (unsigned i = 0; i < n; i++) {
			bool outside = left ? i < by : i + by >= n;
			int moved = outside ? fill : from[left ? i - by : i + by];

			out[i] = aig_mux(g, b[stages], moved, from[i]);
		}
	}
	all = has_bits_beyond(g, b, stages, n);
	for (unsigned i = 0; i < n; i++)
		out[i] = aig_mux(g, all, fill, out[i]);
}

void circuit_shift_left(struct aig *g, const int *a, const int *b, unsigned n, int *out)
{
	shift_circuit(g, a, b, n, AIG_FALSE, true, out);
}

void circuit_shift_right(struct aig *g, const int *a, const int *b, unsigned n, int fill, int *out)
{
	shift_circuit(g, a, b, n, fill, false, out);
}

int word_equal(struct aig *g, const int *a, const int *b, unsigned n)
{
	int same[CIRCUIT_MAX_WIDTH];

	for (unsigned i = 0; i < n; i++)
		same[i] = -aig_xor(g, a[i], b[i]);
	return aig_all(g, same, n);
}

int circuit_less(struct aig *g, const int *a, const int *b, unsigned n, bool or_equal)
{
	int less = or_equal ? AIG_TRUE : AIG_FALSE;

	for (unsigned i = 0; i < n; i++)
		less = aig_majority(g, -a[i], b[i], less);
	return less;
}

/* The signs count the other way round. */
int circuit_less_signed(struct aig *g, const int *a, const int *b, unsigned n, bool or_equal)
{
	int x[CIRCUIT_MAX_WIDTH], y[CIRCUIT_MAX_WIDTH];

	memcpy(x, a, n * sizeof *x);
	memcpy(y, b, n * sizeof *y);
	x[n - 1] = b[n - 1];
	y[n - 1] = a[n - 1];
	return circuit_less(g, x, y, n, or_equal);
}

void word_popcount(struct aig *g, const int *a, unsigned n, int *out)
{
	circuit_constant(0, n, out);
	for (unsigned i = 0; i < n; i++) {
		int bit[CIRCUIT_MAX_WIDTH], sum[CIRCUIT_MAX_WIDTH];

		circuit_constant(0, n, bit);
		bit[0] = a[i];
		circuit_add(g, out, bit, n, sum);
		memcpy(out, sum, n * sizeof *out);
	}
}

/* The number of zeros from one end; the bit that is looked at last decides. */
static void count_circuit_zeros(struct aig *g, const int *a, unsigned n, bool from_top, int *out)
{
	circuit_constant(n, n, out);
	for (unsigned i = n; i-- > 0;) {
		int number[CIRCUIT_MAX_WIDTH], next[CIRCUIT_MAX_WIDTH];

		circuit_constant(i, n, number);
		circuit_mux(g, a[from_top ? n - 1 - i : i], number, out, n, next);
		memcpy(out, next, n * sizeof *out);
	}
}

void circuit_zeros_above(struct aig *g, const int *a, unsigned n, int *out)
{
	count_circuit_zeros(g, a, n, true, out);
}

void circuit_zeros_below(struct aig *g, const int *a, unsigned n, int *out)
{
	count_circuit_zeros(g, a, n, false, out);
}

void circuit_operator(struct aig *g, enum ir_kind kind, const int *x, const int *y, unsigned n,
		      int *out)
{
	int unused[CIRCUIT_MAX_WIDTH];

	switch (kind) {
	case IR_ADD:
		circuit_add(g, x, y, n, out);
		break;
	case IR_SUB:
		circuit_sub(g, x, y, n, out);
		break;
	case IR_MUL:
		word_mul(g, x, y, n, out);
		break;
	case IR_UDIV:
		circuit_divide(g, x, y, n, out, unused);
		break;
	case IR_UREM:
		circuit_divide(g, x, y, n, unused, out);
		break;
	case IR_SDIV:
		circuit_divide_signed(g, x, y, n, out, unused);
		break;
	case IR_SREM:
		circuit_divide_signed(g, x, y, n, unused, out);
		break;
	case IR_NEG:
		circuit_neg(g, x, n, out);
		break;
	case IR_SHL:
		circuit_shift_left(g, x, y, n, out);
		break;
	case IR_LSHR:
		circuit_shift_right(g, x, y, n, AIG_FALSE, out);
		break;
	case IR_ASHR:
		circuit_shift_right(g, x, y, n, x[n - 1], out);
		break;
	case IR_CLZ:
		circuit_zeros_above(g, x, n, out);
		break;
	case IR_CTZ:
		circuit_zeros_below(g, x, n, out);
		break;
	case IR_POPCNT:
		word_popcount(g, x, n, out);
		break;
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_NOT:
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
	case IR_ITE:
	case IR_CONCAT:
	case IR_EXTRACT:
	case IR_ZEXT:
	case IR_SEXT: /* bit-blast.c makes these */
#define IR_OTHER(NAME, ...) case IR_##NAME:
#include "solver/isa/ir-ops.def"
	case IR_N_KINDS:
		g_assert_not_reached();
	}
}
