/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles conditions of all shapes with gcc and clang and asks for the polarity of
 * every jump.  All compare for equality, so the jump itself says what is right:
 * je is taken when an `==` is true.  Without optimization every polarity must be
 * known; with it, none may be wrong.
 */
#include "solver/source/polarity.h"

#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char program[] =
	"#define IS_EQUAL(x, y) ((x) == (y))\n"
	"#define CHECK(c) do { if (!(c)) { in(); n = 3; } } while (0)\n"
	"#define CHECK_3(x) CHECK((x) == 3)\n"
	"#define EITHER(x, y) do { int x_ = (x); if (x_ != 3 || (y) == 4) { \\\n"
	"	in(); n = 3; } } while (0)\n"
	"volatile int a, b, c, n;\n"
	"void in(void) { n++; }\n"
	"int take(int x, int y) { return x + y; }\n"
	"int main(void)\n"
	"{\n"
	"	if (a == 3)\n		in();\n"
	"	if (a != 3) {\n		in();\n	} else {\n		n = 2;\n	}\n"
	"	if (a == 3 && b == 4)\n		in();\n"
	"	if (a == 3 || b == 4)\n		in();\n"
	"	if ((a == 3 || b == 4) && c != 5)\n		in();\n"
	"	if (!(a == 3 && b != 4) || c == 5)\n		in();\n"
	"	else if (a == 9)\n		n = 7;\n"
	"	for (int i = 0; a != 7; i++)\n		in();\n"
	"	for (; a == 7 && b == 9; )\n		in();\n"
	"	while (a == 11)\n		in();\n"
	"	while (a++ == 12)\n		;\n"
	"	do {\n		in();\n	} while (a == 13 || b != 14);\n"
	"	while (c == 1) {\n		if (b == 2)\n			break;\n"
	"		if (b == 5)\n			continue;\n		if (a == 6)\n	"
	"		in();\n	}\n"
	"	if (IS_EQUAL(a, 3))\n		in();\n"
	"	if (a == 3 || IS_EQUAL(b, 4))\n		in();\n"
	"	if (IS_EQUAL(a, b) && c != 5)\n		in();\n"
	"	n = a == 3 && b != 4;\n"
	"	n = a != 3 || b == 4;\n"
	"	n = 2 + (a == 3 && b != 4);\n"
	"	n = 2 * (a != 3 ? b : c);\n"
	"	take(a == 8 || b != 3, n);\n"
	"	take(1, take(2, c == 7 ? a : 5));\n"
	"	CHECK(a == 2);\n	CHECK_3(b);\n	CHECK(c != 4);\n"
	"	EITHER(a, b);\n"
	"	if (a == 1)\n		return a == 6 && c == 7;\n"
	"	return a == 3 ? n : c;\n"
	"}\n";

static char *compile(const char *folder, const char *text, const char *compiler, const char *level)
{
	g_autofree char *source = g_build_filename(folder, "conditions.c", NULL);
	char *out = g_strdup_printf("%s/%s%s", folder, compiler, level);
	const char *argv[] = { compiler, "-g", level, "-o", out, source, NULL };
	int status = 0;

	assert_true(g_file_set_contents(source, text, -1, NULL));
	if (!g_spawn_sync(NULL, (char **)(void *)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
			  NULL, &status, NULL) ||
	    status)
		g_clear_pointer(&out, g_free);
	return out;
}

struct tally {
	unsigned right, unknown;
};

static void judge(const struct image *im, const struct trace_insn *insn, struct sources *sources,
		  struct tally *t)
{
	struct polarity s;
	bool equal, unequal, whole;

	polarity_find(im, sources, NULL, insn->addr, &s);
	equal = s.clause && (strstr(s.clause, "==") || strstr(s.clause, "EQUAL"));
	unequal = s.clause && strstr(s.clause, "!=");
	whole = s.clause && (strstr(s.clause, "&&") || strstr(s.clause, "||"));
	if (s.meaning == POLARITY_UNKNOWN || (equal == unequal && !whole) ||
	    (insn->cond != 4 && insn->cond != 5)) {
		const struct image_row *row = image_row_at(im, insn->addr);

		print_message("unknown: line %u, %s\n",
			      row ? image_statement(im, row->statement)->line : 0, s.clause);
		t->unknown++;
	} else if (whole) { /* put together first: 0 is false */
		assert_int_equal(s.meaning == POLARITY_TAKEN_IS_TRUE, insn->cond == 5);
		t->right++;
	} else if ((s.meaning == POLARITY_TAKEN_IS_TRUE) == ((insn->cond == 4) == equal)) {
		t->right++;
	} else {
		fail_msg("%s: cond %u is not polarity %d", s.clause, insn->cond, s.meaning);
	}
	polarity_clear(&s);
}

static struct tally judge_all(const char *compiler, const char *level)
{
	char *folder = test_folder_new();
	g_autofree char *path = compile(folder, program, compiler, level);
	struct tally t = { 0 };
	const struct trace_insn *insns;

	if (path) {
		struct image *im = image_open(path, NULL);
		struct sources *sources = sources_new(im);
		size_t n = image_insns(im, &insns);

		for (size_t i = 0; i < n; i++)
			if (insns[i].flow == TRACE_FLOW_COND)
				judge(im, &insns[i], sources, &t);
		sources_free(sources);
		image_free(im);
	}
	test_folder_free(folder);
	return t;
}

/* clang computes the last part of `n = a && b' without a jump, so its jumps are not one each. */
static void plain(const char *compiler, unsigned unknown)
{
	struct tally t = judge_all(compiler, "-O0");

	if (t.right + t.unknown == 0)
		skip();
	assert_int_equal(t.unknown, unknown);
	assert_int_equal(t.right, 48 - 2 * unknown);
}

static void gcc_plain(void **state)
{
	(void)state;
	plain("gcc", 0);
}

static void clang_plain(void **state)
{
	(void)state;
	plain("clang", 5);
}

static void optimized(void **state)
{
	(void)state;
	struct tally g = judge_all("gcc", "-O2"), c = judge_all("clang", "-O2");

	print_message("gcc -O2: %u known, %u not; clang -O2: %u known, %u not\n", g.right,
		      g.unknown, c.right, c.unknown);
	assert_true(g.right + c.right > 10);
}

/* One comparison may decide both parts, and the loop may have two copies of it. */
static void ranges(void **state)
{
	static const char text[] = "int number(const char *p)\n{\n	int n = 0;\n"
				   "	while (*p >= '0' && *p <= '9') {\n"
				   "		n = n * 10 + *p - '0';\n		p++;\n	}\n"
				   "	return n;\n}\n"
				   "int main(int n, char **s) { return number(s[n - 1]); }\n";
	char *folder = test_folder_new();
	g_autofree char *path = compile(folder, text, "gcc", "-O2");
	struct image *im = path ? image_open(path, NULL) : NULL;
	struct sources *sources = im ? sources_new(im) : NULL;
	const struct trace_insn *insns;
	unsigned whole = 0;

	(void)state;
	for (size_t i = 0, n = im ? image_insns(im, &insns) : 0; i < n; i++) {
		struct polarity s = { 0 };

		/* the comparison with '9' - '0' */
		if (insns[i].flow == TRACE_FLOW_COND &&
		    (insns[i].cond == 6 || insns[i].cond == 7)) {
			polarity_find(im, sources, NULL, insns[i].addr, &s);
			assert_string_equal(s.clause, "*p >= '0' && *p <= '9'");
			whole++;
		}
		polarity_clear(&s);
	}
	assert_true(!im || whole > 0);
	if (im) {
		sources_free(sources);
		image_free(im);
	}
	test_folder_free(folder);
}

/* Values that are put together and not tested.  All atoms are of the form x < K, of which the text
 * does not say what the machine compares: jl and jle are taken when it is true. */
static void values(void **state)
{
	static const char text[] =
		"#define K 8\n"
		"int both(int a, int b) { return a < K && b <= K; }\n"
		"int any(int a, int b) { return a < K || b <= K; }\n"
		"int three(int a, int b, int c) { return (a < K || b < K) && c <= K; }\n"
		"int none(int a, int b) { return !(a < K && b <= K); }\n"
		"int lost(int a, int b) { return (a < K && b <= K) == 0; }\n"
		"int sum(int a, int b) { int v; v = a < K || b <= K; return v; }\n"
		"int main(int n, char **s) { int v = n < K && s[0][0] <= K; return v + both(n, 1) "
		"+ "
		"any(n, 1) + three(n, 1, 2) + none(1, n) + lost(1, n) + sum(1, n); }\n";
	char *folder = test_folder_new();
	g_autofree char *path = compile(folder, text, "gcc", "-O0");
	struct image *im = path ? image_open(path, NULL) : NULL;
	struct sources *sources = im ? sources_new(im) : NULL;
	const struct trace_insn *insns;
	unsigned known = 0;

	(void)state;
	for (size_t i = 0, n = im ? image_insns(im, &insns) : 0; i < n; i++) {
		struct polarity s = { 0 };
		const bool less = insns[i].cond == 12 || insns[i].cond == 14;

		if (insns[i].flow != TRACE_FLOW_COND)
			continue;
		polarity_find(im, sources, NULL, insns[i].addr, &s);
		known += s.meaning != POLARITY_UNKNOWN;
		if (s.meaning != POLARITY_UNKNOWN &&
		    s.meaning != (less ? POLARITY_TAKEN_IS_TRUE : POLARITY_TAKEN_IS_FALSE))
			fail_msg("%s: cond %u is not polarity %d", s.clause, insns[i].cond,
				 s.meaning);
		polarity_clear(&s);
	}
	print_message("%u known\n", known);
	assert_true(!im || known >= 11);
	if (im) {
		sources_free(sources);
		image_free(im);
	}
	test_folder_free(folder);
}

/* One more element is there while the iterator is not the end: jne is taken when it is true. */
static void check_over_ranges(const char *level, unsigned least)
{
	static const char text[] = "#include <vector>\n"
				   "volatile int n;\n"
				   "void in(int x) { n = n + x; }\n"
				   "int main(int argc, char **)\n{\n"
				   "	int few[] = { 3, argc, 5 };\n"
				   "	std::vector<int> all;\n"
				   "	all.push_back(argc);\n"
				   "	for (int x : few)\n		in(x);\n"
				   "	for (const auto &x : all) {\n		in(x);\n	"
				   "	if (x == 4)\n"
				   "			break;\n	}\n"
				   "	for (int x : few)\n		for (auto &&y : all)\n	"
				   "		in(x + y);\n"
				   "	return n;\n}\n";
	char *folder = test_folder_new();
	g_autofree char *path = compile(folder, text, "g++", level);
	struct image *im = path ? image_open(path, NULL) : NULL;
	struct sources *sources = im ? sources_new(im) : NULL;
	const struct trace_insn *insns;
	unsigned known = 0;

	for (size_t i = 0, n = im ? image_insns(im, &insns) : 0; i < n; i++) {
		struct polarity s = { 0 };

		if (insns[i].flow == TRACE_FLOW_COND)
			polarity_find(im, sources, NULL, insns[i].addr, &s);
		if (s.clause && strstr(s.clause, " : ") && s.meaning != POLARITY_UNKNOWN) {
			known++;
			assert_int_equal(s.meaning == POLARITY_TAKEN_IS_TRUE, insns[i].cond == 5);
		}
		polarity_clear(&s);
	}
	print_message("%s: %u known\n", level, known);
	assert_true(!im || known >= least);
	sources_free(sources);
	image_free(im);
	test_folder_free(folder);
}

static void over_ranges(void **state)
{
	(void)state;
	check_over_ranges("-O0", 4);
	check_over_ranges("-O2", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gcc_plain), cmocka_unit_test(clang_plain),
		cmocka_unit_test(optimized), cmocka_unit_test(ranges),
		cmocka_unit_test(values),    cmocka_unit_test(over_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
