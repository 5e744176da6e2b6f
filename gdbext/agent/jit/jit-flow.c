/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How control goes on from a block: branches, calls, returns, to the next block or out. */
#include "gdbext/agent/jit/jit-block.h"

void block_put_count(struct block *b, const uint64_t *counter, uint32_t number)
{
	if (counter)
		jit_put_count(&b->e, counter, 1, block_flags_dead(b, number));
}

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

/* Jumps to the instruction's block or, as long as there is none, out of the cache. */
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

void block_put_end(struct block *b, uint32_t next, bool onward)
{
	jit_put_advance(&b->e, b->log, b->done);
	put_go(b, next, onward);
}

void block_put_back(struct block *b, uint32_t next)
{
	jit_put_advance(&b->e, b->log, b->done);
	b->log = b->done = 0;
	block_put_beat(b, next);
	put_go(b, next, false);
}

static void put_outcome(struct block *b, bool told, uint8_t outcome)
{
	if (!told)
		return;
	jit_put_log_byte(&b->e, outcome, b->log);
	b->log++;
}

bool block_put_cond(struct block *b, uint32_t number, uint32_t *next)
{
	const struct trace_insn *insn = block_insn(b, number);
	uint32_t target = 0, follows = 0;
	bool back = insn->target <= insn->addr, told = is_outcome_logged(b->e.t, insn);
	uint32_t counter = block_counts(b, number)->leave;
	struct cold *c;

	block_find(b, insn->target, &target);
	block_find(b, insn->addr + insn->length, &follows);
	b->done++;
	put1(&b->e.at, 0x0f);
	put1(&b->e.at, 0x80 | (insn->cond ^ back));
	c = block_cold(b, COLD_BRANCH, back ? follows : target);
	c->outcome = !back;
	c->told = told;
	c->counter = block_counter(b, counter ? counter + back : 0);
	put_outcome(b, told, back);
	*next = back ? target : follows;
	block_put_count(b, block_counter(b, counter ? counter + !back : 0), *next);
	c->onward = back || target > number;
	if (back)
		block_put_back(b, target);
	return !back;
}

static void put_push_value(struct block *b, uint64_t value)
{
	PUT(&b->e.at, "\xff\x35"); /* push …(%rip) */
	block_cold(b, COLD_VALUE, 0)->value = value;
}

void block_put_call(struct block *b, const struct trace_insn *insn)
{
	uint32_t target = 0;

	block_find(b, insn->target, &target);
	block_log_operands(b, insn);
	put_push_value(b, insn->addr + insn->length + b->m->bias);
	jit_mark(&b->e, 0, 8);
	b->done++;
	block_put_end(b, target, false);
}

static bool is_counted_jump(const struct block *b, uint32_t number)
{
	return block_insn(b, number)->flow == TRACE_FLOW_JUMP_IND && block_counts(b, number)->leave;
}

/* Jumps to the block of the target that is in "scratch", if there is one. */
static void put_computed(struct block *b, uint32_t number, unsigned before)
{
	const struct trace_insn *insn = block_insn(b, number);
	uint8_t *miss;
	struct cold *c;

	if (is_target_logged(b->e.t, insn)) {
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

void block_put_indirect(struct block *b, uint32_t number)
{
	static const struct trace_mem top = {
		.base = TRACE_RSP, .index = TRACE_REG_NONE, .scale = 1, .size = 8
	};
	const struct trace_insn *insn = block_insn(b, number);
	struct jit_data *d = b->e.r->data;
	unsigned before = b->log;

	block_log_operands(b, insn);
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

void block_put_flags_back(struct jit_emit *e)
{
	PUT(&e->at, "\x04\x7f\x9e"); /* add $127,%al; sahf */
	jit_put_get(e, RAX, &e->r->data->rax);
}

void block_put_cold(struct block *b, const struct cold *c)
{
	uint32_t exit;

	jit_put_rel32(c->from, b->e.at);
	b->log = c->log;
	b->done = c->done;
	if (c->kind != COLD_VALUE)
		block_stands_at(b, c->insn);
	switch (c->kind) {
	case COLD_BRANCH:
		put_outcome(b, c->told, c->outcome);
		block_put_count(b, c->counter, c->insn);
		block_put_end(b, c->insn, c->onward);
		break;
	case COLD_LEAVE:
	case COLD_BREAK:
		if (c->flags_borrowed) {
			jit_mark(&b->e, JIT_RAX_BORROWED, 0);
			block_put_flags_back(&b->e);
		}
		exit = new_exit(b->e.r, c->insn, NULL, false);
		b->e.r->exits[exit].planted = c->kind == COLD_BREAK;
		put_leave_as(&b->e, exit);
		break;
	case COLD_STEP: /* which counts it once more */
		if (block_counts(b, c->insn)->enter)
			jit_put_count(&b->e, block_counter(b, block_counts(b, c->insn)->enter), -1,
				      false);
		jit_put_advance(&b->e, c->log, c->done);
		put_leave_as(&b->e, new_exit(b->e.r, c->insn, NULL, true));
		break;
	case COLD_MISS:
		block_put_miss(b, c);
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
