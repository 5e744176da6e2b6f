/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What <ctype.h> says of each character.  The macros of glibc look into tables, whose addresses
 * three functions give; in the "C" locale, in which every program begins, the tables are the same
 * in each process.
 */
#ifndef SOLVER_LIBRARY_CHARACTERS_H
#define SOLVER_LIBRARY_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

/* The functions and tables are about these values: bytes, signed or not, and EOF. */
enum { CHARACTERS_FIRST = -128, CHARACTERS = 384 };

/* What isalpha(), toupper() or one of their kin returns for each of the values, from the first on;
 * false when it is none of them. */
bool characters_map(const char *function, int32_t values[CHARACTERS]);

struct characters_table {
	const char *function; /* returns the address of a pointer to the entry of value 0 */
	unsigned size;	      /* of an entry, bytes */
};

/* NULL when it gives no such table. */
const struct characters_table *characters_table_of(const char *function);
/* Its entries, from the first value on. */
void characters_entries(const struct characters_table *t, int32_t values[CHARACTERS]);

#endif
