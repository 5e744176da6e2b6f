/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's code with some of its bytes changed: its own with TRACE_NATIVE, else the copy that
 * is executed in its place. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

extern int __sigaction(int signo, const struct sigaction *action, struct sigaction *old);

enum { PAGE = 4096, MOST_ELSEWHERE = 4, JMP = 0xe9, JUMP_BYTES = 5, INT3 = 0xcc, NOP = 0x90 };

static bool protect_pages(uint64_t addr, uint64_t size, int protection)
{
	uint64_t first = addr & ~(uint64_t)(PAGE - 1),
		 end = (addr + size + PAGE - 1) & ~(PAGE - 1ull);

	return !sys3(SYS_mprotect, (long)first, (long)(end - first), protection);
}

/* Code that does not fit in its place is executed here. */
struct elsewhere {
	uint64_t addr, back; /* runtime: of the instruction, and behind it */
	uint8_t *code;
	uint32_t size;
	struct agent_module *module;
	const struct trace_action *notes; /* the first of .n_notes that follow each other */
	uint32_t n_notes;
};
static struct elsewhere elsewhere[MOST_ELSEWHERE];
static unsigned n_elsewhere;
static struct trace_notes *notes; /* NULL = nobody wants them */

/* Where the process serves, in the middle of its run. */
static struct {
	uint64_t at; /* runtime; 0 = nowhere */
	const struct agent_module *module;
	const struct trace_plan *plan;
	uint8_t code; /* under the breakpoint */
} serving;

static uint64_t register_of_context(const greg_t *gregs, unsigned reg)
{
	static const uint8_t order[] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					 REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					 REG_R12, REG_R13, REG_R14, REG_R15 };

	return reg < sizeof order ? (uint64_t)gregs[order[reg]] : 0;
}

/* The kernel copies the new mask before it finds out that there is no such `how'. */
static bool is_readable_memory(uint64_t from)
{
	return sys4(SYS_rt_sigprocmask, -1, (long)from, 0, 8) != -EFAULT;
}

static bool read_value_from(uint64_t from, unsigned size, uint64_t *to)
{
	if (!size || size > sizeof *to || !is_readable_memory(from) ||
	    !is_readable_memory(from + size - 1))
		return false;
	for (unsigned i = 0; i < size; i++)
		((uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
	return true;
}

static struct trace_note note_of(const struct elsewhere *e, const struct trace_action *a,
				 const greg_t *gregs)
{
	struct trace_note n = { 0, 1 };
	uint64_t from =
		a->reg == TRACE_NOTE_NONE ? e->module->bias : register_of_context(gregs, a->reg);

	if (a->reg == TRACE_NOTE_FLAGS)
		n.value = (uint64_t)gregs[REG_EFL];
	else if (a->reg & TRACE_NOTE_REG)
		n.value = register_of_context(gregs, a->reg & 0xff);
	else if (a->thread)
		n.known = read_value_from(from + a->addr, 8, &from) &&
			  read_value_from(from + a->where, a->size, &n.value);
	else
		n.known = read_value_from(from + a->addr, a->size, &n.value);
	return n;
}

static void take_notes(const struct elsewhere *e, const greg_t *gregs)
{
	struct trace_note *to =
		(struct trace_note *)(notes + 1) + (uint64_t)notes->n_hits * e->n_notes;

	if ((uint8_t *)(to + e->n_notes) > (uint8_t *)notes + TRACE_NOTES_SIZE) {
		notes->lost++;
		return;
	}
	notes->n_values = e->n_notes;
	for (uint32_t i = 0; i < e->n_notes; i++)
		to[i] = note_of(e, &e->notes[i], gregs);
	notes->n_hits++;
}

static void serve_in_the_middle(void);

static void on_breakpoint(int signo, siginfo_t *info, void *data)
{
	greg_t *gregs = ((ucontext_t *)data)->uc_mcontext.gregs;

	(void)signo;
	(void)info;
	if (serving.at && serving.at == (uint64_t)gregs[REG_RIP] - 1) {
		gregs[REG_RIP] = (greg_t)serving.at;
		serve_in_the_middle();
		return;
	}
	for (unsigned i = 0; i < n_elsewhere; i++) {
		if (elsewhere[i].addr != (uint64_t)gregs[REG_RIP] - 1)
			continue;
		if (notes && elsewhere[i].n_notes)
			take_notes(&elsewhere[i], gregs);
		gregs[REG_RIP] = (greg_t)elsewhere[i].code;
	}
}

/* Appends code, and behind it a jump back to the instruction that follows the one it replaces. */
static bool append_replacement(struct elsewhere *e, const struct trace_action *a)
{
	int32_t offset;

	if (a->size > sizeof a->value || e->size + a->size + 5 > PAGE)
		return false;
	for (unsigned i = 0; i < a->size; i++)
		e->code[e->size++] = a->value[i];
	e->code[e->size] = JMP;
	offset = (int32_t)(e->back - ((uint64_t)e->code + e->size + 5));
	__builtin_memcpy(e->code + e->size + 1, &offset, sizeof offset);
	return true;
}

static bool link_elsewhere_to(struct elsewhere *e, const struct trace_action *a)
{
	int32_t offset = (int32_t)(a->addr + e->module->bias - ((uint64_t)e->code + a->nth));

	if (a->where + sizeof offset > e->size)
		return false;
	__builtin_memcpy(e->code + a->where, &offset, sizeof offset);
	return true;
}

static bool put_elsewhere(struct agent_module *m, const struct trace_action *a)
{
	struct elsewhere *e = &elsewhere[n_elsewhere];

	if (n_elsewhere == MOST_ELSEWHERE)
		return false;
	*e = (struct elsewhere){ .addr = a->addr + m->bias,
				 .back = a->addr + m->bias + a->where,
				 .code = module_map_near(m, PAGE),
				 .module = m };
	if (!e->code || !append_replacement(e, a))
		return false;
	n_elsewhere++;
	return true;
}

/* The protection of the segment that has this address of the file. */
static int protection_at(const struct agent_module *m, uint64_t link)
{
	for (unsigned i = 0; i < m->n_segments; i++)
		if (link - m->segments[i].link < m->segments[i].size)
			return m->segments[i].protection;
	return PROT_READ | PROT_EXEC;
}

/* The part without code in which all of that lies. */
static const struct agent_segment *data_at(const struct agent_module *m, uint64_t link,
					   uint64_t size)
{
	for (unsigned i = 0; i < m->n_data; i++) {
		const struct agent_segment *s = &m->data[i];

		if (link >= s->link && size <= s->size && link - s->link <= s->size - size)
			return s;
	}
	return NULL;
}

/* Before the program's first instruction, so that it is the initial value. */
static bool edit_data(const struct agent_module *m, const struct agent_segment *s,
		      const struct trace_action *a)
{
	volatile uint8_t *to = (volatile uint8_t *)(uintptr_t)(a->addr + m->bias);

	if (a->size != a->where || a->size > sizeof a->value ||
	    !protect_pages((uint64_t)to, a->size, PROT_READ | PROT_WRITE))
		return false;
	for (unsigned i = 0; i < a->size; i++)
		to[i] = a->value[i];
	return protect_pages((uint64_t)to, a->size, s->protection);
}

static void write_jump_elsewhere(volatile uint8_t *from, const uint8_t *to)
{
	const int32_t offset = (int32_t)(to - (const uint8_t *)(uintptr_t)from - JUMP_BYTES);

	from[0] = JMP;
	for (unsigned i = 1; i < JUMP_BYTES; i++)
		from[i] = (uint8_t)((uint32_t)offset >> 8 * (i - 1));
}

/* A breakpoint costs a thousand times as much as a jump, but fits everywhere, and takes notes. */
static void lead_elsewhere(volatile uint8_t *from, const struct trace_action *a, bool notes_follow)
{
	const bool jumps = a->where >= JUMP_BYTES && !notes_follow;

	for (unsigned i = 0; i < a->where; i++)
		from[i] = INT3;
	if (jumps)
		write_jump_elsewhere(from, elsewhere[n_elsewhere - 1].code);
}

static bool edit_code(const struct trace_action *a, bool notes_follow)
{
	struct agent_module *m = a->module < agent.n_modules ? &agent.modules[a->module] : NULL;
	const struct agent_segment *data = m ? data_at(m, a->addr, a->where) : NULL;
	volatile uint8_t *to;
	bool moved = a->size > a->where;

	if (data)
		return edit_data(m, data, a);
	if (!m || !m->file || a->size > sizeof a->value || a->addr < m->plan->lo ||
	    a->addr + a->where > m->plan->hi)
		return false;
	to = (volatile uint8_t *)(uintptr_t)(a->addr + m->bias);
	if ((moved && !put_elsewhere(m, a)) ||
	    !protect_pages((uint64_t)to, a->where, PROT_READ | PROT_WRITE))
		return false;
	if (moved)
		lead_elsewhere(to, a, notes_follow);
	for (unsigned i = 0; !moved && i < a->where; i++)
		to[i] = i < a->size ? a->value[i] : NOP;
	return protect_pages((uint64_t)to, a->where, protection_at(m, a->addr));
}

/* What stands under the breakpoint is put back when control comes there. */
static bool put_byte_at_serving(uint8_t byte)
{
	volatile uint8_t *to = (volatile uint8_t *)(uintptr_t)serving.at;

	if (!protect_pages(serving.at, 1, PROT_READ | PROT_WRITE))
		return false;
	*to = byte;
	return protect_pages(serving.at, 1,
			     protection_at(serving.module, serving.at - serving.module->bias));
}

static bool plant_serving(const struct trace_action *a)
{
	const struct agent_module *m =
		a->module < agent.n_modules ? &agent.modules[a->module] : NULL;

	if (!m || !m->file || a->addr < m->plan->lo || a->addr >= m->plan->hi)
		return false;
	serving.at = a->addr + m->bias;
	serving.module = m;
	serving.plan = agent.plan;
	serving.code = *(const volatile uint8_t *)(uintptr_t)serving.at;
	return put_byte_at_serving(INT3);
}

/* What follows code that is executed elsewhere. */
static bool extend_replaced(const struct trace_action *a)
{
	struct elsewhere *e = n_elsewhere ? &elsewhere[n_elsewhere - 1] : NULL;

	if (!e)
		return false;
	if (a->kind == TRACE_ACTION_CODE_MORE)
		return append_replacement(e, a);
	if (a->kind == TRACE_ACTION_CODE_LINK)
		return link_elsewhere_to(e, a);
	if (!e->n_notes)
		e->notes = a;
	e->n_notes++;
	return true;
}

/* setitimer() counts whole ticks of the kernel's, in which the time of others is counted, too; this
 * clock counts nanoseconds.  The program cannot catch what it sends. */
static bool start_clock(void)
{
	uint64_t us = agent.asked.cpu_us;
	struct sigevent end = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
	struct itimerspec limit = { .it_value = { (long)(us / 1000000),
						  (long)(us % 1000000 * 1000) } };
	int timer;

	return !us ||
	       (!sys3(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, (long)&end, (long)&timer) &&
		!sys4(SYS_timer_settime, timer, 0, (long)&limit, 0));
}

static bool do_edit(const struct trace_action *a, const struct trace_action *end)
{
	const struct trace_action *next = a + 1;

	if (a->kind == TRACE_ACTION_CODE_SERVE)
		return plant_serving(a);
	if (a->kind > TRACE_ACTION_CODE)
		return extend_replaced(a);
	while (next < end &&
	       (next->kind == TRACE_ACTION_CODE_MORE || next->kind == TRACE_ACTION_CODE_LINK))
		next++;
	return a->kind < TRACE_ACTION_CODE ||
	       edit_code(a, next < end && next->kind == TRACE_ACTION_CODE_NOTE);
}

static bool edit_all(const struct agent_request *asked)
{
	for (uint32_t i = 0; i < asked->n_actions; i++)
		if (!do_edit(&asked->actions[i], asked->actions + asked->n_actions))
			return false;
	return true;
}

/* The children share it with the controller, which made the file. */
static void map_notes(void)
{
	char path[4096];
	const char *directory = in_plan(agent.plan->directory), *name = "/notes";
	uint64_t n = directory ? strlen(directory) : sizeof path;
	long fd, got;

	if (n + 8 > sizeof path)
		return;
	memcpy(path, directory, n);
	memcpy(path + n, name, 7);
	fd = sys_open(path, O_RDWR | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	got = sys6(SYS_mmap, 0, TRACE_NOTES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (got > 0 || got < -4095)
		notes = (struct trace_notes *)got;
	sys_close((int)fd);
}

static bool serve_notes(void)
{
	map_notes();
	if (!serve())
		return false;
	if (notes)
		*notes = (struct trace_notes){ 0 };
	return edit_all(&agent.asked);
}

/* Returns in the children, which go on at the instruction. */
static void serve_in_the_middle(void)
{
	agent.plan = serving.plan;
	if (!put_byte_at_serving(serving.code) || !serve() || !edit_all(&agent.asked) ||
	    !start_clock())
		sys_exit(127);
	agent.plan = NULL;
	serving.at = 0;
}

bool code_edit(void)
{
	struct sigaction action = { .sa_sigaction = on_breakpoint,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	if (!modules_find() || __sigaction(SIGTRAP, &action, NULL) || !edit_all(&agent.asked))
		return false;
	if (agent.plan->flags & TRACE_SERVE && !serving.at && !serve_notes())
		return false;
	return start_clock();
}

/* ---- runs that are recorded ---- */

static uint8_t *place_in_copy(const struct agent_module *m, const struct trace_action *a)
{
	for (unsigned i = 0; i < m->n_segments; i++) {
		const struct agent_segment *s = &m->segments[i];

		if (a->addr >= s->link && a->where <= s->size &&
		    a->addr - s->link <= s->size - a->where)
			return (uint8_t *)m->file + s->offset + (a->addr - s->link);
	}
	return NULL;
}

static bool edit_copy(const struct trace_action *a)
{
	const struct agent_module *m =
		a->module < agent.n_modules ? &agent.modules[a->module] : NULL;
	const struct agent_segment *data = m ? data_at(m, a->addr, a->where) : NULL;
	volatile uint8_t *to;

	if (data)
		return edit_data(m, data, a);
	to = m && m->file ? place_in_copy(m, a) : NULL;
	if (!to || a->size > a->where || a->size > sizeof a->value ||
	    !protect_pages((uint64_t)to, a->where, PROT_READ | PROT_WRITE))
		return false;
	for (unsigned i = 0; i < a->where; i++)
		to[i] = i < a->size ? a->value[i] : NOP;
	return protect_pages((uint64_t)to, a->where, PROT_READ);
}

bool code_edit_recorded(void)
{
	for (uint32_t i = 0; i < agent.asked.n_actions; i++) {
		const struct trace_action *a = &agent.asked.actions[i];

		if (a->kind > TRACE_ACTION_CODE || (a->kind == TRACE_ACTION_CODE && !edit_copy(a)))
			return false;
	}
	return true;
}
