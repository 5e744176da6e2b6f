/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What functions of the C library return and write, as terms over the bytes at their arguments:
 * strcmp() of a buffer that a statement filled depends on that statement.  The rows of
 * solver/library/library.def say which function does what (.model).
 *
 * The addresses of the arguments are those of the run; how long a string is follows from its
 * bytes, up to a few behind the end that it had.  A model that does not give what the run showed
 * is not used: then the result is an input, as it is of any other function.
 */
#ifndef SOLVER_FORMULA_LIBRARY_CALL_H
#define SOLVER_FORMULA_LIBRARY_CALL_H

#include "solver/formula/walk-private.h"

/* After the step called a function that is not traced, and before exec_enter: sets what it wrote,
 * and gives its result as a term of 64 bits; 0 = none is known, or it may not change. */
uint32_t library_call(struct walk *w);

#endif
