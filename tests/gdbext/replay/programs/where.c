/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `where [write]': says on which processors it and its thread may run, as often as it can: before
 * main, at once, and later; then fails an assertion.  write: what it reads it could write, too. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int early = -1, asked = -1;
static char text[16384];

static int count(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

/* Reads before it asks, since asking might be what changes it. */
__attribute__((constructor)) static void look(int argc)
{
	int fd = argc > 1 ? open("/proc/self/status", O_RDWR) : -1;
	ssize_t n;

	if (fd < 0) /* only root may write there */
		fd = open("/proc/self/status", O_RDONLY);
	n = read(fd, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
	early = count();
}

static void *look_beside(void *arg)
{
	(void)arg;
	asked = count();
	return NULL;
}

int main(void)
{
	const char *line = strstr(text, "Cpus_allowed:");
	pthread_t thread;

	pthread_create(&thread, NULL, look_beside, NULL);
	pthread_join(thread, NULL);
	printf("%.*s\n%d %d %d", line ? (int)strcspn(line, "\n") : 0, line ? line : "", early,
	       asked, count());
	usleep(20000);
	printf(" %d\n", count());
	fflush(stdout);
	assert(!line);
	return 0;
}
