/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that a C++ stream printed: how wide, filled with what, in which base and how precise they
 * are is the stream's state, and no argument.  It is told from what was printed:
 *
 *     std::cout << std::fixed << std::setprecision(2) << std::setw(8) << 0.5     "    0.50"
 *                                                   the value 0.5 as `%8.2f'
 */
#ifndef SOLVER_OUTPUT_STYLED_H
#define SOLVER_OUTPUT_STYLED_H

#include "solver/output/printed.h"

/* Finds the style in which the piece's value is that text: then its directive, width and precision
 * become that, and the result is true.  string: of n bytes, for STRING and BYTES; NULL = only how
 * long it is, is known. */
bool styled_fit(struct printed_piece *p, const char *string, size_t n, const char *text,
		size_t length);

/* directive_read() in the piece's style, or else in another one in which its value is what was
 * printed (12.5 is `%g' and `%.1f'). */
bool styled_read(const struct printed_piece *p, const char *actual, size_t actual_length,
		 const char *text, size_t length, struct directive_value *out);

#endif
