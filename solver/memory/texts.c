/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/memory/texts.h"
#include "solver/base/hash.h"

#include <string.h>

enum { PAGE = 4096 };
enum state { AS_CURSOR, KEPT, LOST };

struct page {
	uint8_t state[PAGE], bytes[PAGE];
};

struct texts {
	struct trace_run *run;
	const struct trace_cursor *cursor;
	GHashTable *pages;
};

struct texts *texts_new(struct trace_run *run, const struct trace_cursor *cursor)
{
	struct texts *t = g_new0(struct texts, 1);

	t->run = run;
	t->cursor = cursor;
	t->pages = g_hash_table_new_full(hash_u64_itself, NULL, NULL, g_free);
	return t;
}

void texts_free(struct texts *t)
{
	if (t)
		g_hash_table_destroy(t->pages);
	g_free(t);
}

static struct page *text_page_at(const struct texts *t, uint64_t address)
{
	return g_hash_table_lookup(t->pages, GSIZE_TO_POINTER(address / PAGE));
}

/* The page, which is made where it says something. */
static struct page *text_page_for(struct texts *t, uint64_t address, enum state state)
{
	struct page *p = text_page_at(t, address);

	if (!p && state != AS_CURSOR) {
		p = g_new0(struct page, 1);
		g_hash_table_insert(t->pages, GSIZE_TO_POINTER(address / PAGE), p);
	}
	return p;
}

/* Page by page: functions that are not known lose hundreds of bytes at each call. */
static void set_text_bytes(struct texts *t, uint64_t address, uint64_t size, enum state state,
			   uint8_t byte)
{
	while (size) {
		uint64_t at = address % PAGE, n = MIN(size, PAGE - at);
		struct page *p = text_page_for(t, address, state);

		if (p) {
			memset(p->state + at, state, n);
			memset(p->bytes + at, byte, n);
		}
		address += n;
		size -= n;
	}
}

void texts_seen(struct texts *t, uint64_t address, uint64_t size)
{
	if (g_hash_table_size(t->pages))
		set_text_bytes(t, address, size, AS_CURSOR, 0);
}

void texts_lost(struct texts *t, uint64_t address, uint64_t size)
{
	set_text_bytes(t, address, size, LOST, 0);
}

void texts_fill(struct texts *t, uint64_t to, uint64_t size, uint8_t byte)
{
	set_text_bytes(t, to, size, KEPT, byte);
}

void texts_copy(struct texts *t, uint64_t to, uint64_t from, uint64_t size)
{
	g_autofree uint8_t *bytes = g_malloc(size + 1), *states = g_malloc(size + 1);

	for (uint64_t i = 0; i < size; i++)
		states[i] = texts_byte(t, from + i, &bytes[i]) ? KEPT : LOST;
	for (uint64_t i = 0; i < size; i++)
		set_text_bytes(t, to + i, 1, states[i], bytes[i]);
}

/* What the program cannot change is as in its file. */
static bool constant_text_byte(const struct texts *t, uint64_t address, uint8_t *byte)
{
	bool writable = true;
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(t->run, address, &link);

	return m && image_initial(m->image, link, 1, byte, &writable) && !writable;
}

bool texts_byte(const struct texts *t, uint64_t address, uint8_t *byte)
{
	const struct page *p = text_page_at(t, address);
	enum state state = p ? p->state[address % PAGE] : AS_CURSOR;

	if (state == KEPT)
		*byte = p->bytes[address % PAGE];
	if (state != AS_CURSOR)
		return state == KEPT;
	return trace_cursor_read(t->cursor, address, 1, byte) ||
	       constant_text_byte(t, address, byte);
}

bool texts_length(const struct texts *t, uint64_t address, uint64_t most, uint64_t *length)
{
	uint8_t byte = 0;

	for (*length = 0; *length < most; ++*length) {
		if (!texts_byte(t, address + *length, &byte))
			return false;
		if (!byte)
			return true;
	}
	return true;
}
