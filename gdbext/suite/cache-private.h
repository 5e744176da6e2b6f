/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache's file: a line that says what it is, its entries, and a SHA-256 of all
 * that.  Numbers are little-endian.
 *
 *     key[32] kind:u8 number:i32 usecs:i64 length:u64 digest[32]
 *     size:u32 packed:u32 bytes[packed]
 *
 * size NO_PROFILE, packed 0: no profile.  Else the profile's size bytes, packed by zlib.
 */
#ifndef GDBEXT_SUITE_CACHE_PRIVATE_H
#define GDBEXT_SUITE_CACHE_PRIVATE_H

#include "gdbext/suite/cache.h"

#define CACHE_SUFFIX ".profiles"

struct cache_entry {
	guint8 key[SUITE_KEY];
	struct suite_end end;
	GBytes *packed; /* NULL = no profile */
	guint32 size;	/* unpacked */
	bool used;	/* in this run */
};

/* Adds the entries that the table (key: struct cache_entry *) does not have.  When the bytes
 * are not a whole cache, it adds nothing and returns false. */
bool cache_decode(const guint8 *bytes, gsize length, GHashTable *entries);

/* Writes at most so many bytes; entries that were used in this run come first. */
GByteArray *cache_encode(GHashTable *entries, gsize most);

void cache_entry_free(gpointer entry);

GBytes *cache_pack(GBytes *profile);
/* NULL: they do not unpack to size bytes. */
GBytes *cache_unpack(GBytes *packed, guint32 size);

#endif
