/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One instruction, in the order in which trace.h says that it is recorded. */
#include "solver/trace/private.h"

#include "solver/isa/insn.h"
#include "solver/library/library.h"

#include <string.h>

/* One instruction can log no more than so many bytes. */
enum { MOST_OF_ONE = 4096 };

static bool repeats_no_more(const struct trace_cursor *c, const struct trace_insn *insn)
{
	uint64_t count = cursor_word(c, 8 * TRACE_RCX);

	if (insn->rep == TRACE_REP_NONE)
		return false;
	return (insn->n_mem && insn->mem[0].flags & TRACE_MEM_ADDR32 ? (uint32_t)count : count) ==
	       0;
}

static uint64_t operand_address(const struct trace_cursor *c, const struct trace_step *s,
				unsigned i)
{
	uint64_t regs[16];

	memcpy(regs, c->state.bytes + IR_STATE_GPR, sizeof(regs));
	return insn_address(&s->insn->mem[i], regs, s->module->bias, cursor_word(c, IR_STATE_FS),
			    cursor_word(c, IR_STATE_GS));
}

/* The recorded address if there is one, else the computed one. */
static bool take_address(struct trace_cursor *c, const struct trace_step *s, unsigned i,
			 uint64_t *address)
{
	const uint8_t *from;

	*address = operand_address(c, s, i);
	if (!(c->thread->head->flags & TRACE_ADDRESSES))
		return true;
	from = cursor_take(c, 8);
	if (!from)
		return false;
	if (c->check)
		check_value(c, "the address of an operand", address, from, 8);
	memcpy(address, from, 8);
	return true;
}

/* Does TRACE_MEM_KNOWN hold for this operand here? */
static bool is_known_by_plan(const struct trace_cursor *c, const struct trace_mem *m)
{
	return m->flags & TRACE_MEM_KNOWN && c->number < c->thread->head->known_until;
}

/* Is the operand compared with the mirror, or does it go there? */
static bool is_mirrored_here(const struct trace_cursor *c, const struct trace_mem *m)
{
	return c->mirror && m->flags & TRACE_MEM_MIRRORED;
}

static const uint8_t *take_mirrored(struct trace_cursor *c, const struct trace_mem *m,
				    uint64_t address)
{
	const uint8_t *stream = c->thread->stream, *at = stream + c->at;
	const uint8_t *bytes = mirror_take_load(c->mirror, c->number, address, m->size, &at,
						stream + c->thread->head->length);

	c->at = (size_t)(at - stream);
	return bytes;
}

/* What the instruction, which has been executed, stored.  False: that is not known. */
static bool put_in_mirror(struct trace_cursor *c, const struct trace_step *s)
{
	const struct trace_mem *m = &s->insn->mem[0];
	uint8_t bytes[8];

	if (!s->insn->n_mem || !is_mirrored_here(c, m) || !(m->flags & TRACE_MEM_WRITE))
		return true;
	if (!shadow_read(c->shadow, c->now.written[0], m->size, bytes))
		return false;
	mirror_put(c->mirror, c->now.written[0], m->size, bytes);
	return true;
}

/* The operand's bytes: from the record, or known already when the recorder left them out. */
static bool take_bytes(struct trace_cursor *c, const struct trace_mem *m, struct trace_read *r)
{
	uint8_t ours[64];
	bool fresh =
		is_known_by_plan(c, m) && shadow_read_fresh(c->shadow, r->address, m->size, ours);
	const uint8_t *bytes = ours;

	if (!is_known_by_plan(c, m) && is_mirrored_here(c, m))
		bytes = take_mirrored(c, m, r->address);
	else if (!is_known_by_plan(c, m) || c->thread->head->flags & TRACE_ADDRESSES)
		bytes = cursor_take(c, m->size);
	else if (!fresh)
		bytes = NULL;
	if (!bytes)
		return false;
	if (c->check && is_known_by_plan(c, m) && !fresh)
		check_complain(c, "what is loaded should be known, and is not");
	else if (c->check && fresh)
		check_value(c, "a load that need not be recorded", ours, bytes, m->size);
	memcpy(r->bytes, bytes, m->size);
	r->size = m->size;
	return true;
}

static bool take_operands(struct trace_cursor *c, struct trace_step *s)
{
	const struct trace_insn *insn = s->insn;
	uint64_t address;

	for (unsigned i = 0; i < insn->n_mem; i++) {
		const struct trace_mem *m = &insn->mem[i];
		if (!(m->flags & TRACE_MEM_READ))
			continue;
		struct trace_read *r = &s->reads[s->n_reads];
		if (!take_address(c, s, i, &r->address) || !take_bytes(c, m, r))
			return false;
		s->n_reads++;
	}
	for (unsigned i = 0; i < insn->n_mem; i++) {
		if (!(insn->mem[i].flags & TRACE_MEM_WRITE))
			continue;
		if (!(c->thread->head->flags & TRACE_ADDRESSES))
			address = operand_address(c, s, i);
		else if (!take_address(c, s, i, &address))
			return false;
		c->now.written[c->now.n_written++] = address;
	}
	return true;
}

/* Only this thread's own code has run since, so a load must find what was stored. */
static bool is_only_thread(const struct trace_cursor *c)
{
	return c->check && trace_run_threads(c->run) == 1 && c->thread->head->actions_done == 0;
}

/* Returns whether known bytes were something else. */
static bool observe_bytes(struct trace_cursor *c, uint64_t address, const uint8_t *bytes,
			  unsigned size, uint64_t *outside)
{
	uint8_t before[64];
	struct shadow_change change = { 0 };
	bool checked = is_only_thread(c) && shadow_read(c->shadow, address, size, before);

	*outside = shadow_observe(c->shadow, address, size, bytes, &change);
	if (checked && change.fresh)
		check_value(c, "what memory holds", before, bytes, size);
	return change.known;
}

/* Where control goes as the record says; for computed transfers only. */
static bool take_flow(struct trace_cursor *c, struct trace_step *s, uint64_t *target)
{
	const struct trace_insn *insn = s->insn;
	const uint8_t *from;
	uint64_t outside;

	switch (insn->flow) {
	case TRACE_FLOW_COND:
		if (cursor_infers(c, insn))
			return true;
		from = cursor_take(c, 1);
		if (!from || *from > 1)
			return false;
		s->taken = *from;
		return true;
	case TRACE_FLOW_JUMP_IND:
	case TRACE_FLOW_CALL_IND:
	case TRACE_FLOW_RET:
		if (cursor_infers_target(c, insn))
			return true;
		from = cursor_take(c, 8);
		if (!from)
			return false;
		memcpy(target, from, 8);
		if (insn->flow == TRACE_FLOW_RET)
			observe_bytes(c, cursor_word(c, 8 * TRACE_RSP), from, 8, &outside);
		return true;
	default:
		return true;
	}
}

/* What the recorder left out of where control goes; r: what the IR says. */
static bool infer_flow(const struct trace_cursor *c, struct trace_step *s,
		       const struct eval_result *r, uint64_t *target)
{
	switch (s->insn->flow) {
	case TRACE_FLOW_COND:
		if (!cursor_infers(c, s->insn))
			return true;
		s->taken = r->next_known && r->next == s->insn->target + s->module->bias;
		return r->next_known;
	case TRACE_FLOW_JUMP_IND:
	case TRACE_FLOW_CALL_IND:
		if (!cursor_infers_target(c, s->insn))
			return true;
		*target = r->next;
		return r->next_known;
	default:
		return true;
	}
}

/* libVEX does not know this instruction.  Its register outputs come from the record, but what
 * it stored does not. */
static void forget_stores(struct trace_cursor *c, const struct trace_step *s)
{
	unsigned n = 0;

	if (s->ir->n_ops != 1 || s->ir->ops[0].kind != IR_UNKNOWN)
		return;
	for (unsigned i = 0; i < s->insn->n_mem; i++) {
		if (s->insn->mem[i].flags & TRACE_MEM_WRITE && n < c->now.n_written)
			shadow_write(c->shadow, c->now.written[n++], s->insn->mem[i].size, NULL,
				     false);
	}
}

static bool take_vectors(struct trace_cursor *c, struct trace_step *s, bool compare)
{
	const struct trace_insn *insn = s->insn;
	unsigned kept = MIN(insn->vec_size, 32);

	for (unsigned i = 0; i < 32; i++) {
		const uint8_t *from;
		unsigned at = IR_STATE_YMM + 32 * i;
		if (!(insn->out_vec >> i & 1))
			continue;
		from = cursor_take(c, insn->vec_size);
		if (!from)
			return false;
		if (i >= 16)
			continue;
		if (compare && trace_cursor_state_known(c, at, kept))
			check_value(c, "a vector register", c->state.bytes + at, from, kept);
		s->differs |= trace_cursor_state_known(c, at, kept) &&
			      memcmp(c->state.bytes + at, from, kept) != 0;
		memcpy(c->state.bytes + at, from, kept);
		memset(c->state.known + at, 0xff, kept);
	}
	return true;
}

/* Takes the register outputs of an instruction that is not PLAIN from the record. */
static bool take_outputs(struct trace_cursor *c, struct trace_step *s, bool compare)
{
	const struct trace_insn *insn = s->insn;
	const uint8_t *from;
	uint64_t word;

	if (insn->flags & TRACE_INSN_PLAIN)
		return true;
	s->patched = true;
	for (unsigned i = 0; i < 16; i++) {
		if (!(insn->out_gpr >> i & 1))
			continue;
		from = cursor_take(c, 8);
		if (!from)
			return false;
		if (compare && trace_cursor_state_known(c, 8 * i, 8))
			check_value(c, "a register", c->state.bytes + 8 * i, from, 8);
		memcpy(&word, from, 8);
		cursor_set_word(c, 8 * i, word);
	}
	if (insn->out_flags) {
		from = cursor_take(c, 8);
		if (!from)
			return false;
		memcpy(&word, from, 8);
		cursor_set_rflags(c, word);
	}
	return take_vectors(c, s, compare);
}

/* Where control goes, as the record says; r: what the IR says. */
static uint64_t recorded_destination(const struct trace_step *s, const struct eval_result *r,
				     uint64_t recorded)
{
	const struct trace_insn *insn = s->insn;
	uint64_t follows = s->pc + insn->length, target = insn->target + s->module->bias, to;

	switch (insn->flow) {
	case TRACE_FLOW_COND:
		to = s->taken ? target : follows;
		break;
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_CALL:
		to = target;
		break;
	case TRACE_FLOW_JUMP_IND:
	case TRACE_FLOW_CALL_IND:
	case TRACE_FLOW_RET:
		to = recorded;
		break;
	default:
		to = insn->rep != TRACE_REP_NONE && r->next_known && r->next == s->pc ? s->pc
										      : follows;
		break;
	}
	return to;
}

static void check_destination(struct trace_cursor *c, const struct eval_result *r, uint64_t to)
{
	if (r->next_known)
		check_value(c, "where control goes", &r->next, &to, 8);
	else if (c->now.step->ir->complete)
		check_complain(c, "where control goes cannot be re-computed");
}

/* Bytes of which only some bits were written are those of before else, if these are known. */
static void write_acted_memory(struct trace_cursor *c, const struct trace_action *a)
{
	uint8_t bytes[sizeof(a->value)] = { 0 };

	if (a->reg == TRACE_MEM_BITS && !trace_cursor_read(c, a->where, a->size, bytes))
		return;
	for (unsigned i = 0; i < a->size; i++)
		bytes[i] = trace_action_byte(a, i, bytes[i]);
	shadow_write(c->shadow, a->where, a->size, bytes, true);
}

/* What this action of the plan wrote. */
static void apply_action(struct trace_cursor *c, const struct trace_action *a)
{
	c->now.acted = true;
	c->acted[c->n_acted++] = a;
	if (a->kind == TRACE_ACTION_MEM && a->size <= sizeof(a->value)) {
		write_acted_memory(c, a);
	} else if (a->kind == TRACE_ACTION_REG && a->reg < TRACE_RFLAGS && a->size <= 8) {
		if (a->size == 4)
			cursor_set_word(c, 8u * a->reg, 0);
		memcpy(c->state.bytes + 8 * a->reg, a->value, a->size);
	} else if (a->kind == TRACE_ACTION_REG && a->reg == TRACE_RFLAGS && a->size <= 8) {
		uint64_t flags = trace_cursor_reg(c, TRACE_RFLAGS);
		memcpy(&flags, a->value, a->size);
		cursor_set_rflags(c, flags);
	} else if (a->kind == TRACE_ACTION_REG && a->reg >= TRACE_XMM0 &&
		   a->reg < TRACE_XMM0 + 16 && a->size <= 32) {
		unsigned at = IR_STATE_YMM + 32u * (a->reg - TRACE_XMM0);
		memcpy(c->state.bytes + at, a->value, a->size);
		memset(c->state.known + at, 0xff, a->size);
	}
}

static bool is_traced_call(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

/* A call that is executed again was left by longjmp before. */
static void forget_left_call(struct trace_cursor *c, const struct trace_later *call)
{
	for (guint i = c->later->len; i-- > 0;) {
		const struct trace_later *l = &g_array_index(c->later, struct trace_later, i);
		if (l->rip == call->rip && l->rsp == call->rsp)
			g_array_remove_index_fast(c->later, i);
	}
}

/* Takes what the actions did to this instruction, which sends control to `to`; sp: the stack
 * pointer before it. */
static void apply_actions(struct trace_cursor *c, const struct trace_step *s, uint64_t sp,
			  uint64_t to)
{
	struct trace_later call = { .rip = s->pc + s->insn->length, .rsp = sp };
	bool leaves = is_traced_call(s->insn) && !cursor_decode(c, to);

	if (is_traced_call(s->insn))
		forget_left_call(c, &call);
	for (size_t i = 0; i < c->n_actions; i++) {
		const struct trace_action *a = &c->actions[i];
		if (a->thread != c->thread->head->thread || a->addr != s->insn->addr ||
		    a->module >= c->run->n_modules || s->module != &c->run->modules[a->module] ||
		    ++c->met[i] != a->nth)
			continue;
		if (!leaves) {
			apply_action(c, a);
		} else {
			call.action = a;
			g_array_append_val(c->later, call);
			c->now.acted = true;
		}
	}
}

/* Untraced code came back. */
static void apply_later(struct trace_cursor *c, uint64_t rip)
{
	uint64_t sp = trace_cursor_reg(c, TRACE_RSP);

	for (guint i = 0; i < c->later->len;) {
		const struct trace_later *l = &g_array_index(c->later, struct trace_later, i);
		if (l->rip != rip || l->rsp != sp) {
			i++;
			continue;
		}
		apply_action(c, l->action);
		g_array_remove_index(c->later, i);
	}
}

static const char *remembered_name(struct trace_cursor *c, uint64_t address, const char *name)
{
	if (!name)
		return g_hash_table_lookup(c->names, &address);
	if (!g_hash_table_contains(c->names, &address))
		g_hash_table_insert(c->names, g_memdup2(&address, sizeof(address)), (void *)name);
	return name;
}

/* Names the callee by the PLT stub that is called, or by the slot that is called through. */
const char *cursor_native_name(struct trace_cursor *c, const struct trace_step *s)
{
	const struct trace_mem *m = &s->insn->mem[0];
	struct image *image = s->module->image;
	const struct trace_module *stub;
	uint64_t link;

	if (s->insn->flow == TRACE_FLOW_RET)
		return NULL;
	stub = trace_run_module_at(c->run, s->native, &link);
	if (stub)
		return image_native_name(stub->image, link);
	if (s->insn->n_mem && m->base == TRACE_REG_NONE && m->index == TRACE_REG_NONE)
		return remembered_name(c, s->native, image_slot_name(image, (uint64_t)m->disp));
	return remembered_name(c, s->native, NULL);
}

/* The rounding mode that a call of fesetround and its kin left; argument: its first one. */
static void note_rounding(struct trace_cursor *c, const struct trace_step *s, uint64_t argument)
{
	const struct library_function *f = library_find(s->native_name);
	enum { ROUNDING_IN_FENV = 10 }; /* FE_DOWNWARD is 1 << 10 … */

	if (!f || s->enter.why != TRACE_WHY_RETURN || cursor_word(c, 8 * TRACE_RAX) << 32)
		return;
	if (f->rounding == LIBRARY_ROUNDING_GIVEN)
		cursor_set_word(c, IR_STATE_SSEROUND, argument >> ROUNDING_IN_FENV & 3);
	else if (f->rounding == LIBRARY_ROUNDING_OF_ENVIRONMENT &&
		 argument + 1 == 0) /* FE_DFL_ENV */
		cursor_set_word(c, IR_STATE_SSEROUND, 0);
	else if (f->rounding == LIBRARY_ROUNDING_OF_ENVIRONMENT)
		memset(c->state.known + IR_STATE_SSEROUND, 0, 8);
}

/* Control left for what is not traced. */
static bool leave_traced_code(struct trace_cursor *c, struct trace_step *s, uint64_t to,
			      GError **error)
{
	uint64_t argument = cursor_word(c, 8 * TRACE_RDI);

	s->native = to;
	s->native_name = cursor_native_name(c, s);
	if (c->at == c->thread->head->length) {
		if (c->number + 1 < c->thread->head->insns)
			return cursor_fail(c, error, "it ends too early") > 0;
		s->exit_kind = TRACE_EXIT_AWAY;
		s->next = 0;
		return true;
	}
	s->exit_kind = TRACE_EXIT_NATIVE;
	if (!cursor_enter(c, &s->enter, error))
		return false;
	s->next = s->enter.rip;
	note_rounding(c, s, argument);
	if (s->enter.why == TRACE_WHY_RETURN)
		apply_later(c, s->next);
	return true;
}

static int finish_trace_step(struct trace_cursor *c, struct trace_step *s, GError **error)
{
	c->number++;
	c->pc = s->next;
	cursor_set_word(c, IR_STATE_RIP, c->pc);
	s->signal = c->pc ? cursor_signal(c) : NULL;
	if (s->signal)
		s->next = c->pc;
	if (s->exit_kind == TRACE_EXIT_AWAY)
		c->last = *s;
	if (c->check && c->now.complaint && !c->now.acted) {
		check_set_error(c, &c->broken);
		g_propagate_error(error, g_error_copy(c->broken));
		return -1;
	}
	return 1;
}

static int execute_at_cursor(struct trace_cursor *c, struct trace_step *s, bool exact,
			     GError **error)
{
	struct eval_result r;
	uint64_t recorded = 0, to, sp = trace_cursor_reg(c, TRACE_RSP);
	bool idle = repeats_no_more(c, s->insn);

	if ((!idle && !take_operands(c, s)) || !take_flow(c, s, &recorded))
		return cursor_fail(c, error, "its operands are missing");
	for (unsigned i = 0; i < s->n_reads; i++)
		s->reads[i].changed = observe_bytes(c, s->reads[i].address, s->reads[i].bytes,
						    s->reads[i].size, &s->reads[i].outside);
	r = ir_eval(s->ir, &c->state, &c->memory, c->temps);
	s->n_ran = r.n_ran;
	if (!put_in_mirror(c, s))
		return cursor_fail(c, error, "what it stores is not known");
	if (!infer_flow(c, s, &r, &recorded))
		return cursor_fail(c, error, "where it goes is not in the record");
	forget_stores(c, s);
	if (!take_outputs(c, s, c->check && exact))
		return cursor_fail(c, error, "its results are missing");
	to = recorded_destination(s, &r, recorded);
	if (c->n_actions)
		apply_actions(c, s, sp, to);
	s->differs = s->differs && !c->now.acted;
	if (c->check && !c->now.acted)
		check_destination(c, &r, to);
	if (cursor_decode(c, to))
		s->next = to;
	else if (!leave_traced_code(c, s, to, error))
		return -1;
	return finish_trace_step(c, s, error);
}

static void begin_step(struct trace_cursor *c, struct trace_step *s, const struct trace_decoded *d)
{
	memset(s, 0, offsetof(struct trace_step, reads));
	s->reads[0].outside = s->reads[1].outside = 0;
	memset(&s->n_reads, 0, sizeof(*s) - offsetof(struct trace_step, n_reads));
	if (c->n_temps < d->ir->n_ops) {
		c->n_temps = d->ir->n_ops;
		c->temps = g_renew(struct ir_value, c->temps, c->n_temps);
	}
	s->pc = c->pc;
	s->number = c->number;
	s->module = d->module;
	s->insn = d->insn;
	s->ir = d->ir;
	s->temps = c->temps;
	c->now.step = s;
	c->now.n_written = 0;
	c->looked = false;
	c->now.acted = false;
	c->n_acted = 0;
	g_clear_pointer(&c->now.complaint, g_free);
}

/* The instruction at which the record ends was not completed, but some of its operands may be
 * in the record. */
static int end_here(struct trace_cursor *c, struct trace_step *s, GError **error)
{
	const struct trace_decoded *d = c->pc ? cursor_decode(c, c->pc) : NULL;

	if (c->thread->head->length - c->at > MOST_OF_ONE)
		return cursor_fail(c, error, "more follows than its instructions account for");
	if (d) {
		begin_step(c, &c->last, d);
		c->last.exit_kind = TRACE_EXIT_CUT;
	}
	c->pc = 0;
	c->ended = true;
	*s = c->last;
	return 0;
}

int trace_cursor_step(struct trace_cursor *c, struct trace_step *step, GError **error)
{
	const struct trace_decoded *d;

	if (c->broken) {
		g_propagate_error(error, g_error_copy(c->broken));
		return -1;
	}
	if (!cursor_may_go_on(c, error))
		return -1;
	if (c->end && c->number >= c->end)
		return 0;
	if (c->pc == 0 || c->number >= c->thread->head->insns)
		return end_here(c, step, error);
	d = cursor_decode(c, c->pc);
	if (!d)
		return cursor_fail(c, error,
				   "control is at %#" G_GINT64_MODIFIER
				   "x, which is no traced instruction",
				   c->pc);
	begin_step(c, step, d);
	cursor_change_mirror(c);
	if (d->insn->flags & TRACE_INSN_UNSUPPORTED)
		return cursor_fail(c, error, "it goes on after one that cannot be recorded");
	return execute_at_cursor(c, step, d->exact, error);
}
