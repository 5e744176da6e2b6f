/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/memory/private.h"
#include "solver/base/machine.h"
#include "solver/base/hash.h"
#include "solver/isa/insn.h"

#include <string.h>

enum { RED_ZONE = 128 }; /* below the stack pointer, a function's own */

/* ---- what is found ---- */

struct memory_point checking_point(const struct checking *c, const char *by)
{
	struct memory_point m = { .step = c->number, .before = c->last_pc, .by = by };
	uint64_t pc = c->pc;

	for (guint i = c->calls->len; i > 0 && m.n_frames < MEMORY_MOST_FRAMES; i--) {
		const struct open_call *call = &g_array_index(c->calls, struct open_call, i - 1);

		m.frames[m.n_frames++] = (struct memory_frame){ pc, call->function, call->number };
		pc = call->pc;
	}
	if (m.n_frames < MEMORY_MOST_FRAMES && pc)
		m.frames[m.n_frames++] = (struct memory_frame){ .pc = pc };
	return m;
}

int checking_operand(const struct checking *c, uint64_t address)
{
	const struct trace_head *head = trace_run_head(c->run, trace_run_chosen(c->run));
	const struct trace_insn *insn = c->step->insn;

	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn_address(&insn->mem[i], c->before, c->step->module->bias, head->fs_base,
				 head->gs_base) == address)
			return (int)i;
	return -1;
}

void checking_found(struct checking *c, const struct memory_finding *finding)
{
	const struct trace_module *m;
	uint64_t link;

	if (c->out->kind != MEMORY_FINE || !influence_counts(c, finding->kind) ||
	    (c->accesses_only && finding->kind >= MEMORY_UNSET_BRANCH))
		return;
	*c->out = *finding;
	m = trace_run_module_at(c->run, finding->at.frames[0].pc, &link);
	c->out->module = m;
	c->out->insn = m ? image_insn_at(m->image, link) : NULL;
	c->out->operand = finding->at.by || !c->step ? -1 : checking_operand(c, finding->start);
}

static void found_access(struct checking *c, enum memory_kind kind, uint32_t object,
			 uint64_t address, uint64_t start, uint64_t size, bool writes,
			 const char *by, unsigned argument)
{
	const struct memory_object *o = objects_get(c->objects, object);
	struct memory_finding f = {
		.kind = kind,
		.writes = writes,
		.address = address,
		.start = start,
		.size = size,
		.argument = argument,
		.at = checking_point(c, by),
		.has_object = o != NULL,
	};

	if (o)
		f.object = *o;
	checking_found(c, &f);
}

/* ---- accesses ---- */

uint32_t checking_object(const struct checking *c, const struct shade *shade, uint64_t address)
{
	return objects_get(c->objects, shade->object) ? shade->object
						      : objects_block_at(c->objects, address);
}

/* The first byte of the access that no object can have; false = there is none. */
static bool is_beside(const struct checking *c, uint64_t address, uint64_t size, uint32_t *object,
		      uint64_t *at)
{
	for (uint64_t i = 0; i < size; i++) {
		*object = objects_block_beside(c->objects, address + i);
		*at = address + i;
		if (*object)
			return true;
		if (size > 64 && i == 32)
			i = size - 32; /* a block lies between */
	}
	return false;
}

static bool is_on_checked_stack(const struct checking *c, uint64_t address)
{
	uint64_t sp = c->before[TRACE_RSP];

	return address >= sp - MAIN_STACK_BYTES && address < sp + 2 * (uint64_t)MAIN_STACK_BYTES;
}

/* Optimized code may reach one object by a distance from another. */
static bool is_plain_code(const struct checking *c)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(c->run, c->pc, &link);
	const struct image_function *f = m ? image_function_at(m->image, link) : NULL;

	return f && !f->moving;
}

/* Outside of the object that the pointer was made of, and in no other one that is known. */
static bool is_outside(const struct checking *c, const struct memory_object *o, uint64_t address,
		       uint64_t size, uint64_t *at)
{
	*at = address < o->lo ? address : MAX(address, o->hi);
	if (address >= o->lo && address + size <= o->hi)
		return false;
	if (!o->is_block)
		return true;
	if (is_plain_code(c))
		return true;
	return !objects_block_at(c->objects, *at) && !is_on_checked_stack(c, *at) &&
	       !trace_run_module_at(c->run, *at, NULL) && objects_in_heap(c->objects, *at);
}

void checking_access(struct checking *c, uint32_t object, uint64_t address, uint64_t size,
		     bool writes, const char *by, unsigned argument)
{
	const struct memory_object *o = objects_get(c->objects, object);
	uint32_t other;
	uint64_t at;

	if (!size || address < LOWEST_MAPPED_ADDRESS || c->out->kind != MEMORY_FINE)
		return;
	if (o && o->is_open && !o->is_freed)
		return;
	if (o && !o->is_freed && is_outside(c, o, address, size, &at)) {
		found_access(c, MEMORY_OUTSIDE, object, at, address, size, writes, by, argument);
		return;
	}
	if (o && !o->is_freed && address >= o->lo && address + size <= o->hi)
		return;
	if (!o)
		object = objects_block_at(c->objects, address);
	o = objects_get(c->objects, object);
	if (o && o->is_freed && address >= o->lo && (address < o->hi || o->is_open))
		found_access(c, MEMORY_AFTER_FREE, object, address, address, size, writes, by,
			     argument);
	else if (is_beside(c, address, size, &other, &at))
		found_access(c, MEMORY_OUTSIDE, other, at, address, size, writes, by, argument);
}

/* A pointer that untraced code gave may lead to what it allocated. */
static void note_given(struct checking *c, uint64_t address, unsigned size, uint32_t *loaded)
{
	const struct trace_step *step = c->step;
	uint32_t kept = *loaded;
	uint64_t value = 0;
	const struct memory_object *o;

	for (unsigned i = 0; size == 8 && i < step->n_reads; i++) {
		const struct trace_read *r = &step->reads[i];

		if (r->address != address || r->size != 8 || !r->outside)
			continue;
		memcpy(&value, r->bytes, 8);
		o = objects_get(c->objects, kept);
		if (o && value >= o->lo && value <= o->hi)
			return;
		objects_renew(c->objects, value, false);
		*loaded = objects_block_at(c->objects, value);
	}
}

static void note_shade_use(void *arg, enum shade_use use, const struct shade *shade,
			   uint64_t address, unsigned size, uint32_t *loaded)
{
	struct checking *c = arg;
	uint32_t object = shade->object;

	if (use == SHADE_BRANCH || use == SHADE_TARGET) {
		found_access(c, MEMORY_UNSET_BRANCH, 0, 0, 0, 0, false, NULL, 0);
		return;
	}
	if (shade->unset[0])
		found_access(c, MEMORY_UNSET_ADDRESS, 0, address, address, size, use == SHADE_STORE,
			     NULL, 0);
	if (!object)
		object = variables_indexed(c, c->step, checking_operand(c, address));
	if (c->step->insn->flow != TRACE_FLOW_CALL && c->step->insn->flow != TRACE_FLOW_RET &&
	    (!c->influence || shade->unset[0]))
		checking_access(c, object, address, size, use == SHADE_STORE, NULL, 0);
	texts_seen(c->texts, address, size);
	if (loaded)
		note_given(c, address, size, loaded);
}

static uint32_t object_of_operation(void *arg, const struct trace_step *step, uint32_t op)
{
	return variables_object(arg, step, op);
}

/* ---- the calls that are open ---- */

static void enter_function(struct checking *c, const struct trace_step *step, uint64_t sp)
{
	struct open_call call = { .pc = step->pc, .sp = sp };
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(c->run, step->next, &link);
	const struct image_function *f = m ? image_function_at(m->image, link) : NULL;
	gpointer key;

	if (f) {
		key = GSIZE_TO_POINTER(f->entry + m->bias);
		call.function = f->entry;
		call.number = GPOINTER_TO_SIZE(g_hash_table_lookup(c->entered, key)) + 1;
		g_hash_table_insert(c->entered, key, GSIZE_TO_POINTER(call.number));
	}
	g_array_append_val(c->calls, call);
}

static void leave_functions(struct checking *c, uint64_t sp)
{
	while (c->calls->len &&
	       g_array_index(c->calls, struct open_call, c->calls->len - 1).sp < sp)
		g_array_set_size(c->calls, c->calls->len - 1);
}

static void follow_calls(struct checking *c, const struct trace_step *step)
{
	uint64_t sp = trace_cursor_reg(c->cursor, TRACE_RSP);
	bool calls = step->insn->flow == TRACE_FLOW_CALL || step->insn->flow == TRACE_FLOW_CALL_IND;

	leave_functions(c, sp);
	if (step->exit_kind == TRACE_EXIT_ON && calls) {
		enter_function(c, step, sp);
	} else if (step->exit_kind == TRACE_EXIT_NATIVE && step->enter.why == TRACE_WHY_CALL) {
		enter_function(c, step, sp);
	}
}

/* Untraced code that calls back has its own frames, and the place to return to, between the call
 * that led to it and what it calls. */
static void set_frames_of_others(struct checking *c)
{
	const uint64_t from = trace_cursor_reg(c->cursor, TRACE_RSP);
	const uint64_t until =
		c->pending->len
			? g_array_index(c->pending, struct pending_call, c->pending->len - 1).sp
			: c->before[TRACE_RSP];

	if (from < until && until - from <= LARGEST_SHADED)
		shades_set(c->shades, from, until - from);
}

static void follow_native(struct checking *c, const struct trace_step *step)
{
	if (step->exit_kind != TRACE_EXIT_NATIVE && step->exit_kind != TRACE_EXIT_AWAY)
		return;
	if (step->insn->flow != TRACE_FLOW_RET)
		calls_begin(c, step);
	if (step->exit_kind == TRACE_EXIT_NATIVE && step->enter.why == TRACE_WHY_RETURN)
		calls_end(c, trace_cursor_reg(c->cursor, TRACE_RAX));
	shades_after_call(c->shades);
	if (step->exit_kind == TRACE_EXIT_NATIVE && step->enter.why == TRACE_WHY_CALL)
		set_frames_of_others(c);
	if (step->exit_kind == TRACE_EXIT_NATIVE && step->enter.why == TRACE_WHY_RETURN) {
		const struct shade result = { .object = objects_block_at(
						      c->objects,
						      trace_cursor_reg(c->cursor, TRACE_RAX)) };

		shades_set_register(c->shades, TRACE_RAX, &result);
	}
}

/* ---- the run ---- */

void checking_unset(struct checking *c, uint64_t address, uint64_t size)
{
	if (c->influence)
		shades_set(c->shades, address, size);
	else
		shades_unset(c->shades, address, size);
}

/* What the stack gains is nobody's yet. */
static void note_stack(struct checking *c, const struct trace_step *step)
{
	uint64_t old = c->before[TRACE_RSP], now = trace_cursor_reg(c->cursor, TRACE_RSP);
	bool calls = step->insn->flow == TRACE_FLOW_CALL || step->insn->flow == TRACE_FLOW_CALL_IND;

	if (step->exit_kind != TRACE_EXIT_ON || step->signal)
		return;
	/* a larger step goes to another stack */
	if (now < old && old - now < MAIN_STACK_BYTES)
		checking_unset(c, now, old - now);
	if (calls)
		checking_unset(c, now - RED_ZONE, RED_ZONE);
}

static int check_next_step(struct checking *c, const struct shades_watch *watch, GError **error)
{
	const struct trace_head *head = trace_run_head(c->run, trace_run_chosen(c->run));
	struct trace_step step;
	int more;

	memcpy(c->before, trace_cursor_state(c->cursor) + IR_STATE_GPR, sizeof(c->before));
	c->last_pc = c->pc;
	c->pc = trace_cursor_pc(c->cursor);
	c->step = NULL;
	if (c->pc)
		calls_before(c);
	more = trace_cursor_step(c->cursor, &step, error);
	if (more != 1)
		return more;
	c->step = &step;
	note_stack(c, &step);
	shades_step(c->shades, &step, c->before, head->fs_base, head->gs_base, watch);
	follow_native(c, &step);
	if (c->influence)
		influence_step(c);
	if (step.exit_kind == TRACE_EXIT_AWAY && c->reported.address)
		calls_reported(c, &c->reported);
	follow_calls(c, &step);
	c->number++;
	return c->out->kind == MEMORY_FINE ? 1 : 0;
}

/* How often their instructions were executed until then. */
static bool count_finding_executions(struct trace_run *run, const struct memory_options *options,
				     const struct memory_code *code, struct memory_finding *f,
				     GError **error)
{
	struct memory_point *points[] = { &f->at, &f->object.made, &f->object.gone };
	struct trace_cursor *cursor = trace_cursor_new(run, trace_run_chosen(run), code->lift);
	struct trace_step step;
	int more = 1;

	if (options->n_actions)
		trace_cursor_set_actions(cursor, options->actions, options->n_actions);
	for (uint64_t i = 0; i <= f->at.step && more == 1; i++) {
		uint64_t pc = trace_cursor_pc(cursor);

		for (size_t k = 0; k < G_N_ELEMENTS(points); k++) {
			struct memory_point *m = points[k];

			m->nth += m->n_frames && i <= m->step && pc == m->frames[0].pc;
			m->before_nth += m->n_frames && i < m->step && pc == m->before;
		}
		more = trace_cursor_step(cursor, &step, error);
	}
	trace_cursor_free(cursor);
	return more >= 0;
}

struct memory_code *memory_code_new(struct lift *lift)
{
	struct memory_code *code = g_new0(struct memory_code, 1);

	code->own_lift = lift ? NULL : lift_new();
	code->lift = lift ? lift : code->own_lift;
	for (size_t i = 0; i < G_N_ELEMENTS(code->variables); i++)
		code->variables[i] = variables_new();
	return code;
}

void memory_code_free(struct memory_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(code->variables); i++)
		variables_free(code->variables[i]);
	if (code->own_lift)
		lift_free(code->own_lift);
	g_free(code);
}

static bool check_memory_of_run(struct trace_run *run, const struct memory_options *options,
				struct memory_code *code, struct memory_finding *out,
				GError **error)
{
	struct checking c = { .run = run,
			      .out = out,
			      .reported = options->reported,
			      .influence = options->influence,
			      .own_places = options->own_places,
			      .tables = options->tables || options->influence,
			      .accesses_only = options->accesses_only };
	const struct shades_watch watch = { note_shade_use, object_of_operation, &c };
	int more = 1;

	*out = (struct memory_finding){ .operand = -1 };
	c.variables = code->variables[c.tables];
	c.cursor = trace_cursor_new(run, trace_run_chosen(run), code->lift);
	if (options->n_actions)
		trace_cursor_set_actions(c.cursor, options->actions, options->n_actions);
	c.objects = objects_new();
	c.shades = shades_new();
	c.texts = texts_new(run, c.cursor);
	c.calls = g_array_new(FALSE, TRUE, sizeof(struct open_call));
	c.pending = g_array_new(FALSE, TRUE, sizeof(struct pending_call));
	c.entered = g_hash_table_new(hash_u64_itself, NULL);
	if (trace_run_threads(run) > 1)
		more = 0;
	while (more == 1 && (!options->until || c.number < options->until))
		more = check_next_step(&c, &watch, error);
	g_hash_table_destroy(c.entered);
	g_array_free(c.pending, TRUE);
	g_array_free(c.calls, TRUE);
	texts_free(c.texts);
	shades_free(c.shades);
	objects_free(c.objects);
	trace_cursor_free(c.cursor);
	return more >= 0 && (out->kind == MEMORY_FINE ||
			     count_finding_executions(run, options, code, out, error));
}

bool memory_check(struct trace_run *run, const struct memory_options *options,
		  struct memory_finding *out, GError **error)
{
	struct memory_code *own = options->code ? NULL : memory_code_new(NULL);
	bool ok = check_memory_of_run(run, options, own ? own : options->code, out, error);

	memory_code_free(own);
	return ok;
}
