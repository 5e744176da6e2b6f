/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mutant: what one small change of a line of source would make of its machine code.
 * solver/change/mutator.h makes all mutants of a line.
 */
#ifndef SOLVER_CHANGE_CODE_MUTANT_H
#define SOLVER_CHANGE_CODE_MUTANT_H

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
			    * more or one less; 2: is passed to a function of the program's own */
	MUTANT_EXCHANGED,  /* two arguments of a call are exchanged: .from, .to, from 1; 0: the
			    * object */
	MUTANT_CALLEE,	   /* another function is called: callee-mutant.h; .words */
	MUTANT_DATA,	   /* a constant in memory; .addr is its address, or with .piece that of the
			    * instruction for which alone it changes; .effort what it costs */
	MUTANT_MISSING,	   /* a word of the source: missing-mutant.h; .piece, .words */
	MUTANT_MIRRORED,   /* a statement: the same */
	MUTANT_ONE_MORE,   /* or one less: .to; .from 1: of what the line is for; .piece, .words */
	MUTANT_ORDER,	   /* the next line is executed before this one: .piece, .words */
	MUTANT_CHECK,	   /* of a pointer: null-check-mutant.h; .piece, .words */
	MUTANT_ZERO_CHECK, /* of a number: the same */
	MUTANT_REMOVED,	   /* a store or a call is left out */
	MUTANT_SKIPPED,	   /* control goes on behind the line, or where a branch of it goes */
	MUTANT_INSERTED,   /* one more statement: inserted-mutant.h; .piece, .words */
	MUTANT_ANEW,	   /* one that begins anew: the same */
	MUTANT_UNSET,	   /* one that counts or sets what nothing changes: the same */
};

/* For .to of a MUTANT_INSERTED, where some are asked for: only the statements that are missing most
 * often: those of the function itself, links of a list, calls, and the next; or only those that
 * begin anew, `sum = 0' or `word.clear()', or count up a member that no statement changes, and the
 * next: those that count up such a global variable, or set a local one that no statement sets
 * again. */
enum { INSERTED_LIKELY = -1, INSERTED_ANEW = -2, INSERTED_UNSET = -3 };

enum mutant_operator {
	MUTANT_ANOTHER_OPERATOR,
	MUTANT_OPERANDS_EXCHANGED,
	MUTANT_SIGN_TURNED,
	MUTANT_LEFT_OUT,  /* `x' for `x - y' */
	MUTANT_REMAINDER, /* `%' for `/' */
	MUTANT_QUOTIENT,
	MUTANT_FROM_NUMBER, /* `9 - x' for `9 + x' */
	MUTANT_STEP_BEFORE, /* `--n' for `n--'; .from: is it `++'? */
	MUTANT_STEP_BEHIND,
	MUTANT_TURNED,		/* `x - y' for `x + y' where the instruction changes y */
	MUTANT_PRODUCT,		/* `x * y' for `x + y', by several instructions */
	MUTANT_TURNED_QUOTIENT, /* `x / y' for `x * y' where the instruction changes y */
};

struct code_piece; /* code-piece.h */

enum mutant_nearness {
	MUTANT_OTHER_VARIABLE,
	MUTANT_SAME_VARIABLE, /* another member or element of it; of an EXPRESSION: the same
			       * operands otherwise, or a member of the same name; of a
			       * ONE_MORE: the value of a variable is only taken over */
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
	enum mutant_nearness nearness; /* VARIABLE, CONSTANT, EXPRESSION, ONE_MORE */
	double effort;
	const struct code_piece *piece; /* executed in its place; NULL = .bytes; the mutator's */
	const char *words;		/* what is changed; NULL = .kind says it; the mutator's */
	const struct mutant
		*also; /* CONSTANT, VARIABLE, MISSING: what is changed with it; the mutator's */
};

/* Does it put a letter's other case in the place of a letter? */
bool mutant_turns_case(const struct mutant *m);
/* Does an instruction that takes one of two values take the other one, so that what was MAX is
 * MIN? */
bool mutant_is_choice(const struct mutant *m);
/* What the instruction computes with its constant; it doubles by adding a register to itself. */
enum mutant_use { MUTANT_USES_ELSE, MUTANT_ADDS, MUTANT_SHIFTS, MUTANT_DOUBLES };
enum mutant_use mutant_use_of_constant(const struct image *im, uint64_t addr);
/* How far the mutant is from a common slip: the rows slip_... of the table of limits.  Other
 * operators and boundaries come first because such slips are seen most often; a branch or a call
 * that is gone comes last because it mends many failures by hiding them. */
double mutant_effort(const struct mutant *m, const struct limits *limits);

/* Appends struct trace_action: what puts the mutant in its place. */
void mutant_actions(const struct mutant *m, GArray *actions);

#endif
