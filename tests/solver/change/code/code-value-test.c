/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions as machine code give what the compiler makes of them. */
#include "solver/change/code/code-value.h"
#include "solver/change/code/code-line.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The line of f that is changed. */
enum { RETURN_LINE = 4 };
static const char parameters[] = "int a, int b, unsigned char c, short s, unsigned u, long l";
typedef long function(int a, int b, unsigned char c, short s, unsigned u, long l);

static const char *const texts[] = {
	"a | b",  "a ^ b", "a & 12", "a << 3", "a >> 2", "u >> 3", "l >> 5",	 "-a",
	"~b",	  "-l",	   "a + c",  "s * 3",  "s - b",	 "c ^ s",  "u | 1",	 "a < b",
	"a <= b", "u < 7", "u <= 7", "a == b", "a != 0", "!a",	   "a && b",	 "a || b",
	"l + u",  "c & s", "s << 2", "-s",     "c",	 "s",	   "a < b && c",
};

/* f, whose result is changed, and g0, g1 ..., in which the compiler computes the expressions. */
static struct patched *library_new(void)
{
	g_autoptr(GString) source = g_string_new(NULL);

	g_string_append_printf(source, "long f(%s)\n{\n	long r = a;\n	return r;\n}\n",
			       parameters);
	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		g_string_append_printf(source, "long g%u(%s)\n{\n	return (long)(%s);\n}\n", i,
				       parameters, texts[i]);
	return patched_new(source->str);
}

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
	g_autofree char *name = g_strdup_printf("g%u", which);
	function *g = (function *)(uintptr_t)patched_function(p, name);
	struct code_piece piece = { 0 };

	if (!v || !code_value_put(&piece, v))
		fail_msg("`%s' is not compiled", texts[which]);
	code_piece_actions(&piece, insn->addr, insn->length, actions);
	patched_put(p, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		long is = f(inputs[i].a, inputs[i].b, inputs[i].c, inputs[i].s, inputs[i].u,
			    inputs[i].l);
		long wanted = g(inputs[i].a, inputs[i].b, inputs[i].c, inputs[i].s, inputs[i].u,
				inputs[i].l);

		if (is != wanted)
			fail_msg("`%s', inputs %zu: %ld instead of %ld", texts[which], i, is,
				 wanted);
	}
	patched_restore(p);
	code_value_free(v);
}

static void values_are_those_of_the_compiler(void **state)
{
	struct patched *p = library_new();

	(void)state;
	assert_non_null(returned(p));
	for (unsigned i = 0; i < G_N_ELEMENTS(texts); i++)
		compare(p, i);
	patched_free(p);
}

static void other_expressions_are_refused(void **state)
{
	static const char *const all[] = { "nosuch", "a +", "f(a)", "a / 0.5", "" };
	struct patched *p = library_new();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		assert_null(code_value_new(p->im, returned(p)->addr, all[i], limits_default()));
	patched_free(p);
}

/* A piece without room takes no value. */
static void there_may_be_no_room(void **state)
{
	struct patched *p = library_new();
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
