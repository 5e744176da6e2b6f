/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage.h"

#include "gdbext/replay/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALL(name) SCMP_SYS(name)

/* Not done, but reported as done. */
static const int pretended[] = {
	CALL(unlink),
	CALL(unlinkat),
	CALL(rename),
	CALL(renameat),
	CALL(renameat2),
	CALL(mkdir),
	CALL(mkdirat),
	CALL(rmdir),
	CALL(link),
	CALL(linkat),
	CALL(symlink),
	CALL(symlinkat),
	CALL(mknod),
	CALL(mknodat),
	CALL(truncate),
	CALL(chmod),
	CALL(fchmod),
	CALL(fchmodat),
	CALL(chown),
	CALL(fchown),
	CALL(lchown),
	CALL(fchownat),
	CALL(utime),
	CALL(utimes),
	CALL(futimesat),
	CALL(utimensat),
	CALL(setxattr),
	CALL(lsetxattr),
	CALL(fsetxattr),
	CALL(removexattr),
	CALL(lremovexattr),
	CALL(fremovexattr),
	CALL(setrlimit),
	CALL(setpriority),
	CALL(ioprio_set),
	CALL(sched_setaffinity),
	CALL(sched_setscheduler),
	CALL(sched_setparam),
	CALL(sched_setattr),
	CALL(mq_unlink),
};

static const struct refusal {
	int call, error;
} refused[] = {
	/* processes */
	{ CALL(fork), EAGAIN },
	{ CALL(vfork), EAGAIN },
	{ CALL(clone3), ENOSYS },
	{ CALL(execve), EACCES },
	{ CALL(execveat), EACCES },
	/* sockets and queues */
	{ CALL(socket), EACCES },
	{ CALL(connect), EACCES },
	{ CALL(bind), EACCES },
	{ CALL(listen), EACCES },
	{ CALL(accept), EACCES },
	{ CALL(accept4), EACCES },
	{ CALL(mq_open), EACCES },
	{ CALL(mq_timedsend), EACCES },
	{ CALL(mq_timedreceive), EACCES },
	{ CALL(shmget), EACCES },
	{ CALL(shmat), EACCES },
	{ CALL(shmctl), EPERM },
	{ CALL(semget), EACCES },
	{ CALL(semop), EACCES },
	{ CALL(semtimedop), EACCES },
	{ CALL(semctl), EPERM },
	{ CALL(msgget), EACCES },
	{ CALL(msgsnd), EACCES },
	{ CALL(msgrcv), EACCES },
	{ CALL(msgctl), EPERM },
	/* ways around the filter */
	{ CALL(io_uring_setup), ENOSYS },
	{ CALL(io_uring_enter), ENOSYS },
	{ CALL(io_uring_register), ENOSYS },
	{ CALL(io_setup), ENOSYS },
	{ CALL(io_submit), ENOSYS },
	{ CALL(openat2), ENOSYS },
	{ CALL(open_by_handle_at), EPERM },
	{ CALL(memfd_secret), ENOSYS },
	/* other processes */
	{ CALL(ptrace), EPERM },
	{ CALL(process_vm_writev), EPERM },
	{ CALL(process_vm_readv), EPERM },
	{ CALL(process_madvise), EPERM },
	{ CALL(process_mrelease), EPERM },
	{ CALL(pidfd_send_signal), EPERM },
	{ CALL(pidfd_getfd), EPERM },
	{ CALL(move_pages), EPERM },
	{ CALL(migrate_pages), EPERM },
	{ CALL(kcmp), EPERM },
	/* the machine */
	{ CALL(mount), EPERM },
	{ CALL(umount2), EPERM },
	{ CALL(move_mount), EPERM },
	{ CALL(open_tree), EPERM },
	{ CALL(fsopen), EPERM },
	{ CALL(fsconfig), EPERM },
	{ CALL(fsmount), EPERM },
	{ CALL(fspick), EPERM },
	{ CALL(mount_setattr), EPERM },
	{ CALL(pivot_root), EPERM },
	{ CALL(chroot), EPERM },
	{ CALL(unshare), EPERM },
	{ CALL(setns), EPERM },
	{ CALL(swapon), EPERM },
	{ CALL(swapoff), EPERM },
	{ CALL(reboot), EPERM },
	{ CALL(sethostname), EPERM },
	{ CALL(setdomainname), EPERM },
	{ CALL(settimeofday), EPERM },
	{ CALL(clock_settime), EPERM },
	{ CALL(adjtimex), EPERM },
	{ CALL(clock_adjtime), EPERM },
	{ CALL(init_module), EPERM },
	{ CALL(finit_module), EPERM },
	{ CALL(delete_module), EPERM },
	{ CALL(kexec_load), EPERM },
	{ CALL(kexec_file_load), EPERM },
	{ CALL(acct), EPERM },
	{ CALL(quotactl), EPERM },
	{ CALL(quotactl_fd), EPERM },
	{ CALL(syslog), EPERM },
	{ CALL(bpf), EPERM },
	{ CALL(perf_event_open), EPERM },
	{ CALL(userfaultfd), EPERM },
	{ CALL(fanotify_init), EPERM },
	{ CALL(add_key), EPERM },
	{ CALL(request_key), EPERM },
	{ CALL(keyctl), EPERM },
	{ CALL(ioperm), EPERM },
	{ CALL(iopl), EPERM },
	{ CALL(vhangup), EPERM },
	{ CALL(nfsservctl), ENOSYS },
};

/* Each row: one condition under which the call is trapped. */
static const struct trap {
	int call;
	int flags_argument; /* -1 = always */
	uint64_t mask, value;
} trapped[] = {
	{ CALL(open), 1, O_ACCMODE, O_WRONLY },
	{ CALL(open), 1, O_ACCMODE, O_RDWR },
	{ CALL(open), 1, O_CREAT, O_CREAT },
	{ CALL(open), 1, O_TRUNC, O_TRUNC },
	{ CALL(openat), 2, O_ACCMODE, O_WRONLY },
	{ CALL(openat), 2, O_ACCMODE, O_RDWR },
	{ CALL(openat), 2, O_CREAT, O_CREAT },
	{ CALL(openat), 2, O_TRUNC, O_TRUNC },
	{ CALL(creat), -1, 0, 0 },
	{ CALL(kill), -1, 0, 0 },
	{ CALL(tkill), -1, 0, 0 },
	{ CALL(tgkill), -1, 0, 0 },
	{ CALL(rt_sigqueueinfo), -1, 0, 0 },
	{ CALL(rt_tgsigqueueinfo), -1, 0, 0 },
};

/* Requests of ioctl and options of prctl, by their second and first argument. */
static const struct request {
	int call, argument;
	uint64_t value;
} requests[] = {
	{ CALL(ioctl), 1, TIOCSTI },	 { CALL(ioctl), 1, 0x40086602 }, /* FS_IOC_SETFLAGS */
	{ CALL(ioctl), 1, 0x401c5820 },					 /* FS_IOC_FSSETXATTR */
	{ CALL(ioctl), 1, 0xc0045877 },					 /* FIFREEZE */
	{ CALL(ioctl), 1, 0xc0045878 },					 /* FITHAW */
	{ CALL(fcntl), 1, F_SETOWN },					 /* signals to others */
	{ CALL(fcntl), 1, F_SETOWN_EX }, { CALL(prctl), 0, PR_SET_PDEATHSIG },
};

static struct scmp_arg_cmp argument(int number, enum scmp_compare is, uint64_t a, uint64_t b)
{
	return (struct scmp_arg_cmp){
		.arg = (unsigned)number, .op = is, .datum_a = a, .datum_b = b
	};
}

static int add_traps(scmp_filter_ctx ctx, uint64_t magic)
{
	struct scmp_arg_cmp by_other = argument(5, SCMP_CMP_NE, magic, 0);
	int bad = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(trapped) && !bad; i++) {
		const struct trap *t = &trapped[i];

		if (t->flags_argument < 0)
			bad = seccomp_rule_add(ctx, SCMP_ACT_TRAP, t->call, 1, by_other);
		else
			bad = seccomp_rule_add(
				ctx, SCMP_ACT_TRAP, t->call, 2,
				argument(t->flags_argument, SCMP_CMP_MASKED_EQ, t->mask, t->value),
				by_other);
	}
	return bad;
}

static int add_requests(scmp_filter_ctx ctx)
{
	int bad = 0;

	/* The kernel looks at the lower half only. */
	for (size_t i = 0; i < G_N_ELEMENTS(requests) && !bad; i++)
		bad = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), requests[i].call, 1,
				       argument(requests[i].argument, SCMP_CMP_MASKED_EQ,
						UINT32_MAX, requests[i].value));
	/* Threads are fine, processes are not. */
	if (!bad)
		bad = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EAGAIN), CALL(clone), 1,
				       argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
	/* Reading limits is fine, setting them is not. */
	if (!bad)
		bad = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(0), CALL(prlimit64), 1,
				       argument(2, SCMP_CMP_NE, 0, 0));
	return bad;
}

static int add_answers(scmp_filter_ctx ctx)
{
	int bad = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(pretended) && !bad; i++)
		bad = seccomp_rule_add(ctx, SCMP_ACT_ERRNO(0), pretended[i], 0);
	for (size_t i = 0; i < G_N_ELEMENTS(refused) && !bad; i++)
		bad = seccomp_rule_add(ctx, SCMP_ACT_ERRNO((uint16_t)refused[i].error),
				       refused[i].call, 0);
	return bad ? bad : add_requests(ctx);
}

static int build(scmp_filter_ctx ctx, uint64_t magic)
{
	int bad;

	/* 32-bit calls would pass under other numbers. */
	bad = seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (!bad)
		bad = seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!bad)
		bad = add_traps(ctx, magic);
	return bad ? bad : add_answers(ctx);
}

static struct sock_filter *read_back(int fd, size_t *n)
{
	struct sock_filter *filter;
	struct stat st;

	if (fstat(fd, &st) || st.st_size <= 0 || st.st_size % (off_t)sizeof *filter)
		return NULL;
	filter = g_malloc((size_t)st.st_size);
	if (pread(fd, filter, (size_t)st.st_size, 0) != st.st_size) {
		g_free(filter);
		return NULL;
	}
	*n = (size_t)st.st_size / sizeof *filter;
	return filter;
}

struct sock_filter *cage_filter(uint64_t magic, size_t *n, GError **error)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ALLOW);
	struct sock_filter *filter = NULL;
	int fd = memfd_create("gdb-why-cage", MFD_CLOEXEC);
	int bad = ctx && fd >= 0 ? build(ctx, magic) : -ENOMEM;

	if (!bad)
		bad = seccomp_export_bpf(ctx, fd);
	if (!bad)
		filter = read_back(fd, n);
	if (!filter)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make the cage for further runs (seccomp filter): %s.",
			    g_strerror(bad ? -bad : EIO));
	if (ctx)
		seccomp_release(ctx);
	if (fd >= 0)
		close(fd);
	return filter;
}

uint64_t cage_magic(void)
{
	uint64_t magic;

	while (getrandom(&magic, sizeof magic, 0) != sizeof magic)
		;
	return magic | 1ull << 63; /* no small number, no pointer */
}
