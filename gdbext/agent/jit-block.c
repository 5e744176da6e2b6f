/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One block: copies of instructions with what is recorded in between. */
#include "gdbext/agent/jit.h"

#include "gdbext/agent/emit.h"

enum {
	MOST_COLD = JIT_BLOCK_INSNS + 4,
	FARTHEST = 0x7d000000, /* from a region's start */
	LOOK_AHEAD = 24,       /* instructions, for where flags are dead */
};

/* What comes behind the block's straight way. */
enum cold_kind {
	COLD_BRANCH, /* a conditional branch's side: outcome, then .insn */
	COLD_LEAVE,  /* leaves with .insn next */
	COLD_STEP,   /* likewise, which is for step.c */
	COLD_BREAK,  /* likewise, where a debugger has planted something */
	COLD_VALUE,  /* eight bytes */
};

struct cold {
	uint8_t *from; /* rel32 that leads here */
	enum cold_kind kind;
	uint32_t insn;
	unsigned log, done;
	uint8_t outcome;
	bool onward;
	const uint64_t *counter; /* BRANCH: NULL = none */
	bool flags_borrowed;
	uint64_t value;
};

struct block {
	struct jit_emit e;
	const struct agent_module *m;
	unsigned log, done; /* bytes and instructions so far */
	struct cold cold[MOST_COLD];
	unsigned n_cold;
};

static const struct trace_insn *insn_of(const struct block *b, uint32_t number)
{
	return &b->m->insns[number];
}

/* Number of the instruction at a link-time address; false: not traced. */
static bool find(const struct block *b, uint64_t link, uint32_t *number)
{
	uint32_t found = module_insn(b->m, link + b->m->bias);

	*number = found - 1;
	return found;
}

static struct cold *add_cold(struct block *b, enum cold_kind kind, uint32_t insn)
{
	struct cold *c = &b->cold[b->n_cold++];

	*c = (struct cold){
		.from = b->e.at, .kind = kind, .insn = insn, .log = b->log, .done = b->done
	};
	put4(&b->e.at, 0);
	return c;
}

/* ---- what can be in a block ---- */

static bool is_pinned(unsigned reg)
{
	return reg == jit_log() || reg == jit_scratch();
}

static bool operand_is_simple(const struct block *b, const struct trace_mem *m)
{
	bool both = is_pinned(m->base) && is_pinned(m->index) && m->base != m->index;
	bool addresses = b->e.t->addresses && b->e.t->recording;
	int64_t distance = m->disp + (int64_t)b->m->bias - (int64_t)b->e.r->base;

	if (m->flags & TRACE_MEM_RIP && (distance > FARTHEST || distance < -FARTHEST))
		return false;
	return !(m->flags & TRACE_MEM_ADDR32) && !both && !(m->seg && addresses) &&
	       (m->flags & TRACE_MEM_RIP || m->disp == (int32_t)m->disp);
}

static bool vectors_are_simple(const struct trace_insn *insn)
{
	return !insn->out_vec ||
	       (insn->out_vec < 1u << 15 && (insn->vec_size == 16 || insn->vec_size == 32));
}

static bool goes_on(const struct block *b, const struct trace_insn *insn)
{
	uint32_t unused;

	switch (insn->flow) {
	case TRACE_FLOW_COND:
		return insn->cond < 16 && find(b, insn->target, &unused) &&
		       find(b, insn->addr + insn->length, &unused);
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_CALL:
		return find(b, insn->target, &unused);
	case TRACE_FLOW_NONE:
		return find(b, insn->addr + insn->length, &unused);
	case TRACE_FLOW_JUMP_IND:
	case TRACE_FLOW_CALL_IND:
		return insn->flow_reg != TRACE_REG_NONE ||
		       (insn->n_mem && insn->mem[0].flags & TRACE_MEM_READ &&
			insn->mem[0].size == 8);
	default:
		return true;
	}
}

static bool fits(const struct block *b, uint32_t number)
{
	const struct trace_insn *insn = insn_of(b, number);

	if (!(insn->flags & TRACE_INSN_COPY) || (insn->rep != TRACE_REP_NONE && !agent.counting) ||
	    !vectors_are_simple(insn) || !goes_on(b, insn) ||
	    mark_of(b->e.t, (unsigned)(b->m - agent.modules), insn->addr))
		return false;
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (!operand_is_simple(b, &insn->mem[i]))
			return false;
	return true;
}

/* Does whatever runs from here on write the flags before it reads them? */
static bool flags_are_dead(const struct block *b, uint32_t number)
{
	for (unsigned i = 0; i < LOOK_AHEAD; i++) {
		const struct trace_insn *insn = insn_of(b, number);
		uint64_t next = insn->addr + insn->length;

		if (insn->use_flags & TRACE_FLAGS_READ || insn->rep != TRACE_REP_NONE ||
		    !(insn->flags & TRACE_INSN_COPY))
			return false;
		if (insn->use_flags & TRACE_FLAGS_WRITTEN)
			return true;
		if (insn->flow == TRACE_FLOW_JUMP || insn->flow == TRACE_FLOW_CALL)
			next = insn->target;
		else if (insn->flow != TRACE_FLOW_NONE)
			return false;
		if (!find(b, next, &number))
			return false;
	}
	return false;
}

/* From here on, up to the next one, the guest stands at this instruction. */
static void stands_at(struct block *b, uint32_t number)
{
	struct jit_region *r = b->e.r;

	r->insns[r->n_insns++] = (struct jit_insn){ .at = (uint32_t)(b->e.at - r->base),
						    .insn = number,
						    .log = (uint16_t)b->log,
						    .done = (uint8_t)b->done };
}

/* ---- head ---- */

/* Has a debugger planted something? */
static void put_look(struct block *b, uint32_t number, bool flags_borrowed)
{
	const struct trace_insn *insn = insn_of(b, number);

	if (!is_breakable(b->m, insn))
		return;
	PUT(&b->e.at, "\x80\x3d"); /* cmpb $0xcc,…(%rip) */
	put4(&b->e.at, (uint32_t)(insn->addr + b->m->bias - ((uint64_t)b->e.at + 5)));
	put1(&b->e.at, 0xcc);
	PUT(&b->e.at, "\x0f\x84");
	add_cold(b, COLD_BREAK, number)->flags_borrowed = flags_borrowed;
}

static void put_jbe(struct block *b, uint32_t number, bool flags_borrowed)
{
	PUT(&b->e.at, "\x0f\x86");
	add_cold(b, COLD_LEAVE, number)->flags_borrowed = flags_borrowed;
}

static void put_give_flags_back(struct jit_emit *e)
{
	PUT(&e->at, "\x04\x7f\x9e"); /* add $127,%al; sahf */
	jit_put_get(e, RAX, &e->r->data->rax);
}

static void put_head(struct block *b, uint32_t number)
{
	struct jit_data *d = b->e.r->data;
	bool borrow = !flags_are_dead(b, number);

	stands_at(b, number);
	if (borrow) {
		jit_put_set(&b->e, RAX, &d->rax);
		jit_mark(&b->e, JIT_RAX_BORROWED, 0);
		PUT(&b->e.at, "\x9f\x0f\x90\xc0"); /* lahf; seto %al */
	}
	jit_put_on(&b->e, 0x39, jit_log(), &d->limit);
	put_jbe(b, number, borrow);
	if (b->e.t->stop != ~0ull) { /* movq %xmm15,scratch */
		put1(&b->e.at, 0x66);
		put1(&b->e.at, 0x4c | jit_scratch() >> 3);
		PUT(&b->e.at, "\x0f\x7e");
		put1(&b->e.at, 0xf8 | (jit_scratch() & 7));
		jit_put_on(&b->e, 0x39, jit_scratch(), &d->stop);
		put_jbe(b, number, borrow);
	}
	put_look(b, number, borrow);
	if (borrow)
		put_give_flags_back(&b->e);
}

/* ---- one instruction ---- */

static bool touches(const struct trace_insn *insn, unsigned reg)
{
	return (insn->use_gpr | insn->out_gpr) >> reg & 1;
}

static void log_read(struct block *b, const struct trace_mem *m)
{
	for (unsigned done = 0; done < m->size;) {
		unsigned left = m->size - done;
		unsigned size = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;

		jit_put_operand(&b->e, m, false, size, done);
		jit_put_log(&b->e, jit_scratch(), size, b->log);
		b->log += size;
		done += size;
	}
}

static void log_address(struct block *b, const struct trace_mem *m)
{
	if (!b->e.t->addresses)
		return;
	jit_put_operand(&b->e, m, true, 8, 0);
	jit_put_log(&b->e, jit_scratch(), 8, b->log);
	b->log += 8;
}

static void log_operands(struct block *b, const struct trace_insn *insn)
{
	if (!b->e.t->recording)
		return;
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (is_logged(b->e.t, &insn->mem[i])) {
			log_address(b, &insn->mem[i]);
			log_read(b, &insn->mem[i]);
		}
	for (unsigned i = 0; i < insn->n_mem; i++)
		if (insn->mem[i].flags & TRACE_MEM_WRITE)
			log_address(b, &insn->mem[i]);
}

static void log_outputs(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;

	if (!b->e.t->recording || insn->flags & TRACE_INSN_PLAIN)
		return;
	for (unsigned reg = 0; reg < N_GPR; reg++) {
		if (!(insn->out_gpr >> reg & 1))
			continue;
		if (is_pinned(reg))
			jit_put_get(&b->e, jit_scratch(),
				    reg == jit_log() ? &d->home_log : &d->home_scratch);
		jit_put_log(&b->e, is_pinned(reg) ? jit_scratch() : reg, 8, b->log);
		b->log += 8;
	}
	if (insn->out_flags) {
		jit_put_log_flags(&b->e, b->log);
		b->log += 8;
	}
	for (unsigned reg = 0; reg < 15; reg++)
		if (insn->out_vec >> reg & 1) {
			jit_put_log_vector(&b->e, reg, insn->vec_size, b->log);
			b->log += insn->vec_size;
		}
}

/* Repetitions are whole where no iteration is of interest by itself. */
static bool put_guest(struct block *b, const struct trace_insn *insn)
{
	const uint8_t *bytes = insn->rep == TRACE_REP_NONE ? NULL : module_bytes(b->m, insn);

	if (!bytes)
		return emit_guest(&b->e.at, b->m, insn);
	put_bytes(&b->e.at, (const char *)bytes, insn->length);
	return true;
}

/* It is done, but not what we do afterwards. */
static void is_done(struct block *b, const struct trace_insn *insn)
{
	uint32_t next;

	if (find(b, insn->addr + insn->length, &next))
		stands_at(b, next);
}

/* With the guest's values in the pinned registers that it touches. */
static bool put_copy(struct block *b, const struct trace_insn *insn)
{
	struct jit_data *d = b->e.r->data;
	bool log = touches(insn, jit_log()), scratch = touches(insn, jit_scratch());

	if (log)
		jit_put_get(&b->e, jit_log(), &d->home_log);
	if (scratch)
		jit_put_get(&b->e, jit_scratch(), &d->home_scratch);
	if (!put_guest(b, insn))
		return false;
	is_done(b, insn);
	if (scratch && insn->out_gpr >> jit_scratch() & 1)
		jit_put_set(&b->e, jit_scratch(), &d->home_scratch);
	if (log) {
		if (insn->out_gpr >> jit_log() & 1)
			jit_put_set(&b->e, jit_log(), &d->home_log);
		jit_put_get(&b->e, jit_log(), &d->saved_log);
	}
	return true;
}

/* What is loaded can be taken from where it is afterwards. */
static bool put_load_insn(struct block *b, const struct trace_insn *insn)
{
	if (!emit_guest(&b->e.at, b->m, insn))
		return false;
	is_done(b, insn);
	jit_put_log(&b->e, insn->load_reg, insn->mem[0].size, b->log);
	b->log += insn->mem[0].size;
	return true;
}

static bool is_load(const struct block *b, const struct trace_insn *insn)
{
	return insn->load_reg != TRACE_REG_NONE && insn->n_mem == 1 &&
	       is_logged(b->e.t, &insn->mem[0]) && insn->flags & TRACE_INSN_PLAIN &&
	       b->e.t->recording && !b->e.t->addresses && insn->mem[0].size <= 8 &&
	       !touches(insn, jit_log()) && !touches(insn, jit_scratch());
}

static bool put_plain(struct block *b, const struct trace_insn *insn)
{
	if (is_load(b, insn))
		return put_load_insn(b, insn);
	log_operands(b, insn);
	if (!put_copy(b, insn))
		return false;
	log_outputs(b, insn);
	return true;
}

static void remember(struct block *b, uint32_t number)
{
	struct jit_region *r = b->e.r;
	const struct trace_insn *insn = insn_of(b, number);
	bool saves = insn->flow == TRACE_FLOW_NONE && touches(insn, jit_log());

	stands_at(b, number);
	r->insns[r->n_insns - 1].saved_log = saves;
	if (saves)
		jit_put_set(&b->e, jit_log(), &r->data->saved_log);
}

/* ---- counting ---- */

/* The module's counter; NULL for 0. */
static const uint64_t *counter_of(const struct block *b, uint32_t counter)
{
	return counter ? &b->e.t->counters[b->m - agent.modules][counter - 1] : NULL;
}

static const struct count_insn *counts_of(const struct block *b, uint32_t number)
{
	static const struct count_insn none;

	return agent.counting ? &b->m->counts[number] : &none;
}

/* Before the instruction. */
static void put_count(struct block *b, const uint64_t *counter, uint32_t number)
{
	if (counter)
		jit_put_count(&b->e, counter, 1, flags_are_dead(b, number));
}

/* ---- flow ---- */

static uint32_t new_exit(struct jit_region *r, uint32_t number, const uint8_t *jump, bool step)
{
	r->exits[r->n_exits] = (struct jit_exit){ .insn = number,
						  .jump = jump ? (uint32_t)(jump - r->base) : 0,
						  .step = step };
	return r->n_exits++;
}

/* movl $number,exit; jmp leave */
static void put_leave_as(struct jit_emit *e, uint32_t exit)
{
	PUT(&e->at, "\xc7\x05");
	put4(&e->at, (uint32_t)((uint64_t)&e->r->data->exit - ((uint64_t)e->at + 8)));
	put4(&e->at, exit);
	put1(&e->at, 0xe9);
	e->at += 4;
	jit_put_rel32(e->at - 4, e->r->leave);
}

/* To the instruction's block, or out of the cache until there is one. */
static void put_go(struct block *b, uint32_t number, bool onward)
{
	uint32_t to = b->e.r->blocks[number];
	struct jit_exit *exit;
	uint8_t *jump;

	put1(&b->e.at, 0xe9);
	jump = b->e.at;
	b->e.at += 4;
	if (to > JIT_STEP) {
		jit_put_rel32(jump, b->e.r->base + to + (onward ? b->e.r->heads[number] : 0));
		return;
	}
	jit_put_rel32(jump, b->e.at);
	exit = &b->e.r->exits[new_exit(b->e.r, number, jump, false)];
	exit->onward = onward;
	put_leave_as(&b->e, (uint32_t)(exit - b->e.r->exits));
}

static void put_end(struct block *b, uint32_t next, bool onward)
{
	jit_put_advance(&b->e, b->log, b->done);
	put_go(b, next, onward);
}

static void put_outcome(struct block *b, uint8_t outcome)
{
	if (!b->e.t->recording)
		return;
	jit_put_log_byte(&b->e, outcome, b->log);
	b->log++;
}

/* True when the block goes on with *next. */
static bool put_cond(struct block *b, uint32_t number, uint32_t *next)
{
	const struct trace_insn *insn = insn_of(b, number);
	uint32_t target = 0, follows = 0;
	bool back = insn->target <= insn->addr;
	uint32_t counter = counts_of(b, number)->leave;
	struct cold *c;

	find(b, insn->target, &target);
	find(b, insn->addr + insn->length, &follows);
	b->done++;
	put1(&b->e.at, 0x0f);
	put1(&b->e.at, 0x80 | (insn->cond ^ back));
	c = add_cold(b, COLD_BRANCH, back ? follows : target);
	c->outcome = !back;
	c->counter = counter_of(b, counter ? counter + back : 0);
	put_outcome(b, back);
	*next = back ? target : follows;
	put_count(b, counter_of(b, counter ? counter + !back : 0), *next);
	c->onward = back || target > number;
	if (back)
		put_end(b, target, false);
	return !back;
}

static void put_push_value(struct block *b, uint64_t value)
{
	PUT(&b->e.at, "\xff\x35"); /* push …(%rip) */
	add_cold(b, COLD_VALUE, 0)->value = value;
}

static void put_call(struct block *b, const struct trace_insn *insn)
{
	uint32_t target = 0;

	find(b, insn->target, &target);
	log_operands(b, insn);
	put_push_value(b, insn->addr + insn->length + b->m->bias);
	jit_mark(&b->e, 0, 8);
	b->done++;
	put_end(b, target, false);
}

static bool is_counted_jump(const struct block *b, uint32_t number)
{
	return insn_of(b, number)->flow == TRACE_FLOW_JUMP_IND && counts_of(b, number)->leave;
}

/* "scratch" has the target: to its block, where there is one. */
static void put_computed(struct block *b, uint32_t number, unsigned before)
{
	const struct trace_insn *insn = insn_of(b, number);
	uint8_t *miss;
	struct cold *c;

	if (b->e.t->recording) {
		jit_put_log(&b->e, jit_scratch(), 8, b->log);
		b->log += 8;
	}
	miss = jit_put_lookup(&b->e, is_counted_jump(b, number) ? jit_key(number) : 0);
	c = &b->cold[b->n_cold++];
	*c = (struct cold){
		.from = miss, .kind = COLD_STEP, .insn = number, .log = before, .done = b->done
	};
	if (insn->flow == TRACE_FLOW_CALL_IND) {
		put_push_value(b, insn->addr + insn->length + b->m->bias);
		jit_mark(&b->e, 0, 8);
	} else if (insn->flow == TRACE_FLOW_RET) {
		jit_put_stack(&b->e, 8 + insn->ret_pop);
		jit_mark(&b->e, 0, -8 - (int32_t)insn->ret_pop);
	}
	b->done++;
	jit_put_advance(&b->e, b->log, b->done);
	put1(&b->e.at, 0x40 | jit_scratch() >> 3); /* jmp *scratch */
	put1(&b->e.at, 0xff);
	put1(&b->e.at, 0xe0 | (jit_scratch() & 7));
}

static void put_indirect(struct block *b, uint32_t number)
{
	static const struct trace_mem top = {
		.base = TRACE_RSP, .index = TRACE_REG_NONE, .scale = 1, .size = 8
	};
	const struct trace_insn *insn = insn_of(b, number);
	struct jit_data *d = b->e.r->data;
	unsigned before = b->log;

	log_operands(b, insn);
	if (insn->flow == TRACE_FLOW_RET)
		jit_put_operand(&b->e, &top, false, 8, 0);
	else if (insn->flow_reg == TRACE_REG_NONE)
		jit_put_operand(&b->e, &insn->mem[0], false, 8, 0);
	else if (insn->flow_reg == jit_log())
		jit_put_get(&b->e, jit_scratch(), &d->home_log);
	else if (insn->flow_reg == jit_scratch())
		jit_put_get(&b->e, jit_scratch(), &d->home_scratch);
	else
		jit_put_move(&b->e, jit_scratch(), insn->flow_reg);
	put_computed(b, number, before);
}

/* Instruction number, and with which one the block goes on; false: with none. */
static bool put_insn(struct block *b, uint32_t number, uint32_t *next, bool *bad)
{
	const struct trace_insn *insn = insn_of(b, number);

	put_count(b, counter_of(b, counts_of(b, number)->enter), number);
	remember(b, number);
	switch (insn->flow) {
	case TRACE_FLOW_COND:
		return put_cond(b, number, next);
	case TRACE_FLOW_JUMP:
		b->done++;
		find(b, insn->target, next);
		if (insn->target > insn->addr)
			return true;
		put_end(b, *next, false);
		return false;
	case TRACE_FLOW_CALL:
		put_call(b, insn);
		return false;
	case TRACE_FLOW_NONE:
		*bad = !put_plain(b, insn);
		b->done++;
		find(b, insn->addr + insn->length, next);
		return true;
	default:
		put_indirect(b, number);
		return false;
	}
}

static void put_cold(struct block *b, const struct cold *c)
{
	uint32_t exit;

	jit_put_rel32(c->from, b->e.at);
	b->log = c->log;
	b->done = c->done;
	if (c->kind != COLD_VALUE)
		stands_at(b, c->insn);
	switch (c->kind) {
	case COLD_BRANCH:
		put_outcome(b, c->outcome);
		put_count(b, c->counter, c->insn);
		put_end(b, c->insn, c->onward);
		break;
	case COLD_LEAVE:
	case COLD_BREAK:
		if (c->flags_borrowed) {
			jit_mark(&b->e, JIT_RAX_BORROWED, 0);
			put_give_flags_back(&b->e);
		}
		exit = new_exit(b->e.r, c->insn, NULL, false);
		b->e.r->exits[exit].planted = c->kind == COLD_BREAK;
		put_leave_as(&b->e, exit);
		break;
	case COLD_STEP: /* which counts it once more */
		if (counts_of(b, c->insn)->enter)
			jit_put_count(&b->e, counter_of(b, counts_of(b, c->insn)->enter), -1,
				      false);
		jit_put_advance(&b->e, c->log, c->done);
		put_leave_as(&b->e, new_exit(b->e.r, c->insn, NULL, true));
		break;
	default:
		put8(&b->e.at, c->value);
		break;
	}
}

uint32_t jit_put_edge(struct agent_thread *t, struct jit_region *r, const uint64_t *counter,
		      uint32_t code)
{
	struct jit_emit e = { .at = r->at, .t = t, .r = r };
	uint32_t at = (uint32_t)(r->at - r->base);

	jit_put_count(&e, counter, 1, false);
	put1(&e.at, 0xe9);
	e.at += 4;
	jit_put_rel32(e.at - 4, r->base + code);
	r->at = e.at;
	return at;
}

uint32_t jit_translate(struct agent_thread *t, struct jit_region *r, uint32_t number)
{
	struct block b = { .m = r->module };
	uint32_t first = number, insns_before = r->n_insns;
	bool on = true, bad = false;

	b.e = (struct jit_emit){ .at = r->at, .t = t, .r = r };
	if (!fits(&b, first))
		return r->blocks[first] = JIT_STEP;
	r->blocks[first] = (uint32_t)(r->at - r->base); /* it may jump to itself */
	put_head(&b, first);
	if (agent.counting)
		r->heads[first] = (uint8_t)(b.e.at - r->at);
	while (on && !bad && b.done < JIT_BLOCK_INSNS && b.log < JIT_BLOCK_LOG - 256 &&
	       fits(&b, number) && (!b.done || !is_breakable(b.m, insn_of(&b, number))))
		on = put_insn(&b, number, &number, &bad);
	if (bad) {
		r->n_insns = insns_before;
		return r->blocks[first] = JIT_STEP;
	}
	if (on) {
		stands_at(&b, number);
		put_end(&b, number, true);
	}
	for (unsigned i = 0; i < b.n_cold; i++)
		put_cold(&b, &b.cold[i]);
	r->at = b.e.at;
	return r->blocks[first];
}
