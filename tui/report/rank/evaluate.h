/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an evaluation measured (solver/evaluate), as text and as a page. */
#ifndef TUI_REPORT_RANK_EVALUATE_H
#define TUI_REPORT_RANK_EVALUATE_H

#include "solver/evaluate/graph.h"
#include "solver/evaluate/measurement.h"

/* A row a technique, for each subject and, when there are several, for all together; the ranks of
 * all tests by that scheme.  Free it. */
char *tui_evaluate_text(const struct measurements *m, enum rank_scheme scheme);

/* An accuracy graph of a page. */
struct tui_evaluate_graph {
	const struct accuracy_graph *graph;
	const char *what; /* which measurements, a phrase */
	const char *svg;  /* a document; NULL = it is not drawn */
};

/* The same tables and the graphs as a page that loads nothing.  Free it. */
char *tui_evaluate_html(const struct measurements *m, enum rank_scheme scheme,
			const struct tui_evaluate_graph *graphs, unsigned n_graphs);

#endif
