/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attacks NAME FOLDER: runs the attack of that name, but only when it is forced (the branch
 * below goes the other way), or when standard input names one ("NAME\n").  An attack whose
 * name begins with "early" is run before main by whoever looks for it, in the cage only.  As
 * "alone" it has no other threads, and says what it has in common with other processes.
 */
#include "tests/cage/attack.h"

#include <assert.h>
#include <sys/resource.h>

extern const struct attack *const __start_attacks[], *const __stop_attacks[];

/* A line of standard input, which is not used up. */
static const char *asked_by_input(void)
{
	static char name[64];
	ssize_t got = pread(0, name, sizeof name - 1, 0);

	name[got > 0 ? got : 0] = '\0';
	name[strcspn(name, "\n")] = '\0';
	return name;
}

static char *in(const char *folder, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static void run(const char *name, const char *folder)
{
	char *numbers = in(folder, "numbers");
	FILE *file = fopen(numbers, "r");
	char terminal[64] = "";
	struct world w = { .file = in(folder, "file"),
			   .fresh = in(folder, "fresh"),
			   .folder = in(folder, "folder"),
			   .link = in(folder, "link"),
			   .pipe = in(folder, "pipe"),
			   .socket = in(folder, "socket"),
			   .terminal = terminal };

	if (!file || fscanf(file, "%d %d %d %d %d %63s", &w.victim, &w.port, &w.shm, &w.msg, &w.sem,
			    terminal) != 6)
		exit(98);
	fclose(file);
	for (const struct attack *const *a = __start_attacks; a < __stop_attacks; a++)
		if (!strcmp((*a)->name, name)) {
			(*a)->run(&w);
			return;
		}
	exit(99);
}

/* Before the constructors of any library. */
static void early(int argc, char **argv, char **envp)
{
	const char *name;

	(void)envp;
	if (argc < 3 || prctl(PR_GET_SECCOMP) != 2)
		return;
	name = *asked_by_input() ? asked_by_input() : argv[1];
	if (!strncmp(name, "early", 5))
		run(name, argv[2]);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = early;

void never_called(void);
void never_called(void)
{
	puts("never");
}

/* What an earlier run from the same checkpoint could have changed. */
static void say_what_is_shared(void)
{
	char folder[4096] = "";
	sigset_t pending, blocked;
	struct stat st;

	for (int fd = 0; fd < 64; fd++)
		printf("%d: flags %x %x at %ld of %ld\n", fd, fcntl(fd, F_GETFL),
		       fcntl(fd, F_GETFD), (long)lseek(fd, 0, SEEK_CUR),
		       fd && !fstat(fd, &st) ? (long)st.st_size : -1);
	sigpending(&pending);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int s = 1; s < NSIG; s++)
		if (sigismember(&pending, s) > 0 || sigismember(&blocked, s) > 0 ||
		    signal(s, SIG_DFL) == SIG_IGN)
			printf("signal %d\n", s);
	printf("%o %s %d %u\n", umask(0), getcwd(folder, sizeof folder),
	       getpriority(PRIO_PROCESS, 0), alarm(0));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *asked = asked_by_input();
	int armed = argc > 2 && *asked, done = 0;

	if (armed) { /* the branch */
		run(*asked ? asked : argv[1], argv[2]);
		done = 1;
	} else if (argc > 2 && !strcmp(argv[1], "alone")) {
		say_what_is_shared();
	}
	assert(done);
	return 0;
}
