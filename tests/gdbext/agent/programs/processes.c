/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fork and wait, vfork and exec, system, popen, posix_spawn. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int work(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i % 7;
	return s;
}

static int status_of(pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

int main(void)
{
	char sh[] = "sh", c[] = "-c",
	     script[] = "env | grep -c -E '^(LD_PRELOAD|GDB_WHY)='; exit 9";
	char *words[] = { sh, c, script, NULL };
	int before = work(1000), spawned;
	char line[100] = "";
	FILE *pipe;
	pid_t pid = fork();

	if (!pid) {
		printf("child %d\n", work(2000));
		exit(5);
	}
	printf("fork %d\n", status_of(pid));
	fflush(stdout);
	pid = vfork();
	if (!pid) {
		execv("/bin/sh", words);
		_exit(1);
	}
	printf("vfork %d\n", status_of(pid));
	fflush(stdout);
	printf("system %d\n", WEXITSTATUS(system("exit 6")));
	pipe = popen("echo piped", "r");
	if (pipe && fgets(line, sizeof line, pipe))
		printf("%s%d\n", line, pclose(pipe));
	if (!posix_spawn(&spawned, "/bin/true", NULL, NULL, words, environ))
		printf("spawn %d\n", status_of(spawned));
	printf("%d %d\n", before, work(3000));
	return 0;
}
