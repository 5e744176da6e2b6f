/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the panel's files share. */
#ifndef TUI_PANEL_PRIVATE_H
#define TUI_PANEL_PRIVATE_H

#include "tui/report/page.h"
#include "tui/panel/panel.h"

/* What is being typed at the last line. */
enum panel_input {
	INPUT_NONE,
	INPUT_SEARCH,
	INPUT_WHY,
	INPUT_WHY_NOT,
	INPUT_WHAT_IF,
	INPUT_EXPORT,
	INPUT_NOTE,
	INPUT_EXPECT,
	INPUT_HINT,
	INPUT_ANSWER,
};

/* A scrolled list: rows from 0. */
struct panel_list {
	unsigned selected, top, n;
	unsigned height; /* rows shown, as last drawn */
};

/* What stands beside a line of the source. */
struct panel_mark {
	unsigned rank; /* of the first suspect there; 0: none */
	bool on_way, failed, not_executed, passed /* tests executed it */, breakpoint;
	char *values, *remarks; /* NULL: none */
};

struct panel {
	unsigned width, height;	     /* of the screen that was drawn last */
	const struct explanation *e; /* NULL: nothing yet */
	struct tui_page page;	     /* for the names of files */
	bool ascii, help;
	unsigned help_top;
	enum panel_pane focus, lower; /* lower: shown below the source on a narrow screen */
	struct panel_list lists[PANEL_N_PANES];
	bool chosen;	 /* the user has selected something: a new answer keeps it */
	unsigned source; /* index in e->sources */
	bool folded;	 /* the way to the failure is folded: only its ends are shown */
	GPtrArray *output;
	unsigned printed_from, n_printed; /* rows of it that are lines of the test's output */
	char *output_title;		  /* NULL = output */
	unsigned served;
	struct panel_words words;
	struct panel_task *task; /* of task.c; NULL: there is no lesson */
	unsigned slide;		 /* which one is shown, from 1; 0: none */
	char *busy, *message;
	enum panel_input input;
	GString *typed;
	char *suggestion; /* what an empty line stands for, while something is typed; NULL: nothing
			   */
	char *search;
	GPtrArray *remarks;   /* of marks.c */
	GHashTable *marks;    /* line of the source -> struct panel_mark */
	GByteArray *comments; /* of the source that is shown (syntax.h); NULL: not known */
	bool marks_valid;
	struct canvas_area areas[PANEL_N_PANES]; /* as last drawn; width 0: not shown */
};

/* The suspect that is selected, its link that is; NULL: none. */
const struct explanation_suspect *panel_suspect(const struct panel *p);
const struct explanation_link *panel_link(const struct panel *p, unsigned row);
/* Without a suspect the way is that of what failed, as far as it is told. */
bool panel_tells_opening(const struct panel *p);
/* Links of the selected suspect's way that are shown: indices in its chain. */
unsigned panel_n_links(const struct panel *p);
unsigned panel_chain_at(const struct panel *p, unsigned row);
const struct explanation_source *panel_source(const struct panel *p);

/* --- marks.c --- */

void panel_marks_init(struct panel *p);
void panel_marks_deinit(struct panel *p);
/* Call it when something else is shown or selected. */
void panel_marks_change(struct panel *p);
/* The marks of the source that is shown; they stay valid until the next change. */
const struct panel_mark *panel_mark_at(struct panel *p, unsigned line);
/* NULL: none. */
const char *panel_remark_at(const struct panel *p, const char *file, unsigned line,
			    enum panel_remark kind);

/* --- task.c: a lesson --- */

void panel_task_free(struct panel_task *t);
/* Breaks the task into rows of so many columns. */
void panel_task_wrap(struct panel *p, unsigned width);
const char *panel_task_row(const struct panel *p, unsigned row);
/* NULL: there is no lesson. */
const struct panel_lesson *panel_lesson_of(const struct panel *p);
/* What the last line asks before a hint is given; free it. */
char *panel_task_question(const struct panel *p, enum panel_input input);

/* --- detail.c --- */

/* The pane's selected row, broken into lines of that width (char *), as many as a pane of that
 * height has room for below its list; free the array. */
GPtrArray *panel_detail(const struct panel *p, enum panel_pane pane, unsigned width,
			unsigned height);
void panel_detail_draw(const struct panel *p, enum panel_pane pane, struct canvas *c);

/* --- slides.c: the way to the failure, step by step --- */

unsigned panel_n_slides(const struct panel *p);
/* True: the key was one of the slides'. */
bool panel_slides_key(struct panel *p, int key);
void panel_slides_draw(struct panel *p, struct canvas *c);

/* --- panel.c --- */

/* Selects it; scrolls as little as possible. */
void panel_select(struct panel *p, enum panel_pane pane, unsigned row);
void panel_scroll_into_view(struct panel_list *l);
/* Selects it; a line that is far from what is shown comes to the middle. */
void panel_centre(struct panel_list *l);
void panel_show_place(struct panel *p, const char *file, unsigned line);

#endif
