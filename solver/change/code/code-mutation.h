/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutants: one instruction of a line of source, changed as a slip of the pen would
 * have changed it.  They are made of the machine code, so no compiler and no
 * source is needed.
 *
 *     struct mutator *m = mutator_new(image, limits);
 *     GArray *all = mutator_line(m, "p.c", 9);        struct mutant
 *
 * Example, of `if (y < 5)', compiled to `cmp $5,-8(%rbp); jge ...': 5 becomes 4, 6,
 * 0, -5, another constant of the program; `<' becomes `<=', `>', ...; y becomes
 * another variable of the function that is as wide; the branch is always taken, or
 * never.
 */
#ifndef SOLVER_CHANGE_CODE_CODE_MUTATION_H
#define SOLVER_CHANGE_CODE_CODE_MUTATION_H

#include "solver/limits/limits.h"
#include "solver/image/image.h"

enum mutant_kind {
	MUTANT_CONSTANT,  /* .from, .to */
	MUTANT_CONDITION, /* a comparison by another operator; .from, .to: condition codes */
	MUTANT_BRANCH,	  /* a branch of the line goes elsewhere in it: `&&' for `||' */
	MUTANT_DROPPED,	 /* a branch is never (.to 0), or always (1), taken; a truth value is .to */
	MUTANT_OPERATOR, /* `-' for `+', ...; .to: one of enum mutant_operator */
	MUTANT_VARIABLE, /* another variable, member or element: .from, .to are displacements */
	MUTANT_EXPRESSION, /* another expression: expression-mutant.h; .piece, .words; .from 1: one
			    * more or one less */
	MUTANT_EXCHANGED,  /* two arguments of a call are exchanged: .from, .to, from 1 */
	MUTANT_CALLEE,	   /* another function is called: callee-mutant.h; .words */
	MUTANT_DATA,	   /* a constant in memory; .addr is its address, or with .piece that of the
			    * instruction for which alone it changes; .effort what it costs */
	MUTANT_MISSING,	   /* a word of the source: missing-mutant.h; .piece, .words */
	MUTANT_MIRRORED,   /* a statement: the same */
	MUTANT_CHECK,	   /* of a pointer: null-check-mutant.h; .piece, .words */
	MUTANT_ZERO_CHECK, /* of a number: the same */
	MUTANT_REMOVED,	   /* a store or a call is left out */
	MUTANT_SKIPPED,	   /* control goes on behind the line, or where a branch of it goes */
	MUTANT_INSERTED,   /* one more statement: inserted-mutant.h; .piece, .words */
};

enum mutant_operator {
	MUTANT_ANOTHER_OPERATOR,
	MUTANT_OPERANDS_EXCHANGED,
	MUTANT_SIGN_TURNED,
	MUTANT_LEFT_OUT,  /* `x' for `x - y' */
	MUTANT_REMAINDER, /* `%' for `/' */
	MUTANT_QUOTIENT,
};

struct code_piece; /* code-piece.h */

enum mutant_nearness {
	MUTANT_OTHER_VARIABLE,
	MUTANT_SAME_VARIABLE, /* another member or element of it */
	MUTANT_OTHER_LITERAL, /* another number that the compiler keeps in memory */
	MUTANT_SEEN_VALUE,    /* of a CONSTANT: a failing test had it where it is compared */
};

struct mutant {
	enum mutant_kind kind;
	uint64_t addr;	 /* link-time, of the instruction */
	uint8_t length;	 /* its bytes */
	uint8_t size;	 /* of .bytes, which take its place; more than .length: they fit only
			  * elsewhere and hold no address but one: */
	uint8_t link_at; /* with .link_to: from this byte on stand four bytes of distance */
	uint8_t bytes[24];
	uint64_t link_to; /* link-time; 0 = none */
	int64_t from, to;
	enum mutant_nearness nearness; /* VARIABLE, CONSTANT */
	double effort;
	const struct code_piece *piece; /* executed in its place; NULL = .bytes; the mutator's */
	const char *words;		/* what is changed; NULL = .kind says it; the mutator's */
	const struct mutant
		*also; /* CONSTANT, VARIABLE, MISSING: what is changed with it; the mutator's */
};

/* How far the mutant is from a common slip: the rows slip_... of the table of limits.  Other
 * operators and boundaries come first because such slips are seen most often; a branch or a call
 * that is gone comes last because it mends many failures by hiding them. */
double mutant_effort(const struct mutant *m, const struct limits *limits);

struct mutator;

/* im and limits are not owned. */
struct mutator *mutator_new(const struct image *im, const struct limits *limits);
void mutator_free(struct mutator *m);
/* Appends struct trace_action: what puts the mutant in its place. */
void mutant_actions(const struct mutant *m, GArray *actions);

/* All mutants of the line's instructions, by kind; free the array. */
GArray *mutator_line(const struct mutator *m, const char *file, unsigned line);
/* For a line that is to be executed under a condition only: mutants of kind MUTANT_SKIPPED, which
 * are of no use alone; free the array. */
GArray *mutator_skips(const struct mutator *m, const char *file, unsigned line);
/* For a line in which a test crashes, or one near it: mutants of kind MUTANT_CHECK; numbers: of
 * kind MUTANT_ZERO_CHECK, for a line that may be meant for some numbers only.  Free the array. */
GArray *mutator_checks(const struct mutator *m, const char *file, unsigned line, bool numbers);
/* The line of a MUTANT_ZERO_CHECK left out in any case; false: there is no such code. */
bool mutator_left_out(const struct mutator *m, const struct mutant *of, struct mutant *out);
/* Only the statements that are missing most often: those of the function itself, links of a list,
 * and calls. */
enum { INSERTED_LIKELY = -1 };
/* For a line before or behind which a statement is missing: mutants of kind MUTANT_INSERTED, all
 * or only those of the statement with this .to (0 = all), or INSERTED_LIKELY; free the array. */
GArray *mutator_insertions(const struct mutator *m, const char *file, unsigned line, int64_t only);
/* "`b[2][0]' for `b[2][2]'", "`i' and `k' exchanged", of a MUTANT_VARIABLE; NULL: one of them has
 * no name.  Free it. */
char *mutator_place_words(const struct mutator *m, const struct mutant *of);
/* "`-' for `+'", of a MUTANT_OPERATOR.  Free it. */
char *mutator_operator_words(const struct mutant *of);
/* The operator that the source has there; NULL = not known. */
const char *mutator_operator_written(const struct mutant *of);
/* int64_t: the constants of the program; m's. */
const GArray *mutator_constants(const struct mutator *m);
/* int64_t: the bits of those of type double; m's. */
const GArray *mutator_reals(const struct mutator *m);
/* The mutant with another constant; false: it cannot be written.  of: a
 * MUTANT_CONSTANT. */
bool mutator_constant(const struct mutator *m, const struct mutant *of, int64_t to,
		      struct mutant *out);
/* The MUTANT_DATA of the instruction at addr with these bytes in the place of the number that it
 * reads from memory; false: it reads none. */
bool mutator_literal(const struct mutator *m, uint64_t addr, const uint8_t *bytes, unsigned size,
		     struct mutant *out);

#endif
