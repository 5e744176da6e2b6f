/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the cage.  The plan's filter decides which system calls are
 * trapped; here the trapped ones are answered: what opens a file for writing
 * gets a copy in memory, signals reach nobody but this process.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <ucontext.h>

extern int __sigaction(int signo, const struct sigaction *action, struct sigaction *old);

enum { MAX_PATH = 4096, TRAPPED = 1 /* SYS_SECCOMP */ };

/* A file in memory with what fd has from its start; takes fd's number. */
static long replace_by_copy(int fd, int flags)
{
	int memory = (int)sys3(SYS_memfd_create, (long)"file", 0, 0);
	long copied = 1, result;

	while (memory >= 0 && !(flags & O_TRUNC) && copied > 0)
		copied = sys4(SYS_sendfile, memory, fd, 0, 1 << 20);
	if (memory < 0 || copied < 0) {
		sys_close(fd);
		if (memory >= 0)
			sys_close(memory);
		return memory < 0 ? memory : copied;
	}
	sys3(SYS_lseek, memory, 0, SEEK_SET);
	sys3(SYS_fcntl, memory, F_SETFL, flags & (O_APPEND | O_NONBLOCK));
	result = sys3(SYS_dup3, memory, fd, flags & O_CLOEXEC);
	sys_close(memory);
	return result;
}

/* 0 when the directory that path names a file in is there. */
static long look_for_directory(int at, const char *path)
{
	char directory[MAX_PATH];
	unsigned n = 0, end = 0;
	long fd;

	for (; path[n] && n + 2 < sizeof directory; n++) {
		directory[n] = path[n];
		if (path[n] == '/')
			end = n + 1;
	}
	if (path[n])
		return -ENAMETOOLONG;
	directory[end] = '\0';
	fd = sys4(SYS_openat, at, (long)(end ? directory : "."), O_PATH | O_DIRECTORY | O_CLOEXEC,
		  0);
	if (fd < 0)
		return fd;
	sys_close((int)fd);
	return 0;
}

static long open_new(int at, const char *path, int flags)
{
	long bad = look_for_directory(at, path);
	long fd =
		bad ? bad
		    : sys3(SYS_memfd_create, (long)"file", flags & O_CLOEXEC ? MFD_CLOEXEC : 0, 0);

	if (fd >= 0)
		sys3(SYS_fcntl, fd, F_SETFL, flags & (O_APPEND | O_NONBLOCK));
	return fd;
}

/* Devices that swallow what is written. */
static bool is_harmless(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev >> 8 == 1;
}

static long open_existing(int fd, int at, const char *path, int flags, int mode)
{
	struct stat st;

	if (sys3(SYS_fstat, fd, (long)&st, 0) || (flags & O_CREAT && flags & O_EXCL)) {
		sys_close(fd);
		return -EEXIST;
	}
	if ((flags & O_ACCMODE) == O_RDONLY && !(flags & O_TRUNC)) {
		sys_close(fd);
		return sys4(SYS_openat, at, (long)path, flags & ~O_CREAT, mode);
	}
	if (S_ISREG(st.st_mode))
		return replace_by_copy(fd, flags);
	sys_close(fd);
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return is_harmless(&st) ? sys4(SYS_openat, at, (long)path, flags & ~O_CREAT, mode)
				: -EACCES;
}

static long do_open(int at, const char *path, int flags, int mode)
{
	int look = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (flags & (O_NOFOLLOW | O_DIRECTORY));
	long fd;

	if ((flags & O_TMPFILE) == O_TMPFILE)
		return open_new(at, "file", flags);
	fd = sys4(SYS_openat, at, (long)path, look, 0);
	if (fd >= 0)
		return open_existing((int)fd, at, path, flags, mode);
	return fd == -ENOENT && flags & O_CREAT ? open_new(at, path, flags) : fd;
}

/* Signal 0 only asks. */
static long do_signal(long number, const greg_t *a)
{
	long me = sys3(SYS_getpid, 0, 0, 0), group = a[0];
	long signo = number == SYS_tgkill || number == SYS_rt_tgsigqueueinfo ? a[2] : a[1];

	if (number == SYS_tkill && !sys3(SYS_tgkill, me, a[0], 0))
		group = me;
	if (group != me && signo != 0)
		return -EPERM;
	return sys4(number, a[0], a[1], a[2], a[3]);
}

static long answer(long number, const greg_t *a)
{
	switch (number) {
	case SYS_open:
		return do_open(AT_FDCWD, (const char *)a[0], (int)a[1], (int)a[2]);
	case SYS_openat:
		return do_open((int)a[0], (const char *)a[1], (int)a[2], (int)a[3]);
	case SYS_creat:
		return do_open(AT_FDCWD, (const char *)a[0], O_WRONLY | O_CREAT | O_TRUNC,
			       (int)a[1]);
	case SYS_kill:
	case SYS_tkill:
	case SYS_tgkill:
	case SYS_rt_sigqueueinfo:
	case SYS_rt_tgsigqueueinfo:
		return do_signal(number, a);
	case SYS_fork:
	case SYS_vfork:
	case SYS_clone:
		return -EAGAIN;
	case SYS_execve:
	case SYS_execveat:
	case SYS_socket:
	case SYS_connect:
	case SYS_bind:
		return -EACCES;
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_rename:
	case SYS_renameat:
	case SYS_renameat2:
	case SYS_mkdir:
	case SYS_mkdirat:
	case SYS_rmdir:
	case SYS_truncate:
	case SYS_chmod:
	case SYS_fchmod:
	case SYS_fchmodat:
	case SYS_chown:
	case SYS_fchown:
	case SYS_lchown:
	case SYS_fchownat:
	case SYS_link:
	case SYS_linkat:
	case SYS_symlink:
	case SYS_symlinkat:
	case SYS_utimensat:
		return 0;
	default:
		return -ENOSYS;
	}
}

static void on_trap(int signo, siginfo_t *info, void *data)
{
	greg_t *regs = ((ucontext_t *)data)->uc_mcontext.gregs;
	const greg_t arguments[] = { regs[REG_RDI], regs[REG_RSI], regs[REG_RDX],
				     regs[REG_R10], regs[REG_R8],  regs[REG_R9] };

	(void)signo;
	if (info->si_code == TRAPPED)
		regs[REG_RAX] = answer(info->si_syscall, arguments);
}

bool cage_close(void)
{
	struct sock_fprog program = { .len = (unsigned short)agent.plan->n_filter,
				      .filter = (struct sock_filter *)(uintptr_t)in_plan(
					      agent.plan->filter) };
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };
	uint64_t trap = 1ull << (SIGSYS - 1);

	if (!program.filter || agent.plan->n_filter > 65535)
		return false;
	agent.caged = true;
	return !__sigaction(SIGSYS, &action, NULL) &&
	       !sys4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&trap, 0, 8) &&
	       !sys6(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) &&
	       !sys3(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program);
}
