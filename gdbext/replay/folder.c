/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/folder.h"

#include "mi/descriptors.h"
#include "gdbext/replay/cage/launch.h"
#include "gdbext/replay/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Records grow by some bytes an instruction; a smaller place would end a run
 * of a few seconds early. */
#define ENOUGH_ROOM (256ull << 20)
/* How long the guard goes on removing. */
#define PATIENCE_MS 5000

static uint64_t room_in(const char *directory)
{
	struct statvfs fs;

	if (access(directory, W_OK | X_OK) || statvfs(directory, &fs))
		return 0;
	return (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* LD_PRELOAD and the plan's path are taken apart at blanks and colons by
 * others, so such a parent is passed over. */
static bool is_usable_parent(const char *directory)
{
	return directory && g_path_is_absolute(directory) && !strpbrk(directory, " \t\n:;");
}

/* What the guard answers: the folder's path, or why there is no folder. */
struct made {
	uint64_t room;
	int error; /* errno, 0 = made */
	char path[PATH_MAX];
};

static void make_private_folder(struct made *made)
{
	const char *const parents[] = { g_getenv("GDB_WHY_TMPDIR"), "/dev/shm",
					g_getenv("XDG_RUNTIME_DIR"), g_getenv("TMPDIR"), "/tmp" };
	const char *best = "/tmp";

	for (size_t i = 0; i < G_N_ELEMENTS(parents); i++) {
		uint64_t here = is_usable_parent(parents[i]) ? room_in(parents[i]) : 0;

		if (here > made->room) {
			best = parents[i];
			made->room = here;
		}
		if (here >= ENOUGH_ROOM)
			break;
	}
	g_snprintf(made->path, sizeof made->path, "%s/gdb-why-XXXXXX", best);
	made->error = mkdtemp(made->path) ? 0 : errno;
	if (made->error) /* then path says where it was tried */
		g_strlcpy(made->path, best, sizeof made->path);
}

/* Programs that just got SIGKILL may still make a file. */
static void remove_at_last(const char *path)
{
	for (int i = 0; i < PATIENCE_MS && !access(path, F_OK); i++) {
		folder_remove(path);
		g_usleep(1000);
	}
}

static G_GNUC_NORETURN void guard_folder(int socket)
{
	struct made made = { 0 };
	char end;

	if (socket > 0)
		descriptors_close(0, (unsigned)socket - 1);
	descriptors_close((unsigned)socket + 1, ~0u);
	make_private_folder(&made);
	send(socket, &made, sizeof made, MSG_NOSIGNAL);
	while (recv(socket, &end, 1, 0) < 0 && errno == EINTR)
		;
	if (!made.error)
		remove_at_last(made.path);
	_exit(0);
}

static void end_guard(struct folder *f)
{
	close(f->alive);
	while (waitpid(f->guard, NULL, 0) < 0 && errno == EINTR)
		;
	g_free(f);
}

/* The guard; NULL with errno. */
static struct folder *start_guard(void)
{
	struct folder *f;
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return NULL;
	pid = launch_aside("gdb-why guard");
	if (!pid)
		guard_folder(pair[1]);
	close(pair[1]);
	if (pid < 0) {
		close(pair[0]);
		return NULL;
	}
	f = g_new0(struct folder, 1);
	f->guard = pid;
	f->alive = pair[0];
	return f;
}

struct folder *folder_new(GError **error)
{
	struct folder *f = start_guard();
	struct made made = { .error = f ? EPIPE : errno, .path = "the background" };

	if (f)
		while (recv(f->alive, &made, sizeof made, 0) < 0 && errno == EINTR)
			;
	if (made.error) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make a temporary folder in %s: %s; set GDB_WHY_TMPDIR to a "
			    "folder that is writable and has room.",
			    made.path, g_strerror(made.error));
		if (f)
			end_guard(f);
		return NULL;
	}
	f->path = g_strdup(made.path);
	f->room = made.room;
	return f;
}

bool folder_check_room(const struct folder *f, GError **error)
{
	enum { A_BLOCK = 4096 };

	if (room_in(f->path) >= A_BLOCK)
		return true;
	g_set_error(
		error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		"The folder %s is full, so what the program did cannot be kept; make room there "
		"or set GDB_WHY_TMPDIR to a folder with more.",
		f->path);
	return false;
}

char *folder_make_run(const char *folder, unsigned number, GError **error)
{
	g_autofree char *path = g_strdup_printf("%s/run.%06u", folder, number % 1000000);

	if (mkdir(path, 0700)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make the folder %s: %s.", path, g_strerror(errno));
		return NULL;
	}
	return g_steal_pointer(&path);
}

/* kept: names that stay; NULL = none do. */
static void empty_directory(int parent, const char *name, const char *const *kept)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    (kept && g_strv_contains(kept, entry->d_name)))
			continue;
		if (!unlinkat(fd, entry->d_name, 0) || (errno != EISDIR && errno != EPERM))
			continue;
		empty_directory(fd, entry->d_name, NULL);
		unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

void folder_remove(const char *path)
{
	if (!path)
		return;
	empty_directory(AT_FDCWD, path, NULL);
	rmdir(path);
}

void folder_empty(const char *path, const char *const *kept)
{
	empty_directory(AT_FDCWD, path, kept);
}

void folder_free(struct folder *f)
{
	if (!f)
		return;
	folder_remove(f->path); /* and the guard's work is done */
	g_free(f->path);
	end_guard(f);
}
