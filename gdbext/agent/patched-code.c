/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TRACE_NATIVE: the program's own code, with some of its bytes changed. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

extern int __sigaction(int signo, const struct sigaction *action, struct sigaction *old);

enum { PAGE = 4096, MOST_ELSEWHERE = 4, JMP = 0xe9, INT3 = 0xcc, NOP = 0x90 };

static bool protect(uint64_t addr, uint64_t size, int protection)
{
	uint64_t first = addr & ~(uint64_t)(PAGE - 1),
		 end = (addr + size + PAGE - 1) & ~(PAGE - 1ull);

	return !sys3(SYS_mprotect, (long)first, (long)(end - first), protection);
}

/* Code that does not fit in its place is executed here. */
static struct elsewhere {
	uint64_t addr, code;
} elsewhere[MOST_ELSEWHERE];

static void on_breakpoint(int signo, siginfo_t *info, void *data)
{
	greg_t *rip = &((ucontext_t *)data)->uc_mcontext.gregs[REG_RIP];

	(void)signo;
	(void)info;
	for (unsigned i = 0; i < MOST_ELSEWHERE; i++)
		if (elsewhere[i].addr && elsewhere[i].addr == (uint64_t)*rip - 1)
			*rip = (greg_t)elsewhere[i].code;
}

/* Writes the code, and after it a jump back to the instruction that follows the one that it
 * replaces. */
static uint64_t put_elsewhere(struct agent_module *m, const struct trace_action *a)
{
	uint8_t *code = module_map_near(m, PAGE);
	uint64_t back = a->addr + m->bias + a->where;
	int32_t offset;

	if (!code)
		return 0;
	for (unsigned i = 0; i < a->size; i++)
		code[i] = a->value[i];
	code[a->size] = JMP;
	offset = (int32_t)(back - ((uint64_t)code + a->size + 5));
	__builtin_memcpy(code + a->size + 1, &offset, sizeof offset);
	return (uint64_t)code;
}

static bool edit(const struct trace_action *a)
{
	struct agent_module *m = a->module < agent.n_modules ? &agent.modules[a->module] : NULL;
	volatile uint8_t *to;
	uint64_t code = 0;

	if (!m || !m->file || a->size > sizeof a->value || a->addr < m->plan->lo ||
	    a->addr + a->where > m->plan->hi)
		return false;
	to = (volatile uint8_t *)(uintptr_t)(a->addr + m->bias);
	if ((a->size > a->where && !(code = put_elsewhere(m, a))) ||
	    !protect((uint64_t)to, a->where, PROT_READ | PROT_WRITE))
		return false;
	for (unsigned i = 0; i < a->where; i++)
		to[i] = code ? INT3 : i < a->size ? a->value[i] : NOP;
	for (unsigned i = 0; code && i < MOST_ELSEWHERE; i++) {
		if (elsewhere[i].addr)
			continue;
		elsewhere[i] = (struct elsewhere){ (uint64_t)to, code };
		break;
	}
	return protect((uint64_t)to, a->where, PROT_READ | PROT_EXEC);
}

static bool start_clock(void)
{
	uint64_t us = agent.plan->cpu_us;
	struct itimerval limit = { .it_value = { (long)(us / 1000000), (long)(us % 1000000) } };

	return !us || !sys3(SYS_setitimer, ITIMER_PROF, (long)&limit, 0);
}

static bool edit_all(const struct agent_request *asked)
{
	for (uint32_t i = 0; i < asked->n_actions; i++)
		if (asked->actions[i].kind == TRACE_ACTION_CODE && !edit(&asked->actions[i]))
			return false;
	return true;
}

bool code_edit(void)
{
	struct sigaction action = { .sa_sigaction = on_breakpoint,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	if (!modules_find() || __sigaction(SIGTRAP, &action, NULL) || !edit_all(&agent.asked))
		return false;
	if (agent.plan->flags & TRACE_SERVE && !(serve() && edit_all(&agent.asked)))
		return false;
	return start_clock();
}
