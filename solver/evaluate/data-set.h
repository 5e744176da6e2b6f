/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From measurements to accuracy graphs: the graphs of Tang, Chan, Yu, Zhang, each of the
 * measurements that satisfy certain assumptions.
 *
 *     D1  all
 *     D2  one faulty line, nothing missing, no test crashes: what theory assumes
 *     D3  as D2, but tests do crash
 *     D4  as D2, but several lines are faulty
 */
#ifndef SOLVER_EVALUATE_DATA_SET_H
#define SOLVER_EVALUATE_DATA_SET_H

#include "solver/evaluate/graph.h"
#include "solver/evaluate/measurement.h"

enum data_set { DATA_SET_D1, DATA_SET_D2, DATA_SET_D3, DATA_SET_D4, DATA_SETS };
bool data_set_has(enum data_set d, const struct measurement *row);
/* The smallest of D2, D3, D4 that it is in; D1 where it is in none of these. */
enum data_set data_set_of(const struct measurement *row);

struct data_set_graph {
	const char *name;
	enum data_set of;
	bool all_formulas; /* the 42; else the 30 of theory */
	const char *what;  /* for people */
};
extern const struct data_set_graph data_set_graphs[];
extern const unsigned n_data_set_graphs;

/* NULL: there is no such graph. */
const struct data_set_graph *data_set_find_graph(const char *name);

/* A formula of the graph for which nothing was measured; NULL: there is none. */
const struct formula *data_set_lacks(const struct data_set_graph *which,
				     const struct measurements *m);
/* The graph of these measurements.  A version with a suite counts where each of the formulas was
 * measured with it, and has a rank.  NULL: none does. */
struct accuracy_graph *data_set_graph(const struct data_set_graph *which,
				      const struct measurements *m);

#endif
