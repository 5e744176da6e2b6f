/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson in the panel: what there is to do, and how far the user is. */
#include "tui/words/line.h"
#include "tui/panel/private.h"

#include <string.h>

struct panel_task {
	struct panel_lesson lesson; /* its strings are owned */
	GPtrArray *rows;	    /* char *: the task, broken into rows */
	unsigned width;		    /* of these; 0 = not yet */
	bool end;		    /* the last rows are to be shown */
};

void panel_task_free(struct panel_task *t)
{
	if (!t)
		return;
	g_free((char *)t->lesson.title);
	g_free((char *)t->lesson.goal);
	g_free((char *)t->lesson.progress);
	g_free((char *)t->lesson.task);
	g_free((char *)t->lesson.price);
	g_free((char *)t->lesson.final);
	g_ptr_array_unref(t->rows);
	g_free(t);
}

void panel_set_lesson(struct panel *p, const struct panel_lesson *l, bool end)
{
	struct panel_task *before = p->task;

	p->task = NULL;
	if (l) {
		p->task = g_new0(struct panel_task, 1);
		p->task->rows = g_ptr_array_new_with_free_func(g_free);
		p->task->end = end;
		p->task->lesson = (struct panel_lesson){
			.title = tui_clean(l->title),
			.goal = tui_clean(l->goal),
			.progress = tui_clean(l->progress),
			.task = g_strdup(l->task),
			.price = g_strdup(l->price),
			.final = tui_clean(l->final),
		};
	}
	panel_task_free(before);
	if (!p->task && p->focus == PANEL_TASK)
		p->focus = p->lower = PANEL_SUSPECTS;
}

void panel_ask_expected(struct panel *p)
{
	p->input = INPUT_EXPECT;
	p->focus = PANEL_SOURCE;
	g_string_truncate(p->typed, 0);
}

const struct panel_lesson *panel_lesson_of(const struct panel *p)
{
	return p->task ? &p->task->lesson : NULL;
}

static void add_paragraph(GPtrArray *rows, GString *paragraph, unsigned width)
{
	g_autofree char *text = tui_clean(paragraph->str);
	g_autoptr(GPtrArray) broken = paragraph->len ? tui_wrap(text, width) : NULL;

	for (guint i = 0; broken && i < broken->len; i++)
		g_ptr_array_add(rows, g_strdup(broken->pdata[i]));
	g_string_truncate(paragraph, 0);
}

/* Lines that follow each other are a paragraph; empty, indented and heading ones stand alone. */
static void break_text(struct panel_task *t, unsigned width)
{
	g_auto(GStrv) lines = g_strsplit(t->lesson.task, "\n", -1);
	g_autoptr(GString) paragraph = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		bool alone = !**line || strchr(" \t#", **line);

		if (!alone) {
			g_string_append_printf(paragraph, "%s%s", paragraph->len ? " " : "", *line);
			continue;
		}
		add_paragraph(t->rows, paragraph, width);
		g_ptr_array_add(t->rows, tui_clean_code(*line));
	}
	add_paragraph(t->rows, paragraph, width);
}

void panel_task_wrap(struct panel *p, unsigned width)
{
	struct panel_list *l = &p->lists[PANEL_TASK];
	struct panel_task *t = p->task;

	if (t && t->width != width) {
		g_ptr_array_set_size(t->rows, 0);
		break_text(t, width > 2 ? width - 2 : 1);
		t->width = width;
	}
	l->n = t ? t->rows->len : 0;
	if (!t || !t->end)
		return;
	l->selected = l->n ? l->n - 1 : 0;
	panel_scroll_into_view(l);
	t->end = false;
}

const char *panel_task_row(const struct panel *p, unsigned row)
{
	return p->task && row < p->task->rows->len ? p->task->rows->pdata[row] : "";
}

char *panel_task_question(const struct panel *p, enum panel_input input)
{
	const struct explanation_source *source = panel_source(p);

	if (!p->task)
		return NULL;
	if (input == INPUT_HINT)
		return g_strdup_printf("a hint costs %s; Enter takes it, Escape does not: ",
				       p->task->lesson.price);
	if (input == INPUT_ANSWER && source)
		return g_strdup_printf("the fault is in line %u, because: ",
				       p->lists[PANEL_SOURCE].selected + 1);
	return NULL;
}
