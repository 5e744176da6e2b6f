/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The product: why a test failed.  Made by the solver, rendered by tui/ as
 * text, JSON and more.  Everything is in source terms.  One owner:
 * explanation_free frees it all (strings live in its string chunk).
 */
#ifndef SOLVER_EXPLANATION_H
#define SOLVER_EXPLANATION_H

#include "solver/limits/limits.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct explanation_value {
	const char *name;
	const char *value;
};

/* What happened to a block of memory: a step of its story. */
struct explanation_event {
	const char *what; /* "allocated", "freed" */
	const char *by;	  /* "malloc" */
	const char *function, *file;
	unsigned line;
	uint64_t call; /* which call of the function it was, from 1; 0 = not known */
};

struct explanation_failure {
	/* "assert"; "condition": a condition of the user's does not hold; "signal": a signal
	 * killed the test; "status": it exited with another status than it should; "output": it
	 * printed something else than is expected; "endless": it stays in a loop; "check": one of a
	 * framework fails; "memory": an access to memory is invalid */
	const char *kind;
	const char
		*cause; /* signal, status, output, endless: "SIGSEGV", "exit status 1"; else NULL */
	const char *text; /* of these: the statement there; NULL = not known */
	const char *function, *file;
	unsigned line, column;
	const char *requirement; /* "b <= a" */
	GArray *values;		 /* struct explanation_value: the variables in it, as they were */
	bool in_test;		 /* the check stands in a file of the test: that of `main', or a
				  * framework's check */
	GArray *story; /* memory: struct explanation_event of the block, in order; may be empty */
	/* The failure as the last link of a chain; not in the JSON. */
	const char *statement;		 /* "assert(b <= a);", NULL = its text is not known */
	struct explanation_value mended; /* {"b <= a", "false -> true"} */
	const char *avoided; /* the value that it has when the run does not come there any more;
			      * NULL: there is no difference */
};

enum explanation_replay { REPLAY_PASSES, REPLAY_FAILS, REPLAY_NOT_RUN };

/* What other tests of the suite say about a line. */
struct explanation_evidence {
	/* The name of a passing test that computes what an explanation changes on this line
	 * from the same operands, and fails with the changed value, too.  So no expression over
	 * these operands serves both tests.  NULL = none is known. */
	const char *contradicted;
	/* A small change of the line that lets failing tests pass; NULL = none is known. */
	const char *change;
	/* The condition that is missing there, when .change adds one: "high <= 600"; else NULL. */
	const char *condition;
	double effort;		  /* how much of a slip .change is, from 1, the commonest */
	bool whole;		  /* several checks fail without .change, and none with it */
	unsigned mended, failing; /* of how many failing tests that were tried how many pass
				   * with it */
	unsigned broken, passing; /* passing tests that fail with it, of how many */
};

/* Which execution of which instruction gave what is shown. */
struct explanation_execution {
	uint64_t pc, step; /* the runtime address, and the number of a step of the run until which
			    * it is counted; pc 0 = not known */
	const char *stop;  /* the same as a stop, "push+37:2"; NULL = not known */
	uint64_t nth;	   /* its count */
};

/* One execution of a statement that a proof changes. */
struct explanation_instance {
	unsigned statement;	      /* index into the suspect's statements */
	uint64_t execution;	      /* which execution of its instruction it is, from 1 */
	const char *stop;	      /* the same as a stop: "push+37:2"; NULL = not known */
	const char *actual, *witness; /* as in struct explanation_statement */
	/* in the failing run, if it came there: the instruction, and where its row began */
	struct explanation_execution at, start;
};

struct explanation_statement {
	const char *function, *file;
	unsigned line, column;
	const char *text;	/* source line, trimmed */
	const char *kind;	/* "assignment", "condition", "call", "return", "switch", "store" */
	const char *clause;	/* what is relaxed: "b", "y < 5", "list->size" */
	const char *actual;	/* "1", "true" */
	const char *witness;	/* "0", "false", "<= 0" */
	unsigned changes;	/* executions that the witness changes */
	uint64_t execution;	/* the one that is changed, from 1; 0 = none, or several: see
				 * explanation_suspect.instances */
	uint64_t executions;	/* how often the run executed it; 0 = not known */
	const char *witness_is; /* what .witness is: "as before this line"; NULL = nothing to say */
};

struct explanation_suspect {
	unsigned rank;	/* 1-based */
	double score;	/* higher = more suspicious, in (0, 1] */
	double weight;	/* what its changes cost, by the tests of a suite; 0 = there is no suite */
	unsigned tests; /* how many of explanation_tests.explained it explains, at least 1 */
	unsigned size;	/* how many units it changes, as --granularity says: lines, … */
	bool needs_run; /* rests on a side of a branch that no run took */
	bool unchecked; /* it is known that the run then no longer comes to the check that failed */
	enum explanation_replay replay;
	/* REPLAY_FAILS: the first wrong line of the output, in the failing run and in this one,
	 * which comes farther; 0 = it does not. */
	unsigned further_from, further_to;
	/* The evidence of the line, when the suspect changes one line; else NULL. */
	const struct explanation_evidence *evidence;
	GArray *actions;      /* struct trace_action: what the proof changed; NULL = not known */
	GArray *instances;    /* struct explanation_instance, in the order of the run */
	unsigned distance;    /* causal, in statements, from the failure; 0 = not known */
	unsigned calls_since; /* after a crash: of the calls that were open then, how many were made
			       * after the last execution that is changed; not in the JSON */
	bool avoids;	      /* it turns a branch that only let control come to the failure */
	bool called_back; /* a function of the library called that of its line many times, so that
			   * one value of it changes nothing */
	const char *note; /* why the replay did not pass or was not run; NULL if it passed */
	const char *printed; /* what the run with the change prints differently, in lines; NULL =
			      * that was not looked at */
	GArray *statements;  /* struct explanation_statement: for each unit a branch that goes
			      * another way, a value, or both */
	GArray *chain;	     /* guint: indices into explanation.chain, this suspect's way to
			      * the failure, cause first */
	bool chain_leaves;   /* behind a side that no run took: .chain does not tell what would
			      * have been; not in the JSON */
};

enum explanation_edge { EDGE_DATA, EDGE_CONTROL };

struct explanation_link {
	const char *function, *file;
	unsigned line;
	const char *text, *clause;
	/* Both arrays belong to e once the link is in e->chain; NULL = none. */
	GArray *values;	 /* struct explanation_value; value is "1" or "1 -> 0" (before, after) */
	GArray *because; /* guint: indices into chain */
	enum explanation_edge edge; /* how it leads on to its successor */
	struct explanation_execution at;
	bool before_only; /* what would have been is not known; else a value "1" stays 1 */
};

/* A line with which the program itself found that its test fails: it compared (.decides), or handed
 * on what others had found (`fails++;', `return fails != 0;'). */
struct explanation_verdict {
	const char *function, *file, *text;
	unsigned line;
	bool decides, checks; /* .checks: in a function that compares what it is given */
	bool leads;	      /* it only lets the check be made: a loop around it, its call */
};

struct explanation_line {
	const char *file;
	unsigned line;
	double score;
	unsigned tests;				     /* for how many tests it was named */
	const struct explanation_evidence *evidence; /* NULL = nobody looked for it */
};

struct explanation_line_value { /* what a line gave last, in the run that is explained */
	const char *file;
	unsigned line;
	struct explanation_value value;
	struct explanation_execution at;
};

struct explanation_coverage { /* the state of a line that has code */
	unsigned line;
	bool executed;		 /* was it executed by the run that is explained? */
	unsigned passed, failed; /* how many tests of the suite executed it */
};

enum explanation_region_kind { REGION_CALL, REGION_BRANCH };

struct explanation_region { /* A region of the run; when it happened again, it is counted. */
	enum explanation_region_kind kind;
	const char *function, *file; /* where it begins */
	unsigned line;
	const char *text; /* CALL: the function; BRANCH: the condition, NULL = not known */
	const char *side; /* BRANCH: "true", "case 3" */
	unsigned parent;  /* the index of the region around it, which stands before it; the
			   * first one has none: G_MAXUINT */
	uint64_t times;
	bool at_end; /* the run ended in it */
};

struct explanation_source { /* a file that is named in the answer */
	const char *file;
	GPtrArray *lines; /* char *: line n stands at n - 1; none = it is not there */
	GArray *coverage; /* struct explanation_coverage, by line; a line of which nothing is
			   * known is left out */
};

struct explanation_stage { /* --stats: one row a stage */
	const char *name;  /* "start", "record", "image", "lift", "formula", "solve", "replay",
			      "suite", "evidence" … */
	double ms;
	uint64_t count;	  /* how many of .unit; 0 = it has no count */
	const char *unit; /* "instructions", "clauses", … */
};

/* A limit that differs from its default, or was reached. */
struct explanation_limit {
	const char *name;
	uint64_t value, standard;
	uint64_t reached; /* times */
	bool cuts;	  /* it was reached and something was left out */
};

struct explanation_technique { /* --stats: one row for each way in which candidates were decided */
	const char *name;      /* "engine", "interval-solver" … */
	uint64_t tried;	       /* it was tried on so many candidates */
	uint64_t found;	       /* for so many it found values with which the formula holds */
	uint64_t proven;       /* so many became answers that a run proved */
	uint64_t refuted;      /* for so many it showed that the candidate is no correction set */
	uint64_t runs;
	double ms; /* the time without making formulas */
};

enum { EXPLANATION_TAKEN = 4 };

struct explanation_stats {
	const char *engine;
	uint64_t instructions, statements, runs, iterations, checks, clauses;
	double record_ms, solve_ms, total_ms;
	uint64_t concretized;
	/* Where the first of these values were made; .file NULL = there are no more. */
	struct explanation_taken {
		const char *file;
		unsigned line;
	} taken[EXPLANATION_TAKEN];
	uint64_t memory_kb; /* peak resident */
	GArray *stages;	    /* struct explanation_stage */
	GArray *techniques; /* struct explanation_technique: those that were tried */
	GArray *limits;	    /* struct explanation_limit */
};

/* The tests of a suite on which the answer rests, too. */
struct explanation_tests {
	const char *suite;     /* its name as the user gave it; NULL = there is none */
	const char *technique; /* the technique that weighs statements */
	unsigned passed, failed;
	GPtrArray *explained; /* const char *: the failing tests that the answer is about */
};

struct explanation {
	const char *program;
	char **argv;	    /* NULL-terminated, without the program; g_strfreev frees it */
	char **environment; /* NAME=VALUE, what the test's framework needs; NULL = nothing; likewise
			     */
	bool in_child;	    /* the failure is one of a process that the program forked */
	struct explanation_failure failure;
	GPtrArray *suspects; /* struct explanation_suspect *, by rank */
	GArray *chain;	     /* struct explanation_link: the first suspect's root cause first,
			      * failure last */
	GArray *opening;     /* struct explanation_link: where a value in the failure came from,
			      * nearest first, as it was; empty when the run is short */
	GArray *verdict;     /* struct explanation_verdict, the end of the run first; empty when
			      * the test fails otherwise than by its status; not in the JSON */
	GArray *lines;	     /* struct explanation_line by descending score */
	GArray *line_values; /* struct explanation_line_value, of what the failure depends on,
			      * the latest first */
	GPtrArray *evidence; /* struct explanation_evidence *: owns the lines' and suspects' */
	GPtrArray *sources;  /* struct explanation_source *: the files that the answer names */
	GArray *regions;     /* struct explanation_region; empty unless asked for */
	GPtrArray *notes;    /* const char *: limits in words ("proved for this run only", …) */
	uint64_t stack;	     /* the stack pointer when the explained run began; actions of
			      * suspects are of runs with the same one; 0 = not known */
	const char *not_run; /* why the test could not be run, so that nothing is proven: a
			      * clause; NULL = it could be run */
	const char *differs; /* what the test did in a second run that it did not do in the first
			      * one: "it passes now"; NULL = nothing, or there was none */
	bool complete;	     /* no limit cut anything */
	bool stopped_early;  /* the search stopped early; --thorough goes on */
	struct limit_counts reached; /* while the answer is made */
	struct explanation_tests tests;
	struct explanation_stats stats;
	GStringChunk *strings;
};

struct explanation *explanation_new(void);
void explanation_free(struct explanation *e);
/* Copies a string into e; NULL stays NULL. */
const char *explanation_string(struct explanation *e, const char *s);
/* The texts are not copied. */
void explanation_add_stage(struct explanation *e, const char *name, double ms, uint64_t count,
			   const char *unit);
/* Did a subtraction of unsigned numbers give what is less than 0, and so a large number?  *less:
 * the number below 0. */
bool explanation_wrapped(const struct explanation_statement *s, int64_t *less);
struct explanation_suspect *explanation_suspect_new(void);
/* What was found, and what was looked for, while something else is looked for. */
struct explanation_found {
	struct explanation_failure failure;
	GPtrArray *suspects;
	GArray *chain;
};
/* Takes it out of e, which has none then. */
struct explanation_found explanation_put_aside(struct explanation *e);
/* Puts it back in the place of what e has now. */
void explanation_take_back(struct explanation *e, struct explanation_found *found);
void explanation_found_clear(struct explanation_found *found);
/* Adds a member of .sources, without lines; file belongs to e. */
struct explanation_source *explanation_source_add(struct explanation *e, const char *file);
/* NULL = it is not among .sources. */
const struct explanation_source *explanation_source(const struct explanation *e, const char *file);

#endif
