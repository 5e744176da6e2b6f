/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/cage-children.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ABOVE_ALL 0x400000 /* no process has a larger number (PID_MAX_LIMIT) */
#define MOST 10000	   /* in one run */

void cage_children_init(struct cage_children *c)
{
	*c = (struct cage_children){ .pids = g_array_new(FALSE, FALSE, sizeof(int)) };
}

void cage_children_clear(struct cage_children *c)
{
	g_array_free(c->pids, TRUE);
}

void cage_children_forget(struct cage_children *c)
{
	g_array_set_size(c->pids, 0);
	c->made = 0;
}

bool cage_children_starts(const struct seccomp_notif *request)
{
	return request->data.nr == SYS_vfork ||
	       (request->data.nr == SYS_clone &&
		request->data.args[0] == (CLONE_VM | CLONE_VFORK | SIGCHLD));
}

int cage_children_add(struct cage_children *c)
{
	int pid = ABOVE_ALL + 1 + (int)c->made;

	if (c->made >= MOST)
		return -EAGAIN;
	c->made++;
	g_array_append_val(c->pids, pid);
	return pid;
}

bool cage_children_only_seem(int pid)
{
	return pid > ABOVE_ALL;
}

/* The oldest one that is waited for; pids->len = none.  pid: as wait4 takes it. */
static guint find_waited_for(const struct cage_children *c, int pid)
{
	guint i = 0;

	while (i < c->pids->len && pid > 0 && g_array_index(c->pids, int, i) != pid)
		i++;
	return i;
}

/* The thread waits for the answer, and its memory may be another process's once it is gone, so
 * it is asked again when its memory is open. */
static bool write_memory(const struct seccomp_notif *request, int listener, uint64_t address,
			 const void *from, size_t n)
{
	char path[64];
	uint64_t id = request->id;
	int fd;
	bool ok;

	if (!address)
		return true;
	snprintf(path, sizeof path, "/proc/%u/mem", request->pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && !ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) &&
	     pwrite(fd, from, n, (off_t)address) == (ssize_t)n;
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool tell_wait4(const struct seccomp_notif *request, int listener)
{
	const int exited = 0;
	const struct rusage none = { 0 };

	return write_memory(request, listener, request->data.args[1], &exited, sizeof exited) &&
	       write_memory(request, listener, request->data.args[3], &none, sizeof none);
}

static bool tell_waitid(const struct seccomp_notif *request, int listener, int pid)
{
	siginfo_t info = { .si_signo = SIGCHLD, .si_code = CLD_EXITED };
	const struct rusage none = { 0 };

	info.si_pid = pid;
	info.si_uid = getuid();
	/* as many bytes as the kernel writes */
	return write_memory(request, listener, request->data.args[2], &info,
			    offsetof(siginfo_t, si_status) + sizeof info.si_status) &&
	       write_memory(request, listener, request->data.args[4], &none, sizeof none);
}

bool cage_children_wait(struct cage_children *c, const struct seccomp_notif *request, int listener,
			int *result)
{
	const __u64 *args = request->data.args;
	const bool by_id = request->data.nr == SYS_waitid;
	const int pid = !by_id ? (int)args[0] : args[0] == P_PID ? (int)args[1] : -1;
	const guint i = find_waited_for(c, pid);

	if (i == c->pids->len || (by_id && (args[0] == P_PIDFD || !(args[3] & WEXITED))))
		return false;
	*result = g_array_index(c->pids, int, i);
	if (!(by_id && args[3] & WNOWAIT))
		g_array_remove_index(c->pids, i);
	if (!(by_id ? tell_waitid(request, listener, *result) : tell_wait4(request, listener)))
		*result = -EFAULT;
	else if (by_id)
		*result = 0;
	return true;
}
