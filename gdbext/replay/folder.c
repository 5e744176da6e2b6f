/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/folder.h"

#include "gdbext/replay/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Records grow by some bytes an instruction; a smaller place would end a run
 * of a few seconds early. */
#define ENOUGH_ROOM (256ull << 20)

static uint64_t room_in(const char *directory)
{
	struct statvfs fs;

	if (access(directory, W_OK | X_OK) || statvfs(directory, &fs))
		return 0;
	return (uint64_t)fs.f_bavail * fs.f_frsize;
}

/* LD_PRELOAD and the plan's path are taken apart at blanks and colons by
 * others, so such a parent is passed over. */
static bool usable(const char *directory)
{
	return directory && g_path_is_absolute(directory) && !strpbrk(directory, " \t\n:;");
}

char *folder_new(uint64_t *room, GError **error)
{
	const char *const parents[] = { g_getenv("GDB_WHY_TMPDIR"), "/dev/shm",
					g_getenv("XDG_RUNTIME_DIR"), g_getenv("TMPDIR"), "/tmp" };
	const char *best = NULL;
	uint64_t best_room = 0;
	g_autofree char *path = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(parents); i++) {
		uint64_t here = usable(parents[i]) ? room_in(parents[i]) : 0;

		if (here > best_room) {
			best = parents[i];
			best_room = here;
		}
		if (here >= ENOUGH_ROOM)
			break;
	}
	path = g_strdup_printf("%s/gdb-why-XXXXXX", best ? best : "/tmp");
	if (!mkdtemp(path)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make a temporary folder in %s: %s; set GDB_WHY_TMPDIR to a "
			    "folder that is writable and has room.",
			    best ? best : "/tmp", g_strerror(errno));
		return NULL;
	}
	*room = best_room;
	return g_steal_pointer(&path);
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

static void empty_directory(int parent, const char *name)
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
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!unlinkat(fd, entry->d_name, 0) || (errno != EISDIR && errno != EPERM))
			continue;
		empty_directory(fd, entry->d_name);
		unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

void folder_remove(const char *path)
{
	if (!path)
		return;
	empty_directory(AT_FDCWD, path);
	rmdir(path);
}
