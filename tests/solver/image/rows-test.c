/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, columns and functions of instructions, compared with what binutils and
 * LLVM make of the same programs. */
#include "solver/image/image.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] =
	"#include <stdlib.h>\n"
	"int v;\n"
	"struct list { struct list *next; int n; };\n"
	"static inline int innermost(int n) { return n > 3 ? v : n; }\n"
	"static inline int limit(int n)\n"
	"{\n"
	"	int low = n & 7;\n"
	"\n"
	"	if (low > 3)\n"
	"		v = low + innermost(n);\n"
	"	return low + v;\n"
	"}\n"
	"int twice(int x)\n"
	"{\n"
	"	return x * 2 + v;\n"
	"}\n"
	"__attribute__((noinline)) int sum(const struct list *l)\n"
	"{\n"
	"	int s = 0;\n"
	"\n"
	"	for (; l; l = l->next)\n"
	"		s += limit(l->n);\n"
	"	if (s == 77)\n"
	"		abort();\n"
	"	return s;\n"
	"}\n"
	"__attribute__((noinline)) int choose(int n)\n"
	"{\n"
	"	switch (n) { case 1: return v; case 2: v++; break; case 3: return 4;\n"
	"	case 4: v--; /* falls */ case 5: v *= 2; break; default: return innermost(n); }\n"
	"	return limit(v);\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	struct list b = { NULL, argc }, a = { &b, 3 };\n"
	"\n"
	"	(void)argv;\n"
	"	return sum(&a) + choose(argc) + twice(argc);\n"
	"}\n";

static const char *const compilers[] = { "gcc", "clang" };
/* binutils 2.40 does not know all ranges that clang writes. */
static const char *const oracles[] = { "addr2line", "llvm-symbolizer" };
static const char *const flags[] = { "-O0", "-O2", "-O2 -gdwarf-4 -no-pie", "-Os" };

static char *folder;

static char *build(size_t compiler, size_t flag)
{
	g_autofree char *command = g_strdup_printf("%s -g %s", compilers[compiler], flags[flag]);

	return test_compile(folder, "rows", source, command);
}

static struct image *open_image(const char *path)
{
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);

	if (!im)
		fail_msg("%s", error->message);
	return im;
}

/* ---- functions and lines: addr2line ---- */

/* The two lines after an address: the innermost function, FILE:LINE. */
static unsigned line_of(const char *place)
{
	return (unsigned)strtoul(strrchr(place, ':') + 1, NULL, 10);
}

static const char *function_of(const struct image *im, uint64_t pc)
{
	const char *inlined = image_inlined_at(im, pc);

	return inlined ? inlined : image_function_at(im, pc)->name;
}

static void check_places(const struct image *im, char **lines)
{
	unsigned checked = 0;

	for (; *lines && **lines; lines++) {
		const struct image_statement *s;
		const struct image_row *row;
		uint64_t pc;

		if (!g_str_has_prefix(*lines, "0x"))
			continue;
		pc = strtoull(*lines, NULL, 16);
		row = image_row_at(im, pc);
		if (!line_of(lines[2])) {
			assert_null(row);
			continue;
		}
		checked++;
		if (!row)
			fail_msg("no row at %s: %s", lines[0], lines[2]);
		assert_in_range(pc, row->lo, row->hi - 1);
		s = image_statement(im, row->statement);
		if (s->line != line_of(lines[2]) || strcmp(function_of(im, pc), lines[1]) != 0)
			fail_msg("%s: %s:%u, expected %s in %s", lines[0], function_of(im, pc),
				 s->line, lines[2], lines[1]);
		/* a row may go on behind the inlined code that it begins in */
		assert_string_equal(s->function, function_of(im, row->lo));
		assert_true(g_str_has_prefix(lines[2], s->file));
	}
	assert_true(checked > 50);
}

static void places_are_as_other_tools_say(void **state)
{
	(void)state;
	for (size_t c = 0; c < G_N_ELEMENTS(compilers) && test_has(compilers[c]); c++)
		for (size_t i = 0; i < G_N_ELEMENTS(flags) && test_has(oracles[c]); i++) {
			g_autofree char *path = build(c, i), *text = NULL;
			g_autofree char *file = g_build_filename(folder, "pcs", NULL);
			struct image *im = open_image(path);
			g_autoptr(GString) pcs = g_string_new(NULL);
			g_auto(GStrv) lines = NULL;
			const struct trace_insn *insns;
			size_t n = image_insns(im, &insns);

			for (size_t k = 0; k < n; k++)
				g_string_append_printf(pcs, "%#" G_GINT64_MODIFIER "x\n",
						       (uint64_t)insns[k].addr);
			assert_true(g_file_set_contents(file, pcs->str, -1, NULL));
			text = test_output("%s %s -a -f -i -e '%s' <'%s'", oracles[c],
					   c ? "--output-style=GNU" : "", path, file);
			lines = g_strsplit(text, "\n", -1);
			check_places(im, lines);
			image_free(im);
		}
}

/* ---- columns and is_stmt: LLVM ---- */

struct llvm_row {
	uint64_t addr;
	unsigned line, column;
	bool is_stmt, ends;
};

static GArray *llvm_rows(const char *path)
{
	g_autofree char *text = test_output("llvm-dwarfdump --debug-line '%s'", path);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct llvm_row));

	for (char **l = lines; *l; l++) {
		struct llvm_row r = { 0 };
		unsigned long addr;

		if (sscanf(*l, "0x%lx %u %u %*u %*u %*u", &addr, &r.line, &r.column) != 3)
			continue;
		r.addr = addr;
		r.is_stmt = strstr(*l, "is_stmt");
		r.ends = strstr(*l, "end_sequence");
		g_array_append_val(rows, r);
	}
	return rows;
}

/* The last row that starts at or before pc, in its sequence. */
static const struct llvm_row *llvm_row_at(const GArray *rows, uint64_t pc)
{
	const struct llvm_row *r = (const struct llvm_row *)(const void *)rows->data;

	for (guint i = 0; i + 1 < rows->len; i++)
		if (!r[i].ends && r[i].addr <= pc && pc < r[i + 1].addr)
			return &r[i];
	return NULL;
}

static void columns_are_as_llvm_says(void **state)
{
	(void)state;
	if (!test_has("llvm-dwarfdump")) {
		print_message("there is no llvm-dwarfdump here\n");
		skip();
	}
	for (size_t c = 0; c < G_N_ELEMENTS(compilers) && test_has(compilers[c]); c++)
		for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
			g_autofree char *path = build(c, i);
			g_autoptr(GArray) rows = llvm_rows(path);
			struct image *im = open_image(path);
			const struct trace_insn *insns;
			size_t n = image_insns(im, &insns);

			assert_true(n > 50);
			for (size_t k = 0; k < n; k++) {
				const struct image_row *row = image_row_at(im, insns[k].addr);
				const struct llvm_row *r = llvm_row_at(rows, insns[k].addr);

				assert_int_equal(!row, !r || !r->line);
				if (!row)
					continue;
				assert_int_equal(image_statement(im, row->statement)->line,
						 r->line);
				assert_int_equal(image_statement(im, row->statement)->column,
						 r->column);
				assert_int_equal(row->is_stmt, r->is_stmt);
			}
			image_free(im);
		}
}

/* The assembler is told which rows to make. */
static void rows_are_as_told(void **state)
{
	static const char text[] = "int main(void)\n"
				   "{\n"
				   "	__asm__(\".loc 1 77 13 is_stmt 0\\n nop\\n\"\n"
				   "		\".loc 1 78 5 is_stmt 1\\n xchg %ax, %ax\\n\"\n"
				   "		\".loc 1 5 0\\n nop\\n\");\n"
				   "	return 0;\n"
				   "}\n";
	g_autofree char *path = test_compile(folder, "told", text, "gcc -g -O0");
	struct image *im = open_image(path);
	const struct image_function *f = image_function_named(im, "main");
	unsigned seen[4] = { 0 };

	(void)state;
	for (uint64_t a = f->lo; a < f->hi; a++) {
		const struct image_row *row = image_row_at(im, a);
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

		if (!row) {
			seen[0]++;
		} else if (s->line == 77) {
			assert_int_equal(s->column, 13);
			assert_false(row->is_stmt);
			seen[1]++;
		} else if (s->line == 78) {
			assert_int_equal(s->column, 5);
			assert_true(row->is_stmt);
			assert_int_equal(row->hi - row->lo, 2);
			seen[2]++;
		} else if (s->line == 5) {
			assert_int_equal(s->column, 0);
			seen[3]++;
		}
	}
	assert_int_equal(seen[0], 0);
	assert_int_equal(seen[1], 1);
	assert_int_equal(seen[2], 2);
	assert_int_equal(seen[3], 1);
	assert_null(image_row_at(im, f->lo - 1));
	assert_string_equal(image_source_line(im, f->file, 6), "	return 0;");
	assert_null(image_source_line(im, f->file, 99));
	assert_null(image_source_line(im, "/nowhere/x.c", 1));
	image_free(im);
}

/* ---- prologues ---- */

static unsigned prologue_bytes(const struct image *im, const char *name, unsigned line)
{
	const struct image_function *f = image_function_named(im, name);
	unsigned n = 0;

	for (uint64_t a = f->lo; a < f->hi; a++) {
		const struct image_row *row = image_row_at(im, a);

		if (!row || !row->prologue)
			continue;
		n++;
		assert_true(a < f->body);
		assert_int_equal(image_statement(im, row->statement)->line, line);
		assert_true(image_statement(im, row->statement)->prologue);
	}
	assert_int_equal(f->body - f->lo, n);
	return n;
}

static void prologues_hold_no_statement(void **state)
{
	(void)state;
	for (size_t c = 0; c < G_N_ELEMENTS(compilers) && test_has(compilers[c]); c++)
		for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
			g_autofree char *path = build(c, i);
			struct image *im = open_image(path);

			/* push %rbp; mov %rsp,%rbp; mov %edi,-4(%rbp).  Optimized: none. */
			if (i == 0)
				assert_in_range(prologue_bytes(im, "twice", 14), 4, 7);
			else
				assert_int_equal(prologue_bytes(im, "twice", 0), 0);
			image_free(im);
		}
}

static int make_folder(void **state)
{
	g_autofree char *made = test_folder_new();

	(void)state;
	folder = realpath(made, NULL);
	return folder ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(folder);
	return 0;
}

/* Numbers that #define gives names; one that differs between branches of #if is none. */
static void defined_numbers(void **state)
{
	static const char text[] = "#define SIZE 40 /* shelves */\n"
				   "# define MASK (0x1fUL)\n"
				   "#define LOW -3 // at least\n"
				   "#if A\n#define BOTH 1\n#else\n#define BOTH 2\n#endif\n"
				   "#define TEXT \"5\"\n#define F(x) 7\n#define SUM 3 + 4\n";
	static const struct {
		const char *name;
		int64_t number;
	} known[] = { { "SIZE", 40 }, { "MASK", 0x1f }, { "LOW", -3 } };
	static const char *const others[] = { "BOTH", "TEXT", "F", "SUM", "NONE" };
	g_autofree char *path = build(0, 0);
	struct image *im = open_image(path);
	int64_t number;

	(void)state;
	image_set_source(im, "/made/up.c", text);
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		assert_true(image_source_number(im, "/made/up.c", known[i].name, &number));
		assert_int_equal(number, known[i].number);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		assert_false(image_source_number(im, "/made/up.c", others[i], &number));
	assert_false(image_source_number(im, "/nowhere/x.c", "SIZE", &number));
	image_free(im);
}

static void headers_of_system(void **state)
{
	static const char *const system[] = {
		"/usr/include/string.h", "/usr/lib/gcc/x/12/include/stddef.h",
		"/usr/bin/../lib/gcc/x/12/../../../../include/c++/12/map"
	};
	static const char *const own[] = { "/usr/include/../src/map", "/home/usr/include/map",
					   "../include/map", "map" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++)
		assert_true(image_is_of_system(system[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
		assert_false(image_is_of_system(own[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_are_as_other_tools_say),
		cmocka_unit_test(defined_numbers),
		cmocka_unit_test(columns_are_as_llvm_says),
		cmocka_unit_test(rows_are_as_told),
		cmocka_unit_test(prologues_hold_no_statement),
		cmocka_unit_test(headers_of_system),
	};

	test_need("gcc");
	test_need("addr2line");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
