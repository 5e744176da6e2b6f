/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value of a C expression as machine code: what another expression of the program would have
 * given at a place, so that runs can be made with it although nothing is compiled again.
 *
 *     w[best][i] + d    at rbp-based places:   lea -20(%rbp),%rax; mov (%rax),%eax; push %rax; ...
 *
 * Only expressions of whole numbers, truth values and pointers, over variables in memory; that is
 * what unoptimized code has.
 */
#ifndef SOLVER_CHANGE_CODE_CODE_VALUE_H
#define SOLVER_CHANGE_CODE_CODE_VALUE_H

#include "solver/change/code/code-piece.h"
#include "solver/image/variable/variable.h"
#include "solver/limits/limits.h"
#include "solver/source/expression/expression.h"

/* An expression that was compiled for a place of the code, and for any execution of it. */
struct code_value;

/* text: in the words of the source; addr: link-time.  NULL: it has no value there, or it is none
 * of those above. */
struct code_value *code_value_new(const struct image *im, uint64_t addr, const char *text,
				  const struct limits *limits);
void code_value_free(struct code_value *v);
const struct image_type *code_value_type(const struct code_value *v);

/* Can a value of the one type be assigned to the other without a cast, and without a loss? */
bool code_value_is_of_one_type(const struct image_type *a, const struct image_type *b);
/* Does a general register hold values of the type? */
bool code_value_is_word(const struct image_type *t);

/* Appends code that loads the value, extended to 64 bits as its type says, into rax; it changes rcx
 * and the flags, and uses the stack.  False: there is no room. */
bool code_value_put(struct code_piece *c, const struct code_value *v);

#endif
