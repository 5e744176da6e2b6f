/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cursor carries out the instructions; here its record is written ahead of it, an instruction
 * at a time: what trace.h says that a recorder writes. */
#include "solver/trace/static-run.h"

#include "solver/base/hash.h"
#include "solver/isa/insn.h"
#include "solver/library/library.h"
#include "solver/trace/private.h"

#include <string.h>

/* Below the stack pointer, where no frame lies any more, nothing is known.  Eight times the usual
 * stack: a static walk has no process that could be asked. */
enum { STACK_BYTES = 64 << 20 };
/* A call of untraced code leaves in these what it likes. */
enum {
	CLOBBERED = 1 << TRACE_RAX | 1 << TRACE_RCX | 1 << TRACE_RDX | 1 << TRACE_RSI |
		    1 << TRACE_RDI | 1 << TRACE_R8 | 1 << TRACE_R9 | 1 << TRACE_R10 | 1 << TRACE_R11
};

struct making {
	struct eval_memory memory; /* first: what a trial loads; its stores are lost */
	const struct static_run_request *request;
	struct trace_cursor *cursor;
	struct trace_thread thread; /* of the run that is made */
	struct trace_head head;
	GByteArray *stream;
	GHashTable *counts; /* uint64_t * pc → executions of conditional branches, owned */
	uint64_t entry_sp;  /* stack pointer where the thread began */
	struct ir_value *temps;
	uint32_t n_temps;
	bool unknown; /* the trial met something that is not known */
	bool over;
	struct static_run_result result;
};

/* An instruction that is being carried out. */
struct trial {
	const struct trace_decoded *d;
	struct eval_state state; /* after it */
	struct eval_result r;
};

static bool is_not_known(struct making *m, const char *why)
{
	m->result.why = why;
	return false;
}

/* ---- memory ---- */

static bool is_gone_stack(const struct making *m, uint64_t at)
{
	return at < m->entry_sp && m->entry_sp - at < STACK_BYTES;
}

/* The loader puts pointers there. */
static bool static_pointer_byte(const struct trace_module *module, uint64_t link, uint8_t *value)
{
	uint64_t pointer;

	for (unsigned i = 0; i < 8; i++)
		if (image_pointer_at(module->image, link - i, &pointer)) {
			*value = (uint8_t)((pointer + module->bias) >> 8 * i);
			return true;
		}
	return false;
}

/* Memory is as the program found it when nothing in the run has touched it so far. */
static bool original_byte_of_static(const struct making *m, uint64_t at, uint8_t *value)
{
	const struct trace_module *module;
	uint64_t link;
	bool writable;

	if (is_gone_stack(m, at))
		return false;
	if (trace_summary_byte(m->request->summary, at, value))
		return true;
	module = trace_run_module_at(m->cursor->run, at, &link);
	return module && (image_initial(module->image, link, 1, value, &writable) ||
			  static_pointer_byte(module, link, value));
}

static bool read_memory_of_static_run(const struct making *m, uint64_t at, unsigned size,
				      uint8_t *out)
{
	for (unsigned i = 0; i < size; i++)
		if (!trace_cursor_read(m->cursor, at + i, 1, out + i) &&
		    !original_byte_of_static(m, at + i, out + i))
			return false;
	return true;
}

static bool on_static_load(struct eval_memory *memory, uint64_t at, unsigned size, uint8_t *out)
{
	struct making *m = (struct making *)memory;

	if (read_memory_of_static_run(m, at, size, out))
		return true;
	m->unknown = true;
	return false;
}

static void on_static_store(struct eval_memory *memory, uint64_t at, unsigned size,
			    const uint8_t *bytes, bool known)
{
	(void)memory, (void)at, (void)size, (void)bytes, (void)known;
}

/* ---- one instruction, tried ---- */

static bool looks_known(struct making *m, const struct trial *t)
{
	const struct ir_block *ir = t->d->ir;

	if (m->unknown)
		return is_not_known(m, "what memory holds");
	if (!ir->complete)
		return is_not_known(m, "what an instruction does");
	for (uint32_t i = 0; i < t->r.n_ran; i++) {
		const struct ir_op *op = &ir->ops[i];

		if ((op->kind == IR_GET || op->kind == IR_LOAD || op->kind == IR_LOADG) &&
		    !m->temps[i].known)
			return is_not_known(m, "what a function returned");
	}
	return true;
}

/* Carries it out beside the cursor.  False: something about it is not known. */
static bool try_insn(struct making *m, struct trial *t)
{
	if (t->d->insn->flags & TRACE_INSN_UNSUPPORTED)
		return is_not_known(m, "what an instruction does");
	if (m->n_temps < t->d->ir->n_ops) {
		m->n_temps = t->d->ir->n_ops;
		m->temps = g_renew(struct ir_value, m->temps, m->n_temps);
	}
	t->state = m->cursor->state;
	m->unknown = false;
	t->r = ir_eval(t->d->ir, &t->state, &m->memory, m->temps);
	return looks_known(m, t);
}

/* ---- its record ---- */

static void append_static_bytes(struct making *m, const void *bytes, unsigned size)
{
	g_byte_array_append(m->stream, bytes, size);
}

static bool append_operands(struct making *m, const struct trace_decoded *d)
{
	const struct trace_cursor *c = m->cursor;
	uint64_t regs[16];
	uint8_t bytes[64];

	memcpy(regs, c->state.bytes + IR_STATE_GPR, sizeof(regs));
	for (unsigned i = 0; i < d->insn->n_mem; i++) {
		const struct trace_mem *o = &d->insn->mem[i];
		uint64_t at = insn_address(o, regs, d->module->bias, cursor_word(c, IR_STATE_FS),
					   cursor_word(c, IR_STATE_GS));

		if (!(o->flags & TRACE_MEM_READ))
			continue;
		if (!read_memory_of_static_run(m, at, o->size, bytes))
			return is_not_known(m, "what memory holds");
		append_static_bytes(m, bytes, o->size);
	}
	return true;
}

static bool append_flow(struct making *m, const struct trial *t, uint64_t *to)
{
	const struct trace_insn *insn = t->d->insn;
	uint8_t taken = t->r.next == insn->target + t->d->module->bias;

	*to = t->r.next;
	if (!t->r.next_known)
		return is_not_known(m, "where control goes");
	if (insn->flow == TRACE_FLOW_COND)
		append_static_bytes(m, &taken, 1);
	else if (insn->flow == TRACE_FLOW_JUMP_IND || insn->flow == TRACE_FLOW_CALL_IND ||
		 insn->flow == TRACE_FLOW_RET)
		append_static_bytes(m, to, 8);
	return true;
}

static bool is_known_state(const struct trial *t, unsigned offset, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		if (!t->state.known[offset + i])
			return false;
	return true;
}

static bool append_outputs(struct making *m, const struct trial *t)
{
	const struct trace_insn *insn = t->d->insn;
	uint64_t flags;

	if (insn->flags & TRACE_INSN_PLAIN)
		return true;
	for (unsigned i = 0; i < 16; i++) {
		if (!(insn->out_gpr >> i & 1))
			continue;
		if (!is_known_state(t, IR_STATE_GPR + 8 * i, 8))
			return is_not_known(m, "what an instruction does");
		append_static_bytes(m, t->state.bytes + IR_STATE_GPR + 8 * i, 8);
	}
	if (insn->out_flags) {
		flags = cursor_rflags_of(&t->state);
		append_static_bytes(m, &flags, 8);
	}
	for (unsigned i = 0; i < 32; i++) {
		if (!(insn->out_vec >> i & 1))
			continue;
		if (i >= 16 || insn->vec_size > 32 ||
		    !is_known_state(t, IR_STATE_YMM + 32 * i, insn->vec_size))
			return is_not_known(m, "what an instruction does");
		append_static_bytes(m, t->state.bytes + IR_STATE_YMM + 32 * i, insn->vec_size);
	}
	return true;
}

/* ---- calls of what is not traced ---- */

static const char *name_of_callee(struct making *m, const struct trace_decoded *d, uint64_t to)
{
	const struct trace_step s = { .insn = d->insn, .module = d->module, .native = to };

	return cursor_native_name(m->cursor, &s);
}

static void end_with(struct making *m, enum static_run_end end, int status)
{
	m->over = true;
	m->result.end = end;
	m->result.status = status;
}

static bool is_static_call(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

/* It comes back, with the stack as it was; what it returns is not known, and is not used. */
static void append_return(struct making *m, const struct trace_decoded *d)
{
	const uint64_t rax = 0, rsp = cursor_word(m->cursor, 8 * TRACE_RSP);
	const struct trace_enter enter = { .tag = 'E',
					   .why = TRACE_WHY_RETURN,
					   .mask = 1 << TRACE_RAX | 1 << TRACE_RSP,
					   .rip = m->cursor->pc + d->insn->length };

	append_static_bytes(m, &enter, sizeof(enter));
	append_static_bytes(m, &rax, 8);
	append_static_bytes(m, &rsp, 8);
}

/* Control goes to what is not traced.  False: it is not known what comes of that. */
static bool leave_static_code(struct making *m, const struct trace_decoded *d, uint64_t to,
			      bool *comes_back)
{
	const char *name = name_of_callee(m, d, to);

	if (library_exits(name) && !library_returns(name)) {
		end_with(m, STATIC_RUN_EXITS, (int)(cursor_word(m->cursor, 8 * TRACE_RDI) & 0xff));
		return trace_cursor_state_known(m->cursor, 8 * TRACE_RDI, 4) ||
		       is_not_known(m, "with which status the program exits");
	}
	if (library_fails(name)) {
		end_with(m, STATIC_RUN_FAILS, 0);
		return true;
	}
	*comes_back =
		is_static_call(d->insn) && !m->request->output_counts && library_keeps_memory(name);
	if (!*comes_back)
		return is_not_known(m, "what a function does that is not traced");
	append_return(m, d);
	return true;
}

static void forget_clobbered(struct making *m)
{
	for (unsigned i = 0; i < 16; i++)
		if (CLOBBERED >> i & 1)
			memset(m->cursor->state.known + IR_STATE_GPR + 8 * i, 0, 8);
}

/* main returns to where nothing is traced. */
static bool is_last_return(const struct making *m, const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_RET && cursor_word(m->cursor, 8 * TRACE_RSP) == m->entry_sp;
}

static bool append_last_return(struct making *m)
{
	static const uint64_t somewhere = 1; /* nothing is traced there */

	if (!trace_cursor_state_known(m->cursor, 8 * TRACE_RAX, 4))
		return is_not_known(m, "what main returns");
	append_static_bytes(m, &somewhere, sizeof(somewhere));
	end_with(m, STATIC_RUN_EXITS, (int)(cursor_word(m->cursor, 8 * TRACE_RAX) & 0xff));
	return true;
}

/* ---- steps ---- */

/* The cursor reads what was written so far; it is the last step where nothing follows. */
static void show_stream(struct making *m)
{
	m->thread.stream = m->stream->data;
	m->head.length = m->stream->len;
	m->head.insns = m->over ? m->cursor->number + 1 : UINT64_MAX;
}

static bool cursor_follows(struct making *m, GError **error)
{
	struct trace_step step;

	show_stream(m);
	if (trace_cursor_step(m->cursor, &step, error) <= 0)
		return false;
	m->result.insns++;
	return true;
}

static bool repeats_too_often(struct making *m, const struct trace_decoded *d)
{
	uint64_t pc = m->cursor->pc, *n;

	if (d->insn->flow != TRACE_FLOW_COND)
		return false;
	n = g_hash_table_lookup(m->counts, &pc);
	if (!n) {
		n = g_memdup2((const uint64_t[]){ pc, 0 }, 2 * sizeof(*n));
		g_hash_table_insert(m->counts, n, n + 1);
		n++;
	}
	return ++*n > trace_summary_count(m->request->summary, pc) + m->request->rounds + 1;
}

static bool is_idle(const struct making *m, const struct trace_insn *insn)
{
	uint64_t count = cursor_word(m->cursor, 8 * TRACE_RCX);

	return insn->rep != TRACE_REP_NONE &&
	       (insn->n_mem && insn->mem[0].flags & TRACE_MEM_ADDR32 ? (uint32_t)count : count) ==
		       0;
}

/* Writes the record of the instruction at which the cursor stands.  False: it is not known. */
static bool write_insn(struct making *m, struct trial *t, bool *comes_back)
{
	uint64_t to = 0;

	if (is_last_return(m, t->d->insn))
		return append_last_return(m);
	if (!try_insn(m, t) || (!is_idle(m, t->d->insn) && !append_operands(m, t->d)) ||
	    !append_flow(m, t, &to) || !append_outputs(m, t))
		return false;
	return cursor_decode(m->cursor, to) || leave_static_code(m, t->d, to, comes_back);
}

static bool go_on_statically(struct making *m, GError **error)
{
	struct trial t;
	bool comes_back;

	while (!m->over) {
		guint before = m->stream->len;

		t.d = cursor_decode(m->cursor, m->cursor->pc);
		comes_back = false;
		m->result.why = "how long it goes on";
		if (!t.d || m->result.insns >= m->request->max_insns ||
		    !write_insn(m, &t, &comes_back)) {
			g_byte_array_set_size(m->stream, before);
			end_with(m, STATIC_RUN_UNKNOWN, 0);
			return true;
		}
		if (repeats_too_often(m, t.d))
			end_with(m, STATIC_RUN_LOOPS, 0);
		if (!cursor_follows(m, error))
			return false;
		if (comes_back)
			forget_clobbered(m);
	}
	return true;
}

/* ---- the way to the branch ---- */

/* Walks the recorded run up to the execution that is turned.  False: it is not there. */
static bool come_to_the_branch(struct making *m, GError **error)
{
	struct trace_step step;
	uint64_t n = 0;

	m->entry_sp = cursor_word(m->cursor, 8 * TRACE_RSP);
	for (;;) {
		uint64_t pc = m->cursor->pc;
		const struct trace_decoded *d = pc ? cursor_decode(m->cursor, pc) : NULL;

		if (!d)
			return false;
		repeats_too_often(m, d);
		if (pc == m->request->pc && ++n == m->request->nth)
			return d->insn->flow == TRACE_FLOW_COND;
		if (trace_cursor_step(m->cursor, &step, error) <= 0)
			return false;
	}
}

static uint64_t outputs_before(const struct trace_thread *t, uint64_t insns)
{
	uint64_t n = 0;

	while (n < t->head->n_output && t->output[n].insns <= insns)
		n++;
	return n;
}

/* From here on the cursor reads what is written here.  Nothing is elided any more, no signal comes,
 * and nothing is printed. */
static void take_over_cursor(struct making *m)
{
	const struct trace_cursor *c = m->cursor;

	m->thread = *c->thread;
	m->head = *c->thread->head;
	m->thread.head = &m->head;
	m->head.known_until = MIN(m->head.known_until, c->number);
	m->thread.infers_until = MIN(m->thread.infers_until, c->number);
	m->thread.mirrors_until = MIN(m->thread.mirrors_until, c->number);
	m->head.n_async = c->n_async;
	m->head.n_output = outputs_before(c->thread, c->number);
	m->head.end = TRACE_END_RUNNING;
	append_static_bytes(m, m->thread.stream, (unsigned)c->at);
	m->cursor->thread = &m->thread;
}

static bool turn_static_branch(struct making *m, GError **error)
{
	const uint8_t taken = m->request->taken;

	take_over_cursor(m);
	append_static_bytes(m, &taken, 1);
	return cursor_follows(m, error);
}

/* ---- the whole ---- */

/* What was written, as the record of a run of its own. */
static struct trace_run *run_of_written(struct making *m, const struct trace_run *from)
{
	uint64_t left_out = trace_left_out(trace_run_head(from, 0));
	struct trace_run *r = g_memdup2(from, sizeof(*from));
	struct trace_thread t = m->thread;

	m->head.insns = m->cursor->number;
	m->head.length = m->stream->len;
	if (m->head.window) /* so that as much as before is left out */
		m->head.window = m->head.insns - left_out;
	t.file = NULL;
	t.head = t.owned_head = g_memdup2(&m->head, sizeof(m->head));
	t.stream = t.owned_stream = g_byte_array_free(g_steal_pointer(&m->stream), FALSE);
	if (t.async_file)
		g_mapped_file_ref(t.async_file);
	if (t.output_file)
		g_mapped_file_ref(t.output_file);
	r->directory = g_strdup(from->directory);
	r->threads = g_array_new(FALSE, FALSE, sizeof(t));
	g_array_set_clear_func(r->threads, trace_thread_clear);
	g_array_append_val(r->threads, t);
	return r;
}

struct trace_run *static_run_new(struct trace_run *from, const struct static_run_request *request,
				 struct lift *lift, struct static_run_result *result,
				 GError **error)
{
	struct making m = { .memory = { on_static_load, on_static_store }, .request = request };
	struct trace_run *r = NULL;

	/* with the addresses, too, a record is there to be checked */
	if (trace_run_threads(from) != 1 || trace_run_head(from, 0)->flags & TRACE_ADDRESSES)
		return NULL;
	m.cursor = trace_cursor_new(from, 0, lift);
	trace_cursor_set_actions(m.cursor, request->actions, request->n_actions);
	m.stream = g_byte_array_new();
	m.counts = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	if (come_to_the_branch(&m, error) && turn_static_branch(&m, error) &&
	    go_on_statically(&m, error)) {
		r = run_of_written(&m, from);
		*result = m.result;
	}
	trace_cursor_free(m.cursor);
	g_hash_table_destroy(m.counts);
	if (m.stream)
		g_byte_array_unref(m.stream);
	g_free(m.temps);
	return r;
}
