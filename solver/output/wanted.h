/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which code could print a text that is missing: calls that the run made, and constant strings
 * that the code refers to. */
#ifndef SOLVER_OUTPUT_WANTED_H
#define SOLVER_OUTPUT_WANTED_H

#include "solver/output/printed.h"

/* Adds to pcs (uint64_t, runtime) the instructions that print the text, or its beginning; those
 * with the most characters that are in the source.  False when nothing could print it. */
bool wanted_find(const struct printed *p, unsigned stream, struct trace_run *run, const char *text,
		 size_t length, GArray *pcs);
/* Adds to pcs the instructions with constants, or formats, that print the text somewhere in what
 * they print, with the most characters of their own.  False when there is none. */
bool wanted_find_part(const struct printed *p, struct trace_run *run, const char *text,
		      size_t length, GArray *pcs);
/* Is the next call from that instruction (link-time) on one of a function that prints?  Elsewhere
 * the text may be kept, and printed later. */
bool wanted_is_printed_there(const struct image *im, uint64_t link);
/* Adds to addresses (uint64_t, runtime) where the program's constants, and strings that it
 * printed, hold this string. */
void wanted_strings(const struct printed *p, struct trace_run *run, const char *text, size_t length,
		    GArray *addresses);

/* `putchar(' ')': does the call print one character, which stands in the code in front of it?
 * items: the call's. */
bool wanted_is_literal(const struct printed_call *call, const GArray *items);

/* Where a constant was printed, only another string that the program has can be.  items: struct
 * match_item, with what is expected of them. */
bool wanted_constants_exist(const struct printed *p, struct trace_run *run, const GArray *items);

#endif
