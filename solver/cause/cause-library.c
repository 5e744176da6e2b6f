/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that functions of the library wrote: what they copied, or made it of. */
#include "solver/cause/cause-private.h"

#include <string.h>

static void want_all_reads(const struct finder *f, GArray *all, const GArray *reads,
			   enum cause_edge edge)
{
	for (guint i = 0; i < reads->len; i++) {
		const struct library_read *r = &g_array_index(reads, struct library_read, i);
		guint before = all->len;

		cause_want_place(f, all, &r->place, r->step, edge);
		if (all->len > before) {
			g_array_index(all, struct wanted, before).is_text = r->is_text;
			g_array_index(all, struct wanted, before).is_read = true;
		}
	}
}

void cause_want_reads(const struct finder *f, GArray *all, uint64_t call, uint64_t until,
		      enum cause_edge edge)
{
	g_autoptr(GArray) reads = g_array_new(FALSE, FALSE, sizeof(struct library_read));

	library_result_reads(f->index, call, until, reads);
	want_all_reads(f, all, reads, edge);
}

/* What was printed to a stream in memory: where it is not known by which call, what showed it. */
static bool want_of_stream_call(const struct finder *f, GArray *all, const struct stream_write *w,
				enum cause_edge edge)
{
	g_autoptr(GArray) reads = g_array_new(FALSE, FALSE, sizeof(struct library_read));
	struct stream_write known = *w;
	const guint before = all->len;

	if (!w->is_known)
		known.first = known.end = 0;
	stream_write_reads(f->index, &known, reads);
	want_all_reads(f, all, reads, edge);
	return all->len > before;
}

/* What qsort called last chose an element, as all that it called before. */
static void want_last_comparison(const struct finder *f, GArray *all, uint64_t call, uint64_t until)
{
	g_autoptr(GArray) reads = g_array_new(FALSE, FALSE, sizeof(struct library_read));
	const struct library_read *last = NULL;

	library_reads(f->index, call, until, reads);
	for (guint i = 0; i < reads->len; i++) {
		const struct library_read *r = &g_array_index(reads, struct library_read, i);

		if (r->step > call && (!last || r->step > last->step))
			last = r;
	}
	if (last)
		cause_want_place(f, all, &last->place, last->step, CAUSE_WHICH);
}

/* Which element has qsort put there?  The only one that had there what the place has now. */
static bool find_sorted_element(const struct finder *f, const struct wanted *w,
				const struct library_write *call, uint64_t *from)
{
	const struct library_function *c = call->function;
	const uint64_t most = reverse_index_limits(f->index)->cause_places, at = w->place.address;
	const unsigned size = w->place.size;
	uint64_t array, n, each, now, value;
	unsigned found = 0;

	if (!c->array || size > sizeof(now) ||
	    !library_argument(f->index, call->step, c->array, &array) ||
	    !library_argument(f->index, call->step, c->elements, &n) ||
	    !library_argument(f->index, call->step, c->element_size, &each) || !each ||
	    (at - array) % each + size > each || n > most ||
	    !trace_point_read_before(f->point, w->step + 1, at, size, &now))
		return false;
	for (uint64_t i = array + (at - array) % each; n > 0 && found < 2; i += each, n--) {
		if (!trace_point_read_before(f->point, call->step, i, size, &value))
			return false; /* it may be this one */
		if (value != now)
			continue;
		*from = i;
		found++;
	}
	return found == 1;
}

static void prepare_writers(struct finder *f)
{
	if (f->writers)
		return;
	f->writers = library_writers_new(f->index, trace_point_image(f->point),
					 trace_point_frame(f->point)->bias);
	library_writers_measure(f->writers, cause_text_length, f);
}

/* Untraced code wrote the bytes there after traced code did (writer; UINT64_MAX = none did): what
 * it copied is looked for, or what it made them of. */
bool cause_is_of_library(struct finder *f, GArray *all, const struct wanted *w, uint64_t writer)
{
	struct library_write call;
	struct wanted next = *w;
	bool unsure = w->is_text || writer == UINT64_MAX, found;

	if (!w->place.memory)
		return false;
	prepare_writers(f);
	found = unsure ? library_write_before(f->writers, &w->place, w->step, &call)
		       : library_sort_between(f->writers, &w->place, writer, w->step, &call);
	if (!found)
		return w->is_text && call.was_cut; /* then nobody knows who wrote it */
	if (call.stream.stream)
		return (writer == UINT64_MAX || writer <= call.since) &&
		       want_of_stream_call(f, all, &call.stream, w->edge);
	if ((call.function->text || call.function->copies) && call.has_source &&
	    !cause_text_reaches(f, &call, &w->place))
		return false;
	if ((writer != UINT64_MAX && writer > call.step) ||
	    all->len >= reverse_index_limits(f->index)->cause_places)
		return false;
	if (call.function->last) {
		next.step = call.step;
		next.is_text = true;
		next.is_changed = false;
		if (cause_text_behind(f, &call, &w->place, &next.place))
			g_array_append_val(all, next);
		else /* nobody knows which of several calls came so far: the last one may have */
			cause_want_place(f, all, &(struct reverse_index_place){ .reg = TRACE_RSI },
					 call.step, CAUSE_WHICH);
		return true;
	}
	if (find_sorted_element(f, w, &call, &next.place.address)) {
		next.step = call.step;
		next.is_changed = false;
		g_array_append_val(all, next);
		want_last_comparison(f, all, call.step, w->step);
		return true;
	}
	if (!call.has_source) {
		const struct reverse_index_place filled = { .reg = TRACE_RSI };
		guint before = all->len;

		if (call.function->model == LIBRARY_FILLS)
			cause_want_place(f, all, &filled, call.step, w->edge);
		else
			cause_want_reads(f, all, call.step, w->step, w->edge);
		return all->len > before;
	}
	next.place = call.source;
	next.step = call.step;
	next.is_text = true;
	next.is_changed = false;
	g_array_append_val(all, next);
	return true;
}
