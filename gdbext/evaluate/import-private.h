/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the importers of layouts share. */
#ifndef GDBEXT_EVALUATE_IMPORT_PRIVATE_H
#define GDBEXT_EVALUATE_IMPORT_PRIVATE_H

#include <glib.h>
#include <stdbool.h>

struct import_layout {
	const char *mark; /* by what it is known, for the user */
	bool (*is_it)(const char *folder);
	/* Makes a subject of the (absolute) folder; returns the folder with its subject.conf. */
	char *(*import)(const char *folder, const char *out, GError **error);
};

bool import_is_sir(const char *folder);
char *import_sir(const char *folder, const char *out, GError **error);
bool import_is_codeflaws(const char *folder);
char *import_codeflaws(const char *folder, const char *out, GError **error);
bool import_is_cpack(const char *folder);
char *import_cpack(const char *folder, const char *out, GError **error);
bool import_is_coverage(const char *folder);
char *import_coverage(const char *folder, const char *out, GError **error);

/* A subject while it is made. */
struct import {
	char *folder; /* OUT/subjects/NAME, absolute */
	GString *conf, *versions;
	unsigned n;	   /* versions */
	GString *without;  /* names of those without a faulty line */
	GHashTable *known; /* char * names of all, owned */
};

/* name: of the subject. */
struct import *import_new(const char *out, const char *name);
void import_free(struct import *im);

/* Adds a version, unless there is one of that name.  lines: "a.c:12,b.c:3"; without any, it is left
 * out, and import_finish says so on standard error. */
void import_add(struct import *im, const char *version, const char *lines, bool omission);
/* Adds "key = value" to subject.conf. */
void import_set(struct import *im, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Writes a further file of the subject; name: below its folder. */
bool import_put(const struct import *im, const char *name, const char *text, GError **error);
/* Writes the table, and subject.conf unless one is there, which somebody may have changed.
 * Returns the folder, or NULL with error.  what: the layout, for sentences.  Takes im. */
char *import_finish(struct import *im, const char *what, GError **error);

/* Adds the lines in which the file wrong differs from the file right, as
 * places in name.  False: one of the files is not there. */
bool import_differences(const char *right, const char *wrong, const char *name, GString *lines,
			bool *omission);
/* The names of what is in a folder, in order, those that match the pattern (of g_pattern). */
GPtrArray *import_names(const char *folder, const char *pattern);

#endif
