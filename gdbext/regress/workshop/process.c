/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/process.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/replay.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/replay/cage/view.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_or_null(const char *path, int flags)
{
	return open(path ? path : "/dev/null", flags | O_CLOEXEC, 0600);
}

static pid_t start_workshop_process(const struct regress_process *p, GError **error)
{
	g_autofree char *path = g_find_program_in_path(p->argv[0]);
	g_autofree char *below = g_build_filename(p->directory, p->argv[0], NULL);
	struct launch l = { .path = path && !strchr(p->argv[0], '/') ? path
				    : g_path_is_absolute(p->argv[0]) ? p->argv[0]
								     : below,
			    .argv = p->argv,
			    .envp = p->envp,
			    .view = p->view && p->view->onto[0] ? p->view : NULL,
			    .directory = p->directory };
	pid_t pid = 0;

	l.in = open_or_null(p->stdin_file, O_RDONLY);
	l.err = open_or_null(p->log, O_WRONLY | O_CREAT | O_TRUNC);
	l.out = p->out ? open_or_null(p->out, O_WRONLY | O_CREAT | O_TRUNC) : l.err;
	if (l.in < 0 || l.out < 0 || l.err < 0)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_INPUT,
			    "Cannot open %s: %s; make it readable, or name another file.",
			    l.in < 0	? p->stdin_file
			    : l.out < 0 ? (p->out ? p->out : p->log)
					: p->log,
			    g_strerror(errno));
	else
		pid = supervisor_start(p->supervisor, &l, error);
	if (l.in >= 0)
		close(l.in);
	if (l.out >= 0)
		close(l.out);
	if (l.err >= 0 && l.err != l.out)
		close(l.err);
	return pid;
}

/* Until it ends, or one of the reasons to end it comes.  True when it ended by itself. */
static bool wait_for_process(pid_t pid, double timeout, enum regress_end *why)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	gint64 end = g_get_monotonic_time() + (gint64)(timeout * G_USEC_PER_SEC);
	bool ended = false;

	while (fd >= 0) {
		struct pollfd fds[] = { { fd, POLLIN, 0 }, { replay_interrupt_fd(), POLLIN, 0 } };
		gint64 left = (end - g_get_monotonic_time()) / 1000;

		if (replay_interrupted()) {
			*why = REGRESS_CANCELLED;
			break;
		}
		if (left <= 0) {
			*why = REGRESS_TIMED_OUT;
			break;
		}
		if (poll(fds, 2, (int)MIN(left, 1000)) > 0 && fds[0].revents) {
			ended = true;
			break;
		}
	}
	if (fd >= 0)
		close(fd);
	return ended;
}

bool regress_process_run(const struct regress_process *p, enum regress_end *end, int *number,
			 GError **error)
{
	pid_t pid = start_workshop_process(p, error);
	enum regress_end why = REGRESS_EXITED;
	struct supervised_end end_of = { 0 };
	bool ended;
	int status;

	if (!pid)
		return false;
	ended = wait_for_process(pid, p->timeout, &why);
	/* Its group goes too: a test may leave children. */
	if (!supervisor_end(p->supervisor, pid, &end_of, error))
		return false;
	status = end_of.status;
	if (!ended)
		*end = why;
	else
		*end = WIFSIGNALED(status) ? REGRESS_SIGNALLED : REGRESS_EXITED;
	*number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}
