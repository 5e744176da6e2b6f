/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the C library's mathematics that depend on their arguments only.  So this
 * machine's library tells what a call would return for other arguments.
 */
#ifndef SOLVER_LIBRARY_LIBM_H
#define SOLVER_LIBRARY_LIBM_H

#include <stdbool.h>

struct libm_function {
	unsigned number;    /* IR_FP_CALL + number is its operation */
	unsigned arguments; /* 1 or 2 */
	unsigned width;	    /* of arguments and result: 64, or 32 */
};

/* False when there is none of this name. */
bool libm_find(const char *name, struct libm_function *f);
/* False when there is none of this number.  b: not used by functions of one. */
bool libm_double(unsigned number, double a, double b, double *out);
bool libm_float(unsigned number, float a, float b, float *out);

#endif
