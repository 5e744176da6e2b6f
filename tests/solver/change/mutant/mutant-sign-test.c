/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number's other sign is what the compiler makes of the source with a minus. */
#include "solver/change/mutant/mutant-operator.h"
#include "tests/support/patched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A function a line, and behind each what it is with the other sign. */
static const char source[] =
	"struct pair { double d; float f; };\n"
	"double difference(double a, double b) { return a - b; }\n"
	"double difference_(double a, double b) { return b - a; }\n"
	"double product(double a, double b) { struct pair p; p.d = a * b; return p.d + 1; }\n"
	"double product_(double a, double b) { struct pair p; p.d = -(a * b); return p.d + 1; }\n"
	"double copy(double a, double b) { double all[3]; all[1] = a; return all[1] * 3 + b; }\n"
	"double copy_(double a, double b) { double all[3]; all[1] = -a; return all[1] * 3 + b; }\n"
	"double ratio(double a, double b) { float f = (float)a, g; g = f / (float)b; return g; }\n"
	"double ratio_(double a, double b) { float f = (float)a, g; g = -(f / (float)b); return g; "
	"}\n"
	"double used(double a, double b) { register double x __asm__(\"xmm15\") = a;\n"
	"	__asm__ volatile(\"\" : \"+x\"(x)); return x - b; }\n";

typedef double function(double a, double b);

/* The line's mutants of this kind; free the array. */
static GArray *signs_of(const struct patched *p, unsigned line, enum mutant_operator kind)
{
	GArray *all = mutator_line(p->m, p->file, line);

	for (guint i = all->len; i > 0; i--) {
		const struct mutant *m = &g_array_index(all, struct mutant, i - 1);

		if (m->kind != MUTANT_OPERATOR || m->to != kind)
			g_array_remove_index(all, i - 1);
	}
	return all;
}

static bool is_same(double x, double y)
{
	return memcmp(&x, &y, sizeof x) == 0;
}

/* Does it make the first function what the second one is? */
static bool makes(struct patched *p, const struct mutant *m, function *of, function *other)
{
	static const double inputs[][2] = {
		{ 1.5, 2 }, { -3, 7.25 }, { 1e300, -1 }, { 0.125, 100 }
	};
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	bool same = true;

	mutant_actions(m, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		double now, wanted = other(inputs[i][0], inputs[i][1]);

		patched_put(p, actions);
		now = of(inputs[i][0], inputs[i][1]);
		patched_restore(p);
		same &= is_same(now, wanted);
	}
	return same;
}

static void they_are_what_the_compiler_makes(void **state)
{
	static const struct {
		const char *name, *other;
		unsigned line;
		enum mutant_operator kind;
	} rows[] = { { "difference", "difference_", 2, MUTANT_OPERANDS_EXCHANGED },
		     { "product", "product_", 4, MUTANT_SIGN_TURNED },
		     { "copy", "copy_", 6, MUTANT_SIGN_TURNED },
		     { "ratio", "ratio_", 8, MUTANT_SIGN_TURNED } };
	struct patched *p = patched_new(source);

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(rows); k++) {
		g_autoptr(GArray) all = signs_of(p, rows[k].line, rows[k].kind);
		function *of = (function *)(uintptr_t)patched_function(p, rows[k].name);
		function *other = (function *)(uintptr_t)patched_function(p, rows[k].other);
		bool made = false;

		for (guint i = 0; i < all->len; i++)
			made |= makes(p, &g_array_index(all, struct mutant, i), of, other);
		if (!made)
			fail_msg("%s: none of %u", rows[k].name, all->len);
	}
	patched_free(p);
}

static void a_register_in_use_is_kept(void **state)
{
	struct patched *p = patched_new(source);

	(void)state;
	for (unsigned line = 10; line <= 11; line++)
		for (enum mutant_operator kind = MUTANT_OPERANDS_EXCHANGED;
		     kind <= MUTANT_SIGN_TURNED; kind++) {
			g_autoptr(GArray) all = signs_of(p, line, kind);

			assert_int_equal(all->len, 0);
		}
	patched_free(p);
}

static void words(void **state)
{
	const struct mutant turned = { .kind = MUTANT_OPERATOR, .to = MUTANT_SIGN_TURNED };
	g_autofree char *text = mutant_operator_words(&turned);

	(void)state;
	assert_string_equal(text, "the other sign");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_what_the_compiler_makes),
		cmocka_unit_test(a_register_in_use_is_kept),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
