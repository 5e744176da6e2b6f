/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/stream-write.h"

#include "solver/output/piece-at.h"
#include "solver/slice/library-read.h"

/* One question. */
struct stream_search {
	struct reverse_index *index;
	const struct reverse_index_place *place;
	uint64_t step;
	stream_measure_fn *measure;
	void *arg;
};

static const struct memory_stream_call *stream_call(const struct memory_stream *m, unsigned i)
{
	return &g_array_index(m->calls, struct memory_stream_call, i);
}

/* ---- where the text was ---- */

/* Where the text was that was shown, by whoever loaded its address before the step. */
static bool find_shown_text(struct reverse_index *index, const struct memory_stream *m,
			    const struct memory_stream_show *show, uint64_t step, uint64_t *text)
{
	const struct reverse_index_place place = { .memory = true, .address = m->text, .size = 8 };
	const uint64_t most = reverse_index_limits(index)->slice_calls;
	uint64_t from = MIN(step, show->found);

	for (uint64_t i = 0; i < most; i++) {
		struct reverse_index_event event;
		enum reverse_index_found found =
			reverse_index_find(index, &place, from, &from, &event);

		if (found == INDEX_OUTSIDE && event.size == 8) {
			*text = event.value;
			return true;
		}
		/* the first that touched it may have stored there behind a load */
		if (found != INDEX_WRITTEN || from <= show->step)
			return false;
	}
	return false;
}

/* ---- which call it was ---- */

/* Was the call that nobody knows really given the stream?  Registers that others have set are about
 * something else. */
static bool is_given_stream(struct reverse_index *index, const struct memory_stream_call *call)
{
	for (unsigned i = 0; i < MEMORY_STREAM_ARGUMENTS; i++) {
		uint64_t value, writer;

		if (call->registers & LIBRARY_ARGUMENT(i + 1) &&
		    library_argument_set(index, call->step, i + 1, &value, &writer) &&
		    (call->before == UINT64_MAX || writer > call->before))
			return true;
	}
	return false;
}

/* False: what else was done with the stream is not known. */
static bool are_calls_known(struct reverse_index *index, const struct memory_stream *m,
			    const struct memory_stream_show *show)
{
	for (unsigned i = 0; i < show->calls; i++)
		if (!stream_call(m, i)->function && is_given_stream(index, stream_call(m, i)))
			return false;
	return show->is_known;
}

static bool find_call_length(const struct stream_search *s, const struct memory_stream_call *call,
			     uint64_t *length)
{
	*length = call->function ? call->length : 0;
	return *length != UINT64_MAX ||
	       (s->measure && s->measure(s->arg, call->step, call->text, length));
}

/* The first of the calls, from the one with that number on, that printed the byte at *offset, which
 * becomes the byte's offset in what it printed, or whose length is not known (*is_known).  calls:
 * how many there are, which is returned when none of them did. */
static unsigned find_call_of_byte(const struct stream_search *s, const struct memory_stream *m,
				  unsigned from, unsigned calls, uint64_t *offset, bool *is_known)
{
	*is_known = true;
	for (; from < calls; from++) {
		uint64_t length;

		*is_known = find_call_length(s, stream_call(m, from), &length);
		if (!*is_known || *offset < length)
			return from;
		*offset -= length;
	}
	return calls;
}

/* The calls that printed the place, which begins at the offset; false = none did. */
static bool find_calls_of_place(const struct stream_search *s, unsigned calls, uint64_t offset,
				struct stream_write *out)
{
	const uint64_t size = MAX(s->place->size, 1);
	const bool is_text = size >= reverse_index_limits(s->index)->slice_string;
	uint64_t last;
	bool has_end;

	out->first = find_call_of_byte(s, out->stream, 0, calls, &offset, &out->is_known);
	out->offset = offset;
	out->end = calls;
	if (!out->is_known || out->first == calls || is_text)
		return out->first < calls;
	last = offset + size - 1;
	out->end = find_call_of_byte(s, out->stream, out->first, calls, &last, &has_end);
	out->end = has_end ? MIN(out->end + 1, calls) : calls;
	out->is_known = has_end;
	return true;
}

/* Did one call print all of it? */
static bool is_of_one_call(const struct stream_write *w)
{
	return w->is_known && w->end == w->first + 1;
}

/* What the byte was when it was loaded; -1 = nobody loaded it before the step, or at it. */
static int loaded_byte(struct reverse_index *index, uint64_t address, uint64_t shown, uint64_t step)
{
	const struct reverse_index_place place = { .memory = true, .address = address, .size = 1 };
	const uint64_t before = MIN(step + 1, reverse_index_steps(index));
	struct reverse_index_event event;
	uint64_t number;

	if (reverse_index_find(index, &place, before, &number, &event) != INDEX_OUTSIDE ||
	    number <= shown || address - event.address >= 8)
		return -1;
	return (uint8_t)(event.value >> 8 * (address - event.address));
}

static bool find_piece_of_write(struct reverse_index *index, const struct stream_write *w,
				struct piece_at *out)
{
	const struct memory_stream_call *call = stream_call(w->stream, w->first);
	const struct reverse_index_step at = *reverse_index_at(index, call->step);
	const struct reverse_index_insn *info = reverse_index_insn_of(index, &at);
	struct trace_cursor *cursor = reverse_index_cursor(index, call->step);
	bool found = piece_at(cursor, info->module, info->insn, call->function->name, call->length,
			      w->offset, out);

	trace_cursor_free(cursor);
	return found;
}

/* Is what the call printed there another byte than the text has? */
static bool is_other_byte(const struct stream_search *s, const struct stream_write *w)
{
	const int byte = loaded_byte(s->index, s->place->address, w->shown, s->step);
	struct piece_at piece;

	return byte >= 0 && find_piece_of_write(s->index, w, &piece) && piece.byte >= 0 &&
	       piece.byte != byte;
}

/* Is it where the call put the text's address, or its size?  When the frame was left in which that
 * lies, the place is another variable's. */
static bool is_told_by_show(const struct stream_search *s, const struct memory_stream *m,
			    const struct memory_stream_show *show)
{
	const uint64_t address = s->place->address;

	return ((address >= m->text && address < m->text + 8) ||
		(address >= m->size && address < m->size + 8)) &&
	       (address < reverse_index_at(s->index, show->step)->rsp ||
		!reverse_index_left_frame(s->index, address, show->step,
					  MIN(s->step, reverse_index_steps(s->index))));
}

/* Was the place in the text that was shown then, or is it what was told of it? */
static bool was_shown(const struct stream_search *s, const struct memory_stream *m, unsigned number,
		      struct stream_write *out)
{
	const struct memory_stream_show *show =
		&g_array_index(m->shows, struct memory_stream_show, number);
	const uint64_t most = reverse_index_limits(s->index)->slice_string;
	uint64_t text = memory_stream_address(m, number), found;

	*out = (struct stream_write){ .stream = m, .shown = show->step, .size = s->place->size };
	if (show->step < s->step && is_told_by_show(s, m, show))
		return true;
	if (show->step >= s->step || s->place->address < text || s->place->address - text >= most ||
	    memory_streams_freed(reverse_index_streams(s->index), text, show->step, s->step) ||
	    !find_shown_text(s->index, m, show, s->step, &found) || found != text)
		return false;
	if (!are_calls_known(s->index, m, show))
		return true;
	if (!find_calls_of_place(s, show->calls, s->place->address - text, out))
		return false;
	if (is_of_one_call(out) && is_other_byte(s, out))
		out->first = out->end = 0;
	return true;
}

bool stream_write_before(struct reverse_index *index, const struct reverse_index_place *place,
			 uint64_t step, stream_measure_fn *measure, void *arg,
			 struct stream_write *out)
{
	const struct stream_search s = { index, place, step, measure, arg };
	const struct memory_streams *all = reverse_index_streams(index);
	bool found = false;

	for (unsigned i = memory_streams_count(all); i > 0; i--) {
		const struct memory_stream *m = memory_streams_at(all, i - 1);

		for (guint n = m->shows->len; n > 0; n--) {
			const uint64_t shown =
				g_array_index(m->shows, struct memory_stream_show, n - 1).step;
			struct stream_write w;

			if ((found && shown <= out->shown) || !was_shown(&s, m, n - 1, &w))
				continue;
			*out = w;
			found = true;
		}
	}
	return found;
}

/* ---- what it was made of ---- */

static void add_stream_read(GArray *reads, const struct reverse_index_place *place, uint64_t step,
			    bool is_text)
{
	const struct library_read read = { .place = *place, .step = step, .is_text = is_text };

	g_array_append_val(reads, read);
}

static void add_piece_argument(GArray *reads, const struct printed_piece *p, uint64_t step)
{
	const struct reverse_index_place place = {
		.memory = p->place.kind == PRINTED_MEMORY,
		.reg = p->place.kind == PRINTED_REGISTER ? p->place.reg : 0,
		.address = p->place.address,
		.size = p->directive.size ? MIN(p->directive.size, 8) : 8,
	};

	if (p->place.kind != PRINTED_NOWHERE)
		add_stream_read(reads, &place, step, false);
}

/* The text that it printed: the byte, where that is known. */
static void add_piece_text(struct reverse_index *index, GArray *reads, const struct piece_at *p,
			   uint64_t step)
{
	const bool is_padded = p->piece.directive.kind == DIRECTIVE_STRING && p->piece.width > 0;
	struct reverse_index_place place = { .memory = true, .address = p->piece.bits };

	place.address += is_padded ? 0 : p->offset;
	place.size = is_padded ? (unsigned)reverse_index_limits(index)->slice_string : 1;
	add_stream_read(reads, &place, step, true);
}

static void add_piece_reads(struct reverse_index *index, GArray *reads, const struct piece_at *p,
			    const struct memory_stream_call *call)
{
	static const unsigned order[] = { TRACE_RDI, TRACE_RSI, TRACE_RDX };
	const struct reverse_index_place format = {
		.reg = order[MIN(call->function->format - 1u, G_N_ELEMENTS(order) - 1)]
	};

	switch (p->piece.directive.kind) {
	case DIRECTIVE_TEXT:
		add_stream_read(reads, &format, call->step, false);
		break;
	case DIRECTIVE_STRING:
	case DIRECTIVE_BYTES:
		add_piece_argument(reads, &p->piece, call->step);
		add_piece_text(index, reads, p, call->step);
		break;
	default:
		add_piece_argument(reads, &p->piece, call->step);
		break;
	}
}

void stream_write_reads(struct reverse_index *index, const struct stream_write *w, GArray *reads)
{
	struct piece_at piece;

	if (is_of_one_call(w) && w->size == 1 && find_piece_of_write(index, w, &piece)) {
		add_piece_reads(index, reads, &piece, stream_call(w->stream, w->first));
		return;
	}
	for (unsigned i = w->first; i < w->end; i++)
		if (stream_call(w->stream, i)->function)
			library_printed_reads(index, stream_call(w->stream, i)->step, reads);
	if (w->first == w->end)
		add_stream_read(reads, &(struct reverse_index_place){ .reg = TRACE_RDI }, w->shown,
				false);
}
