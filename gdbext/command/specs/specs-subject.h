/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `gdb-why specs' checks, and the names of its parts in messages. */
#ifndef GDBEXT_COMMAND_SPECS_SPECS_SUBJECT_H
#define GDBEXT_COMMAND_SPECS_SPECS_SUBJECT_H

#include "gdbext/options/options.h"
#include "gdbext/replay/folder.h"
#include "gdbext/specs/probe.h"

/* A program and its specification, built. */
struct specs_subject {
	struct image *image;
	struct spec *spec;
	struct folder *folder;
	struct spec_built built;
};

/* False with a sentence; clear it in any case. */
bool specs_subject_make(struct specs_subject *s, const struct options *o, GError **error);
void specs_subject_clear(struct specs_subject *s);
/* Runs of it in the cage.  NULL with a sentence; until outlives it. */
struct probe *specs_subject_probe(const struct specs_subject *s, const struct options *o,
				  const struct deadline *until, GError **error);
/* "size_ok (list-spec.c:12)"; the caller's, as what follows. */
char *specs_name(const struct spec_constraint *c);
const struct image_function *specs_function(const struct specs_subject *s,
					    const struct spec_constraint *c);
/* "when list_remove (list.c:23) returns, the 1st time" */
char *specs_place(const struct specs_subject *s, const struct spec_constraint *c, uint64_t call);

#endif
