/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cheap candidates by replay, before any formula is made: what is near the failure in the
 * dynamic slice is changed, one executed instruction at a time, and the test run again with
 * that.  So the first proven suspects of a long run are there when the formula of it has not
 * even been begun, and they depend on how far the cause is, not on how long the run is.
 *
 *     a branch went one way      it goes the other way (predicate switching: Zhang, Gupta and
 *                                Gupta, "Locating faults through automated predicate
 *                                switching", 2006)
 *     a value was given          what the place held before, 0, 1, one more, one less (value
 *                                replacement: Jeffrey, Gupta and Gupta, "Fault localization
 *                                using value replacement", 2008); for pointers NULL instead;
 *                                and what the instruction gave when it was executed before
 *
 * Of a short run the formula comes first.  Where it was cut, branches are turned afterwards, of
 * lines that nothing proven names.
 *
 * Where a text is missing, any earlier decision may be the reason, whatever the run that did not
 * print it depended on: the last decisions before it are turned, too.
 *
 * After a failure that is an exit status, a run that passes although it still writes the same
 * message to standard error has only hidden the failure: it is an answer when there is no other.
 * Where output is wrong in several places, no single change may mend them all: when nothing is
 * proven, those that mend the first of them come last.
 */
#ifndef SOLVER_SEARCH_NEARBY_H
#define SOLVER_SEARCH_NEARBY_H

#include "solver/base/deadline.h"
#include "solver/formula/formula.h"
#include "solver/formula/requirement.h"
#include "solver/slice/slice.h"

struct nearby_options {
	struct image *const *images; /* in the plan's order */
	size_t n_images;
	const char *record;		 /* directory of the failing run */
	unsigned thread;		 /* the one that failed */
	const struct trace_point *point; /* the failing run where it fails */
	struct reverse_index *index;	 /* has that run; every step of it */
	struct runner *runner;
	const struct requirement *requirement;
	/* The point is before an instruction that is not to be executed so: what it is about to
	 * use, NULL = only whether it is executed counts; and the value that it should have. */
	bool before;
	const struct reverse_index_place *place;
	bool place_is_text;	/* characters that untraced code reads */
	const uint64_t *wanted; /* NULL = not known */
	bool thin;		/* nearby_slice: struct slice_end's */
	bool mended;		/* a likely change is known with which the test passes */
	/* A text should have been printed before that, by some of this code (runtime addresses;
	 * none = nobody knows by which). */
	bool lacks_text;
	const uint64_t *missing;
	size_t n_missing;
	/* Not 0: at most so many branches are turned, of lines that are not known, and nothing
	 * else is changed; where that hides the failure or moves it, it is no answer. */
	unsigned decisions;
	bool (*is_known)(const void *arg, const struct image_statement *s);
	const void *known_arg;
	const char
		*err; /* file with what the failing run wrote to standard error; NULL = not known */
	const struct limits *limits;  /* NULL = the defaults */
	const struct deadline *until; /* NULL = never */
};

/* A change of an executed instruction with which the test passes; where it only made the test
 * fail later in the same way, of its next executions too. */
struct nearby_answer {
	struct definition definition; /* DEF_GUARD, DEF_MEMORY or DEF_REGISTER; of no formula */
	term_bits value; /* with which the test passes; .definition.actual: the run's */
	const struct trace_action *actions; /* in the order of the run */
	unsigned n_actions;
	uint64_t executions; /* of the instruction, in the whole run */
	unsigned distance;   /* causal, in statements */
	bool avoids;	     /* control does not come to the failure any more that way */
	/* Lines of the output, as struct search_answer has them: the test still fails, but more of
	 * that is right.  0 = the test passes. */
	unsigned further_from, further_to;
};

/* The dynamic slice from where the options say that the run fails.  Of the options .point, .index,
 * .requirement, .before, .place, .missing and .thin count.  Free it with slice_free. */
struct slice *nearby_slice(const struct nearby_options *options);

struct nearby;

/* Nothing is owned; all must outlive it.  NULL with error when the record makes no sense. */
struct nearby *nearby_new(const struct nearby_options *options, GError **error);
void nearby_free(struct nearby *n);

/* The next statement that a run proved, nearest first, one answer a statement; n's.  NULL at
 * the end, or with error. */
const struct nearby_answer *nearby_next(struct nearby *n, GError **error);
/* How many executions are changed, one after the other. */
unsigned nearby_instances(const struct nearby *n);

#endif
