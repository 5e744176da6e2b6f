/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machine code that the agent makes while it runs:
 *
 *   stub    "mov $id, inside; jmp *common", reached from patched entries and as
 *           a return address; touches no register and no flag
 *   thread  enter (registers to memory, to the agent's stack, call agent_enter),
 *           leave (registers from memory, jmp), a copy for each thread, so that
 *           its own memory is in reach without a register
 *   slot    one guest instruction as a function of the C calling convention:
 *           gets the address of the guest's registers, loads those that the
 *           instruction uses, runs it, stores those that it changes
 */
#include "gdbext/agent/jit/emit.h"

#include "gdbext/agent/sys.h"

/* ---- stubs ---- */

void emit_stub(uint8_t *at, uint32_t inside)
{
	uint8_t bytes[STUB_SIZE], *p = bytes;

	PUT(&p, "\x64\xc7\x04\x25"); /* movl $inside, %fs:… */
	put4(&p, (uint32_t)agent.tp_inside);
	put4(&p, inside);
	PUT(&p, "\x64\xff\x24\x25"); /* jmp *%fs:… */
	put4(&p, (uint32_t)agent.tp_common);
	/* The first byte is written last: it says that the entry is complete. */
	for (unsigned i = 1; i < (unsigned)(p - bytes); i++)
		*(volatile uint8_t *)(at + i) = bytes[i];
	*(volatile uint8_t *)at = bytes[0];
}

/* ---- a thread's enter and leave ---- */

/* mov reg,[rip + …] or the reverse; member: offset in struct agent_thread or,
 * negative, in struct trace_head. */
static void put_relative(uint8_t **at, struct agent_thread *t, const char *opcode, unsigned n,
			 unsigned reg, int64_t member)
{
	uint64_t target = (uint64_t)t + (uint64_t)member;

	put_bytes(at, opcode, n);
	put1(at, (reg & 7) << 3 | 5);
	put4(at, (uint32_t)(target - ((uint64_t)*at + 4)));
}

static void put_relative_move(uint8_t **at, struct agent_thread *t, bool load, unsigned reg,
			      int64_t member)
{
	char opcode[2] = { (char)(0x48 | (reg >> 3) << 2), (char)(load ? 0x8b : 0x89) };

	put_relative(at, t, opcode, 2, reg, member);
}

#define IN_THREAD(member) ((int64_t)offsetof(struct agent_thread, member))
#define IN_HEAD(member) ((int64_t)offsetof(struct trace_head, member) - TRACE_STREAM_OFFSET)

static void put_agent_call(uint8_t **at, void (*function)(struct agent_thread *),
			   struct agent_thread *t)
{
	PUT(at, "\xfc\x48\xbf"); /* cld; mov $t,%rdi */
	put8(at, (uint64_t)t);
	PUT(at, "\x48\xb8"); /* mov $function,%rax */
	put8(at, (uint64_t)function);
	PUT(at, "\xff\xd0"); /* call *%rax */
}

static void put_near_jump(uint8_t **at, const uint8_t *to)
{
	put1(at, 0xe9);
	put4(at, (uint32_t)(to - (*at + 4)));
}

static void put_slot_enter(struct agent_thread *t)
{
	uint8_t *p = t->code + AT_ENTER;

	for (unsigned reg = 0; reg < N_GPR; reg++)
		put_relative_move(&p, t, false, reg, IN_THREAD(now) + 8 * reg);
	put_relative_move(&p, t, true, RSP, IN_THREAD(host_rsp));
	PUT(&p, "\x9c"); /* pushfq */
	put_relative(&p, t, "\x8f", 1, 0, IN_THREAD(now) + 8 * TRACE_RFLAGS);
	put_agent_call(&p, agent_enter, t);
	put_near_jump(&p, t->code + AT_LEAVE);

	p = t->code + AT_RESTART;
	put_relative_move(&p, t, true, RSP, IN_THREAD(host_rsp));
	put_agent_call(&p, agent_restart, t);
	put_near_jump(&p, t->code + AT_LEAVE);

	p = t->code + AT_RESUME;
	put_near_jump(&p, t->code + AT_ENTER);
}

static uint8_t *put_slot_leave(struct agent_thread *t)
{
	uint8_t *p = t->code + AT_LEAVE;

	put_relative(&p, t, "\xff", 1, 6, IN_HEAD(rflags)); /* push */
	PUT(&p, "\x9d");				    /* popfq */
	for (unsigned reg = 0; reg < N_GPR; reg++)
		put_relative_move(&p, t, true, reg, IN_HEAD(regs) + 8 * reg);
	/* movb $0, leaving: the displacement counts from the end of the instruction, which is
	 * one byte later. */
	PUT(&p, "\xc6\x05");
	put4(&p, (uint32_t)((uint64_t)&t->leaving - ((uint64_t)p + 5)));
	put1(&p, 0);
	PUT(&p, "\x64\xc7\x04\x25"); /* movl $0, %fs:… */
	put4(&p, (uint32_t)agent.tp_inside);
	put4(&p, INSIDE_NOT);
	return p;
}

void emit_thread(struct agent_thread *t)
{
	uint8_t *p;

	put_slot_enter(t);
	p = put_slot_leave(t);
	t->leave_jump = (uint64_t)p;
	put_relative(&p, t, "\xff", 1, 4, IN_THREAD(target)); /* jmp */
	t->host_rsp = ((uint64_t)t->stack + STACK_SIZE) & ~63ull;
}

bool emitted_is_leaving(const struct agent_thread *t, uint64_t rip)
{
	return rip - (uint64_t)(t->code + AT_LEAVE) <=
	       t->leave_jump - (uint64_t)(t->code + AT_LEAVE);
}

uint64_t emitted_resume(const struct agent_thread *t)
{
	return (uint64_t)t->code + AT_RESUME;
}

uint64_t emitted_restart(const struct agent_thread *t)
{
	return (uint64_t)t->code + AT_RESTART;
}

/* ---- slots ---- */

bool emit_guest(uint8_t **at, const struct agent_module *m, const struct trace_insn *insn)
{
	const uint8_t *bytes = module_bytes(m, insn);
	uint8_t *start = *at;
	bool prefixes = insn->rep != TRACE_REP_NONE;

	if (!bytes)
		return false;
	for (unsigned i = 0; i < insn->length; i++) {
		if (prefixes && (bytes[i] == 0xf2 || bytes[i] == 0xf3))
			continue;
		if (prefixes && bytes[i] != 0x66 && bytes[i] != 0x67 && bytes[i] != 0x2e &&
		    bytes[i] != 0x36 && bytes[i] != 0x3e && bytes[i] != 0x26 && bytes[i] != 0x64 &&
		    bytes[i] != 0x65)
			prefixes = false;
		put1(at, bytes[i]);
	}
	if (insn->rip_disp_offset) {
		int64_t moved = (int64_t)(insn->addr + m->bias) - (int64_t)start;
		int32_t disp;
		int64_t new_disp;

		__builtin_memcpy(&disp, bytes + insn->rip_disp_offset, 4);
		new_disp = disp + moved;
		disp = (int32_t)new_disp;
		__builtin_memcpy(start + insn->rip_disp_offset, &disp, 4);
		return disp == new_disp;
	}
	return true;
}

/* Every register that the instruction reads or writes, whatever table says so. */
static unsigned registers_used(const struct trace_insn *insn)
{
	unsigned used = insn->use_gpr | insn->out_gpr;

	for (unsigned i = 0; i < insn->n_mem && i < 2; i++) {
		if (insn->mem[i].base < N_GPR)
			used |= BIT(insn->mem[i].base);
		if (insn->mem[i].index < N_GPR)
			used |= BIT(insn->mem[i].index);
	}
	return used;
}

static unsigned free_register(unsigned used)
{
	static const uint8_t order[] = { RDI, RSI, RDX, RCX, RAX, R8, R9, R10, R11 };

	for (unsigned i = 0; i < sizeof order; i++)
		if (!(used & BIT(order[i])))
			return order[i];
	return N_GPR;
}

static bool put_small_slot(uint8_t **at, const struct cell *c, const struct agent_module *m,
			   bool load_flags)
{
	const struct trace_insn *insn = c->insn;
	unsigned used = registers_used(insn), base = free_register(used),
		 saved = used & CALLEE_SAVED;
	bool written = insn->use_flags & TRACE_FLAGS_WRITTEN;

	if (base != RDI) { /* mov %rdi,base */
		put1(at, 0x48 | base >> 3);
		put1(at, 0x89);
		put1(at, 0xc0 | RDI << 3 | (base & 7));
	}
	for (unsigned reg = 0; reg < N_GPR; reg++)
		if (saved & BIT(reg))
			put_push(at, reg);
	if (load_flags || insn->use_flags & TRACE_FLAGS_READ) {
		put_push_memory(at, base, 0);
		PUT(at, "\x9d");
	}
	put_registers(at, true, used, base);
	if (used & BIT(RSP)) {
		put_store(at, RSP, base, FROM_STATE(host_rsp_now));
		put_load(at, RSP, base, STATE_OF(RSP));
	}
	if (!emit_guest(at, m, insn))
		return false;
	if (used & BIT(RSP)) {
		if (insn->out_gpr & BIT(RSP))
			put_store(at, RSP, base, STATE_OF(RSP));
		put_load(at, RSP, base, FROM_STATE(host_rsp_now));
	}
	put_registers(at, false, insn->out_gpr, base);
	if (written) {
		PUT(at, "\x9c");
		put_pop_memory(at, base, 0);
	}
	if (load_flags || c->turns_back)
		PUT(at, "\xfc");
	for (unsigned reg = N_GPR; reg-- > 0;)
		if (saved & BIT(reg))
			put_pop(at, reg);
	PUT(at, "\xc3");
	return true;
}

/* Store of a vector register of 16, 32 or 64 bytes to [rax + disp]. */
static void put_vector(uint8_t **at, unsigned reg, unsigned size, int32_t disp)
{
	if (size == 16 && reg < 16) { /* movups */
		if (reg >= 8)
			put1(at, 0x44);
		PUT(at, "\x0f\x11");
	} else if (size == 32 && reg < 16) { /* vmovdqu */
		put1(at, 0xc5);
		put1(at, reg < 8 ? 0xfe : 0x7e);
		put1(at, 0x7f);
	} else { /* vmovdqu64 */
		put1(at, 0x62);
		put1(at, 0x61 | (reg & 8 ? 0 : 0x80) | (reg & 16 ? 0 : 0x10));
		put1(at, 0xfe);
		put1(at, size == 64 ? 0x48 : size == 32 ? 0x28 : 0x08);
		put1(at, 0x7f);
	}
	put1(at, 0x80 | (reg & 7) << 3);
	put4(at, (uint32_t)disp);
}

static void put_vectors(uint8_t **at, const struct trace_insn *insn)
{
	int32_t disp = FROM_STATE(vector);

	for (unsigned reg = 0; reg < 32; reg++)
		if (insn->out_vec >> reg & 1) {
			put_vector(at, reg, insn->vec_size, disp);
			disp += insn->vec_size;
		}
}

/* Makes all registers those of the guest, so that nothing has to be known about them. */
static bool put_big_slot(uint8_t **at, struct agent_thread *t, const struct cell *c,
			 const struct agent_module *m)
{
	uint64_t state = (uint64_t)&head_of(t)->rflags;

	for (unsigned reg = 0; reg < N_GPR; reg++)
		if (CALLEE_SAVED & BIT(reg))
			put_push(at, reg);
	put_store(at, RSP, RDI, FROM_STATE(host_rsp_now));
	put_push_memory(at, RDI, 0);
	PUT(at, "\x9d");
	put_registers(at, true, 0xffffu & ~BIT(RDI), RDI);
	put_load(at, RSP, RDI, STATE_OF(RSP));
	put_load(at, RDI, RDI, STATE_OF(RDI));
	if (!emit_guest(at, m, c->insn))
		return false;
	PUT(at, "\x48\xa3"); /* movabs %rax,… */
	put8(at, state + (uint64_t)STATE_OF(RAX));
	PUT(at, "\x48\xb8"); /* movabs $state,%rax */
	put8(at, state);
	put_registers(at, false, 0xffffu & ~BIT(RAX), RAX);
	put_store(at, RSP, RAX, STATE_OF(RSP));
	put_load(at, RSP, RAX, FROM_STATE(host_rsp_now));
	PUT(at, "\x9c");
	put_pop_memory(at, RAX, 0);
	PUT(at, "\xfc");
	put_vectors(at, c->insn);
	for (unsigned reg = N_GPR; reg-- > 0;)
		if (CALLEE_SAVED & BIT(reg))
			put_pop(at, reg);
	PUT(at, "\xc3");
	return true;
}

static bool has_slots(struct agent_thread *t, unsigned number, struct agent_module *m)
{
	uint64_t size = (uint64_t)m->plan->n_insns * 64;

	if (t->slots[number])
		return true;
	size = size < (256u << 10) ? 256u << 10 : size > (16u << 20) ? 16u << 20 : size;
	size = (size + 4095) & ~4095ull;
	t->slots[number] = module_map_near(m, size);
	t->slots_at[number] = t->slots[number];
	t->slots_size[number] = size;
	return t->slots[number];
}

bool emit_slot(struct agent_thread *t, struct cell *c)
{
	enum { MOST_OF_SLOT = 1024 };
	struct agent_module *m = &agent.modules[c->module];
	uint8_t *at, *start;
	bool plain =
		c->insn->flags & TRACE_INSN_PLAIN && free_register(registers_used(c->insn)) < 16;

	if (!has_slots(t, c->module, m)) {
		agent_give_up(TRACE_GAVE_UP_MAPPING, "there is no room for code near it");
	}
	at = start = t->slots_at[c->module];
	if (at + MOST_OF_SLOT > t->slots[c->module] + t->slots_size[c->module]) {
		cells_forget(t);
		return false;
	}
	if (plain ? !put_small_slot(&at, c, m, t->backward) : !put_big_slot(&at, t, c, m)) {
		agent_give_up(TRACE_GAVE_UP_INSIDE, "an instruction cannot be copied");
	}
	t->slots_at[c->module] = start + ((at - start + 15) & ~15);
	c->code = (void (*)(uint64_t *))start;
	return true;
}
