/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the interval solver share: interval-solver.c looks into boxes,
 * interval-question.c sets them up, interval-split.c says where to split one, interval-core.c
 * says why nothing is in them. */
#ifndef SOLVER_QUERY_INTERVAL_PRIVATE_H
#define SOLVER_QUERY_INTERVAL_PRIVATE_H

#include "solver/query/interval-solver.h"
#include "solver/smt/term/range.h"
#include "solver/smt/term/term-private.h"

/* A definition whose value is looked for. */
struct interval_dim {
	uint32_t number, variable;
	unsigned width;
	unsigned bits; /* the lowest ones, that matter */
	bool relaxed;  /* true: the definition is relaxed; false: it is what an unexplored side
			* may have written */
	bool free;     /* true: its value is free; false: it has the value that the program
			* computes */
	term_bits natural, found;
	struct range box;
};

#define NO_DIM UINT32_MAX

/* A term that changes. */
struct interval_step {
	const struct term_node *node;
	uint32_t term;
	uint32_t dim;  /* TERM_VAR: the dimension that it belongs to, or NO_DIM */
	uint32_t expr; /* TERM_VAR: the definition that makes it */
	uint8_t a_width, b_width;
};

struct interval_goal {
	uint32_t term;
	bool wanted;
	unsigned failures; /* how many boxes were dropped because of it */
};

struct interval_solver {
	const struct formula *f;
	const struct limits *limits;
	struct incremental *w;
	struct range *of;   /* by term: the ranges of terms that change, and of what they are
			     * made of */
	uint64_t *reasons;  /* by term: the dimensions that were split so that the range became
			     * what it is */
	uint32_t *needed;   /* by term: stamp */
	uint8_t *demanded;  /* by term that changes: how many of its lowest bits matter */
	uint32_t *step_of;  /* by term that changes */
	GArray *steps;	    /* struct interval_step, operands first */
	uint32_t settled;   /* so many of the first ones have the values of the run */
	GArray *dims;	    /* struct interval_dim */
	GArray *goals;	    /* struct interval_goal */
	GArray *open_steps; /* uint32_t: see struct open_list */
	GArray *open_goals; /* uint32_t */
	uint32_t stamp;
	GHashTable *core;    /* selectors; NULL = nobody asked for them */
	uint32_t *explained; /* by term: the box or question in which it was visited */
	GArray *to_explain;  /* uint32_t: terms */
	uint32_t boxes;	     /* even */
	uint32_t question;   /* odd */
	uint64_t work, most_work;
	const struct deadline *until; /* NULL = never */
	unsigned looks;
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

/* *relaxed: how many dimensions are relaxed.  False when the question has no witness, whatever
 * their values are. */
bool interval_take(struct interval_solver *b, const struct encoding_question *q, unsigned *relaxed);

/* The goal cannot hold in the present box: adds to the core what that rests on. */
void interval_explain(struct interval_solver *b, uint32_t goal);

/* The dimension to split, and the first value of its upper half; it looks for them below an
 * undecided goal. */
guint interval_split(const struct interval_solver *b, uint32_t goal, unsigned depth, term_bits *at);

#endif
