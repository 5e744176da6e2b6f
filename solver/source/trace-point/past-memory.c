/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/past-memory.h"
#include "solver/base/machine.h"

#include <string.h>

/* What is looked for: these bytes, before step .before; they must not have changed until
 * .until.  No more than 8, so they may stand in a bit mask. */
struct wanted {
	uint64_t address;
	unsigned size;
	uint64_t before, until;
	uint8_t *out;
};

static bool was_started_with(const struct past_memory *p, const struct wanted *w)
{
	for (unsigned i = 0; i < w->size; i++)
		if (!trace_run_started_with(p->run, w->address + i, w->out + i))
			return false;
	return true;
}

/* What the file has there, or what the program was started with.  Where nobody may write, that is
 * all there is to know. */
static bool from_start(const struct past_memory *p, const struct wanted *w, bool *writable)
{
	uint64_t link;
	const struct trace_module *module = trace_run_module_at(p->run, w->address, &link);

	return module ? image_initial(module->image, link, w->size, w->out, writable)
		      : was_started_with(p, w);
}

static bool is_in_stack(const struct past_memory *p, uint64_t address)
{
	return address < p->stack && p->stack - address < MAIN_STACK_BYTES;
}

static bool fill_wanted_bytes(const struct past_memory *p, const struct wanted *w);

/* The rest of what is wanted, beside [from, end), which the step gave. */
static bool fill_around(const struct past_memory *p, const struct wanted *w, uint64_t from,
			uint64_t end, uint64_t step)
{
	struct wanted head = *w, tail = *w;

	head.before = tail.before = step + 1;
	head.size = (unsigned)(from - w->address);
	tail.size = (unsigned)(w->address + w->size - end);
	tail.address = end;
	tail.out += end - w->address;
	return (!head.size || fill_wanted_bytes(p, &head)) &&
	       (!tail.size || fill_wanted_bytes(p, &tail));
}

/* The last event of the step that touches the place. */
static const struct reverse_index_event *event_at(struct reverse_index *h, uint64_t step,
						  uint64_t address, unsigned size)
{
	unsigned n;
	const struct reverse_index_event *events = reverse_index_events(h, step, &n);

	for (; n > 0; n--)
		if (events[n - 1].address < address + size &&
		    address < events[n - 1].address + events[n - 1].size)
			return &events[n - 1];
	return NULL;
}

bool past_memory_found(const struct past_memory *p, uint64_t before, uint64_t address,
		       unsigned size, uint8_t *out)
{
	const uint64_t last = foreign_memory_last(p->foreign, address, size, before);
	uint64_t left = p->index ? reverse_index_limits(p->index)->reread_insns : 0;

	before = p->index ? MIN(before, reverse_index_steps(p->index)) : 0;
	if (last == UINT64_MAX)
		return false;
	for (; left > 0 && before > last + 1; left--) {
		const struct reverse_index_event *e = event_at(p->index, --before, address, size);
		uint64_t words[2];

		if (!e)
			continue;
		if (e->address > address || e->address + e->size < address + size ||
		    address + size - e->address > sizeof(words))
			return false;
		words[0] = e->value;
		words[1] = e->high;
		memcpy(out, (const uint8_t *)words + (address - e->address), size);
		return true;
	}
	return false;
}

static bool fill_wanted_bytes(const struct past_memory *p, const struct wanted *w)
{
	struct reverse_index_place place = { true, 0, w->address, w->size, 0 };
	struct reverse_index_event event;
	uint64_t step, from, end, words[2];
	bool writable;

	if (reverse_index_find(p->index, &place, w->before, &step, &event) == INDEX_NOTHING)
		return (from_start(p, w, &writable) &&
			!foreign_memory_wrote(p->foreign, w->address, w->size, 0, w->until)) ||
		       past_memory_found(p, w->until, w->address, w->size, w->out);
	from = MAX(event.address, w->address);
	end = MIN(event.address + event.size, w->address + w->size);
	if (end - event.address > sizeof(words) ||
	    (is_in_stack(p, from) && reverse_index_left_frame(p->index, from, step, w->until)))
		return false;
	if (foreign_memory_wrote(p->foreign, from, (unsigned)(end - from), step, w->until))
		return past_memory_found(p, w->until, w->address, w->size, w->out);
	words[0] = event.value;
	words[1] = event.high;
	memcpy(w->out + (from - w->address), (const uint8_t *)words + (from - event.address),
	       end - from);
	return fill_around(p, w, from, end, step);
}

bool past_memory_is_leftover(const struct past_memory *p, uint64_t before, uint64_t address,
			     unsigned size)
{
	struct reverse_index_place place = { true, 0, address, size, 0 };
	struct reverse_index_event event;
	uint64_t step;

	return p->index && is_in_stack(p, address) &&
	       reverse_index_find(p->index, &place, before, &step, &event) != INDEX_NOTHING &&
	       reverse_index_left_frame(p->index, address, step, before);
}

bool past_memory_read(const struct past_memory *p, uint64_t before, uint64_t address, unsigned size,
		      uint64_t *value)
{
	uint8_t bytes[8] = { 0 };
	struct wanted w = { address, size, before, before, bytes };
	bool writable = true;

	if (!size || size > sizeof(bytes))
		return false;
	if (!(from_start(p, &w, &writable) && !writable)) {
		memset(bytes, 0, sizeof(bytes));
		if (!p->index || !fill_wanted_bytes(p, &w))
			return false;
	}
	memcpy(value, bytes, sizeof(bytes));
	return true;
}

enum { STEPS_AHEAD = 256 };

/* Does one of the step's operands lie over all of it? */
static bool is_read_by(const struct trace_step *step, uint64_t address, unsigned size,
		       uint8_t *bytes)
{
	for (unsigned i = 0; i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];

		if (address < r->address || address + size > r->address + r->size)
			continue;
		memcpy(bytes, r->bytes + (address - r->address), size);
		return true;
	}
	return false;
}

/* Then it is not what it was. */
static bool may_have_been_written(const struct trace_step *step, uint64_t address, unsigned size)
{
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];
		uint64_t at;

		if (op->kind != IR_STORE && op->kind != IR_STOREG)
			continue;
		at = step->temps[op->a].w[0];
		if (!step->temps[op->a].known ||
		    (address < at + step->ir->ops[op->b].width / 8u && at < address + size))
			return true;
	}
	return false;
}

bool past_memory_ahead(const struct trace_cursor *at, uint64_t address, unsigned size,
		       uint8_t *bytes)
{
	struct trace_cursor *c = trace_cursor_copy(at);
	struct trace_step step = { 0 };
	bool found = false, goes_on = true;

	for (unsigned n = 0; n < STEPS_AHEAD && goes_on && !found; n++) {
		goes_on = trace_cursor_step(c, &step, NULL) == 1;
		found = goes_on && is_read_by(&step, address, size, bytes);
		goes_on = goes_on && step.exit_kind == TRACE_EXIT_ON && !step.signal &&
			  !may_have_been_written(&step, address, size);
	}
	trace_cursor_free(c);
	return found;
}
