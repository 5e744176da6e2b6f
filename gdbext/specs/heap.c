/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/heap.h"

#include "gdbext/specs/spec/specs.h"
#include "solver/image/variable/variable.h"

#include <string.h>

enum { POINTER = 8 };

struct heap {
	struct spec_state *shown;
	GPtrArray *all;	  /* struct spec_state; … */
	GPtrArray *calls; /* … char *, for the first of them */
};

static void state_free(gpointer data)
{
	spec_state_free(data);
}

/* ---- the search ---- */

/* What a program of predicates alone writes; it runs in the cage. */
static char *search_heap(const struct spec_built *built, const struct heap_question *q,
			 GError **error)
{
	g_autofree char *f = g_strdup_printf("%u", q->function);
	g_autofree char *n = g_strdup_printf("%u", q->nodes);
	g_autofree char *most = g_strdup_printf("%" G_GUINT64_FORMAT, q->limits->shapes);
	char *const argv[] = { built->shapes, f, n, most, NULL };
	const struct replay_options options = { .argv = argv,
						.stdin_file = built->state,
						.until = q->until,
						.run_timeout = (double)q->limits->shapes_ms / 1000,
						.limits = q->limits,
						.direct = true };
	const struct run_request request = { .native = true };
	struct replay *r = replay_new(&options, error);
	struct runner *runner = r ? replay_runner(r) : NULL;
	struct run_result result = { 0 };
	char *out = NULL;

	if (runner && runner->run(runner, &request, &result, error)) {
		g_autofree char *path = g_build_filename(result.record, "out", NULL);

		g_debug("states were looked for in %.0f ms: end %d", result.ms, (int)result.end);
		g_file_get_contents(path, &out, NULL, error);
		run_result_clear(&result);
	}
	replay_free(r);
	g_prefix_error(error, "States that keep to the specification could not be looked for: ");
	return out;
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

/* " 3 push(s, 1)" → "push(s, 1) at call 3" */
static char *words_of_calls(const char *line, gsize n)
{
	g_autofree char *text = g_strndup(line, n);
	char *rest = NULL;
	guint64 call = g_ascii_strtoull(text, &rest, 10);

	rest = g_strstrip(rest);
	return *rest && call > 1 ? g_strdup_printf("%s at call %" G_GUINT64_FORMAT, rest, call)
				 : g_strdup(rest);
}

/* Each part is a line of calls, and a state. */
static void read_made(struct heap *h, const char *text, const struct spec_types *types)
{
	g_auto(GStrv) parts = g_strsplit(text, "made", -1);

	for (char **part = parts; *part; part++) {
		char *end = strchr(*part, '\n');
		struct spec_state *s = end ? spec_state_read(end + 1, types) : NULL;

		if (!s)
			continue;
		g_ptr_array_add(h->all, s);
		g_ptr_array_add(h->calls, words_of_calls(*part, (gsize)(end - *part)));
	}
}

/* A specification that is compiled already is not compiled anew for the search of states that are
 * set in memory. */
struct heap *heap_new(const struct spec *s, const struct spec_built *built,
		      const struct heap_question *q, GError **error)
{
	struct heap *h = g_new0(struct heap, 1);
	g_autofree char *found = NULL;

	h->all = g_ptr_array_new_with_free_func(state_free);
	h->calls = g_ptr_array_new_with_free_func(g_free);
	h->shown = q->shown ? spec_state_read(q->shown, s->types) : NULL;
	if (!h->shown)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The state at the call cannot be chosen: it has no parameters, or is "
			    "too large; use --input argv.");
	else if (s->compiled)
		found = g_strdup("");
	else if (spec_build_shapes(s, built, error) &&
		 g_file_set_contents(built->state, h->shown->text, -1, error))
		found = search_heap(built, q, error);
	if (found) {
		if (q->made)
			read_made(h, q->made, s->types);
		read_states(h, found, s->types);
		g_debug("%u states keep to what is demanded at the call, and operations make %u",
			h->all->len - h->calls->len, h->calls->len);
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
	g_ptr_array_unref(h->calls);
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

const char *heap_calls(const struct heap *h, unsigned number)
{
	return number < h->calls->len ? h->calls->pdata[number] : NULL;
}

/* ---- paths ---- */

static bool is_pointer_at(const struct image_type *t, uint64_t at)
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
						 is_pointer_at(t, at) };

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
