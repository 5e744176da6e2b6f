/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that sees a folder in the place of other ones; nobody else does. */
#include "gdbext/replay/cage/view.h"

#include "tests/support/program.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *made(const char *folder, const char *name)
{
	char *path = g_build_filename(folder, name, NULL);
	g_autofree char *file = g_build_filename(path, "name", NULL);

	assert_int_equal(g_mkdir(path, 0700), 0);
	assert_true(g_file_set_contents(file, name, -1, NULL));
	return path;
}

static bool has(const char *folder, const char *name)
{
	g_autofree char *file = g_build_filename(folder, "name", NULL), *is = NULL;

	return g_file_get_contents(file, &is, NULL, NULL) && strcmp(is, name) == 0;
}

/* In a process of its own: what it sees there, and that it is who it was. */
static int seen_from_inside(const struct view *v)
{
	unsigned uid = geteuid(), gid = getegid();

	if (!view_enter(v))
		return 1;
	if (!has(v->folder, "new") || !has(v->onto[0], "new") || !has(v->onto[1], "new"))
		return 2;
	return geteuid() == uid && getegid() == gid ? 0 : 3;
}

static void only_it_sees_the_folder_there(void **state)
{
	char *folder = test_folder_new();
	g_autofree char *fresh = made(folder, "new"), *first = made(folder, "first"),
			*second = made(folder, "second");
	const struct view v = { fresh, { first, second } };
	int status = -1;
	pid_t pid;

	(void)state;
	if (!view_is_possible(&v)) {
		test_folder_free(folder);
		skip(); /* the system gives no namespaces */
	}
	pid = fork();
	if (!pid)
		_exit(seen_from_inside(&v));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(has(first, "first") && has(second, "second") && has(fresh, "new"));
	test_folder_free(folder);
}

static void a_folder_that_is_not_there_is_no_view(void **state)
{
	const struct view v = { "/nowhere/at/all", { "/tmp", NULL } };

	(void)state;
	assert_false(view_is_possible(&v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_it_sees_the_folder_there),
		cmocka_unit_test(a_folder_that_is_not_there_is_no_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
