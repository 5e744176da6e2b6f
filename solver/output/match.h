/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Could the calls that printed a line have printed another text, with other arguments?
 *
 *     calls:  printf("%d of %s\n", 3, "cats")      text: "4 of cats\n"
 *     items:  3 -> 4, "cats" -> "cats"
 */
#ifndef SOLVER_OUTPUT_MATCH_H
#define SOLVER_OUTPUT_MATCH_H

#include "solver/output/printed.h"

/* A piece, or the part of it that lies in the line. */
struct match_item {
	const struct printed_call *call;
	const struct printed_piece *piece;
	const char *actual; /* what it printed */
	size_t actual_length;
	uint64_t skipped;     /* bytes of the piece before the line */
	bool cut;	      /* the piece goes on behind the line */
	const char *expected; /* filled by match_items */
	size_t expected_length;
};

/* The items of the stream's bytes [from, to): an array of struct match_item.  NULL: for some of
 * them no call is known. */
GArray *match_items_of(const struct printed *p, unsigned stream, uint64_t from, uint64_t to);

/* Gives each item its part of the text, with as many items as possible as they were, the first
 * ones before others; false when that cannot be.  prefix: the text may go on behind. */
bool match_items(GArray *items, const char *text, size_t length, bool prefix,
		 const struct limits *limits);

/* The same for a format as the source has it.  *literals: how many characters of the text it
 * prints whatever its arguments are. */
bool match_format(const char *format, const char *text, size_t length, bool prefix,
		  const struct limits *limits, unsigned *literals);

/* What the item's directive says of its expected text. */
bool match_read(const struct match_item *item, struct directive_value *out);

#endif
