/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library whose constructor starts a thread that goes on after main has begun.  Both append to
 * the file, in the cage only, and not where the program is asked to be "alone". */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static char path[4096];

static void append(void)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd >= 0 && write(fd, "harm", 4) < 0)
		perror(path);
	unlink(path);
}

static void *late(void *nothing)
{
	for (int i = 0; i < 100; i++) {
		usleep(50);
		append();
	}
	return nothing;
}

__attribute__((constructor)) static void start(int argc, char **argv, char **envp)
{
	pthread_t thread;

	(void)envp;
	if (argc < 3 || !strcmp(argv[1], "alone") || prctl(PR_GET_SECCOMP) != 2)
		return;
	snprintf(path, sizeof path, "%s/file", argv[2]);
	append();
	pthread_create(&thread, NULL, late, NULL);
}

int early_library(void);
int early_library(void)
{
	return 0;
}
