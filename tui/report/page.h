/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the text renderers write on: a growing string that knows how wide the
 * screen is, whether it has colours, and from where files are named.
 */
#ifndef TUI_REPORT_PAGE_H
#define TUI_REPORT_PAGE_H

#include "tui/report/color.h"

struct tui_page {
	GString *out;
	unsigned width;
	bool colors;
	char *directory; /* absolute */
	bool last_names; /* files are named by their last name alone */
};

/* The columns of lines on out: the terminal's, at most 100; 80 when out is none. */
unsigned tui_width_of(FILE *out);
/* Is out a terminal whose cursor can go back up over lines of that width? */
bool tui_can_redraw(FILE *out);

void tui_page_init(struct tui_page *page, FILE *out, const struct tui_options *o);
void tui_page_deinit(struct tui_page *page);

/* Appends clean text in the role's colour. */
void tui_put(struct tui_page *page, enum tui_role role, const char *text);
void tui_putf(struct tui_page *page, enum tui_role role, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
/* Appends text, then blanks up to width columns. */
void tui_put_padded(struct tui_page *page, enum tui_role role, const char *text, unsigned width);
void tui_put_blanks(struct tui_page *page, unsigned n);
void tui_newline(struct tui_page *page);
/* Appends text in lines that start with `indent` blanks; the first is written
 * where the line now stands, at column indent. */
void tui_put_wrapped(struct tui_page *page, enum tui_role role, const char *text, unsigned indent);

/* Names files by their last names where these differ among all of the explanation's. */
void tui_shorten_names(struct tui_page *page, const struct explanation *e);
/* "p.c:10": file relative to the page's directory where that is shorter (or its
 * last name alone), line 0
 * = unknown; at most `width` columns, the head of a long path is cut.  Free it. */
char *tui_place(const struct tui_page *page, const char *file, unsigned line, unsigned width);

#endif
