/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What -fsanitize=address puts into a program is found, and nothing else. */
#include "solver/image/shadow.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "#include <string.h>\n"
			     "struct pair { char c; short s; int i; long l; };\n"
			     "long sum(struct pair *p, int n)\n"
			     "{\n"
			     "	long s = 0;\n"
			     "	for (int i = 0; i < n; i++)\n"
			     "		s += p[i].c + p[i].s + p[i].i + p[i].l;\n"
			     "	return s >> 3;\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	struct pair all[4];\n"
			     "	memset(all, argc, sizeof all);\n"
			     "	all[argc].i = 7;\n"
			     "	return sum(all, argc) & 7;\n"
			     "}\n";

static bool is_report(const struct image *im, const struct trace_insn *insn)
{
	const char *name =
		insn->flow == TRACE_FLOW_CALL ? image_native_name(im, insn->target) : NULL;

	return name && g_str_has_prefix(name, "__asan_report_");
}

/* In front of each report stands a branch that is found; behind it, the access is not. */
static unsigned look_at_reports(const struct image *im, GHashTable *set)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	unsigned found = 0;

	for (size_t i = 1; i < n; i++) {
		size_t k = i;

		if (!is_report(im, &insns[i]))
			continue;
		assert_true(g_hash_table_contains(set, &insns[i]));
		while (k > 0 && insns[k].flow != TRACE_FLOW_COND)
			k--;
		assert_int_equal(insns[k].target, insns[i].addr + insns[i].length);
		assert_true(g_hash_table_contains(set, &insns[k]));
		assert_true(g_hash_table_contains(set, &insns[k - 1]));
		for (k = i + 1; !insns[k].n_mem; k++)
			assert_false(g_hash_table_contains(set, &insns[k]));
		found++;
	}
	return found;
}

static void with(const char *compiler)
{
	g_auto(GStrv) env = g_new0(char *, 1);
	char *folder = test_folder_new();
	g_autofree char *command = g_strdup_printf("%s -g -O0 -fsanitize=address", compiler);
	g_autofree char *path = test_compile(folder, "pairs", source, command);
	g_autoptr(GHashTable) set = g_hash_table_new(NULL, NULL);
	struct image *im = image_open(path, NULL);

	assert_non_null(im);
	assert_true(shadow_is_used(im));
	assert_null(shadow_refused(im));
	env = shadow_environ(im, env);
	assert_non_null(strstr(g_environ_getenv(env, "ASAN_OPTIONS"), "detect_leaks=0"));
	shadow_add_checks(im, set);
	/* four reads and a write */
	assert_true(look_at_reports(im, set) >= 5);
	image_free(im);
	test_folder_free(folder);
}

static void checks_of_gcc(void **state)
{
	(void)state;
	test_need("gcc");
	with("gcc");
	/* the runtime is then in the program, and the loader need not find it */
	with("gcc -static-libasan");
}

static void checks_of_clang(void **state)
{
	(void)state;
	if (!test_has("clang"))
		skip();
	with("clang");
}

static void a_program_that_looks_for_leaks(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "pairs", source, "gcc -g -fsanitize=leak");
	char **env = g_environ_setenv(NULL, "LSAN_OPTIONS", "exitcode=9", TRUE);
	struct image *im = image_open(path, NULL);

	(void)state;
	assert_non_null(im);
	env = shadow_environ(im, env);
	assert_string_equal(g_environ_getenv(env, "LSAN_OPTIONS"), "exitcode=9:detect_leaks=0");
	assert_null(g_environ_getenv(env, "ASAN_OPTIONS"));
	g_strfreev(env);
	image_free(im);
	test_folder_free(folder);
}

static void a_program_without(void **state)
{
	char **env = g_environ_setenv(NULL, "PATH", "/bin", TRUE);
	char *folder = test_folder_new();
	g_autofree char *path = test_compile(folder, "pairs", source, "gcc -g -O0");
	g_autoptr(GHashTable) set = g_hash_table_new(NULL, NULL);
	struct image *im = image_open(path, NULL);

	(void)state;
	assert_false(shadow_is_used(im));
	assert_null(shadow_refused(im));
	env = shadow_environ(im, env);
	assert_int_equal(g_strv_length(env), 1);
	g_strfreev(env);
	shadow_add_checks(im, set);
	assert_int_equal(g_hash_table_size(set), 0);
	image_free(im);
	test_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_of_gcc),
		cmocka_unit_test(checks_of_clang),
		cmocka_unit_test(a_program_that_looks_for_leaks),
		cmocka_unit_test(a_program_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
