/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The traced modules: where they are, their files, memory near them. */
#include "gdbext/agent/agent.h"

#include "gdbext/agent/sys.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* This address is far from where programs, libraries, heaps, stacks and the shadows of
 * sanitizers are. */
#define FAR_START 0x200000000000u
#define FAR_STEP (1ull << 32)
#define FAR_TRIES 64
#define REACH 0x7ff00000u
#define NEAR_BELOW 0x70000000u

void agent_lock(void)
{
	while (__atomic_exchange_n(&agent.lock, 1, __ATOMIC_ACQUIRE))
		sys3(SYS_sched_yield, 0, 0, 0);
}

void agent_unlock(void)
{
	__atomic_store_n(&agent.lock, 0, __ATOMIC_RELEASE);
}

void *far_map(uint64_t size, int protection, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_PRIVATE;
	void *got = NULL;

	size = (size + 4095) & ~4095ull;
	agent_lock();
	if (!agent.far)
		agent.far = FAR_START;
	for (int i = 0; i < FAR_TRIES && !got; i++) {
		got = sys_map_at(agent.far, size, protection, flags, fd, 0);
		agent.far += got ? size + 4096 : FAR_STEP;
	}
	agent_unlock();
	return got;
}

uint8_t *module_map_near(struct agent_module *m, uint64_t size)
{
	uint64_t end = m->lo + m->size;
	uint64_t lowest = end > REACH ? end - REACH : 4096, highest = m->lo + REACH - size;
	uint8_t *got = NULL;

	size = (size + 4095) & ~4095ull;
	agent_lock();
	if (!m->near)
		m->near = m->lo > NEAR_BELOW + REACH / 8 ? (m->lo - NEAR_BELOW) & ~0xfffffull
							 : NEAR_BELOW;
	if (m->near < lowest)
		m->near = (lowest + 4095) & ~4095ull;
	while (!got && m->near <= highest) {
		got = sys_map_at(m->near, size, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		m->near += size;
	}
	agent_unlock();
	return got;
}

/* ---- finding them ---- */

static bool is_same_mapped_file(const char *a, const char *b)
{
	struct stat x, y;

	return !sys3(SYS_stat, (long)a, (long)&x, 0) && !sys3(SYS_stat, (long)b, (long)&y, 0) &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int protection_of(const ElfW(Phdr) * p)
{
	return PROT_EXEC | (p->p_flags & PF_R ? PROT_READ : 0) |
	       (p->p_flags & PF_W ? PROT_WRITE : 0);
}

static void take_data_segment(struct agent_module *m, const ElfW(Phdr) * p)
{
	if (m->n_data < sizeof m->data / sizeof *m->data)
		m->data[m->n_data++] =
			(struct agent_segment){ p->p_vaddr, p->p_memsz, p->p_offset,
						p->p_type == PT_GNU_RELRO ? PROT_READ
									  : protection_of(p) };
}

static void take_all_data(struct agent_module *m, const struct dl_phdr_info *info)
{
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
			take_data_segment(m, &info->dlpi_phdr[i]);
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && !(info->dlpi_phdr[i].p_flags & PF_X))
			take_data_segment(m, &info->dlpi_phdr[i]);
}

static bool take_segments(struct agent_module *m, const struct dl_phdr_info *info)
{
	take_all_data(m, info);
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && p->p_flags & PF_X && m->n_segments < 4)
			m->segments[m->n_segments++] =
				(struct agent_segment){ p->p_vaddr, p->p_filesz, p->p_offset,
							protection_of(p) };
	}
	return m->n_segments;
}

static bool map_module_file(struct agent_module *m, const char *path)
{
	int fd = m == agent.modules ? handed_take(TRACE_HANDED_PROGRAM) : -1;
	uint64_t size;

	if (fd < 0)
		fd = sys_open(path, O_RDONLY, 0);
	if (fd < 0)
		return false;
	size = sys_file_size(fd);
	m->file = size ? far_map(size, PROT_READ, fd) : NULL;
	m->file_size = size;
	sys_close(fd);
	for (unsigned i = 0; i < m->n_segments; i++)
		if (m->segments[i].offset + m->segments[i].size > size)
			return false;
	return m->file;
}

static bool take_module(struct agent_module *m, const struct dl_phdr_info *info, const char *path)
{
	uint32_t n_insns = m->plan->n_insns, n_entries = m->plan->n_entries;
	uint64_t stubs = (uint64_t)n_entries * STUB_SIZE;

	m->bias = info->dlpi_addr;
	m->lo = m->plan->lo + m->bias;
	if (!take_segments(m, info) || !map_module_file(m, path))
		return false;
	if (m->plan->hi <= m->plan->lo || !n_insns)
		return true;
	m->size = m->plan->hi - m->plan->lo;
	m->entry_stubs = (uint64_t)module_map_near(m, stubs + (uint64_t)n_insns * STUB_SIZE);
	m->thunks = m->entry_stubs + stubs;
	return m->entry_stubs;
}

/* arg counts the objects seen: the first one is the executable, whatever its
 * name. */
static int look_at_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	bool first = !(*(unsigned *)arg)++;

	(void)size;
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		struct agent_module *m = &agent.modules[i];
		const char *path = in_plan(m->plan->path);

		if (m->file || (first ? i != 0
				      : !info->dlpi_name || !*info->dlpi_name ||
						!is_same_mapped_file(info->dlpi_name, path)))
			continue;
		return take_module(m, info, path) ? 0 : -1;
	}
	return 0;
}

bool modules_find(void)
{
	const struct trace_plan_module *plan = in_plan(agent.plan->modules);
	uint32_t entry = 0, insn = 0;
	unsigned seen = 0;

	if (!plan || agent.plan->n_modules > TRACE_MAX_MODULES)
		return false;
	agent.n_modules = agent.plan->n_modules;
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		struct agent_module *m = &agent.modules[i];

		m->plan = &plan[i];
		m->index = in_plan(plan[i].index);
		m->insns = in_plan(plan[i].insns);
		m->entries = in_plan(plan[i].entries);
		m->counts = agent.counting ? in_plan(plan[i].counts) : NULL;
		m->first_entry = entry;
		m->first_insn = insn;
		entry += plan[i].n_entries;
		insn += plan[i].n_insns;
	}
	return dl_iterate_phdr(look_at_object, &seen) == 0;
}

struct agent_module *module_at(uint64_t addr)
{
	for (uint32_t i = 0; i < agent.n_modules; i++)
		if (addr - agent.modules[i].lo < agent.modules[i].size)
			return &agent.modules[i];
	return NULL;
}

const uint8_t *module_bytes(const struct agent_module *m, const struct trace_insn *insn)
{
	for (unsigned i = 0; i < m->n_segments; i++) {
		const struct agent_segment *s = &m->segments[i];

		if (insn->addr - s->link < s->size &&
		    insn->addr - s->link + insn->length <= s->size)
			return m->file + s->offset + (insn->addr - s->link);
	}
	return NULL;
}

static bool in_file(const struct agent_module *m, uint64_t offset, uint64_t size)
{
	return offset <= m->file_size && size <= m->file_size - offset;
}

static bool same_text(const struct agent_module *m, uint64_t offset, const char *name)
{
	do
		if (!in_file(m, offset, 1) || m->file[offset++] != (uint8_t)*name)
			return false;
	while (*name++);
	return true;
}

bool module_has_section(const struct agent_module *m, const char *name)
{
	const ElfW(Ehdr) *head = (const void *)m->file;
	const ElfW(Shdr) * sections, *names;

	if (!m->file || !in_file(m, 0, sizeof *head) ||
	    !in_file(m, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections) ||
	    head->e_shstrndx >= head->e_shnum)
		return false;
	sections = (const void *)(m->file + head->e_shoff);
	names = &sections[head->e_shstrndx];
	for (unsigned i = 0; i < head->e_shnum; i++)
		if (names->sh_offset <= m->file_size &&
		    same_text(m, names->sh_offset + sections[i].sh_name, name))
			return true;
	return false;
}

/* ---- return addresses ---- */

uint64_t thunk_for(uint64_t addr)
{
	struct agent_module *m = module_at(addr);
	uint32_t number = m ? module_insn(m, addr) : 0;
	uint64_t thunk;

	if (!number || comes_back_by_itself(m, addr))
		return 0;
	thunk = m->thunks + (uint64_t)(number - 1) * STUB_SIZE;
	if (!*(volatile uint8_t *)thunk)
		emit_stub((uint8_t *)thunk, INSIDE_FIRST + m->first_insn + number - 1);
	return thunk;
}

uint64_t thunk_meaning(uint64_t addr)
{
	for (uint32_t i = 0; i < agent.n_modules; i++) {
		const struct agent_module *m = &agent.modules[i];
		uint64_t at = addr - m->thunks;

		if (m->size && at < (uint64_t)m->plan->n_insns * STUB_SIZE && at % STUB_SIZE == 0)
			return m->insns[at / STUB_SIZE].addr + m->bias;
	}
	return 0;
}
