/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/trace-point-private.h"
#include "solver/library/library.h"
#include "solver/source/trace-point/call-results.h"
#include "solver/source/executed.h"
#include "solver/source/expression/expression.h"
#include "solver/source/trace-point/past-memory.h"
#include "solver/trace/run.h"
#include "solver/source/value.h"

#include <string.h>

/* What a call in the line that failed was given, or what it returned. */
static void note_call_in_line(struct trace_point *m)
{
	uint64_t link, pc = trace_cursor_pc(m->cursor);
	const struct trace_module *module =
		pc && call_results_any(m->calls) ? trace_run_module_at(m->run, pc, &link) : NULL;

	if (module)
		call_results_note(m->calls, module->image, link, m->cursor);
}

/* Is control at the stop, for the right time? */
static bool is_at_stop(struct trace_point *m)
{
	uint64_t link, pc = trace_cursor_pc(m->cursor);
	const struct trace_module *module;

	if (!m->stop || !pc)
		return false;
	module = trace_run_module_at(m->run, pc, &link);
	if (!module || !stop_is_at(m->stop, module->image, link) || ++m->passed < m->stop->count)
		return false;
	m->module = module;
	m->frame = trace_cursor_frame(m->cursor);
	return true;
}

/* Must we look here?  Yes at the stop, and at calls of the line. */
static bool is_looked_at(uint64_t pc, void *arg)
{
	const struct trace_point *m = arg;
	uint64_t link;
	const struct trace_module *module = trace_run_module_at(m->run, pc, &link);

	if (module && m->stop && stop_is_at(m->stop, module->image, link))
		return true;
	return module && call_results_is_noted_at(m->calls, module->image, link);
}

/* The first time, the instructions of a superblock count as executed. */
static void note_executed_superblock(struct trace_point *m, const struct superblock_run *superblock)
{
	if (superblock->number >= m->noted->len)
		g_array_set_size(m->noted, superblock->number + 1);
	if (g_array_index(m->noted, bool, superblock->number))
		return;
	g_array_index(m->noted, bool, superblock->number) = true;
	for (uint32_t i = 0; i < superblock->n; i++) {
		struct trace_place at = superblocks_place(m->superblocks, superblock->number, i);

		executed_add(m->executed, at.module->image, at.insn,
			     m->instructions - superblock->n + i);
	}
}

/* What untraced code may have written there is known where traced code loaded it, or somebody else
 * has it. */
static bool read_foreign(const struct trace_point *m, uint64_t address, unsigned size,
			 uint8_t *bytes)
{
	const struct past_memory past = { m->run, m->index, m->foreign, m->stack };
	uint64_t value;

	if (!m->arrived)
		return false;
	if (past_memory_found(&past, m->instructions, address, size, bytes) ||
	    past_memory_ahead(m->cursor, address, size, bytes))
		return true;
	if (!m->memory || !m->memory(m->memory_arg, address, size, &value))
		return false;
	memcpy(bytes, &value, size);
	return true;
}

static bool read_memory_at_point(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct trace_point *m = arg;
	const struct past_memory past = { m->run, m->index, m->foreign, m->stack };
	uint8_t bytes[8] = { 0 };

	if (size > sizeof(bytes) ||
	    (m->arrived && past_memory_is_leftover(&past, m->instructions, address, size)))
		return false;
	if (foreign_memory_has(m->foreign, address, size)
		    ? !read_foreign(m, address, size, bytes)
		    : !trace_cursor_read_initial(m->cursor, m->module, address, size, bytes))
		return false;
	memcpy(value, bytes, sizeof(bytes));
	return true;
}

static void note_exit(struct trace_point *m, const struct image_frame *before,
		      const struct trace_step *step)
{
	if (step->exit_kind != TRACE_EXIT_NATIVE || !library_exits(step->native_name))
		return;
	m->exit_call =
		(struct exit_call){ step->module, *before,
				    m->index ? reverse_index_steps(m->index) - 1 : UINT64_MAX };
	m->exit_call.frame.pc = step->insn->addr;
	m->exit_call.frame.bias = step->module->bias;
}

/* Goes on by one instruction, or by several between which nothing is looked at.  Then *step is
 * not filled, and its .insn is NULL. */
static int go_on_to_point(struct trace_point *m, struct trace_step *step, GError **error)
{
	struct superblock_run superblock;
	int r;

	if (m->index)
		reverse_index_before(m->index, m->cursor);
	r = superblocks_run(m->superblocks, m->cursor, &superblock, error);
	if (r == 1) {
		step->insn = NULL;
		m->instructions += superblock.n;
		note_executed_superblock(m, &superblock);
		foreign_memory_superblock(m->foreign, &superblock);
		if (m->index)
			reverse_index_after_superblock(m->index, m->cursor, m->superblocks,
						       &superblock);
	} else if (r == 0) {
		struct image_frame before = trace_cursor_frame(m->cursor);

		r = trace_cursor_step(m->cursor, step, error);
		before.read = read_memory_at_point;
		before.arg = m;
		if (r == 1)
			foreign_memory_step(m->foreign, m->instructions, &before, step,
					    trace_cursor_reg(m->cursor, TRACE_RAX));
		m->instructions += r == 1;
		if (m->index && r == 1)
			reverse_index_after(m->index, m->cursor, step);
		if (r == 1)
			note_exit(m, &before, step);
		/* the signal ended an instruction that had begun */
		if (r == 1 || (r == 0 && step->exit_kind == TRACE_EXIT_CUT && step->insn))
			executed_add(m->executed, step->module->image, step->insn,
				     m->instructions - (r == 1));
	}
	return r;
}

/* The run ended where a handler of atexit returned: it failed where exit was called. */
static void go_back_to_exit(struct trace_point *m, const struct trace_step *last)
{
	if (!m->exit_call.module || !last->insn || last->exit_kind != TRACE_EXIT_AWAY ||
	    last->insn->flow != TRACE_FLOW_RET)
		return;
	m->ended_by = m->exit_call;
	m->module = m->ended_by.module;
	m->frame = m->ended_by.frame;
}

static bool run_to_the_stop(struct trace_point *m, GError **error)
{
	struct trace_step step = { 0 };
	int r = 1;

	while (!is_at_stop(m)) {
		r = go_on_to_point(m, &step, error);
		if (r != 1)
			break;
		note_call_in_line(m);
	}
	if (r == 0)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    m->passed ? "The run comes to %s only %" G_GUINT64_FORMAT
					" time%s; ask with a smaller count."
				      : "The run never comes to %s; ask `why not line N' why.",
			    m->stop->text, m->passed, m->passed == 1 ? "" : "s");
	return r == 1;
}

/* Runs to the end.  The frame that fails is our last one.  A call pushes its return address,
 * which the frame's own stack pointer does not count. */
static bool run_to_the_end(struct trace_point *m, GError **error)
{
	struct trace_step step = { 0 };
	uint64_t sp = trace_cursor_reg(m->cursor, TRACE_RSP);
	int r;

	while ((r = go_on_to_point(m, &step, error)) == 1) {
		if (step.insn) {
			m->module = step.module;
			m->frame = (struct image_frame){ .pc = step.insn->addr,
							 .bias = step.module->bias };
		}
		if (step.insn &&
		    (step.exit_kind == TRACE_EXIT_AWAY || step.exit_kind == TRACE_EXIT_CUT))
			break;
		sp = trace_cursor_reg(m->cursor, TRACE_RSP);
		note_call_in_line(m);
	}
	/* a signal ended the run: at the instruction that was not completed */
	if (r == 0 && step.exit_kind == TRACE_EXIT_CUT && step.insn) {
		m->signalled = true;
		m->module = step.module;
		m->frame = (struct image_frame){ .pc = step.insn->addr, .bias = step.module->bias };
	}
	for (unsigned i = 0; i < 16; i++)
		m->frame.regs[i] = trace_cursor_reg(m->cursor, (enum trace_reg)i);
	m->frame.regs[TRACE_RSP] = sp;
	go_back_to_exit(m, &step);
	return r >= 0;
}

static struct trace_point *new_trace_point(struct image *const *images, size_t n_images,
					   unsigned line, const struct deadline *until)
{
	struct trace_point *m = g_new0(struct trace_point, 1);

	m->images = images;
	m->n_images = n_images;
	m->until = until;
	m->calls = call_results_new(images, n_images, line);
	m->executed = executed_new();
	m->noted = g_array_new(FALSE, TRUE, sizeof(bool));
	m->superblocks = superblocks_new(is_looked_at, m);
	return m;
}

static bool is_at_main(const struct trace_point *m)
{
	uint64_t link, pc = trace_cursor_pc(m->cursor);
	const struct trace_module *module = pc ? trace_run_module_at(m->run, pc, &link) : NULL;
	const struct image_function *f = module ? image_function_at(module->image, link) : NULL;

	return f && f->entry == link && strcmp(f->name, "main") == 0;
}

/* The first code of the program's is main, or a constructor, which the C library gives the same
 * arguments: then the environment lies behind them. */
static void note_call_arguments(struct trace_point *m)
{
	const uint64_t argc = (uint32_t)trace_cursor_reg(m->cursor, TRACE_RDI),
		       argv = trace_cursor_reg(m->cursor, TRACE_RSI);

	if (!is_at_main(m) && (argv <= m->stack || trace_cursor_reg(m->cursor, TRACE_RDX) !=
							   argv + sizeof(argv) * (argc + 1)))
		return;
	m->argc = argc;
	m->argv = argv;
}

/* Returns m; or frees it and returns NULL with error. */
static struct trace_point *open_trace_point(struct trace_point *m, const char *record,
					    unsigned thread, GError **error)
{
	bool ok;

	m->run = trace_run_open(record, m->images, m->n_images, error);
	ok = m->run && trace_run_choose(m->run, thread, error);
	if (ok) {
		trace_run_end_at(m->run, m->until);
		m->lift = lift_new();
		m->cursor = trace_cursor_new(m->run, thread, m->lift);
		if (m->n_actions)
			trace_cursor_set_actions(m->cursor, m->actions, m->n_actions);
		m->stack = trace_cursor_reg(m->cursor, TRACE_RSP);
		note_call_arguments(m);
		m->foreign = foreign_memory_new(m->stack);
		ok = m->stop ? run_to_the_stop(m, error) : run_to_the_end(m, error);
	}
	if (!ok) {
		trace_point_free(m);
		return NULL;
	}
	m->frame.read = read_memory_at_point;
	m->frame.arg = m;
	m->arrived = true;
	return m;
}

struct trace_point *trace_point_new_changed(struct image *const *images, size_t n_images,
					    const char *record, unsigned thread, unsigned line,
					    const struct trace_action *actions, size_t n,
					    struct reverse_index *index,
					    const struct deadline *until, GError **error)
{
	struct trace_point *m = new_trace_point(images, n_images, line, until);

	m->index = index;
	m->actions = actions;
	m->n_actions = n;
	return open_trace_point(m, record, thread, error);
}

struct trace_point *trace_point_new(struct image *const *images, size_t n_images,
				    const char *record, unsigned thread, unsigned line,
				    struct reverse_index *index, const struct deadline *until,
				    GError **error)
{
	return trace_point_new_changed(images, n_images, record, thread, line, NULL, 0, index,
				       until, error);
}

struct trace_point *trace_point_new_at(struct image *const *images, size_t n_images,
				       const char *record, unsigned thread, const struct stop *stop,
				       unsigned line, struct reverse_index *index,
				       const struct deadline *until, GError **error)
{
	struct trace_point *m = new_trace_point(images, n_images, line, until);

	m->stop = stop;
	m->index = index;
	return open_trace_point(m, record, thread, error);
}

void trace_point_free(struct trace_point *m)
{
	if (!m)
		return;
	trace_cursor_free(m->cursor);
	superblocks_free(m->superblocks);
	trace_run_free(m->run);
	lift_free(m->lift);
	call_results_free(m->calls);
	g_array_free(m->noted, TRUE);
	executed_free(m->executed);
	foreign_memory_free(m->foreign);
	g_free(m);
}

/* A trace point that stands at the beginning of the run. */
static struct trace_point *begin_trace_point(struct image *const *images, size_t n_images,
					     const char *record, unsigned thread,
					     const struct deadline *until, GError **error)
{
	struct trace_point *m = new_trace_point(images, n_images, 0, until);

	m->run = trace_run_open(record, images, n_images, error);
	if (!m->run || !trace_run_choose(m->run, thread, error)) {
		trace_point_free(m);
		return NULL;
	}
	trace_run_end_at(m->run, until);
	m->lift = lift_new();
	m->cursor = trace_cursor_new(m->run, thread, m->lift);
	m->foreign = foreign_memory_new(trace_cursor_reg(m->cursor, TRACE_RSP));
	return m;
}

bool trace_point_find(struct image *const *images, size_t n_images, const char *record,
		      unsigned thread, const struct stop *stop, trace_point_is_meant_fn *is_meant,
		      void *arg, uint64_t *count, const struct deadline *until, GError **error)
{
	struct trace_point *m = begin_trace_point(images, n_images, record, thread, until, error);
	struct trace_step step;
	bool found = false;
	int more = 1;

	if (!m)
		return false;
	m->stop = stop;
	while (more == 1 && !found) {
		/* every time counts, not only that of the stop */
		if (is_at_stop(m)) {
			m->frame.read = read_memory_at_point;
			m->frame.arg = m;
			found = is_meant(m, arg);
		}
		if (!found)
			more = go_on_to_point(m, &step, error);
	}
	if (more >= 0)
		*count = found ? m->passed : 0;
	trace_point_free(m);
	return more >= 0;
}

static bool count_on(const struct trace_point *m, void *count)
{
	(void)m;
	++*(uint64_t *)count;
	return false;
}

bool trace_point_count(struct image *const *images, size_t n_images, const char *record,
		       unsigned thread, const struct stop *stop, uint64_t *count,
		       const struct deadline *until, GError **error)
{
	struct stop first = *stop;
	uint64_t n = 0, none;

	first.count = 1;
	if (!trace_point_find(images, n_images, record, thread, &first, count_on, &n, &none, until,
			      error))
		return false;
	*count = n;
	return true;
}
