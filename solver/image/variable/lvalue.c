/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses and registers, named in the words of the source. */
#include "solver/image/image-private.h"
#include "solver/image/variable/variable.h"

#include <string.h>

void image_lvalue_clear(struct image_lvalue *lv)
{
	g_clear_pointer(&lv->text, g_free);
}

static uint64_t bits_of_member(const struct image_member *m)
{
	return m->bit_size ? m->bit_size : 8 * MAX(m->type->size, 1);
}

/* How large is the smallest part of the member that covers these bits? */
static uint64_t bits_of_part(const struct image_member *m, uint64_t at, uint64_t bits)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct image_part part;

	if (m->bit_size)
		return m->bit_size;
	image_part_of(m->type, at - m->bit_offset, bits, text, &part);
	return part.bits;
}

/* Members of a union lie on each other: the one with the smallest part is meant. */
static const struct image_member *member_holding_bits(const struct image_type *t, uint64_t at,
						      uint64_t bits)
{
	const struct image_member *covering = NULL;
	uint64_t smallest = 0;

	for (uint32_t i = 0; i < t->n_members; i++) {
		const struct image_member *m = &t->members[i];
		uint64_t part;

		if (!m->type || at < m->bit_offset || at + bits > m->bit_offset + bits_of_member(m))
			continue;
		if (m->bit_offset == at && bits_of_member(m) == bits)
			return m;
		part = bits_of_part(m, at, bits);
		if (covering && part >= smallest)
			continue;
		covering = m;
		smallest = part;
	}
	return covering;
}

/* Goes one step down into the type; false when it is the smallest part already. */
static bool step_down(struct image_part *p, uint64_t at, uint64_t bits, GString *text)
{
	const struct image_type *t = p->type;
	const struct image_member *m;
	uint64_t i, element;

	if (t->kind == IMAGE_TYPE_ARRAY && t->target && t->target->size) {
		element = 8 * t->target->size;
		i = (at - p->at) / element;
		if ((at - p->at) % element + bits > element)
			return false;
		g_string_append_printf(text, "[%" G_GUINT64_FORMAT "]", i);
		*p = (struct image_part){ t->target, p->at + i * element, element };
		return true;
	}
	if (t->kind != IMAGE_TYPE_STRUCT && t->kind != IMAGE_TYPE_UNION)
		return false;
	m = member_holding_bits(t, at - p->at, bits);
	if (!m)
		return false;
	if (m->name)
		g_string_append_printf(text, ".%s", m->name);
	*p = (struct image_part){ m->type, p->at + m->bit_offset, bits_of_member(m) };
	return true;
}

void image_part_of_type(const struct image_type *t, uint64_t at, uint64_t bits,
			const struct image_type *wanted, GString *text, struct image_part *out)
{
	*out = (struct image_part){ t, 0, t ? 8 * t->size : 0 };
	while (out->type && !(wanted && out->type == wanted && out->at == at) &&
	       step_down(out, at, bits, text))
		;
}

void image_part_of(const struct image_type *t, uint64_t at, uint64_t bits, GString *text,
		   struct image_part *out)
{
	image_part_of_type(t, at, bits, NULL, text, out);
}

static bool variable_covers_bytes(uint64_t at, const struct image_variable *v, uint64_t address,
				  unsigned size)
{
	uint64_t bytes = v->type ? v->type->size : 0;

	return address >= at && address - at < bytes && size <= bytes - (address - at);
}

static void describe_lvalue(const struct image_variable *v, uint64_t at, uint64_t address,
			    unsigned size, const struct image_type *wanted,
			    struct image_lvalue *out)
{
	GString *text = g_string_new(v->name);
	struct image_part part;

	out->variable = v;
	out->object = at;
	out->object_size = v->type->size;
	image_part_of_type(v->type, 8 * (address - at), 8 * size, wanted, text, &part);
	out->type = part.type;
	out->part = at + part.at / 8;
	out->text = g_string_free(text, FALSE);
}

/* Does the name mean another variable there?  n: of the visible ones, innermost first, those that
 * are further in, or all. */
static bool is_hidden_by(const struct image_variable *const *visible, size_t n,
			 const struct image_variable *v)
{
	for (size_t i = 0; i < n; i++)
		if (visible[i] != v && strcmp(visible[i]->name, v->name) == 0)
			return true;
	return false;
}

/* An argument of a function that was inlined may lie where the variable lies that was passed.
 * lent: such arguments, or all others. */
static bool name_by_visible(const struct image *im, const struct image_frame *frame,
			    uint64_t address, unsigned size, const struct image_type *wanted,
			    bool lent, struct image_lvalue *out)
{
	const struct image_variable *const *v;
	size_t n = image_variables_at(im, frame->pc, &v);

	for (size_t i = 0; i < n; i++) {
		struct image_place p;

		if ((v[i]->parameter && v[i]->inlined) != lent)
			continue;
		p = image_locate(im, v[i], frame);
		if (p.kind != IMAGE_PLACE_MEMORY ||
		    !variable_covers_bytes(p.address, v[i], address, size) ||
		    is_hidden_by(v, i, v[i]))
			continue;
		describe_lvalue(v[i], p.address, address, size, wanted, out);
		return true;
	}
	return false;
}

static bool name_memory_by_variables(const struct image *im, const struct image_frame *frame,
				     uint64_t address, unsigned size,
				     const struct image_type *wanted, struct image_lvalue *out)
{
	const struct image_variable *const *v, *const *visible;
	size_t n, n_visible;

	if (name_by_visible(im, frame, address, size, wanted, false, out))
		return true;
	n = image_globals(im, &v);
	n_visible = image_variables_at(im, frame->pc, &visible);
	for (size_t i = 0; i < n; i++)
		if (variable_covers_bytes(v[i]->address + frame->bias, v[i], address, size) &&
		    !is_hidden_by(visible, n_visible, v[i])) {
			describe_lvalue(v[i], v[i]->address + frame->bias, address, size, wanted,
					out);
			return true;
		}
	return name_by_visible(im, frame, address, size, wanted, true, out);
}

bool image_name_memory(const struct image *im, const struct image_frame *frame, uint64_t address,
		       unsigned size, struct image_lvalue *out)
{
	return name_memory_by_variables(im, frame, address, size, NULL, out);
}

bool image_name_object(const struct image *im, const struct image_frame *frame, uint64_t address,
		       const struct image_type *type, struct image_lvalue *out)
{
	return name_memory_by_variables(im, frame, address, type ? (unsigned)type->size : 1, type,
					out);
}
