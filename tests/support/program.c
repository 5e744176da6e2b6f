/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *test_folder_new(void)
{
	char *folder = g_dir_make_tmp("gdb-why-test-XXXXXX", NULL);

	assert_non_null(folder);
	return folder;
}

void test_folder_free(char *folder)
{
	g_free(test_output("rm -rf '%s'", folder));
	g_free(folder);
}

bool test_has(const char *tool)
{
	g_autofree char *path = g_find_program_in_path(tool);

	return path != NULL;
}

void test_need(const char *tool)
{
	if (test_has(tool))
		return;
	printf("there is no %s here\n", tool);
	exit(77);
}

char *test_compile(const char *folder, const char *name, const char *source, const char *command)
{
	const char *dot = strrchr(name, '.');
	g_autofree char *stem = dot ? g_strndup(name, (gsize)(dot - name)) : g_strdup(name);
	g_autofree char *file = g_strdup_printf("%s/%s%s", folder, stem, dot ? dot : ".c");

	assert_true(g_file_set_contents(file, source, -1, NULL));
	g_free(test_output("cd '%s' && %s -o '%s' '%s%s' 2>&1", folder, command, stem, stem,
			   dot ? dot : ".c"));
	return g_build_filename(folder, stem, NULL);
}

char *test_output(const char *format, ...)
{
	g_autofree char *command = NULL;
	const char *argv[] = { "sh", "-c", NULL, NULL };
	char *text = NULL;
	int status = -1;
	va_list args;

	va_start(args, format);
	command = g_strdup_vprintf(format, args);
	va_end(args);
	argv[2] = command;
	assert_true(g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text,
				 NULL, &status, NULL));
	if (status)
		fail_msg("`%s` failed: %s", command, text);
	return text;
}
