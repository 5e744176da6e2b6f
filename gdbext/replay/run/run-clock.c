/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/run-clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its time ends after so many times the limit at the latest, because the kernel may not tell of all
 * that a run waits for: processes that are gone, or a kernel without schedstat.  It is no limit of
 * the table, because it must not be reached: on a machine with ten times as many runnable threads
 * as processors a run is still given its whole time. */
enum { MOST_TIMES = 10 };

/* What a thread has waited for a processor: the second number of its schedstat. */
static gint64 queued_by_thread(const char *tasks, const char *thread)
{
	g_autofree char *path = g_build_filename(tasks, thread, "schedstat", NULL);
	g_autofree char *text = NULL;
	char *second;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	g_ascii_strtoull(text, &second, 10);
	return (gint64)(g_ascii_strtoull(second, NULL, 10) / 1000);
}

static gint64 queued_by_process(const char *process)
{
	g_autofree char *path = g_build_filename("/proc", process, "task", NULL);
	g_autoptr(GDir) tasks = g_dir_open(path, 0, NULL);
	gint64 queued = 0;
	const char *thread;

	while (tasks && (thread = g_dir_read_name(tasks)))
		queued += queued_by_thread(path, thread);
	return queued;
}

/* Does "PID (NAME) STATE PARENT GROUP ..." name this process or group? */
static bool belongs_to(const char *process, pid_t pid)
{
	g_autofree char *path = g_build_filename("/proc", process, "stat", NULL);
	g_autofree char *text = NULL;
	const char *name_end;
	int group = 0;

	if (strtol(process, NULL, 10) == pid)
		return true;
	if (!g_ascii_isdigit(*process) || !g_file_get_contents(path, &text, NULL, NULL))
		return false;
	name_end = strrchr(text, ')');
	return name_end && sscanf(name_end, ") %*c %*d %d", &group) == 1 && group == pid;
}

/* Microseconds that the process and its group have waited for a processor. */
static gint64 queued_by_group(pid_t pid)
{
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	gint64 queued = 0;
	const char *name;

	while (processes && (name = g_dir_read_name(processes)))
		if (belongs_to(name, pid))
			queued += queued_by_process(name);
	return queued;
}

struct run_clock run_clock_of_new(pid_t pid, double seconds)
{
	return (struct run_clock){ .pid = pid,
				   .start = g_get_monotonic_time(),
				   .limit = (gint64)(seconds * 1e6) };
}

struct run_clock run_clock_start(pid_t pid, double seconds)
{
	g_autofree char *name = g_strdup_printf("%d", (int)pid);

	return (struct run_clock){ .pid = pid,
				   .start = g_get_monotonic_time(),
				   .limit = (gint64)(seconds * 1e6),
				   .queued = queued_by_process(name) };
}

gint64 run_clock_left(const struct run_clock *c)
{
	gint64 gone = g_get_monotonic_time() - c->start;
	gint64 queued;

	/* the usual case asks nothing of the kernel */
	if (gone < c->limit)
		return c->limit - gone;
	queued = queued_by_group(c->pid) - c->queued;
	return MIN(c->limit - gone + CLAMP(queued, 0, gone), MOST_TIMES * c->limit - gone);
}
