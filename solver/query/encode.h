/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A formula as questions to the solver.  Only what the requirements depend on, through
 * definitions and guards, is asserted.
 *
 * Selectors are Boolean variables.  When one is assumed, the definitions of its
 * statement hold; when it is left out, their values are free.  One more assumption says
 * that the path stays on sides that some run took.
 */
#ifndef SOLVER_QUERY_ENCODE_H
#define SOLVER_QUERY_ENCODE_H

#include "solver/formula/formula.h"
#include "solver/query/inline.h"
#include "solver/smt/smt.h"

struct encoding {
	const struct formula *formula;
	struct smt *smt;
	struct inlined *inlined;
	GArray *parts; /* uint32_t: the terms that constraints and sides are made of, ascending */
	GHashTable *relevant; /* terms of the variables that are asserted */
	GArray *selectors;    /* unsigned: numbers of the selectors that matter, ascending */
	GHashTable *kept;     /* how many literals of encoding_keep were made */
	unsigned near;	      /* how many literals of encoding_near were made */
	uint64_t clauses;
};

/* smt: new, owned by the caller.  scope: what questions may relax; everything else is worked in.
 * Cores need all selectors.  w: as inlined_new() takes it.  When the deadline of smt is over the
 * encoding is not whole, and smt answers no more question. */
struct encoding *encode(const struct formula *f, struct smt *smt, const struct inlined_scope *scope,
			struct incremental *w);
void encoding_free(struct encoding *e);

/* A question: all selectors hold except those that are relaxed. */
struct encoding_question {
	const unsigned *relaxed; /* numbers of selectors, ascending */
	unsigned n;
	bool explored;	     /* only along sides that some run took, … */
	const GArray *avoid; /* … or along all sides except these (uint32_t: unexplored sides);
			      * NULL = none */
};

/* Does the definition belong to one of the relaxed selectors, and does it matter? */
bool encoding_question_relaxes(const struct encoding_question *q, const struct definition *d);
bool encoding_is_relaxed(const struct encoding *e, const struct definition *d,
			 const struct encoding_question *q);

/* May the question's path go down this unexplored side?  True when it may not. */
bool encoding_question_avoids(const struct encoding_question *q, uint32_t unexplored);

/* Literals that say: this definition holds; its value is at most so far away from what the
 * program computes there (distance at most a quarter of the range). */
uint32_t encoding_keep(struct encoding *e, uint32_t number);
uint32_t encoding_near(struct encoding *e, uint32_t number, uint64_t distance);

/* Appends the literals of a question; numbers (may be NULL) gets the selectors
 * in the same order. */
void encoding_assume(struct encoding *e, const struct encoding_question *q, GArray *literals,
		     GArray *numbers);

/* After SMT_UNSAT: fills *core with selector numbers; it is cleared first. */
enum smt_answer encoding_check(struct encoding *e, const struct encoding_question *q,
			       unsigned effort_ms, GArray *core);

/* After SMT_SAT: the value of every variable in the model, by number.  Relaxed and unknown ones
 * are as the solver chose, all others follow from them.  Caller frees. */
term_bits *encoding_model(struct encoding *e, const struct encoding_question *q);

#endif
