/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/guard/watch.h"

#include <string.h>

void watch_free(struct watch *w)
{
	if (!w)
		return;
	g_free(w->text);
	g_free(w);
}

static bool is_comparable_type(const struct image_type *t)
{
	bool power = t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;

	switch (t->kind) {
	case IMAGE_TYPE_BOOL:
	case IMAGE_TYPE_CHAR:
	case IMAGE_TYPE_INT:
	case IMAGE_TYPE_ENUM:
		return power;
	case IMAGE_TYPE_POINTER:
		return t->size == 8 && !t->is_reference;
	case IMAGE_TYPE_FLOAT:
		return t->size == 4 || t->size == 8;
	default:
		return false;
	}
}

/* Each register holds a number of its own that no other place is near to, so that the place of a
 * variable tells which register it counts from. */
static uint64_t mark_of_register(unsigned reg)
{
	return (uint64_t)(reg + 1) << 40;
}

/* False: nobody knows, or it is of no use. */
static bool find_place(const struct image *im, const struct image_variable *v, uint64_t addr,
		       struct watch *w)
{
	struct image_frame frame = { .pc = addr };
	struct image_place p;

	for (unsigned i = 0; i < G_N_ELEMENTS(frame.regs); i++)
		frame.regs[i] = mark_of_register(i);
	p = image_locate(im, v, &frame);
	if (p.kind == IMAGE_PLACE_REGISTER && p.reg < 16) {
		w->kind = WATCH_REGISTER;
		w->reg = p.reg;
		return true;
	}
	if (p.kind != IMAGE_PLACE_MEMORY)
		return false;
	w->kind = WATCH_MEMORY;
	w->reg = TRACE_NOTE_NONE;
	w->disp = (int64_t)p.address;
	for (unsigned i = 0; i < 16; i++)
		if (p.address + (1ull << 39) - mark_of_register(i) < 1ull << 40) {
			w->reg = i;
			w->disp = (int64_t)(p.address - mark_of_register(i));
		}
	return w->disp == (int32_t)w->disp;
}

static void add_scalar(GPtrArray *all, const struct watch *place, const struct image_type *type,
		       const char *text, const struct limits *limits)
{
	struct watch *w;

	if (!is_comparable_type(type) || all->len >= limits->guard_watches)
		return;
	w = g_memdup2(place, sizeof *place);
	w->type = type;
	w->size = (unsigned)type->size;
	w->is_signed = type->is_signed || type->kind == IMAGE_TYPE_FLOAT;
	w->text = g_strdup(text);
	g_ptr_array_add(all, w);
}

/* C keeps such names for its libraries: `_M_string_length' is nothing that a program compares. */
static bool is_reserved_name(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || g_ascii_isupper(name[1]));
}

/* "s.a", "p->a"; bit-fields would have to be cut out. */
static void add_member_watches(GPtrArray *all, const struct watch *place,
			       const struct image_type *type, const char *text, const char *between,
			       const struct limits *limits)
{
	for (uint32_t i = 0; i < type->n_members; i++) {
		const struct image_member *m = &type->members[i];
		g_autofree char *name = m->name ? g_strconcat(text, between, m->name, NULL) : NULL;
		struct watch at = *place;

		if (!name || m->bit_size || m->bit_offset % 8 || is_reserved_name(m->name))
			continue;
		if (at.kind == WATCH_POINTED)
			at.member += (int64_t)m->bit_offset / 8;
		else
			at.disp += (int64_t)m->bit_offset / 8;
		add_scalar(all, &at, m->type, name, limits);
	}
}

static bool has_members(const struct image_type *t)
{
	return t && (t->kind == IMAGE_TYPE_STRUCT || t->kind == IMAGE_TYPE_UNION);
}

/* "*p", "p[1]", "p[2]": what a string or an array begins with. */
static void add_elements(GPtrArray *all, const struct watch *pointer, const struct image_type *type,
			 const char *text, const struct limits *limits)
{
	struct watch at = *pointer;

	for (unsigned i = 0; i < limits->guard_elements; i++) {
		g_autofree char *name =
			i ? g_strdup_printf("%s[%u]", text, i) : g_strconcat("*", text, NULL);

		add_scalar(all, &at, type, name, limits);
		at.member += (int64_t)type->size;
		at.distance = pointer->distance + 1;
	}
}

static void add_variable_watches(GPtrArray *all, const struct image *im,
				 const struct image_variable *v, uint64_t addr, unsigned distance,
				 const struct limits *limits)
{
	struct watch w = { .distance = distance };

	if (!v->name || !v->type || !find_place(im, v, addr, &w))
		return;
	if (is_comparable_type(v->type) &&
	    !(w.kind == WATCH_REGISTER && v->type->kind == IMAGE_TYPE_FLOAT))
		add_scalar(all, &w, v->type, v->name, limits);
	if (w.kind != WATCH_MEMORY)
		return;
	w.distance = distance + 1;
	if (has_members(v->type))
		add_member_watches(all, &w, v->type, v->name, ".", limits);
	if (v->type->kind != IMAGE_TYPE_POINTER || !v->type->target)
		return;
	w.kind = WATCH_POINTED;
	if (!v->type->is_reference)
		add_elements(all, &w, v->type->target, v->name, limits);
	if (has_members(v->type->target))
		add_member_watches(all, &w, v->type->target, v->name,
				   v->type->is_reference ? "." : "->", limits);
}

/* One that is declared later, or here, has no value yet. */
static bool is_initialised_at(const struct image_variable *v, unsigned line)
{
	return !v->function || v->parameter || !line || v->line < line;
}

GPtrArray *watches_at(const struct image *im, uint64_t addr, const struct limits *limits)
{
	GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)watch_free);
	const struct image_variable *const *visible;
	size_t n = image_variables_at(im, addr, &visible);
	const struct image_row *row = image_row_at(im, addr);
	unsigned line = row ? image_statement(im, row->statement)->line : 0;
	g_autofree const struct image_variable **own = g_memdup2(visible, n * sizeof *visible);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < n; i++)
		if (own[i]->name && is_initialised_at(own[i], line) &&
		    g_hash_table_add(seen, (gpointer)own[i]->name))
			add_variable_watches(all, im, own[i], addr, own[i]->function ? 0 : 2,
					     limits);
	return all;
}

struct trace_action watch_note(const struct watch *w)
{
	return (struct trace_action){
		.kind = TRACE_ACTION_CODE_NOTE,
		.addr = w->kind == WATCH_REGISTER ? 0 : (uint64_t)w->disp,
		.reg = (uint16_t)(w->kind == WATCH_REGISTER ? w->reg | TRACE_NOTE_REG : w->reg),
		.size = (uint16_t)w->size,
		.where = (uint64_t)w->member,
		.thread = w->kind == WATCH_POINTED,
	};
}

int64_t watch_value(const struct watch *w, uint64_t noted)
{
	unsigned unused = 64 - 8 * w->size;

	return w->is_signed ? (int64_t)(noted << unused) >> unused
			    : (int64_t)(noted << unused >> unused);
}

bool watches_are_comparable(const struct watch *a, const struct watch *b)
{
	enum image_type_kind x = a->type->kind, y = b->type->kind;

	if (x == IMAGE_TYPE_POINTER || y == IMAGE_TYPE_POINTER)
		return x == y && a->type->target == b->type->target;
	if (x == IMAGE_TYPE_FLOAT || y == IMAGE_TYPE_FLOAT)
		return x == y && a->size == b->size;
	return x != IMAGE_TYPE_BOOL && y != IMAGE_TYPE_BOOL;
}
