/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mi-gdb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <cmocka.h>

static bool may_trace(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid &&
	       (WIFSTOPPED(status) || WEXITSTATUS(status) == 0);
}

void test_gdb_or_skip(void)
{
	static const char *const needed[] = { "gdb", "cc" };

	for (size_t i = 0; i < G_N_ELEMENTS(needed); i++) {
		g_autofree char *path = g_find_program_in_path(needed[i]);

		if (!path) {
			printf("there is no %s here\n", needed[i]);
			exit(77);
		}
	}
	if (!may_trace()) {
		printf("this process may not trace others (ptrace)\n");
		exit(77);
	}
}

char *test_gdb_folder_new(void)
{
	char *folder = g_dir_make_tmp("gdb-why-mi-XXXXXX", NULL);

	assert_non_null(folder);
	return folder;
}

void test_gdb_folder_free(char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		g_remove(path);
	}
	g_rmdir(folder);
	g_free(folder);
}

char *test_gdb_compile(const char *folder, const char *name, const char *source)
{
	char *program = g_build_filename(folder, name, NULL);
	g_autofree char *file = g_strconcat(program, ".c", NULL);
	const char *argv[] = { "cc", "-g", "-O0", "-pthread", "-o", program, file, NULL };
	int status = -1;

	assert_true(g_file_set_contents(file, source, -1, NULL));
	assert_true(g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
				 NULL, &status, NULL));
	assert_int_equal(status, 0);
	return program;
}

struct mi_conn *test_gdb_start(const struct mi_options *options, const char *program)
{
	static const struct mi_options none;
	/* Reading libc's own debug information takes longer than any test. */
	static const char no_debug_files[] = "-gdb-set debug-file-directory /nonexistent";
	g_autoptr(GError) error = NULL;
	struct mi_conn *conn = mi_conn_start(options ? options : &none, &error);

	if (!conn)
		fail_msg("GDB did not start: %s", error->message);
	mi_record_free(mi_conn_command(conn, 5000, NULL, no_debug_files));
	if (program && !mi_cmd_file(conn, program, &error))
		fail_msg("GDB did not load %s: %s", program, error->message);
	return conn;
}

void test_gdb_assert_error(GError **error, enum mi_error code)
{
	assert_non_null(*error);
	if (!g_error_matches(*error, MI_ERROR, (int)code))
		fail_msg("not the error expected (%d) but %s %d: %s", code,
			 g_quark_to_string((*error)->domain), (*error)->code, (*error)->message);
	g_clear_error(error);
}

static bool is_alive_in(const char *number, pid_t session, char **line)
{
	g_autofree char *path = g_build_filename("/proc", number, "stat", NULL);
	const char *rest;
	int sid;
	char state;

	if (!g_ascii_isdigit(*number) || !g_file_get_contents(path, line, NULL, NULL))
		return false;
	rest = strrchr(*line, ')');
	return rest && sscanf(rest, ") %c %*d %*d %d", &state, &sid) == 2 && sid == session &&
	       state != 'Z' && state != 'X';
}

/* The line of a living process of this session; NULL: there is none. */
static char *living_in(pid_t session)
{
	g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
	const char *name;

	assert_true(session > 0);
	while (proc && (name = g_dir_read_name(proc))) {
		g_autofree char *line = NULL;

		if (is_alive_in(name, session, &line))
			return g_steal_pointer(&line);
	}
	return NULL;
}

bool test_gdb_session_lives(pid_t session)
{
	g_autofree char *line = living_in(session);

	return line != NULL;
}

void test_gdb_assert_nothing_left(pid_t session)
{
	g_autofree char *line = living_in(session);

	if (line)
		fail_msg("left behind: %s", line);
}
