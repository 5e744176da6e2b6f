/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A question about a failing run, whatever is asked: the run, and what it does not meet.
 *
 *     options ──► run_source ──► trace point, requirement ──► analysis ──► explanation
 *                 (run-source.h)  (question_start)            (analysis.h)
 */
#ifndef GDBEXT_QUESTION_QUESTION_H
#define GDBEXT_QUESTION_QUESTION_H

#include "gdbext/question/runs/run-source.h"
#include "solver/formula/requirement.h"
#include "solver/source/trace-point/trace-point.h"

struct wrong_output;	       /* wrong-output.h */
struct failing_check_question; /* failing-check.h */
struct memory_error;	       /* memory-error.h */

struct question;

/* A first look, for which less work is done than the question may take. */
struct question_look {
	uint64_t work; /* microseconds of counted work (search.h), 0 = all that it takes */
	uint64_t more; /* where that was not enough, it is looked at again after this; 0 = never */
	enum limit limit; /* the one that .work is of */
	/* Is what was found until then enough?  Else the question goes on.  False with error:
	 * interrupted.  NULL: it is.  The replay may be turned to other tests. */
	bool (*is_enough)(void *arg, struct question *q, bool *enough, GError **error);
	void *arg;
};

struct question {
	const struct options *o;
	struct run_source run;
	struct trace_point *point;	      /* the failing run where it fails, or at a stop */
	struct requirement *requirement;      /* what it does not meet there; NULL = the question is
					       * not about what a change could bring about */
	struct reverse_index *index;	      /* the run until .point, backwards; NULL = none */
	struct failing_check_question *check; /* the failing checks; NULL = none were looked for */
	struct endless *endless;	      /* the loop in which it stays; NULL = it ends */
	const char *overflow;		      /* the recursion that filled the stack, in words;
					       * .e's; NULL = none did */
	struct memory_error *memory;	      /* the first invalid access; NULL = none was found */
	struct wrong_output *wrong;	      /* what the test has to print; NULL = nobody said */
	const struct weighting *weighting; /* NULL = all statements are equally likely; not owned */
	struct explanation *e;
	GTimer *clock;	/* since the question was asked */
	bool is_opened; /* .e tells what happened before .point; or the run is short */
	/* Is told of a crash as soon as .point and .requirement are those of the run's end; an
	 * invalid access or a check that failed before may take their place.  NULL = nobody is. */
	void (*crashed)(struct question *q);
	bool was_repeated;     /* second-run.h: .e->differs is known */
	char *told;	       /* what the user read already; NULL = nothing */
	double walk_ms;	       /* the time that it took to go to the point */
	struct deadline until; /* --timeout, and signals; starts with the question */
	int cut_by;	       /* LIMIT_...: why .until comes before --timeout is up; -1 = it does
				* not */
	bool has_others;       /* something was found that .e does not have yet */
	/* Is told whenever .e has another suspect; it may be put in another order later.  NULL =
	 * nobody is. */
	void (*found)(struct question *q, void *arg);
	void *found_arg;
	struct question_look look;
	/* Asked after each answer: do those in .e answer it?  NULL: all answers are wanted. */
	bool (*is_answered)(void *arg);
	void *is_answered_arg;
};

/* Fills .point, and .requirement where there is one; 0, or the exit status with error. */
typedef int question_require_fn(struct question *q, void *arg, GError **error);

/* From the options to a failing run with its requirement.  Makes the run, or opens the record,
 * and calls require (NULL: only the run is wanted).  0, or the exit status with error; call
 * question_clear in any case. */
int question_start(struct question *q, const struct options *o, question_require_fn *require,
		   void *arg, GError **error);
/* The same for another test, on the replay of `first', which has to stay alive.  It may be
 * impossible to ask about it although there is no error: then *threads, which says how many
 * ran, is not 1. */
int question_start_beside(struct question *q, const struct question *first, const struct options *o,
			  unsigned *threads, GError **error);
/* A run that was made already, what its program is, and how it failed. */
struct question_run {
	struct replay *replay; /* outlives the question */
	const char *program;   /* its path, as the user is told it; likewise */
	struct replay_failing failing;
	GHashTable *reporting; /* struct requirement's; likewise */
};
/* A question about such a run.  r's .failing becomes q's. */
int question_start_with_run(struct question *q, const struct options *o, struct question_run *r,
			    GError **error);
/* Runs of its replay, also for other questions, are made until so many seconds from now. */
void question_go_on(struct question *q, double seconds);
/* For question_start: the run where the test fails, and the requirement that it passes.  arg is
 * not used. */
question_require_fn question_require_pass;
/* .point, .requirement and .index are to be made anew. */
void question_forget_requirement(struct question *q);
/* Fills .point and .requirement anew: that the run ends otherwise than it did, where it did. */
int question_require_end(struct question *q, GError **error);
void question_clear(struct question *q); /* clears whatever was filled */

#endif
