/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A builder of targets; one of them has no command.  Behind the crash it starts other programs, on
 * which its status depends.
 * test: clean list all
 * ends: SIGSEGV
 * levels: 0
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
static const struct rule {
	const char *target, *command;
} rules[] = { { "list", "exit 0" }, { "all", NULL }, { "clean", "true" } };
static const struct rule *find(const char *target)
{
	for (int i = 0; i < 3; i++)
		if (strcmp(rules[i].target, target) == 0)
			return &rules[i];
	return NULL;
}
static int wait_for(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status);
}
static int spawn(const char *command)
{
	char *words[] = { "sh", "-c", (char *)command, NULL }, *none[] = { NULL };
	pid_t child;

	return posix_spawn(&child, "/bin/sh", NULL, NULL, words, none) || wait_for(child);
}
static int update(const struct rule *rule)
{
	if (rule->command[0] == '#') /* fault */
		return 0;
	return rule->command[0] == 'e' ? system(rule->command) : spawn(rule->command);
}
int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = argc - 1; i > 0; i--)
		failed += update(find(argv[i])) != 0;
	printf("%d failed\n", failed);
	return failed != 0;
}
