/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts the program under test.  The run under GDB and the caged runs are started by
 * this same code with the same path, arguments, environment (of the same length) and
 * without address randomization.  So code, heap and stack lie at the same addresses in
 * all of them, and values of pointers can be compared and patched from one run to the
 * next.
 *
 * It starts like vfork: the cost does not grow with our own memory.
 */
#ifndef GDBEXT_REPLAY_CAGE_LAUNCH_H
#define GDBEXT_REPLAY_CAGE_LAUNCH_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cage;
struct together;
struct view;

enum { LAUNCH_MOST_HANDED = 5 };

/* What a process that starts many programs, one after the other, keeps from one start for the
 * next: to map the stack and to make the sockets is dear beside the rest.  All zero at first. */
struct launch_kept {
	void *stack;   /* the child's until it execs; NULL = not there yet */
	int socket[2]; /* when .has_socket: brings us the listener of a caged run */
	bool has_socket;
};

struct launch {
	const char *path; /* absolute */
	char *const *argv;
	char *const *envp;
	const struct view *view; /* NULL = it sees what we see */
	const char *directory;	 /* NULL = here; as it sees it */
	int in, out, err;	 /* become descriptors 0, 1, 2 */
	const int *inherited;	 /* descriptors >= 3 that the program gets, too, ascending */
	size_t n_inherited;
	const int *handed;	 /* descriptors of ours, which become .handed_at and so on */
	size_t n_handed;	 /* at most LAUNCH_MOST_HANDED */
	int handed_at;		 /* above all of .inherited */
	bool stop;		 /* stop at the first instruction, as our ptracee */
	sigset_t mask;		 /* signal mask the program starts with */
	uint64_t limit_memory;	 /* RLIMIT_AS in bytes, 0 = not changed */
	uint64_t limit_cpu;	 /* RLIMIT_CPU in seconds, 0 = not changed */
	uint64_t limit_file;	 /* RLIMIT_FSIZE in bytes, 0 = not changed */
	const struct cage *cage; /* NULL = uncaged */
	bool narrowed;		 /* with .cage: the caller is, by cage_narrow_self() */
	int *listener;		 /* with .cage: the listener for its guard; belongs to the caller */
	bool forks;		 /* with .cage: a fork server, whose children must not signal it */
	const struct together *together; /* where it starts; NULL = anywhere */
	struct launch_kept *kept;	 /* the caller's; NULL = nothing is kept */
};

/* In the cage, what is inherited is the run's own: files and directories are opened anew at the
 * same place, files for reading and writing are copied where they are small, and what
 * else there is (terminals, pipes, sockets) is empty.
 *
 * Starts it: leader of its own session, killed when its parent (the calling
 * thread) dies, without core dumps.  With .stop the caller waits for the stop
 * and detaches.  Returns the pid; the caller reaps it.  0 with error when it
 * could not be started. */
pid_t launch_start(const struct launch *l, GError **error);
void launch_kept_clear(struct launch_kept *kept);

/* Forks a process of ours that outlives signals to us: it blocks all of them, handles none, and
 * has a session and a name of its own.  Returns what fork returns. */
pid_t launch_aside(const char *name);

/* Descriptors >= 3 that are open now and would survive exec, ascending: what the user handed
 * down.  GArray of int. */
GArray *launch_inherited(void);

#endif
