/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One student's program of a lesson.  The seed chooses the fault (its place), the values of
 * constants and the names of variables and functions; without a seed all are the first ones.  Where
 * the lesson was measured, only those are chosen that are as difficult as the first one
 * (difficulty.h).
 *
 * Names change no line and no value, so everything is computed with the author's names, once for
 * all students who have the same fault and constants; lesson_say puts the student's names in.
 */
#ifndef GDBEXT_LESSON_VARIANT_H
#define GDBEXT_LESSON_VARIANT_H

#include "gdbext/lesson/lesson.h"

struct lesson_test {
	char *name;
	char **words; /* arguments; NULL-terminated */
	bool asks;    /* the last word was `?': what golden.c prints comes in its place */
};

struct lesson_variant {
	const struct lesson *lesson; /* not owned */
	const struct lesson_fault *fault;
	char *seed;		   /* NULL = none */
	char *golden, *program;	   /* texts, with the author's names */
	GHashTable *names;	   /* the author's → the student's */
	GHashTable *constants;	   /* macro → value */
	GArray *faulty;		   /* unsigned: the lines of the fault, ascending */
	GPtrArray *tests;	   /* struct lesson_test *: the hidden suite */
	struct lesson_test *shown; /* the test that the student sees */
};

/* How many variants there are that differ in more than names. */
unsigned lesson_n_variants(const struct lesson *l);
/* The variant of that number, from 0, the first one, with the author's names. */
struct lesson_variant *lesson_variant_at(const struct lesson *l, unsigned number, GError **error);
/* "1 HOUR=250 DAY=2000": its fault and constants; free it. */
char *lesson_variant_name(const struct lesson_variant *v);
struct lesson_variant *lesson_vary(const struct lesson *l, const char *seed, GError **error);
void lesson_variant_free(struct lesson_variant *v);

/* Code of the author's as this student is to read it: names, and @MACRO@, @MACRO+1@,
 * @MACRO-1@ as numbers.  Free it. */
char *lesson_rename(const struct lesson_variant *v, const char *text);
/* The same of sentences, where names stand between backquotes or in lines that are indented by four
 * blanks; other words are no names.  Free it. */
char *lesson_say(const struct lesson_variant *v, const char *text);
/* The function around a line of the program, and its first and last line; NULL = there is none.
 * Free it. */
char *lesson_function_of(const struct lesson_variant *v, unsigned line, unsigned *first,
			 unsigned *last);
/* The text of a line, trimmed, "" beyond the end; free it. */
char *lesson_line_text(const char *program, unsigned line);

#endif
