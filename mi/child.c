/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/child.h"
#include "mi/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long killed processes of the session may take to go away. */
#define SWEEP_ROUNDS 400
#define SWEEP_PAUSE_US 5000

/* Between fork and exec. */
static void become_leader(gpointer parent)
{
	sigset_t none;

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != GPOINTER_TO_INT(parent))
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* GLib gives up where close_range() is refused */
	descriptors_close_on_exec(3, ~0u);
}

bool mi_child_start(struct mi_child *child, char **argv, char **envp, const char *directory,
		    GError **error)
{
	const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
				  G_SPAWN_CLOEXEC_PIPES | G_SPAWN_LEAVE_DESCRIPTORS_OPEN;
	GPid pid;

	if (!g_spawn_async_with_pipes(directory, argv, envp, flags, become_leader,
				      GINT_TO_POINTER(getpid()), &pid, &child->in, &child->out,
				      &child->err, error))
		return false;
	child->pid = pid;
	g_unix_set_fd_nonblocking(child->in, TRUE, NULL);
	g_unix_set_fd_nonblocking(child->out, TRUE, NULL);
	g_unix_set_fd_nonblocking(child->err, TRUE, NULL);
	return true;
}

bool mi_child_has_ended(const struct mi_child *child)
{
	siginfo_t info = { 0 };

	if (!child->pid)
		return true;
	if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return errno == ECHILD;
	return info.si_pid == child->pid;
}

gssize mi_child_write(struct mi_child *child, const void *bytes, size_t n)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe, before, pending;
	gssize done;
	bool was_pending;
	int cause;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	do
		done = write(child->in, bytes, n);
	while (done < 0 && errno == EINTR);
	cause = errno;
	if (done < 0 && cause == EPIPE && !was_pending)
		while (sigtimedwait(&pipe, NULL, &at_once) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (done >= 0)
		return done;
	return cause == EAGAIN ? 0 : -1;
}

/* Is the process with this number alive, and is it in the session? */
static bool lives_in_session(const char *number, pid_t session)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/stat", number);
	g_autofree char *text = NULL;
	const char *after_name;
	char state;
	int sid;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	after_name = strrchr(text, ')');
	if (!after_name || sscanf(after_name, ") %c %*d %*d %d", &state, &sid) != 2)
		return false;
	return sid == session && state != 'Z' && state != 'X';
}

/* Kills the living processes of the session; returns whether there were any. */
static bool kill_session(pid_t session)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	bool any = false;

	if (!proc)
		return kill(-session, SIGKILL) == 0;
	while ((entry = readdir(proc))) {
		if (!g_ascii_isdigit(entry->d_name[0]) || !lives_in_session(entry->d_name, session))
			continue;
		kill((pid_t)atoi(entry->d_name), SIGKILL);
		any = true;
	}
	closedir(proc);
	return any;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static char *describe_end(int status)
{
	if (WIFSIGNALED(status))
		return g_strdup_printf("was killed by signal %d (%s)", WTERMSIG(status),
				       strsignal(WTERMSIG(status)));
	return g_strdup_printf("ended by itself with status %d", WEXITSTATUS(status));
}

void mi_child_sweep(pid_t session)
{
	for (int i = 0; kill_session(session) && i < SWEEP_ROUNDS; i++)
		g_usleep(SWEEP_PAUSE_US);
}

char *mi_child_finish(struct mi_child *child)
{
	int status = 0;
	pid_t reaped;

	close_fd(&child->in);
	close_fd(&child->out);
	close_fd(&child->err);
	if (!child->pid)
		return g_strdup("had ended before");
	mi_child_sweep(child->pid);
	do
		reaped = waitpid(child->pid, &status, 0);
	while (reaped < 0 && errno == EINTR);
	child->pid = 0;
	return reaped < 0 ? g_strdup("ended") : describe_end(status);
}
