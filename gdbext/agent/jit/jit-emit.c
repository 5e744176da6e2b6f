/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces that copies of blocks are made of.  None of them changes a flag. */
#include "gdbext/agent/jit/jit.h"

#include "gdbext/agent/jit/emit.h"

/* Registers are named as in put_memory: never rsp or r12 where "log" is the base. */

static void put_rip(struct jit_emit *e, unsigned reg, const void *at)
{
	put1(&e->at, (reg & 7) << 3 | 5);
	put4(&e->at, (uint32_t)((uint64_t)at - ((uint64_t)e->at + 4)));
}

void jit_put_on(struct jit_emit *e, unsigned opcode, unsigned reg, const void *at)
{
	put1(&e->at, 0x48 | (reg >> 3) << 2);
	put1(&e->at, opcode);
	put_rip(e, reg, at);
}

void jit_put_get(struct jit_emit *e, unsigned reg, const uint64_t *from)
{
	jit_put_on(e, 0x8b, reg, from);
}

void jit_put_set(struct jit_emit *e, unsigned reg, const uint64_t *to)
{
	jit_put_on(e, 0x89, reg, to);
}

void jit_put_move(struct jit_emit *e, unsigned to, unsigned from)
{
	put1(&e->at, 0x48 | (from >> 3) << 2 | to >> 3);
	put1(&e->at, 0x89);
	put1(&e->at, 0xc0 | (from & 7) << 3 | (to & 7));
}

void jit_put_log(struct jit_emit *e, unsigned reg, unsigned size, unsigned off)
{
	if (size == 2)
		put1(&e->at, 0x66);
	put1(&e->at, 0x40 | (size == 8) << 3 | (reg >> 3) << 2 | jit_log() >> 3);
	put1(&e->at, size == 1 ? 0x88 : 0x89);
	put_memory(&e->at, reg, jit_log(), (int32_t)off);
}

void jit_put_log_byte(struct jit_emit *e, uint8_t value, unsigned off)
{
	put1(&e->at, 0x40 | jit_log() >> 3);
	put1(&e->at, 0xc6);
	put_memory(&e->at, 0, jit_log(), (int32_t)off);
	put1(&e->at, value);
}

/* movups or vmovdqu */
void jit_put_log_vector(struct jit_emit *e, unsigned reg, unsigned size, unsigned off)
{
	if (size == 16) {
		put1(&e->at, 0x40 | (reg >> 3) << 2 | jit_log() >> 3);
		PUT(&e->at, "\x0f\x11");
	} else {
		put1(&e->at, 0xc4);
		put1(&e->at, 0x41 | (reg < 8) << 7 | (jit_log() < 8) << 5);
		PUT(&e->at, "\x7e\x7f");
	}
	put_memory(&e->at, reg, jit_log(), (int32_t)off);
}

void jit_put_log_flags(struct jit_emit *e, unsigned off)
{
	struct jit_data *d = e->r->data;

	jit_put_move(e, jit_scratch(), RSP);
	jit_put_on(e, 0x8d, RSP, d->flags_top);
	PUT(&e->at, "\x9c");
	jit_put_move(e, RSP, jit_scratch());
	jit_put_get(e, jit_scratch(), d->flags_top - 1);
	jit_put_log(e, jit_scratch(), 8, off);
}

/* modrm, sib and displacement */
static void put_address(struct jit_emit *e, unsigned reg, const struct trace_mem *m, unsigned base,
			unsigned index, unsigned skip)
{
	uint32_t disp = (uint32_t)(m->disp + skip);

	if (m->flags & TRACE_MEM_RIP) {
		put_rip(e, reg, (const void *)(e->r->module->bias + (uint64_t)m->disp + skip));
		return;
	}
	put1(&e->at, (base == TRACE_REG_NONE ? 0 : 0x80) | (reg & 7) << 3 | 4);
	put1(&e->at, (unsigned)__builtin_ctz(m->scale | 8) << 6 |
			     (index == TRACE_REG_NONE ? 4 : index & 7) << 3 |
			     (base == TRACE_REG_NONE ? 5 : base & 7));
	put4(&e->at, disp);
}

void jit_put_operand(struct jit_emit *e, const struct trace_mem *m, bool address, unsigned size,
		     unsigned skip)
{
	unsigned reg = jit_scratch(), base = m->base, index = m->index;
	const uint64_t *home = NULL;

	if (base == jit_log() || index == jit_log())
		home = &e->r->data->home_log;
	else if (base == jit_scratch() || index == jit_scratch())
		home = &e->r->data->home_scratch;
	if (home)
		jit_put_get(e, reg, home);
	base = base == jit_log() ? reg : base;
	index = index == jit_log() ? reg : index;
	if (m->seg && !address)
		put1(&e->at, m->seg == 1 ? 0x64 : 0x65);
	put1(&e->at, 0x40 | (address || size == 8) << 3 | (reg >> 3) << 2 |
			     (index != TRACE_REG_NONE && index >= 8) << 1 |
			     (base != TRACE_REG_NONE && base >= 8));
	if (!address && size < 4)
		put1(&e->at, 0x0f);
	put1(&e->at, address ? 0x8d : size == 1 ? 0xb6 : size == 2 ? 0xb7 : 0x8b);
	put_address(e, reg, m, base, index, skip);
}

void jit_put_stack(struct jit_emit *e, int32_t delta)
{
	PUT(&e->at, "\x48\x8d\xa4\x24");
	put4(&e->at, (uint32_t)delta);
}

void jit_put_advance(struct jit_emit *e, unsigned log, unsigned insns)
{
	if (log && e->t->recording) {
		put1(&e->at, 0x48 | (jit_log() >> 3) << 2 | jit_log() >> 3);
		put1(&e->at, 0x8d);
		put_memory(&e->at, jit_log(), jit_log(), (int32_t)log);
	}
	if (insns && !agent.counting) { /* paddq */
		PUT(&e->at, "\x66\x44\x0f\xd4");
		put_rip(e, 15, e->r->data->counts[insns]);
	}
}

void jit_put_count(struct jit_emit *e, const uint64_t *counter, int times, bool flags_dead)
{
	unsigned reg = jit_scratch();

	if (flags_dead && times == 1) { /* incq */
		jit_put_on(e, 0xff, 0, counter);
		return;
	}
	jit_put_get(e, reg, counter);
	put_move(&e->at, 0x8d, reg, reg, times);
	jit_put_set(e, reg, counter);
}

void jit_put_target(struct jit_emit *e, const uint64_t *at)
{
	put_rip(e, 4, at);
}

void jit_put_rel32(uint8_t *at, const uint8_t *to)
{
	int32_t distance = (int32_t)(to - (at + 4));

	__builtin_memcpy(at, &distance, 4);
}

/* lea (base,index,scale 8 or 1),reg */
static void put_sum(struct jit_emit *e, unsigned reg, unsigned base, unsigned index, bool scaled)
{
	put1(&e->at, 0x48 | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3);
	put1(&e->at, 0x8d);
	put1(&e->at, 0x44 | (reg & 7) << 3);
	put1(&e->at, (scaled ? 0xc0 : 0) | (index & 7) << 3 | (base & 7));
	put1(&e->at, 0);
}

uint8_t *jit_put_lookup(struct jit_emit *e, uint64_t key)
{
	struct jit_data *d = e->r->data;
	uint8_t *hit, *miss;

	jit_put_set(e, RCX, &d->rcx);
	jit_put_set(e, RAX, &d->rax);
	jit_mark(e, JIT_RAX_BORROWED | JIT_RCX_BORROWED, 0);
	if (key) {
		PUT(&e->at, "\x48\xb8"); /* movabs $key,%rax */
		put8(&e->at, key);
		put_sum(e, jit_scratch(), jit_scratch(), RAX, false);
	}
	jit_put_get(e, RAX, &d->table);
	/* movzwl scratch,%ecx */
	put1(&e->at, 0x40 | jit_scratch() >> 3);
	PUT(&e->at, "\x0f\xb7");
	put1(&e->at, 0xc8 | (jit_scratch() & 7));
	put_sum(e, RAX, RAX, RCX, true);
	put_sum(e, RAX, RAX, RCX, true);
	put_load(&e->at, RCX, RAX, offsetof(struct jit_target, minus_addr));
	put_sum(e, RCX, jit_scratch(), RCX, false);
	put_load(&e->at, jit_scratch(), RAX, offsetof(struct jit_target, code));
	jit_put_get(e, RAX, &d->rax);
	PUT(&e->at, "\xe3"); /* jrcxz */
	hit = e->at++;
	jit_put_get(e, RCX, &d->rcx);
	PUT(&e->at, "\xe9");
	miss = e->at;
	e->at += 4;
	*hit = (uint8_t)(e->at - (hit + 1));
	jit_put_get(e, RCX, &d->rcx);
	return miss;
}

/* ---- entering and leaving ---- */

static void put_jit_enter(struct jit_emit *e)
{
	struct jit_data *d = e->r->data;
	unsigned pinned = BIT(jit_log()) | BIT(jit_scratch());

	for (unsigned reg = 0; reg < N_GPR; reg++)
		if (CALLEE_SAVED & BIT(reg))
			put_push(&e->at, reg);
	jit_put_set(e, RSP, &d->host_rsp);
	PUT(&e->at, "\x44\x0f\x11"); /* movups %xmm15,… */
	put_rip(e, 15, d->xmm15);
	PUT(&e->at, "\xf3\x44\x0f\x7e"); /* movq …,%xmm15 */
	put_rip(e, 15, d->count);
	put_push_memory(&e->at, RDI, 0);
	PUT(&e->at, "\x9d");
	put_registers(&e->at, true, 0xffffu & ~BIT(RDI) & ~pinned, RDI);
	jit_put_get(e, jit_log(), &d->log);
	put_load(&e->at, RSP, RDI, STATE_OF(RSP));
	put_load(&e->at, RDI, RDI, STATE_OF(RDI));
	PUT(&e->at, "\xff"); /* jmp * */
	put_rip(e, 4, &d->target);
}

static void put_jit_leave(struct jit_emit *e)
{
	uint64_t state = (uint64_t)&head_of(e->t)->rflags;
	struct jit_data *d = e->r->data;
	unsigned pinned = BIT(jit_log()) | BIT(jit_scratch());

	PUT(&e->at, "\x48\xa3"); /* movabs %rax,… */
	put8(&e->at, state + (uint64_t)STATE_OF(RAX));
	PUT(&e->at, "\x48\xb8"); /* movabs $state,%rax */
	put8(&e->at, state);
	put_registers(&e->at, false, 0xffffu & ~BIT(RAX) & ~pinned, RAX);
	put_store(&e->at, RSP, RAX, STATE_OF(RSP));
	jit_put_set(e, jit_log(), &d->log);
	PUT(&e->at, "\x66\x44\x0f\xd6"); /* movq %xmm15,… */
	put_rip(e, 15, d->count);
	PUT(&e->at, "\x44\x0f\x10"); /* movups …,%xmm15 */
	put_rip(e, 15, d->xmm15);
	jit_put_get(e, RSP, &d->host_rsp);
	PUT(&e->at, "\x9c");
	put_pop_memory(&e->at, RAX, 0);
	PUT(&e->at, "\xfc"); /* cld */
	for (unsigned reg = N_GPR; reg-- > 0;)
		if (CALLEE_SAVED & BIT(reg))
			put_pop(&e->at, reg);
	PUT(&e->at, "\xc3");
}

void jit_put_frame(struct jit_emit *e)
{
	e->r->enter = (void (*)(uint64_t *))(uintptr_t)e->at;
	put_jit_enter(e);
	e->r->leave = e->at;
	put_jit_leave(e);
}
