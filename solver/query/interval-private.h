/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What interval-solver.c, which looks into boxes, shares with interval-question.c, which sets
 * them up, interval-split.c, which says where to split one, and interval-core.c, which says
 * why there is nothing in them. */
#ifndef SOLVER_QUERY_INTERVAL_PRIVATE_H
#define SOLVER_QUERY_INTERVAL_PRIVATE_H

#include "solver/query/interval-solver.h"
#include "solver/smt/range.h"
#include "solver/smt/term-private.h"

/* A definition whose value is looked for. */
struct interval_dim {
	uint32_t number, variable;
	unsigned width;
	unsigned bits; /* the lowest ones, that matter */
	bool relaxed;  /* else: what an unexplored side may have written */
	bool free;     /* else it has the value that the program computes */
	term_bits natural, found;
	struct range box;
};

#define NO_DIM UINT32_MAX

/* A term that changes. */
struct interval_step {
	const struct term_node *node;
	uint32_t term;
	uint32_t dim;  /* TERM_VAR: whose, or NO_DIM */
	uint32_t expr; /* TERM_VAR: what it is made by */
	uint8_t a_width, b_width;
};

struct interval_goal {
	uint32_t term;
	bool wanted;
	unsigned failures; /* boxes that were dropped for it */
};

struct interval_solver {
	const struct formula *f;
	const struct limits *limits;
	struct incremental *w;
	struct range *of;   /* by term: of those that change, and what they are made of */
	uint64_t *reasons;  /* by term, likewise: dimensions that were split for it to be so */
	uint32_t *needed;   /* by term: stamp */
	uint8_t *demanded;  /* by term that changes: its lowest bits that matter */
	uint32_t *step_of;  /* by term that changes */
	GArray *steps;	    /* struct interval_step, operands first */
	GArray *dims;	    /* struct interval_dim */
	GArray *goals;	    /* struct interval_goal */
	GArray *open_steps; /* uint32_t: see struct open_list */
	GArray *open_goals; /* uint32_t */
	uint32_t stamp;
	GHashTable *core;    /* selectors; NULL = not asked for */
	uint32_t *explained; /* by term: boxes or question, when it was visited */
	GArray *to_explain;  /* uint32_t: terms */
	uint32_t boxes;	     /* even */
	uint32_t question;   /* odd */
	uint64_t work, most_work;
};

static inline struct interval_dim *interval_dim_at(const struct interval_solver *b, guint i)
{
	return &g_array_index(b->dims, struct interval_dim, i);
}

static inline const struct interval_step *interval_step_at(const struct interval_solver *b,
							   uint32_t i)
{
	return &g_array_index(b->steps, struct interval_step, i);
}

/* *relaxed: how many dimensions are; false when the question has no witness whatever
 * they are. */
bool interval_take(struct interval_solver *b, const struct encoding_question *q, unsigned *relaxed);

/* The goal cannot hold in the box at hand: what that rests on joins the core. */
void interval_explain(struct interval_solver *b, uint32_t goal);

/* The dimension to split, and the first value of its upper half: looked for below
 * an undecided goal. */
guint interval_split(const struct interval_solver *b, uint32_t goal, unsigned depth, term_bits *at);

#endif
