/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A controlling expression in the source, taken apart as C evaluates it:
 *
 *     if (a == 3 || !(f(b) && c))     atoms:  a == 3    true: TRUE   false: 1
 *         body;                               f(b)      true: 2      false: TRUE
 *                                             c         true: FALSE  false: TRUE
 *
 * Where each atom's outcome leads is a later atom's number, or the outcome of
 * the whole.
 */
#ifndef SOLVER_SOURCE_CONDITION_TEXT_H
#define SOLVER_SOURCE_CONDITION_TEXT_H

#include "solver/source/source.h"

enum { CONDITION_TRUE = -1, CONDITION_FALSE = -2 };

struct condition_atom {
	struct source_span span;
	int if_true, if_false;
};

enum condition_kind {
	CONDITION_IF,
	CONDITION_WHILE,
	CONDITION_DO,
	CONDITION_FOR,
	CONDITION_CHOICE, /* c ? a : b */
	CONDITION_SWITCH, /* no atoms */
	CONDITION_VALUE,  /* x = a && b, return a || b, n + (a && b): no body */
};

struct condition_text {
	enum condition_kind kind;
	size_t head;		  /* its keyword; CHOICE, VALUE: where it or the statement starts */
	struct source_span whole; /* the expression; of a FOR over a range `auto &x : all' */
	struct source_span body;  /* what is done when it is true (CHOICE: a) */
	struct source_span step; /* FOR: the third part, 0 of one over a range; CHOICE: the colon */
	GArray *atoms;		 /* struct condition_atom, in order */
};

/* Finds the condition that a row at this place belongs to.  Compilers put the row at the
 * keyword, the bracket, an operator, or a part of the condition.  False when no condition is
 * there. */
bool condition_text_find(const struct source *s, size_t at, struct condition_text *out);
void condition_text_clear(struct condition_text *c);

/* Does a row at this place belong to the condition itself? */
bool condition_text_covers(const struct condition_text *c, size_t at);

#endif
