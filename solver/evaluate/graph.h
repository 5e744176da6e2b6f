/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accuracy graphs (Tang, Chan, Yu, Zhang, IEEE Trans. Reliability 2017): which formulas are
 * consistently more accurate than which, over all subjects and ways to rank ties.
 *
 * In each setting, which is a subject under a scheme, the formulas are compared by Kruskal and
 * Wallis's test and letters (kruskal.h, letters.h).  A formula is consistently more accurate than
 * another when it is more accurate in some setting and less in none (an ERAO relation).
 * Formulas that have the same letters in every setting are one node.  An edge leads from the more
 * accurate node to the other.  Drawn is the transitive reduction, unless the edges have a
 * circle, which is possible because they are not transitive: then all are drawn.
 */
#ifndef SOLVER_EVALUATE_GRAPH_H
#define SOLVER_EVALUATE_GRAPH_H

#include "solver/evaluate/letters.h"
#include "solver/rank/formulas.h"
#include "solver/rank/order.h"

#include <glib.h>

/* The share of false differences that a setting may have. */
#define GRAPH_ALPHA 0.05

struct graph_setting {
	const char *subject;
	enum rank_scheme scheme;
	unsigned n;		     /* measurements of each formula, at least 1 */
	const double *const *values; /* one array a formula; smaller is more accurate */
};

enum graph_relation {
	GRAPH_NONE, /* more accurate here, less there */
	GRAPH_SIMILAR,
	GRAPH_MORE,
	GRAPH_LESS,
	GRAPH_RELATIONS,
};

/* What the graph says of what theory says. */
enum graph_verdict {
	GRAPH_NO_THEORY,    /* theory does not say that the one is more accurate */
	GRAPH_REPRODUCED,   /* the same, consistently */
	GRAPH_WEAK,	    /* consistently similar */
	GRAPH_OPEN,	    /* neither */
	GRAPH_CONTRADICTED, /* the opposite, consistently */
	GRAPH_VERDICTS,
};

struct accuracy_graph {
	char *name;
	const char
		*what; /* which measurements it is about, for its title; static; NULL = not said */
	const struct formula **formulas;
	unsigned n, n_settings;
	GString *settings;		       /* a table's rows (accuracy_graph_settings_csv) */
	unsigned (*counts)[LETTERS_RELATIONS]; /* of a * n + b: in so many settings a is … than b */
	unsigned *node;			       /* of each formula */
	unsigned n_nodes;
	bool *edges; /* of node a * n_nodes + b */
	bool *drawn; /* likewise */
	bool circle; /* the edges have one */
};

/* settings: at least one.  Copies what it needs. */
struct accuracy_graph *accuracy_graph_new(const char *name, const struct formula *const *formulas,
					  unsigned n, const struct graph_setting *settings,
					  unsigned n_settings);
/* Gtheory itself: the relations of theory.h as a graph of the 30. */
struct accuracy_graph *accuracy_graph_of_theory(void);
void accuracy_graph_free(struct accuracy_graph *g);

enum graph_relation accuracy_graph_relation(const struct accuracy_graph *g, unsigned first,
					    unsigned second);
/* About theory's word that the first is never less accurate. */
enum graph_verdict accuracy_graph_verdict(const struct accuracy_graph *g, unsigned first,
					  unsigned second);

/* A word for each, for tables. */
extern const char *const graph_relation_words[GRAPH_RELATIONS];
extern const char *const graph_verdict_words[GRAPH_VERDICTS];

/* In the language of Graphviz.  Edges that theory has, too, are blue, those that only theory has
 * blue and dashed; what contradicts theory is red and says so.  Free it. */
char *accuracy_graph_dot(const struct accuracy_graph *g);
/* Adds a row for each pair of formulas; with the header when wanted. */
void accuracy_graph_csv(const struct accuracy_graph *g, bool header, GString *out);
/* Adds a row for each setting and formula: Kruskal and Wallis's test, mean rank and letters. */
void accuracy_graph_settings_csv(const struct accuracy_graph *g, bool header, GString *out);

#endif
