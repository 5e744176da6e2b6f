/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR_MOST = 40, INTERVAL_US = 50000, WIDTH_STANDARD = 80 };

char *progress_bar_text(const struct suite_progress *p, unsigned width)
{
	g_autofree char *counts =
		g_strdup_printf("%u of %u tests, %u failed", p->done, p->all, p->failed);
	unsigned used = (unsigned)strlen(counts) + 3;
	unsigned bar = MIN((unsigned)BAR_MOST, width > used + 1 ? width - used - 1 : 0);
	unsigned full = p->all ? (unsigned)((guint64)bar * p->done / p->all) : 0;
	g_autofree char *done = g_strnfill(full, '#');
	g_autofree char *left = g_strnfill(bar - full, '.');

	if (bar < 4)
		return g_strndup(counts, width > 1 ? width - 1 : 0);
	return g_strdup_printf("[%s%s] %s", done, left, counts);
}

void progress_bar_show(const struct suite_progress *p, void *arg)
{
	struct progress_bar *bar = arg;
	gint64 now = g_get_monotonic_time();
	struct winsize size = { 0 };
	g_autofree char *text = NULL;

	if (now - bar->last < INTERVAL_US || !isatty(STDERR_FILENO))
		return;
	ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
	text = progress_bar_text(p, size.ws_col ? size.ws_col : WIDTH_STANDARD);
	fprintf(stderr, "\r%s\033[K", text);
	bar->last = now;
	bar->shown = true;
}

void progress_bar_clear(struct progress_bar *bar)
{
	if (bar->shown)
		fputs("\r\033[K", stderr);
	bar->shown = false;
}
