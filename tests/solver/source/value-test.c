/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as a person writes them: of C, and of the classes of C++'s library as GDB's printers
 * write them.  timeout: 120 */
#include "tests/support/commands.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The program fails in line 43. */
static const char source[] =
	"#include <array>\n"
	"#include <cassert>\n"
	"#include <cstdlib>\n"
	"#include <list>\n"
	"#include <map>\n"
	"#include <memory>\n"
	"#include <new>\n"
	"#include <optional>\n"
	"#include <set>\n"
	"#include <string>\n"
	"#include <unordered_map>\n"
	"#include <utility>\n"
	"#include <vector>\n"
	"struct Point { int x, y; };\n"
	"struct Word { std::string text; int count; };\n"
	"struct Itself { Itself &self; long key; Itself(long k) : self(*this), key(k) {} };\n"
	"struct Node { int key; Node *next; };\n"
	"enum Color { RED = 1, GREEN = 2 };\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"\tint n = atoi(argv[argc - 1]);\n"
	"\tstd::map<int, Point> no_map;\n"
	"\tstd::unordered_map<int, int> hashed{{7, n}};\n"
	"\tstd::shared_ptr<Point> none, shared(new Point{5, n});\n"
	"\tstd::unique_ptr<Point> only(new Point{6, n});\n"
	"\tstd::optional<int> maybe(n), empty;\n"
	"\tstd::array<int, 3> three{1, 2, n};\n"
	"\tstd::vector<int> many(10, n), no_vector;\n"
	"\tstd::vector<std::pair<int, int>> pairs(2, std::make_pair(n, 3));\n"
	"\tstd::vector<Word> words;\n"
	"\tstd::set<int> one{n};\n"
	"\tstd::list<int> no_list, list{n, 2};\n"
	"\tstd::string text(\"cat\");\n"
	"\tItself itself(n);\n"
	"\tNode last{2, nullptr}, node{n, &last}, *first = &node;\n"
	"\tColor color = n == 1 ? GREEN : RED;\n"
	"\tchar c = (char)('a' + n), word[8] = \"dog\";\n"
	"\tdouble half = n / 2.0;\n"
	"\tint grid[2][2] = {{n, 2}, {3, 4}}, *inside = (int *)((char *)grid + 6);\n"
	"\tbool yes = n == 1;\n"
	"\tint (*call)(int, char **) = main;\n"
	"\twords.push_back(Word{\"cat\", n});\n"
	"\tassert(n == 4);\n"
	"}\n";

struct value {
	const char *expression, *shown;
};

static void values_as_people_write_them(void **state)
{
	static const struct value values[] = {
		{ "no_map", "std::map with 0 elements" },
		{ "hashed", "std::unordered_map with 1 element = {[7] = 1}" },
		{ "none", "std::shared_ptr<Point> (empty) = {get() = NULL}" },
		{ "shared", "std::shared_ptr<Point> (use count 1, weak count 0) = {get() = the "
			    "Point with x 5}" },
		{ "maybe", "std::optional<int> = {[contained value] = 1}" },
		{ "empty", "std::optional<int> [no contained value]" },
		{ "three", "{_M_elems = {1, 2, 1}}" },
		{ "many", "std::vector of length 10, capacity 10 = {1, 1, 1, 1, 1, 1, ...}" },
		{ "no_vector", "std::vector of length 0, capacity 0" },
		{ "pairs", "std::vector of length 2, capacity 2 = {{first = 1, second = 3}, {first "
			   "= 1, second = 3}}" },
		{ "words", "std::vector of length 1, capacity 1 = {{text = ?, count = 1}}" },
		{ "one", "std::set with 1 element = {...}" },
		{ "no_list", "empty std::__cxx11::list" },
		{ "itself", "{self = {...}, key = 1}" },
		{ "node", "{key = 1, next = &last}" },
		{ "*first", "{key = 1, next = &last}" },
		{ "first", "&node" },
		{ "color", "GREEN" },
		{ "c", "'b'" },
		{ "word", "\"dog\"" },
		{ "half", "0.5" },
		{ "grid", "{{1, 2}, {3, 4}}" },
		{ "grid[0]", "{1, 2}" },
		{ "inside", "6 bytes into grid" },
		{ "yes", "true" },
		{ "last.next", "NULL" },
	};
	static const struct command_case record = { "gdb-why record -o r.why ./values 1",
						    0,
						    { NULL } };

	(void)state;
	commands_expect(&record, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		const struct value *v = &values[i];
		g_autofree char *line = g_strdup_printf(
			"gdb-why ask --record r.why --at values.cc:43:1 'why %s' -- ./values",
			v->expression);
		g_autofree char *said =
			g_strdup_printf("%s = %s at values.cc:43 in main", v->expression, v->shown);
		const struct command_case asked = { line, 0, { said } };

		commands_expect(&asked, 1);
	}
}

static int make_program(void **state)
{
	test_need("g++");
	*state = commands_begin();
	g_free(test_compile(*state, "values.cc", source, "g++ -std=c++17 -g -O0 -w"));
	return 0;
}

static int remove_program(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_as_people_write_them),
	};

	return cmocka_run_group_tests(tests, make_program, remove_program);
}
