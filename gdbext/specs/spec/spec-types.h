/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that copies and states have to know (struct why_type in gdbext/contract/contract.h), as
 * they are numbered, with pointers and numbers by their places.  The parameters of a function are a
 * structure of ours, in which each of them begins at a multiple of WHY_BLOCK_ALIGN bytes.
 */
#ifndef GDBEXT_SPECS_SPEC_SPEC_TYPES_H
#define GDBEXT_SPECS_SPEC_SPEC_TYPES_H

#include "gdbext/contract/contract.h"
#include "solver/image/variable/variable.h"

struct spec_types;

struct spec_types *spec_types_new(void);
/* The types themselves are the image's, and have to be there until then. */
void spec_types_free(struct spec_types *t);
unsigned spec_types_number(struct spec_types *t, const struct image_type *type);
/* The number of the structure of these parameters; their .bit_offset is not read. */
unsigned spec_types_block(struct spec_types *t, const struct image_member *parameters, unsigned n);
unsigned spec_types_n(const struct spec_types *t);
/* NULL: there is none. */
const struct image_type *spec_types_get(const struct spec_types *t, unsigned number);
/* Can what a pointer of this type leads to be copied? */
bool spec_type_leads(const struct image_type *pointer);
/* Appends the table in C, why_types; types that others lead to come into it. */
void spec_types_write(struct spec_types *t, GString *code);

#endif
