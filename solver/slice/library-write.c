/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/library-write.h"

#include "solver/slice/library-read.h"

enum { MOST_ARGUMENTS = 6 };
static const enum trace_reg arguments[MOST_ARGUMENTS] = { TRACE_RDI, TRACE_RSI, TRACE_RDX,
							  TRACE_RCX, TRACE_R8,	TRACE_R9 };

struct library_writers {
	struct reverse_index *index;
	GArray *calls;	   /* uint64_t: runtime addresses */
	GArray *sorts;	   /* the same, of those that write an array of which they read all */
	GPtrArray *called; /* const struct library_function *, of each */
	stream_measure_fn *measure; /* NULL = nobody measures texts */
	void *arg;
};

/* realloc and its kin, which copy a block where they cannot extend it. */
static bool moves_block(const struct library_function *f)
{
	return f->block == LIBRARY_SIZED && f->frees && !f->at;
}

struct library_writers *library_writers_new(struct reverse_index *index, const struct image *image,
					    uint64_t bias)
{
	struct library_writers *w = g_new0(struct library_writers, 1);
	const struct trace_insn *insns;
	size_t n = image_insns(image, &insns);

	w->index = index;
	w->calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	w->sorts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	w->called = g_ptr_array_new();
	for (size_t i = 0; i < n; i++) {
		const struct library_function *f =
			insns[i].flow == TRACE_FLOW_CALL
				? library_find(image_native_name(image, insns[i].target))
				: NULL;
		uint64_t pc = insns[i].addr + bias;

		/* the text of a stream is told by stream-write.h */
		if (!f || f->uses || (!f->writes && !moves_block(f) && !library_makes_text(f)))
			continue;
		g_array_append_val(w->calls, pc);
		if (f->array)
			g_array_append_val(w->sorts, pc);
		g_ptr_array_add(w->called, (gpointer)f);
	}
	return w;
}

void library_writers_free(struct library_writers *w)
{
	if (!w)
		return;
	g_array_unref(w->calls);
	g_array_unref(w->sorts);
	g_ptr_array_unref(w->called);
	g_free(w);
}

void library_writers_measure(struct library_writers *w, stream_measure_fn *measure, void *arg)
{
	w->measure = measure;
	w->arg = arg;
}

static const struct library_function *library_function_at(const struct library_writers *w,
							  uint64_t pc)
{
	for (guint i = 0; i < w->calls->len; i++)
		if (g_array_index(w->calls, uint64_t, i) == pc)
			return w->called->pdata[i];
	return NULL;
}

/* Arguments are set up right before a call; what other registers hold is about something else. */
static uint64_t given_registers(struct library_writers *w, uint64_t step, uint8_t writes)
{
	const struct limits *l = reverse_index_limits(w->index);
	uint64_t registers = 0;

	for (unsigned i = 0; i < MOST_ARGUMENTS; i++) {
		const struct reverse_index_place place = { .reg = arguments[i] };
		struct reverse_index_event event;
		uint64_t writer;

		if (!(writes & LIBRARY_ARGUMENT(i + 1)) &&
		    reverse_index_find(w->index, &place, step, &writer, &event) == INDEX_WRITTEN &&
		    step - writer <= l->name_insns)
			registers |= UINT64_C(1) << arguments[i];
	}
	return registers;
}

/* How many bytes the call wrote through its argument, at most. */
static uint64_t size_written(struct library_writers *w, uint64_t step,
			     const struct library_function *f)
{
	uint64_t size = reverse_index_limits(w->index)->slice_string, most, each;

	if (f->array && library_argument(w->index, step, f->elements, &most) &&
	    library_argument(w->index, step, f->element_size, &each))
		size = most * each;
	if (f->most && library_argument(w->index, step, f->most, &most))
		size = f->text ? MIN(size, most) : most;
	return size;
}

/* Did it copy the place's first byte to a new block?  Behind what the old one had, nobody wrote. */
static bool call_moved_place(struct library_writers *w, uint64_t step,
			     const struct library_function *f,
			     const struct reverse_index_place *place, struct library_write *out)
{
	const uint64_t to = reverse_index_at(w->index, step)->value;
	uint64_t from, size, count = 1;

	if (!library_argument(w->index, step, f->frees, &from) || !from || !to || from == to ||
	    !library_argument(w->index, step, f->size, &size) ||
	    (f->count && !library_argument(w->index, step, f->count, &count)) ||
	    place->address < to || place->address - to >= size * count)
		return false;
	*out = (struct library_write){ .step = step, .function = f, .has_source = true };
	out->source = *place;
	out->source.address = from + (place->address - to);
	return true;
}

/* The block that the call made.  Where it put the address elsewhere, somebody has loaded it from
 * there before the step until. */
static bool block_made(struct library_writers *w, uint64_t step, const struct library_function *f,
		       uint64_t until, uint64_t *block)
{
	struct reverse_index_place place = { .memory = true, .size = 8 };
	struct reverse_index_event event;
	uint64_t loaded;

	if (!f->at) {
		*block = reverse_index_at(w->index, step)->value;
		return *block;
	}
	if (!library_argument(w->index, step, f->at, &place.address) ||
	    reverse_index_find(w->index, &place, until, &loaded, &event) != INDEX_OUTSIDE ||
	    loaded <= step)
		return false;
	*block = event.value;
	return *block;
}

/* Did it make the text to which the place's first byte may belong? */
static bool call_made_text(struct library_writers *w, uint64_t step,
			   const struct library_function *f,
			   const struct reverse_index_place *place, uint64_t until,
			   struct library_write *out)
{
	uint64_t most = reverse_index_limits(w->index)->slice_string, block, from, size;

	if (f->size && library_argument(w->index, step, f->size, &size))
		most = MIN(most, size);
	if (!block_made(w, step, f, until, &block) || place->address < block ||
	    place->address - block >= most)
		return false;
	*out = (struct library_write){ .step = step, .function = f };
	if (!f->copies)
		return true;
	if (!library_argument(w->index, step, f->copies, &from))
		return false;
	out->has_source = true;
	out->source = *place;
	out->source.address = from + (place->address - block);
	return true;
}

/* Did the call at the step write the place's first byte, before the step until? */
static bool call_wrote_place(struct library_writers *w, uint64_t step,
			     const struct library_function *f,
			     const struct reverse_index_place *place, uint64_t until,
			     struct library_write *out)
{
	if (moves_block(f))
		return call_moved_place(w, step, f, place, out);
	if (library_makes_text(f))
		return call_made_text(w, step, f, place, until, out);
	for (unsigned i = 1; i <= MOST_ARGUMENTS; i++) {
		uint64_t to, from;

		if (!(f->writes & LIBRARY_ARGUMENT(i)) ||
		    !library_argument(w->index, step, i, &to) || place->address < to ||
		    place->address - to >= size_written(w, step, f))
			continue;
		*out = (struct library_write){
			.step = step,
			.function = f,
			.registers =
				library_formats_values(f) ? 0 : given_registers(w, step, f->writes)
		};
		if (f->model == LIBRARY_COPIES && !f->last &&
		    library_argument(w->index, step, 2, &from)) {
			out->has_source = true;
			out->source = *place;
			out->source.address = from + (place->address - to);
		}
		return true;
	}
	return false;
}

/* The last of these calls between the two steps that wrote the place. */
static bool call_that_wrote(struct library_writers *w, const GArray *calls,
			    const struct reverse_index_place *place, uint64_t from, uint64_t until,
			    struct library_write *out)
{
	const uint64_t most = reverse_index_limits(w->index)->slice_calls;
	uint64_t step = until;

	out->was_cut = false;
	for (uint64_t i = 0; calls->len && i < most; i++) {
		struct reverse_index_step at;
		const struct library_function *f;

		step = reverse_index_find_insn(w->index, from, step,
					       (const uint64_t *)(const void *)calls->data,
					       calls->len);
		if (step == UINT64_MAX)
			return false;
		at = *reverse_index_at(w->index, step);
		f = library_function_at(w, reverse_index_insn_of(w->index, &at)->pc);
		if (f && call_wrote_place(w, step, f, place, until, out)) {
			out->since = step;
			return true;
		}
	}
	out->was_cut = calls->len > 0;
	return false;
}

bool library_write_before(struct library_writers *w, const struct reverse_index_place *place,
			  uint64_t step, struct library_write *out)
{
	struct stream_write printed;
	bool found = call_that_wrote(w, w->calls, place, 0, step, out);

	if (!stream_write_before(w->index, place, step, w->measure, w->arg, &printed) ||
	    (found && out->since > printed.shown))
		return found;
	*out = (struct library_write){ .step = printed.shown,
				       .since = printed.shown,
				       .stream = printed };
	if (printed.is_known && printed.end == printed.first + 1)
		out->step = g_array_index(printed.stream->calls, struct memory_stream_call,
					  printed.first)
				    .step;
	return true;
}

bool library_sort_between(struct library_writers *w, const struct reverse_index_place *place,
			  uint64_t from, uint64_t step, struct library_write *out)
{
	return call_that_wrote(w, w->sorts, place, from, step, out);
}
