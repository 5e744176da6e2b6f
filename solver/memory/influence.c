/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a changed value lead out of an object?  A run in which an index was set to 7 may pass
 * because of what happens to lie behind the array.  That says nothing of the program: with another
 * compiler, or another input, something else lies there.
 *
 * The shades tell which values went into an address.  Here a bit counts as unset when a value that
 * an action wrote went into it, and nothing else does; so an access outside of its object is found
 * only where the change led there.  A store, or a pointer, that an action moves from one block of
 * the heap into another one counts, too, where it cannot have been meant.  What the program does
 * wrong by itself is its own affair: the test decides whether it matters.
 */
#include "solver/isa/ir.h"
#include "solver/memory/private.h"
#include "solver/trace/acted.h"

#include <string.h>

static struct shade whole_influence(unsigned bytes)
{
	struct shade out = { 0 };

	memset(out.unset, 0xff, MIN(bytes, sizeof(out.unset)));
	return out;
}

/* What is in a module is at the same address in all tests. */
static bool is_own_place(const struct checking *c, const struct trace_action *a)
{
	int operand = checking_operand(c, a->where);

	return trace_run_module_at(c->run, a->where, NULL) ||
	       (operand >= 0 && (c->step->insn->mem[operand].flags & TRACE_MEM_WRITE));
}

/* What the step does by itself: where it stores (*place), and the pointer that it puts in the
 * action's register (*pointer); 0 = nowhere, none. */
static void look_at_natural(const struct trace_step *step, const struct trace_action *a,
			    uint64_t *place, uint64_t *pointer)
{
	const struct ir_block *ir = step->ir;
	bool of_register = a->kind == TRACE_ACTION_REG;

	*place = *pointer = 0;
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &ir->ops[i];

		if (op->kind == IR_PUT && of_register && op->offset == 8u * a->reg)
			*pointer = ir->ops[op->a].width == 64 ? step->temps[op->a].w[0] : 0;
		if (op->kind != IR_STORE || of_register)
			continue;
		*place = step->temps[op->a].w[0];
	}
}

/* From one block of the heap into another: the change may have meant another node of the same size,
 * or another block from its beginning on.  Anything else in it is hit only where the blocks lie as
 * they do in this run. */
static bool leads_into_another_block(const struct checking *c, uint64_t natural, uint64_t now)
{
	const struct memory_object *from, *to;

	from = objects_get(c->objects, objects_block_at(c->objects, natural));
	to = objects_get(c->objects, objects_block_at(c->objects, now));
	return from && to && from != to && !from->is_open && !to->is_open &&
	       from->hi - from->lo != to->hi - to->lo && natural - from->lo != now - to->lo;
}

/* Does the action write, or point, where the change cannot have been meant to? */
static bool is_led_elsewhere(const struct checking *c, const struct trace_action *a)
{
	uint64_t place, pointer, now;

	if (a->kind == TRACE_ACTION_MEM && c->own_places && !is_own_place(c, a))
		return true;
	look_at_natural(c->step, a, &place, &pointer);
	memcpy(&now, a->value, sizeof(now));
	/* a link may go into another structure: from a list's node to its head */
	if (a->kind == TRACE_ACTION_MEM && a->reg == TRACE_MEM_BITS)
		return false;
	return (place && a->size < sizeof(now) && leads_into_another_block(c, place, a->where)) ||
	       (pointer && a->size == sizeof(now) && leads_into_another_block(c, pointer, now));
}

static void found_elsewhere(struct checking *c, const struct trace_action *a)
{
	const struct memory_finding f = { .kind = MEMORY_OUTSIDE,
					  .writes = a->kind == TRACE_ACTION_MEM,
					  .address = a->where,
					  .start = a->where,
					  .size = a->size,
					  .at = checking_point(c, NULL) };

	checking_found(c, &f);
}

void influence_step(struct checking *c)
{
	size_t n;
	const struct trace_action *const *acted = trace_cursor_acted(c->cursor, &n);

	for (size_t i = 0; i < n; i++) {
		const struct trace_action *a = acted[i];
		const struct shade all = whole_influence(a->size);

		if (is_led_elsewhere(c, a))
			found_elsewhere(c, a);
		if (a->kind == TRACE_ACTION_MEM)
			shades_unset(c->shades, a->where, a->size);
		else if (a->kind == TRACE_ACTION_REG && a->reg < 16)
			shades_set_register(c->shades, a->reg, &all);
	}
}

bool influence_counts(const struct checking *c, enum memory_kind kind)
{
	return !c->influence || kind == MEMORY_OUTSIDE || kind == MEMORY_AFTER_FREE;
}

bool memory_sets_a_value(const struct trace_action *actions, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (actions[i].kind == TRACE_ACTION_MEM || actions[i].kind == TRACE_ACTION_REG)
			return true;
	return false;
}

bool memory_is_led_outside(struct memory_record *r, const struct memory_options *options)
{
	struct trace_run *run = trace_run_open(r->folder, r->images, r->n_images, NULL);
	struct memory_finding finding = { 0 };
	bool ok = run && trace_run_choose(run, r->thread, NULL);

	if (ok) {
		trace_run_end_at(run, r->until);
		r->looked_at += trace_run_head(run, r->thread)->insns;
		ok = r->looked_at <= r->most;
	}
	ok = ok && memory_check(run, options, &finding, NULL);
	trace_run_free(run);
	return ok && finding.kind != MEMORY_FINE;
}
