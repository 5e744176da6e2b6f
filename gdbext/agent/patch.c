/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries of traced functions are overwritten by jumps to their stubs, so that
 * untraced code that calls them calls the agent; so are the places behind calls
 * by jumps to their thunks, so that untraced code may return to where the program
 * says, and what unwinds the stack finds nothing of ours there.  No traced code is
 * ever executed where it stands, so what else is overwritten does not matter as
 * long as it is traced code or padding.
 */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <sys/mman.h>

enum { JUMP_SIZE = 5, SHORT_SIZE = 2, SHORT_REACH = 126 };

/* Bytes that only pad: int3, nop in its forms with an operand-size prefix, cs
 * and a memory operand. 0 = something else. */
static unsigned padding_at(const uint8_t *p, unsigned avail)
{
	unsigned n = 0, modrm;

	if (!avail)
		return 0;
	if (*p == 0xcc)
		return 1;
	while (n < avail && (p[n] == 0x66 || p[n] == 0x2e))
		n++;
	if (n < avail && p[n] == 0x90)
		return n + 1;
	if (n + 3 > avail || p[n] != 0x0f || p[n + 1] != 0x1f)
		return 0;
	modrm = p[n + 2];
	n += 3 + ((modrm & 7) == 4) + (modrm >> 6 == 1 ? 1 : modrm >> 6 == 2 ? 4 : 0);
	return n <= avail ? n : 0;
}

/* How many bytes from runtime address addr on may be overwritten, at most
 * JUMP_SIZE: traced instructions, up to the next entry, and padding. */
static unsigned free_bytes(const struct agent_module *m, uint64_t addr, uint64_t next_entry)
{
	uint64_t at = addr;

	while (at < addr + JUMP_SIZE && at < next_entry) {
		uint32_t number = module_insn(m, at);
		uint64_t left = m->lo + m->size > at ? m->lo + m->size - at : 0;
		unsigned n =
			number ? m->insns[number - 1].length
			       : padding_at((const uint8_t *)at, left < 15 ? (unsigned)left : 15);

		if (!n)
			break;
		at += n;
	}
	at = at > next_entry ? next_entry : at;
	return at - addr > JUMP_SIZE ? JUMP_SIZE : (unsigned)(at - addr);
}

/* ---- which bytes are in use ---- */

static bool has_bit(const uint8_t *bits, uint64_t n)
{
	return bits[n / 8] >> (n % 8) & 1;
}

static void set_module_bits(const struct agent_module *m, uint8_t *bits, uint64_t addr, unsigned n)
{
	for (uint64_t at = addr - m->lo; n-- && at < m->size + JUMP_SIZE; at++)
		bits[at / 8] |= (uint8_t)(1u << at % 8);
}

/* Is none of the n bytes at addr in use? */
static bool are_clear(const struct agent_module *m, const uint8_t *bits, uint64_t addr, unsigned n)
{
	for (uint64_t at = addr - m->lo; n--; at++)
		if (has_bit(bits, at))
			return false;
	return true;
}

static bool map_bits(struct agent_module *m)
{
	uint64_t size = (m->size + JUMP_SIZE + 7) / 8;
	uint8_t *bits = far_map(4 * size, PROT_READ | PROT_WRITE, -1);

	m->taken = bits;
	m->wanted = bits + size;
	m->returns = bits + 2 * size;
	m->entered = bits + 3 * size;
	return bits;
}

/* If a debugger has changed this byte, it will change it back. */
static bool is_planted(const struct agent_module *m, uint64_t addr)
{
	uint32_t number = module_insn(m, addr);
	const uint8_t *bytes = number ? module_bytes(m, &m->insns[number - 1]) : NULL;

	return bytes && bytes[0] != *(const uint8_t *)addr;
}

static void write_patch_jump(const struct agent_module *m, uint64_t at, uint64_t to)
{
	int32_t distance = (int32_t)(to - (at + JUMP_SIZE));

	*(uint8_t *)at = 0xe9;
	__builtin_memcpy((uint8_t *)at + 1, &distance, sizeof distance);
	set_module_bits(m, m->taken, at, JUMP_SIZE);
}

static bool can_hold_island(const struct agent_module *m, uint64_t at)
{
	for (unsigned k = 0; k < JUMP_SIZE; k++)
		if (is_planted(m, at + k))
			return false;
	return are_clear(m, m->taken, at, JUMP_SIZE) && are_clear(m, m->wanted, at, JUMP_SIZE) &&
	       module_insn(m, at) && free_bytes(m, at, ~0ull) == JUMP_SIZE;
}

/* ---- entries ---- */

/* A place in the middle of function number e, far enough behind its own jump. */
static uint64_t island_in(const struct agent_module *m, uint32_t e, uint64_t near)
{
	uint64_t lo = m->entries[e] + m->bias + JUMP_SIZE;
	uint64_t hi = e + 1 < m->plan->n_entries ? m->entries[e + 1] + m->bias : m->lo + m->size;

	if (free_bytes(m, lo - JUMP_SIZE, hi) < JUMP_SIZE)
		return 0;
	for (uint64_t at = lo; at + JUMP_SIZE <= hi; at++)
		if (at - near + SHORT_REACH <= 2 * SHORT_REACH && can_hold_island(m, at))
			return at;
	return 0;
}

static void write_jump_over(const struct agent_module *m, uint64_t at, uint64_t island, uint64_t to)
{
	write_patch_jump(m, island, to);
	((uint8_t *)at)[0] = 0xeb;
	((uint8_t *)at)[1] = (uint8_t)(island - (at + SHORT_SIZE));
	set_module_bits(m, m->taken, at, SHORT_SIZE);
}

static void write_short_jump(struct agent_module *m, uint32_t e, uint64_t stub)
{
	uint64_t entry = m->entries[e] + m->bias, island = 0;

	for (uint32_t k = e > 8 ? e - 8 : 0; k < e + 9 && k < m->plan->n_entries && !island; k++)
		if (k != e)
			island = island_in(m, k, entry + SHORT_SIZE);
	if (island)
		write_jump_over(m, entry, island, stub);
}

static void patch_entry(struct agent_module *m, uint32_t e)
{
	uint64_t entry = m->entries[e] + m->bias;
	uint64_t stub = m->entry_stubs + (uint64_t)e * STUB_SIZE;
	uint64_t next = e + 1 < m->plan->n_entries ? m->entries[e + 1] + m->bias : ~0ull;
	unsigned room;

	if (!module_insn(m, entry))
		return;
	emit_stub((uint8_t *)stub, INSIDE_ENTRY | (m->first_entry + e));
	room = free_bytes(m, entry, next);
	if (room == JUMP_SIZE)
		write_patch_jump(m, entry, stub);
	else if (room >= SHORT_SIZE)
		write_short_jump(m, e, stub);
	if (!are_clear(m, m->taken, entry, 1))
		set_module_bits(m, m->entered, entry, 1);
	/* A function that could not be changed is executed where it is. */
	set_module_bits(m, m->taken, entry, room);
}

/* ---- where calls return to, and rows ---- */

static bool is_call_to_patch(const struct trace_insn *insn)
{
	return insn->flow == TRACE_FLOW_CALL || insn->flow == TRACE_FLOW_CALL_IND;
}

static uint64_t address_behind(const struct agent_module *m, const struct trace_insn *insn)
{
	return insn->addr + insn->length + m->bias;
}

/* The places to which control must be able to go, and from which it must come back. */
static bool is_place(const struct agent_module *m, uint32_t number, uint64_t *addr)
{
	const struct trace_insn *insn = &m->insns[number];
	const struct trace_insn *before = number ? insn - 1 : NULL;

	*addr = insn->addr + m->bias;
	return (before && is_call_to_patch(before) && address_behind(m, before) == *addr) ||
	       (agent.plan->flags & TRACE_BREAKPOINTS && insn->flags & TRACE_INSN_ROW);
}

static uint64_t island_around(const struct agent_module *m, uint64_t near)
{
	for (uint64_t at = near > m->lo + SHORT_REACH ? near - SHORT_REACH : m->lo;
	     at < near + SHORT_REACH && at + JUMP_SIZE <= m->lo + m->size; at++)
		if (can_hold_island(m, at))
			return at;
	return 0;
}

/* How many bytes from addr on may be overwritten, at most JUMP_SIZE. */
static unsigned room_at(const struct agent_module *m, uint64_t addr)
{
	unsigned room = free_bytes(m, addr, ~0ull), n = 0;

	while (n < room && are_clear(m, m->taken, addr + n, 1) && !is_planted(m, addr + n) &&
	       (!n || are_clear(m, m->wanted, addr + n, 1)))
		n++;
	return n;
}

static bool patch_return(struct agent_module *m, uint64_t addr)
{
	unsigned room = room_at(m, addr);
	uint64_t island = 0;

	/* A call right before another function is of one that does not return. */
	if (has_bit(m->entered, addr - m->lo))
		return true;
	if (room == JUMP_SIZE)
		write_patch_jump(m, addr, thunk_for(addr));
	else if (room >= SHORT_SIZE && (island = island_around(m, addr + SHORT_SIZE)))
		write_jump_over(m, addr, island, thunk_for(addr));
	return room == JUMP_SIZE || island;
}

static void patch_returns(struct agent_module *m)
{
	uint64_t addr;

	for (uint32_t i = 0; i < m->plan->n_insns; i++)
		if (is_place(m, i, &addr))
			set_module_bits(m, m->wanted, addr, 1);
	for (uint64_t at = 0; at < m->size; at++) {
		if (at % 8 == 0 && !m->wanted[at / 8])
			at += 7;
		else if (has_bit(m->wanted, at) && patch_return(m, m->lo + at))
			set_module_bits(m, m->returns, m->lo + at, 1);
	}
}

bool comes_back_by_itself(const struct agent_module *m, uint64_t addr)
{
	return m->returns && has_bit(m->returns, addr - m->lo);
}

/* The first of the traced instructions that does not lie before this place in the file. */
static uint32_t first_insn_from(const struct agent_module *m, uint64_t link)
{
	uint32_t low = 0, high = m->plan->n_insns;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (m->insns[middle].addr < link)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The pages of this segment with traced code, because others may hold data: false when there are
 * none. */
static bool pages_of(const struct agent_module *m, const struct agent_segment *s, uint64_t *from,
		     uint64_t *to)
{
	uint32_t first = first_insn_from(m, s->link),
		 behind = first_insn_from(m, s->link + s->size);
	uint64_t end = s->link + s->size, last = behind ? m->insns[behind - 1].addr : 0;

	if (first >= behind)
		return false;
	last += m->insns[behind - 1].length + JUMP_SIZE;
	*from = (m->insns[first].addr + m->bias) & ~4095ull;
	*to = ((last < end ? last : end) + m->bias + 4095) & ~4095ull;
	return true;
}

/* Opens the code to be changed, or closes it to what it was. */
static bool open_code(const struct agent_module *m, bool open)
{
	for (unsigned i = 0; i < m->n_segments; i++) {
		const struct agent_segment *s = &m->segments[i];
		uint64_t from, to;

		if (!pages_of(m, s, &from, &to))
			continue;
		if (s->protection & PROT_WRITE)
			agent_note_code(TRACE_OWN_CODE_WRITABLE);
		if (sys3(SYS_mprotect, (long)from, (long)(to - from),
			 open ? s->protection | PROT_READ | PROT_WRITE : s->protection))
			return false;
	}
	return true;
}

bool is_breakable(const struct agent_module *m, const struct trace_insn *insn)
{
	uint64_t at = insn->addr + m->bias - m->lo;

	return agent.plan->flags & TRACE_BREAKPOINTS && m->returns &&
	       (has_bit(m->returns, at) || has_bit(m->entered, at));
}

static bool patch_all(struct agent_module *m)
{
	if (!map_bits(m))
		return false;
	for (uint32_t e = 0; e < m->plan->n_entries; e++)
		patch_entry(m, e);
	/* An exception would find the way from there to a handler that is executed where
	 * it stands; so it ends at a thunk, as at a frame without handlers. */
	if (!module_has_section(m, ".gcc_except_table"))
		patch_returns(m);
	return true;
}

bool modules_patch(void)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		struct agent_module *m = &agent.modules[i];

		if (!m->size || !m->plan->n_entries)
			continue;
		if (!open_code(m, true) || !patch_all(m) || !open_code(m, false))
			return false;
	}
	return true;
}

/* ---- what the program changed ---- */

static bool is_changed_insn(const struct agent_module *m, const struct trace_insn *insn,
			    const uint8_t *now)
{
	const uint8_t *bytes = module_bytes(m, insn);
	uint64_t addr = insn->addr + m->bias;

	for (unsigned k = 0; bytes && k < insn->length; k++)
		if (now[k] != bytes[k] && are_clear(m, m->taken, addr + k, 1))
			return k || now[k] != 0xcc; /* a debugger's */
	return false;
}

/* The kernel reads it page by page, because some pages may be gone. */
static bool is_loaded_code_changed(const struct agent_module *m)
{
	uint8_t now[4096 + 16];
	uint64_t from = 0, n = 0;

	for (uint32_t i = 0; i < m->plan->n_insns; i++) {
		uint64_t addr = m->insns[i].addr + m->bias;

		if (addr + m->insns[i].length > from + n) {
			from = addr;
			n = m->lo + m->size - addr < sizeof now ? m->lo + m->size - addr
								: sizeof now;
			if (!sys_read_memory(from, now, n))
				return false;
		}
		if (is_changed_insn(m, &m->insns[i], now + (addr - from)))
			return true;
	}
	return false;
}

bool modules_are_changed(void)
{
	for (uint32_t i = 0; i < agent.n_modules; i++)
		if (agent.modules[i].taken && is_loaded_code_changed(&agent.modules[i]))
			return true;
	return false;
}

uint64_t entry_stub(uint64_t addr)
{
	struct agent_module *m = module_at(addr);
	uint32_t low = 0, high = m ? m->plan->n_entries : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (m->entries[middle] + m->bias < addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!m || low >= m->plan->n_entries || m->entries[low] + m->bias != addr ||
	    !module_insn(m, addr))
		return 0;
	return m->entry_stubs + (uint64_t)low * STUB_SIZE;
}
