/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an engine behind smt.h provides.  Each function does what the one of that name there
 * does. */
#ifndef SOLVER_SMT_SMT_ENGINE_H
#define SOLVER_SMT_SMT_ENGINE_H

#include "solver/smt/smt.h"

struct smt_engine {
	void *(*create)(struct term_pool *p);
	void (*free)(void *engine);
	void (*end_at)(void *engine, const struct deadline *until);
	void (*expect)(void *engine, uint32_t variable, term_bits value); /* NULL = no use */
	void (*assert)(void *engine, uint32_t boolean);
	enum smt_answer (*check)(void *engine, const uint32_t *assumptions, unsigned n,
				 unsigned effort_ms);
	uint64_t (*cost)(void *engine); /* NULL = unknown */
	uint64_t (*work)(void *engine); /* NULL = unknown */
	/* Is the i-th assumption among those that cannot all hold? */
	bool (*in_core)(void *engine, uint32_t assumption);
	term_bits (*value)(void *engine, uint32_t variable);
};

extern const struct smt_engine smt_bitblast_engine; /* bit-blast.c */
extern const struct smt_engine smt_z3_engine;	    /* z3.c */

#endif
