/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/search/nearby.h"

#include "solver/base/hash.h"
#include "solver/formula/failing-lines.h"

#include <string.h>

/* Room for a candidate's values; limits->nearby_values says how many are tried. */
enum { MOST_VALUES = 16 };

struct candidate_instance {
	struct slice_instance at;
	uint64_t nth, executions; /* of its instruction: this one's number, and how often in all */
	uint64_t values[MOST_VALUES];
	unsigned n_values, tried;
	bool looked_back; /* .values has what the instruction gave before */
};

struct nearby {
	struct nearby_options options;
	const struct limits *limits;
	struct trace_run *run;
	GPtrArray *candidates;	   /* struct candidate_instance *, nearest first */
	guint at;		   /* of .candidates: the one that is tried */
	GHashTable *failing_lines; /* see failing-lines.h */
	GHashTable *proven;	   /* const struct image_statement * */
	uint64_t insns, executed;  /* of the failing run; by runs so far, at most */
	unsigned runs;
	GArray *actions; /* struct trace_action, of the candidate that is tried */
	struct nearby_answer answer;
};

static const struct image_statement *statement_at(const struct slice_instance *i)
{
	const struct image *im = i->module->image;
	const struct image_row *row = image_row_at(im, i->insn->addr);

	return row && !row->prologue ? image_statement(im, row->statement) : NULL;
}

/* ---- candidates ---- */

static struct image_frame frame_of(const struct nearby *n, const struct slice_instance *i)
{
	struct image_frame frame = *trace_point_frame(n->options.point);

	frame.pc = i->insn->addr;
	frame.bias = i->module->bias;
	frame.regs[TRACE_RBP] = i->rbp;
	frame.regs[TRACE_RSP] = i->rsp;
	return frame;
}

static const struct image_type *type_of(const struct nearby *n, const struct slice_instance *i)
{
	struct image_frame frame = frame_of(n, i);
	const struct image_type *type;
	struct image_lvalue lv;

	if (!image_name_memory(i->module->image, &frame, i->place.address, i->place.size, &lv))
		return NULL;
	type = lv.type;
	image_lvalue_clear(&lv);
	return type;
}

static uint64_t cut_to(uint64_t value, unsigned size)
{
	return size >= 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static void add_value(const struct nearby *n, struct candidate_instance *c, uint64_t value)
{
	value = cut_to(value, c->at.place.size);
	for (unsigned i = 0; i < c->n_values; i++)
		if (c->values[i] == value)
			return;
	if (c->n_values < n->limits->nearby_values &&
	    value != cut_to(c->at.value, c->at.place.size))
		c->values[c->n_values++] = value;
}

/* What the place held before the store, as far as traced code stored it. */
static bool value_before(const struct nearby *n, const struct slice_instance *i, uint64_t *value)
{
	struct reverse_index_event event;
	uint64_t step;

	if (reverse_index_find(n->options.index, &i->place, i->step, &step, &event) !=
		    INDEX_WRITTEN ||
	    event.address != i->place.address || event.size != i->place.size)
		return false;
	*value = event.value;
	return true;
}

static void add_float_values(const struct nearby *n, struct candidate_instance *c)
{
	double value;
	float single;
	uint64_t bits = 0;

	for (int change = -1; change <= 1; change++) {
		if (c->at.place.size == 4) {
			memcpy(&single, &c->at.value, sizeof(single));
			single = change ? single + (float)change : -single;
			memcpy(&bits, &single, sizeof(single));
		} else {
			memcpy(&value, &c->at.value, sizeof(value));
			value = change ? value + change : -value;
			memcpy(&bits, &value, sizeof(value));
		}
		add_value(n, c, bits);
	}
}

static void add_values(const struct nearby *n, struct candidate_instance *c)
{
	const struct image_type *type = c->at.place.memory ? type_of(n, &c->at) : NULL;
	bool is_pointer = type && type->kind == IMAGE_TYPE_POINTER;
	uint64_t before;

	if (n->options.wanted)
		add_value(n, c, *n->options.wanted);
	if (c->at.place.memory && value_before(n, &c->at, &before))
		add_value(n, c, before);
	add_value(n, c, 0);
	if (type && type->kind == IMAGE_TYPE_FLOAT && type->size == c->at.place.size) {
		add_float_values(n, c);
	} else if (!is_pointer) {
		add_value(n, c, c->at.value - 1);
		add_value(n, c, c->at.value + 1);
		add_value(n, c, 1);
	}
}

/* What an execution of the candidate's instruction gave. */
static bool value_at(struct reverse_index *index, const struct slice_instance *i, uint64_t step,
		     uint64_t *value)
{
	const struct reverse_index_event *events;
	unsigned n;

	if (!i->place.memory) {
		*value = reverse_index_at(index, step)->value;
		return true;
	}
	events = reverse_index_events(index, step, &n);
	for (unsigned k = 0; k < n; k++)
		if (events[k].kind == INDEX_STORE && events[k].size == i->place.size) {
			*value = events[k].value;
			return true;
		}
	return false;
}

/* What the instruction gave in its latest executions before this one: objects that exist,
 * and constants that mean something here. */
static void add_earlier_values(const struct nearby *n, struct candidate_instance *c)
{
	unsigned most = (unsigned)n->limits->nearby_earlier;
	uint64_t step = c->at.step, value;

	c->looked_back = true;
	for (unsigned k = 0; k < most && c->n_values < n->limits->nearby_values; k++) {
		step = reverse_index_find_insn(n->options.index, step, &c->at.pc, 1);
		if (step == UINT64_MAX || deadline_is_over(n->options.until))
			return;
		if (!value_at(n->options.index, &c->at, step, &value))
			continue;
		if (!c->at.place.memory && value >> 32)
			c->at.place.size = 8; /* NULL looked like an int */
		add_value(n, c, value);
	}
}

/* May this be a fault?  Not what reports the failure, nor what has no source. */
static bool is_candidate(const struct nearby *n, const struct slice_instance *i)
{
	const struct image_statement *s = statement_at(i);

	if (!s || failing_lines_has(n->failing_lines, s) ||
	    failing_lines_has(n->options.requirement->reporting, s))
		return false;
	if (i->decides)
		return i->insn->flow == TRACE_FLOW_COND;
	if (!i->place.memory)
		return i->place.reg < 16;
	return i->place.size && i->place.size <= 8;
}

static struct candidate_instance *candidate_of(const struct nearby *n,
					       const struct slice_instance *i)
{
	struct candidate_instance *c = g_new0(struct candidate_instance, 1);

	c->at = *i;
	/* what is computed in 32 bits has zeros above */
	if (!i->decides && !i->place.memory)
		c->at.place.size = i->value >> 32 ? 8 : 4;
	if (i->decides)
		c->values[c->n_values++] = !i->value;
	else
		add_values(n, c);
	return c;
}

static struct slice *slice_of_end(const struct nearby *n)
{
	const struct image_frame *frame = trace_point_frame(n->options.point);
	const struct reverse_index_place status = { .reg = TRACE_RAX };
	struct slice_end end = {
		.image = trace_point_image(n->options.point),
		.bias = frame->bias,
		.link = frame->pc,
		.signalled = n->options.before || trace_point_is_signalled(n->options.point),
		.place = n->options.before				 ? n->options.place
			 : n->options.requirement->end.end == RUN_STATUS ? &status
									 : NULL,
	};

	return slice_new(n->options.index, &end);
}

static void find_candidates(struct nearby *n)
{
	struct slice *slice = slice_of_end(n);
	const struct slice_instance *i;
	guint most = (guint)n->limits->nearby_instances;

	/* of those that are no candidates there are not many times as many */
	for (unsigned k = 0;
	     k < 8 * most && n->candidates->len < most && !deadline_is_over(n->options.until);
	     k++) {
		i = slice_next(slice);
		if (!i)
			break;
		if (is_candidate(n, i))
			g_ptr_array_add(n->candidates, candidate_of(n, i));
	}
	slice_free(slice);
}

/* ---- which execution it is ---- */

/* How often a candidate's instruction was executed so far. */
struct count {
	uint64_t pc, times;
};

struct counting {
	GHashTable *counts; /* uint64_t * pc → struct count *, owned */
	GPtrArray *by_step; /* struct candidate_instance *, in the order of the run */
	guint next;	    /* of .by_step */
	uint64_t steps;	    /* instructions so far */
};

/* No piece of code has a candidate but as its first instruction. */
static bool is_counted(uint64_t pc, void *counting)
{
	return g_hash_table_contains(((struct counting *)counting)->counts, &pc);
}

/* The instruction at pc is next. */
static void count_next(struct counting *k, uint64_t pc)
{
	struct count *c = g_hash_table_lookup(k->counts, &pc);

	if (!c)
		return;
	c->times++;
	while (k->next < k->by_step->len) {
		struct candidate_instance *candidate = k->by_step->pdata[k->next];

		if (candidate->at.step > k->steps)
			return;
		if (candidate->at.step == k->steps)
			candidate->nth = c->times;
		k->next++;
	}
}

static bool count_through(struct nearby *n, struct counting *k, GError **error)
{
	struct lift *lift = lift_new();
	struct superblocks *superblocks = superblocks_new(is_counted, k);
	struct trace_cursor *cursor = trace_cursor_new(n->run, n->options.thread, lift);
	struct superblock_run piece;
	struct trace_step step;
	int more = 1;

	while (more > 0) {
		count_next(k, trace_cursor_pc(cursor));
		more = superblocks_run(superblocks, cursor, &piece, error);
		if (more == 1) {
			k->steps += piece.n;
		} else if (more == 0) {
			more = trace_cursor_step(cursor, &step, error);
			k->steps += more == 1;
		}
	}
	trace_cursor_free(cursor);
	superblocks_free(superblocks);
	lift_free(lift);
	return more == 0;
}

static gint earliest_first(gconstpointer a, gconstpointer b)
{
	const struct candidate_instance *x = *(struct candidate_instance *const *)a,
					*y = *(struct candidate_instance *const *)b;

	return x->at.step < y->at.step ? -1 : x->at.step > y->at.step;
}

/* Fills .nth and .executions by one more walk through the record. */
static bool count_executions(struct nearby *n, GError **error)
{
	struct counting k = { .counts =
				      g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free),
			      .by_step = g_ptr_array_new() };
	bool ok;

	for (guint i = 0; i < n->candidates->len; i++) {
		const struct candidate_instance *c = n->candidates->pdata[i];
		struct count count = { c->at.pc, 0 }, *kept;

		g_ptr_array_add(k.by_step, (gpointer)c);
		if (g_hash_table_contains(k.counts, &c->at.pc))
			continue;
		kept = g_memdup2(&count, sizeof(count));
		g_hash_table_insert(k.counts, &kept->pc, kept);
	}
	g_ptr_array_sort(k.by_step, earliest_first);
	ok = count_through(n, &k, error);
	for (guint i = 0; i < n->candidates->len; i++) {
		struct candidate_instance *c = n->candidates->pdata[i];

		c->executions = ((struct count *)g_hash_table_lookup(k.counts, &c->at.pc))->times;
	}
	n->insns = k.steps;
	g_hash_table_destroy(k.counts);
	g_ptr_array_unref(k.by_step);
	return ok;
}

/* ---- runs ---- */

/* The slice's modules are those of the trace point's own run. */
static const struct trace_module *module_of(const struct nearby *n,
					    const struct candidate_instance *c)
{
	uint64_t link;

	return trace_run_module_at(n->run, c->at.pc, &link);
}

static struct trace_action action_of(const struct nearby *n, const struct candidate_instance *c,
				     uint64_t value)
{
	struct trace_action a = {
		.kind = c->at.decides	     ? TRACE_ACTION_FORCE
			: c->at.place.memory ? TRACE_ACTION_MEM
					     : TRACE_ACTION_REG,
		.module = trace_run_module_number(n->run, module_of(n, c)),
		.thread = n->options.thread,
		.addr = c->at.insn->addr,
		.nth = c->nth,
	};

	if (!c->at.decides) {
		a.where = c->at.place.memory ? c->at.place.address : 0;
		a.reg = c->at.place.memory ? 0 : (uint16_t)c->at.place.reg;
		a.size = (uint16_t)c->at.place.size;
	}
	memcpy(a.value, &value, sizeof(value));
	return a;
}

/* How many instructions of the thread were executed; 0 = not known. */
static uint64_t insns_of(const struct nearby *n, const char *record)
{
	const struct nearby_options *o = &n->options;
	struct trace_run *run = trace_run_open(record, o->images, o->n_images, NULL);
	uint64_t insns = run && o->thread < trace_run_threads(run)
				 ? trace_run_head(run, o->thread)->insns
				 : 0;

	trace_run_free(run);
	return insns;
}

/* FAILS_LATER: or at about the same time, since runs are not equally long everywhere. */
enum verdict { FAILS, FAILS_LATER, PASSES };

static enum verdict verdict_of(const struct nearby *n, const struct run_request *request,
			       const struct run_result *result)
{
	const struct requirement_end *first = &n->options.requirement->end;

	if (result->actions_done && requirement_is_met(n->options.requirement, result, request))
		return PASSES;
	return result->actions_done == request->n_actions && result->end == first->end &&
			       insns_of(n, result->record) > n->insns - n->insns / 64
		       ? FAILS_LATER
		       : FAILS;
}

/* A run that is not recorded tells how it ended, which is all that most requirements ask. */
static bool run_once(struct nearby *n, enum verdict *verdict, GError **error)
{
	uint64_t most = n->insns + n->insns / 4 + n->limits->run_insns;
	struct run_request request = {
		.actions = (const struct trace_action *)(const void *)n->actions->data,
		.n_actions = n->actions->len,
		.record = n->options.requirement->kind->looks_at_record,
		.max_insns = most,
	};
	struct run_result result = { 0 };

	if (!n->options.runner->run(n->options.runner, &request, &result, error))
		return false;
	*verdict = verdict_of(n, &request, &result);
	n->runs++;
	n->executed += result.end == RUN_LIMIT || result.end == RUN_TIMEOUT ? most : n->insns;
	run_result_clear(&result);
	return true;
}

/* What makes the same mistake each time is changed each time. */
static bool run_with(struct nearby *n, struct trace_action action, bool *met, GError **error)
{
	unsigned most = (unsigned)n->limits->nearby_repeats;
	enum verdict verdict;

	g_array_set_size(n->actions, 0);
	do {
		g_array_append_val(n->actions, action);
		action.nth++;
		if (!run_once(n, &verdict, error))
			return false;
	} while (verdict == FAILS_LATER && n->actions->len < most &&
		 !deadline_is_over(n->options.until));
	*met = verdict == PASSES;
	return true;
}

static void answer_with(struct nearby *n, const struct candidate_instance *c, uint64_t value)
{
	n->answer = (struct nearby_answer){
		.definition = {
			.kind = c->at.decides	     ? DEF_GUARD
				: c->at.place.memory ? DEF_MEMORY
						     : DEF_REGISTER,
			.selector = SELECTOR_HARD,
			.statement = statement_at(&c->at),
			.actual = c->at.decides ? c->at.value
						: cut_to(c->at.value, c->at.place.size),
			.pc = c->at.pc,
			.step = c->at.step,
			.address = c->at.place.address,
			.rbp = c->at.rbp,
			.rsp = c->at.rsp,
			.reg = (uint8_t)(c->at.place.memory ? 0 : c->at.place.reg),
			.size = (uint8_t)c->at.place.size,
		},
		.value = value,
		.actions = (const struct trace_action *)(const void *)n->actions->data,
		.n_actions = n->actions->len,
		.executions = c->executions,
		.distance = c->at.distance,
		.avoids = c->at.leads_to_end,
	};
}

/* The nearest candidate with a value that was not tried, of a statement that is not proven
 * yet; NULL when there is none, or a limit is reached. */
static struct candidate_instance *next_candidate(struct nearby *n)
{
	for (; n->at < n->candidates->len; n->at++) {
		struct candidate_instance *c = n->candidates->pdata[n->at];

		if (!c->nth || g_hash_table_contains(n->proven, statement_at(&c->at)))
			continue;
		if (c->tried == c->n_values && !c->at.decides && !c->looked_back)
			add_earlier_values(n, c);
		if (c->tried == c->n_values)
			continue;
		if (n->runs >= n->limits->nearby_runs) {
			limits_reached(n->limits, LIMIT_nearby_runs);
			return NULL;
		}
		if (n->executed > n->limits->nearby_insns) {
			limits_reached(n->limits, LIMIT_nearby_insns);
			return NULL;
		}
		return deadline_is_over(n->options.until) ? NULL : c;
	}
	return NULL;
}

const struct nearby_answer *nearby_next(struct nearby *n, GError **error)
{
	struct candidate_instance *c;

	while ((c = next_candidate(n))) {
		uint64_t value = c->values[c->tried++];
		bool met = false;

		if (!run_with(n, action_of(n, c, value), &met, error))
			return NULL;
		g_debug("nearby: %s:%u, distance %u, execution %" G_GUINT64_FORMAT
			", %#" G_GINT64_MODIFIER "x -> %#" G_GINT64_MODIFIER "x, %u times: %s",
			statement_at(&c->at)->file, statement_at(&c->at)->line, c->at.distance,
			c->nth, c->at.value, value, n->actions->len, met ? "passes" : "fails");
		if (!met)
			continue;
		g_hash_table_add(n->proven, (gpointer)statement_at(&c->at));
		answer_with(n, c, value);
		return &n->answer;
	}
	return NULL;
}

/* ---- life ---- */

struct nearby *nearby_new(const struct nearby_options *options, GError **error)
{
	struct nearby *n = g_new0(struct nearby, 1);

	n->options = *options;
	n->limits = limits_or_default(options->limits);
	n->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	n->candidates = g_ptr_array_new_with_free_func(g_free);
	n->failing_lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	n->proven = g_hash_table_new(NULL, NULL);
	for (size_t i = 0; i < options->n_images; i++)
		failing_lines_add(n->failing_lines, options->images[i]);
	n->run = trace_run_open(options->record, options->images, options->n_images, error);
	if (n->run)
		trace_run_end_at(n->run, options->until);
	if (n->run && trace_run_choose(n->run, options->thread, error)) {
		find_candidates(n);
		if (!n->candidates->len || count_executions(n, error))
			return n;
	}
	nearby_free(n);
	return NULL;
}

void nearby_free(struct nearby *n)
{
	if (!n)
		return;
	trace_run_free(n->run);
	g_ptr_array_free(n->candidates, TRUE);
	g_array_free(n->actions, TRUE);
	g_hash_table_destroy(n->failing_lines);
	g_hash_table_destroy(n->proven);
	g_free(n);
}

unsigned nearby_instances(const struct nearby *n)
{
	return n->candidates->len;
}
