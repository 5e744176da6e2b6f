/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other runs of the same process, and that process. */
#include "tests/cage/attack.h"

#include <sys/ptrace.h>
#include <sys/resource.h>

static void harm(int pid)
{
	const struct rlimit none = { 0, 0 };
	siginfo_t info = { .si_code = SI_QUEUE };
	char path[64];
	int fd;

	DO(kill(pid, SIGSTOP));
	DO(kill(pid, SIGUSR1));
	DO((int)syscall(SYS_tkill, pid, SIGKILL));
	DO((int)syscall(SYS_tgkill, pid, pid, SIGKILL));
	DO((int)syscall(SYS_rt_sigqueueinfo, pid, SIGTERM, &info));
	DO((int)syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGTERM, &info));
	DO(ptrace(PTRACE_SEIZE, pid, 0, 0) && ptrace(PTRACE_ATTACH, pid, 0, 0));
	DO(prlimit(pid, RLIMIT_CPU, &none, NULL));
	DO(setpriority(PRIO_PROCESS, (id_t)pid, 19));
	DO((int)syscall(SYS_process_madvise, syscall(SYS_pidfd_open, pid, 0), NULL, 0, 21, 0));
	snprintf(path, sizeof path, "/proc/%d/mem", pid);
	fd = open(path, O_RDWR);
	DO(pwrite(fd, "harm", 4, (off_t)(unsigned long)&environ));
	DO(pwrite(fd, "harm", 4, 0x1c0000000000));
	close(fd);
}

ATTACK(siblings)
{
	char path[64];
	FILE *children;
	int pid;

	harm(getppid());
	harm(w->victim);
	DO(killpg(getpgid(getppid()), SIGUSR1));
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", getppid(), getppid());
	children = fopen(path, "r");
	while (children && fscanf(children, "%d", &pid) == 1)
		if (pid != getpid())
			harm(pid);
}
