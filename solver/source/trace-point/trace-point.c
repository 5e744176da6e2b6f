/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/trace-point/trace-point.h"
#include "solver/library/library.h"
#include "solver/source/trace-point/call-results.h"
#include "solver/source/executed.h"
#include "solver/source/expression/expression.h"
#include "solver/source/trace-point/past-memory.h"
#include "solver/trace/run.h"
#include "solver/source/value.h"

#include <string.h>

struct trace_point {
	struct image *const *images;
	size_t n_images;
	struct trace_run *run;
	const struct deadline *until;
	const struct trace_action *actions; /* with which the run was made */
	size_t n_actions;
	struct lift *lift;
	struct superblocks *superblocks;
	struct trace_cursor *cursor; /* at the end, its memory is that of the failure */
	struct call_results *calls;  /* of the line that failed */
	const struct trace_module *module;
	struct image_frame frame;
	uint64_t instructions;
	uint64_t stack;		     /* the stack pointer when the record begins */
	uint64_t argc, argv;	     /* of main, when the record begins with it; else 0 */
	const struct stop *stop;     /* NULL = the end */
	struct reverse_index *index; /* NULL = none is kept */
	struct executed *executed;
	struct foreign_memory *foreign;
	GArray *noted;	 /* bool, by number: superblocks whose instructions are in .executed */
	uint64_t passed; /* how often the run has come to the stop */
	bool arrived;	 /* the run is re-computed up to there */
	bool signalled;	 /* the last instruction was not completed */
	/* The last call of exit after which code of ours ran, as handlers of atexit do; its
	 * .module NULL = there was none. */
	struct exit_call {
		const struct trace_module *module;
		struct image_frame frame;
		uint64_t step; /* of the index */
	} exit_call, ended_by; /* .ended_by: the one that the end of the run belongs to */
};

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

static bool read_memory_at_point(void *arg, uint64_t address, unsigned size, uint64_t *value)
{
	const struct trace_point *m = arg;
	const struct past_memory past = { m->run, m->index, m->foreign, m->stack };
	uint8_t bytes[8] = { 0 };

	if (size > sizeof(bytes))
		return false;
	if (foreign_memory_has(m->foreign, address, size)
		    ? !m->arrived ||
			      (!past_memory_found(&past, m->instructions, address, size, bytes) &&
			       !past_memory_ahead(m->cursor, address, size, bytes))
		    : !trace_cursor_read_initial(m->cursor, m->module, address, size, bytes))
		return false;
	memcpy(value, bytes, sizeof(bytes));
	return !m->arrived || !past_memory_is_leftover(&past, m->instructions, address, size);
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
				       struct reverse_index *index, const struct deadline *until,
				       GError **error)
{
	struct trace_point *m = new_trace_point(images, n_images, 0, until);

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

const struct deadline *trace_point_until(const struct trace_point *m)
{
	return m->until;
}

uint64_t trace_point_exit_step(const struct trace_point *m)
{
	return m->ended_by.module ? m->ended_by.step : UINT64_MAX;
}

const struct trace_cursor *trace_point_cursor(const struct trace_point *m)
{
	return m->cursor;
}

const struct image_frame *trace_point_frame(const struct trace_point *m)
{
	return &m->frame;
}

bool trace_point_read_before(const struct trace_point *m, uint64_t step, uint64_t address,
			     unsigned size, uint64_t *value)
{
	const struct past_memory past = { m->run, m->index, m->foreign, m->stack };

	return past_memory_read(&past, step, address, size, value);
}

uint64_t trace_point_in_frame(const struct trace_point *m, const struct limits *limits,
			      uint64_t step, uint64_t pc)
{
	uint32_t depth;

	if (!m->index || step >= reverse_index_steps(m->index))
		return UINT64_MAX;
	depth = reverse_index_at(m->index, step)->depth;
	for (uint64_t left = limits_or_default(limits)->frame_calls; left > 0; left--) {
		step = reverse_index_find_insn(m->index, 0, step, &pc, 1);
		if (step == UINT64_MAX || reverse_index_at(m->index, step)->depth <= depth)
			break;
	}
	return step != UINT64_MAX && reverse_index_at(m->index, step)->depth == depth ? step
										      : UINT64_MAX;
}

char *trace_point_stop_text(const struct trace_point *m, const struct step_count *execution)
{
	uint64_t bias = 0, link;
	const struct image *im = trace_point_image_at(m, execution->pc, &bias);
	const struct image_function *f;

	link = execution->pc - bias;
	f = im ? image_function_at(im, link) : NULL;
	if (!f || f->parent || !execution->nth)
		return NULL;
	return g_strdup_printf("%s+%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, f->name, link - f->lo,
			       execution->nth);
}

bool trace_point_executions(const struct trace_point *m, struct step_count **counts, size_t n)
{
	struct lift *lift;
	bool ok;

	if (trace_point_left_out(m))
		return false;
	lift = lift_new();
	ok = step_counts_fill(m->run, lift, counts, n, NULL);
	lift_free(lift);
	return ok;
}

bool trace_point_is_signalled(const struct trace_point *m)
{
	return m->signalled;
}

const struct image *trace_point_image(const struct trace_point *m)
{
	return m->module ? m->module->image : m->images[0];
}

const struct image_statement *trace_point_statement(const struct trace_point *m)
{
	const struct image_row *row = image_row_at(trace_point_image(m), m->frame.pc);

	return row ? image_statement(trace_point_image(m), row->statement) : NULL;
}

const struct image *trace_point_image_at(const struct trace_point *m, uint64_t pc, uint64_t *bias)
{
	const struct trace_module *module = trace_run_module_at(m->run, pc, NULL);

	if (!module)
		return NULL;
	*bias = module->bias;
	return module->image;
}

uint64_t trace_point_left_out(const struct trace_point *m)
{
	return trace_run_left_out(m->run, trace_run_chosen(m->run));
}

bool trace_point_bias_of(const struct trace_point *m, const struct image *im, uint64_t *bias)
{
	const struct trace_head *head = trace_run_head(m->run, trace_run_chosen(m->run));

	for (size_t i = 0; i < m->n_images && i < head->n_modules; i++)
		if (m->images[i] == im) {
			*bias = head->bias[i];
			return true;
		}
	return false;
}

void trace_point_coverage(const struct trace_point *m, struct explanation *e)
{
	executed_describe(m->executed, m->images, m->n_images,
			  !trace_point_left_out(m) && trace_point_threads(m) == 1, e);
}

bool trace_point_has_executed(const struct trace_point *m, const struct image *im,
			      const struct trace_insn *insn)
{
	return executed_turn(m->executed, im, insn) > 0;
}

uint32_t trace_point_turn(const struct trace_point *m, const struct image *im,
			  const struct trace_insn *insn)
{
	return executed_turn(m->executed, im, insn);
}

uint64_t trace_point_first_step(const struct trace_point *m, const struct image *im,
				const struct trace_insn *insn)
{
	return executed_step(m->executed, im, insn);
}

bool trace_point_main_arguments(const struct trace_point *m, uint64_t *argc, uint64_t *argv)
{
	*argc = m->argc;
	*argv = m->argv;
	return m->argv != 0;
}

uint64_t trace_point_stack(const struct trace_point *m)
{
	return m->stack;
}

uint64_t trace_point_instructions(const struct trace_point *m)
{
	return m->instructions;
}

uint64_t trace_point_executed(const struct trace_point *m)
{
	return trace_point_left_out(m) + m->instructions;
}

unsigned trace_point_threads(const struct trace_point *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < trace_run_threads(m->run); i++)
		n += trace_run_head(m->run, i)->insns > 0;
	return n;
}

static char *part_value(const struct trace_point *m, const GArray *parts, guint i)
{
	const struct expression_part *part = &g_array_index(parts, struct expression_part, i);
	struct expression x;

	if (part->call)
		return call_results_text(m->calls, trace_point_image(m), &m->frame, parts, i);
	if (!expression_look_up(trace_point_image(m), &m->frame, part->text, &x) || !x.has_value)
		return NULL;
	return value_text(trace_point_image(m), &m->frame, x.type, x.bytes, x.type->size);
}

void trace_point_values(const struct trace_point *m, struct explanation *e, const char *condition,
			GArray *values)
{
	g_autoptr(GArray) parts = expression_parts(condition ? condition : "");

	for (guint i = 0; i < parts->len; i++) {
		g_autofree char *value = part_value(m, parts, i);
		struct explanation_value v = {
			.name = explanation_string(
				e, g_array_index(parts, struct expression_part, i).text),
			.value = explanation_string(e, value),
		};

		/* A bare address tells a person nothing, and an enumerator needs no value. */
		if (value && !g_str_has_prefix(value, "0x") && strcmp(value, v.name) != 0)
			g_array_append_val(values, v);
	}
}
