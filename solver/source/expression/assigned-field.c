/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/expression/assigned-field.h"

#include "solver/source/source.h"

static void free_assigned_sources(gpointer sources)
{
	sources_free(sources);
}

GHashTable *assigned_sources_new(void)
{
	return g_hash_table_new_full(NULL, NULL, NULL, free_assigned_sources);
}

static char *text_assigned(GHashTable *sources, const struct image *im,
			   const struct image_statement *s)
{
	struct sources *own = g_hash_table_lookup(sources, im);
	const struct source *source;
	size_t at;

	if (!own) {
		own = sources_new(im);
		g_hash_table_insert(sources, (gpointer)im, own);
	}
	source = s->file ? sources_get(own, s->file) : NULL;
	if (!source || !source_place(source, s->line, s->column, &at))
		return NULL;
	return source_text(source, source_assigned(source, at));
}

enum assigned_to assigned_by(GHashTable *sources, const struct image *im,
			     const struct image_statement *s, uint64_t link, struct expression *x)
{
	const struct image_frame frame = { .pc = link };
	g_autofree char *text = s ? text_assigned(sources, im, s) : NULL;

	if (!text || !expression_look_up(im, &frame, text, x) || !x->type)
		return ASSIGNED_TO_UNKNOWN;
	if (x->has_address) { /* of a frame that is not known, but it lies as all frames do */
		x->has_address = false;
		x->known_offset = true;
		x->offset = x->address;
	}
	if (x->bits)
		return ASSIGNED_TO_FIELD;
	return x->type->kind < IMAGE_TYPE_STRUCT ? ASSIGNED_TO_WHOLE : ASSIGNED_TO_PARTS;
}

/* Without the address of its object: that lies at a multiple of the alignment of the field's type.
 */
int64_t assigned_first_bit(const struct expression *field, uint64_t address)
{
	int64_t unit = 8 * (int64_t)field->type->size, from;

	if (field->has_address)
		return 8 * (int64_t)(field->address - address) + field->bit;
	if (!field->known_offset || !unit)
		return -1;
	from = (8 * (int64_t)field->offset + field->bit -
		8 * (int64_t)(address % field->type->size)) %
	       unit;
	return from < 0 ? from + unit : from;
}

uint64_t assigned_bits(const struct expression *field, uint64_t address, unsigned size)
{
	const int64_t from = assigned_first_bit(field, address);

	if (from < 0 || size > 8 || from + field->bits > 8 * size)
		return 0;
	return (field->bits < 64 ? (UINT64_C(1) << field->bits) - 1 : ~UINT64_C(0)) << from;
}
