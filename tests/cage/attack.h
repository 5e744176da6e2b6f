/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an attack sees of the world that it is to change, see README.md. */
#ifndef TESTS_CAGE_ATTACK_H
#define TESTS_CAGE_ATTACK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* All paths are in the world's folder, which is also the working directory. */
struct world {
	const char *file;   /* regular, "data\n", 0640, with an attribute user.test */
	const char *fresh;  /* not there */
	const char *folder; /* empty */
	const char *link;   /* to .file */
	const char *pipe;   /* named; has a reader */
	const char *socket; /* unix datagrams; has a reader */
	const char *terminal;
	int victim; /* a process */
	int port;   /* UDP, has a reader */
	int shm, msg, sem;
};

/* Inherited descriptors, the same in all runs. */
enum {
	FD_READ = 50,
	FD_WRITE = 51,
	FD_PIPE = 52,
	FD_SOCKET = 53,
	FD_TERMINAL = 54,
	FD_FOLDER = 55,
	FD_EVENT = 56, /* a counter, at 3 */
	FD_TIMER = 57,
	FD_EPOLL = 58,
	FD_MEMORY = 59, /* "shared\n" */
	FD_LAST = FD_MEMORY
};

struct attack {
	const char *name;
	void (*run)(const struct world *w);
};

#define ATTACK(called)                                                                             \
	static void attack_##called(const struct world *w);                                        \
	static const struct attack is_##called = { #called, attack_##called };                     \
	static const struct attack *const row_##called __attribute__((section("attacks"), used)) = \
		&is_##called;                                                                      \
	static void attack_##called(const struct world *w)

/* Its result does not matter: the world's state does. */
#define DO(call) ((void)!(call))

#endif
