/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct suite_strays {
	int subreaper; /* what we were before */
	char *before;  /* our children then: " 12 13 " */
};

/* " 12 13 ": the children of all our threads. */
static char *children(void)
{
	g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
	GString *all = g_string_new(" ");
	const char *task;

	while (tasks && (task = g_dir_read_name(tasks))) {
		g_autofree char *path = g_build_filename("/proc/self/task", task, "children", NULL);
		g_autofree char *text = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL) && *text)
			g_string_append_printf(all, "%s ", g_strstrip(text));
	}
	return g_string_free(all, FALSE);
}

struct suite_strays *suite_strays_begin(void)
{
	struct suite_strays *s = g_new0(struct suite_strays, 1);

	prctl(PR_GET_CHILD_SUBREAPER, &s->subreaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	s->before = children();
	return s;
}

/* Kills the children that were not there before; false: there are none. */
static bool kill_strays(const struct suite_strays *s)
{
	g_autofree char *now = children();
	g_auto(GStrv) pids = g_strsplit(g_strstrip(now), " ", -1);
	bool any = false;

	for (char **p = pids; *p; p++) {
		g_autofree char *word = g_strdup_printf(" %s ", *p);
		pid_t pid = atoi(*p);

		if (pid <= 0 || strstr(s->before, word))
			continue;
		any = true;
		kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return any;
}

void suite_strays_end(struct suite_strays *s)
{
	if (!s)
		return;
	/* what they had started becomes ours only now */
	while (kill_strays(s))
		;
	prctl(PR_SET_CHILD_SUBREAPER, s->subreaper);
	g_free(s->before);
	g_free(s);
}
