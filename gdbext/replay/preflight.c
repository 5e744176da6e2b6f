/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/preflight.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "solver/base/installed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* For GDB and for runs beside each other, with some to spare. */
#define ENOUGH_DESCRIPTORS 64

#define PROGRAM_ERROR(error, ...) \
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM, __VA_ARGS__)
#define INPUT_ERROR(error, ...) g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_INPUT, __VA_ARGS__)

static char *resolve_path(const char *path)
{
	char *real = realpath(path, NULL);
	char *copy = g_strdup(real);

	free(real);
	return copy;
}

/* Finds the program in PATH as execvp does: the first file that may be executed; directories are
 * left out. */
static char *find_in_path(const char *name)
{
	const char *path = g_getenv("PATH");
	g_auto(GStrv) folders = g_strsplit(path ? path : "/bin:/usr/bin", ":", -1);

	for (char **f = folders; *f; f++) {
		g_autofree char *file = g_build_filename(**f ? *f : ".", name, NULL);

		if (g_file_test(file, G_FILE_TEST_IS_REGULAR) && !access(file, X_OK))
			return g_steal_pointer(&file);
	}
	return NULL;
}

/* directory: NULL = here. */
static char *from_there(const char *path, const char *directory)
{
	return g_path_is_absolute(path) || !directory ? g_strdup(path)
						      : g_build_filename(directory, path, NULL);
}

static bool is_source_file(const char *path)
{
	static const char *const suffixes[] = { "c", "h", "cc", "cpp", "cxx", "hpp", "C", NULL };
	const char *dot = strrchr(path, '.');

	return dot && g_strv_contains(suffixes, dot + 1);
}

static char *locate_program(const char *program, const char *directory, GError **error)
{
	g_autofree char *path = NULL;

	if (!*program) {
		PROGRAM_ERROR(error, "The program's name is empty; say which program to run "
				     "after `--'.");
		return NULL;
	}
	if (!strchr(program, '/')) {
		path = find_in_path(program);
		if (!path && g_file_test(program, G_FILE_TEST_IS_REGULAR) &&
		    is_source_file(program))
			PROGRAM_ERROR(
				error,
				"%s is a source file; name the program that was built from it.",
				program);
		else if (!path && g_file_test(program, G_FILE_TEST_IS_REGULAR))
			PROGRAM_ERROR(
				error,
				"%s is not in PATH; to run the one in this folder write ./%s.",
				program, program);
		else if (!path)
			PROGRAM_ERROR(error, "There is no program %s in PATH; check its name.",
				      program);
		return g_steal_pointer(&path);
	}
	return from_there(program, directory);
}

static bool may_run(const char *shown, const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st)) {
		PROGRAM_ERROR(error, "Cannot read %s: %s.", shown, g_strerror(errno));
		return false;
	}
	if (S_ISDIR(st.st_mode))
		PROGRAM_ERROR(error, "%s is a folder; name a program.", shown);
	else if (!S_ISREG(st.st_mode))
		PROGRAM_ERROR(error, "%s is not a regular file; name a program.", shown);
	else if (access(path, X_OK) && is_source_file(path))
		PROGRAM_ERROR(error,
			      "%s is a source file; name the program that was built from it.",
			      shown);
	else if (access(path, X_OK))
		PROGRAM_ERROR(error,
			      "%s is not executable; run `chmod +x' on it if it is a "
			      "program.",
			      shown);
	else if (access(path, R_OK))
		PROGRAM_ERROR(error, "%s may be run but not read; make it readable.", shown);
	else if (st.st_mode & (S_ISUID | S_ISGID) ||
		 getxattr(path, "security.capability", NULL, 0) > 0)
		PROGRAM_ERROR(error,
			      "%s runs with other rights than yours (set-user-ID, "
			      "set-group-ID or capabilities), so the recorder cannot be "
			      "loaded; test a copy without them.",
			      shown);
	else
		return true;
	return false;
}

char *preflight_program(const char *program, const char *directory, GError **error)
{
	g_autofree char *path = locate_program(program, directory, error);
	g_autofree char *real = path ? resolve_path(path) : NULL;

	if (!path)
		return NULL;
	if (!real) {
		if (errno == ENOENT)
			PROGRAM_ERROR(error, "There is no program %s; check its path.", program);
		else
			PROGRAM_ERROR(error, "Cannot find %s: %s.", program, g_strerror(errno));
		return NULL;
	}
	return may_run(program, real, error) ? g_steal_pointer(&real) : NULL;
}

bool preflight_system(GError **error)
{
	struct rlimit files = { 0 };

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < ENOUGH_DESCRIPTORS)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Only %lu files may be open at once, and %d are needed; raise that "
			    "limit (ulimit -n).",
			    (unsigned long)files.rlim_cur, ENOUGH_DESCRIPTORS);
	else if (access("/proc/self/exe", F_OK))
		g_set_error_literal(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
				    "There is no /proc here, by which programs are found and "
				    "watched; mount it (mount -t proc proc /proc).");
	else
		return true;
	return false;
}

char *preflight_directory(const char *directory, GError **error)
{
	g_autofree char *path = directory ? resolve_path(directory) : NULL;

	if (!directory)
		return NULL;
	if (!path)
		INPUT_ERROR(error, "Cannot enter the folder %s: %s.", directory, g_strerror(errno));
	else if (!g_file_test(path, G_FILE_TEST_IS_DIR))
		INPUT_ERROR(error, "%s is not a folder; name the folder to run in.", directory);
	else
		return g_steal_pointer(&path);
	return NULL;
}

char *preflight_library(const char *library, const char *directory, GError **error)
{
	g_autofree char *named = from_there(library, directory);
	char *path = resolve_path(named);

	if (!path)
		INPUT_ERROR(error, "There is no shared object %s to trace: %s.", library,
			    g_strerror(errno));
	return path;
}

char *preflight_agent(const char *agent, GError **error)
{
	const char *named = agent ? agent : g_getenv("GDB_WHY_AGENT");
	g_autofree char *ours = named ? NULL : installed_file("lib", "gdb-why-agent.so");
	char *path = resolve_path(named ? named : ours);

	if (!path)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "The recorder is not at %s; install gdb-why anew, or set "
			    "GDB_WHY_AGENT to the path of gdb-why-agent.so.",
			    named ? named : ours);
	return path;
}

static bool copy_all(int from, int to, const char *path, const struct deadline *until,
		     GError **error)
{
	char buffer[65536];

	for (;;) {
		struct pollfd fds[] = { { .fd = from, .events = POLLIN },
					{ .fd = replay_interrupt_fd(), .events = POLLIN } };
		ssize_t got;

		if (!deadline_check(until, error))
			return false;
		if (poll(fds, 2, deadline_left_ms(until, G_MAXINT)) <= 0 || !fds[0].revents)
			continue;
		got = read(from, buffer, sizeof buffer);
		if (!got)
			return true;
		if (got < 0 || write(to, buffer, (size_t)got) != got) {
			INPUT_ERROR(error, "Cannot copy the standard input from %s: %s.", path,
				    g_strerror(errno));
			return false;
		}
	}
}

char *preflight_stdin(const char *path, const char *directory, const char *folder,
		      const struct deadline *until, GError **error)
{
	g_autofree char *named = path ? from_there(path, directory) : NULL;
	g_autofree char *copy = g_build_filename(folder, "stdin", NULL);
	bool copied = false;
	struct stat st;
	int from, to;

	if (!path)
		return g_strdup("/dev/null");
	from = open(named, O_RDONLY | O_CLOEXEC);
	if (from < 0 || fstat(from, &st) || S_ISDIR(st.st_mode)) {
		INPUT_ERROR(error, "Cannot read the standard input from %s: %s.", path,
			    g_strerror(from < 0 ? errno : EISDIR));
		if (from >= 0)
			close(from);
		return NULL;
	}
	if (S_ISREG(st.st_mode) || !strcmp(path, "/dev/null")) {
		close(from);
		return g_canonicalize_filename(named, NULL);
	}
	to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (to < 0)
		INPUT_ERROR(error, "Cannot make %s: %s.", copy, g_strerror(errno));
	else
		copied = copy_all(from, to, path, until, error);
	close(from);
	if (to >= 0)
		close(to);
	return copied ? g_steal_pointer(&copy) : NULL;
}
