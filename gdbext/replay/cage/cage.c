/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage.h"

#include "gdbext/replay/cage/cage-filter.h"
#include "gdbext/replay/cage/error.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRIAL_STACK (64u << 10)

struct program {
	struct sock_filter *code;
	size_t n;
};

struct cage {
	struct program part[CAGE_OWN + 1];
};

/* Stand in the filter where a pointer of struct cage_start will. */
#define MARK_PATH 0x6a09e667bb67ae85
#define MARK_ARGV 0x3c6ef372a54ff53a
#define MARK_ENVP 0x510e527f9b05688c
#define MARK_MESSAGE 0x1f83d9ab5be0cd19
#define MARK_SELF 0x428a2f9871374491

#define ALL UINT64_MAX
#define NOBODY UINT64_MAX /* no process has this number */

static const struct cage_argument own_rows[] = {
	/* To a thread of its own, as abort does; where the process is another, the guard sees whose
	 * it is.  In fork servers and their children it is always asked. */
	{ SYS_tgkill, { { 0, ALL, MARK_SELF } }, CAGE_ALLOW, 0 },
	{ SYS_tgkill, { { 0, 0, 0 } }, CAGE_ASK, 0 },
	/* What the child does itself between here and its exec. */
	{ SYS_execve,
	  { { 0, ALL, MARK_PATH }, { 1, ALL, MARK_ARGV }, { 2, ALL, MARK_ENVP } },
	  CAGE_ALLOW,
	  0 },
	{ SYS_execve, { { 0, 0, 0 } }, CAGE_ANSWER, EACCES },
	{ SYS_sendmsg, { { 1, ALL, MARK_MESSAGE } }, CAGE_ALLOW, 0 },
};

static bool cage_error(GError **error, const char *what, int number)
{
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_CAGE,
		    "this system gives no cage for changed runs (%s: %s)", what,
		    g_strerror(number));
	return false;
}

/* Puts a value where its mark stands. */
static void put_filter_value(struct sock_filter *filter, size_t n, uint64_t mark, uint64_t value)
{
	for (struct sock_filter *f = filter; f < filter + n; f++) {
		if (BPF_CLASS(f->code) != BPF_JMP)
			continue;
		if (f->k == (uint32_t)mark)
			f->k = (uint32_t)value;
		else if (f->k == (uint32_t)(mark >> 32))
			f->k = (uint32_t)(value >> 32);
	}
}

struct sock_filter *cage_aim(const struct cage *cage, bool narrowed, const struct cage_start *start,
			     size_t *n)
{
	const struct program *p = &cage->part[narrowed ? CAGE_OWN : CAGE_WHOLE];
	struct sock_filter *filter = g_memdup2(p->code, p->n * sizeof *filter);

	*n = p->n;
	put_filter_value(filter, *n, MARK_PATH, (uint64_t)(uintptr_t)start->path);
	put_filter_value(filter, *n, MARK_ARGV, (uint64_t)(uintptr_t)start->argv);
	put_filter_value(filter, *n, MARK_ENVP, (uint64_t)(uintptr_t)start->envp);
	put_filter_value(filter, *n, MARK_MESSAGE, (uint64_t)(uintptr_t)start->message);
	return filter;
}

int cage_close_on_self(struct sock_filter *filter, size_t n, bool forks)
{
	struct sock_fprog program = { .len = (unsigned short)n, .filter = filter };
	const unsigned flags[] = {
		SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		SECCOMP_FILTER_FLAG_NEW_LISTENER, /* older kernels */
	};
	int listener = -1;

	put_filter_value(filter, n, MARK_SELF, forks ? NOBODY : (uint64_t)getpid());
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	for (size_t i = 0; i < G_N_ELEMENTS(flags) && listener < 0; i++)
		listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &program);
	return listener;
}

bool cage_narrow_self(const struct cage *cage)
{
	const struct program *p = &cage->part[CAGE_SHARED];
	struct sock_fprog program = { .len = (unsigned short)p->n, .filter = p->code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* ---- does it work here? ---- */

struct trial {
	struct sock_filter *filter;
	size_t n;
	int listener, error;
};

/* Descriptors are shared, so the parent has the listener too. */
static int try_in_child(void *arg)
{
	struct trial *t = arg;

	t->listener = cage_close_on_self(t->filter, t->n, false);
	t->error = errno;
	return 0; /* which ends it */
}

/* The guard puts descriptors into the run by this. */
static bool has_addfd(int listener)
{
	struct seccomp_notif_addfd add = { .flags = SECCOMP_ADDFD_FLAG_SEND };

	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0 && errno == ENOENT;
}

static bool try_cage(const struct cage *cage, GError **error)
{
	const struct cage_start nothing = { 0 };
	struct trial t = { .listener = -1 };
	char *stack =
		mmap(NULL, TRIAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool works;
	pid_t pid;

	g_assert(stack != MAP_FAILED);
	t.filter = cage_aim(cage, false, &nothing, &t.n);
	pid = clone(try_in_child, stack + TRIAL_STACK,
		    CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, &t);
	if (pid < 0)
		t.error = errno;
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(stack, TRIAL_STACK);
	g_free(t.filter);
	if (t.listener < 0)
		return cage_error(error, "seccomp with user notification", t.error);
	works = has_addfd(t.listener);
	close(t.listener);
	return works || cage_error(error, "seccomp's ADDFD, which Linux 5.14 has", EINVAL);
}

struct cage *cage_new(GError **error)
{
	struct cage *cage = g_new0(struct cage, 1);

	for (enum cage_part i = CAGE_WHOLE; i <= CAGE_OWN; i++)
		cage->part[i].code =
			cage_filter_new(i, own_rows, G_N_ELEMENTS(own_rows), &cage->part[i].n);
	if ((!access("/proc/self/fd", X_OK) || cage_error(error, "/proc is not mounted", errno)) &&
	    try_cage(cage, error))
		return cage;
	cage_free(cage);
	return NULL;
}

void cage_free(struct cage *cage)
{
	if (!cage)
		return;
	for (enum cage_part i = CAGE_WHOLE; i <= CAGE_OWN; i++)
		g_free(cage->part[i].code);
	g_free(cage);
}
