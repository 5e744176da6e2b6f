/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operators make of intervals holds what they make of members; and where an
 * interval tells, it does tell. */
#include "solver/smt/term/range.h"
#include "solver/smt/term/term-private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 60000, MEMBERS = 12 };

static term_bits random_bits(GRand *r, unsigned width)
{
	term_bits v = 0;

	for (int i = 0; i < 4; i++)
		v = v << 32 | g_rand_int(r);
	/* small numbers and the ends more often than chance would have them */
	switch (g_rand_int_range(r, 0, 4)) {
	case 0:
		v &= 15;
		break;
	case 1:
		v = -(v & 15);
		break;
	case 2:
		v = ((term_bits)1 << (width - 1)) + (v & 7) - 4;
		break;
	}
	return v & term_mask(width);
}

static struct range random_range(GRand *r, unsigned width)
{
	struct range a = { random_bits(r, width), 0 };

	if (g_rand_int_range(r, 0, 4))
		a.span = random_bits(r, width);
	return a;
}

static term_bits member(GRand *r, struct range a, unsigned width)
{
	term_bits off = random_bits(r, 128);

	off = a.span == ~(term_bits)0 ? off : off % (a.span + 1);
	return (a.lo + (g_rand_int_range(r, 0, 3) ? off : a.span)) & term_mask(width);
}

/* An operator's widths, as term_op has them. */
struct shape {
	struct term_node n;
	unsigned a_width, b_width;
};

static struct shape random_shape(GRand *r, enum ir_kind kind)
{
	static const unsigned widths[] = { 1, 3, 8, 32, 33, 64, 65, 128 };
	unsigned w = widths[g_rand_int_range(r, 0, G_N_ELEMENTS(widths))];
	struct shape s = { .n = { .kind = (uint8_t)kind, .width = (uint8_t)w },
			   .a_width = w,
			   .b_width = w };

	if (kind >= IR_EQ && kind <= IR_SLE)
		s.n.width = 1;
	if (kind == IR_NOT || kind == IR_NEG || kind >= IR_EXTRACT)
		s.b_width = 0;
	if (kind == IR_CONCAT) {
		s.a_width = s.b_width = MIN(w, 64);
		s.n.width = (uint8_t)(2 * s.a_width);
	}
	if (kind == IR_EXTRACT) {
		s.n.width = (uint8_t)g_rand_int_range(r, 1, (int)w + 1);
		s.n.value = (uint64_t)g_rand_int_range(r, 0, (int)(w - s.n.width) + 1);
	}
	if (kind == IR_ZEXT || kind == IR_SEXT)
		s.n.width = (uint8_t)g_rand_int_range(r, (int)w, 129);
	s.n.a = 1;
	s.n.b = s.b_width ? 2 : 0;
	s.n.c = kind == IR_ITE ? 3 : 0;
	return s;
}

static void check_shape(GRand *r, const struct shape *s)
{
	struct range a = random_range(r, s->a_width);
	struct range b = s->b_width ? random_range(r, s->b_width) : range_of(0);
	struct range c = s->n.c ? random_range(r, 1) : range_of(0);
	struct range all = range_apply(&s->n, a, s->a_width, b, s->b_width, c);

	assert_true(all.lo <= term_mask(s->n.width) && all.span <= term_mask(s->n.width));
	for (int i = 0; i < MEMBERS; i++) {
		term_bits x = member(r, a, s->a_width),
			  y = s->b_width ? member(r, b, s->b_width) : 0;
		term_bits z = s->n.c ? member(r, c, 1) : 0;
		term_bits v = term_apply(s->n.kind, s->n.width, x, s->a_width, y, s->b_width, z,
					 s->n.value);

		if (!range_holds(all, s->n.width, v))
			fail_msg("operator %d, width %u of %u: value not in range", s->n.kind,
				 s->n.width, s->a_width);
	}
}

static void members_results_are_in_the_range(void **state)
{
	g_autoptr(GRand) r = g_rand_new_with_seed(1);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		enum ir_kind kind = (enum ir_kind)g_rand_int_range(r, IR_ADD, IR_POPCNT + 1);
		struct shape s = random_shape(r, kind);

		check_shape(r, &s);
	}
}

static struct range apply(enum ir_kind kind, unsigned width, struct range a, struct range b)
{
	struct term_node n = { .kind = (uint8_t)kind,
			       .width = kind >= IR_EQ && kind <= IR_SLE ? 1 : (uint8_t)width,
			       .a = 1,
			       .b = 2 };

	return range_apply(&n, a, width, b, width, range_of(0));
}

static void expect(struct range got, int64_t least, int64_t most, unsigned width)
{
	assert_true(got.lo == ((term_bits)least & term_mask(width)));
	assert_true(got.span == (term_bits)(most - least));
}

static struct range from(int64_t least, int64_t most, unsigned width)
{
	return (struct range){ (term_bits)least & term_mask(width), (term_bits)(most - least) };
}

static void intervals_are_no_larger_than_they_have_to_be(void **state)
{
	(void)state;
	expect(apply(IR_ADD, 8, from(-6, 4, 8), from(10, 11, 8)), 4, 15, 8);
	expect(apply(IR_SUB, 8, from(-6, 4, 8), from(10, 11, 8)), -17, -6, 8);
	expect(apply(IR_MUL, 32, from(-6, 4, 32), from(-3, -3, 32)), -12, 18, 32);
	expect(apply(IR_MUL, 32, from(-6, 4, 32), from(-3, 2, 32)), -12, 18, 32);
	expect(apply(IR_SDIV, 32, from(-61, 59, 32), from(60, 60, 32)), -1, 0, 32);
	expect(apply(IR_SREM, 32, from(61, 63, 32), from(60, 60, 32)), 1, 3, 32);
	expect(apply(IR_AND, 32, from(256 + 3, 256 + 9, 32), from(255, 255, 32)), 3, 9, 32);
	expect(apply(IR_SLT, 32, from(-9, -1, 32), from(0, 5, 32)), 1, 1, 1);
	expect(apply(IR_ULT, 32, from(0, 5, 32), from(-9, -1, 32)), 1, 1, 1);
	expect(apply(IR_EQ, 32, from(0, 5, 32), from(6, 9, 32)), 0, 0, 1);
	expect(apply(IR_EQ, 32, from(0, 6, 32), from(6, 9, 32)), 0, 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_results_are_in_the_range),
		cmocka_unit_test(intervals_are_no_larger_than_they_have_to_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
