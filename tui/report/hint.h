/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to try next, as commands that can be typed. */
#ifndef TUI_REPORT_HINT_H
#define TUI_REPORT_HINT_H

#include "tui/report/report.h"

/* A word as a shell takes it, quoted where that is needed.  (Not cleaned.) */
char *tui_hint_quoted(const char *word);
/* What to try next, or NULL.  shown: how many suspects are shown; place: where to stop in GDB,
 * NULL = nowhere. */
char *tui_hint(const struct explanation *e, unsigned shown, const char *place,
	       const struct tui_options *o);

#endif
