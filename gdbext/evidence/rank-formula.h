/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Techniques that rank lines by explaining failing tests, for `rank' and `evaluate': the lines of
 * the explanations, combined (solver/answer/combine.h), as scores. */
#ifndef GDBEXT_EVIDENCE_RANK_FORMULA_H
#define GDBEXT_EVIDENCE_RANK_FORMULA_H

#include "gdbext/options/options.h"
#include "gdbext/suite/run.h"

struct rank_formula {
	const char *name;
	bool weighted;	/* it weighs statements by what the suite says, and asks for evidence
			 * (evidence.h) */
	bool all_paths; /* of the formula of all paths, as BugAssist */
	bool joint;	/* it takes what explains every failing test (solver/search/joint.h) */
};

/* NULL: it is not one of them. */
const struct rank_formula *rank_formula_find(const char *name);

/* All techniques that rank lines, by their names with commas between them: an array of struct
 * technique, of which those that explain have .given but no .given_lines.  NULL with error: there
 * is none of that name. */
GArray *rank_formula_techniques(const char *names, const struct limits *limits, GError **error);

/* Techniques that weigh statements share their explanations, because these take the time. */
struct rank_formulas;
/* techniques: struct technique, all that will be asked for.  Nothing is owned. */
struct rank_formulas *rank_formulas_new(const struct options *o, const struct suite_result *r,
					const GArray *techniques);
void rank_formulas_free(struct rank_formulas *f);
/* One score for each line of r's units, 0 when no explanation names it; owned by f.  NULL with
 * error; *status is then the exit status. */
const double *rank_formulas_lines(struct rank_formulas *f, const struct rank_formula *t,
				  int *status, GError **error);
/* After that: is the line part of an explanation that was proven?  One a line, owned by f. */
const bool *rank_formulas_proven(const struct rank_formulas *f, const struct rank_formula *t);

/* After that: lines without code that an explanation names (struct ranking_extra, of that number of
 * a technique); free the array, its texts are f's. */
GArray *rank_formulas_extras(const struct rank_formulas *f, const struct rank_formula *t,
			     unsigned technique);

/* What cut them, in a sentence; NULL = nothing did. */
const char *rank_formulas_cut(const struct rank_formulas *f);
/* Why explanations were made without runs, so that nothing is proven; NULL = with runs. */
const char *rank_formulas_not_run(const struct rank_formulas *f);

#endif
