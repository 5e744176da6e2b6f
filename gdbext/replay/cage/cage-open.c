/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage-open.h"

#include "gdbext/replay/cage/cage-path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Flags of a description; the others say how to come to it. */
#define KEPT_FLAGS \
	(O_ACCMODE | O_APPEND | O_NONBLOCK | O_DIRECT | O_DIRECTORY | O_NOATIME | O_SYNC | O_DSYNC)
#define MOST_IN_MEMORY 512 /* files of one run */

static bool opens_for_writing(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
}

/* Its access time stays as it is, where we may ask for that.  We do not wait for who holds a lease
 * on it (fcntl(2)), which may take any time. */
static int open_caged_to_read(int node, int flags)
{
	int kept = (flags & KEPT_FLAGS) | O_NOATIME, fd = cage_reopen(node, kept | O_NONBLOCK);

	if (fd == -EPERM) {
		kept &= ~O_NOATIME | (flags & O_NOATIME);
		fd = cage_reopen(node, kept | O_NONBLOCK);
	}
	if (fd >= 0 && !(flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, kept);
	return fd;
}

/* ---- files in memory ---- */

/* An empty one; ours. */
static int make_memory(struct cage_files *files, unsigned flags)
{
	int fd;

	if (files->in_memory->len >= MOST_IN_MEMORY)
		return -ENFILE;
	fd = memfd_create("file", flags | MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	g_array_append_val(files->in_memory, fd);
	return fd;
}

int cage_open_memory(struct cage_files *files, unsigned flags)
{
	int fd = flags & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING) ? -EINVAL : make_memory(files, flags);

	return fd < 0 ? fd : cage_reopen(fd, O_RDWR);
}

static bool is_in_memory(const struct cage_files *files, const struct stat *st)
{
	for (guint i = 0; i < files->in_memory->len; i++) {
		struct stat other;

		if (!fstat(g_array_index(files->in_memory, int, i), &other) &&
		    other.st_dev == st->st_dev && other.st_ino == st->st_ino)
			return true;
	}
	return false;
}

/* What has no length (in /proc) cannot be sent. */
static int copy_by_reading(const struct cage_files *files, int from, int to)
{
	char buffer[65536];

	for (uint64_t done = 0; done <= files->room;) {
		ssize_t got =
			deadline_is_over(files->until) ? 0 : read(from, buffer, sizeof buffer);

		if (got <= 0)
			return got < 0 ? -errno : 0;
		if (write(to, buffer, (size_t)got) != got)
			return -errno;
		done += (uint64_t)got;
	}
	return -ENOSPC;
}

/* Once the question is over nobody looks at what the run does with the half. */
static int copy_content(const struct cage_files *files, int from, int to, uint64_t size)
{
	ssize_t sent = 1;

	if (size > files->room)
		return -ENOSPC;
	while (sent > 0 && !deadline_is_over(files->until))
		sent = sendfile(to, from, NULL, 1 << 20);
	if (sent < 0 && errno == EINVAL)
		return copy_by_reading(files, from, to);
	return sent < 0 ? -errno : 0;
}

static int open_copy(struct cage_files *files, int node, const struct stat *st, int flags)
{
	int from = -1, to, bad = 0;

	if (faccessat(node, "", (flags & O_ACCMODE) == O_WRONLY ? W_OK : R_OK | W_OK,
		      AT_EMPTY_PATH | AT_EACCESS))
		return -errno;
	to = make_memory(files, 0);
	if (to < 0)
		return to;
	if (!(flags & O_TRUNC) && st) {
		from = open_caged_to_read(node, O_RDONLY);
		/* May be written but not read: then nobody sees what is in it. */
		if (from >= 0)
			bad = copy_content(files, from, to, (uint64_t)st->st_size);
		else
			bad = from == -EACCES ? 0 : from;
	}
	if (from >= 0)
		close(from);
	return bad ? bad : cage_reopen(to, flags & KEPT_FLAGS & ~O_DIRECT);
}

/* ---- what is there ---- */

/* Some special files are used up by reading, and do something when they are written. */
static bool is_read_only_once(const struct statfs *fs, const struct stat *st)
{
	struct stat messages;

	if (fs->f_type == TRACEFS_MAGIC || fs->f_type == DEBUGFS_MAGIC)
		return true;
	return fs->f_type == PROC_SUPER_MAGIC && !stat("/proc/kmsg", &messages) &&
	       messages.st_ino == st->st_ino;
}

static bool is_own_output(const struct cage_files *files, const struct stat *st)
{
	for (int i = 0; i < 2; i++)
		if (files->out_dev[i] == st->st_dev && files->out_ino[i] == st->st_ino)
			return true;
	return is_in_memory(files, st);
}

static int open_regular_file(struct cage_files *files, int node, const struct stat *st, int flags)
{
	struct statfs fs;

	if (is_own_output(files, st))
		return cage_reopen(node, flags & (KEPT_FLAGS | O_TRUNC));
	if (fstatfs(node, &fs) || is_read_only_once(&fs, st))
		return -EACCES;
	if (fs.f_type == PROC_SUPER_MAGIC && files->before_proc)
		files->before_proc(files->data);
	return opens_for_writing(flags) ? open_copy(files, node, st, flags)
					: open_caged_to_read(node, flags);
}

/* The only ones that neither keep what is written nor do something when they are opened. */
static bool is_device_harmless(dev_t device)
{
	static const unsigned minors[] = { 3 /* null */, 5 /* zero */, 7 /* full */, 8 /* random */,
					   9 /* urandom */ };

	for (size_t i = 0; i < G_N_ELEMENTS(minors); i++)
		if (device == makedev(1, minors[i]))
			return true;
	return false;
}

static int open_device(int node, dev_t device, int flags)
{
	if (is_device_harmless(device))
		return cage_reopen(node, flags & KEPT_FLAGS);
	return device == makedev(5, 0) ? -ENXIO : -EACCES; /* /dev/tty: it has no terminal */
}

/* Only one that it made itself, by pipe(2), has no name in a file system. */
static int open_own_pipe(int node, int flags)
{
	struct statfs fs;

	if (fstatfs(node, &fs) || fs.f_type != PIPEFS_MAGIC)
		return -EACCES;
	return cage_reopen(node, flags & KEPT_FLAGS);
}

/* Is it, or does it lie in, a folder that is kept from this run? */
static bool is_in_hidden_folder(const struct cage_files *files, int node)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	if (!files->hidden || !*files->hidden)
		return false;
	snprintf(link, sizeof link, "/proc/self/fd/%d", node);
	n = readlink(link, path, sizeof path - 1);
	if (n < 0)
		return true;
	path[n] = '\0';
	for (const char *const *folder = files->hidden; *folder; folder++) {
		size_t length = strlen(*folder);

		if (!strncmp(path, *folder, length) && (!path[length] || path[length] == '/'))
			return true;
	}
	return false;
}

static int open_caged_node(struct cage_files *files, int node, int flags)
{
	struct stat st;

	if (is_in_hidden_folder(files, node))
		return -EACCES;
	if (fstat(node, &st))
		return -errno;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return -EEXIST;
	if (flags & O_DIRECTORY && !S_ISDIR(st.st_mode))
		return -ENOTDIR;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return open_regular_file(files, node, &st, flags);
	case S_IFDIR:
		return opens_for_writing(flags) || flags & O_CREAT
			       ? -EISDIR
			       : open_caged_to_read(node, flags);
	case S_IFCHR:
		return open_device(node, st.st_rdev, flags);
	case S_IFIFO:
		return open_own_pipe(node, flags);
	case S_IFLNK:
		return -ELOOP;
	case S_IFSOCK:
		return -ENXIO;
	default:
		return -EACCES;
	}
}

/* ---- what is not there, and what is the run's own ---- */

static int open_new(struct cage_files *files, const struct cage_name *name, int flags)
{
	int parent = cage_name_look_parent(name), fd;

	if (parent < 0)
		return parent;
	fd = open_copy(files, parent, NULL, flags);
	close(parent);
	return fd;
}

/* The name in the run's folder, NULL when the path names something else. */
static const char *own_name(const struct cage_files *files, const char *path)
{
	size_t n = strlen(files->folder);

	if (strncmp(path, files->folder, n) || path[n] != '/' || !path[n + 1] ||
	    strchr(path + n + 1, '/'))
		return NULL;
	return path + n + 1;
}

/* ---- the file that takes the place of standard output ---- */

static bool is_output_file(const struct cage_files *files, const struct cage_name *name)
{
	g_autofree char *base = files->output_name ? g_path_get_basename(name->path) : NULL;
	struct stat st;
	bool is = false;
	int parent;

	if (!base || strcmp(base, files->output_name))
		return false;
	parent = cage_name_look_parent(name);
	is = parent >= 0 && !fstat(parent, &st) && st.st_dev == files->output_dev &&
	     st.st_ino == files->output_ino;
	if (parent >= 0)
		close(parent);
	return is;
}

/* What was in it before the test is in the run's own one, too, unless the run empties it. */
static int fill_output_file(const struct cage_files *files)
{
	int from = open(files->output_before, O_RDONLY | O_CLOEXEC), to, bad;

	if (from < 0)
		return -errno;
	to = openat(files->folder_fd, "out", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bad = to < 0 ? -errno : copy_content(files, from, to, 0);
	close(from);
	if (to >= 0)
		close(to);
	return bad;
}

static int open_output_file(const struct cage_files *files, int flags)
{
	const int kept = (flags & (KEPT_FLAGS | O_CREAT | O_TRUNC | O_EXCL)) | O_NOFOLLOW;
	struct stat st;
	int fd, bad;

	if (fstatat(files->folder_fd, "out", &st, 0) && files->output_before) {
		if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
			return -EEXIST;
		bad = fill_output_file(files);
		if (bad)
			return bad;
	}
	fd = openat(files->folder_fd, "out", kept | O_CLOEXEC, 0600);
	return fd < 0 ? -errno : fd;
}

static bool is_of_record(const char *name)
{
	static const char *const streams[] = { "trace.", "tail.", "async.",
					       "even.",	 "odd.",  "output." };

	if (!strcmp(name, "plan"))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++) {
		size_t n = strlen(streams[i]);

		if (!strncmp(name, streams[i], n))
			return name[n] && strlen(name + n) <= 4 &&
			       strspn(name + n, "0123456789") == strlen(name + n);
	}
	return false;
}

static bool is_of_server(const struct cage_files *files, pid_t thread, const char *name)
{
	return files->server == thread &&
	       (!strcmp(name, "ask") || !strcmp(name, "answer") || !strcmp(name, "notes"));
}

int cage_open(struct cage_files *files, pid_t thread, int at, unsigned long address, int flags)
{
	struct cage_name name;
	int bad = cage_name_read(&name, thread, at, address), node, fd;
	const char *own = bad ? NULL : own_name(files, name.path);

	if (bad)
		return bad;
	if (flags & O_PATH)
		flags &= O_PATH | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW;
	if (own && (is_of_record(own) || is_of_server(files, thread, own))) {
		fd = openat(files->folder_fd, own,
			    (flags & (KEPT_FLAGS | O_CREAT | O_TRUNC | O_EXCL)) | O_NOFOLLOW |
				    O_CLOEXEC,
			    0600);
		files->plan_taken |= fd >= 0 && !strcmp(own, "plan");
		return fd < 0 ? -errno : fd;
	}
	if (!(flags & O_PATH) && is_output_file(files, &name)) {
		cage_name_clear(&name);
		return open_output_file(files, flags);
	}
	if ((flags & O_TMPFILE) == O_TMPFILE) {
		node = cage_name_look(&name, true);
		fd = node < 0 ? node : open_copy(files, node, NULL, flags & ~O_TMPFILE);
	} else {
		node = cage_name_look(&name,
				      !(flags & O_NOFOLLOW || (flags & O_CREAT && flags & O_EXCL)));
		fd = node == -ENOENT && flags & O_CREAT ? open_new(files, &name, flags) : node;
		if (node >= 0 && !(flags & O_PATH))
			fd = open_caged_node(files, node, flags);
	}
	if (node >= 0 && fd != node)
		close(node);
	cage_name_clear(&name);
	return fd;
}
