/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bisect.c, which looks into boxes, shares with bisect-question.c, which sets
 * them up, bisect-split.c, which says where to split one, and bisect-core.c, which says
 * why there is nothing in them. */
#ifndef SOLVER_QUERY_INTERVAL_PRIVATE_H
#define SOLVER_QUERY_INTERVAL_PRIVATE_H

#include "solver/query/interval-solver.h"
#include "solver/smt/range.h"
#include "solver/smt/term-private.h"

/* A definition whose value is looked for. */
struct bisect_dim {
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
struct bisect_step {
	const struct term_node *node;
	uint32_t term;
	uint32_t dim;  /* TERM_VAR: whose, or NO_DIM */
	uint32_t expr; /* TERM_VAR: what it is made by */
	uint8_t a_width, b_width;
};

struct bisect_goal {
	uint32_t term;
	bool wanted;
	unsigned failures; /* boxes that were dropped for it */
};

struct bisect {
	const struct formula *f;
	struct what_if *w;
	struct range *of;   /* by term: of those that change, and what they are made of */
	uint64_t *reasons;  /* by term, likewise: dimensions that were split for it to be so */
	uint32_t *needed;   /* by term: stamp */
	uint8_t *demanded;  /* by term that changes: its lowest bits that matter */
	uint32_t *step_of;  /* by term that changes */
	GArray *steps;	    /* struct bisect_step, operands first */
	GArray *dims;	    /* struct bisect_dim */
	GArray *goals;	    /* struct bisect_goal */
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

static inline struct bisect_dim *bisect_dim_at(const struct bisect *b, guint i)
{
	return &g_array_index(b->dims, struct bisect_dim, i);
}

static inline const struct bisect_step *bisect_step_at(const struct bisect *b, uint32_t i)
{
	return &g_array_index(b->steps, struct bisect_step, i);
}

/* *relaxed: how many dimensions are; false when the question has no witness whatever
 * they are. */
bool bisect_take(struct bisect *b, const struct encoding_question *q, unsigned *relaxed);

/* The goal cannot hold in the box at hand: what that rests on joins the core. */
void bisect_explain(struct bisect *b, uint32_t goal);

/* The dimension to split, and the first value of its upper half: looked for below
 * an undecided goal. */
guint bisect_split(const struct bisect *b, uint32_t goal, unsigned depth, term_bits *at);

#endif
