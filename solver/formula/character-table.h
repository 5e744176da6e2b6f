/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of <ctype.h>, which isdigit() and its kin look into at the place of their character:
 * where they are, and what an entry is whose place may change.
 */
#ifndef SOLVER_FORMULA_CHARACTER_TABLE_H
#define SOLVER_FORMULA_CHARACTER_TABLE_H

#include "solver/formula/walk-private.h"
#include "solver/library/characters.h"

struct character_table {
	const struct characters_table *kind;
	uint64_t slot; /* where the address of its entry of value 0 is loaded from */
	uint64_t base; /* that address; 0 = not loaded yet */
};

void character_table_init(struct walk *w);
void character_table_deinit(struct walk *w);

/* Tells that the call of untraced code at the step has come back: __ctype_b_loc … */
void character_table_note_call(struct walk *w);
/* Tells that the step loads so many bytes from there. */
void character_table_note_load(struct walk *w, uint64_t at, unsigned bytes);
/* The entry that a load reads whose address may change; it must stay in the table.  0 = the place
 * where the run went is in none, or it holds something else than in the "C" locale. */
uint32_t character_table_entry(struct walk *w, uint64_t place, uint32_t address, unsigned bytes);

/* The value of index in a table, whose entry at (uint64_t)i is values[i], as a term of so many
 * bits.  Runs of equal values, and of values that grow with the index, are one case each. */
uint32_t character_table_choice(struct walk *w, uint32_t index, const int32_t *values, unsigned n,
				unsigned width);

#endif
