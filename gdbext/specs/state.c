/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/state.h"

#include "solver/base/hash.h"
#include "solver/image/variable/variable.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OBJECTS = 1024, MOST_BYTES = 4096, OFFSET_BITS = 32, NOBODY = -1 };
/* Where objects seem to lie that the other state does not have. */
static const uint64_t elsewhere = UINT64_C(0x7ff000000000);

/* ---- reading ---- */

static void object_clear(gpointer data)
{
	g_free(((struct state_object *)data)->bytes);
}

static bool read_state_bytes(const char *hex, struct state_object *o)
{
	unsigned byte;

	o->bytes = g_malloc0(o->size + 1);
	for (uint64_t i = 0; i < o->size; i++, hex += 2) {
		if (sscanf(hex, "%2x", &byte) != 1)
			return false;
		o->bytes[i] = (uint8_t)byte;
	}
	return true;
}

static bool read_state_object(struct spec_state *s, const char *line,
			      const struct spec_types *types)
{
	struct state_object o = { .there = true };
	unsigned number;
	unsigned long address, size;
	int n = 0;

	if (sscanf(line, "object %u %u %lx %lu %n", &number, &o.type, &address, &size, &n) < 4 ||
	    number >= MOST_OBJECTS || size > MOST_BYTES || !spec_types_get(types, o.type))
		return false;
	o.address = address;
	o.size = size;
	if (s->objects->len <= number)
		g_array_set_size(s->objects, number + 1);
	if (g_array_index(s->objects, struct state_object, number).there)
		return false;
	if (!read_state_bytes(line + n, &o)) {
		object_clear(&o);
		return false;
	}
	g_array_index(s->objects, struct state_object, number) = o;
	return true;
}

static const struct state_object *state_object_numbered(const struct spec_state *s, unsigned number)
{
	const struct state_object *o =
		number < s->objects->len ? &g_array_index(s->objects, struct state_object, number)
					 : NULL;

	return o && o->there ? o : NULL;
}

static uint64_t key_of_place(unsigned number, uint64_t offset)
{
	return (uint64_t)number << OFFSET_BITS | offset;
}

static bool read_state_pointer(struct spec_state *s, const char *line)
{
	struct state_pointer p;
	unsigned long offset, at;
	uint64_t key;

	if (sscanf(line, "pointer %u %lu %u %lu", &p.from, &offset, &p.to, &at) < 4 ||
	    !state_object_numbered(s, p.from) || !state_object_numbered(s, p.to) ||
	    offset >= MOST_BYTES)
		return false;
	p.offset = offset;
	p.at = at;
	key = key_of_place(p.from, p.offset);
	g_hash_table_insert(s->links, g_memdup2(&key, sizeof key), g_memdup2(&p, sizeof p));
	return true;
}

struct spec_state *spec_state_read(const char *text, const struct spec_types *types)
{
	struct spec_state *s = g_new0(struct spec_state, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool ok = true;

	s->text = g_strdup(text);
	s->objects = g_array_new(FALSE, TRUE, sizeof(struct state_object));
	g_array_set_clear_func(s->objects, object_clear);
	s->links = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, g_free);
	for (char **line = lines; ok && *line; line++)
		if (**line)
			ok = **line == 'o' ? read_state_object(s, *line, types)
					   : read_state_pointer(s, *line);
	if (ok && state_object_numbered(s, 0))
		return s;
	spec_state_free(s);
	return NULL;
}

void spec_state_free(struct spec_state *s)
{
	if (!s)
		return;
	g_free(s->text);
	g_array_unref(s->objects);
	g_hash_table_destroy(s->links);
	g_free(s);
}

const struct state_pointer *spec_state_link(const struct spec_state *s, unsigned number,
					    uint64_t offset)
{
	uint64_t key = key_of_place(number, offset);

	return g_hash_table_lookup(s->links, &key);
}

/* ---- words ---- */

struct writer {
	const struct spec_state *s;
	const struct spec_types *types;
	GString *text;
	GHashTable *shown; /* numbers of objects, + 1 */
};

static void write_state_object(struct writer *w, unsigned number);

static void write_pointer(struct writer *w, const struct state_pointer *p)
{
	g_string_append_printf(w->text, "#%u", p->to);
	if (p->at)
		g_string_append_printf(w->text, "+%" G_GUINT64_FORMAT, p->at);
	if (!g_hash_table_contains(w->shown, GUINT_TO_POINTER(p->to + 1)))
		write_state_object(w, p->to);
}

static void write_value(struct writer *w, unsigned number, const struct image_type *t, uint64_t at);

static void write_members(struct writer *w, unsigned number, const struct image_type *t,
			  uint64_t at)
{
	const struct state_object *o = state_object_numbered(w->s, number);
	bool first = true;

	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t from = at + m->bit_offset / 8, size = m->type ? m->type->size : 0;

		if (!m->name || m->bit_size || !size || from + size > o->size)
			continue;
		g_string_append_printf(w->text, "%s%s%s", first ? "" : ", ", m->name,
				       number ? " " : " = ");
		write_value(w, number, m->type, from);
		first = false;
	}
}

static void write_value(struct writer *w, unsigned number, const struct image_type *t, uint64_t at)
{
	const struct state_object *o = state_object_numbered(w->s, number);
	const struct state_pointer *p =
		t->kind == IMAGE_TYPE_POINTER ? spec_state_link(w->s, number, at) : NULL;
	g_autofree char *text = NULL;

	if (p) {
		write_pointer(w, p);
	} else if (t->kind == IMAGE_TYPE_STRUCT) {
		g_string_append_c(w->text, '{');
		write_members(w, number, t, at);
		g_string_append_c(w->text, '}');
	} else if (t->kind == IMAGE_TYPE_ARRAY && t->target && t->target->size) {
		g_string_append_c(w->text, '[');
		for (uint64_t i = 0; i < t->count; i++) {
			g_string_append(w->text, i ? ", " : "");
			write_value(w, number, t->target, at + i * t->target->size);
		}
		g_string_append_c(w->text, ']');
	} else if (at + t->size <= o->size) {
		text = image_format(t, o->bytes + at, t->size);
		g_string_append(w->text, text ? text : "?");
	}
}

/* An array on the heap is larger than its type. */
static void write_state_object(struct writer *w, unsigned number)
{
	const struct state_object *o = state_object_numbered(w->s, number);
	const struct image_type *t = spec_types_get(w->types, o->type);
	uint64_t n = t->size ? o->size / t->size : 0;

	g_hash_table_add(w->shown, GUINT_TO_POINTER(number + 1));
	g_string_append(w->text, n > 1 ? " [" : " ");
	for (uint64_t i = 0; i < n; i++) {
		g_string_append(w->text, i ? ", " : "");
		write_value(w, number, t, i * t->size);
	}
	g_string_append(w->text, n > 1 ? "]" : "");
}

char *spec_state_words(const struct spec_state *s, const struct spec_types *types)
{
	struct writer w = { s, types, g_string_new(NULL), g_hash_table_new(NULL, NULL) };

	g_hash_table_add(w.shown, GUINT_TO_POINTER(1));
	write_members(&w, 0, spec_types_get(types, state_object_numbered(s, 0)->type), 0);
	g_hash_table_destroy(w.shown);
	return g_string_free(w.text, FALSE);
}

/* ---- which object is which ---- */

struct state_pairs {
	const struct spec_state *s, *other;
	int *theirs; /* by number in s: the number in `other', or NOBODY */
	int *ours;   /* the other way round */
};

static void pair_objects(struct state_pairs *p, unsigned ours, unsigned theirs)
{
	GHashTableIter i;
	gpointer link;

	if (p->theirs[ours] != NOBODY || p->ours[theirs] != NOBODY)
		return;
	p->theirs[ours] = (int)theirs;
	p->ours[theirs] = (int)ours;
	g_hash_table_iter_init(&i, p->s->links);
	while (g_hash_table_iter_next(&i, NULL, &link)) {
		const struct state_pointer *a = link;
		const struct state_pointer *b =
			a->from == ours ? spec_state_link(p->other, theirs, a->offset) : NULL;

		if (b && b->at == a->at)
			pair_objects(p, a->to, b->to);
	}
}

struct state_pairs *state_pairs_new(const struct spec_state *s, const struct spec_state *other)
{
	struct state_pairs *p = g_new0(struct state_pairs, 1);

	p->s = s;
	p->other = other;
	p->theirs = g_new(int, s->objects->len);
	p->ours = g_new(int, other->objects->len);
	for (guint i = 0; i < s->objects->len; i++)
		p->theirs[i] = NOBODY;
	for (guint i = 0; i < other->objects->len; i++)
		p->ours[i] = NOBODY;
	pair_objects(p, 0, 0);
	return p;
}

void state_pairs_free(struct state_pairs *p)
{
	if (!p)
		return;
	g_free(p->theirs);
	g_free(p->ours);
	g_free(p);
}

static uint64_t address_in_state(const struct state_pairs *p, const struct state_pointer *link)
{
	int ours = p->ours[link->to];
	uint64_t start = ours == NOBODY ? elsewhere + (uint64_t)link->to * MOST_BYTES
					: state_object_numbered(p->s, (unsigned)ours)->address;

	return start + link->at;
}

/* The bytes may be only a part of a pointer. */
static uint64_t value_in_state(const struct state_pairs *p, unsigned theirs, uint64_t at,
			       unsigned size)
{
	const struct state_object *o = state_object_numbered(p->other, theirs);
	uint64_t start = at - at % sizeof(uint64_t), value = 0;
	const struct state_pointer *link = spec_state_link(p->other, theirs, start);

	if (link)
		value = address_in_state(p, link) >> 8 * (at - start);
	else
		memcpy(&value, o->bytes + at, size);
	return size < sizeof value ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

bool state_pairs_value(const struct state_pairs *p, uint64_t address, unsigned size,
		       uint64_t *value)
{
	for (guint i = 0; i < p->s->objects->len; i++) {
		const struct state_object *o = state_object_numbered(p->s, i);
		const struct state_object *its;
		uint64_t at = o ? address - o->address : 0;

		if (!o || address < o->address || at >= o->size)
			continue;
		its = p->theirs[i] == NOBODY
			      ? NULL
			      : state_object_numbered(p->other, (unsigned)p->theirs[i]);
		if (!its || size > sizeof *value || at + size > its->size)
			return false;
		*value = value_in_state(p, (unsigned)p->theirs[i], at, size);
		return true;
	}
	return false;
}
