/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/shadow.h"

#include "solver/base/hash.h"

#include <glib.h>
#include <string.h>

enum { PAGE = 4096, RECENT = 64 };

/* One bit a byte; 8 bytes more, so that any 64 bits can be read at once. */
struct bitmap {
	uint8_t bits[PAGE / 8 + 8];
};

struct page {
	uint64_t number;
	uint32_t owners; /* how many shadows share it; when there are several, none writes to it */
	uint32_t epoch;	 /* .fresh is of that epoch */
	struct bitmap known, fresh;
	uint8_t bytes[PAGE];
};

struct shadow {
	GHashTable *pages;
	struct page *recent[RECENT];
	uint32_t epoch;
	uint64_t copied; /* pages */
};

static void leave_page(gpointer page)
{
	struct page *p = page;

	if (--p->owners == 0)
		g_free(p);
}

struct shadow *shadow_new(void)
{
	struct shadow *s = g_new0(struct shadow, 1);

	s->pages = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, leave_page);
	s->epoch = 1;
	return s;
}

struct shadow *shadow_copy(const struct shadow *s)
{
	struct shadow *copy = shadow_new();
	GHashTableIter i;
	gpointer page;

	copy->epoch = s->epoch;
	g_hash_table_iter_init(&i, s->pages);
	while (g_hash_table_iter_next(&i, NULL, &page)) {
		struct page *p = page;

		p->owners++;
		g_hash_table_insert(copy->pages, &p->number, p);
	}
	return copy;
}

uint64_t shadow_copied(const struct shadow *s)
{
	return s->copied * sizeof(struct page);
}

void shadow_free(struct shadow *s)
{
	if (!s)
		return;
	g_hash_table_unref(s->pages);
	g_free(s);
}

void shadow_others_ran(struct shadow *s)
{
	s->epoch++;
}

static struct page *find_page(struct shadow *s, uint64_t number)
{
	struct page **slot = &s->recent[number % RECENT];

	if (*slot && (*slot)->number == number)
		return *slot;
	struct page *p = g_hash_table_lookup(s->pages, &number);
	if (p)
		*slot = p;
	return p;
}

static struct page *make_shadow_page(struct shadow *s, uint64_t address)
{
	uint64_t number = address / PAGE;
	struct page *p = find_page(s, number);

	if (!p) {
		p = g_new0(struct page, 1);
		p->number = number;
		p->owners = 1;
		g_hash_table_insert(s->pages, &p->number, p);
		s->recent[number % RECENT] = p;
	} else if (p->owners > 1) {
		p = g_memdup2(p, sizeof(*p));
		p->owners = 1;
		s->copied++;
		g_hash_table_replace(s->pages, &p->number, p);
		s->recent[number % RECENT] = p;
	}
	if (p->epoch != s->epoch) {
		memset(&p->fresh, 0, sizeof(p->fresh));
		p->epoch = s->epoch;
	}
	return p;
}

/* Up to 57 bits from bit `from` on, as the low bits of a word. */
static uint64_t bits_at(const struct bitmap *b, unsigned from, unsigned size)
{
	uint64_t word;

	memcpy(&word, b->bits + from / 8, sizeof(word));
	return word >> from % 8 & ((UINT64_C(1) << size) - 1);
}

static void set_bitmap_bits(struct bitmap *b, unsigned from, unsigned size, bool on)
{
	uint64_t word, mask = ((UINT64_C(1) << size) - 1) << from % 8;

	memcpy(&word, b->bits + from / 8, sizeof(word));
	word = on ? word | mask : word & ~mask;
	memcpy(b->bits + from / 8, &word, sizeof(word));
}

/* How many of size bytes at address lie in one page, at most 32. */
static unsigned piece_in_page(uint64_t address, size_t size)
{
	size_t room = PAGE - address % PAGE;

	return (unsigned)MIN(MIN(size, room), 32);
}

bool shadow_read(struct shadow *s, uint64_t address, size_t size, uint8_t *out)
{
	while (size) {
		unsigned n = piece_in_page(address, size), at = address % PAGE;
		const struct page *p = find_page(s, address / PAGE);
		if (!p || bits_at(&p->known, at, n) != (UINT64_C(1) << n) - 1)
			return false;
		memcpy(out, p->bytes + at, n);
		out += n;
		address += n;
		size -= n;
	}
	return true;
}

bool shadow_read_fresh(struct shadow *s, uint64_t address, size_t size, uint8_t *out)
{
	for (size_t done = 0, n; done < size; done += n) {
		const struct page *p = find_page(s, (address + done) / PAGE);

		n = piece_in_page(address + done, size - done);
		if (!p || p->epoch != s->epoch ||
		    bits_at(&p->fresh, (address + done) % PAGE, (unsigned)n) !=
			    (UINT64_C(1) << n) - 1)
			return false;
	}
	return shadow_read(s, address, size, out);
}

/* The page of these bytes, when all of them are fresh (so known) and in one page; else NULL. */
static inline struct page *fresh_page(struct shadow *s, uint64_t address, unsigned size)
{
	struct page *p = find_page(s, address / PAGE);
	unsigned at = address % PAGE;

	if (!p || p->epoch != s->epoch || at + size > PAGE ||
	    bits_at(&p->fresh, at, size) != (UINT64_C(1) << size) - 1)
		return NULL;
	return p;
}

static uint64_t word_of_bytes(const uint8_t *bytes, unsigned size)
{
	uint64_t word = 0;

	switch (size) {
	case 1:
		return *bytes;
	case 2:
		memcpy(&word, bytes, 2);
		return word;
	case 4:
		memcpy(&word, bytes, 4);
		return word;
	default:
		memcpy(&word, bytes, 8);
		return word;
	}
}

bool shadow_fetch(struct shadow *s, uint64_t address, unsigned size, uint64_t *out)
{
	const struct page *p = fresh_page(s, address, size);

	if (!p) {
		*out = 0;
		return shadow_read_fresh(s, address, size, (uint8_t *)out);
	}
	*out = word_of_bytes(p->bytes + address % PAGE, size);
	return true;
}

bool shadow_holds(struct shadow *s, uint64_t address, unsigned size, uint64_t value)
{
	const struct page *p = fresh_page(s, address, size);

	return p && word_of_bytes(p->bytes + address % PAGE, size) == value;
}

/* The bytes are fresh already, in a page that is not shared: only the values change. */
static bool write_word(struct shadow *s, uint64_t address, size_t size, const uint8_t *bytes)
{
	struct page *p;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	p = fresh_page(s, address, (unsigned)size);
	if (!p || p->owners > 1)
		return false;
	switch (size) {
	case 1:
		p->bytes[address % PAGE] = *bytes;
		break;
	case 2:
		memcpy(p->bytes + address % PAGE, bytes, 2);
		break;
	case 4:
		memcpy(p->bytes + address % PAGE, bytes, 4);
		break;
	default:
		memcpy(p->bytes + address % PAGE, bytes, 8);
		break;
	}
	return true;
}

void shadow_write(struct shadow *s, uint64_t address, size_t size, const uint8_t *bytes, bool known)
{
	if (known && write_word(s, address, size, bytes))
		return;
	while (size) {
		unsigned n = piece_in_page(address, size), at = address % PAGE;
		struct page *p = make_shadow_page(s, address);
		set_bitmap_bits(&p->known, at, n, known);
		set_bitmap_bits(&p->fresh, at, n, known);
		if (known) {
			memcpy(p->bytes + at, bytes, n);
			bytes += n;
		}
		address += n;
		size -= n;
	}
}

static uint64_t differing_bytes(const uint8_t *x, const uint8_t *y, unsigned n)
{
	uint64_t mask = 0;

	if (memcmp(x, y, n) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++)
		mask |= (uint64_t)(x[i] != y[i]) << i;
	return mask;
}

uint64_t shadow_observe(struct shadow *s, uint64_t address, size_t size, const uint8_t *bytes,
			struct shadow_change *change)
{
	uint64_t outside = 0;
	const struct page *same = size <= 32 ? fresh_page(s, address, (unsigned)size) : NULL;

	if (same && memcmp(same->bytes + address % PAGE, bytes, size) == 0)
		return 0;
	for (unsigned done = 0, n; done < size; done += n, address += n) {
		n = piece_in_page(address, size - done);
		unsigned at = address % PAGE;
		struct page *p = make_shadow_page(s, address);
		uint64_t known = bits_at(&p->known, at, n), fresh = bits_at(&p->fresh, at, n);
		uint64_t differ = differing_bytes(p->bytes + at, bytes + done, n);
		outside |= ((differ & known) | (~known & ((UINT64_C(1) << n) - 1))) << done;
		if (change && differ & known) {
			change->known = true;
			change->fresh |= (differ & known & fresh) != 0;
		}
		memcpy(p->bytes + at, bytes + done, n);
		set_bitmap_bits(&p->known, at, n, true);
		set_bitmap_bits(&p->fresh, at, n, true);
	}
	return outside;
}
