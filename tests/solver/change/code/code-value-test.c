/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions as machine code give what the compiler makes of them. */
#include "solver/change/code/code-value.h"
#include "solver/change/code/code-line.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define TYPES "int a, int b, unsigned char c, short s, unsigned u, long l"
#define WORDS(text) #text

/* The line that is changed is the second one of f. */
#define RETURN_LINE 4
static const char source[] = "long f(" TYPES ")\n"
			     "{\n"
			     "	long r = a;\n"
			     "	return r;\n"
			     "}\n";
typedef long function(int a, int b, unsigned char c, short s, unsigned u, long l);

/* Each expression, as the compiler of this test computes it. */
#define EXPRESSIONS                                                                           \
	E(a | b)                                                                              \
	E(a ^ b) E(a & 12) E(a << 3) E(a >> 2) E(u >> 3) E(l >> 5) E(-a) E(~b) E(-l) E(a + c) \
		E(s * 3) E(s - b) E(c ^ s) E(u | 1) E(a < b) E(a <= b) E(u < 7) E(u <= 7)     \
			E(a == b) E(a != 0) E(!a) E(a &&b) E(a || b) E(a < b && c) E(l + u)   \
				E(c &s) E(s << 2) E(-s)

static long computed(unsigned which, int a, int b, unsigned char c, short s, unsigned u, long l)
{
	unsigned i = 0;

#define E(x)              \
	if (i++ == which) \
		return (long)(x);
	EXPRESSIONS
#undef E
	return 0;
}

static const char *const texts[] = {
#define E(x) WORDS(x),
	EXPRESSIONS
#undef E
};

/* The instruction that loads what is returned. */
static const struct trace_insn *returned(const struct patched *p)
{
	const struct trace_insn *insns;
	size_t n = image_insns(p->im, &insns);

	for (size_t i = 0; i < n; i++)
		if (code_stands_on(p->im, insns[i].addr, p->file, RETURN_LINE))
			return &insns[i];
	return NULL;
}

static void compare(struct patched *p, unsigned which)
{
	static const struct {
		int a, b;
		unsigned char c;
		short s;
		unsigned u;
		long l;
	} inputs[] = { { 0, 0, 0, 0, 0, 0 },
		       { 3, -8, 200, -3, 7, -1 },
		       { -5, 2, 255, 900, 4000000000u, 1l << 40 },
		       { 100000, 99999, 1, -32768, 8, -77 } };
	const struct trace_insn *insn = returned(p);
	struct code_value *v = code_value_new(p->im, insn->addr, texts[which], limits_default());
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	function *f = (function *)(uintptr_t)patched_function(p, "f");
	struct code_piece piece = { 0 };

	if (!v || !code_value_put(&piece, v))
		fail_msg("`%s' is not compiled", texts[which]);
	code_piece_actions(&piece, insn->addr, insn->length, actions);
	patched_put(p, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		long is = f(inputs[i].a, inputs[i].b, inputs[i].c, inputs[i].s, inputs[i].u,
			    inputs[i].l);
		long wanted = computed(which, inputs[i].a, inputs[i].b, inputs[i].c, inputs[i].s,
				       inputs[i].u, inputs[i].l);

		if (is != wanted)
			fail_msg("`%s', inputs %zu: %ld instead of %ld", texts[which], i, is,
				 wanted);
	}
	patched_restore(p);
	code_value_free(v);
}

static void values_are_those_of_the_compiler(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	assert_non_null(returned(p));
	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		compare(p, i);
	patched_free(p);
}

static void other_expressions_are_refused(void **state)
{
	static const char *const all[] = { "nosuch", "a +", "f(a)", "a / 0.5", "" };
	struct patched *p = patched_new(source);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		assert_null(code_value_new(p->im, returned(p)->addr, all[i], limits_default()));
	patched_free(p);
}

/* A piece without room takes no value. */
static void there_may_be_no_room(void **state)
{
	struct patched *p = patched_new(source);
	struct code_value *v =
		code_value_new(p->im, returned(p)->addr, "a + b * c", limits_default());
	struct code_piece full = { .size = CODE_PIECE_BYTES - 2 };

	(void)state;
	assert_non_null(v);
	assert_false(code_value_put(&full, v));
	code_value_free(v);
	patched_free(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_compiler),
		cmocka_unit_test(other_expressions_are_refused),
		cmocka_unit_test(there_may_be_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
