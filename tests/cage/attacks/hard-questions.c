/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions that the guard cannot read, or that are gone before it answers. */
#include "tests/cage/attack.h"

#include <stdint.h>
#include <sys/syscall.h>

enum { MANY = 40 };

static void *ask(void *path)
{
	for (int i = 0; i < 10; i++)
		DO(open(path, O_RDWR | O_CREAT | O_TRUNC, 0600));
	return NULL;
}

ATTACK(hard_questions)
{
	long page = sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * (size_t)page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = two + page - 8;
	pthread_t threads[MANY];
	int n = 0;

	mprotect(two + page, (size_t)page, PROT_NONE);
	memset(end, '/', 8); /* no NUL before the end of memory */
	DO(syscall(SYS_open, end, O_WRONLY | O_TRUNC));
	DO(syscall(SYS_openat, FD_FOLDER, end, O_WRONLY | O_CREAT, 0600));
	DO(syscall(SYS_open, (char *)1, O_WRONLY));
	DO(syscall(SYS_open, (char *)-4096, O_WRONLY));
	DO(syscall(SYS_openat, -1000, "file", O_WRONLY | O_TRUNC));
	DO(syscall(SYS_openat, INT32_MAX, "file", O_WRONLY | O_TRUNC));
	DO(syscall(SYS_openat, FD_MEMORY, "file", O_WRONLY | O_TRUNC));
	DO(syscall(SYS_open, w->file, -1));
	DO(syscall(SYS_open, w->file, O_WRONLY | 1ul << 33));
	while (n < MANY && !pthread_create(&threads[n], NULL, ask, (void *)(uintptr_t)w->file))
		n++;
	for (int i = 0; i < n; i += 2)
		pthread_cancel(threads[i]); /* while it waits for an answer */
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}
