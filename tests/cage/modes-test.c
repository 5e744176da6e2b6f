/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attacks by gdb-why's own commands: `try --flip', `explain', and `rank --technique ofc+cw' with
 * native mutants, by both engines.  With CAGE_RUNS all attacks, else some.  timeout: 300
 */
#include "tests/support/replay.h"
#include "tests/support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *program, *start_folder, *branch, *tool;

enum mode { TRY, EXPLAIN, RANK, MODES };

/* Line of the branch in tests/cage/attacks.c. */
static char *find_branch(void)
{
	g_autofree char *text = NULL;
	unsigned line = 1;

	assert_true(g_file_get_contents("tests/cage/attacks.c", &text, NULL, NULL));
	for (const char *at = text; at < strstr(text, "/* the branch */"); at++)
		line += *at == '\n';
	return g_strdup_printf("attacks.c:%u", line);
}

/* Two tests that fail, and one that passes since its program has no arguments' world. */
static char *suite_of(const struct world_of_attacks *w, const char *name)
{
	char *path = g_strconcat(w->folder, ".suite", NULL);
	g_autofree char *text =
		g_strdup_printf("%s %s\n%s %s again\npass\n", name, w->folder, name, w->folder);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static char *command_of(enum mode mode, const char *engine, const struct world_of_attacks *w,
			const char *name, const char *suite)
{
	switch (mode) {
	case TRY:
		return g_strdup_printf(
			"'%s' try --engine %s --run-timeout 5 --flip %s -- '%s' %s '%s'", tool,
			engine, branch, program, name, w->folder);
	case EXPLAIN:
		return g_strdup_printf("'%s' explain --engine %s --run-timeout 5 --timeout 20 "
				       "--max-runs 8 -- '%s' %s '%s'",
				       tool, engine, program, name, w->folder);
	default:
		return g_strdup_printf("'%s' rank --technique ofc+cw --engine %s --run-timeout 5 "
				       "--timeout 20 --tests '%s' -- '%s'",
				       tool, engine, suite, program);
	}
}

static void attack(const char *name, enum mode mode, const char *engine)
{
	struct world_of_attacks w;
	g_autofree char *before = NULL, *after = NULL, *command = NULL, *silent = NULL;
	g_autofree char *suite = NULL, *cache = NULL;

	world_init(&w);
	suite = suite_of(&w, name);
	cache = g_strconcat(w.folder, ".cache", NULL);
	g_setenv("XDG_CACHE_HOME", cache, TRUE);
	g_free(world_state(&w));
	before = world_state(&w);
	command = command_of(mode, engine, &w, name, suite);
	silent = g_strconcat(command, " </dev/null >/dev/null 2>&1", NULL);
	if (system(silent) < 0)
		fail_msg("cannot run %s", command);
	after = world_state(&w);
	assert_int_equal(support_wait_processes(w.folder, 0), 0);
	unlink(suite);
	assert_int_equal(chdir(start_folder), 0);
	if (strcmp(before, after)) {
		world_print_difference(before, after);
		fail_msg("the world has changed after: %s", command);
	}
	g_autofree char *sweep = g_strdup_printf("rm -rf '%s'", cache);
	assert_int_equal(system(sweep), 0);
	world_deinit(&w);
}

/* The branch is really taken: the attack that only prints is heard. */
static void the_branch_is_forced(void **state)
{
	struct world_of_attacks w;
	g_autofree char *command = NULL, *line = NULL;

	(void)state;
	world_init(&w);
	command = command_of(TRY, "jit", &w, "every_call", NULL);
	line = g_strconcat(command, " 2>&1 | grep -q 'status 7'", NULL);
	if (system(line))
		fail_msg("the attack is not made by %s", command);
	assert_int_equal(chdir(start_folder), 0);
	world_deinit(&w);
}

static void commands_change_nothing(void **state)
{
	static const char *const few[] = { "open_write", "after_wrappers", "inherited_read",
					   "owner_signals", NULL };
	static const char *const engines[] = { "jit", "step" };
	g_auto(GStrv) all = world_attacks();
	const char *const *names = g_getenv("CAGE_RUNS") ? (const char *const *)all : few;
	unsigned n = 0;

	(void)state;
	for (; *names; names++)
		for (int mode = 0; mode < MODES; mode++)
			for (int e = 0; e < 2; e++, n++)
				if (g_getenv("CAGE_RUNS") || (n + n / 6) % 2)
					attack(*names, (enum mode)mode, engines[e]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_branch_is_forced),
		cmocka_unit_test(commands_change_nothing),
	};
	int failed;

	support_need_replay();
	tool = g_canonicalize_filename(g_getenv("WHY_BIN"), NULL);
	start_folder = g_get_current_dir();
	branch = find_branch();
	program = world_compile();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(branch);
	g_free(program);
	g_free(start_folder);
	g_free(tool);
	return failed;
}
