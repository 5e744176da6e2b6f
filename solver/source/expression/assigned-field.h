/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a statement assigns to, by its text.  The store of an assignment to a bit-field writes its
 * neighbours, too, so only the source tells which bits are the field's:
 *
 *     d->month = 1;       bits 5 to 8 of a word
 */
#ifndef SOLVER_SOURCE_EXPRESSION_ASSIGNED_FIELD_H
#define SOLVER_SOURCE_EXPRESSION_ASSIGNED_FIELD_H

#include "solver/source/expression/expression.h"

enum assigned_to {
	ASSIGNED_TO_UNKNOWN, /* there is no such text, or nobody knows its type */
	ASSIGNED_TO_WHOLE,   /* a number or pointer that has its bytes for itself */
	ASSIGNED_TO_PARTS,   /* a structure, a union or an array */
	ASSIGNED_TO_FIELD,   /* a bit-field: *x */
};

/* The texts of programs' sources; g_hash_table_unref. */
GHashTable *assigned_sources_new(void);
/* sources: each file is read once into them.  link: of an instruction of the statement.  *x has no
 * address. */
enum assigned_to assigned_by(GHashTable *sources, const struct image *im,
			     const struct image_statement *s, uint64_t link, struct expression *x);
/* The first bit of the bit-field in what is stored at the address; -1 = not known. */
int64_t assigned_first_bit(const struct expression *field, uint64_t address);
/* The bit-field's bits in .size bytes at the address; 0 = not known. */
uint64_t assigned_bits(const struct expression *field, uint64_t address, unsigned size);

#endif
