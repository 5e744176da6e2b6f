/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be counted in a program: statements (as fine as the reader of the
 * profile likes: rows of the line table, or lines), the lines they stand on,
 * basic blocks, the edges between these, predicates with their outcomes, and
 * the ways the conditions of a predicate can be evaluated.  Each kind is
 * numbered from 0; the numbers are those of spectrum.h.
 *
 * Example: `if (a && b) x = 1;' on line 3 of f.c.
 *
 *     line = units_line(u, "f.c", 3);
 *     s = units_add_statement(u, line, block);
 *     p = units_add_predicate(u, s, 2);            outcomes: true, false
 *     units_sequence(u, p, "TT"), units_sequence(u, p, "TF"), units_sequence(u, p, "F-")
 *
 * Control flow is per function.  A function may have blocks that stand for its
 * entry and its exit and hold no code (is_virtual): an edge from the one counts
 * invocations, so that a crash in the first block shows; an edge to the other
 * counts returns.  What ends in exit() or crashes gets no edge.
 */
#ifndef SOLVER_RANK_UNITS_H
#define SOLVER_RANK_UNITS_H

#include <glib.h>
#include <stdbool.h>

#define UNIT_NONE G_MAXUINT

struct unit_line {
	char *file;
	unsigned number;
};

struct unit_statement {
	unsigned line;
	unsigned block; /* UNIT_NONE: in no block */
};

struct unit_block {
	bool is_virtual;
};

struct unit_edge {
	unsigned from, to; /* blocks */
};

struct unit_predicate {
	unsigned statement;
	unsigned first, n; /* its outcomes; with two, the first is "true" */
};

struct unit_sequence {
	unsigned predicate;
	char *text; /* one letter a condition: T, F, or - where it was not evaluated */
};

/* Statements that a data or control dependence joins. */
struct unit_dependence {
	unsigned a, b;
};

/* Read only: the functions below write. */
struct units {
	GArray *lines;	     /* of struct unit_line */
	GArray *statements;  /* of struct unit_statement */
	GArray *blocks;	     /* of struct unit_block */
	GArray *edges;	     /* of struct unit_edge */
	GArray *predicates;  /* of struct unit_predicate */
	GArray *outcomes;    /* of unsigned: the predicate */
	GArray *sequences;   /* of struct unit_sequence */
	GArray *dependences; /* of struct unit_dependence */
	GHashTable *numbers; /* text: number + 1, of what is looked up */
};

struct units *units_new(void);
void units_free(struct units *u);

/* These three return the number it has already, if it is known. */
unsigned units_line(struct units *u, const char *file, unsigned number);
unsigned units_edge(struct units *u, unsigned from, unsigned to);
unsigned units_sequence(struct units *u, unsigned predicate, const char *text);

/* Its number; UNIT_NONE: it has none. */
unsigned units_find_line(const struct units *u, const char *file, unsigned number);

unsigned units_add_statement(struct units *u, unsigned line, unsigned block);
unsigned units_add_block(struct units *u, bool is_virtual);
/* Its outcomes are numbered from the first on: n of them, at least 2. */
unsigned units_add_predicate(struct units *u, unsigned statement, unsigned n);
void units_add_dependence(struct units *u, unsigned a, unsigned b);

#endif
