/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants of compiled lines: what they are, and that they are instructions. */
#include "solver/isa/insn.h"
#include "solver/change/mutator.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
	"struct pair { int a, b, c; };\n"
	"int v = 7; int k(int x) { int b = x / 6 + 1; return b; } int h(int x) { return 2 * x; }\n"
	"int f(struct pair *p, int x, int y)\n"
	"{\n"
	"	int low = x - y;\n"
	"	if (x < 5 && y < 40)\n"
	"		low = p->b;\n"
	"	if (!x)\n"
	"		low = low + 1000;\n"
	"	return low;\n"
	"}\n"
	"double g(double d) { return d * 0.5; }\n"
	"int main(void)\n"
	"{\n"
	"	struct pair p = { 1, 2, 3 };\n"
	"	return f(&p, v, 2) + (int)g(v);\n"
	"}\n"
	"int w; void count(void) { v++; }\n"
	"int both(struct pair *p) { w = 3;\n"
	"	return f(p, 65, 90); }\n"
	"double third(double d) { return d / 3.25; }\n"
	"char *strchr(const char *, int), *strrchr(const char *, int), *strcpy(char *, const char "
	"*);\n"
	"char *first(char *s) { return strchr(s, v); }\n"
	"char *last(char *s) { return strrchr(s, v); }\n"
	"char *copy(char *s) { return strcpy(s, s + v); }\n"
	"int use(void) { return k(v); }\n"
	"double real(void) { return g(v); }\n"
	"int atoi(const char *), memcmp(const void *, const void *, unsigned long);\n"
	"int one(char **s) { return atoi(s[1]); }\n"
	"int three(char **s) { return memcmp(s[1], s[2], 4); }\n";

struct fixture {
	char *folder, *file;
	struct image *im;
	struct mutator *m;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	g_autofree char *path = NULL;

	f->folder = test_folder_new();
	f->file = g_build_filename(f->folder, "p.c", NULL);
	path = test_compile(f->folder, "p", source, "cc -g -O0");
	f->im = image_open(path, NULL);
	assert_non_null(f->im);
	f->m = mutator_new(f->im, limits_default());
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	mutator_free(f->m);
	image_free(f->im);
	test_folder_free(f->folder);
	g_free(f->file);
	g_free(f);
	return 0;
}

static const char *text_of(const struct mutant *m, char *text, size_t size)
{
	return insn_text(m->bytes, m->size, m->addr, text, size);
}

/* Is there one whose first instruction reads like that? */
static bool has(const GArray *all, enum mutant_kind kind, const char *part)
{
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		char text[200];

		if (m->kind == kind && strstr(text_of(m, text, sizeof text), part))
			return true;
	}
	return false;
}

static bool has_constant(const GArray *all, int64_t from, int64_t to)
{
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if (m->kind == MUTANT_CONSTANT && m->from == from && m->to == to)
			return true;
	}
	return false;
}

static void conditions(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 6);

	assert_true(has_constant(all, 4, 5)); /* x < 5 is x <= 4 to the compiler */
	assert_true(has_constant(all, 4, 3));
	assert_true(has_constant(all, 4, 39)); /* the program's */
	assert_true(has_constant(all, 4, 1000));
	assert_true(has(all, MUTANT_CONDITION, "jnl"));
	assert_true(has(all, MUTANT_CONDITION, "jle"));
	assert_true(has(all, MUTANT_DROPPED, "nop"));
	assert_true(has(all, MUTANT_DROPPED, "jmp"));
	assert_true(
		has(all, MUTANT_BRANCH, "jle")); /* the first one goes to the second's other end */
	assert_true(has(all, MUTANT_VARIABLE, "cmp"));
}

static void values(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) difference = mutator_line(f->m, f->file, 5);
	g_autoptr(GArray) member = mutator_line(f->m, f->file, 7);
	g_autoptr(GArray) sum = mutator_line(f->m, f->file, 9);
	g_autoptr(GArray) product = mutator_line(f->m, f->file, 12);

	assert_true(has(difference, MUTANT_OPERATOR, "add"));
	assert_true(has(difference, MUTANT_OPERATOR, "sub")); /* and neg: exchanged */
	assert_true(has(difference, MUTANT_REMOVED, "nop"));
	assert_true(has(member, MUTANT_VARIABLE, "[rax+0x08]"));
	assert_true(has(member, MUTANT_VARIABLE, "[rax]"));
	assert_true(has_constant(sum, 1000, -1000));
	assert_true(has(product, MUTANT_OPERATOR, "movsd")); /* and divsd: the other quotient */
}

/* The compiler adds a number to itself, and adds a constant as if to an address. */
static void constants_that_are_no_operands(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 2);

	assert_true(has_constant(all, 2, 1));
	assert_true(has_constant(all, 2, 3));
	assert_true(has(all, MUTANT_CONSTANT, "imul eax, eax, 0x03"));
	assert_true(has_constant(all, 1, 0));
	assert_true(has(all, MUTANT_CONSTANT, "+0x02]"));
}

/* `test' compares with 0. */
static void zero(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 8);

	assert_true(has_constant(all, 0, 1));
	assert_true(has_constant(all, 0, -1));
}

/* Optimized code stores 0 by `xor'. */
static void zero_is_stored_without_an_operand(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = NULL, *file = NULL;
	struct image *im;
	struct mutator *m;
	g_autoptr(GArray) all = NULL;

	(void)state;
	file = g_build_filename(folder, "p.c", NULL);
	path = test_compile(folder, "p",
			    "int steps(int n)\n"
			    "{\n"
			    "	int s = 0;\n"
			    "	while (n > 1) {\n"
			    "		n = n & 1 ? 3 * n + 1 : n / 2;\n"
			    "		s++;\n"
			    "	}\n"
			    "	return s;\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	return steps(argc);\n"
			    "}\n",
			    "cc -g -O2");
	im = image_open(path, NULL);
	m = mutator_new(im, limits_default());
	all = mutator_line(m, file, 3);
	assert_true(has_constant(all, 0, 1));
	assert_true(has_constant(all, 0, -1));
	assert_true(has(all, MUTANT_CONSTANT, "mov "));
	mutator_free(m);
	image_free(im);
	test_folder_free(folder);
}

static void one_constant(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 9);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *of = &g_array_index(all, struct mutant, i);
		struct mutant made;
		char text[200];

		if (of->kind != MUTANT_CONSTANT)
			continue;
		assert_true(mutator_constant(f->m, of, 12345, &made));
		assert_int_equal(made.from, 1000);
		assert_int_equal(made.to, 12345);
		assert_non_null(strstr(text_of(&made, text, sizeof text), "0x3039"));
		return;
	}
	fail();
}

/* All bytes are instructions, and differ from those in the program; none moves the
 * stack or frame pointer. */
static void all_are_instructions(void **state)
{
	const struct fixture *f = *state;

	for (unsigned line = 1; line <= 17; line++) {
		g_autoptr(GArray) all = mutator_line(f->m, f->file, line);

		for (guint i = 0; i < all->len; i++) {
			const struct mutant *m = &g_array_index(all, struct mutant, i);
			const struct trace_insn *old = image_insn_at(f->im, m->addr);
			struct trace_insn insn;
			size_t avail;

			assert_non_null(old);
			assert_int_equal(m->length, old->length);
			assert_true(m->size != m->length ||
				    memcmp(m->bytes, image_bytes(f->im, m->addr, &avail),
					   m->size) != 0);
			for (unsigned at = 0; at < m->size; at += insn.length) {
				assert_true(insn_decode(m->bytes + at, m->size - at, m->addr + at,
							&insn));
				/* a call does */
				assert_true(m->kind == MUTANT_EXCHANGED ||
					    m->kind == MUTANT_CALLEE ||
					    !(insn.out_gpr & (1u << TRACE_RSP | 1u << TRACE_RBP)));
			}
		}
	}
}

/* Of `f(&p, v, 2)': the two numbers only, since a compiler takes no pointer for a number; the call
 * still goes to f. */
static void exchanged_arguments(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 16);
	unsigned n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		const struct trace_action *link;

		if (m->kind != MUTANT_EXCHANGED ||
		    m->link_to != image_function_named(f->im, "f")->entry)
			continue;
		n++;
		assert_int_equal(m->from, 2);
		assert_int_equal(m->to, 3);
		mutant_actions(m, actions);
		link = &g_array_index(actions, struct trace_action, 1);
		assert_int_equal(actions->len, 2);
		assert_int_equal(link->kind, TRACE_ACTION_CODE_LINK);
		assert_int_equal(link->addr, m->link_to);
	}
	assert_int_equal(n, 1);
}

/* Of a function without debug information, only arguments that the caller sets are exchanged: three
 * have three pairs. */
static void arguments_that_are_set(void **state)
{
	const struct fixture *f = *state;
	unsigned n[2] = { 0 };

	for (unsigned line = 29; line <= 30; line++) {
		g_autoptr(GArray) all = mutator_line(f->m, f->file, line);

		for (guint i = 0; i < all->len; i++)
			n[line - 29] +=
				g_array_index(all, struct mutant, i).kind == MUTANT_EXCHANGED;
	}
	assert_int_equal(n[0], 0);
	assert_int_equal(n[1], 3);
}

/* `x' for `x - y', and nothing where the other operand is a number. */
static void operands_left_out(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) two = mutator_line(f->m, f->file, 5);
	g_autoptr(GArray) number = mutator_line(f->m, f->file, 9);

	assert_true(has(two, MUTANT_OPERATOR, "nop"));
	assert_false(has(number, MUTANT_OPERATOR, "nop"));
}

/* What is called instead of the line's function: "`h' for `k'", and nothing else. */
static void callees(void **state)
{
	static const struct {
		unsigned line;
		const char *words;
	} cases[] = {
		{ 23, "`strrchr' for `strchr';" },
		{ 24, "`strchr' for `strrchr';" },
		{ 25, "" },
		{ 26, "`h' for `k';" },
		{ 27, "`third' for `g';" },
	};
	const struct fixture *f = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GArray) all = mutator_line(f->m, f->file, cases[i].line);
		g_autoptr(GString) words = g_string_new(NULL);

		for (guint k = 0; k < all->len; k++) {
			const struct mutant *m = &g_array_index(all, struct mutant, k);

			if (m->kind == MUTANT_CALLEE)
				g_string_append_printf(words, "%s;", m->words);
		}
		assert_string_equal(words->str, cases[i].words);
	}
}

/* Those of the line that change two instructions. */
static GArray *pairs_of(const struct fixture *f, unsigned line, enum mutant_kind kind)
{
	GArray *all = mutator_line(f->m, f->file, line);
	guint n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

		if (!m->also || m->kind != kind)
			continue;
		assert_null(m->also->also);
		mutant_actions(m, actions);
		assert_int_equal(actions->len, 2);
		assert_int_equal(g_array_index(actions, struct trace_action, 0).addr, m->addr);
		assert_int_equal(g_array_index(actions, struct trace_action, 1).addr,
				 m->also->addr);
		assert_true(m->addr != m->also->addr);
		g_array_index(all, struct mutant, n++) = *m;
	}
	g_array_set_size(all, n);
	return all;
}

/* `v++' loads v and stores it: both have to be w. */
static void a_variable_is_another_wherever_the_line_has_it(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) pairs = pairs_of(f, 18, MUTANT_VARIABLE);
	const struct mutant *m;
	g_autofree char *words = NULL;

	assert_int_equal(pairs->len, 1);
	m = &g_array_index(pairs, struct mutant, 0);
	assert_int_equal(m->also->to, m->to);
	words = mutator_place_words(f->m, m);
	assert_string_equal(words, "`w' for `v'");
}

/* A number that stands in memory is no variable: any other one costs what another constant does. */
static void another_literal_is_another_constant(void **state)
{
	const struct fixture *f = *state;
	const struct limits *l = limits_default();
	g_autoptr(GArray) all = mutator_line(f->m, f->file, 21);
	guint found = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if (m->kind != MUTANT_VARIABLE || m->nearness != MUTANT_OTHER_LITERAL)
			continue;
		found++;
		assert_string_equal(m->words, "another constant");
		assert_true(mutant_effort(m, l) == (double)l->slip_by_more / 100);
	}
	assert_true(found > 0);
}

static void constants_of_a_line_are_changed_alike(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) pairs = pairs_of(f, 20, MUTANT_CONSTANT);
	g_autoptr(GArray) none = pairs_of(f, 9, MUTANT_CONSTANT); /* it has one constant */
	bool later = false;

	for (guint i = 0; i < pairs->len; i++) {
		const struct mutant *m = &g_array_index(pairs, struct mutant, i);

		assert_int_equal(m->to - m->from, m->also->to - m->also->from);
		later |= m->from + m->also->from == 65 + 90 && m->to == m->from + 1;
	}
	assert_true(later);
	assert_int_equal(none->len, 0);
}

/* The ways of a line's branches to each other's targets. */
static GArray *ways_of(const struct fixture *f, const char *name, const char *flags)
{
	g_autofree char *path = test_compile(f->folder, name, source, flags);
	g_autofree char *file = g_strdup_printf("%s/%s.c", f->folder, name);
	struct image *im = image_open(path, NULL);
	struct mutator *m = mutator_new(im, limits_default());
	GArray *all = mutator_line(m, file, 6);
	guint n = 0;

	for (guint i = 0; i < all->len; i++)
		if (g_array_index(all, struct mutant, i).kind == MUTANT_BRANCH)
			g_array_index(all, struct mutant, n++) =
				g_array_index(all, struct mutant, i);
	g_array_set_size(all, n);
	mutator_free(m);
	image_free(im);
	return all;
}

/* The layout does not matter: a jump whose bytes do not reach its target is executed elsewhere. */
static void far_targets(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) near = ways_of(f, "near", "cc -g -O0 -falign-labels=1"),
			  far = ways_of(f, "far", "cc -g -O0 -falign-labels=256");

	assert_true(near->len > 0);
	assert_int_equal(near->len, far->len);
}

static void nothing_elsewhere(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) none = mutator_line(f->m, f->file, 1);
	g_autoptr(GArray) other = mutator_line(f->m, "/other.c", 6);

	assert_int_equal(none->len, 0);
	assert_int_equal(other->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions),
		cmocka_unit_test(values),
		cmocka_unit_test(zero),
		cmocka_unit_test(zero_is_stored_without_an_operand),
		cmocka_unit_test(constants_that_are_no_operands),
		cmocka_unit_test(one_constant),
		cmocka_unit_test(all_are_instructions),
		cmocka_unit_test(exchanged_arguments),
		cmocka_unit_test(arguments_that_are_set),
		cmocka_unit_test(operands_left_out),
		cmocka_unit_test(callees),
		cmocka_unit_test(a_variable_is_another_wherever_the_line_has_it),
		cmocka_unit_test(another_literal_is_another_constant),
		cmocka_unit_test(constants_of_a_line_are_changed_alike),
		cmocka_unit_test(far_targets),
		cmocka_unit_test(nothing_elsewhere),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
