/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes above it: the supervisor, the guard, whoever started them. */
#include "tests/cage/attack.h"

#include <sys/ptrace.h>
#include <sys/resource.h>

static int parent_of(int pid)
{
	char path[64], line[128];
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "PPid: %d", &parent);
	if (f)
		fclose(f);
	return parent;
}

static void overwrite(int pid)
{
	char path[64], line[512], harm[64];
	struct iovec ours = { harm, sizeof harm };
	FILE *maps;
	int memory;

	memset(harm, 0xcc, sizeof harm);
	snprintf(path, sizeof path, "/proc/%d/mem", pid);
	memory = open(path, O_RDWR);
	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long from = strtoul(line, NULL, 16);
		struct iovec theirs = { (void *)from, sizeof harm };

		if (!strstr(line, "r-xp") && !strstr(line, "rw-p"))
			continue;
		DO(process_vm_writev(pid, &ours, 1, &theirs, 1, 0));
		DO(pwrite(memory, harm, sizeof harm, (off_t)from));
	}
}

ATTACK(parents)
{
	struct rlimit few = { 3, 3 };

	(void)w;
	for (int pid = getppid(), i = 0; pid > 1 && i < 3; pid = parent_of(pid), i++) {
		DO(ptrace(PTRACE_ATTACH, pid, 0, 0));
		DO(ptrace(PTRACE_SEIZE, pid, 0, 0));
		overwrite(pid);
		DO(prlimit(pid, RLIMIT_NOFILE, &few, NULL));
		DO(setpriority(PRIO_PROCESS, (id_t)pid, 19));
		DO(syscall(SYS_ioprio_set, 1, pid, 3 << 13));
		DO(syscall(SYS_kcmp, getpid(), pid, 0, 0, 0));
		DO(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), FD_WRITE, 0));
		DO(kill(pid, SIGSTOP));
		DO(kill(pid, SIGTERM));
		DO(kill(pid, SIGKILL));
	}
}
