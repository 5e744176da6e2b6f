/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/heap.h"

#include "gdbext/specs/specs.h"
#include "solver/image/variable/variable.h"

#include <string.h>

enum { POINTER = 8 };

struct heap {
	struct spec_state *shown;
	GPtrArray *all; /* struct spec_state */
};

static void state_free(gpointer data)
{
	spec_state_free(data);
}

/* ---- the search ---- */

/* The child reads from a file, so that nobody waits for the other. */
static char *search(const struct spec_built *built, unsigned function, unsigned nodes,
		    const struct limits *limits, GError **error)
{
	g_autofree char *f = g_strdup_printf("%u", function), *n = g_strdup_printf("%u", nodes);
	g_autofree char *most = g_strdup_printf("%" G_GUINT64_FORMAT, limits->shapes);
	g_autofree char *command = g_strdup_printf("exec \"$0\" %s %s %s <\"$1\"", f, n, most);
	const char *argv[] = { "/bin/sh", "-c", command, built->shapes, built->state, NULL };
	g_autofree char *out = NULL;
	GError *cause = NULL;
	int status = 0;

	if (g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out,
			 NULL, &status, &cause) &&
	    g_spawn_check_wait_status(status, &cause))
		return g_steal_pointer(&out);
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM,
		    "States that keep to the specification could not be looked for: %s.",
		    cause->message);
	g_error_free(cause);
	return NULL;
}

static void read_states(struct heap *h, const char *text, const struct spec_types *types)
{
	g_auto(GStrv) parts = g_strsplit(text, "state\n", -1);

	for (char **part = parts; *part; part++) {
		struct spec_state *s = **part ? spec_state_read(*part, types) : NULL;

		if (s)
			g_ptr_array_add(h->all, s);
	}
}

struct heap *heap_new(const struct spec *s, const struct spec_built *built, unsigned function,
		      const char *shown, unsigned nodes, const struct limits *limits,
		      GError **error)
{
	struct heap *h = g_new0(struct heap, 1);
	g_autofree char *found = NULL;

	h->all = g_ptr_array_new_with_free_func(state_free);
	h->shown = shown ? spec_state_read(shown, s->types) : NULL;
	if (!h->shown)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The state at the call cannot be chosen: it has no parameters, or is "
			    "too large; use --input argv.");
	else if (spec_build_shapes(s, built, error) &&
		 g_file_set_contents(built->state, h->shown->text, -1, error) &&
		 (found = search(built, function, nodes, limits, error))) {
		read_states(h, found, s->types);
		g_debug("%u states keep to what is demanded at the call", h->all->len);
		return h;
	}
	heap_free(h);
	return NULL;
}

void heap_free(struct heap *h)
{
	if (!h)
		return;
	spec_state_free(h->shown);
	g_ptr_array_unref(h->all);
	g_free(h);
}

const struct spec_state *heap_shown(const struct heap *h)
{
	return h->shown;
}

unsigned heap_n(const struct heap *h)
{
	return h->all->len;
}

const struct spec_state *heap_state(const struct heap *h, unsigned number)
{
	return h->all->pdata[number];
}

/* ---- paths ---- */

static bool is_pointer(const struct image_type *t, uint64_t at)
{
	struct image_part part = { 0 };
	g_autoptr(GString) text = g_string_new(NULL);

	if (!t || !t->size)
		return true;
	image_part_of(t, at % t->size * 8, POINTER * 8, text, &part);
	return part.type && part.type->kind == IMAGE_TYPE_POINTER;
}

GArray *heap_memory(const struct spec_state *s, const struct spec_types *types)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct path_memory));

	for (guint i = 0; i < s->objects->len; i++) {
		const struct state_object *o = &g_array_index(s->objects, struct state_object, i);
		const struct image_type *t = spec_types_get(types, o->type);

		for (uint64_t at = 0; o->there && at < o->size; at += POINTER) {
			struct path_memory m = { o->address + at, MIN(o->size - at, POINTER),
						 is_pointer(t, at) };

			g_array_append_val(all, m);
		}
	}
	return all;
}

static struct heap_leaf leaf_of(struct path *p, const struct spec_state *s,
				const struct spec_state *other, GArray *values)
{
	const GArray *inputs = path_inputs(p);
	struct state_pairs *pairs = state_pairs_new(s, other);
	struct heap_leaf leaf = { 0 };

	g_array_set_size(values, inputs->len);
	for (guint k = 0; k < inputs->len; k++) {
		const struct path_input *in = &g_array_index(inputs, struct path_input, k);
		uint64_t value = (uint64_t)in->actual;

		state_pairs_value(pairs, in->address, in->size, &value);
		g_array_index(values, int64_t, k) = (int64_t)value;
		leaf.changed += value != (uint64_t)in->actual;
	}
	state_pairs_free(pairs);
	leaf.decision = path_leaves(p, values);
	return leaf;
}

struct heap_leaf *heap_leaves(const struct heap *h, struct path *p, const struct spec_state *s,
			      const struct heap_leaf *before, unsigned bound)
{
	struct heap_leaf *all = g_new0(struct heap_leaf, MAX(h->all->len, 1));
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (guint i = 0; i < h->all->len; i++)
		if (before && before[i].decision + 1 != bound)
			all[i].decision = MIN(before[i].decision, bound - 1);
		else
			all[i] = leaf_of(p, s, h->all->pdata[i], values);
	return all;
}

/* The object's line with other bytes. */
static void set_bytes(GString *text, const struct state_object *o, unsigned number, uint64_t at,
		      unsigned size, int64_t value)
{
	g_autofree char *start = g_strdup_printf("object %u ", number);
	char *line = g_str_has_prefix(text->str, start) ? text->str : NULL;
	char *hex;

	if (!line) {
		g_autofree char *later = g_strconcat("\n", start, NULL);

		line = strstr(text->str, later) + 1;
	}
	hex = strchr(line, '\n') - o->size * 2;
	for (unsigned i = 0; i < size; i++) {
		g_autofree char *byte = g_strdup_printf("%02x", (unsigned)(value >> 8 * i & 0xff));

		memcpy(hex + (at + i) * 2, byte, 2);
	}
}

char *heap_with_values(const struct spec_state *s, const struct path *p, const GArray *values)
{
	const GArray *inputs = path_inputs(p);
	GString *text = g_string_new(s->text);

	for (guint k = 0; k < inputs->len; k++) {
		const struct path_input *in = &g_array_index(inputs, struct path_input, k);
		int64_t value = g_array_index(values, int64_t, k);

		for (guint i = 0; value != in->actual && i < s->objects->len; i++) {
			const struct state_object *o =
				&g_array_index(s->objects, struct state_object, i);
			uint64_t at = in->address - o->address;

			if (!o->there || in->address < o->address || at + in->size > o->size)
				continue;
			if (spec_state_link(s, i, at)) {
				g_string_free(text, TRUE);
				return NULL;
			}
			set_bytes(text, o, i, at, in->size, value);
		}
	}
	return g_string_free(text, FALSE);
}
