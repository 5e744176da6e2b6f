/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/launch.h"

#include "mi/descriptors.h"
#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/cage/inherited.h"
#include "gdbext/replay/cage/error.h"
#include "gdbext/replay/cage/view.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (256u << 10)
#define MOST_DESCRIPTORS 65536
/* Bytes of a core file: too few for one.  With 0 of them a crash starts the system's own program
 * for cores, where it has one (core(5)). */
#define NO_CORE 1

/* Shared with the child, which runs in our memory until it execs. */
struct start {
	const struct launch *launch;
	const char *what; /* the step that failed */
	int error;
	pid_t parent;

	/* With .launch->cage: the filter, and the message that brings us the listener. */
	struct sock_filter *filter;
	size_t n_filter;
	struct launch_kept *kept;
	struct msghdr message;
	struct iovec byte;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void limit_resource(int resource, uint64_t value)
{
	struct rlimit now;

	if (!value || getrlimit(resource, &now))
		return;
	if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max)
		value = now.rlim_max;
	now.rlim_cur = now.rlim_max = value;
	setrlimit(resource, &now);
}

/* A pipe holds memory that no limit counts; so in all runs, that they see the same. */
static void limit_descriptors(void)
{
	struct rlimit now;

	if (!getrlimit(RLIMIT_NOFILE, &now) && now.rlim_cur > MOST_DESCRIPTORS)
		limit_resource(RLIMIT_NOFILE, MOST_DESCRIPTORS);
}

/* Handlers of ours must not run in a child before it is another program, and what we ignore the
 * program should not. */
static void default_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	for (int signo = 1; signo < NSIG; signo++) {
		struct sigaction now;

		if (sigaction(signo, NULL, &now))
			continue;
		if (now.sa_handler != SIG_IGN || signo == SIGPIPE || signo == SIGXFSZ)
			sigaction(signo, &action, NULL);
	}
}

static bool set_descriptors(const struct launch *l)
{
	/* dup above all of them first: the three may be 0, 1 or 2 themselves. */
	int fds[3] = { fcntl(l->in, F_DUPFD_CLOEXEC, 3), fcntl(l->out, F_DUPFD_CLOEXEC, 3),
		       fcntl(l->err, F_DUPFD_CLOEXEC, 3) };

	for (int i = 0; i < 3; i++)
		if (fds[i] < 0 || dup2(fds[i], i) < 0)
			return false;
	descriptors_close_on_exec(3, ~0u);
	for (size_t i = 0; i < l->n_inherited; i++) {
		int fd = l->inherited[i];

		if (fcntl(fd, F_GETFL) < 0)
			continue;
		if (l->cage && !inherited_replace(fd))
			return false;
		fcntl(fd, F_SETFD, 0);
	}
	return true;
}

/* fd, moved where nothing is handed down, should it be in the way. */
static int above_handed(const struct launch *l, int fd)
{
	return fd < l->handed_at ? fd : fcntl(fd, F_DUPFD_CLOEXEC, l->handed_at + (int)l->n_handed);
}

/* Behind set_descriptors, which closes all others. */
static bool hand_down(const struct launch *l)
{
	int from[LAUNCH_MOST_HANDED];

	for (size_t i = 0; i < l->n_handed; i++) {
		from[i] = above_handed(l, l->handed[i]);
		if (from[i] < 0)
			return false;
	}
	for (size_t i = 0; i < l->n_handed; i++)
		if (dup2(from[i], l->handed_at + (int)i) < 0)
			return false;
	return true;
}

/* What it returns, the child ends with. */
static int fail_to_launch(struct start *s, const char *what)
{
	s->error = errno;
	s->what = what;
	return 127;
}

static bool enter_cage(struct start *s)
{
	const struct launch *l = s->launch;
	int report = s->kept->socket[1], listener;

	if (l->n_handed)
		report = above_handed(l, report);
	if (report < 0 || !hand_down(l))
		return false;
	listener = cage_close_on_self(s->filter, s->n_filter, l->forks);
	if (listener < 0)
		return false;
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&s->message)), &listener, sizeof listener);
	return sendmsg(report, &s->message, 0) == 1;
}

static int start_in_child(void *arg)
{
	struct start *s = arg;
	const struct launch *l = s->launch;

	if (l->view && !view_enter(l->view))
		return fail_to_launch(s, "see a copy of its folder");
	/* a process that changes its user namespace forgets this */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != s->parent)
		return fail_to_launch(s, "watch its parent");
	setsid();
	if (!set_descriptors(l))
		return fail_to_launch(s, "set its standard files");
	if (l->directory && chdir(l->directory))
		return fail_to_launch(s, "enter its working directory");
	if (personality(ADDR_NO_RANDOMIZE) < 0)
		return fail_to_launch(s, "turn address randomization off");
	limit_resource(RLIMIT_CORE, NO_CORE);
	limit_resource(RLIMIT_AS, l->limit_memory);
	limit_resource(RLIMIT_CPU, l->limit_cpu);
	limit_resource(RLIMIT_FSIZE, l->limit_file);
	limit_descriptors();
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
	if (l->stop) /* Yama lets only ancestors attach, which GDB is not */
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (l->stop && ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		return fail_to_launch(s, "be traced");
	if (l->cage && !enter_cage(s))
		return fail_to_launch(s, "be caged");
	execve(l->path, l->argv, l->envp);
	return fail_to_launch(s, "be executed");
}

/* What the child needs; what is there from the last start is taken. */
static bool prepare_ground(struct start *s)
{
	struct launch_kept *kept = s->kept;

	if (!kept->stack) {
		void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (stack == MAP_FAILED)
			return false;
		kept->stack = stack;
	}
	if (s->launch->cage && !kept->has_socket)
		kept->has_socket =
			!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, kept->socket);
	return true;
}

static bool prepare_cage(struct start *s)
{
	const struct launch *l = s->launch;
	struct cage_start start = { l->path, l->argv, l->envp, &s->message };
	struct cmsghdr *c;

	if (!s->kept->has_socket) {
		s->error = errno;
		s->what = "be caged";
		return false;
	}
	s->filter = cage_aim(l->cage, l->narrowed, &start, &s->n_filter);
	s->byte = (struct iovec){ (void *)(uintptr_t) "", 1 };
	s->message = (struct msghdr){ .msg_iov = &s->byte,
				      .msg_iovlen = 1,
				      .msg_control = s->control,
				      .msg_controllen = sizeof s->control };
	c = CMSG_FIRSTHDR(&s->message);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	return true;
}

/* Takes the listener that may be there although there was no exec, so that the next run does not
 * get it. */
static void take_listener(struct start *s)
{
	char byte;
	struct iovec to = { &byte, 1 };
	struct msghdr message = { .msg_iov = &to,
				  .msg_iovlen = 1,
				  .msg_control = s->control,
				  .msg_controllen = sizeof s->control };
	int listener = -1;

	if (recvmsg(s->kept->socket[0], &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) == 1 &&
	    CMSG_FIRSTHDR(&message))
		memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
	g_free(s->filter);
	if (!s->what)
		*s->launch->listener = listener;
	else if (listener >= 0)
		close(listener);
}

/* 0 = there is none, or it ended before it was the program; then .what says so. */
static pid_t start_child(struct start *s)
{
	sigset_t all, mask;
	pid_t pid = -1;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	if (!s->launch->cage || prepare_cage(s))
		pid = clone(start_in_child, (char *)s->kept->stack + STACK_SIZE,
			    CLONE_VM | CLONE_VFORK | SIGCHLD, s);
	if (pid < 0 && !s->what) {
		s->error = errno;
		s->what = "be started";
	} else if (pid > 0 && s->what) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (s->filter)
		take_listener(s);
	return s->what ? 0 : pid;
}

pid_t launch_start(const struct launch *l, GError **error)
{
	struct launch_kept alone = { 0 };
	struct start s = { .launch = l, .parent = getpid(), .kept = l->kept ? l->kept : &alone };
	bool ready = prepare_ground(&s);
	pid_t pid = 0;

	if (ready)
		pid = start_child(&s);
	else
		g_set_error(
			error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			"There is no memory to start %s with: %s.  End other programs, or raise "
			"the limit on address space (ulimit -v).",
			l->path, g_strerror(errno));
	if (ready && !pid)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "%s cannot %s: %s.", l->path,
			    s.what, g_strerror(s.error));
	launch_kept_clear(&alone);
	return pid;
}

void launch_kept_clear(struct launch_kept *kept)
{
	if (kept->stack)
		munmap(kept->stack, STACK_SIZE);
	if (kept->has_socket) {
		close(kept->socket[0]);
		close(kept->socket[1]);
	}
	*kept = (struct launch_kept){ 0 };
}

pid_t launch_aside(const char *name)
{
	sigset_t all, mask;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	pid = fork();
	if (!pid) {
		default_signals();
		setsid();
		prctl(PR_SET_NAME, name);
		return 0;
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

GArray *launch_inherited(void)
{
	GArray *fds = g_array_new(FALSE, FALSE, sizeof(int));
	int limit_now = (int)sysconf(_SC_OPEN_MAX);

	for (int fd = 3; fd < MIN(limit_now, 1024); fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags >= 0 && !(flags & FD_CLOEXEC))
			g_array_append_val(fds, fd);
	}
	return fds;
}
