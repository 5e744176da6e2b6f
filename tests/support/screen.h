/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel without a terminal, for tests: a screen as text. */
#ifndef TESTS_SUPPORT_SCREEN_H
#define TESTS_SUPPORT_SCREEN_H

#include "tests/support/explain.h"
#include "tui/panel/panel.h"

struct screen_fixture {
	struct explanation *e;
	struct panel *p;
};

/* The source of the paper's example, as this file. */
void screen_add_source(struct explanation *e, const char *file);
/* The example with its source, in a panel. */
struct screen_fixture screen_paper(bool ascii);
void screen_end(struct screen_fixture *f);
/* What is drawn; free it. */
char *screen_of(struct panel *p, unsigned width, unsigned height);
/* Against tests/data/panel/NAME.txt; PANEL_WRITE in the environment writes it. */
void screen_check(struct panel *p, unsigned width, unsigned height, const char *name);
/* Types the text, key by key. */
void screen_type(struct panel *p, const char *text);

#endif
