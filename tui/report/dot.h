/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways of all suspects to the failure as one graph for Graphviz. */
#ifndef TUI_REPORT_DOT_H
#define TUI_REPORT_DOT_H

#include "tui/report/report.h"

/* A whole digraph, to be written to file; free it. */
char *tui_dot(FILE *file, const struct explanation *e, const struct tui_options *o);

#endif
