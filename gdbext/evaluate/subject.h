/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A subject of an evaluation: a program, its suite, and faulty versions of it with the lines that
 * are faulty.  A folder with a file subject.conf:
 *
 *     [subject]
 *     name = tcas
 *     build = ./build.sh {out}              once; run by sh in the subject's folder
 *     build-version = gcc -g -o {out}/{version} {version}.c         for each version
 *     program = {out}/{version}
 *     file = {version}.c                    where faulty lines are, unless the table says it
 *     suite = tests.txt                     as gdb-why rank --tests
 *     directory = {folder}/scripts          where tests run; else the subject's folder
 *     golden = {out}/golden                 as rank --golden
 *     expected = {folder}/outputs           as rank --expected
 *     asserts = true                        tests fail by abort(); that is no crash
 *     versions = versions.tsv
 *     coverage = {folder}/{version}         instead of program and suite: foreign.h
 *
 * {folder} is the subject's, {out} the one for what is built, {version} a version.  What is no
 * absolute name is one in the subject's folder.  Only versions, and program with suite or
 * coverage, must be there.
 *
 * The table of versions has tab-separated columns, whose names stand in its first line:
 *
 *     version   a name without a slash
 *     line      faulty lines: 12, or 12,14, or a.c:12,b.c:3
 *     file      of them; may be missing
 *     faults    how many lines are faulty; else so many as are named
 *     omission  1: the fault is code that is missing; the lines are where it belongs, or, where
 *               these have no code, the next ones that have
 */
#ifndef GDBEXT_EVALUATE_SUBJECT_H
#define GDBEXT_EVALUATE_SUBJECT_H

#include <glib.h>
#include <stdbool.h>

#define SUBJECT_ERROR subject_error_quark()
GQuark subject_error_quark(void);
enum subject_error {
	SUBJECT_ERROR_READ,  /* it is missing or not as above */
	SUBJECT_ERROR_BUILD, /* a command failed */
	SUBJECT_ERROR_WRITE, /* a file cannot be written */
};
/* Sets SUBJECT_ERROR_READ.  Returns false. */
G_GNUC_PRINTF(2, 3)
bool subject_wrong(GError **error, const char *format, ...);

struct subject_place {
	char *file; /* its last parts; NULL = whatever */
	unsigned line;
};

struct subject_version {
	char *name;
	GArray *faulty; /* struct subject_place */
	unsigned faults;
	bool omission;
};

struct subject {
	char *name, *folder; /* absolute */
	char *build, *build_version, *program, *suite, *directory, *golden, *expected, *coverage;
	bool asserts;
	GPtrArray *versions; /* struct subject_version *, owned, by name (2 before 10) */
};

/* path: a subject.conf, or the folder that it is in. */
struct subject *subject_read(const char *path, GError **error);
void subject_free(struct subject *s);

/* A value with {folder}, {out} and {version} replaced; v may be NULL.  NULL for NULL.  Free it. */
char *subject_expand(const struct subject *s, const char *value, const char *out,
		     const struct subject_version *v);
/* The same as an absolute name of a file. */
char *subject_file(const struct subject *s, const char *value, const char *out,
		   const struct subject_version *v);

/* Is that the place's file, as far as it tells? */
bool subject_is_in_file(const struct subject_place *p, const char *file);
/* Is the line one of the faulty ones? */
bool subject_is_faulty(const struct subject_version *v, const char *file, unsigned line);

/* Names with numbers in them by these, not by digits; for g_ptr_array_sort of char *. */
gint subject_compare_names(gconstpointer a, gconstpointer b);

#endif
