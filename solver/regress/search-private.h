/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SOLVER_REGRESS_SEARCH_PRIVATE_H
#define SOLVER_REGRESS_SEARCH_PRIVATE_H

#include "solver/regress/search.h"
#include "solver/regress/units.h"

struct regress_search {
	const struct regress_changes *changes;
	struct regress_oracle *oracle;
	const struct limits *limits;
	GArray *all;	      /* all changes */
	GHashTable **words;   /* by change: what it declares or uses; made when first asked for */
	GPtrArray *completed; /* struct completed: what let sets compile */
	GMutex lock;	      /* of .words, .completed */
	int stopped;	      /* atomic */
	bool applying;	      /* sets are not reverted in the new version, but applied to the old */
	bool thorough;	      /* where complaints do not help, complete a set with all others */
};

struct completed {
	GArray *delta, *auxiliary;
};

/* A set that lets delta compile, not the least: nothing, what helped a part of it, what complaints
 * name, all others.  NULL = none is known.  A new set. */
GArray *regress_completion(struct regress_search *s, const GArray *delta);
/* Alg. 4 proper: the least of a set with which delta compiles.  Takes from over; a new set. */
GArray *regress_completion_shrink(struct regress_search *s, const GArray *delta, GArray *from);
/* The changes outside of the set that are nearest to what a compiler says of it; whole_files: all
 * of the files that it is about, where there are some.  A new set. */
GArray *regress_wanted(struct regress_search *s, const GArray *set, const char *complaint,
		       bool whole_files);

/* Notes a stop.  The verdict as it was. */
enum regress_verdict regress_note(struct regress_search *s, enum regress_verdict v);

/* The i-th of n about equal parts of a list, in its order.  A new array. */
GArray *regress_part(const GArray *list, guint i, guint n);
/* The list without that part. */
GArray *regress_without_part(const GArray *list, guint i, guint n);

/* The members of a list, and what they come with only.  A new set. */
GArray *regress_closed_set_of(const struct regress_search *s, const GArray *list);

/* A candidate that several threads look at side by side. */
struct regress_candidate {
	struct regress_search *search;
	GArray *list; /* changes, in the order of the search; owned */
	GArray *set;  /* the same as a closed set */
	enum regress_verdict verdict;
	GArray *auxiliary; /* NULL = it cannot be completed; owned */
	GArray *with_more; /* it fails, but passes with these; NULL = not known; owned */
};
/* Takes the list over. */
struct regress_candidate *regress_candidate_new(struct regress_search *s, GArray *list);
void regress_candidate_free(void *candidate);

#endif
