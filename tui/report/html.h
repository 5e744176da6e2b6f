/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer as one page: the explanations with what each replay showed, the
 * way from each to the failure as a drawing, the source around all that.  It
 * loads nothing, has no scripts, and is fit for print.
 */
#ifndef TUI_REPORT_HTML_H
#define TUI_REPORT_HTML_H

#include "tui/report/report.h"

/* A whole document, to be written to file; free it. */
char *tui_html(FILE *file, const struct explanation *e, const struct tui_options *o);

#endif
