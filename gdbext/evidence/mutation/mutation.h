/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of a suite when one instruction of a line is changed a little
 * (solver/change/mutator.h): where a small change lets the failing tests pass and
 * no passing test fail, the fault may well be there.  Each change is a run of the
 * program's own code, caged, without GDB.
 */
#ifndef GDBEXT_EVIDENCE_MUTATION_MUTATION_H
#define GDBEXT_EVIDENCE_MUTATION_MUTATION_H

#include "gdbext/evidence/mutation/neighbours.h"
#include "gdbext/replay/replay.h"
#include "solver/limits/limits.h"
#include "solver/change/mutator.h"

struct mutation;

/* What the best mutant of a line does to the tests that were run with it. */
struct mutation_verdict {
	struct mutant best;	  /* when .mended */
	unsigned mended, failing; /* failing tests that pass with it, of how many */
	unsigned broken, passing; /* passing tests that fail with it, of how many */
	/* Where .best does so under a condition only: the condition and the change in words, both
	 * the mutation's; else NULL. */
	const char *guard, *change;
	const GArray *actions; /* struct trace_action: .best under .guard; NULL = that of .best */
	double effort;	       /* guard_effort, else 0 */
	double more; /* of a single test: what .best costs beyond mutation_effort, since with it the
		      * failed check is made less often */
};

/* The replay, whose first run was made, runs one test after the other; afterwards it is left at
 * the last of them.  file, line: the check that failed and that a changed program still has to
 * make; NULL = not known.  instructions: about how many a run without a change executes.
 * Nothing is owned. */
struct mutation *mutation_new(struct replay *replay, const struct neighbours *tests,
			      const char *file, unsigned line, uint64_t instructions,
			      const struct limits *limits);
/* Does the check that fails stand there? */
bool mutation_is_check(const struct mutation *m, const char *file, unsigned line);
/* Nothing is tried after this time (monotonic microseconds).  Without a call there is no such
 * time. */
void mutation_until(struct mutation *m, gint64 deadline);
void mutation_free(struct mutation *m);
/* Says that an explanation names this line.  Evidence against other changes is looked for at
 * such lines first. */
void mutation_name_line(struct mutation *m, const char *file, unsigned line);

/* A value that an explanation gives to a line, with which the test passes. */
struct mutation_hint {
	int64_t actual, witness;
};

/* The mutants of a line, those first that are few and often right. */
enum mutation_part {
	MUTATION_COMMON,    /* a boundary, an operator, a comparison, what is left out */
	MUTATION_VARIABLES, /* other variables, members and elements */
	MUTATION_REST,	    /* all other constants and expressions: hundreds for a line */
	MUTATION_PARTS,
};
/* Tries these mutants of a line; false with error: interrupted.  hints: struct mutation_hint; where
 * a constant is wrong, they tell the right one.  NULL = none. */
bool mutation_judge(struct mutation *m, const char *file, unsigned line, enum mutation_part part,
		    const GArray *hints, struct mutation_verdict *out, GError **error);
/* Says that a line with a change of this effort is known, so mutation_judge leaves out changes
 * that cost much more. */
void mutation_need_less(struct mutation *m, double effort);
/* Looks for a condition under which one of the line's mutants is right: those that mend all
 * failing tests and break others.  Call mutation_judge for the line before, because it collects
 * them. */
bool mutation_judge_guarded(struct mutation *m, const char *file, unsigned line,
			    struct mutation_verdict *out, GError **error);
/* Tries statements that may be missing at the line (mutator_insertions). */
bool mutation_judge_inserted(struct mutation *m, const char *file, unsigned line, int64_t only,
			     struct mutation_verdict *out, GError **error);
struct data_mutant;
/* Tries another initial value, which all tests may read. */
bool mutation_judge_data(struct mutation *m, const struct data_mutant *d,
			 struct mutation_verdict *out, GError **error);
/* From now on so many runs may be made, unless there were more left. */
void mutation_allow(struct mutation *m, uint64_t runs);
/* From now on runs may take this many microseconds together, as one run without a change takes on
 * a usual machine (limits instructions_a_us, mutant_fork_us): what is tried does not depend on
 * load.
 */
void mutation_allow_time(struct mutation *m, uint64_t us);
/* From now on no more than that, counted in the same way, unless less was left. */
void mutation_leave_time(struct mutation *m, uint64_t us);

/* Does the single failing test execute the instruction at this link-time address?  again: more than
 * once?  Changes of others change nothing, and a condition tells executions apart, so mutation_find
 * does not run them.  NULL = not known. */
typedef bool mutation_executes_fn(const void *arg, uint64_t addr, bool again);
void mutation_executes(struct mutation *m, mutation_executes_fn *executes, const void *arg);
/* How many instructions the single failing test executes before the one at this link-time address
 * is executed for the first time; UINT64_MAX = it never is.  Runs with changes of code that is
 * executed late then start late.  Call it before the first run. */
typedef uint64_t mutation_first_fn(const void *arg, uint64_t addr);
void mutation_starts_late(struct mutation *m, mutation_first_fn *first, const void *arg);
/* The single failing test crashes: mutation_find tries checks of pointers, too. */
void mutation_try_checks(struct mutation *m);
/* Several checks of the single test fail, and it passes only with a change that meets all. */
void mutation_meets_several(struct mutation *m);
/* Before what that line printed a text is missing: statements that print are tried there. */
void mutation_lacks_text(struct mutation *m, const char *file, unsigned line);
/* No statement is tried that changes this variable: the test counts in it what failed. */
void mutation_spare(struct mutation *m, const char *variable);
/* The single test may be far from its end where it fails, so a run that passes may take much
 * longer. Call it before the first run. */
void mutation_fails_early(struct mutation *m);
/* The single test does not end by itself; the instructions of mutation_new are what it does until
 * it goes round.  Call it before the first run, too. */
void mutation_goes_round(struct mutation *m);
/* From now on such runs may take so many microseconds, all together; those that were cut before
 * may be tried again. */
void mutation_allow_longer(struct mutation *m, uint64_t us);
/* From now on, mutation_find leaves out those mutants of the single test that do not come to the
 * failed check in time, most of which never do.  Afterwards, mutation_resume says whether there
 * were any and there is time for them: the same calls of mutation_find then try them. */
void mutation_postpone(struct mutation *m);
bool mutation_resume(struct mutation *m);

/* Those mutants of a line that are of these parts, and cost less than .below. */
struct mutation_choice {
	enum mutation_part first, last;
	double below;  /* mutation_effort */
	uint64_t most; /* runs that are made at most; 0 = all */
};

/* The same, for a single failing test: the least of these mutants with which it passes.  Those that
 * an earlier call has run are not run again.  *spent: there were no runs left, or .most were made,
 * so that some of them may not have been tried. */
bool mutation_find(struct mutation *m, const char *file, unsigned line,
		   const struct mutation_choice *which, struct mutation_verdict *out, bool *spent,
		   GError **error);
/* The same for a statement that may be missing at the line.  only: as of mutator_insertions. */
bool mutation_find_inserted(struct mutation *m, const char *file, unsigned line, int64_t only,
			    struct mutation_verdict *out, bool *spent, GError **error);
/* Where a condition may be missing: in that of a branch, or around the line and those below it. */
enum mutation_condition { CONDITION_OF_BRANCH, CONDITION_OF_LINES };
/* The same for such a condition: out->change says it, and out->actions are what it does. */
bool mutation_find_condition(struct mutation *m, const char *file, unsigned line,
			     enum mutation_condition where, struct mutation_verdict *out,
			     bool *spent, GError **error);
/* mutation_find is not to find this one again. */
void mutation_refute(struct mutation *m, const struct mutant *mutant);
/* Does the single failing test pass with these changes (struct trace_action)?  *spent: there are
 * no runs left. */
bool mutation_try(struct mutation *m, const GArray *changes, bool *passes, bool *spent,
		  GError **error);
/* Does this test pass with them?  No line's tests are meant, and nothing is looked for. */
bool mutation_mends(struct mutation *m, const struct neighbour *t, const GArray *changes);
/* mutant_effort, and more for what the source does not have: the comparison and the 0 of `if (x)',
 * or what a compiler divides by. */
double mutation_effort(const struct mutation *m, const struct mutant *mutant);
/* Can nobody have meant it, although it is small? */
bool mutation_is_unmeant(const struct mutation *m, const struct mutant *mutant);
/* Can it be typed as its words say it?  Else the constant or the comparison is the compiler's. */
bool mutation_is_tellable(const struct mutation *m, const struct mutant *mutant);
/* What the mutant changes, in words, without its guard; free it. */
char *mutation_describe(const struct mutation *m, const struct mutant *mutant);
/* The same for a person, who wants to know which of several is meant: "`h' for the 2nd `w'". */
char *mutation_told(const struct mutation *m, const struct mutant *mutant);
/* Are no runs left, or no time?  Notes the limit that is reached. */
bool mutation_is_spent(const struct mutation *m);
/* Runs made so far, and processes started for them, each of which makes those of one test. */
unsigned mutation_runs(const struct mutation *m);
unsigned mutation_processes(const struct mutation *m);

#endif
