/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions of a program are operations on the structure of a checked call: those that take a
 * pointer of its type and else at most two numbers.  The structure is the call's first parameter
 * that leads to a structure, or to a pointer.
 */
#ifndef GDBEXT_SPECS_SPEC_SPEC_OPERATIONS_H
#define GDBEXT_SPECS_SPEC_SPEC_OPERATIONS_H

#include "gdbext/specs/spec/spec.h"

/* Appends the operations of this checked function in C (struct why_operation), and, to builders, a
 * struct why_builder. */
void spec_operations_write(const struct spec *s, const struct image *im, unsigned number,
			   GString *code, GString *builders);

#endif
