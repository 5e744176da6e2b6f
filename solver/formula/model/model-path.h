/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way that a model takes through a formula, and what has to be changed so that a
 * real run takes the same way.
 *
 * The formula's path log is a tree written in order: entries of instructions and
 * definitions, and for a branch both sides, one after the other.  To follow a model, we
 * skip the sides that its guards do not take, and count the instructions that we pass.
 * The counts give each change its place: "after the 3rd execution".
 */
#ifndef SOLVER_FORMULA_MODEL_MODEL_PATH_H
#define SOLVER_FORMULA_MODEL_MODEL_PATH_H

#include "solver/formula/formula.h"

/* A definition whose value in the model differs from what the program computes. */
struct model_path_change {
	uint32_t def;
	term_bits natural, value;
};

struct model_path {
	GArray *actions; /* struct trace_action, in the order of the path */
	GArray *changes; /* struct model_path_change, one for each action */
	bool leaves;	 /* the path goes where no run of the formula went */
};

/* values: one for each variable number (encoding_model).  run: any record of the formula; it
 * gives modules and load addresses. */
struct model_path *model_path_of_model(const struct formula *f, const term_bits *values,
				       const struct trace_run *run);
/* Follows the way that those values take, but makes only these changes on it (ascending by
 * definition).  After them, the run goes on as it may. */
struct model_path *model_path_of_changes(const struct formula *f, const term_bits *values,
					 const struct model_path_change *changes, unsigned n,
					 const struct trace_run *run);
/* The side of a PATH_BRANCH that these values take. */
bool model_path_outcome(const struct path_entry *e, const term_bits *values);
void model_path_free(struct model_path *p);
/* A line for each change, with the action that makes it in a run.
 * GDB_WHY_LOG=formula:debug shows each path. */
void model_path_dump(FILE *out, const struct model_path *p);

#endif
