/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user has said of a program and its tests (gdb-why specs --interactive), in a file, a
 * line each:
 *
 *     right list.c:29: if (lst->key == k) {     this statement is right
 *     pass 2 1 2, call 1                        what this test did was right,
 *     fail 0 1 2, call 1                        … or wrong, whatever the specification says
 *
 * A statement is the line's text at that place: when the line has become another one, what was
 * said of it is no longer so.
 */
#ifndef GDBEXT_SPECS_SAID_H
#define GDBEXT_SPECS_SAID_H

#include "gdbext/specs/spec/spec-types.h"
#include "gdbext/specs/study.h"
#include "solver/image/image.h"

struct said;

/* Reads the file.  A file that does not exist is like an empty one.  NULL with a sentence in
 * *error; im must outlive the result. */
struct said *said_read(const char *path, const struct image *im, GError **error);
void said_free(struct said *s);
const char *said_path(const struct said *s);
/* Writes the file.  False with a sentence. */
bool said_write(const struct said *s, GError **error);

/* statement: "FILE:LINE", a key of the study's. */
void said_add_right(struct said *s, const char *statement);
bool said_is_right(const struct said *s, const char *statement);

/* test: what study_test_words gives. */
void said_add_test(struct said *s, const char *test, bool passes);
/* False: nothing was said of it. */
bool said_of_test(const struct said *s, const char *test, bool *passes);

#endif
