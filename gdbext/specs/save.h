/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of a study, kept: each is a call of the studied function with the state that it had, and
 * asserts what is demanded of it.
 *
 *     DIR/spec-tests.c   the tests, for cmocka
 *     DIR/program.c      the file that the function stands in, without main; other files of the
 *                        program are compiled beside it
 *     DIR/why-spec.h
 *     DIR/tests.txt      a suite whose program is what these are compiled to
 *
 * A test that an argument made is saved by the state that the program made of it.
 */
#ifndef GDBEXT_SPECS_SAVE_H
#define GDBEXT_SPECS_SAVE_H

#include "gdbext/specs/study.h"

struct save_result {
	unsigned n;	     /* tests that were saved */
	unsigned n_left_out; /* they do not end, or their states cannot be made elsewhere */
	char *command;	     /* that compiles them */
	char *program;	     /* what comes of it */
	char *suite;
};

/* directory: is made, or empty.  False with a sentence. */
bool save_tests(struct study *s, const struct spec *spec, const struct image *im,
		const char *directory, struct save_result *out, GError **error);
void save_result_clear(struct save_result *r);

#endif
