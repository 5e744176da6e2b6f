/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that never return, and the graphs of those that call them. */
#include "solver/image/image.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* What each function does stands in its name. */
static const char source[] =
	"#include <setjmp.h>\n"
	"#include <stdlib.h>\n"
	"volatile int v; jmp_buf buf; void (*hook)(void);\n"
	"void never_exits(void) { v = 1; exit(v); }\n"
	"int never_declared(int n) { never_exits(); return n; }\n"
	"void never_loops(void) { for (;;) v++; }\n"
	"void never_two_ways(int n) { if (n) never_exits(); else never_loops(); v = 2; }\n"
	"void never_jumps_back(void) { longjmp(buf, 1); }\n"
	"void never_pong(int n);\n"
	"void never_ping(int n) { v = n; never_pong(n); }\n"
	"void never_pong(int n) { v = n; never_ping(n); v = 4; }\n"
	"void comes_sometimes(int n) { if (n) never_exits(); v = 3; }\n"
	"void comes_after_hook(void) { hook(); }\n"
	"void comes_recursive(int n) { if (n) comes_recursive(n - 1); }\n"
	"void comes_odd(int n);\n"
	"void comes_even(int n) { if (n) comes_odd(n - 1); v = 5; }\n"
	"void comes_odd(int n) { comes_even(n - 1); v = 6; }\n"
	"int comes_second_time(void) { if (!setjmp(buf)) never_jumps_back(); return v; }\n"
	"int comes_case(int n) { switch (n) { case 0: never_exits(); case 1: never_loops();\n"
	"  case 2: never_exits(); case 3: never_ping(1); case 4: return 7; case 5: abort(); }\n"
	"  never_exits(); return 0; }\n"
	"void never_case(int n) { switch (n) { case 0: never_exits(); case 1: never_loops();\n"
	"  case 2: never_exits(); case 3: never_ping(1); case 4: exit(7); case 5: abort(); }\n"
	"  never_exits(); }\n"
	"void comes_tail(int n) { v = n; comes_sometimes(n + 1); }\n"
	"void never_tail(int n) { v = n; never_two_ways(n + 1); }\n"
	"void comes_hook_tail(void) { v = 8; hook(); }\n"
	"int main(int argc, char **argv) { (void)argv;\n"
	"  if (argc == 9) never_declared(1); if (argc == 8) never_two_ways(1);\n"
	"  if (argc == 7) never_ping(1); if (argc == 6) comes_case(1);\n"
	"  if (argc == 5) never_tail(1); if (argc == 4) never_case(1);\n"
	"  comes_sometimes(0); comes_recursive(3); comes_even(4); comes_tail(0);\n"
	"  return comes_second_time(); }\n";

static char *folder;

static struct image *build(const char *name, const char *text, const char *command)
{
	g_autofree char *path = test_compile(folder, name, text, command);
	g_autoptr(GError) error = NULL;
	struct image *im = image_open(path, &error);

	if (!im)
		fail_msg("%s", error->message);
	return im;
}

static void check_names(const struct image *im, unsigned at_least)
{
	const struct image_function *f;
	size_t n = image_functions(im, &f);
	unsigned checked = 0;

	for (size_t i = 0; i < n; i++) {
		bool never = g_str_has_prefix(f[i].name, "never_");

		if (!never && !g_str_has_prefix(f[i].name, "comes_"))
			continue;
		checked++;
		if (f[i].noreturn != never)
			fail_msg("%s: noreturn is %d", f[i].name, f[i].noreturn);
	}
	assert_true(checked >= at_least);
}

static void functions_that_never_return_are_found(void **state)
{
	static const char *const commands[] = {
		"-g -O0",
		"-g -O2 -fno-inline",
		"-g -O1 -fno-inline -no-pie -fno-plt",
		"-g -Os -fno-inline",
		"-g -O0 -fPIC -shared",
		"-g -O2 -fno-inline -fPIC -shared",
		"-g -O1 -fno-inline -fPIC -shared -fno-plt",
	};
	static const char *const compilers[] = { "gcc", "clang" };

	(void)state;
	for (size_t c = 0; c < G_N_ELEMENTS(compilers); c++)
		for (size_t i = 0; i < G_N_ELEMENTS(commands) && test_has(compilers[c]); i++) {
			g_autofree char *command =
				g_strdup_printf("%s -w %s", compilers[c], commands[i]);
			struct image *im = build("returns", source, command);

			check_names(im, 12);
			image_free(im);
		}
}

/* A block that ends with a call of what never returns has no way on. */
static void their_callers_stop_there(void **state)
{
	struct image *im = build("stops", source, "gcc -w -g -O0");
	const struct image_function *f = image_function_named(im, "comes_sometimes");
	const struct image_function *callee = image_function_named(im, "never_exits");
	const struct image_cfg *cfg = image_cfg(im, f);
	unsigned stops = 0, returns = 0;

	(void)state;
	for (uint32_t i = 0; i < cfg->n_blocks; i++) {
		const struct image_block *b = &cfg->blocks[i];
		const struct trace_insn *last = image_insn_at(im, b->last);

		assert_ptr_equal(image_block_at(im, f, b->last), b);
		returns += b->returns;
		if (!b->stops)
			continue;
		stops++;
		assert_int_equal(last->target, callee->entry);
		assert_int_equal(b->n_succ, 0);
		/* it does not come to the assignment, so the condition decides on that */
		assert_int_equal(b->n_control, 1);
	}
	assert_int_equal(stops, 1);
	assert_int_equal(returns, 1);
	image_free(im);
}

static void cold_parts_are_their_functions(void **state)
{
	struct image *im = build("cold", source, "gcc -w -g -O2 -fno-inline");
	const struct image_function *f;
	size_t n = image_functions(im, &f);
	unsigned parts = 0;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		if (!f[i].parent)
			continue;
		parts++;
		assert_string_equal(f[i].name, f[i].parent->name);
		assert_ptr_equal(image_cfg(im, &f[i]), image_cfg(im, f[i].parent));
		assert_non_null(image_block_at(im, f[i].parent, f[i].lo));
		assert_int_equal(f[i].noreturn, f[i].parent->noreturn);
	}
	assert_true(parts > 0);
	image_free(im);
}

static void what_catches_returns(void **state)
{
	static const char text[] = "extern \"C\" {\n"
				   "int v;\n"
				   "void never_throws(void) { v++; throw 1; }\n"
				   "void comes_catches(void) { try { never_throws(); }\n"
				   "  catch (int) { v++; } }\n"
				   "void never_passes_on(void) { never_throws(); v++; }\n"
				   "}\n"
				   "int main() { comes_catches(); if (v == 9) never_passes_on();\n"
				   "  return v; }\n";
	struct image *im;

	(void)state;
	if (!test_has("g++")) {
		print_message("there is no g++ here\n");
		skip();
	}
	im = build("catch.cc", text, "g++ -g -O0");
	check_names(im, 3);
	image_free(im);
}

static int make_folder(void **state)
{
	(void)state;
	folder = test_folder_new();
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	test_folder_free(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_that_never_return_are_found),
		cmocka_unit_test(their_callers_stop_there),
		cmocka_unit_test(cold_parts_are_their_functions),
		cmocka_unit_test(what_catches_returns),
	};

	test_need("gcc");
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
