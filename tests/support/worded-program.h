/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mutants that are told in words do what the compiler makes of the source with these words. */
#ifndef TESTS_SUPPORT_WORDED_PROGRAM_H
#define TESTS_SUPPORT_WORDED_PROGRAM_H

/* In the source, `|' stands where something is missing, and behind it is what is, up to the next
 * `|'; or up to the next two, where it is in the place of what stands between these.  Its `f' takes
 * two numbers. */
struct worded_program {
	const char *words; /* of the mutant */
	unsigned line;	   /* whose it is */
	const char *source;
};

/* Fails the test, unless the line has such a mutant, and with it f returns what it returns with
 * what is missing. */
void worded_program_test(const struct worded_program *program);

#endif
