/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a lesson's folder: the task, hints, answers, and what is expected of the answer. */
#ifndef GDBEXT_COMMAND_PANEL_PANEL_LESSON_H
#define GDBEXT_COMMAND_PANEL_PANEL_LESSON_H

#include "gdbext/lesson/predict.h"
#include "tui/panel/panel.h"

struct panel_lesson_work;

/* The program's lesson is shown in the panel from now on; NULL = it is of none. */
struct panel_lesson_work *panel_lesson_open(struct panel *p, const char *program);
void panel_lesson_close(struct panel_lesson_work *w);
/* Has the panel to ask what is expected, before the answer is shown?  Adds the program's source to
 * e, which has nothing yet, so that there is something to look at. */
bool panel_lesson_asks(const struct panel_lesson_work *w, struct explanation *e);
/* Serves PANEL_EXPECT, PANEL_HINT, PANEL_ANSWER, PANEL_CHECK. */
void panel_lesson_serve(struct panel_lesson_work *w, const struct panel_request *r);
/* The answer is complete: compares it with what was expected. */
void panel_lesson_compare(struct panel_lesson_work *w, const struct explanation *e);

#endif
