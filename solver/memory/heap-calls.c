/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Library functions that allocate and free blocks of the heap, as solver/library tells. */
#include "solver/memory/private.h"

static void found_free(struct checking *c, const struct pending_call *p, enum memory_kind kind,
		       uint64_t address, uint32_t object)
{
	const struct memory_object *o = objects_get(c->objects, object);
	struct memory_finding f = { .kind = kind,
				    .address = address,
				    .start = address,
				    .argument = library_find(p->name)->frees,
				    .at = checking_point(c, p->name),
				    .has_object = o != NULL };

	if (o)
		f.object = *o;
	checking_found(c, &f);
}

void calls_look_at_free(struct checking *c, const struct pending_call *p, unsigned number)
{
	uint64_t at = calls_argument(p, number), link;
	uint32_t shaded = p->objects[number - 1], there = objects_block_at(c->objects, at);
	const struct memory_object *o = objects_get(c->objects, shaded), *b;
	const struct trace_module *m;

	if (!at)
		return;
	if (o && o->is_block && o->is_freed && at == o->lo) {
		found_free(c, p, MEMORY_FREED_TWICE, at, shaded);
		return;
	}
	if (!o || !o->is_block)
		o = objects_get(c->objects, there);
	b = o;
	m = trace_run_module_at(c->run, at, &link);
	if (b && b->is_block && at > b->lo && (at < b->hi || b->is_open) && !b->is_freed)
		found_free(c, p, MEMORY_NOT_A_BLOCK, at, shaded ? shaded : there);
	else if (m || (at >= c->before[TRACE_RSP] && at < c->before[TRACE_RSP] + (1 << 20)))
		found_free(c, p, MEMORY_NOT_A_BLOCK, at, shaded);
}

void calls_free(struct checking *c, const struct pending_call *p, unsigned number)
{
	const struct memory_point gone = checking_point(c, p->name);
	uint64_t at = calls_argument(p, number);
	uint32_t there = objects_block_at(c->objects, at);
	const struct memory_object *o;

	if (!there) /* of no bytes, perhaps */
		there = p->objects[number - 1];
	o = objects_get(c->objects, there);
	if (o && o->is_block && o->lo == at && !o->is_freed)
		objects_free_block(c->objects, there, &gone);
	else
		objects_renew(c->objects, at, true);
}

static bool size_of_checked_block(const struct checking *c, const struct pending_call *p,
				  const struct library_function *f, uint64_t *size)
{
	uint64_t most = f->size ? calls_argument(p, f->size) : UINT64_MAX;

	if (f->at)
		return false;
	if (f->block == LIBRARY_SIZED) {
		*size = f->count ? most * calls_argument(p, f->count) : most;
		return true;
	}
	if (f->block != LIBRARY_STRING || !f->copies ||
	    !calls_string_length(c, calls_argument(p, f->copies), p->objects[f->copies - 1], most,
				 size))
		return false;
	++*size;
	return true;
}

/* What was copied may go on after the length that strndup was given. */
static void copy_into_block(struct checking *c, uint64_t to, uint64_t from, uint64_t size)
{
	texts_copy(c->texts, to, from, size - 1);
	texts_fill(c->texts, to + size - 1, 1, 0);
}

uint32_t calls_allocate(struct checking *c, const struct pending_call *p,
			const struct library_function *f, uint64_t at)
{
	struct memory_point made = checking_point(c, p->name);
	uint64_t size;
	uint32_t number;

	if (!at)
		return 0;
	made.step = p->step;
	objects_renew(c->objects, at, true);
	if (!size_of_checked_block(c, p, f, &size)) {
		number = f->copies ? objects_add_block(c->objects, at, 1, &made) : 0;
		if (number)
			objects_get(c->objects, number)->is_open = true;
		shades_set(c->shades, at, ESCAPES_FROM);
		texts_lost(c->texts, at, ESCAPES_FROM);
		return number;
	}
	number = objects_add_block(c->objects, at, size, &made);
	if (size <= LARGEST_SHADED) {
		if (f->zeroes || f->block != LIBRARY_SIZED || f->copies)
			shades_set(c->shades, at, size);
		else
			checking_unset(c, at, size);
		texts_lost(c->texts, at, MIN(size, ESCAPES_FROM));
		if (f->zeroes)
			texts_fill(c->texts, at, MIN(size, ESCAPES_FROM), 0);
		else if (f->block == LIBRARY_STRING)
			copy_into_block(c, at, calls_argument(p, f->copies), size);
	}
	return number;
}

/* The first bytes are those that the old block had. */
static void keep_contents(struct checking *c, const struct memory_object *old, uint64_t at,
			  uint64_t size)
{
	uint64_t n = MIN(old->hi - old->lo, size);

	if (size > LARGEST_SHADED)
		return;
	if (at == old->lo)
		return;
	shades_copy(c->shades, at, old->lo, n);
	texts_copy(c->texts, at, old->lo, n);
}

/* What stays of a block that is as large, larger or smaller now. */
uint32_t calls_reallocate(struct checking *c, const struct pending_call *p,
			  const struct library_function *f, uint64_t at)
{
	uint64_t from = calls_argument(p, f->frees), size, n;
	const struct memory_object *o = objects_get(c->objects, objects_block_at(c->objects, from));
	struct memory_object old = { 0 };
	struct memory_point made = checking_point(c, p->name);
	uint32_t number;

	if (!at)
		return 0;
	if (o && o->lo == from)
		old = *o;
	if (from)
		calls_free(c, p, f->frees);
	if (!old.hi)
		return from ? 0 : calls_allocate(c, p, f, at);
	if (!size_of_checked_block(c, p, f, &size))
		return 0;
	n = MIN(old.hi - old.lo, size);
	objects_renew(c->objects, at, true);
	if (size <= LARGEST_SHADED) {
		keep_contents(c, &old, at, size);
		if (size > n)
			checking_unset(c, at + n, size - n);
	}
	number = objects_add_block(c->objects, at, size, &made);
	objects_get(c->objects, number)->is_escaped = old.is_escaped;
	return number;
}
