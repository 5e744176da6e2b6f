/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What runs of tests did, kept in $XDG_CACHE_HOME/gdb-why for the next time: a
 * file for each build of a program, read whole when opened, written whole beside
 * itself and renamed when closed, under a lock, with what others added in the
 * meantime.  A file that is not as it was written counts for nothing.  What was
 * used longest ago goes when there is too much.
 *
 * A cache that cannot be read or written is empty: nothing here fails.
 */
#ifndef GDBEXT_SUITE_CACHE_H
#define GDBEXT_SUITE_CACHE_H

#include "gdbext/suite/process.h"

enum { SUITE_KEY = 32 };

/* Bytes of one build's file, and of all files. */
#define SUITE_CACHE_FILE_MOST (128u << 20)
#define SUITE_CACHE_MOST (512u << 20)

struct suite_cache;

/* folder: NULL = $XDG_CACHE_HOME/gdb-why.  build: any text that no other build has. */
struct suite_cache *suite_cache_open(const char *folder, const char *build);
/* Writes what was added.  NULL is fine. */
void suite_cache_close(struct suite_cache *c);

/* The profile is NULL when none was put.  Unref it. */
bool suite_cache_get(struct suite_cache *c, const guint8 *key, struct suite_end *end,
		     GBytes **profile);
void suite_cache_put(struct suite_cache *c, const guint8 *key, const struct suite_end *end,
		     GBytes *profile);

/* ---- for tests ---- */

/* The file's path; the cache's. */
const char *suite_cache_path(const struct suite_cache *c);
/* Removes the least recently used files of the folder until they take at most so
 * many bytes. */
void suite_cache_trim(const char *folder, guint64 most);

#endif
