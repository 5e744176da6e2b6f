/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and variables behind variable.h: made on demand, owned by the image. */
#ifndef SOLVER_IMAGE_VARIABLE_TYPES_H
#define SOLVER_IMAGE_VARIABLE_TYPES_H

#include "solver/image/image-private.h"
#include "solver/image/variable/variable.h"

struct image_types {
	GHashTable *by_die;	     /* a DIE's address in the file → struct image_type * */
	GPtrArray *all;		     /* struct image_type *: the owner */
	GPtrArray *variables;	     /* struct image_variable *: the owner, by id */
	GHashTable *variable_by_die; /* as by_die */
	GHashTable *file_scopes;     /* a unit's DIE → GPtrArray of its variables */
	GHashTable *scopes;	     /* a function's id → struct scope */
	GPtrArray *globals;	     /* struct image_variable *, ascending address; or NULL */
	GPtrArray *visible;	     /* result of the last image_variables_at */
	/* named-types.c; NULL until they are asked for */
	GHashTable *by_name;	    /* "node_t", "struct node" → Dwarf_Die, owned */
	GHashTable *variable_names; /* name → struct image_named_variable * */
	GHashTable *by_enumerator;  /* its name → its type's Dwarf_Die, owned */
	GHashTable *pointers;	    /* struct image_type * → the pointer to it */
};

const struct image_type *image_type_of_die(struct image *im, Dwarf_Die *die);

#endif
