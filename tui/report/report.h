/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one entry to rendering: an explanation goes in; text, JSON, a page (HTML) or a
 * graph (DOT) comes out.  A new format is a new row in the table of report.c.
 */
#ifndef TUI_REPORT_REPORT_H
#define TUI_REPORT_REPORT_H

#include "solver/explanation.h"

#include <stdbool.h>
#include <stdio.h>

enum tui_format { TUI_TEXT, TUI_JSON, TUI_HTML, TUI_DOT };
enum tui_graph { TUI_CHAIN, TUI_REGIONS };
enum tui_part { TUI_WHOLE, TUI_HEAD, TUI_REST, TUI_STATS, TUI_WAYS };
enum tui_color_when { TUI_COLOR_AUTO, TUI_COLOR_ALWAYS, TUI_COLOR_NEVER };

/* All zero is a good default, except that .max_suspects 0 means all. */
struct tui_options {
	enum tui_format format;
	enum tui_color_when color;
	enum tui_graph graph; /* DOT: what is drawn */
	bool stats;	      /* text: adds a table of what each stage took (JSON always has it) */
	bool one_line;	      /* JSON: a document on one line */
	/* text: how it failed and what happened, all that follows, or the table of .stats or the
	 * ways alone */
	enum tui_part part;
	bool rows_only;	       /* text: nothing but the rows of the suspects */
	unsigned max_suspects; /* text, HTML: how many are shown, 0 = all */
	/* text: the command that shows the other suspects ("--all", "suspects").  When there
	 * are more than a few, only the first ones and the first one's way are shown; NULL =
	 * show all. */
	const char *others;
	const char *way;   /* the command that shows the first one's way; NULL = .others does */
	const char *input; /* text: the file that the test reads, for the command that is suggested;
			    * NULL = none */
	const char *go_to; /* text: what is suggested about the first suspect; NULL = a command that
			    * starts GDB, or, with .in_gdb, two of the GDB that asks */
	bool in_gdb;
	unsigned max_rows; /* a tree of causes as text: how many rows are shown, 0 = all */
	/* the command that goes on from one of its rows is .from_row, its number and .behind_row,
	 * as in `why --row 4 x'; .from_row: NULL = the rows have no numbers, and all are shown;
	 * .behind_row: NULL = nothing */
	const char *from_row, *behind_row;
	const char *deeper;	  /* the command that goes further back; NULL = there is none */
	bool thorough, no_hijack; /* text: these options were given */
	unsigned above;		  /* text: lines of the answer that were printed before */
	unsigned width;		  /* columns; 0 = the terminal's, up to 100; 80 when out is none */
	const char *directory; /* names below it are shown relative to it; NULL = the current one */
};

/* Writes e to out and flushes it.  e may lack everything that a solver may not know: NULL
 * strings, empty arrays.  Returns false when out took no more (errno says why). */
bool tui_print(FILE *out, const struct explanation *e, const struct tui_options *o);

/* What the end of a file's name says: .txt, .json, .html or .dot; false = none of these. */
bool tui_format_of(const char *name, enum tui_format *format);

#endif
