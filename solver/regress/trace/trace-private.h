/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SOLVER_REGRESS_TRACE_TRACE_PRIVATE_H
#define SOLVER_REGRESS_TRACE_TRACE_PRIVATE_H

#include "solver/formula/walk.h"
#include "solver/output/plan.h"
#include "solver/source/stop.h"
#include "solver/naming/naming.h"
#include "solver/regress/trace/trace.h"

struct regress_trace {
	struct regress_record record;
	struct requirement *requirement;
	struct trace_run *printing; /* of .plan: what the run printed, and what it should have */
	struct printed *printed;
	struct output_plan *plan;
	struct stop stop; /* where it printed what is wrong */
	struct trace_run *run;
	struct trace_summary *summary;
	struct lift *lift;
	struct selector_table *selectors;
	struct term_pool *pool;
	struct formula *formula;
	struct trace_point *point;
	struct reverse_index *index; /* what .point reads the past from */
	struct explanation *e;	     /* owns the strings */
	struct naming *naming;
	GHashTable *described; /* number + 1 -> struct regress_definition * */
};

static inline const struct definition *regress_definition_at(const struct regress_trace *t,
							     guint number)
{
	return &g_array_index(t->formula->definitions, struct definition, number);
}

/* Which way the run goes: held as it went, along one path. */
static inline bool regress_is_branch(const struct definition *d)
{
	return d->kind == DEF_GUARD || d->kind == DEF_TARGET;
}

#endif
