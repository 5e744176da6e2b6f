/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is required of a run: that the test passes, or that a condition of the user's holds.  How
 * the test fails now says what "it passes" means.  Each kind of failure is one file,
 * requirement/requirement-KIND.c, and one row of the table in requirement.c:
 *
 *     kind       where it ends a run                encoded as                   met by a run that
 *     assert     call of __assert_fail, abort …     the path does not come here  passes
 *     signal     instruction that a signal ended    its address lies in an       passes
 *                                                   object, its divisor is not 0
 *     status     call of exit, or main's return     the status is 0              passes
 *     condition  before the stop, the n-th time     the condition holds, and     comes there, and
 *                                                   every path comes there       it holds there
 *     check      before the call that checks,       the check holds, or the      fails neither it
 *                the n-th time                      call does not come           nor one that held
 *     output     before a call that prints, the     arguments are what prints    prints all that is
 *                n-th time                          the expected text            expected
 *     endless    where its record was cut           the path does not come       passes, so it
 *                                                   there                        ends
 *
 * To add a kind:
 *
 *   1. Write solver/formula/requirement/requirement-KIND.c.  It defines one struct
 *      requirement_kind with the functions below; everything else in it is static.
 *   2. Name it at the end of this header, and in the table in requirement.c.  Special kinds stand
 *      first there, because the first kind that says that a run ends is asked.
 *   3. If it has to know more of the failing run than struct requirement_end holds, either add a
 *      member there, which gdbext/question/failure.c fills, or give the kind a header with a
 *      function that makes it (requirement-condition.h is an example).
 *   4. Add its rows to tests/solver/formula/requirement-test.c, which goes through the table,
 *      and a program with its answer to tests/gdbext/command/explain/explain-endings-test.sh.
 */
#ifndef SOLVER_FORMULA_REQUIREMENT_H
#define SOLVER_FORMULA_REQUIREMENT_H

#include "solver/explanation.h"
#include "solver/output/expected.h"
#include "solver/source/trace-point/trace-point.h"
#include "solver/trace/runner.h"

struct walk;
struct run_walker;

/* How the failing run ended.  The strings belong to the caller and must outlive the requirement. */
struct requirement_end {
	enum run_end end;
	int status;	    /* RUN_STATUS */
	int signo;	    /* RUN_SIGNAL */
	const char *signal; /* RUN_SIGNAL: "SIGSEGV" */
	/* RUN_ASSERT: the arguments of __assert_fail; NULL, 0 = not known */
	const char *expression, *file, *function;
	unsigned line;
	/* RUN_TIMEOUT: what it is called, "stack overflow"; NULL = an endless loop */
	const char *endless;
	const char *caller; /* RUN_ASSERT: the function that called it, NULL = not known */
	/* What the test has to print, and its status; NULL = whatever it prints, and 0. */
	const struct expected_output *expected;
	struct expected_progress differs_at; /* .expected: how far the failing run came */
};

struct requirement {
	const struct requirement_kind *kind;
	struct requirement_end end;
	/* A run that comes farther than the failing one is an answer, too: nothing better is
	 * hoped for. */
	bool takes_further;
	/* "FILE:LINE" of lines, and "FILE" of files, in which the failure is found and not made; no
	 * change there is an explanation.  Not owned; NULL = only those that failing-lines.h tells.
	 */
	GHashTable *reporting;
	/* const struct trace_insn *: what the compiler put in for checks of its own, such as
	 * branches; another side of one is no explanation.  Not owned; NULL = there are none. */
	GHashTable *inserted;
	/* "FILE:LINE" of the only lines whose change may be an explanation; not owned; NULL = all
	 * others, too. */
	GHashTable *only;
};

/* When the walk asks whether a run ends. */
enum requirement_point {
	REQUIREMENT_BEFORE_STEP, /* the cursor stands before the step */
	REQUIREMENT_AT_STEP,	 /* the step is known, but the formula does not have it yet */
	REQUIREMENT_AFTER_STEP,	 /* the formula already has the step */
	REQUIREMENT_RAN_OUT,	 /* the record ended, no step was made, and no other run goes on */
};

struct requirement_kind {
	const char *name; /* explanation_failure.kind */
	/* Is this kind responsible for a test that ends so?  NULL: the kind is not a way to
	 * fail, but is made by a function of its own; then only this kind ends runs. */
	bool (*fails_by)(const struct requirement_end *end);
	/* Does the walker's run end by this kind here?  w's requirement may be of another kind. */
	bool (*ends_run)(const struct walk *w, const struct run_walker *l,
			 enum requirement_point point);
	/* Adds constraints on what every path does on its way; the cursor stands before a step, and
	 * w's requirement is of this kind.  NULL: there are none. */
	void (*pass)(struct walk *w, struct run_walker *l);
	/* Instructions (runtime, *n of them) that it asks for, so that only runs tell about sides
	 * of branches that have one.  NULL: there are none. */
	const uint64_t *(*wanted)(const struct walk *w, size_t *n);
	/* Adds the constraints that say that the path does not end so.  AT_STEP: others_go_on
	 * tells whether other runs do the step; then they need no constraint of their own. */
	void (*encode)(struct walk *w, struct run_walker *l, enum requirement_point point,
		       bool others_go_on);
	/* Does a run that was made with these actions meet it?  NULL: it does when the test
	 * passes. */
	bool (*met)(const struct requirement *r, const struct run_result *result,
		    const struct run_request *request);
	/* Fills e->failure, whose .kind is set; m: the failing run where it ends. */
	void (*describe)(const struct requirement *r, const struct trace_point *m,
			 struct explanation *e);
	/* "assertion `b <= a' failed at p.c:30"; caller frees.  NULL where fails_by is. */
	char *(*in_words)(const struct requirement_end *end);
	/* NULL: g_free is enough. */
	void (*free)(struct requirement *r);
	/* To encode it, the walk has to know the registers at earlier executions of the last
	 * instruction. */
	bool looks_back;
	bool looks_at_record; /* .met needs the run's record */
	/* Many things that a program does early can keep it from coming to its end, so
	 * statements that ran last are asked about first. */
	bool prefers_last;
};

/* All kinds; *n: how many. */
const struct requirement_kind *const *requirement_kinds(size_t *n);
/* Is one of the kinds responsible for a test that ends so? */
bool requirement_can_be_asked(const struct requirement_end *end);
/* The requirement that a test passes which now ends so; NULL: no kind is responsible. */
struct requirement *requirement_new(const struct requirement_end *end);
void requirement_free(struct requirement *r); /* NULL is fine */

/* The kind by which the walker's run ends here; NULL: it goes on. */
const struct requirement_kind *requirement_ends_run(const struct walk *w,
						    const struct run_walker *l,
						    enum requirement_point point);
bool requirement_is_met(const struct requirement *r, const struct run_result *result,
			const struct run_request *request);
/* Does a run that does not meet it print more of what is right than the failing run did (as far as
 * .end.differs_at)?  *to: how far it came, also where not.  False, too: nobody knows what it has to
 * print. */
bool requirement_gets_further(const struct requirement *r, const struct run_result *result,
			      struct expected_progress *to);
void requirement_describe(const struct requirement *r, const struct trace_point *m,
			  struct explanation *e);
/* The failure in words, as the kind's in_words says them; NULL: no kind is responsible. */
char *requirement_in_words(const struct requirement_end *end);

/* ---- for the kinds ---- */

/* The requirement looks at the registers as they are before the step, in an instance of its own, so
 * that what statements before it left there may be changed.  *step must live until w->step is set
 * to another one. */
void requirement_stand_before_step(struct walk *w, struct run_walker *l, struct trace_step *step);
/* How far the run came with what the test has to print; r's .end.expected is there. */
struct expected_progress requirement_looks_at_output(const struct requirement *r,
						     const struct run_result *result);
/* Says that no values let a path that comes here meet the requirement. */
void requirement_forbid_path(struct walk *w, const struct run_walker *l,
			     enum requirement_point point);
/* Fills in the place of e's failure with the text of its line, and, for an end that has a cause
 * ("SIGSEGV"), the sentence about it.  requirement: what is asked for instead. */
void requirement_describe_end(struct explanation *e, const struct trace_point *m, const char *cause,
			      const char *requirement);

extern const struct requirement_kind requirement_assert, requirement_crash, requirement_exit,
	requirement_condition, requirement_output, requirement_check, requirement_one_check,
	requirement_endless;

#endif
