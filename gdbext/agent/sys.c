/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void *sys_map_at(uint64_t address, uint64_t size, int protection, int flags, int fd,
		 uint64_t offset)
{
	long got = sys6(SYS_mmap, (long)address, (long)size, protection,
			flags | MAP_FIXED_NOREPLACE, fd, (long)offset);

	if (got == (long)address)
		return (void *)got;
	if (got > 0) /* a kernel that takes the address for a wish */
		sys3(SYS_munmap, got, (long)size, 0);
	return NULL;
}

int sys_open(const char *path, int flags, int mode)
{
	return (int)sys4(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode);
}

void sys_close(int fd)
{
	sys3(SYS_close, fd, 0, 0);
}

uint64_t sys_file_size(int fd)
{
	struct stat st;

	return sys3(SYS_fstat, fd, (long)&st, 0) ? 0 : (uint64_t)st.st_size;
}

static size_t text_length(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

void sys_say(const char *text, const char *more)
{
	sys3(SYS_write, STDERR_FILENO, (long)"gdb-why: ", 9);
	sys3(SYS_write, STDERR_FILENO, (long)text, (long)text_length(text));
	sys3(SYS_write, STDERR_FILENO, (long)more, (long)text_length(more));
	sys3(SYS_write, STDERR_FILENO, (long)"\n", 1);
}

bool sys_read_memory(uint64_t from, void *to, uint64_t size)
{
	struct iovec ours = { to, size }, theirs = { (void *)(uintptr_t)from, size };
	long self = sys3(SYS_getpid, 0, 0, 0);

	return sys6(SYS_process_vm_readv, self, (long)&ours, 1, (long)&theirs, 1, 0) == (long)size;
}

void sys_exit(int status)
{
	for (;;)
		sys3(SYS_exit_group, status, 0, 0);
}

/* What the compiler calls for copies; libc's use vector registers. */
__attribute__((visibility("hidden"))) void *memcpy(void *restrict to, const void *restrict from,
						   size_t size)
{
	void *result = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
	return result;
}

__attribute__((visibility("hidden"))) void *memset(void *to, int byte, size_t size)
{
	void *result = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
	return result;
}

__attribute__((visibility("hidden"))) int memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *x = a, *y = b;

	for (; size; size--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
