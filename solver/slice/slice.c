/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/slice.h"

#include "solver/base/hash.h"
#include "solver/library/library.h"
#include "solver/slice/decision.h"
#include "solver/slice/kept-bits.h"
#include "solver/slice/library-read.h"
#include "solver/slice/library-write.h"
#include "solver/slice/missing.h"
#include "solver/slice/operands.h"
#include "solver/slice/same-statement.h"

#include <string.h>

struct slice {
	struct reverse_index *index;
	GPtrArray *found; /* struct slice_instance *, by distance, then the latest first */
	guint next;	  /* of .found: the first that was not given yet */
	guint level;	  /* of .found: the first of the farthest distance */
	guint expanded;	  /* of .found: those before were asked what they depend on */
	GHashTable *seen; /* uint64_t *: steps with places */
	GArray *wanted;	  /* struct wanted, of the instance at hand */
	struct library_writers *writers;	/* in the image where the run ended */
	const struct slice_instance *expanding; /* the instance at hand; NULL = the end */
	GArray *unwritten;			/* struct unwritten, nearest first */
	bool thin;				/* struct slice_end's */
	bool through_library;			/* slice_goes_through_library() */
	uint64_t thrown;			/* slice_thrown(); UINT64_MAX = none */
};

/* Memory that was read, and that no traced code had written. */
struct unwritten {
	uint64_t address;
	unsigned size;
	const struct slice_instance *reader; /* NULL = the end */
};

/* Which step wrote the place last before this step? */
struct wanted {
	struct reverse_index_place place;
	uint64_t step;
	/* Untraced code reads it, so the record does not tell whether untraced code wrote it after
	 * traced code did. */
	bool is_text;
	bool called_back; /* by a function of the library that wants it as a result */
	bool is_argument; /* of the call .step, which got its address in this register: */
	unsigned reg;
};

/* ---- instances ---- */

static bool is_first_visit(struct slice *s, uint64_t step, const struct reverse_index_place *place,
			   bool decides)
{
	uint64_t what = decides ? 0xff : place->memory ? place->address << 8 | 0xfe : place->reg;
	uint64_t key = hash_mix(step) ^ what ^ hash_mix(place->bits);

	return g_hash_table_add(s->seen, g_memdup2(&key, sizeof(key)));
}

static void add_instance(struct slice *s, uint64_t step, const struct reverse_index_place *place,
			 bool decides, uint64_t value, unsigned distance, uint64_t user)
{
	const struct reverse_index_step at = *reverse_index_at(s->index, step);
	const struct reverse_index_insn *info = reverse_index_insn_of(s->index, &at);
	struct reverse_index_place whole = *place;
	struct slice_instance *i;

	whole.bits = ~UINT64_C(0); /* whichever of them matter */
	if (!is_first_visit(s, step, &whole, decides))
		return;
	i = g_new0(struct slice_instance, 1);
	*i = (struct slice_instance){
		.step = step,
		.distance = distance,
		.decides = decides,
		.place = *place,
		.pc = info->pc,
		.module = info->module,
		.insn = info->insn,
		.rbp = at.rbp,
		.rsp = at.rsp,
		.value = value,
		.effect = s->expanding,
		.user = user,
	};
	g_ptr_array_add(s->found, i);
}

/* ---- what an instance depends on ---- */

static void want_slice_place(struct slice *s, const struct reverse_index_place *place,
			     uint64_t step)
{
	struct wanted w = { .place = *place, .step = step };

	if (s->wanted->len < reverse_index_limits(s->index)->slice_places &&
	    (!place->memory || place->size))
		g_array_append_val(s->wanted, w);
}

/* The same of bytes that untraced code reads. */
static void want_text(struct slice *s, const struct reverse_index_place *place, uint64_t step)
{
	guint before = s->wanted->len;

	want_slice_place(s, place, step);
	if (s->wanted->len > before)
		g_array_index(s->wanted, struct wanted, before).is_text = true;
}

/* Those without these were counted in whole. */
static void want_operand_registers(struct slice *s, const struct slice_operands *from,
				   uint64_t without, uint64_t step)
{
	for (unsigned r = 0; r < 64; r++) {
		const struct reverse_index_place place = slice_operand_register(from, r);

		if ((from->registers & ~without) >> r & 1 && r != TRACE_RSP)
			want_slice_place(s, &place, step);
	}
}

static void want_slice_registers(struct slice *s, uint64_t registers, uint64_t step)
{
	for (unsigned r = 0; r < 64; r++)
		if (registers >> r & 1 && r != TRACE_RSP)
			want_slice_place(s, &(struct reverse_index_place){ .reg = r }, step);
}

/* Adds the places that the result of the step depends on, and those that its addresses depend
 * on. */
static void want_slice_operands(struct slice *s, uint64_t number,
				const struct reverse_index_place *place, bool decides)
{
	struct reverse_index_step at = *reverse_index_at(s->index, number);
	const struct reverse_index_insn *info = reverse_index_insn_of(s->index, &at);
	struct slice_operands from = slice_operands_of(info, place, decides);
	uint64_t addresses =
		(from.loads || place->memory) && !s->thin ? slice_address_registers(info, &at) : 0;
	const struct reverse_index_event *events;
	unsigned n;

	want_operand_registers(s, &from, addresses, number);
	want_slice_registers(s, addresses, number);
	events = reverse_index_events(s->index, number, &n);
	for (unsigned i = 0; from.loads && i < n; i++) {
		struct reverse_index_place read = slice_operand_memory(&from, events, i);

		/* a load of a value that others wrote is an instance itself, so the search
		 * must find this step */
		if (events[i].kind != INDEX_STORE)
			want_slice_place(s, &read,
					 events[i].kind == INDEX_CHANGED ? number + 1 : number);
	}
}

static void want_slice_part(struct slice *s, const struct wanted *of,
			    const struct reverse_index_place *place)
{
	if (of->is_text)
		want_text(s, place, of->step);
	else
		want_slice_place(s, place, of->step);
}

/* The store gave only a part of the place its value, which remains; the rest was given earlier, so
 * that is looked for as well. */
static void want_slice_rest(struct slice *s, struct wanted *w, uint64_t number,
			    const struct reverse_index_event *e)
{
	const struct place_parts parts = place_parts_of(s->index, &w->place, number, e);

	for (unsigned i = 0; i < parts.n_rest; i++)
		want_slice_part(s, w, &parts.rest[i]);
	want_slice_place(s, &parts.kept, number);
	w->place = parts.written;
	/* what was computed as a whole is looked at once, whichever of its bits matter */
	if (!parts.kept.size)
		w->place.bits = 0;
}

static void add_deciding_branch(struct slice *s, uint64_t branch, unsigned distance,
				bool leads_to_end)
{
	const struct reverse_index_place none = { 0 };
	guint before = s->found->len;

	if (branch != UINT64_MAX && !s->thin)
		add_instance(s, branch, &none, true, reverse_index_at(s->index, branch)->value,
			     distance, branch);
	if (s->found->len > before)
		((struct slice_instance *)s->found->pdata[before])->leads_to_end = leads_to_end;
}

/* Did untraced code come back at this step to another place than where it was called, as longjmp
 * does?  Then the call before it decides that control is here. */
static bool came_from_afar(struct slice *s, uint64_t number)
{
	struct reverse_index_step here, before;
	const struct reverse_index_insn *call;

	if (!number)
		return false;
	here = *reverse_index_at(s->index, number);
	before = *reverse_index_at(s->index, number - 1);
	call = reverse_index_insn_of(s->index, &before);
	return (call->insn->flow == TRACE_FLOW_CALL || call->insn->flow == TRACE_FLOW_CALL_IND) &&
	       reverse_index_insn_of(s->index, &here)->pc != call->pc + call->insn->length;
}

static void describe_wanted(struct wanted *w, const struct library_read *read, uint64_t call)
{
	w->called_back = read->step > call;
	w->is_argument = read->is_argument;
	w->reg = read->reg;
}

/* Untraced code made a result, or wrote memory, between the call and the step: what it read is
 * wanted.  stream: that it printed to; NULL = none. */
static void want_of_call(struct slice *s, uint64_t call, const struct stream_write *stream,
			 uint64_t until)
{
	g_autoptr(GArray) reads = g_array_new(FALSE, FALSE, sizeof(struct library_read));
	const struct library_function *f = library_called(s->index, call);

	/* what malloc is given changes no value */
	s->through_library |= stream || (f && f->model == LIBRARY_NO_MODEL &&
					 (f->reads || library_formats_values(f) || f->array));
	if (stream)
		stream_write_reads(s->index, stream, reads);
	else
		library_reads(s->index, call, until, reads);
	for (guint i = 0; i < reads->len; i++) {
		const struct library_read *r = &g_array_index(reads, struct library_read, i);
		guint before = s->wanted->len;

		if (r->is_text)
			want_text(s, &r->place, r->step);
		else
			want_slice_place(s, &r->place, r->step);
		if (s->wanted->len > before)
			describe_wanted(&g_array_index(s->wanted, struct wanted, before), r, call);
	}
}

/* What the registers hold that a call made its result of; copies return where they copied to. */
static void want_of_result(struct slice *s, uint64_t number)
{
	const uint64_t call = library_call_of(s->index, number);
	const struct library_function *f = library_called(s->index, call);

	if (f && f->model != LIBRARY_COPIES)
		want_of_call(s, call, NULL, number + 1);
}

/* Traced code never wrote the element, but the one beside it: the loop that did may have ended a
 * round too early.  Its last decision is a potential dependence (Gyimothy, Beszedes and Forgacs,
 * "An efficient relevant slicing method for debugging", 1999). */
static void look_for_omission(struct slice *s, const struct wanted *w, unsigned distance)
{
	for (int side = -1; w->place.memory && side <= 1; side += 2) {
		struct reverse_index_place beside = w->place;
		struct reverse_index_event event;
		uint64_t writer, branch, last;
		struct reverse_index_step at;

		beside.address += (uint64_t)(side * (int)w->place.size);
		if (reverse_index_find(s->index, &beside, w->step, &writer, &event) !=
			    INDEX_WRITTEN ||
		    event.size != beside.size)
			continue;
		branch = slice_decision_before(s->index, writer);
		if (branch == UINT64_MAX)
			continue;
		at = *reverse_index_at(s->index, branch);
		last = reverse_index_find_insn(s->index, writer + 1, w->step,
					       &reverse_index_insn_of(s->index, &at)->pc, 1);
		if (last != UINT64_MAX)
			add_deciding_branch(s, last, distance, false);
	}
}

/* A call of untraced code wrote the place after the traced code that did (writer; UINT64_MAX = none
 * did): what it was given is wanted, and what it copied.  False when there is no such call. */
static bool look_through_library(struct slice *s, const struct wanted *w, uint64_t writer,
				 unsigned distance)
{
	struct library_write call;
	bool unsure = w->is_text || writer == UINT64_MAX;

	if (!w->place.memory ||
	    !(unsure ? library_write_before(s->writers, &w->place, w->step, &call)
		     : library_sort_between(s->writers, &w->place, writer, w->step, &call)) ||
	    (writer != UINT64_MAX && writer > call.since))
		return false;
	if (!is_first_visit(s, call.step, &w->place, false))
		return true;
	if (call.has_source)
		want_text(s, &call.source, call.step);
	else
		want_of_call(s, call.step, call.stream.stream ? &call.stream : NULL, w->step);
	/* what strcat writes goes behind a text that an earlier call may have made */
	if (call.function && call.function->last)
		want_text(s, &w->place, call.step);
	want_slice_registers(s, call.registers, call.step);
	add_deciding_branch(s, slice_decision_before(s->index, call.step), distance, false);
	return true;
}

static void note_unwritten(struct slice *s, const struct reverse_index_place *place)
{
	const struct unwritten u = { place->address, place->size, s->expanding };

	if (place->memory)
		g_array_append_val(s->unwritten, u);
}

static void look_for_writer(struct slice *s, struct wanted w, unsigned distance)
{
	struct reverse_index_event event = { 0 };
	struct reverse_index_step at;
	uint64_t number = 0, value;
	bool is_inside, is_first;
	enum reverse_index_found found =
		kept_bits_find(s->index, &w.place, w.step, &number, &event);

	if (found == INDEX_ENTERED && came_from_afar(s, number)) {
		s->thrown = s->thrown == UINT64_MAX ? number - 1 : s->thrown;
		add_deciding_branch(s, slice_decision_before(s->index, number - 1), distance,
				    false);
	}
	if (found == INDEX_ENTERED && !w.place.memory &&
	    (w.place.reg == TRACE_RAX || w.place.reg == TRACE_XMM0))
		want_of_result(s, number);
	if (look_through_library(s, &w, found == INDEX_WRITTEN ? number : UINT64_MAX, distance))
		return;
	if (found != INDEX_WRITTEN) { /* it came from outside, or was there from the start */
		note_unwritten(s, &w.place);
		look_for_omission(s, &w, distance);
		/* of an argument of the program, or a literal, it matters which one it is */
		if (w.is_argument)
			want_slice_registers(s, UINT64_C(1) << w.reg, w.step);
		return;
	}
	if (w.place.memory)
		want_slice_rest(s, &w, number, &event);
	at = *reverse_index_at(s->index, number);
	value = w.place.memory ? event.value : at.value;
	is_first = is_first_visit(s, number, &w.place, false);
	is_inside = slice_is_inside_of_statement(s->index, &w.place, w.step, number);
	if (!slice_passes_on(reverse_index_insn_of(s->index, &at)) && !is_inside) {
		guint before = s->found->len;

		add_instance(s, number, &w.place, false, value, distance, w.step);
		if (s->found->len > before)
			((struct slice_instance *)s->found->pdata[before])->called_back =
				w.called_back;
		else if (is_first)
			want_slice_operands(s, number, &w.place, false);
	} else if (is_first) {
		want_slice_operands(s, number, &w.place, false);
		/* `c ? a : b': the statement decides within itself */
		if (is_inside)
			add_deciding_branch(s, slice_decision_before(s->index, number), distance,
					    false);
	}
}

static void look_for_wanted(struct slice *s, unsigned distance)
{
	for (guint i = 0; i < s->wanted->len; i++)
		look_for_writer(s, g_array_index(s->wanted, struct wanted, i), distance);
	g_array_set_size(s->wanted, 0);
}

static void expand_slice_instance(struct slice *s, const struct slice_instance *i)
{
	s->expanding = i;
	want_slice_operands(s, i->step, &i->place, i->decides);
	look_for_wanted(s, i->distance + 1);
	add_deciding_branch(s, slice_decision_before(s->index, i->step), i->distance + 1,
			    i->leads_to_end);
}

/* ---- the end ---- */

/* A call of untraced code has come back already. */
static uint32_t depth_behind(const struct slice_end *end, const struct reverse_index_step *last,
			     const struct reverse_index_insn *info)
{
	const struct image_function *f = image_function_at(end->image, end->link);
	unsigned flow = info->insn->flow;

	if (flow == TRACE_FLOW_CALL || flow == TRACE_FLOW_CALL_IND)
		return last->depth + (!end->signalled || (f && f->entry == end->link));
	return flow == TRACE_FLOW_RET && last->depth ? last->depth - 1 : last->depth;
}

/* The instruction that a signal ended accessed memory or divided; the slice begins with its
 * operands. */
static void want_of_signalled(struct slice *s, const struct slice_end *end)
{
	const struct trace_insn *insn = image_insn_at(end->image, end->link);
	uint64_t steps = reverse_index_steps(s->index);

	for (unsigned i = 0; insn && i < insn->n_mem; i++) {
		const struct trace_mem *m = &insn->mem[i];

		if (m->base < TRACE_RFLAGS)
			want_slice_registers(s, UINT64_C(1) << m->base, steps);
		if (m->index < TRACE_RFLAGS)
			want_slice_registers(s, UINT64_C(1) << m->index, steps);
	}
	if (insn && !insn->n_mem)
		want_slice_registers(s, insn->use_gpr, steps);
}

static void want_last_round(struct slice *s, const struct slice_end *end, uint32_t depth)
{
	uint64_t pc = end->link + end->bias, call;

	add_deciding_branch(s,
			    reverse_index_find_branch(s->index, reverse_index_steps(s->index),
						      depth, &pc, 1, &call),
			    1, true);
}

static void look_for_missing(struct slice *s, const struct slice_end *end)
{
	g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	slice_missing(s->index, end->image, end->bias, end->missing, end->n_missing, steps);
	for (guint i = 0; i < steps->len; i++)
		add_deciding_branch(s, g_array_index(steps, uint64_t, i), 1, false);
}

static void look_back_from(struct slice *s, const struct slice_end *end)
{
	uint64_t steps = reverse_index_steps(s->index), last = steps - 1;
	struct reverse_index_step at = *reverse_index_at(s->index, last);

	if (end->exited < steps) {
		want_slice_place(s, end->place, end->exited);
		look_for_wanted(s, 1);
		add_deciding_branch(s, slice_decision_before(s->index, end->exited), 1, true);
		return;
	}
	if (end->thrown < steps) {
		add_deciding_branch(s, slice_decision_before(s->index, end->thrown), 1, false);
		return;
	}
	if (end->signalled)
		want_of_signalled(s, end);
	if (end->place && end->place_is_text)
		want_text(s, end->place, steps);
	else if (end->place)
		want_slice_place(s, end->place, steps);
	look_for_wanted(s, 1);
	if (end->n_missing)
		look_for_missing(s, end);
	if (end->goes_on)
		want_last_round(s, end,
				depth_behind(end, &at, reverse_index_insn_of(s->index, &at)));
	if (end->signalled)
		add_deciding_branch(
			s,
			slice_decision_at(
				s->index, end->image, end->bias, end->link, steps,
				depth_behind(end, &at, reverse_index_insn_of(s->index, &at))),
			1, true);
	else
		add_deciding_branch(s, slice_decision_before(s->index, last), 1, true);
}

static gint latest_instance_first(gconstpointer a, gconstpointer b)
{
	const struct slice_instance *x = *(struct slice_instance *const *)a,
				    *y = *(struct slice_instance *const *)b;

	return x->step > y->step ? -1 : x->step < y->step;
}

static void sort_level(struct slice *s)
{
	if (s->found->len > s->level) /* else there may be no array */
		qsort(s->found->pdata + s->level, s->found->len - s->level, sizeof(gpointer),
		      latest_instance_first);
}

static struct slice *empty_slice(struct reverse_index *index, const struct image *image,
				 uint64_t bias)
{
	struct slice *s = g_new0(struct slice, 1);

	s->index = index;
	s->found = g_ptr_array_new_with_free_func(g_free);
	s->seen = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	s->wanted = g_array_new(FALSE, FALSE, sizeof(struct wanted));
	s->writers = library_writers_new(index, image, bias);
	s->unwritten = g_array_new(FALSE, FALSE, sizeof(struct unwritten));
	s->thrown = UINT64_MAX;
	return s;
}

struct slice *slice_new(struct reverse_index *index, const struct slice_end *end)
{
	struct slice *s = empty_slice(index, end->image, end->bias);

	s->thin = end->thin;
	if (reverse_index_steps(index))
		look_back_from(s, end);
	sort_level(s);
	return s;
}

struct slice *slice_of_decisions(struct reverse_index *index, const uint64_t *branches, size_t n)
{
	const struct reverse_index_step first = *reverse_index_at(index, branches[0]);
	const struct trace_module *module = reverse_index_insn_of(index, &first)->module;
	struct slice *s = empty_slice(index, module->image, module->bias);

	for (size_t i = 0; i < n; i++)
		add_deciding_branch(s, branches[i], 0, false);
	sort_level(s);
	return s;
}

void slice_free(struct slice *s)
{
	if (!s)
		return;
	g_ptr_array_free(s->found, TRUE);
	g_hash_table_destroy(s->seen);
	g_array_free(s->wanted, TRUE);
	library_writers_free(s->writers);
	g_array_free(s->unwritten, TRUE);
	g_free(s);
}

/* All instances of one distance have been given out, so those that they depend on come next. */
static void go_farther(struct slice *s)
{
	s->level = s->found->len;
	while (s->expanded < s->level)
		expand_slice_instance(s, s->found->pdata[s->expanded++]);
	sort_level(s);
}

const struct slice_instance *slice_next(struct slice *s)
{
	if (s->next == s->found->len)
		go_farther(s);
	return s->next < s->found->len ? s->found->pdata[s->next++] : NULL;
}

/* `status = code; longjmp (env, 1);': was the value left for whoever control comes to? */
static uint64_t thrown_after(struct slice *s, const struct slice_instance *i)
{
	const uint64_t until = MIN(i->user, i->step + reverse_index_limits(s->index)->throw_steps);
	const uint32_t depth = reverse_index_at(s->index, i->step)->depth;
	uint32_t last = depth, here;

	for (uint64_t k = i->step + 1; k <= until && k < reverse_index_steps(s->index); k++) {
		here = reverse_index_at(s->index, k)->depth;
		if (here <= last && came_from_afar(s, k))
			return last == depth ? k - 1 : UINT64_MAX;
		if (here < depth)
			return UINT64_MAX;
		last = here;
	}
	return UINT64_MAX;
}

bool slice_thrown(struct slice *s, const struct slice_instance *last, uint64_t *step)
{
	if (s->thrown == UINT64_MAX && last && !last->decides && last->place.memory)
		s->thrown = thrown_after(s, last);
	if (s->thrown != UINT64_MAX)
		*step = s->thrown;
	return s->thrown != UINT64_MAX;
}

bool slice_goes_through_library(const struct slice *s)
{
	return s->through_library;
}

bool slice_reads_unwritten(const struct slice *s)
{
	return s->unwritten->len > 0;
}

const struct slice_instance *slice_reader(const struct slice *s, uint64_t address, unsigned size,
					  bool *at_end)
{
	*at_end = false;
	for (guint i = 0; i < s->unwritten->len; i++) {
		const struct unwritten *u = &g_array_index(s->unwritten, struct unwritten, i);

		if (address + size <= u->address || u->address + u->size <= address)
			continue;
		*at_end = !u->reader;
		return u->reader;
	}
	return NULL;
}
