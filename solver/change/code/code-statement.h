/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A C statement as machine code, so that runs can be made in which it is executed at a place where
 * the program has none.
 *
 *     q->length--      rooms[i] = NULL      total += p->n      append(&queues[u], p)
 *     word.clear()
 *
 * What it is made of has to be what code-value.h compiles; a function that it calls has to be one
 * of the program, with at most six arguments.  Unoptimized code only.
 */
#ifndef SOLVER_CHANGE_CODE_CODE_STATEMENT_H
#define SOLVER_CHANGE_CODE_CODE_STATEMENT_H

#include "solver/change/code/code-piece.h"
#include "solver/limits/limits.h"

struct code_statement;

/* Behind a string, or a vector of numbers or pointers, of libstdc++. */
#define CODE_STATEMENT_CLEAR ".clear()"

/* text: in the words of the source, without `;'; addr: link-time, where its names are looked up.
 * NULL: it is none of those above. */
struct code_statement *code_statement_new(const struct image *im, uint64_t addr, const char *text,
					  const struct limits *limits);
void code_statement_free(struct code_statement *s);

/* Appends code that executes it.  It changes rax and rcx, and where it calls a function all that a
 * function may change, and the flags; and uses the stack.  False: there is no room. */
bool code_statement_put(struct code_piece *c, const struct code_statement *s);

/* The function that a statement calls and does nothing else with: `f(a, b)'; NULL: it is none.
 * *arguments: "(a, b)", a part of text. */
const struct image_function *code_statement_callee(const struct image *im, const char *text,
						   const char **arguments);
/* The value that it assigns by `=' alone, a part of text; NULL: it does no such thing. */
const char *code_statement_value(const char *text);
/* The assignment that it assigns the value of: the `b = c' of `a = b = c', a part of text; NULL: it
 * does no such thing. */
const char *code_statement_assigned(const char *text);
/* What it assigns to, or counts; NULL: nothing.  Free it. */
char *code_statement_place(const char *text);

#endif
