/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/replay.h"

#include "gdbext/replay/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static bool may_trace(void)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? 1 : 0);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static void skip_unless(bool there, const char *what)
{
	if (there)
		return;
	printf("%s\n", what);
	exit(77);
}

void support_need_replay(void)
{
	const char *agent = g_getenv("WHY_AGENT");
	g_autofree char *gdb = g_find_program_in_path("gdb");

	skip_unless(gdb, "needs gdb");
	skip_unless(agent && !access(agent, R_OK), "needs the agent (WHY_AGENT)");
	skip_unless(may_trace(), "may not ptrace here");
}

/* Each test program has a folder of its own: a program that is replaced while it
 * starts is not the one that its plan was made for. */
char *support_compile(const char *source, const char *name, const char *flags)
{
	const char *build = g_getenv("BUILD"), *cc = g_getenv("CC");
	g_autofree char *folder = g_build_filename(build ? build : "/tmp", "tests", "replay",
						   program_invocation_short_name, NULL);
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autofree char *fresh = g_strdup_printf("%s.%d", path, (int)getpid());
	g_autofree char *command =
		g_strdup_printf("%s %s -o '%s' tests/gdbext/replay/programs/%s -pthread",
				cc ? cc : "cc", flags, fresh, source);

	g_mkdir_with_parents(folder, 0755);
	if (system(command) || rename(fresh, path))
		fail_msg("cannot compile: %s", command);
	return g_canonicalize_filename(path, NULL);
}

char *support_folder(void)
{
	char *folder = g_dir_make_tmp("why-test-XXXXXX", NULL);

	assert_non_null(folder);
	g_setenv("GDB_WHY_TMPDIR", folder, TRUE);
	return folder;
}

void support_forget_folder(char *folder)
{
	g_unsetenv("GDB_WHY_TMPDIR");
	folder_remove(folder);
	g_free(folder);
}

unsigned support_count_entries(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	unsigned n = 0;

	while (dir && g_dir_read_name(dir))
		n++;
	return n;
}

static bool has_word(const char *pid, const char *where, const char *word)
{
	g_autofree char *path = g_build_filename("/proc", pid, where, NULL);
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!g_file_get_contents(path, &text, &length, NULL))
		return false;
	for (gsize at = 0; at < length; at += strlen(text + at) + 1)
		if (!strcmp(text + at, word))
			return true;
	return false;
}

unsigned support_count_processes(const char *word)
{
	g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
	const char *name;
	unsigned n = 0;

	while (proc && (name = g_dir_read_name(proc)))
		n += g_ascii_isdigit(*name) &&
		     (has_word(name, "cmdline", word) || has_word(name, "environ", word));
	return n;
}

unsigned support_wait_processes(const char *word, unsigned wanted)
{
	unsigned n = support_count_processes(word);

	for (int i = 0; i < 500 && n != wanted; i++) {
		g_usleep(10000);
		n = support_count_processes(word);
	}
	return n;
}

char *support_marker(void)
{
	return g_strdup_printf("marker-%d-%08x", (int)getpid(), g_random_int());
}

char *support_read(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("cannot read %s", path);
	return text;
}

struct replay_options support_options(char *const *argv)
{
	return (struct replay_options){
		.argv = argv,
		.agent = g_getenv("WHY_AGENT"),
		.run_timeout = 20,
	};
}
