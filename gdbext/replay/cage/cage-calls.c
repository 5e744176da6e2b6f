/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy of the cage as tables; what each means stands in cage-calls.h. */
#include "gdbext/replay/cage/cage-calls.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Newer than the kernel headers that we are built with. */
#define NEWER_FCHMODAT2 452
#define NEWER_SETXATTRAT 463
#define NEWER_REMOVEXATTRAT 466
#define NEWER_FILE_SETATTR 469

/* vmsplice is not listed: by it a pipe holds memory that is no longer mapped, and no limit
 * counts that. */
#define ALLOWED(call)                     \
	{                                 \
		SYS_##call, CAGE_ALLOW, 0 \
	}
#define PRETENDED(call)                    \
	{                                  \
		SYS_##call, CAGE_ANSWER, 0 \
	}
#define REFUSED(call, error)                   \
	{                                      \
		SYS_##call, CAGE_ANSWER, error \
	}
#define ASKED(call)                     \
	{                               \
		SYS_##call, CAGE_ASK, 0 \
	}

/* clang-format off */
static const struct cage_call calls[] = {
	/* What is read. */
	ALLOWED(read), ALLOWED(pread64), ALLOWED(readv), ALLOWED(preadv), ALLOWED(preadv2),
	ALLOWED(lseek), ALLOWED(getdents), ALLOWED(getdents64), ALLOWED(stat), ALLOWED(fstat),
	ALLOWED(lstat), ALLOWED(newfstatat), ALLOWED(statx), ALLOWED(access), ALLOWED(faccessat),
	ALLOWED(faccessat2), ALLOWED(readlink), ALLOWED(readlinkat), ALLOWED(getcwd), ALLOWED(chdir),
	ALLOWED(fchdir), ALLOWED(umask), ALLOWED(statfs), ALLOWED(fstatfs), ALLOWED(getxattr),
	ALLOWED(lgetxattr), ALLOWED(fgetxattr), ALLOWED(listxattr), ALLOWED(llistxattr),
	ALLOWED(flistxattr),
	/* What is open is the run's own. */
	ALLOWED(write), ALLOWED(pwrite64), ALLOWED(writev), ALLOWED(pwritev), ALLOWED(pwritev2),
	ALLOWED(ftruncate), ALLOWED(fallocate), ALLOWED(fsync), ALLOWED(fdatasync),
	ALLOWED(sync_file_range), ALLOWED(sendfile), ALLOWED(splice), ALLOWED(tee),
	ALLOWED(copy_file_range),
	/* Descriptors. */
	ALLOWED(close), ALLOWED(dup), ALLOWED(dup2), ALLOWED(dup3),
	ALLOWED(pipe), ALLOWED(pipe2), ALLOWED(poll), ALLOWED(ppoll), ALLOWED(select),
	ALLOWED(pselect6), ALLOWED(eventfd), ALLOWED(eventfd2), ALLOWED(epoll_create),
	ALLOWED(epoll_create1), ALLOWED(epoll_ctl), ALLOWED(epoll_wait), ALLOWED(epoll_pwait),
	ALLOWED(epoll_pwait2), ALLOWED(timerfd_create), ALLOWED(timerfd_settime),
	ALLOWED(timerfd_gettime), ALLOWED(signalfd), ALLOWED(signalfd4), ALLOWED(inotify_init),
	ALLOWED(inotify_init1), ALLOWED(inotify_add_watch), ALLOWED(inotify_rm_watch),
	/* A pair of sockets leads nowhere. */
	ALLOWED(recvfrom), ALLOWED(recvmsg), ALLOWED(shutdown), ALLOWED(getsockopt),
	ALLOWED(getsockname), ALLOWED(getpeername),
	/* Memory. */
	ALLOWED(mmap), ALLOWED(munmap), ALLOWED(mprotect), ALLOWED(mremap), ALLOWED(msync),
	ALLOWED(mincore), ALLOWED(brk), ALLOWED(mlock), ALLOWED(mlock2), ALLOWED(munlock),
	ALLOWED(mlockall), ALLOWED(munlockall), ALLOWED(pkey_alloc), ALLOWED(pkey_free),
	ALLOWED(pkey_mprotect),
	/* Itself and its threads. */
	ALLOWED(exit), ALLOWED(exit_group), ALLOWED(getpid), ALLOWED(gettid), ALLOWED(getppid),
	ALLOWED(getuid), ALLOWED(geteuid), ALLOWED(getgid), ALLOWED(getegid), ALLOWED(getgroups),
	ALLOWED(getresuid), ALLOWED(getresgid), ALLOWED(getpgid), ALLOWED(getpgrp), ALLOWED(getsid),
	ALLOWED(setsid), ALLOWED(setpgid), ALLOWED(capget),
	ALLOWED(set_robust_list), ALLOWED(get_robust_list), ALLOWED(set_tid_address),
	ALLOWED(rseq), ALLOWED(arch_prctl), ALLOWED(sched_yield),
	ALLOWED(sched_getparam), ALLOWED(sched_getscheduler), ALLOWED(sched_getattr),
	ALLOWED(sched_get_priority_max), ALLOWED(sched_get_priority_min),
	ALLOWED(sched_rr_get_interval), ALLOWED(getpriority), ALLOWED(ioprio_get), ALLOWED(getcpu),
	ALLOWED(getrlimit), ALLOWED(getrusage), ALLOWED(times), ALLOWED(sysinfo), ALLOWED(uname),
	ALLOWED(getrandom),
	/* Signals and time. */
	ALLOWED(rt_sigaction), ALLOWED(rt_sigprocmask), ALLOWED(rt_sigreturn), ALLOWED(rt_sigpending),
	ALLOWED(rt_sigtimedwait), ALLOWED(rt_sigsuspend), ALLOWED(sigaltstack),
	ALLOWED(restart_syscall), ALLOWED(pause), ALLOWED(alarm), ALLOWED(getitimer),
	ALLOWED(setitimer), ALLOWED(timer_create), ALLOWED(timer_settime), ALLOWED(timer_gettime),
	ALLOWED(timer_getoverrun), ALLOWED(timer_delete), ALLOWED(nanosleep),
	ALLOWED(clock_nanosleep), ALLOWED(clock_gettime), ALLOWED(clock_getres),
	ALLOWED(gettimeofday), ALLOWED(time),

	/* Decided by the guard. */
	ASKED(open), ASKED(openat), ASKED(creat), ASKED(memfd_create), ASKED(kill), ASKED(tkill),
	ASKED(rt_sigqueueinfo), ASKED(rt_tgsigqueueinfo), ASKED(sched_getaffinity), ASKED(vfork),
	ASKED(waitid),

	/* Not done, but reported as done. */
	PRETENDED(unlink), PRETENDED(unlinkat), PRETENDED(rename), PRETENDED(renameat),
	PRETENDED(renameat2), PRETENDED(mkdir), PRETENDED(mkdirat), PRETENDED(rmdir), PRETENDED(link),
	PRETENDED(linkat), PRETENDED(symlink), PRETENDED(symlinkat), PRETENDED(mknod),
	PRETENDED(mknodat), PRETENDED(truncate), PRETENDED(chmod), PRETENDED(fchmod),
	PRETENDED(fchmodat), PRETENDED(chown), PRETENDED(fchown), PRETENDED(lchown),
	PRETENDED(fchownat), PRETENDED(utime), PRETENDED(utimes), PRETENDED(futimesat),
	PRETENDED(utimensat), PRETENDED(setxattr), PRETENDED(lsetxattr), PRETENDED(fsetxattr),
	PRETENDED(removexattr), PRETENDED(lremovexattr), PRETENDED(fremovexattr),
	PRETENDED(setrlimit), PRETENDED(setpriority), PRETENDED(ioprio_set),
	PRETENDED(sched_setaffinity), PRETENDED(sched_setscheduler), PRETENDED(sched_setparam),
	PRETENDED(sched_setattr), PRETENDED(mq_unlink), PRETENDED(flock), PRETENDED(sync),
	PRETENDED(syncfs), PRETENDED(fadvise64), PRETENDED(readahead), PRETENDED(setuid),
	PRETENDED(setgid), PRETENDED(setreuid), PRETENDED(setregid), PRETENDED(setresuid),
	PRETENDED(setresgid), PRETENDED(setfsuid), PRETENDED(setfsgid), PRETENDED(setgroups),
	PRETENDED(capset), PRETENDED(set_mempolicy),
	{ NEWER_FCHMODAT2, CAGE_ANSWER, 0 }, { NEWER_SETXATTRAT, CAGE_ANSWER, 0 },
	{ NEWER_REMOVEXATTRAT, CAGE_ANSWER, 0 }, { NEWER_FILE_SETATTR, CAGE_ANSWER, 0 },

	/* Refused: processes. */
	REFUSED(fork, EAGAIN), REFUSED(execveat, EACCES),

	/* Refused: sockets and queues. */
	REFUSED(socket, EACCES), REFUSED(connect, EACCES), REFUSED(bind, EACCES),
	REFUSED(listen, EACCES), REFUSED(accept, EACCES), REFUSED(accept4, EACCES),
	REFUSED(mq_open, EACCES), REFUSED(mq_timedsend, EACCES), REFUSED(mq_timedreceive, EACCES),
	REFUSED(shmget, EACCES), REFUSED(shmat, EACCES), REFUSED(shmctl, EPERM),
	REFUSED(semget, EACCES), REFUSED(semop, EACCES), REFUSED(semtimedop, EACCES),
	REFUSED(semctl, EPERM), REFUSED(msgget, EACCES), REFUSED(msgsnd, EACCES),
	REFUSED(msgrcv, EACCES), REFUSED(msgctl, EPERM), REFUSED(open_by_handle_at, EPERM),

	/* Refused: other processes. */
	REFUSED(ptrace, EPERM), REFUSED(process_vm_writev, EPERM), REFUSED(process_vm_readv, EPERM),
	REFUSED(process_madvise, EPERM), REFUSED(process_mrelease, EPERM),
	REFUSED(pidfd_send_signal, EPERM), REFUSED(pidfd_getfd, EPERM), REFUSED(move_pages, EPERM),
	REFUSED(migrate_pages, EPERM), REFUSED(kcmp, EPERM),

	/* Refused: the machine. */
	REFUSED(mount, EPERM), REFUSED(umount2, EPERM), REFUSED(move_mount, EPERM),
	REFUSED(open_tree, EPERM), REFUSED(fsopen, EPERM), REFUSED(fsconfig, EPERM),
	REFUSED(fsmount, EPERM), REFUSED(fspick, EPERM), REFUSED(mount_setattr, EPERM),
	REFUSED(pivot_root, EPERM), REFUSED(chroot, EPERM), REFUSED(unshare, EPERM),
	REFUSED(setns, EPERM), REFUSED(swapon, EPERM), REFUSED(swapoff, EPERM),
	REFUSED(reboot, EPERM), REFUSED(sethostname, EPERM), REFUSED(setdomainname, EPERM),
	REFUSED(settimeofday, EPERM), REFUSED(clock_settime, EPERM), REFUSED(adjtimex, EPERM),
	REFUSED(clock_adjtime, EPERM), REFUSED(init_module, EPERM), REFUSED(finit_module, EPERM),
	REFUSED(delete_module, EPERM), REFUSED(kexec_load, EPERM), REFUSED(kexec_file_load, EPERM),
	REFUSED(acct, EPERM), REFUSED(quotactl, EPERM), REFUSED(quotactl_fd, EPERM),
	REFUSED(syslog, EPERM), REFUSED(bpf, EPERM), REFUSED(perf_event_open, EPERM),
	REFUSED(userfaultfd, EPERM), REFUSED(fanotify_init, EPERM), REFUSED(add_key, EPERM),
	REFUSED(request_key, EPERM), REFUSED(keyctl, EPERM), REFUSED(ioperm, EPERM),
	REFUSED(iopl, EPERM), REFUSED(vhangup, EPERM),
};

#define NAME_SPACES                                                                            \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |         \
	 CLONE_NEWPID | CLONE_NEWNET)

#define ALL UINT64_MAX
#define LOW UINT32_MAX /* the kernel looks at the lower half only */

static const struct cage_argument arguments[] = {
	/* A thread is fine that shares the descriptors, which the guard counts, and has no name space of
	 * its own, which root could give it; a process is the guard's to decide (the fork server). */
	{ SYS_clone,
	  { { 0, CLONE_THREAD | CLONE_FILES | NAME_SPACES, CLONE_THREAD | CLONE_FILES } },
	  CAGE_ALLOW,
	  0 },
	{ SYS_clone, { { 0, 0, 0 } }, CAGE_ASK, 0 },
	/* The fork server waits so for the runs that it makes (gdbext/agent/process/serve.c); what
	 * a run waits for may have been started in appearance only (cage-children.h). */
	{ SYS_wait4, { { 2, LOW, __WALL | __WNOTHREAD } }, CAGE_ALLOW, 0 },
	{ SYS_wait4, { { 0, 0, 0 } }, CAGE_ASK, 0 },
	{ SYS_close_range, { { 2, CLOSE_RANGE_UNSHARE, 0 } }, CAGE_ALLOW, 0 },
	{ SYS_close_range, { { 0, 0, 0 } }, CAGE_ANSWER, EINVAL },
	/* A run may not wait where others may wait, nor take them elsewhere (cage-wait.h).
	 * Waking them is allowed, because everybody has to expect to be woken without a reason.
	 * A lock's owner writes to the lock, so such a lock is the run's own. */
	{ SYS_futex, { { 1, FUTEX_PRIVATE_FLAG, FUTEX_PRIVATE_FLAG } }, CAGE_ALLOW, 0 },
#define FUTEX(value, verdict) \
	{ SYS_futex, { { 1, LOW & FUTEX_CMD_MASK, value } }, verdict, 0 }
	FUTEX(FUTEX_WAIT, CAGE_ASK), FUTEX(FUTEX_WAIT_BITSET, CAGE_ASK),
	FUTEX(FUTEX_WAKE, CAGE_ALLOW), FUTEX(FUTEX_WAKE_BITSET, CAGE_ALLOW),
	FUTEX(FUTEX_WAKE_OP, CAGE_ALLOW), FUTEX(FUTEX_LOCK_PI, CAGE_ALLOW),
	FUTEX(FUTEX_LOCK_PI2, CAGE_ALLOW), FUTEX(FUTEX_UNLOCK_PI, CAGE_ALLOW),
	FUTEX(FUTEX_TRYLOCK_PI, CAGE_ALLOW),
	/* Limits are read, and set in appearance. */
	{ SYS_prlimit64, { { 2, ALL, 0 } }, CAGE_ALLOW, 0 },
	{ SYS_prlimit64, { { 0, 0, 0 } }, CAGE_ANSWER, 0 },
	{ SYS_personality, { { 0, LOW, UINT32_MAX } }, CAGE_ALLOW, 0 },
	/* Without an address it goes to the other end of a pair. */
	{ SYS_sendto, { { 4, ALL, 0 } }, CAGE_ALLOW, 0 },
	/* Not datagrams, which can be sent elsewhere. */
	{ SYS_socketpair, { { 0, LOW, AF_UNIX }, { 1, 0xf, SOCK_STREAM } }, CAGE_ALLOW, 0 },
	{ SYS_socketpair, { { 0, LOW, AF_UNIX }, { 1, 0xf, SOCK_SEQPACKET } }, CAGE_ALLOW, 0 },
	/* A run dies with its parent; it may say so once more, and nothing else. */
	{ SYS_prctl, { { 0, LOW, PR_SET_PDEATHSIG }, { 1, ALL, SIGKILL } }, CAGE_ALLOW, 0 },
#define ON_SECOND(call, value, verdict, error) { SYS_##call, { { 1, LOW, value } }, verdict, error }
#define IOCTL(value) ON_SECOND(ioctl, value, CAGE_ALLOW, 0)
	IOCTL(TCGETS), IOCTL(TIOCGWINSZ), IOCTL(TIOCGPGRP), IOCTL(TIOCGSID), IOCTL(FIONREAD),
	IOCTL(TIOCOUTQ), IOCTL(FIONBIO), IOCTL(FIOCLEX), IOCTL(FIONCLEX), IOCTL(FS_IOC_GETFLAGS),
	IOCTL(FS_IOC_FSGETXATTR), IOCTL(FIGETBSZ),
	/* What sets O_NOATIME takes nothing away; without it, the guard keeps what was set. */
	{ SYS_fcntl, { { 1, LOW, F_SETFL }, { 2, O_NOATIME, O_NOATIME } }, CAGE_ALLOW, 0 },
	{ SYS_fcntl, { { 1, LOW, F_SETFL }, { 2, O_NOATIME, 0 } }, CAGE_ASK, 0 },
#define FCNTL(value) ON_SECOND(fcntl, value, CAGE_ALLOW, 0)
	FCNTL(F_DUPFD), FCNTL(F_DUPFD_CLOEXEC), FCNTL(F_GETFD), FCNTL(F_SETFD), FCNTL(F_GETFL),
	FCNTL(F_GETLK), FCNTL(F_OFD_GETLK), FCNTL(F_GETOWN), FCNTL(F_GETOWN_EX),
	FCNTL(F_GETSIG), FCNTL(F_GETLEASE), FCNTL(F_GETPIPE_SZ), FCNTL(F_ADD_SEALS),
	FCNTL(F_GET_SEALS),
	/* Others wait for a lock, so none is taken. */
	ON_SECOND(fcntl, F_SETLK, CAGE_ANSWER, 0), ON_SECOND(fcntl, F_SETLKW, CAGE_ANSWER, 0),
	ON_SECOND(fcntl, F_OFD_SETLK, CAGE_ANSWER, 0),
	ON_SECOND(fcntl, F_OFD_SETLKW, CAGE_ANSWER, 0),
	ON_SECOND(fcntl, F_SETOWN, CAGE_ANSWER, EPERM),
	ON_SECOND(fcntl, F_SETOWN_EX, CAGE_ANSWER, EPERM),
	ON_SECOND(fcntl, F_SETSIG, CAGE_ANSWER, EPERM),
	ON_SECOND(fcntl, F_SETLEASE, CAGE_ANSWER, EPERM),
	ON_SECOND(fcntl, F_NOTIFY, CAGE_ANSWER, EPERM),
	ON_SECOND(fcntl, F_SETPIPE_SZ, CAGE_ANSWER, EPERM),
#define PRCTL(value, verdict, error) { SYS_prctl, { { 0, LOW, value } }, verdict, error }
	PRCTL(PR_SET_NAME, CAGE_ALLOW, 0), PRCTL(PR_GET_NAME, CAGE_ALLOW, 0),
	PRCTL(PR_GET_DUMPABLE, CAGE_ALLOW, 0), PRCTL(PR_GET_PDEATHSIG, CAGE_ALLOW, 0),
	PRCTL(PR_GET_KEEPCAPS, CAGE_ALLOW, 0), PRCTL(PR_CAPBSET_READ, CAGE_ALLOW, 0),
	PRCTL(PR_GET_TIMERSLACK, CAGE_ALLOW, 0), PRCTL(PR_SET_TIMERSLACK, CAGE_ALLOW, 0),
	PRCTL(PR_GET_NO_NEW_PRIVS, CAGE_ALLOW, 0), PRCTL(PR_SET_NO_NEW_PRIVS, CAGE_ALLOW, 0),
	PRCTL(PR_GET_SECCOMP, CAGE_ALLOW, 0), PRCTL(PR_GET_THP_DISABLE, CAGE_ALLOW, 0),
	PRCTL(PR_SET_THP_DISABLE, CAGE_ALLOW, 0), PRCTL(PR_SET_VMA, CAGE_ALLOW, 0),
	/* Who cannot be dumped cannot be looked at by the guard either. */
	PRCTL(PR_SET_DUMPABLE, CAGE_ANSWER, 0), PRCTL(PR_SET_KEEPCAPS, CAGE_ANSWER, 0),
#define MADVISE(value) { SYS_madvise, { { 2, LOW, value } }, CAGE_ALLOW, 0 }
	/* Not those that poison the machine's memory. */
	MADVISE(MADV_NORMAL), MADVISE(MADV_RANDOM), MADVISE(MADV_SEQUENTIAL),
	MADVISE(MADV_WILLNEED), MADVISE(MADV_DONTNEED), MADVISE(MADV_FREE), MADVISE(MADV_REMOVE),
	MADVISE(MADV_DONTFORK), MADVISE(MADV_DOFORK), MADVISE(MADV_HUGEPAGE),
	MADVISE(MADV_NOHUGEPAGE), MADVISE(MADV_DONTDUMP), MADVISE(MADV_DODUMP),
	MADVISE(MADV_WIPEONFORK), MADVISE(MADV_KEEPONFORK), MADVISE(MADV_COLD),
	MADVISE(MADV_PAGEOUT), MADVISE(MADV_POPULATE_READ), MADVISE(MADV_POPULATE_WRITE),
};
/* clang-format on */

static const int starting_calls[] = { SYS_clone,     SYS_execve,    SYS_sendmsg,    SYS_seccomp,
				      SYS_setrlimit, SYS_prlimit64, SYS_personality };

const struct cage_call *cage_calls(size_t *n)
{
	*n = G_N_ELEMENTS(calls);
	return calls;
}

const struct cage_argument *cage_arguments(size_t *n)
{
	*n = G_N_ELEMENTS(arguments);
	return arguments;
}

const int *cage_starting_calls(size_t *n)
{
	*n = G_N_ELEMENTS(starting_calls);
	return starting_calls;
}
