/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/cache-private.h"

#include <gio/gio.h>
#include <string.h>

static const char magic[] = "gdb-why suite cache 1\n";

#define NO_PROFILE G_MAXUINT32
enum { MAGIC = sizeof magic - 1, HEAD = SUITE_KEY + 1 + 4 + 8 + 8 + SUITE_DIGEST + 4 + 4 };

void cache_entry_free(gpointer entry)
{
	struct cache_entry *e = entry;

	if (e->packed)
		g_bytes_unref(e->packed);
	g_free(e);
}

/* What comes out of converter; NULL when it fails or is more than most bytes. */
static GBytes *convert_cached(GConverter *converter, GBytes *from, gsize most)
{
	gsize length, read, written;
	const guint8 *at = g_bytes_get_data(from, &length);
	g_autoptr(GByteArray) out = g_byte_array_new();
	GConverterResult result;

	do {
		guint8 buffer[16384];

		result = g_converter_convert(converter, at, length, buffer, sizeof buffer,
					     G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
		if (result == G_CONVERTER_ERROR || written > most - out->len)
			return NULL;
		g_byte_array_append(out, buffer, (guint)written);
		at += read;
		length -= read;
	} while (result != G_CONVERTER_FINISHED);
	return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

GBytes *cache_pack(GBytes *profile)
{
	g_autoptr(GZlibCompressor) z = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 1);
	GBytes *packed = convert_cached(G_CONVERTER(z), profile, G_MAXUINT32);

	g_assert(packed);
	return packed;
}

GBytes *cache_unpack(GBytes *packed, guint32 size)
{
	g_autoptr(GZlibDecompressor) z = g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW);
	GBytes *profile = convert_cached(G_CONVERTER(z), packed, size);

	if (profile && g_bytes_get_size(profile) == size)
		return profile;
	g_clear_pointer(&profile, g_bytes_unref);
	return NULL;
}

static void put_cached_number(GByteArray *to, guint64 value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++) {
		guint8 byte = (guint8)(value >> 8 * i);

		g_byte_array_append(to, &byte, 1);
	}
}

static guint64 get_number(const guint8 **at, unsigned bytes)
{
	guint64 value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (guint64)(*at)[i] << 8 * i;
	*at += bytes;
	return value;
}

static void encode_entry(const struct cache_entry *e, GByteArray *to)
{
	gsize n = 0;
	gconstpointer packed = e->packed ? g_bytes_get_data(e->packed, &n) : NULL;

	g_byte_array_append(to, e->key, SUITE_KEY);
	put_cached_number(to, e->end.kind, 1);
	put_cached_number(to, (guint32)e->end.number, 4);
	put_cached_number(to, (guint64)e->end.usecs, 8);
	put_cached_number(to, e->end.length, 8);
	g_byte_array_append(to, e->end.digest, SUITE_DIGEST);
	put_cached_number(to, packed ? e->size : NO_PROFILE, 4);
	put_cached_number(to, n, 4);
	if (n)
		g_byte_array_append(to, packed, (guint)n);
}

/* Reads the entry at *at and moves *at behind it; NULL = there is none. */
static struct cache_entry *decode_entry(const guint8 **at, const guint8 *end)
{
	struct cache_entry *e;
	guint64 n;

	if (end - *at < HEAD)
		return NULL;
	e = g_new0(struct cache_entry, 1);
	memcpy(e->key, *at, SUITE_KEY);
	*at += SUITE_KEY;
	e->end.kind = (enum suite_end_kind)get_number(at, 1);
	e->end.number = (gint32)get_number(at, 4);
	e->end.usecs = (gint64)get_number(at, 8);
	e->end.length = get_number(at, 8);
	memcpy(e->end.digest, *at, SUITE_DIGEST);
	*at += SUITE_DIGEST;
	e->size = (guint32)get_number(at, 4);
	n = get_number(at, 4);
	if (n > (guint64)(end - *at) || e->end.kind > SUITE_TIMED_OUT) {
		cache_entry_free(e);
		return NULL;
	}
	if (e->size != NO_PROFILE)
		e->packed = g_bytes_new(*at, n);
	*at += n;
	return e;
}

static void digest_of(const guint8 *bytes, gsize length, guint8 *digest)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize size = SUITE_DIGEST;

	g_checksum_update(sum, bytes, (gssize)length);
	g_checksum_get_digest(sum, digest, &size);
}

bool cache_decode(const guint8 *bytes, gsize length, GHashTable *entries)
{
	guint8 digest[SUITE_DIGEST];
	const guint8 *at = bytes + MAGIC, *end;

	if (length < MAGIC + SUITE_DIGEST || memcmp(bytes, magic, MAGIC) != 0)
		return false;
	end = bytes + length - SUITE_DIGEST;
	digest_of(bytes, length - SUITE_DIGEST, digest);
	if (memcmp(digest, end, SUITE_DIGEST) != 0)
		return false;
	while (at < end) {
		struct cache_entry *e = decode_entry(&at, end);

		if (!e)
			break;
		if (g_hash_table_contains(entries, e->key))
			cache_entry_free(e);
		else
			g_hash_table_insert(entries, e->key, e);
	}
	return true;
}

GByteArray *cache_encode(GHashTable *entries, gsize most)
{
	GByteArray *to = g_byte_array_new();
	guint8 digest[SUITE_DIGEST];

	g_byte_array_append(to, (const guint8 *)magic, MAGIC);
	for (int used = 1; used >= 0; used--) {
		struct cache_entry *e;
		GHashTableIter iter;

		g_hash_table_iter_init(&iter, entries);
		while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&e)) {
			gsize n = e->packed ? g_bytes_get_size(e->packed) : 0;

			if (e->used == (used == 1) && to->len + HEAD + n + SUITE_DIGEST <= most)
				encode_entry(e, to);
		}
	}
	digest_of(to->data, to->len, digest);
	g_byte_array_append(to, digest, sizeof digest);
	return to;
}
