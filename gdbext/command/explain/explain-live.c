/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain/explain-live.h"
#include "tui/report/page.h"
#include "tui/report/report.h"

#include <string.h>

enum { SHOWN_MOST = 3 };

static char *rows_shown_live(const struct explanation *e, const struct options *o)
{
	bool colors = tui_color_wanted((enum tui_color_when)o->color, stdout);
	const struct tui_options t = {
		.rows_only = true,
		.max_suspects = SHOWN_MOST,
		.color = colors ? TUI_COLOR_ALWAYS : TUI_COLOR_NEVER,
		.width = tui_width_of(stdout),
	};
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	tui_print(out, e, &t);
	fclose(out);
	return text;
}

static unsigned count_text_lines(const char *text)
{
	unsigned n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static void erase_shown(struct explain_live *live)
{
	if (live->shown)
		printf("\033[%uA\033[J", live->lines);
	g_clear_pointer(&live->shown, free);
}

static void show_live_suspects(struct question *q, void *arg)
{
	struct explain_live *live = arg;
	char *rows = rows_shown_live(q->e, q->o);

	if (!q->e->suspects->len || g_strcmp0(rows, live->shown) == 0) {
		free(rows);
		return;
	}
	erase_shown(live);
	live->shown = rows;
	live->lines = 1 + count_text_lines(rows);
	printf("found so far (Ctrl-C ends the search):\n%s", rows);
	fflush(stdout);
}

void explain_live_watch(struct explain_live *live, struct question *q)
{
	const struct options *o = q->o;

	if (o->events || o->output || o->stream || (enum tui_format)o->format != TUI_TEXT ||
	    !tui_can_redraw(stdout))
		return;
	q->found = show_live_suspects;
	q->found_arg = live;
}

void explain_live_erase(struct explain_live *live, struct question *q)
{
	q->found = NULL;
	erase_shown(live);
}

void explain_live_clear(struct explain_live *live)
{
	g_clear_pointer(&live->shown, free);
}
