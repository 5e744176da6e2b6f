/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage-path.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define LOOK (O_PATH | O_CLOEXEC)
#define PROC_ROOT_INODE 1
#define MAX_LINKS 40 /* as the kernel's */

pid_t cage_process_of(pid_t thread)
{
	char path[64], text[512];
	const char *line;
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/status", (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = read(fd, text, sizeof text - 1);
	close(fd);
	text[MAX(got, 0)] = '\0';
	line = strstr(text, "\nTgid:");
	return line ? atoi(line + strlen("\nTgid:")) : 0;
}

bool cage_is_same_process(pid_t process, pid_t thread)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d", (int)process, (int)thread);
	return process > 0 && thread > 0 && !access(path, F_OK);
}

/* Page by page, since what follows the string may not be there. */
static int read_thread_string(pid_t thread, unsigned long address, char *to, size_t room)
{
	const size_t page = 4096;

	for (size_t got = 0; got < room;) {
		size_t left = page - (address + got) % page;
		struct iovec ours = { to + got, MIN(left, room - got) };
		struct iovec theirs = { (void *)(uintptr_t)(address + got), ours.iov_len };
		ssize_t n = process_vm_readv(thread, &ours, 1, &theirs, 1, 0);

		if (n <= 0)
			return -EFAULT;
		if (memchr(to + got, '\0', (size_t)n))
			return 0;
		got += (size_t)n;
	}
	return -ENAMETOOLONG;
}

int cage_name_read(struct cage_name *name, pid_t thread, int at, unsigned long address)
{
	char base[64];
	int bad = read_thread_string(thread, address, name->path, sizeof name->path);

	name->thread = thread;
	name->base = -1;
	if (bad || !name->path[0])
		return bad ? bad : -ENOENT;
	if (name->path[0] == '/')
		return 0;
	if (at == AT_FDCWD)
		snprintf(base, sizeof base, "/proc/%d/cwd", (int)thread);
	else
		snprintf(base, sizeof base, "/proc/%d/fd/%d", (int)thread, at);
	name->base = open(base, LOOK);
	if (name->base >= 0)
		return 0;
	return at == AT_FDCWD ? -errno : -EBADF;
}

void cage_name_clear(struct cage_name *name)
{
	if (name->base >= 0)
		close(name->base);
	name->base = -1;
}

bool cage_is_on_proc(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* ---- where the path may go through /proc: one component at a time ---- */

struct walk {
	const struct cage_name *name;
	int at;			 /* where it is */
	char rest[2 * PATH_MAX]; /* of the path */
	unsigned links;
};

static int move_to(struct walk *w, int fd)
{
	if (fd < 0)
		return -errno;
	close(w->at);
	w->at = fd;
	return 0;
}

/* Puts a link's text before the rest. */
static int insert_text(struct walk *w, const char *text)
{
	g_autofree char *rest = g_strdup(w->rest);

	if (++w->links > MAX_LINKS)
		return -ELOOP;
	if ((size_t)g_snprintf(w->rest, sizeof w->rest, "%s/%s", text, rest) >= sizeof w->rest)
		return -ENAMETOOLONG;
	return text[0] == '/' ? move_to(w, open("/", LOOK)) : 0;
}

/* A link in /proc that is no text but leads to what a process has: ours alone. */
static int follow_magic(struct walk *w, const char *component, pid_t process)
{
	char at[64], here[PATH_MAX], own[2][32];
	ssize_t n;

	snprintf(at, sizeof at, "/proc/self/fd/%d", w->at);
	n = readlink(at, here, sizeof here - 1);
	if (n < 0)
		return -errno;
	here[n] = '\0';
	strncat(here, "/", sizeof here - strlen(here) - 1);
	snprintf(own[0], sizeof own[0], "/proc/%d/", (int)process);
	snprintf(own[1], sizeof own[1], "/proc/%d/", (int)w->name->thread);
	if (!g_str_has_prefix(here, own[0]) && !g_str_has_prefix(here, own[1]))
		return -EACCES;
	return move_to(w, openat(w->at, component, LOOK));
}

static int follow_link(struct walk *w, int link, const char *component)
{
	pid_t process = cage_process_of(w->name->thread);
	char text[PATH_MAX];
	struct stat st;
	ssize_t n;

	if (cage_is_on_proc(w->at) && !fstat(w->at, &st) && st.st_ino != PROC_ROOT_INODE)
		return follow_magic(w, component, process);
	if (cage_is_on_proc(w->at) && !strcmp(component, "self")) {
		snprintf(text, sizeof text, "%d", (int)process);
	} else if (cage_is_on_proc(w->at) && !strcmp(component, "thread-self")) {
		snprintf(text, sizeof text, "%d/task/%d", (int)process, (int)w->name->thread);
	} else {
		n = readlinkat(link, "", text, sizeof text - 1);
		if (n < 0)
			return -errno;
		text[n] = '\0';
	}
	return insert_text(w, text);
}

/* Takes the first component off the rest. */
static char *next_component(struct walk *w, bool *last)
{
	char *from = w->rest + strspn(w->rest, "/");
	size_t n = strcspn(from, "/");
	char *component = g_strndup(from, n);

	*last = !from[n];
	memmove(w->rest, from + n, strlen(from + n) + 1);
	return component;
}

static int go_one(struct walk *w, bool follow_last, bool *more)
{
	bool last;
	g_autofree char *component = next_component(w, &last);
	struct stat st;
	int next, bad;

	*more = component[0];
	if (!component[0] || !strcmp(component, "."))
		return 0;
	next = openat(w->at, component, LOOK | O_NOFOLLOW);
	if (next < 0)
		return -errno;
	if (fstat(next, &st) || !S_ISLNK(st.st_mode) || (last && !follow_last))
		return move_to(w, next);
	bad = follow_link(w, next, component);
	close(next);
	return bad;
}

static int walk_cage_path(const struct cage_name *name, const char *path, bool follow_last)
{
	struct walk w = { .name = name };
	bool more = true;
	int bad = 0;

	g_strlcpy(w.rest, path, sizeof w.rest);
	w.at = path[0] == '/' ? open("/", LOOK) : fcntl(name->base, F_DUPFD_CLOEXEC, 0);
	if (w.at < 0)
		return -errno;
	while (more && !bad)
		bad = go_one(&w, follow_last, &more);
	if (!bad)
		return w.at;
	close(w.at);
	return bad;
}

/* ---- the usual way: at once ---- */

/* May its way go through what /proc says of who asks, which is us and not the run? */
static bool may_be_about_us(const struct cage_name *name, const char *path)
{
	return strstr(path, "proc") || g_str_has_prefix(path, "/dev/") ||
	       (name->base >= 0 && cage_is_on_proc(name->base));
}

static int look_up_path(const struct cage_name *name, const char *path, uint64_t flags)
{
	struct open_how how = { .flags = LOOK | flags, .resolve = RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, name->base, path, &how, sizeof how);

	/* /proc/self would be ours, and a magic link needs thought. */
	if (fd >= 0 && !cage_is_on_proc(fd))
		return fd;
	if (fd < 0 && errno != ELOOP && !may_be_about_us(name, path))
		return -errno;
	if (fd >= 0)
		close(fd);
	return walk_cage_path(name, path, !(flags & O_NOFOLLOW));
}

int cage_name_look(const struct cage_name *name, bool follow_last)
{
	return look_up_path(name, name->path, follow_last ? 0 : O_NOFOLLOW);
}

int cage_name_look_parent(const struct cage_name *name)
{
	g_autofree char *parent = g_path_get_dirname(name->path);

	return look_up_path(name, parent, O_DIRECTORY);
}

int cage_reopen(int node, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/self/fd/%d", node);
	fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}
