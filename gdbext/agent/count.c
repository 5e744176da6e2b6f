/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile's file (counts.h), and what step.c counts in it. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>

static char counts_file[4096];

bool counts_start(const char *file)
{
	unsigned n = 0;

	while (file[n] && n < sizeof counts_file - 1) {
		counts_file[n] = file[n];
		n++;
	}
	return file[0] == '/' && !file[n];
}

/* ---- the file ---- */

static uint64_t counts_part_of(uint32_t module)
{
	const struct trace_plan_module *plan = agent.modules[module].plan;

	return counts_part(plan->n_counters, plan->n_edges, module == 0);
}

static void head_make(struct counts_head *head)
{
	const char *key = in_plan(agent.plan->key);

	*head = (struct counts_head){ .magic = COUNTS_MAGIC, .version = COUNTS_VERSION };
	for (unsigned i = 0; i < COUNTS_KEY && key && key[i]; i++)
		head->key[i] = key[i];
	for (uint32_t i = 0; i < agent.n_modules; i++)
		head->section += counts_part_of(i);
}

/* Reads what the file counts so far; false when the file belongs to another program. */
static bool head_read(int fd, struct counts_head *head)
{
	struct counts_head is = { 0 };

	head_make(head);
	if (!sys_file_size(fd))
		return true;
	if (sys4(SYS_pread64, fd, (long)&is, sizeof is, 0) != sizeof is)
		return false;
	head->n_sections = is.n_sections;
	return !__builtin_memcmp(&is, head, sizeof is);
}

/* Where in the file a section of our own starts; 0 = there can be none. */
static uint64_t section_add(int fd)
{
	struct counts_head head;
	uint64_t at;

	if (!head_read(fd, &head))
		return 0;
	at = COUNTS_PAGE + head.n_sections * head.section;
	head.n_sections++;
	if (!file_reserve(fd, 0, at + head.section) ||
	    sys4(SYS_pwrite64, fd, (long)&head, sizeof head, 0) != sizeof head)
		return 0;
	return at;
}

/* The lock is released explicitly, because the mapping keeps the file open. */
static uint64_t section_take(int fd)
{
	uint64_t at = sys3(SYS_flock, fd, LOCK_EX, 0) ? 0 : section_add(fd);

	sys3(SYS_flock, fd, LOCK_UN, 0);
	return at;
}

static bool part_map(struct agent_thread *t, uint32_t module, int fd, uint64_t at)
{
	struct agent_module *m = &agent.modules[module];
	uint64_t size = counts_part_of(module);
	uint8_t *to = (uint8_t *)(module ? (void *)t->counters[module] : (void *)t->section);

	if (!to)
		to = m->size ? module_map_near(m, size) : far_map(size, PROT_READ, -1);
	if (!to || sys6(SYS_mmap, (long)to, (long)size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED, fd, (long)at) != (long)to)
		return false;
	if (!module)
		t->section = (void *)to;
	t->counters[module] = (void *)(module ? to : to + sizeof *t->section);
	return true;
}

bool counts_open(struct agent_thread *t)
{
	uint32_t pid = (uint32_t)sys3(SYS_getpid, 0, 0, 0);
	uint64_t at;
	int fd;

	if (t->section_pid == pid)
		return true;
	fd = sys_open(counts_file, O_RDWR | O_CREAT, 0600);
	at = fd < 0 ? 0 : section_take(fd);
	for (uint32_t i = 0; at && i < agent.n_modules; i++) {
		uint64_t size = counts_part_of(i);

		at = size && !part_map(t, i, fd, at) ? 0 : at + size;
	}
	if (fd >= 0)
		sys_close(fd);
	if (!at)
		return false;
	t->section_pid = t->section->pid = pid;
	t->section->tid = (uint32_t)sys3(SYS_gettid, 0, 0, 0);
	return true;
}

/* ---- counting ---- */

static const struct count_insn *cell_counts(const struct cell *c, uint32_t *number)
{
	const struct agent_module *m = &agent.modules[c->module];

	*number = (uint32_t)(c->insn - m->insns);
	return &m->counts[*number];
}

void count_start(struct agent_thread *t, const struct cell *c)
{
	uint32_t number;
	const struct count_insn *counts = cell_counts(c, &number);

	if (counts->enter && t->repeating != c->addr)
		t->counters[c->module][counts->enter - 1]++;
	t->repeating = 0;
}

void count_outcome(struct agent_thread *t, const struct cell *c, bool taken)
{
	uint32_t number;
	const struct count_insn *counts = cell_counts(c, &number);

	if (counts->leave)
		t->counters[c->module][counts->leave - 1 + !taken]++;
}

uint64_t *count_edge_of(struct agent_thread *t, uint32_t module, uint32_t from, uint32_t to)
{
	const struct trace_plan_module *plan = agent.modules[module].plan;
	struct count_edge *edges = (void *)(t->counters[module] + plan->n_counters);
	uint32_t at = plan->n_edges ? counts_place(from, to, plan->n_edges) : 0;

	for (uint32_t i = 0; i < plan->n_edges; i++) {
		struct count_edge *e = &edges[at];

		if (!e->from) {
			e->to = to;
			e->from = from;
		}
		if (e->from == from && e->to == to)
			return &e->count;
		at = at + 1 < plan->n_edges ? at + 1 : 0;
	}
	return &t->section->lost;
}

void count_jump(struct agent_thread *t, const struct cell *c, uint64_t to)
{
	const struct agent_module *m = &agent.modules[c->module];
	uint32_t number;

	if (cell_counts(c, &number)->leave)
		++*count_edge_of(t, c->module, number + 1, module_insn(m, to));
}

/* ---- faults ---- */

static struct count_fault *fault_of(struct agent_thread *t, uint32_t module, uint32_t insn)
{
	for (unsigned i = 0; i < COUNTS_FAULTS; i++) {
		struct count_fault *f = &t->section->faults[i];

		if (!f->insn)
			*f = (struct count_fault){ .module = module, .insn = insn };
		if (f->insn == insn && f->module == module)
			return f;
	}
	return NULL;
}

void count_fault(struct agent_thread *t, bool again)
{
	struct agent_module *m = module_at(head_of(t)->rip);
	uint32_t number = m ? module_insn(m, head_of(t)->rip) : 0, module;
	struct count_fault *f;

	if (!number)
		return;
	module = (uint32_t)(m - agent.modules);
	f = fault_of(t, module, number);
	++*(f ? &f->count : &t->section->faults_lost);
	if (again && m->counts[number - 1].enter)
		t->counters[module][m->counts[number - 1].enter - 1]--;
}

void count_retry(struct agent_thread *t)
{
	struct agent_module *m = module_at(head_of(t)->rip);
	uint32_t number = m ? module_insn(m, head_of(t)->rip) : 0;

	for (unsigned i = 0; number && i < COUNTS_FAULTS; i++) {
		struct count_fault *f = &t->section->faults[i];

		if (f->insn != number || &agent.modules[f->module] != m || !f->count)
			continue;
		f->count--;
		if (m->counts[number - 1].enter)
			t->counters[f->module][m->counts[number - 1].enter - 1]--;
	}
}
