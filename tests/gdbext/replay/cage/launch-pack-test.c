/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/launch-pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void check_strings(char *const *got, char *const *wanted)
{
	assert_int_equal(g_strv_length((char **)got), g_strv_length((char **)wanted));
	for (; *wanted; got++, wanted++)
		assert_string_equal(*got, *wanted);
}

static void all_of_it_travels(void **state)
{
	const int inherited[] = { 3, 7, 250 };
	char *argv[] = { (char *)"p", (char *)"", (char *)"two words", NULL };
	char *envp[] = { (char *)"A=1", (char *)"B=", NULL };
	const struct view view = { "/from", { "/to", "/and" } };
	struct launch l = { .path = "/bin/p",
			    .argv = argv,
			    .envp = envp,
			    .view = &view,
			    .directory = "/",
			    .inherited = inherited,
			    .n_inherited = 3,
			    .n_handed = 2,
			    .handed_at = 251,
			    .stop = true,
			    .forks = true,
			    .limit_memory = 1ull << 40,
			    .limit_cpu = 2,
			    .limit_file = 3,
			    .cage = (const struct cage *)(const void *)&view };
	g_autoptr(GByteArray) bytes = NULL;
	struct launch_parcel p;

	(void)state;
	sigemptyset(&l.mask);
	sigaddset(&l.mask, SIGUSR1);
	bytes = launch_pack(&l);
	launch_unpack(&p, bytes->data);
	assert_string_equal(p.launch.path, l.path);
	assert_string_equal(p.launch.directory, l.directory);
	check_strings(p.launch.argv, argv);
	check_strings(p.launch.envp, envp);
	assert_int_equal(p.launch.n_inherited, 3);
	assert_memory_equal(p.launch.inherited, inherited, sizeof inherited);
	assert_int_equal(p.launch.n_handed, 2);
	assert_int_equal(p.launch.handed_at, 251);
	assert_string_equal(p.launch.view->folder, "/from");
	assert_string_equal(p.launch.view->onto[0], "/to");
	assert_string_equal(p.launch.view->onto[1], "/and");
	assert_true(p.launch.stop && p.launch.forks && p.caged);
	assert_int_equal(p.launch.limit_memory, l.limit_memory);
	assert_int_equal(p.launch.limit_cpu, 2);
	assert_int_equal(p.launch.limit_file, 3);
	assert_true(sigismember(&p.launch.mask, SIGUSR1));
	assert_false(sigismember(&p.launch.mask, SIGUSR2));
	launch_parcel_clear(&p);
}

static void little_is_enough(void **state)
{
	char *none[] = { NULL };
	struct launch l = { .path = "/bin/p", .argv = none, .envp = none };
	g_autoptr(GByteArray) bytes = launch_pack(&l);
	struct launch_parcel p;

	(void)state;
	launch_unpack(&p, bytes->data);
	assert_string_equal(p.launch.path, "/bin/p");
	assert_null(p.launch.directory);
	assert_null(p.launch.view);
	assert_null(p.launch.argv[0]);
	assert_null(p.launch.envp[0]);
	assert_int_equal(p.launch.n_inherited, 0);
	assert_false(p.caged || p.launch.stop || p.launch.forks);
	launch_parcel_clear(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it_travels),
		cmocka_unit_test(little_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
