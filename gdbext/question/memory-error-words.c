/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An invalid access in words: what it is, and the story of the block that it is about. */
#include "gdbext/question/memory-error-private.h"
#include "gdbext/question/notes.h"
#include "solver/base/ordinal.h"

#include <string.h>

const struct image_statement *memory_error_statement_at(const struct question *q,
							const struct memory_frame *f)
{
	uint64_t bias;
	const struct image *im = trace_point_image_at(q->point, f->pc, &bias);
	const struct image_row *row = im ? image_row_at(im, f->pc - bias) : NULL;

	return row ? image_statement(im, row->statement) : NULL;
}

static void add_places_of_point(const struct question *q, const struct memory_point *m,
				GPtrArray *to)
{
	for (unsigned i = 0; i < m->n_frames; i++) {
		const struct image_statement *s = memory_error_statement_at(q, &m->frames[i]);

		if (s)
			g_ptr_array_add(to, (gpointer)s);
	}
}

GPtrArray *memory_error_story(const struct question *q)
{
	const struct memory_finding *f = &q->memory->finding;
	GPtrArray *places = g_ptr_array_new();

	if (f->has_object && f->object.is_freed)
		add_places_of_point(q, &f->object.gone, places);
	if (f->has_object && f->object.is_block)
		add_places_of_point(q, &f->object.made, places);
	return places;
}

/* "list.c:12 in make (the 2nd call of make), called at list.c:30 in main" */
static char *place_of_point(const struct question *q, const struct memory_point *m)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < m->n_frames && i < 3; i++) {
		const struct image_statement *s = memory_error_statement_at(q, &m->frames[i]);
		g_autofree char *file = s ? g_path_get_basename(s->file) : NULL;

		if (!s)
			break;
		g_string_append_printf(out, "%s%s:%u in %s", i ? ", called at " : "", file, s->line,
				       s->function);
		if (!i && m->frames[i].call > 1)
			g_string_append_printf(out, " (the %" G_GUINT64_FORMAT "%s call of %s)",
					       m->frames[i].call, ordinal_ending(m->frames[i].call),
					       s->function);
	}
	return g_string_free(out, FALSE);
}

static char *number_of_bytes_text(uint64_t n)
{
	return g_strdup_printf("%" G_GUINT64_FORMAT " byte%s", n, n == 1 ? "" : "s");
}

/* "a block of 16 bytes", "the array `slots' of 128 bytes" */
static char *object_words(const struct memory_object *o)
{
	g_autofree char *size = number_of_bytes_text(o->hi - o->lo);

	if (o->is_open)
		return g_strdup("a block");
	return o->is_block ? g_strdup_printf("a block of %s", size)
			   : g_strdup_printf("`%s', which has %s", o->name, size);
}

/* "4 bytes behind the end of a block of 16 bytes" */
static char *where_outside(const struct memory_finding *f)
{
	const struct memory_object *o = &f->object;
	g_autofree char *what = object_words(o);
	g_autofree char *far =
		number_of_bytes_text(f->address >= o->hi ? f->address - o->hi : o->lo - f->address);

	if (f->address == o->hi)
		return g_strdup_printf("right behind the end of %s", what);
	return g_strdup_printf("%s %s of %s", far,
			       f->address >= o->hi ? "behind the end" : "before the beginning",
			       what);
}

char *memory_error_sentence(const struct memory_finding *f)
{
	g_autofree char *size = number_of_bytes_text(f->size);
	g_autofree char *object = f->has_object ? object_words(&f->object) : g_strdup("memory");
	g_autofree char *outside = f->kind == MEMORY_OUTSIDE ? where_outside(f) : NULL;
	g_autofree char *who = f->at.by ? g_strconcat(f->at.by, " ", NULL) : g_strdup("");
	g_autofree char *nth = g_strdup_printf("%" G_GUINT64_FORMAT, f->size);
	const char *what = f->writes ? "writes" : "reads";

	switch (f->kind) {
	case MEMORY_OUTSIDE:
		return g_strdup_printf("invalid %s: %s%s %s, %s", f->writes ? "write" : "read", who,
				       what, size, outside);
	case MEMORY_AFTER_FREE:
		return g_strdup_printf("use after free: %s%s %s in %s that was freed", who, what,
				       size, object);
	case MEMORY_FREED_TWICE:
		return g_strdup_printf("double free: %s that was freed is given to %s again",
				       object, f->at.by);
	case MEMORY_NOT_A_BLOCK:
		return g_strdup_printf("invalid free: %s is given what is no block's beginning",
				       f->at.by);
	case MEMORY_UNSET_BRANCH:
		return g_strdup("uninitialised value: a branch depends on it");
	case MEMORY_UNSET_ADDRESS:
		return g_strdup("uninitialised value: an address depends on it");
	case MEMORY_UNSET_TEXT:
		return g_strdup_printf("uninitialised value: byte %s of the text that %s gets as "
				       "argument %u, in %s",
				       nth, f->at.by, f->argument, object);
	default:
		return g_strdup_printf("uninitialised value: argument %u of %s", f->argument,
				       f->at.by);
	}
}

void memory_error_note_finding(struct question *q, const struct memory_finding *f)
{
	const struct image_statement *s =
		f->at.n_frames ? memory_error_statement_at(q, &f->at.frames[0]) : NULL;
	g_autofree char *sentence = memory_error_sentence(f);
	g_autofree char *file = s ? g_path_get_basename(s->file) : NULL;

	if (s && !image_is_of_system(s->file))
		notes_printf(q->e,
			     "the failure may come from %s %s, at %s:%u; --memory explains that",
			     strchr("aeio", *sentence) ? "an" : "a", sentence, file, s->line);
}

static void tell_event(struct question *q, const char *what, const struct memory_point *m)
{
	const struct image_statement *s =
		m->n_frames ? memory_error_statement_at(q, &m->frames[0]) : NULL;
	struct explanation_event v;

	if (!s || !m->by)
		return;
	v = (struct explanation_event){
		.what = what,
		.by = explanation_string(q->e, m->by),
		.function = explanation_string(q->e, s->function),
		.file = explanation_string(q->e, s->file),
		.line = s->line,
		.call = m->frames[0].call,
	};
	g_array_append_val(q->e->failure.story, v);
}

void memory_error_note(struct question *q)
{
	const struct memory_object *o = q->memory ? &q->memory->finding.object : NULL;
	const struct replay_failing *f = &q->run.failing;
	g_autofree char *made = NULL, *gone = NULL;

	if (o && f->end == RUN_SIGNAL)
		notes_printf(q->e, "the test ends by %s afterwards", replay_signal_name(f->signo));
	if (!o || !q->memory->finding.has_object || !o->is_block)
		return;
	made = place_of_point(q, &o->made);
	gone = o->is_freed ? place_of_point(q, &o->gone) : NULL;
	notes_printf(q->e, "the block was allocated by %s at %s", o->made.by, made);
	if (gone)
		notes_printf(q->e, "it was freed by %s at %s", o->gone.by, gone);
	g_array_set_size(q->e->failure.story, 0);
	tell_event(q, "allocated", &o->made);
	if (o->is_freed)
		tell_event(q, "freed", &o->gone);
}
