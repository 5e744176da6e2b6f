/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Could a format print a text as a part of what it prints?  A person who asks for what is missing
 * says a word of it, not all of the line.
 *
 *     "discount: %.2f\n"      "discount"   yes: 8 characters are the format's own
 *                             "t: 0.98"    yes: 3
 *                             "0.98"       none are its own: any number could be that
 */
#ifndef SOLVER_OUTPUT_PART_H
#define SOLVER_OUTPUT_PART_H

#include <stdbool.h>
#include <stddef.h>

/* How many characters of the text would be the format's own, at most; 0 = it cannot print the
 * text, or only as values. */
unsigned part_of_format(const char *format, const char *text, size_t length);

#endif
