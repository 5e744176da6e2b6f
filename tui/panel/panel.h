/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The panel: source, suspects, the way to the failure and output on one screen, with
 * one selection that all of them share.
 *
 * This is the state, and what keys do to it.  view.c draws it on a canvas, and curses.c
 * shows the canvas on a terminal, so everything can be tested without a terminal.
 */
#ifndef TUI_PANEL_PANEL_H
#define TUI_PANEL_PANEL_H

#include "tui/panel/canvas.h"
#include "tui/report/report.h"

/* Keys that are not characters. */
enum {
	PANEL_UP = 0x110000,
	PANEL_DOWN,
	PANEL_LEFT,
	PANEL_RIGHT,
	PANEL_PAGE_UP,
	PANEL_PAGE_DOWN,
	PANEL_HOME,
	PANEL_END,
	PANEL_ENTER,
	PANEL_ESCAPE,
	PANEL_BACKSPACE,
	PANEL_BACKTAB,
	PANEL_F1,
	PANEL_F5,
	PANEL_F6,
	PANEL_F7,
	PANEL_F8,
	PANEL_F10,
};

enum panel_pane {
	PANEL_SOURCE,
	PANEL_SUSPECTS,
	PANEL_CHAIN,
	PANEL_OUTPUT,
	PANEL_TASK, /* only in a lesson */
	PANEL_N_PANES,
};

/* What the user wants and the panel cannot do itself. */
enum panel_action {
	PANEL_NOTHING,
	PANEL_QUIT,
	PANEL_WHY,     /* .text: an expression */
	PANEL_WHY_NOT, /* .text: a condition */
	PANEL_FLIP,    /* the branch at .file, .line */
	PANEL_WHAT_IF, /* .text: "LVALUE = VALUE", at .file, .line */
	PANEL_GO_TO,   /* .file, .line */
	PANEL_BREAK,   /* .file, .line: a breakpoint was set there or taken away */
	PANEL_GDB,     /* .text: a command of GDB's */
	PANEL_EXPORT,  /* .text: a file's name */
	PANEL_CANCEL,  /* what runs */
	PANEL_EXPECT,  /* .text: what the user expects of the answer, "" = nothing */
	PANEL_HINT,    /* the next one; it was said what it costs */
	PANEL_ANSWER,  /* .file, .line: there is the fault; .text: why */
	PANEL_CHECK,   /* is the answer right? */
};

struct panel_request {
	enum panel_action action;
	const char *file; /* it belongs to the explanation */
	unsigned line;
	const char *text; /* it belongs to the panel, until the next key */
};

struct panel;

/* directory: files below it are named relative to it; NULL: the current one.  ascii: only such
 * characters are drawn. */
struct panel *panel_new(const char *directory, bool ascii);
void panel_free(struct panel *p);

/* Shows e, which must live until the next call or longer than the panel.  What is selected
 * stays selected if it is still there.  busy: more may come; NULL: everything is there. */
void panel_set(struct panel *p, const struct explanation *e, const char *busy);
/* Other words than those that the explanation itself gives.  Must outlive the panel. */
struct panel_words {
	const char *title;     /* how the test failed; NULL = the explanation's words */
	const char *count;     /* what was found; likewise */
	char *const *suspects; /* beside the place of each; NULL = likewise */
};
void panel_say_as(struct panel *p, const struct panel_words *words);
/* What the panel knows of a lesson of the course. */
struct panel_lesson {
	const char *title, *goal; /* of the lesson */
	const char *progress;	  /* how far the user is, in a line */
	const char *task;	  /* what there is to do, and the hints so far; lines */
	const char *price;	  /* of the next hint: "5 points"; NULL = there is none */
	const char *final;	  /* the question at its end */
};
/* There is a task pane from now on, and keys for hints and answers.  Copies l; NULL = there is no
 * lesson.  end: the end of the task is shown, where a new hint stands. */
void panel_set_lesson(struct panel *p, const struct panel_lesson *l, bool end);
/* Asks what the user expects of the answer; the next request is PANEL_EXPECT. */
void panel_ask_expected(struct panel *p);
/* Appends text of any number of lines to the output. */
void panel_output(struct panel *p, const char *text);
/* The same of what the test printed: Enter on one of its lines asks which call printed that
 * (PANEL_WHY with "output N"). */
void panel_test_output(struct panel *p, const char *text);
/* Shows the line of a source that the answer has; file: its last name is enough. */
void panel_show_line(struct panel *p, const char *file, unsigned line);
/* The same, and scrolls so that its first line is shown.  focus: keys go there. */
void panel_answer(struct panel *p, const char *text, bool focus);
/* What the pane of the output is about, instead of output; NULL = output. */
void panel_entitle_output(struct panel *p, const char *title);
/* A message for the last line. */
void panel_say(struct panel *p, const char *text);
/* What is said beside a line of the source. */
enum panel_remark {
	PANEL_REMARK_NOTE,   /* the user's */
	PANEL_REMARK_RESULT, /* what came of a change that was tried there */
	PANEL_REMARK_BREAK,  /* a breakpoint that the user wants */
};
/* Replaces the one of that kind that is there; NULL or "": removes it. */
void panel_remark(struct panel *p, const char *file, unsigned line, enum panel_remark kind,
		  const char *text);
typedef void panel_remark_fn(void *arg, const char *file, unsigned line, const char *text);
/* All of a kind, in the order in which they were made. */
void panel_remarks(const struct panel *p, enum panel_remark kind, panel_remark_fn *each, void *arg);

/* Says which requests the caller serves; the panel says of the others that they are not
 * possible.  Without this call only quitting is served. */
void panel_serve(struct panel *p, unsigned actions /* 1 << enum panel_action */);

/* What a key does; the request is for the caller. */
struct panel_request panel_key(struct panel *p, int key);
/* A click on column x, row y of the canvas as last drawn. */
void panel_click(struct panel *p, unsigned x, unsigned y);

void panel_draw(struct panel *p, struct canvas *c);

/* One line for each key, for help and the man page: "j, down   next line\n"; free it. */
char *panel_keys_help(void);

/* --- curses.c --- */

/* Where requests go. */
struct panel_backend {
	void *arg;
	/* NULL: nowhere.  Serves a request; false: the panel ends. */
	bool (*request)(void *arg, struct panel *p, const struct panel_request *r);
};

/* Are standard input and output a terminal that the panel can run on? */
bool panel_can_run(void);
/* Runs on the terminal of standard input and output until the user quits.  False when there is
 * no terminal on which it could run (errno is not set).  Ctrl-C is a key.  Meanwhile it serves
 * GLib's default main context: what comes from there may call panel_set and its like. */
bool panel_run(struct panel *p, const struct panel_backend *backend, bool colors);

#endif
