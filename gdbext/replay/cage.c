/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage.h"

#include "gdbext/replay/cage-calls.h"
#include "gdbext/replay/replay.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
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

struct cage {
	struct sock_filter *filter;
	size_t n;
};

/* Stand in the filter where a pointer of struct cage_start will. */
static const uint64_t marks[] = { 0x6a09e667bb67ae85, 0x3c6ef372a54ff53a, 0x510e527f9b05688c,
				  0x1f83d9ab5be0cd19, 0x428a2f9871374491 };

enum { MARK_PATH, MARK_ARGV, MARK_ENVP, MARK_MESSAGE, MARK_SELF };

static uint32_t action_of(enum cage_verdict verdict, int error)
{
	return verdict == CAGE_ALLOW ? SCMP_ACT_ALLOW
	       : verdict == CAGE_ASK ? SCMP_ACT_NOTIFY
				     : SCMP_ACT_ERRNO((uint16_t)error);
}

static struct scmp_arg_cmp argument_is(unsigned number, uint64_t mask, uint64_t value)
{
	return (struct scmp_arg_cmp){
		.arg = number, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value
	};
}

static int add_argument(scmp_filter_ctx ctx, const struct cage_argument *a)
{
	struct scmp_arg_cmp are[2];
	unsigned n = 0;

	for (; n < G_N_ELEMENTS(are) && a->where[n].mask; n++)
		are[n] = argument_is(a->where[n].number, a->where[n].mask, a->where[n].value);
	return seccomp_rule_add_array(ctx, action_of(a->verdict, a->error), a->call, n, are);
}

/* Limits are read, and set in appearance only. */
static int add_limits(scmp_filter_ctx ctx)
{
	struct scmp_arg_cmp set = { .arg = 2, .op = SCMP_CMP_NE };

	return seccomp_rule_add(ctx, SCMP_ACT_ERRNO(0), SYS_prlimit64, 1, set);
}

/* To a thread of its own, as abort does; where the process is another (the fork server's
 * child), the guard sees whose it is. */
static int add_own_signals(scmp_filter_ctx ctx)
{
	struct scmp_arg_cmp own = { .arg = 0, .op = SCMP_CMP_EQ, .datum_a = marks[MARK_SELF] };
	struct scmp_arg_cmp other = { .arg = 0, .op = SCMP_CMP_NE, .datum_a = marks[MARK_SELF] };
	int bad = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SYS_tgkill, 1, own);

	return bad ? bad : seccomp_rule_add(ctx, SCMP_ACT_NOTIFY, SYS_tgkill, 1, other);
}

/* What the child does itself between here and its exec. */
static int add_start(scmp_filter_ctx ctx)
{
	const uint64_t all = UINT64_MAX;
	int bad = seccomp_rule_add(
		ctx, SCMP_ACT_ALLOW, SYS_execve, 3, argument_is(0, all, marks[MARK_PATH]),
		argument_is(1, all, marks[MARK_ARGV]), argument_is(2, all, marks[MARK_ENVP]));

	return bad ? bad
		   : seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SYS_sendmsg, 1,
				      argument_is(1, all, marks[MARK_MESSAGE]));
}

static int build(scmp_filter_ctx ctx)
{
	size_t n_calls, n_arguments;
	const struct cage_call *calls = cage_calls(&n_calls);
	const struct cage_argument *arguments = cage_arguments(&n_arguments);
	int bad = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);

	if (!bad)
		bad = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	for (size_t i = 0; i < n_calls && !bad; i++)
		bad = seccomp_rule_add(ctx, action_of(calls[i].verdict, calls[i].error),
				       calls[i].call, 0);
	for (size_t i = 0; i < n_arguments && !bad; i++)
		bad = add_argument(ctx, &arguments[i]);
	if (!bad)
		bad = add_limits(ctx);
	if (!bad)
		bad = add_own_signals(ctx);
	return bad ? bad : add_start(ctx);
}

static struct sock_filter *read_back(int fd, size_t *n)
{
	struct sock_filter *filter;
	struct stat st;

	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size % (off_t)sizeof *filter ||
	    (size_t)st.st_size / sizeof *filter > BPF_MAXINSNS)
		return NULL;
	filter = g_malloc((size_t)st.st_size);
	if (pread(fd, filter, (size_t)st.st_size, 0) != st.st_size) {
		g_free(filter);
		return NULL;
	}
	*n = (size_t)st.st_size / sizeof *filter;
	return filter;
}

static bool cage_error(GError **error, const char *what, int number)
{
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_CAGE,
		    "this system gives no cage for changed runs (%s: %s)", what,
		    g_strerror(number));
	return false;
}

static bool compile(struct cage *cage, GError **error)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int fd = memfd_create("gdb-why-cage", MFD_CLOEXEC);
	int bad = ctx && fd >= 0 ? build(ctx) : -ENOMEM;

	if (!bad)
		bad = seccomp_export_bpf(ctx, fd);
	if (!bad)
		cage->filter = read_back(fd, &cage->n);
	if (ctx)
		seccomp_release(ctx);
	if (fd >= 0)
		close(fd);
	return cage->filter || cage_error(error, "its filter cannot be made", bad ? -bad : EIO);
}

/* Puts a value where its mark stands. */
static void put_value(struct sock_filter *filter, size_t n, uint64_t mark, uint64_t value)
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

struct sock_filter *cage_aim(const struct cage *cage, const struct cage_start *start, size_t *n)
{
	struct sock_filter *filter = g_memdup2(cage->filter, cage->n * sizeof *filter);

	*n = cage->n;
	put_value(filter, *n, marks[MARK_PATH], (uint64_t)(uintptr_t)start->path);
	put_value(filter, *n, marks[MARK_ARGV], (uint64_t)(uintptr_t)start->argv);
	put_value(filter, *n, marks[MARK_ENVP], (uint64_t)(uintptr_t)start->envp);
	put_value(filter, *n, marks[MARK_MESSAGE], (uint64_t)(uintptr_t)start->message);
	return filter;
}

int cage_close_on_self(struct sock_filter *filter, size_t n)
{
	struct sock_fprog program = { .len = (unsigned short)n, .filter = filter };
	const unsigned flags[] = {
		SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		SECCOMP_FILTER_FLAG_NEW_LISTENER, /* older kernels */
	};
	int listener = -1;

	put_value(filter, n, marks[MARK_SELF], (uint64_t)getpid());
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	for (size_t i = 0; i < G_N_ELEMENTS(flags) && listener < 0; i++)
		listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i], &program);
	return listener;
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

	t->listener = cage_close_on_self(t->filter, t->n);
	t->error = errno;
	return 0; /* which ends it */
}

/* The guard puts descriptors into the run by this. */
static bool has_addfd(int listener)
{
	struct seccomp_notif_addfd add = { .flags = SECCOMP_ADDFD_FLAG_SEND };

	return ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) < 0 && errno == ENOENT;
}

static bool try_it(const struct cage *cage, GError **error)
{
	const struct cage_start nothing = { 0 };
	struct trial t = { .listener = -1 };
	char *stack =
		mmap(NULL, TRIAL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool works;
	pid_t pid;

	g_assert(stack != MAP_FAILED);
	t.filter = cage_aim(cage, &nothing, &t.n);
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

	if (compile(cage, error) &&
	    (!access("/proc/self/fd", X_OK) || cage_error(error, "/proc is not mounted", errno)) &&
	    try_it(cage, error))
		return cage;
	cage_free(cage);
	return NULL;
}

void cage_free(struct cage *cage)
{
	if (!cage)
		return;
	g_free(cage->filter);
	g_free(cage);
}
