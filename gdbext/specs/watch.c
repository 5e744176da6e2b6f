/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/watch.h"

#include "gdbext/contract/contract.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/specs/spec/specs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TELL_FD = 200, TICK_MS = 50 };

/* LD_PRELOAD is seen by the program as it was: the loader has read it by then. */
static char **environment_of(const struct spec_built *built, bool stop)
{
	char **env = g_get_environ();
	const char *preload = g_environ_getenv(env, "LD_PRELOAD");
	g_autofree char *all = preload ? g_strconcat(built->preload, ":", preload, NULL)
				       : g_strdup(built->preload);
	g_autofree char *order = g_strdup_printf("fd %d%s", TELL_FD, stop ? " stop" : "");

	env = g_environ_setenv(env, "LD_PRELOAD", all, TRUE);
	return g_environ_setenv(env, WHY_ORDER_ENV, order, TRUE);
}

static void die_with_us(gpointer data)
{
	(void)data;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static bool start_watched(const struct spec_built *built, const struct watch_options *o, int tell,
			  GPid *pid, GError **error)
{
	g_auto(GStrv) env = environment_of(built, o->stop);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int in = open(o->stdin_file ? o->stdin_file : "/dev/null", O_RDONLY | O_CLOEXEC);
	int target = TELL_FD;
	bool ok;

	if (in < 0) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The standard input %s cannot be read: %s.", o->stdin_file,
			    g_strerror(errno));
		return false;
	}
	g_ptr_array_add(argv, built->program);
	for (char *const *word = o->argv; *word; word++)
		g_ptr_array_add(argv, *word);
	g_ptr_array_add(argv, NULL);
	ok = g_spawn_async_with_pipes_and_fds(
		o->directory, (const char *const *)argv->pdata, (const char *const *)env,
		G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_FILE_AND_ARGV_ZERO, die_with_us, NULL, in, -1,
		-1, &tell, &target, 1, pid, NULL, NULL, NULL, error);
	close(in);
	return ok;
}

static char *read_all_told(int fd)
{
	struct stat st;
	char *text;
	ssize_t got;

	if (fstat(fd, &st) < 0)
		return g_strdup("");
	text = g_malloc((gsize)st.st_size + 1);
	got = pread(fd, text, (size_t)st.st_size, 0);
	text[MAX(got, 0)] = '\0';
	return text;
}

/* Has the same predicate been evaluated since the last time that we looked? */
static bool is_trying(int fd, off_t *seen)
{
	char tail[64] = "";
	off_t size = lseek(fd, 0, SEEK_END);
	off_t from = MAX(size - (off_t)sizeof tail + 1, 0);
	const char *last;
	bool same = size == *seen;

	*seen = size;
	if (!same || pread(fd, tail, (size_t)(size - from), from) < 0)
		return false;
	last = g_strrstr(tail, "@why ");
	return last && g_str_has_prefix(last, "@why try");
}

/* Waits for the end.  Kills it when a predicate takes longer than it may. */
static bool wait_for_watched(GPid pid, int tell, const struct watch_options *o, struct watched *out,
			     GError **error)
{
	int pidfd = pidfd_open(pid, 0), status = 0;
	gint64 since = g_get_monotonic_time();
	off_t seen = -1;
	bool ok = true;

	for (;;) {
		struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
					{ .fd = replay_interrupt_fd(), .events = POLLIN } };

		poll(fds, G_N_ELEMENTS(fds), TICK_MS);
		if (fds[0].revents)
			break;
		ok = replay_check_interrupt(error);
		if (!is_trying(tell, &seen))
			since = g_get_monotonic_time();
		out->was_ended =
			deadline_is_over(o->until) ||
			g_get_monotonic_time() - since > (gint64)o->limits->predicate_ms * 1000;
		if (!ok || out->was_ended) {
			kill(pid, SIGKILL);
			break;
		}
	}
	waitpid(pid, &status, 0);
	close(pidfd);
	out->exited = WIFEXITED(status);
	out->number = out->exited ? WEXITSTATUS(status) : WTERMSIG(status);
	return ok;
}

bool watch_run(const struct spec *s, const struct spec_built *built, const struct watch_options *o,
	       struct watched *out, GError **error)
{
	int tell = memfd_create("gdb-why-spec", MFD_CLOEXEC);
	g_autofree char *text = NULL;
	bool ok;
	GPid pid;

	*out = (struct watched){ 0 };
	if (tell < 0) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM, "There is no memory: %s.",
			    g_strerror(errno));
		return false;
	}
	ok = start_watched(built, o, tell, &pid, error) &&
	     wait_for_watched(pid, tell, o, out, error);
	text = read_all_told(tell);
	close(tell);
	if (ok)
		spec_events_read(text, s->functions->len, &out->events);
	if (ok && !out->exited && !out->was_ended)
		spec_events_blame(&out->events, s, out->number);
	return ok;
}

void watched_clear(struct watched *w)
{
	spec_events_clear(&w->events);
}
