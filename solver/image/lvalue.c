/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses and registers in the words of the source. */
#include "solver/image/image-private.h"

#include <string.h>

void image_lvalue_clear(struct image_lvalue *lv)
{
	g_clear_pointer(&lv->text, g_free);
}

static const struct image_member *member_at(const struct image_type *t, uint64_t offset,
					    unsigned size)
{
	const struct image_member *covering = NULL;

	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t lo = m->bit_offset / 8;

		if (!m->type || offset < lo || offset + size > lo + MAX(m->type->size, 1))
			continue;
		if (lo == offset && m->type->size == size)
			return m;
		if (!covering)
			covering = m;
	}
	return covering;
}

/* Goes down to the smallest scalar that holds [offset, offset + size). */
static const struct image_type *descend(const struct image_type *t, uint64_t offset, unsigned size,
					GString *text)
{
	while (t) {
		if (t->kind == IMAGE_TYPE_ARRAY && t->target && t->target->size) {
			uint64_t i = offset / t->target->size;

			if (offset % t->target->size + size > t->target->size)
				return t;
			g_string_append_printf(text, "[%" G_GUINT64_FORMAT "]", i);
			offset %= t->target->size;
			t = t->target;
		} else if (t->kind == IMAGE_TYPE_STRUCT || t->kind == IMAGE_TYPE_UNION) {
			const struct image_member *m = member_at(t, offset, size);

			if (!m)
				return t;
			if (m->name)
				g_string_append_printf(text, ".%s", m->name);
			offset -= m->bit_offset / 8;
			t = m->type;
		} else {
			return t;
		}
	}
	return NULL;
}

static bool covers(uint64_t at, const struct image_variable *v, uint64_t address, unsigned size)
{
	uint64_t bytes = v->type ? v->type->size : 0;

	return address >= at && address - at < bytes && size <= bytes - (address - at);
}

static void describe(const struct image_variable *v, uint64_t at, uint64_t address, unsigned size,
		     struct image_lvalue *out)
{
	GString *text = g_string_new(v->name);

	out->variable = v;
	out->object = at;
	out->object_size = v->type->size;
	out->type = descend(v->type, address - at, size, text);
	out->text = g_string_free(text, FALSE);
}

bool image_name_memory(const struct image *im, const struct image_frame *frame, uint64_t address,
		       unsigned size, struct image_lvalue *out)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, frame->pc, &v);

	for (size_t i = 0; i < n; i++) {
		struct image_place p = image_locate(im, v[i], frame);

		if (p.kind != IMAGE_PLACE_MEMORY || !covers(p.address, v[i], address, size))
			continue;
		describe(v[i], p.address, address, size, out);
		return true;
	}
	n = image_globals(im, &v);
	for (size_t i = 0; i < n; i++)
		if (covers(v[i]->address + frame->bias, v[i], address, size)) {
			describe(v[i], v[i]->address + frame->bias, address, size, out);
			return true;
		}
	return false;
}

bool image_name_register(const struct image *im, const struct image_frame *frame, unsigned reg,
			 struct image_lvalue *out)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, frame->pc, &v);

	for (size_t i = 0; i < n; i++) {
		struct image_place p = image_locate(im, v[i], frame);

		if (p.kind != IMAGE_PLACE_REGISTER || p.reg != reg)
			continue;
		*out = (struct image_lvalue){ .variable = v[i],
					      .type = v[i]->type,
					      .text = g_strdup(v[i]->name) };
		return true;
	}
	return false;
}
