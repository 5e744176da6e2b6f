/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Library functions: what they read and write (.accesses of solver/library/library.def), and what
 * may have become of memory that they were given.
 */
#include "solver/memory/private.h"

#include "solver/output/arguments.h"

#include <string.h>

/* __strcpy_chk does what strcpy does, and has one argument more. */
static const char *name_without_chk(const char *name, char *buffer, size_t size)
{
	size_t n = name ? strlen(name) : 0;

	if (n < 7 || n - 6 + 1 > size || strncmp(name, "__", 2) != 0 ||
	    strcmp(name + n - 4, "_chk") != 0 || strstr(name, "printf"))
		return name;
	memcpy(buffer, name + 2, n - 6);
	buffer[n - 6] = 0;
	return buffer;
}

/* The row that says what the function accesses; NULL = none does. */
static const struct library_function *row_of_accesses(const char *name)
{
	char buffer[32];
	const struct library_function *f =
		library_find(name_without_chk(name, buffer, sizeof(buffer)));

	return f && f->accesses[0].extent ? f : NULL;
}

/* ---- what a function accesses ---- */

bool calls_string_length(const struct checking *c, uint64_t at, uint32_t object, uint64_t most,
			 uint64_t *length)
{
	const struct memory_object *o = objects_get(c->objects, object);

	if (o && (o->is_escaped || o->is_open))
		return false;
	if (o && at >= o->lo && at <= o->hi && !o->is_freed)
		return texts_length(c->texts, at, MIN(most, o->hi - at + 1), length) ||
		       *length == o->hi - at;
	return texts_length(c->texts, at, MIN(most, 1 << 20), length) && *length < 1 << 20;
}

/* Where it begins, and how many bytes; false = it is not known. */
static bool extent_of(const struct checking *c, const struct pending_call *p,
		      const struct library_function *row, unsigned i, uint64_t result,
		      uint64_t *start, uint64_t *size)
{
	unsigned a = row->accesses[i].argument, by = row->accesses[i].size;
	uint64_t most =
		row->accesses[i].most ? calls_argument(p, row->accesses[i].most) : UINT64_MAX;
	uint64_t n = calls_argument(p, by), before = 0;
	int64_t got = strstr(row->name, "printf") ? (int32_t)result : (int64_t)result;
	bool strings = row->accesses[i].extent >= LIBRARY_EXTENT_SOURCE &&
		       row->accesses[i].extent <= LIBRARY_EXTENT_BEHIND_MOST;

	*start = calls_argument(p, a);
	if (strings && !calls_string_length(c, n, p->objects[by - 1], most, &n))
		return false;
	switch (row->accesses[i].extent) {
	case LIBRARY_EXTENT_STRING:
		if (!calls_string_length(c, *start, p->objects[a - 1], most, size))
			return false;
		++*size;
		return true;
	case LIBRARY_EXTENT_GIVEN:
		*size = n;
		return true;
	case LIBRARY_EXTENT_SOURCE:
		*size = n + 1;
		return true;
	case LIBRARY_EXTENT_BEHIND:
	case LIBRARY_EXTENT_BEHIND_MOST:
		if (!calls_string_length(c, *start, p->objects[a - 1], UINT64_MAX, &before))
			return false;
		*start += before;
		*size = MIN(n, most) + 1;
		return true;
	case LIBRARY_EXTENT_RESULT:
	case LIBRARY_EXTENT_RESULT_NUL:
		*size = (uint64_t)got + (row->accesses[i].extent == LIBRARY_EXTENT_RESULT_NUL);
		return got >= 0;
	case LIBRARY_EXTENT_RESULT_MOST:
		*size = MIN((uint64_t)got + 1, n);
		return got >= 0;
	case LIBRARY_EXTENT_RESULT_TIMES:
		*size = (uint64_t)got * n;
		return got >= 0;
	default:
		*size = 1;
		return true;
	}
}

static bool is_late_extent(enum library_extent e)
{
	return e >= LIBRARY_EXTENT_RESULT;
}

/* Where only what a change led to counts: where it begins, or how long it is, was changed. */
static bool is_asked_for(const struct checking *c, const struct pending_call *p,
			 const struct library_function *row, unsigned i)
{
	unsigned by = 1u << row->accesses[i].argument | 1u << row->accesses[i].size |
		      1u << row->accesses[i].most;

	return !c->influence || p->unset << 1 & by & ~1u;
}

static void check_call_accesses(struct checking *c, const struct pending_call *p, uint64_t result,
				bool late)
{
	const struct library_function *row = row_of_accesses(p->name);
	uint64_t start, size;

	for (unsigned i = 0; row && i < G_N_ELEMENTS(row->accesses); i++)
		if (row->accesses[i].argument && is_late_extent(row->accesses[i].extent) == late &&
		    is_asked_for(c, p, row, i) && extent_of(c, p, row, i, result, &start, &size))
			checking_access(c, p->objects[row->accesses[i].argument - 1], start, size,
					row->accesses[i].writes, p->name,
					row->accesses[i].argument);
}

/* How far a function may write that was given this address, where no object is known: on the stack,
 * not beyond the frame that the address is in. */
static uint64_t end_of_writes(const struct checking *c, uint64_t start)
{
	uint64_t end = start + ESCAPES_FROM;

	for (guint i = 0; i < c->calls->len; i++) {
		const uint64_t sp = g_array_index(c->calls, struct open_call, i).sp;

		if (sp > start && sp < end)
			end = sp;
	}
	return end;
}

/* It wrote there, nobody knows how much. */
static void do_some_writes(struct checking *c, uint64_t start, uint32_t object)
{
	const struct memory_object *o = objects_get(c->objects, object);
	uint64_t end = o && start >= o->lo && start < o->hi ? o->hi : end_of_writes(c, start);

	shades_set(c->shades, start, MIN(end - start, LARGEST_SHADED));
	texts_lost(c->texts, start, MIN(end - start, LARGEST_SHADED));
}

/* What it wrote is set, and its text known where it can be told. */
static void do_writes(struct checking *c, const struct pending_call *p,
		      const struct library_function *row, uint64_t result)
{
	uint64_t start, size;

	for (unsigned i = 0; i < G_N_ELEMENTS(row->accesses); i++) {
		unsigned a = row->accesses[i].argument;

		if (!a || !row->accesses[i].writes)
			continue;
		if (!extent_of(c, p, row, i, result, &start, &size)) {
			do_some_writes(c, calls_argument(p, a), p->objects[a - 1]);
			continue;
		}
		if (size > LARGEST_SHADED)
			continue;
		if (g_str_has_prefix(row->name, "mem") && strcmp(row->name, "memset") != 0) {
			shades_copy(c->shades, start, calls_argument(p, 2), size);
			texts_copy(c->texts, start, calls_argument(p, 2), size);
			continue;
		}
		shades_set(c->shades, start, size);
		if (strcmp(row->name, "memset") == 0)
			texts_fill(c->texts, start, size, (uint8_t)calls_argument(p, 2));
		else if (row->accesses[i].extent == LIBRARY_EXTENT_SOURCE ||
			 row->accesses[i].extent == LIBRARY_EXTENT_BEHIND)
			texts_copy(c->texts, start, calls_argument(p, 2), size);
		else
			texts_lost(c->texts, start, size);
	}
}

/* ---- what others may have done ---- */

static void escape_object(struct checking *c, uint64_t address, uint32_t object, unsigned depth)
{
	struct memory_object *o = objects_get(c->objects, object);
	uint64_t lo = address, hi = end_of_writes(c, address), n = 0;

	if (!o)
		o = objects_get(c->objects, objects_block_at(c->objects, address));
	if (o && o->is_block && o->is_escaped && depth)
		return;
	if (o && o->is_block) {
		o->is_escaped = true;
		lo = o->lo;
		hi = o->hi;
	}
	for (uint64_t at = (lo + 7) & ~UINT64_C(7); at < hi && depth < DEEPEST && n < MOST_POINTERS;
	     at += 8, n++) {
		uint32_t next = shades_object_at(c->shades, at);
		const struct memory_object *b = objects_get(c->objects, next);

		if (b && b->is_block && next != object)
			escape_object(c, b->lo, next, depth + 1);
	}
	if (hi - lo <= LARGEST_SHADED) {
		shades_set(c->shades, lo, hi - lo);
		texts_lost(c->texts, lo, hi - lo);
	}
}

static void do_unknown(struct checking *c, const struct pending_call *p,
		       const struct library_function *f)
{
	if (f && (f->keeps_memory || f->keeps_arguments || f->libm))
		return;
	for (unsigned i = 0; i < 6; i++)
		if (p->arguments[i] > ESCAPES_FROM &&
		    (!f || !f->writes || f->writes & LIBRARY_ARGUMENT(i + 1)))
			escape_object(c, p->arguments[i], p->objects[i], 0);
}

/* ---- a call ---- */

/* Does the text there go on with a byte that nobody set? */
static void look_at_text(struct checking *c, uint64_t start, uint32_t object, const char *name,
			 unsigned argument)
{
	const struct memory_object *o;
	struct memory_finding f = { .kind = MEMORY_UNSET_TEXT,
				    .start = start,
				    .argument = argument,
				    .at = checking_point(c, name) };
	uint8_t byte = 1;

	for (f.address = start; byte && f.address - start < LARGEST_TEXT; f.address++) {
		uint64_t at;

		if (shades_find_unset(c->shades, f.address, 1, &at))
			break;
		if (!texts_byte(c->texts, f.address, &byte))
			return;
	}
	o = objects_get(c->objects, object);
	if (!byte || f.address - start == LARGEST_TEXT)
		return;
	f.size = f.address - start + 1;
	f.has_object = o && f.address >= o->lo && f.address < o->hi;
	if (f.has_object)
		f.object = *o;
	checking_found(c, &f);
}

/* printf's kin: what they print has to be set. */
void calls_before(struct checking *c)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(c->run, c->pc, &link);
	const struct trace_insn *insn = m ? image_insn_at(m->image, link) : NULL;
	const char *name = insn && insn->flow == TRACE_FLOW_CALL
				   ? image_native_name(m->image, insn->target)
				   : NULL;
	struct arguments a;
	unsigned number;

	if (!name || !arguments_begin(&a, c->cursor, m, insn, name))
		return;
	number = a.is_list ? 0 : a.gp; /* of those before the first value */
	for (struct printed_piece p; arguments_next(&a, &p);) {
		struct shade shade = { 0 };
		uint64_t at;
		bool unset = false;

		number += p.place.kind != PRINTED_NOWHERE;
		if (p.place.kind == PRINTED_REGISTER && p.place.reg < TRACE_XMM0) {
			shade = shades_register(c->shades, p.place.reg);
			unset = p.directive.size == 8 || p.directive.kind == DIRECTIVE_STRING
					? shade.unset[0]
					: shade.unset[0] & UINT32_MAX;
		} else if (p.place.kind == PRINTED_MEMORY) {
			unset = shades_find_unset(c->shades, p.place.address,
						  p.directive.size == 8 ? 8 : 4, &at);
		}
		if (unset)
			checking_found(c, &(struct memory_finding){
						  .kind = MEMORY_UNSET_ARGUMENT,
						  .argument = number,
						  .at = checking_point(c, g_intern_string(name)) });
		else if (p.directive.kind == DIRECTIVE_STRING && p.precision == DIRECTIVE_NONE &&
			 p.place.kind == PRINTED_REGISTER)
			look_at_text(c, p.bits, checking_object(c, &shade, p.bits),
				     g_intern_string(name), number);
	}
	arguments_end(&a);
}

static void look_at_unset(struct checking *c, const struct pending_call *p)
{
	static const unsigned registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX, TRACE_RCX };
	const struct library_function *row = row_of_accesses(p->name);
	const struct library_function *f = library_find(p->name);

	for (unsigned i = 0; i < G_N_ELEMENTS(registers); i++) {
		bool used = f && (f->frees == i + 1 || (f->block == LIBRARY_SIZED &&
							(f->size == i + 1 || f->count == i + 1)));

		for (unsigned k = 0; row && k < G_N_ELEMENTS(row->accesses); k++) {
			used |= row->accesses[k].argument == i + 1 ||
				row->accesses[k].size == i + 1;
			if (row->accesses[k].argument == i + 1 &&
			    row->accesses[k].extent == LIBRARY_EXTENT_STRING)
				look_at_text(c, p->arguments[i], p->objects[i], p->name, i + 1);
		}
		if (used && shades_register(c->shades, registers[i]).unset[0])
			checking_found(
				c, &(struct memory_finding){ .kind = MEMORY_UNSET_ARGUMENT,
							     .argument = i + 1,
							     .at = checking_point(c, p->name) });
	}
}

void calls_begin(struct checking *c, const struct trace_step *step)
{
	static const unsigned registers[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
					      TRACE_RCX, TRACE_R8,  TRACE_R9 };
	struct pending_call p = { .name = g_intern_string(step->native_name),
				  .pc = step->pc,
				  .sp = c->before[TRACE_RSP],
				  .step = c->number };
	const struct library_function *f = library_find(p.name);

	for (unsigned i = 0; i < 6; i++) {
		const struct shade shade = shades_register(c->shades, registers[i]);

		p.arguments[i] = c->before[registers[i]];
		p.objects[i] = checking_object(c, &shade, p.arguments[i]);
		p.unset |= (unsigned)(shade.unset[0] != 0) << i;
	}
	look_at_unset(c, &p);
	if (f && f->frees)
		calls_look_at_free(c, &p, f->frees);
	check_call_accesses(c, &p, 0, false);
	while (c->pending->len &&
	       g_array_index(c->pending, struct pending_call, c->pending->len - 1).sp <= p.sp)
		g_array_set_size(c->pending, c->pending->len - 1);
	g_array_append_val(c->pending, p);
}

void calls_end(struct checking *c, uint64_t result)
{
	struct pending_call p;
	const struct library_function *f, *row;

	if (!c->pending->len)
		return;
	p = g_array_index(c->pending, struct pending_call, c->pending->len - 1);
	g_array_set_size(c->pending, c->pending->len - 1);
	f = library_find(p.name);
	row = row_of_accesses(p.name);
	check_call_accesses(c, &p, result, true);
	if (f && f->frees && f->block != LIBRARY_NO_BLOCK)
		calls_reallocate(c, &p, f, result);
	else if (f && f->frees)
		calls_free(c, &p, f->frees);
	else if (f && f->block != LIBRARY_NO_BLOCK)
		calls_allocate(c, &p, f, result);
	else if (f && f->extends)
		objects_extend_block(c->objects, calls_argument(&p, f->extends), result);
	else if (row)
		do_writes(c, &p, row, result);
	else
		do_unknown(c, &p, f);
	if (f && f->block != LIBRARY_NO_BLOCK && f->at)
		escape_object(c, calls_argument(&p, f->at), p.objects[f->at - 1], 0);
	if (!row && (!f || (!f->block && !f->frees && !f->extends)))
		objects_renew(c->objects, result, false);
}

void calls_reported(struct checking *c, const struct memory_reported *r)
{
	const struct pending_call *p;
	const struct library_function *row;
	unsigned best = 0;

	if (!c->pending->len)
		return;
	p = &g_array_index(c->pending, struct pending_call, c->pending->len - 1);
	row = row_of_accesses(p->name);
	for (unsigned i = 0; row && i < G_N_ELEMENTS(row->accesses); i++) {
		unsigned number = row->accesses[i].argument;

		if (number && row->accesses[i].writes == r->writes &&
		    calls_argument(p, number) <= r->address &&
		    (!best || calls_argument(p, number) > calls_argument(p, best)))
			best = number;
	}
	if (!best)
		return;
	/* where in the argument's memory it began is not known: strcat writes behind a string */
	if (calls_argument(p, best) + r->size > r->address)
		checking_access(c, p->objects[best - 1], calls_argument(p, best), r->size,
				r->writes, p->name, best);
	else
		checking_access(c, p->objects[best - 1], r->address, r->size, r->writes, p->name,
				best);
}
