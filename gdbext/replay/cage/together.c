/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/together.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Here and below: where the kernel does not do it, nothing is lost but time. */
void together_begin(struct together *t)
{
	int cpu = sched_getcpu();

	*t = (struct together){ 0 };
	if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof t->all, &t->all))
		return;
	CPU_SET(cpu, &t->one);
	t->holds = !sched_setaffinity(0, sizeof t->one, &t->one);
	t->yields = t->holds && sched_getscheduler(0) == SCHED_OTHER &&
		    !sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){ 0 });
}

void together_bring(const struct together *t, pid_t pid)
{
	if (t->holds)
		sched_setaffinity(pid, sizeof t->one, &t->one);
}

void together_release(const struct together *t, pid_t pid)
{
	if (t->holds)
		sched_setaffinity(pid, sizeof t->all, &t->all);
}

/* Is there a thread that had to be released? */
static bool release_threads(const struct together *t, pid_t pid)
{
	char path[64];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t thread = atoi(entry->d_name);
		cpu_set_t now;

		if (thread <= 0 || sched_getaffinity(thread, sizeof now, &now) ||
		    !CPU_EQUAL(&now, &t->one))
			continue;
		found |= !sched_setaffinity(thread, sizeof t->all, &t->all);
	}
	if (dir)
		closedir(dir);
	return found;
}

void together_end(struct together *t, pid_t pid)
{
	if (!t->holds)
		return;
	t->holds = false;
	if (t->yields)
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	sched_setaffinity(0, sizeof t->all, &t->all);
	if (CPU_EQUAL(&t->one, &t->all))
		return;
	/* A thread that is not released yet may have started another one. */
	while (pid && release_threads(t, pid))
		;
}
