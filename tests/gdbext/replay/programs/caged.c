/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `caged WHAT FILE PID': does to the world what a cage should prevent and says
 * how it went, but only when its standard input begins with an `h', so that the
 * first, uncaged run is harmless.  Always fails an assertion at the end. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int harm_unlink(const char *file, pid_t pid)
{
	(void)pid;
	return unlink(file);
}

static int harm_rename(const char *file, pid_t pid)
{
	char to[4096];

	(void)pid;
	snprintf(to, sizeof to, "%s.moved", file);
	return rename(file, to);
}

static int harm_create(const char *file, pid_t pid)
{
	char to[4096];
	FILE *stream;

	(void)pid;
	snprintf(to, sizeof to, "%s.new", file);
	stream = fopen(to, "w");
	if (!stream)
		return -1;
	for (int i = 0; i < 10000; i++)
		if (fprintf(stream, "line %d\n", i) < 0)
			return -1;
	return fclose(stream);
}

/* The plan of its recorder is filled with zeros where it is mapped. */
static int harm_plan(const char *file, pid_t pid)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4200];
	int done = -1;

	(void)file, (void)pid;
	while (maps && done && fgets(line, sizeof line, maps)) {
		const char *name = strrchr(line, '/');
		void *at = (void *)strtoul(line, NULL, 16);

		if (!name || strcmp(name, "/plan\n") != 0)
			continue;
		done = mprotect(at, 64, PROT_READ | PROT_WRITE);
		if (!done)
			memset(at, 0, 64);
	}
	if (maps)
		fclose(maps);
	return done;
}

static int harm_overwrite(const char *file, pid_t pid)
{
	int fd = open(file, O_WRONLY | O_TRUNC);

	(void)pid;
	return fd < 0 || write(fd, "gone", 4) != 4 || close(fd) ? -1 : 0;
}

static int harm_map(const char *file, pid_t pid)
{
	int fd = open(file, O_RDWR);
	char *at = mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	(void)pid;
	if (fd < 0 || at == MAP_FAILED)
		return -1;
	if (!ftruncate(fd, 4096))
		at[0] = 'X';
	return 0;
}

static int harm_chmod(const char *file, pid_t pid)
{
	int fd = open(file, O_RDONLY);

	(void)pid;
	return fchmod(fd, 0) || chmod(file, 0) || truncate(file, 0);
}

static int harm_directory(const char *file, pid_t pid)
{
	char to[4096];

	(void)pid;
	snprintf(to, sizeof to, "%s.dir", file);
	return mkdir(to, 0700) || symlink(file, strcat(to, "x"));
}

static int harm_kill(const char *file, pid_t pid)
{
	(void)file;
	kill(pid, SIGKILL);
	kill(-1, SIGUSR1);
	kill(0, SIGUSR1);
	kill(getppid(), SIGUSR1);
	return 0;
}

static int harm_socket(const char *file, pid_t pid)
{
	(void)file;
	(void)pid;
	return socket(AF_INET, SOCK_STREAM, 0);
}

static int harm_fork(const char *file, pid_t pid)
{
	(void)pid;
	for (int i = 0; i < 1000; i++)
		if (!fork()) {
			unlink(file);
			for (;;)
				pause();
		}
	return 0;
}

static int harm_exec(const char *file, pid_t pid)
{
	(void)pid;
	execlp("rm", "rm", "-f", file, (char *)NULL);
	return errno == EACCES ? -1 : -2;
}

static int harm_system(const char *file, pid_t pid)
{
	char command[4096];

	(void)pid;
	snprintf(command, sizeof command, "rm -f '%s'", file);
	return system(command);
}

/* Here pid is a descriptor that was handed down. */
static int harm_descriptor(const char *file, pid_t pid)
{
	(void)file;
	return write(pid, "written", 7) == 7 ? 0 : -1;
}

/* A process may do to itself what it likes. */
static int harm_raise(const char *file, pid_t pid)
{
	(void)file;
	(void)pid;
	return raise(SIGTERM);
}

static int harm_eat(const char *file, pid_t pid)
{
	(void)file;
	(void)pid;
	for (size_t got = 0;; got += 64 << 20) {
		char *more = malloc(64 << 20);

		if (!more)
			exit(7);
		memset(more, 1, got < (256u << 20) ? 64 << 20 : 4096);
	}
}

/* What it has sent waits in the kernel; threads try to have descriptors of their own. */
static void *fill_sockets(void *arg)
{
	static char bytes[65536];
	int pair[2];

	(void)arg;
	syscall(SYS_close_range, ~0u, ~0u, CLOSE_RANGE_UNSHARE);
	while (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair))
		while (write(pair[0], bytes, sizeof bytes) > 0 ||
		       write(pair[1], bytes, sizeof bytes) > 0)
			;
	return NULL;
}

static int harm_sockets(const char *file, pid_t pid)
{
	(void)file;
	(void)pid;
	for (int i = 0; i < 8; i++) {
		pthread_t thread;

		if (!pthread_create(&thread, NULL, fill_sockets, NULL))
			pthread_join(thread, NULL);
	}
	return 0;
}

static sem_t *between; /* threads, and as far as it knows processes */

static void *post_late(void *arg)
{
	usleep(20000);
	sem_post(between);
	usleep(20000);
	return arg;
}

/* Waits that are not only its own process's: each ends as it should. */
static int harm_waits(const char *file, pid_t pid)
{
	const uint32_t *place = mmap(NULL, 4096, PROT_READ, MAP_SHARED, open(file, O_RDONLY), 0);
	struct timespec soon = { 0, 200000000 }, past = { 1, 0 };
	void *result = NULL;
	pthread_t thread;
	int wrong = 0;

	(void)pid;
	between = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sem_init(between, 1, 0);
	wrong += pthread_create(&thread, NULL, post_late, between);
	wrong += sem_wait(between) != 0;
	wrong += pthread_join(thread, &result) || result != between;
	wrong += sem_timedwait(between, &past) != -1 || errno != ETIMEDOUT;
	wrong += syscall(SYS_futex, place, FUTEX_WAIT, *place + 1, &soon) != -1 || errno != EAGAIN;
	for (int i = 0; i <= 10; i++) /* it may end for no reason */
		if (syscall(SYS_futex, place, FUTEX_WAIT, *place, &soon))
			return wrong + (errno != ETIMEDOUT);
		else
			soon.tv_nsec -= 20000000;
	return wrong + 1;
}

/* Would its crash start another program, or its hunger end one? */
static int harm_others(const char *file, pid_t pid)
{
	FILE *score = fopen("/proc/self/oom_score_adj", "r");
	struct rlimit core;
	int adj = 0;

	(void)file;
	(void)pid;
	if (getrlimit(RLIMIT_CORE, &core) || core.rlim_cur != 1)
		return 1;
	return !score || fscanf(score, "%d", &adj) != 1 || adj != 1000 ? 2 : 0;
}

/* Prints without end. */
static int harm_print(const char *file, pid_t pid)
{
	static char block[1 << 16];

	(void)file;
	(void)pid;
	for (;;)
		if (write(STDOUT_FILENO, block, sizeof block) < 0)
			return 1;
}

static int harm_loop(const char *file, pid_t pid)
{
	(void)file;
	(void)pid;
	for (volatile unsigned i = 1;; i |= 1)
		if (!i)
			return 0;
}

static const struct {
	const char *name;
	int (*run)(const char *file, pid_t pid);
} harms[] = {
	{ "unlink", harm_unlink },
	{ "rename", harm_rename },
	{ "create", harm_create },
	{ "plan", harm_plan },
	{ "overwrite", harm_overwrite },
	{ "map", harm_map },
	{ "chmod", harm_chmod },
	{ "directory", harm_directory },
	{ "kill", harm_kill },
	{ "socket", harm_socket },
	{ "fork", harm_fork },
	{ "exec", harm_exec },
	{ "system", harm_system },
	{ "raise", harm_raise },
	{ "eat", harm_eat },
	{ "sockets", harm_sockets },
	{ "loop", harm_loop },
	{ "waits", harm_waits },
	{ "print", harm_print },
	{ "others", harm_others },
	{ "descriptor", harm_descriptor },
};

int main(int argc, char **argv)
{
	int harmless = argc > 3;

	if (!harmless || getchar() == 'h')
		for (size_t i = 0; i < sizeof harms / sizeof *harms; i++)
			if (!strcmp(argv[1], harms[i].name)) {
				printf("%d\n", harms[i].run(argv[2], atoi(argv[3])));
				fflush(stdout);
			}
	assert(!harmless);
	return 0;
}
