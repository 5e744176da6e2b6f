/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source's variables were not given.  A load may take the bytes of a member and those
 * behind it, where nothing lies.  When others wrote the latter, as calls leave their stack behind,
 * that says nothing of the member. */
#include "solver/cause/cause-private.h"

#include <string.h>

/* The part of the place that belongs to something with a name in the source. */
static struct reverse_index_place named_part(struct finder *f, uint64_t load,
					     struct reverse_index_place part)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, load);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	struct image_frame frame = cause_frame_at(f, info, &s);
	struct image_lvalue lv;
	uint64_t offset;

	if (!image_name_memory(info->module->image, &frame, part.address, part.size, &lv))
		return part;
	offset = part.address - lv.object;
	for (; part.size && !image_type_is_named_at(lv.variable->type, offset, 1); offset++) {
		part.address++;
		part.size--;
	}
	while (part.size && !image_type_is_named_at(lv.variable->type, offset + part.size - 1, 1))
		part.size--;
	image_lvalue_clear(&lv);
	return part;
}

/* Did traced code write what the load found there? */
static bool is_stored(struct finder *f, uint64_t load, const struct reverse_index_event *changed,
		      const struct reverse_index_place *part)
{
	struct reverse_index_event stored;
	uint64_t number;
	uint64_t found = part->address - changed->address, from;

	if (found + part->size > sizeof(changed->value) ||
	    reverse_index_find(f->index, part, load, &number, &stored) != INDEX_WRITTEN ||
	    stored.address > part->address)
		return false;
	from = part->address - stored.address;
	return from + part->size <= MIN(stored.size, sizeof(stored.value)) &&
	       memcmp((const uint8_t *)&stored.value + from,
		      (const uint8_t *)&changed->value + found, part->size) == 0;
}

bool cause_is_hidden(const struct known_cause *asked, const struct reverse_index_place *part)
{
	return asked->code && part->memory &&
	       expression_hides(asked->code, part->address, part->size);
}

static bool is_on_stack(struct finder *f, uint64_t step, uint64_t address)
{
	const uint64_t red_zone = 128;

	return address >= reverse_index_at(f->index, step)->rsp - red_zone &&
	       address < trace_point_stack(f->point);
}

/* Leaves only the bytes of the event that lie in the place, and of those eight at most. */
static void cut_to_place(struct reverse_index_event *event, const struct reverse_index_place *place)
{
	const uint64_t begin = MAX(event->address, place->address),
		       end = MIN(event->address + event->size, place->address + place->size);
	uint64_t from = begin - event->address;

	if (from >= sizeof(event->value)) {
		event->value = event->high;
		from -= sizeof(event->value);
	}
	event->value >>= 8 * from;
	event->address = begin;
	event->size = (uint8_t)MIN(end - begin, sizeof(event->value) - from);
}

/* Is the event of the writer what a function left behind that had returned before the step, so that
 * nobody gave the variable which lies there now a value?  Cuts the event down to the place. */
static bool is_left_over(struct finder *f, const struct wanted *w, uint64_t writer,
			 struct reverse_index_event *event)
{
	const uint64_t begin = MAX(event->address, w->place.address);

	if (!w->place.memory || w->step > reverse_index_steps(f->index) ||
	    event->size > sizeof(event->value) + sizeof(event->high) ||
	    !is_on_stack(f, writer, begin) ||
	    !reverse_index_left_frame(f->index, begin, writer, w->step))
		return false;
	cut_to_place(event, &w->place);
	return true;
}

/* Was the place, which a library's function copied, filled by another one behind that step?  No
 * code that is traced looked at it since. */
static bool is_filled_since(struct finder *f, const struct wanted *w, uint64_t number)
{
	uint64_t since = 0;
	g_autofree char *origin = w->place.memory && w->is_text && !w->is_read
					  ? cause_origin(f, w->step, &w->place, &since)
					  : NULL;

	return origin && since > number;
}

enum reverse_index_found cause_look_back(struct finder *f, const struct wanted *w, uint64_t *number,
					 struct reverse_index_event *event)
{
	enum reverse_index_found found;

	if (w->is_changed) {
		*event = w->changed;
		*number = w->step - 1;
		return INDEX_OUTSIDE;
	}
	found = kept_bits_find(f->index, &w->place, w->step, number, event);
	if ((found == INDEX_WRITTEN || found == INDEX_OUTSIDE) && is_filled_since(f, w, *number))
		return INDEX_NOTHING;
	/* what others gave to a variable there before may be what they gave to this one, too */
	if ((found == INDEX_WRITTEN || found == INDEX_OUTSIDE) &&
	    is_left_over(f, w, *number, event)) {
		/* the trace point itself is no step */
		*number = MIN(w->step, reverse_index_steps(f->index) - 1);
		found = INDEX_OUTSIDE;
	}
	return found;
}

bool cause_is_known(struct finder *f, uint64_t load, const struct reverse_index_event *changed,
		    struct reverse_index_place *place)
{
	uint64_t from = MAX(changed->address, place->address);
	uint64_t end = MIN(changed->address + changed->size, place->address + place->size);
	const struct reverse_index_place both = { true, 0, from, (unsigned)(end - from), 0 };

	*place = named_part(f, load, both);
	return place->size && place->size < both.size && is_stored(f, load, changed, place);
}

/* Does the load read memory that nothing can write? */
static bool loads_constant(struct finder *f, uint64_t load, const struct reverse_index_event *event)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, load);
	const struct trace_module *m = reverse_index_insn_of(f->index, &s)->module;
	bool writable = false;
	uint8_t byte;

	return image_initial(m->image, event->address - m->bias, 1, &byte, &writable) && !writable;
}

/* Of two lines with the same constant, the record has the first that loaded it. */
static void take_line_of_step(struct finder *f, uint64_t step, struct known_cause *k)
{
	const struct reverse_index_step s = *reverse_index_at(f->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(f->index, &s);
	const struct image_row *row = image_row_at(info->module->image, info->insn->addr);

	if (row)
		cause_take_line(f, k, info->module->image,
				image_statement(info->module->image, row->statement));
}

/* What lies at the trace point in a variable that nobody gave a value was read by no step. */
static void drop_line_of_leftover(struct finder *f, const struct wanted *w, struct known_cause *k)
{
	if (!w->place.memory || w->step < reverse_index_steps(f->index) || k->step != w->step - 1 ||
	    !strstr(k->cause.clause, "never initialised"))
		return;
	/* another process of the program has another leftover */
	k->cause.function = k->cause.file = k->cause.text = k->cause.value = NULL;
	k->cause.line = 0;
}

/* With which a compiler takes the sign of a floating-point number away, or turns it: what is and'ed
 * and xor'ed, no number of the source. */
static bool is_mask_of_sign(const struct reverse_index_event *event)
{
	return event->value == INT64_MAX || event->value == (uint64_t)INT64_MIN ||
	       (event->size >= 8 &&
		(event->value == 0x7fffffff7fffffff || event->value == 0x8000000080000000));
}

void cause_add_origin(struct finder *f, unsigned effect, struct known_cause *made,
		      const struct wanted *w, enum reverse_index_found found,
		      const struct reverse_index_event *event)
{
	const guint before = f->tree.causes->len;
	/* what is asked about has no step, but a call that copied it may have */
	const uint64_t own = cause_at(f, effect)->step,
		       step = own == UINT64_MAX && w->step < reverse_index_steps(f->index) ? w->step
											   : own;

	if (found == INDEX_OUTSIDE && w->place.memory && is_mask_of_sign(event) &&
	    loads_constant(f, made->step, event))
		return;
	made->cause.kind = found == INDEX_NOTHING && w->place.memory ? CAUSE_INITIAL : CAUSE_INPUT;
	if (w->place.memory
		    ? !(found == INDEX_OUTSIDE && cause_is_plumbing(f, made->step, &w->place))
		    : w->place.reg != TRACE_RFLAGS && !cause_is_result_of_plumbing(f, made))
		cause_add(f, cause_at(f, effect), made, w, event);
	if (f->tree.causes->len > before && found == INDEX_OUTSIDE)
		drop_line_of_leftover(f, w, cause_at(f, before));
	if (f->tree.causes->len > before && found == INDEX_OUTSIDE && w->place.memory &&
	    step != UINT64_MAX && step > made->step && loads_constant(f, made->step, event))
		take_line_of_step(f, step, cause_at(f, before));
}
