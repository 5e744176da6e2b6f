/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The old and the new version, each a folder or a revision of the git repository that one stands
 * in, and the changes between them.  Beside gdbext/evaluate/difference.c the door to libgit2.
 */
#ifndef GDBEXT_REGRESS_WORKSHOP_VERSIONS_H
#define GDBEXT_REGRESS_WORKSHOP_VERSIONS_H

#include "solver/regress/changes.h"

struct regress_versions {
	char *old_folder, *new_folder; /* absolute; a revision's is a private copy */
	char *old_name, *new_name;     /* as people know them: the folder, "a1b2c3d Subject" */
	struct regress_changes *changes;
	guint built; /* files that a compiler made and that differ: no changes */
};

/* Opens both; directory: where folders' names and the repository are looked for, NULL = here.
 * room: a private folder for what has to be written, which must outlive it.  NULL with a sentence
 * in error when a version is missing. */
struct regress_versions *regress_versions_open(const char *directory, const char *old,
					       const char *newer, const char *room, GError **error);
void regress_versions_free(struct regress_versions *v);

/* The commits that new has and old has not, oldest first, along first parents; the last is new.
 * Full names (char *).  NULL with error when they are no two revisions, or old is no ancestor. */
GPtrArray *regress_commits(const char *directory, const char *old, const char *newer,
			   GError **error);

#endif
