/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The changes between two versions of a tree, and the tree with any subset of them reverted.
 *
 * A version is a set of files.  Each pair of an old and a new file is one struct regress_file; what
 * differs in it is cut into changes, as small as they still can be reverted one by one: a group of
 * lines of `diff -U0`, cut again where both sides are whole statements (split.h); a file added,
 * deleted or renamed; a mode; the whole contents of a file that is no text, or that a program made.
 *
 * A tree is composed from the pairs, it is not patched: each group of lines is written in its new
 * or its old form, so every subset can be reverted and no conflict can come up.
 *
 *     old: a b c d      new: a B c D      change 0: line 2, change 1: line 4
 *     reverted {1}:     a B c d
 */
#ifndef SOLVER_REGRESS_CHANGES_H
#define SOLVER_REGRESS_CHANGES_H

#include <glib.h>
#include <stdbool.h>

enum regress_kind {
	REGRESS_LINES,	  /* lines of a text */
	REGRESS_ADDED,	  /* the file is not in the old version */
	REGRESS_DELETED,  /* the file is not in the new version */
	REGRESS_RENAMED,  /* its name alone: what differs inside are changes of their own */
	REGRESS_MODE,	  /* executable or not */
	REGRESS_CONTENTS, /* the whole of it: a binary or generated file, or a symbolic link */
};

/* One file in both versions.  Paths are relative to the tree, with `/' between folders. */
struct regress_file {
	char *old_path, *new_path;   /* NULL: not in that version */
	unsigned old_mode, new_mode; /* as git has them: 0100644, 0100755, 0120000 */
	GBytes *old_bytes, *new_bytes;
	GPtrArray *old_lines, *new_lines; /* GBytes *, each with its end of line; NULL = no text */
	unsigned first, count;		  /* its changes: they stand together */
};

/* Lines count from 1.  Where a count is 0, the first is the line that it stands behind. */
struct regress_change {
	unsigned number; /* its place in regress_changes.changes; shown to people plus 1 */
	unsigned file;	 /* index */
	unsigned unit;	 /* the number of the first change that it comes with only (units.h) */
	enum regress_kind kind;
	unsigned old_first, old_count, new_first, new_count; /* LINES */
	char *function; /* that it stands in, as the diff has it; NULL = in none */
};

struct regress_changes {
	GPtrArray *files; /* struct regress_file * */
	GArray *changes;  /* struct regress_change */
};

struct regress_changes *regress_changes_new(void);
void regress_changes_free(struct regress_changes *c);

/* Adds a pair; takes copies of the paths and references to the bytes.  Adds the changes of its
 * path, mode and, unless it is text in both versions, contents. */
struct regress_file *regress_changes_add_file(struct regress_changes *c, const char *old_path,
					      unsigned old_mode, GBytes *old_bytes,
					      const char *new_path, unsigned new_mode,
					      GBytes *new_bytes);
/* A group of lines of the file that was added last, cut into statements where it can be.
 * Groups are added in the order of their lines.  function: may be NULL. */
void regress_changes_add_lines(struct regress_changes *c, unsigned old_first, unsigned old_count,
			       unsigned new_first, unsigned new_count, const char *function);

guint regress_changes_count(const struct regress_changes *c);
const struct regress_change *regress_change_at(const struct regress_changes *c, unsigned number);
const struct regress_file *regress_file_of(const struct regress_changes *c, unsigned change);
/* The path that people know it by: the new one, where it has one. */
const char *regress_change_path(const struct regress_changes *c, unsigned change);
/* Is it of a source of C, by the file's name? */
bool regress_change_is_c(const struct regress_changes *c, unsigned change);
/* Its lines, as a diff shows them: "-old\n+new\n"; sides that differ in the end of the line
 * only, and files without lines, are told in words.  Free it. */
char *regress_change_text(const struct regress_changes *c, unsigned change);

/* A file with changes reverted: *path NULL = it does not exist then, else its path (static to c),
 * its mode and its bytes, which the caller unrefs. */
struct regress_state {
	const char *path;
	unsigned mode;
	GBytes *bytes;
};
void regress_file_compose(const struct regress_changes *c, unsigned file, const GArray *reverted,
			  struct regress_state *state);

/* With that set reverted one path would be a file and a folder: *file is the one, *below a file in
 * the other.  NULL in both = no path is. */
void regress_changes_find_clash(const struct regress_changes *c, const GArray *reverted,
				const char **file, const char **below);

/* The files that a set of changes touches; g_array of unsigned, ascending. */
GArray *regress_files_of(const struct regress_changes *c, const GArray *changes);

/* The old version's line of a line of a new file that no change touches; 0 = a change does. */
unsigned regress_old_line(const struct regress_changes *c, unsigned file, unsigned line);
/* With that set reverted, the change that a line of a file is of, of its old or its new side; name:
 * the last part of the file's path.  -1 = it is of none. */
int regress_change_on_line(const struct regress_changes *c, const GArray *reverted,
			   const char *name, unsigned line);
/* The file of the new version with that path; -1 = it is the same in both. */
int regress_file_named(const struct regress_changes *c, const char *new_path);

/* Does its old side (or its new one) declare or define one of the names, or include a header of
 * that name?  Then a mixture that misses the name may need it reverted (or applied). */
bool regress_change_provides(const struct regress_changes *c, unsigned change, GHashTable *names,
			     bool new_side);
/* The changes whose new sides declare or define what the new sides of these use and the old ones do
 * not: applied to the old version, these hardly compile without them.  A new set, without
 * these. */
GArray *regress_changes_declaring(const struct regress_changes *c, const GArray *changes);
/* Words (C identifiers) on the lines of a change that both sides do not have in common: what it may
 * declare, remove or begin to use.  A set of strings; free with g_hash_table_unref. */
GHashTable *regress_change_words(const struct regress_changes *c, unsigned change);

#endif
