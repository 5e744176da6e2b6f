/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/inherited.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MOST_COPIED (16 << 20) /* bytes */

enum { NOT_OPENED = -1 };

/* "/proc/self/fd/N", without libc's formatting. */
static void name_of_descriptor(int fd, char *to)
{
	static const char folder[] = "/proc/self/fd/";
	char digits[12];
	int n = 0;

	for (const char *c = folder; *c; c++)
		*to++ = *c;
	do
		digits[n++] = (char)('0' + fd % 10);
	while (fd /= 10);
	while (n)
		*to++ = digits[--n];
	*to = '\0';
}

static int open_anew(int fd, int flags)
{
	const int kept =
		(flags & (O_ACCMODE | O_NONBLOCK | O_APPEND | O_DIRECTORY)) | O_CLOEXEC | O_NOCTTY;
	char name[40];
	int own;

	name_of_descriptor(fd, name);
	/* Its access time stays as it is, where we may ask for that. */
	own = open(name, kept | O_NOATIME);
	return own < 0 ? open(name, kept) : own;
}

static int copy_inherited_file(int fd, int flags, const struct stat *st)
{
	int from = open_anew(fd, O_RDONLY), to, copy;
	off_t left = st->st_size;

	if (from < 0)
		return NOT_OPENED;
	to = memfd_create("file", MFD_CLOEXEC);
	while (to >= 0 && left > 0) {
		ssize_t sent = sendfile(to, from, NULL, (size_t)left);

		left = sent > 0 ? left - sent : 0;
	}
	close(from);
	copy = to < 0 ? NOT_OPENED : open_anew(to, flags);
	if (to >= 0)
		close(to);
	return copy;
}

/* null, zero, full, random, urandom: what the guard opens too. */
static bool is_memory_device(const struct stat *st)
{
	unsigned n = minor(st->st_rdev);

	return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 &&
	       (n == 3 || n == 5 || n == 7 || n == 8 || n == 9);
}

bool inherited_replace(int fd)
{
	int flags = fcntl(fd, F_GETFL), own = NOT_OPENED, set_flags = fcntl(fd, F_GETFD);
	bool reads = (flags & O_ACCMODE) == O_RDONLY;
	struct stat st;
	bool done;

	if (flags & O_PATH)
		return true; /* nothing can be done by it */
	if (fstat(fd, &st))
		return false;
	if ((reads && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) || is_memory_device(&st))
		own = open_anew(fd, flags);
	else if (S_ISREG(st.st_mode) && st.st_size <= MOST_COPIED)
		own = copy_inherited_file(fd, flags, &st);
	if (own >= 0 && S_ISREG(st.st_mode))
		lseek(own, lseek(fd, 0, SEEK_CUR), SEEK_SET);
	if (own < 0)
		own = open("/dev/null", (flags & (O_ACCMODE | O_NONBLOCK | O_APPEND)) | O_CLOEXEC);
	done = own >= 0 && dup3(own, fd, set_flags & FD_CLOEXEC ? O_CLOEXEC : 0) == fd;
	if (own >= 0)
		close(own);
	return done;
}
