/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines with code stand for faulty lines that have none: the rest of the same statement, or
 * else the lines that use what is declared there (declared.h), in all files of the program.
 */
#ifndef GDBEXT_EVALUATE_NO_CODE_H
#define GDBEXT_EVALUATE_NO_CODE_H

#include "gdbext/evaluate/subject.h"
#include "solver/limits/limits.h"
#include "solver/rank/units.h"

/* lines: unsigned, the units' lines that have code.  Gives indices into it, in order; none where
 * the sources cannot be read, or nothing uses them.  The caller frees it. */
GArray *no_code_lines(const struct subject *subject, const struct subject_version *v,
		      const struct units *u, const GArray *lines, const struct limits *limits);

#endif
