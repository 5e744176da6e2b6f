/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A specification that is a shared object already: why-spec.h has put each rule into a section of
 * it, as texts, and exports a pointer to the rule's predicate.  The code that checks calls is
 * compiled without the specification's declarations, so to it numbers and pointers are all that
 * there is, and an argument of a rule cannot say what a pointer leads to.
 */
#ifndef GDBEXT_SPECS_SPEC_SPEC_COMPILED_H
#define GDBEXT_SPECS_SPEC_SPEC_COMPILED_H

#include "gdbext/specs/spec/spec.h"
#include "solver/image/variable/variable.h"

/* Does the file begin as a shared object does? */
bool spec_is_compiled(const char *path);
/* Opens s->path as s->compiled and reads its rules.  False with a sentence. */
bool spec_read_compiled(struct spec *s, GError **error);
/* What a type is to the code that checks calls; NULL: it is neither a number nor a pointer.  NULL
 * is void, as for a function's result. */
char *spec_opaque_type(const struct image_type *t);
/* Appends what lets generated code call the predicates by their names.  False with a sentence. */
bool spec_declare_compiled(const struct spec *s, GString *code, GError **error);

#endif
