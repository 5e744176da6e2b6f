/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile's file put together by hand, and read: for tests of its reader. */
#ifndef TESTS_SUPPORT_PROFILE_H
#define TESTS_SUPPORT_PROFILE_H

#include "gdbext/profile/private.h"

#include <string.h>

/* COUNTS_KEY characters. */
#define PROFILE_KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static inline uint64_t profile_section(const struct code *code)
{
	return counts_part(code->n_counters, code->n_edges, 1);
}

/* n empty sections; free with g_byte_array_unref. */
static inline GByteArray *profile_bytes(const struct code *code, uint32_t n)
{
	GByteArray *bytes = g_byte_array_new();
	struct counts_head head = { .magic = COUNTS_MAGIC,
				    .version = COUNTS_VERSION,
				    .n_sections = n,
				    .section = profile_section(code) };

	memcpy(head.key, PROFILE_KEY, COUNTS_KEY);
	g_byte_array_set_size(bytes, (guint)(COUNTS_PAGE + n * head.section));
	memset(bytes->data, 0, bytes->len);
	memcpy(bytes->data, &head, sizeof head);
	return bytes;
}

static inline struct counts_section *profile_section_at(GByteArray *bytes, const struct code *code,
							uint32_t n)
{
	return (struct counts_section *)(void *)(bytes->data + COUNTS_PAGE +
						 n * profile_section(code));
}

static inline uint64_t *profile_counters_at(GByteArray *bytes, const struct code *code, uint32_t n)
{
	return (uint64_t *)(profile_section_at(bytes, code, n) + 1);
}

static inline struct count_edge *profile_edges_at(GByteArray *bytes, const struct code *code,
						  uint32_t n)
{
	return (struct count_edge *)(profile_counters_at(bytes, code, n) + code->n_counters);
}

/* Reads it into a spectrum; false with error when it is refused. */
static inline bool profile_try(struct code *code, struct units *units, const uint8_t *bytes,
			       size_t size, struct profile_summary *summary, GError **error)
{
	struct spectrum *s;
	struct counts counts;

	if (!counts_parse(code, PROFILE_KEY, "it", bytes, size, &counts, error))
		return false;
	s = spectrum_new();
	spectrum_begin(s, "test", SPECTRUM_FAILED);
	counts_derive(code, units, &counts, s);
	spectrum_end(s);
	spectrum_free(s);
	*summary = counts.summary;
	counts_clear(&counts);
	return true;
}

#endif
