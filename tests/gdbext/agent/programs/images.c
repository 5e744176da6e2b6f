/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `images WHAT': the program becomes itself again, or is started by itself.
 *
 * ways: again child spawn thread
 */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int work(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s = s * 3 + i % 11;
	return s & 0xffff;
}

static int become(char **argv, const char *what)
{
	char *words[] = { argv[0], strdup(what), NULL };

	fflush(stdout);
	execv("/proc/self/exe", words);
	perror("exec");
	return 1;
}

static void wait_for(pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	printf("ended %d\n", WEXITSTATUS(status));
}

static void *from_thread(void *argv)
{
	become(argv, "last");
	return NULL;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	char *words[] = { argv[0], strdup("last"), NULL };
	pthread_t thread;
	pid_t pid;

	printf("%s %d\n", what, work(500));
	if (!strcmp(what, "again"))
		return become(argv, "then");
	if (!strcmp(what, "then"))
		return become(argv, "last");
	fflush(stdout);
	if (!strcmp(what, "child")) {
		pid = fork();
		if (!pid)
			return become(argv, "last");
		wait_for(pid);
	}
	if (!strcmp(what, "spawn") && !posix_spawn(&pid, argv[0], NULL, NULL, words, environ))
		wait_for(pid);
	if (!strcmp(what, "thread")) {
		pthread_create(&thread, NULL, from_thread, argv);
		pthread_join(thread, NULL);
	}
	printf("%d\n", work(700));
	return strcmp(what, "last") ? 4 : 5;
}
