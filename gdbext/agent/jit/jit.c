/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine "jit" (jit.h): from block to block, and out of the cache. */
#include "gdbext/agent/jit/jit.h"

#include "gdbext/agent/jit/emit.h"
#include "gdbext/agent/sys.h"

#include <sys/mman.h>

#define BARRIER() __asm__ volatile("" : : : "memory")

enum {
	SMALLEST_REGION = 512 << 10,
	LARGEST_REGION = 16 << 20,
	CODE_OF_INSN = 64, /* bytes of room for each instruction of the module */
	XMM15_IN_FRAME = 160 + 15 * 16,
};

/* The general registers that traced code uses least become the pinned ones. */
void jit_start(void)
{
	static const uint8_t candidates[] = { 11, 10, 15, 14, 9, 8, 13 };
	uint32_t uses[16] = { 0 };

	for (uint32_t i = 0; i < agent.n_modules; i++) {
		const struct agent_module *m = &agent.modules[i];

		for (uint32_t k = 0; m->size && k < m->plan->n_insns; k += 3)
			for (unsigned c = 0; c < sizeof candidates; c++)
				uses[candidates[c]] += m->insns[k].use_gpr >> candidates[c] & 1;
	}
	agent.jit_log = 0;
	for (unsigned round = 0; round < 2; round++) {
		uint8_t best = 0;

		for (unsigned c = 0; c < sizeof candidates; c++)
			if (candidates[c] != agent.jit_log &&
			    (!best || uses[candidates[c]] < uses[best]))
				best = candidates[c];
		*(round ? &agent.jit_scratch : &agent.jit_log) = best;
	}
}

/* ---- regions ---- */

static uint64_t in_pages(uint64_t size)
{
	return (size + 4095) & ~4095ull;
}

static void fill_data(struct jit_region *r)
{
	for (unsigned i = 0; i <= JIT_BLOCK_INSNS; i++)
		r->data->counts[i][0] = i;
	r->data->table = (uint64_t)r->table;
}

static bool region_map(struct jit_region *r, uint64_t size, uint32_t n_insns)
{
	r->max_exits = (uint32_t)(size / 16);
	r->max_insns = (uint32_t)(size / 8);
	r->base = module_map_near(r->module, size);
	r->blocks = far_map(n_insns * sizeof *r->blocks, PROT_READ | PROT_WRITE, -1);
	r->heads = far_map(n_insns, PROT_READ | PROT_WRITE, -1);
	r->table = far_map(JIT_TABLE * sizeof *r->table, PROT_READ | PROT_WRITE, -1);
	r->exits = far_map(r->max_exits * sizeof *r->exits, PROT_READ | PROT_WRITE, -1);
	r->insns = far_map(r->max_insns * sizeof *r->insns, PROT_READ | PROT_WRITE, -1);
	return r->base && r->blocks && r->heads && r->table && r->exits && r->insns;
}

static struct jit_region *cache_region_new(struct agent_thread *t, struct agent_module *m)
{
	struct jit_region *r = far_map(sizeof *r, PROT_READ | PROT_WRITE, -1);
	uint64_t size = (uint64_t)m->plan->n_insns * CODE_OF_INSN;
	uint64_t data = in_pages(sizeof(struct jit_data)) + 4096;
	struct jit_emit e = { .t = t, .r = r };

	size = size < SMALLEST_REGION  ? SMALLEST_REGION
	       : size > LARGEST_REGION ? LARGEST_REGION
				       : in_pages(size);
	if (!r)
		return NULL;
	r->module = m;
	if (!region_map(r, size + data, m->plan->n_insns))
		return NULL;
	r->data = (struct jit_data *)r->base;
	r->end = r->base + data + size;
	fill_data(r);
	e.at = r->base + data;
	jit_put_frame(&e);
	jit_put_misses(&e);
	r->first = r->at = e.at;
	return r;
}

static void region_clear(struct jit_region *r)
{
	uint64_t blocks = r->module->plan->n_insns * sizeof *r->blocks;

	r->at = r->first;
	r->n_exits = r->n_insns = 0;
	r->generation++;
	sys3(SYS_madvise, (long)r->blocks, (long)in_pages(blocks), MADV_DONTNEED);
	sys3(SYS_madvise, (long)r->table, JIT_TABLE * sizeof *r->table, MADV_DONTNEED);
}

static bool cache_has_room(const struct jit_region *r)
{
	enum { MOST_EXITS = 2 * JIT_BLOCK_INSNS + 8, MOST_MARKS = 4 * JIT_BLOCK_INSNS };

	return r->at + JIT_BLOCK_CODE <= r->end && r->n_exits + MOST_EXITS <= r->max_exits &&
	       r->n_insns + MOST_MARKS <= r->max_insns;
}

/* NULL when there is no room near the module. */
static struct jit_region *region_of(struct agent_thread *t, struct agent_module *m)
{
	struct jit_region **r = &t->regions[m - agent.modules];

	if (!*r)
		*r = cache_region_new(t, m);
	return *r;
}

void jit_forget(struct agent_thread *t)
{
	for (uint32_t i = 0; i < agent.n_modules; i++)
		if (t->regions[i])
			region_clear(t->regions[i]);
}

/* ---- running ---- */

/* Before it, a whole block can be logged.  The end that the user asked for is
 * approached one instruction at a time. */
static uint64_t limit_of(const struct agent_thread *t)
{
	bool asked = t->recording && t->max_bytes == (uint64_t)t->limit - t->base;

	return (uint64_t)t->limit - (asked ? JIT_BLOCK_LOG + JIT_BLOCK_MISSES : 0);
}

/* Where control has to leave the cache, soon or, where loops only look at it, in a while. */
static uint64_t stop_of(struct agent_thread *t)
{
	uint64_t beat = head_of(t)->insns + JIT_BEAT;

	return (t->stop < beat ? t->stop : beat) - JIT_BLOCK_INSNS;
}

void jit_alert(struct agent_thread *t)
{
	for (uint32_t i = 0; i < agent.n_modules; i++)
		if (t->regions[i])
			t->regions[i]->data->limit = 0;
}

static void jit_take_misses(struct agent_thread *t, const struct jit_region *r)
{
	t->miss = (uint8_t *)r->data->miss;
	t->missed = r->data->missed;
}

static const struct jit_exit *execute_jit_code(struct agent_thread *t, struct jit_region *r,
					       uint32_t code)
{
	struct trace_head *head = head_of(t);
	struct jit_data *d = r->data;
	const struct jit_exit *exit;

	d->home_log = head->regs[jit_log()];
	d->home_scratch = head->regs[jit_scratch()];
	d->log = (uint64_t)t->at;
	d->count[0] = head->insns;
	d->miss = (uint64_t)t->miss;
	d->missed = t->missed;
	d->stop = stop_of(t);
	d->target = (uint64_t)r->base + code;
	d->limit = limit_of(t);
	BARRIER();
	if (t->alert)
		d->limit = 0;
	r->enter(&head->rflags);
	exit = &r->exits[d->exit];
	head->regs[jit_log()] = d->home_log;
	head->regs[jit_scratch()] = d->home_scratch;
	t->at = (uint8_t *)d->log;
	jit_take_misses(t, r);
	head->rip = r->module->insns[exit->insn].addr + r->module->bias;
	BARRIER();
	head->length = d->log - t->base;
	head->insns = d->count[0];
	return exit;
}

/* How control came to where it is now, for the next time. */
struct way {
	struct jit_region *region; /* NULL = not from the cache */
	const struct jit_exit *exit;
	uint32_t generation;
};

static void remember_way(struct agent_thread *t, const struct way *way, struct jit_region *r,
			 uint32_t code, uint64_t addr)
{
	uint32_t module = (uint32_t)(r->module - agent.modules), from = way->exit->insn;
	uint64_t key = 0;

	if (way->region != r || way->generation != r->generation || code == JIT_STEP)
		return;
	if (way->exit->step && agent.counting && r->module->counts[from].leave) {
		key = jit_key(from);
		if (!key || !cache_has_room(r))
			return;
		code = jit_put_edge(
			t, r, count_edge_of(t, module, from + 1, module_insn(r->module, addr)),
			code);
	}
	if (way->exit->step)
		r->table[(addr + key) % JIT_TABLE] =
			(struct jit_target){ -(addr + key), (uint64_t)r->base + code };
	else if (way->exit->jump)
		jit_put_rel32(r->base + way->exit->jump,
			      r->base + code + (way->exit->onward ? r->heads[from] : 0));
}

/* The block at the instruction; the region may have been cleared for it. */
static uint32_t jit_block_at(struct agent_thread *t, struct jit_region *r, uint32_t number)
{
	uint32_t code = r->blocks[number];

	if (code)
		return code;
	if (!cache_has_room(r))
		region_clear(r);
	return jit_translate(t, r, number);
}

/* From now on the instruction is executed in the cache, as fast as others. */
static void jit_forget_ended_mark(struct agent_thread *t)
{
	t->mark_ended = false;
	jit_forget(t);
}

bool jit_run(struct agent_thread *t)
{
	struct trace_head *head = head_of(t);
	struct way way = { 0 };

	for (;;) {
		uint64_t addr = head->rip;
		struct agent_module *m = module_at(addr);
		uint32_t number = m ? module_insn(m, addr) : 0, code;
		struct jit_region *r;

		if (!number || head->native || t->alert || t->at >= t->limit ||
		    stream_part_is_full(t))
			return true;
		if ((uint64_t)t->at >= limit_of(t) ||
		    (t->stop != ~0ull && head->insns + JIT_BLOCK_INSNS >= t->stop))
			return false;
		r = region_of(t, m);
		if (!r)
			return t->jit = false;
		code = jit_block_at(t, r, --number);
		if (way.region)
			remember_way(t, &way, r, code, addr);
		way.region = NULL;
		if (code != JIT_STEP) {
			way = (struct way){ r, execute_jit_code(t, r, code), r->generation };
			if (way.exit->planted) {
				go_break(t);
				return true;
			}
			if (!way.exit->step)
				continue;
			number = way.exit->insn;
		}
		if (is_breakable(m, &m->insns[number]) && is_planted_at(head->rip)) {
			go_break(t);
			return true;
		}
		step_at(t, &t->cells[m - agent.modules][number]);
		if (t->mark_ended)
			jit_forget_ended_mark(t);
	}
}

/* ---- faults ---- */

static struct jit_region *region_with(struct agent_thread *t, uint64_t rip)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		struct jit_region *r = t->regions[i];

		if (r && rip >= (uint64_t)r->first && rip < (uint64_t)r->at)
			return r;
	}
	return NULL;
}

static const struct jit_insn *insn_with(const struct jit_region *r, uint64_t rip)
{
	uint32_t low = 0, high = r->n_insns;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if ((uint64_t)r->base + r->insns[middle].at <= rip)
			low = middle;
		else
			high = middle;
	}
	return &r->insns[low];
}

bool jit_fault(struct agent_thread *t, struct kernel_context *context)
{
	enum { RESUME_FLAG = 1 << 16 };
	struct jit_region *r = region_with(t, context->rip);
	uint8_t *vectors = (uint8_t *)context->fp + XMM15_IN_FRAME;
	struct trace_head *head = head_of(t);
	const struct jit_insn *at;
	uint64_t log, count;

	if (!r || !context->fp)
		return false;
	at = insn_with(r, context->rip);
	for (unsigned i = 0; i < 16; i++)
		head->regs[signal_order[i]] = context->regs[i];
	log = at->saved_log ? r->data->saved_log : head->regs[jit_log()];
	__builtin_memcpy(&count, vectors, 8);
	__builtin_memcpy(vectors, r->data->xmm15, 16);
	head->regs[jit_log()] = r->data->home_log;
	head->regs[jit_scratch()] = r->data->home_scratch;
	head->rflags = context->rflags & ~(uint64_t)RESUME_FLAG;
	head->rip = r->module->insns[at->insn].addr + r->module->bias;
	t->at = (uint8_t *)log + (t->recording ? at->log : 0);
	jit_take_misses(t, r);
	head->length = (uint64_t)t->at - t->base;
	head->insns = count + at->done;
	return true;
}
