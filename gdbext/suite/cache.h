/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What runs of tests did, kept in $XDG_CACHE_HOME/gdb-why for the next time.  There is
 * one file for each build of a program.  It is read whole when it is opened.  When it
 * is closed, it is written whole to another file, with what others added in the
 * meantime, and renamed, under a lock.  A file that is not as it was written counts for
 * nothing.  When there is too much, the entries that were not used for the longest time
 * are dropped.
 *
 * A cache that cannot be read or written is empty: nothing here fails.
 */
#ifndef GDBEXT_SUITE_CACHE_H
#define GDBEXT_SUITE_CACHE_H

#include "gdbext/suite/process.h"

enum { SUITE_KEY = 32 };

/* The most bytes of one build's file, and of all files. */
#define SUITE_CACHE_FILE_MOST (128u << 20)
#define SUITE_CACHE_MOST (512u << 20)

struct suite_cache;

/* folder: NULL = $XDG_CACHE_HOME/gdb-why.  build: any text that no other build has. */
struct suite_cache *suite_cache_open(const char *folder, const char *build);
/* Writes what was added.  NULL is fine. */
void suite_cache_close(struct suite_cache *c);

/* The profile is NULL when none was stored.  Unref it. */
bool suite_cache_get(struct suite_cache *c, const guint8 *key, struct suite_end *end,
		     GBytes **profile);
void suite_cache_put(struct suite_cache *c, const guint8 *key, const struct suite_end *end,
		     GBytes *profile);

/* ---- for tests ---- */

/* The path of the file; it belongs to the cache. */
const char *suite_cache_path(const struct suite_cache *c);
/* Removes the least recently used files of the folder until they take at most so
 * many bytes. */
void suite_cache_trim(const char *folder, guint64 most);

#endif
