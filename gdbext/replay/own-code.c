/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has the program changed its own traced code?  Recorded runs execute copies of that code as it
 * is in the file, and would not notice.  So the code of the process is compared with the file when
 * it stops for the last time, but for the bytes that the recorder itself has changed.
 */
#include "gdbext/replay/internal.h"

#include "solver/image/image.h"

#include <sys/uio.h>

enum { INT3 = 0xcc };

/* One module of the plan, as it is in the process. */
struct code {
	const struct image *image;
	const struct trace_plan_module *module;
	const struct trace_insn *insns;
	uint64_t bias;
	uint8_t *bytes, *patched; /* from module->lo on; a bit for each */
};

static uint8_t *read_memory_of_process(pid_t pid, uint64_t from, uint64_t size)
{
	g_autofree uint8_t *to = g_try_malloc(size);
	struct iovec ours = { to, size }, theirs = { (void *)(uintptr_t)from, size };

	if (!to || process_vm_readv(pid, &ours, 1, &theirs, 1, 0) != (ssize_t)size)
		return NULL;
	return g_steal_pointer(&to);
}

static bool is_insn_changed(const struct code *c, const struct trace_insn *insn)
{
	uint64_t at = insn->addr - c->module->lo;
	size_t avail = 0;
	const uint8_t *file = image_bytes(c->image, insn->addr, &avail);

	for (unsigned k = 0; file && avail >= insn->length && k < insn->length; k++)
		if (c->bytes[at + k] != file[k] && !(c->patched[(at + k) / 8] >> (at + k) % 8 & 1))
			return k || c->bytes[at] != INT3; /* GDB's */
	return false;
}

static bool is_any_changed(const struct code *c)
{
	uint64_t size = c->module->hi - c->module->lo;

	for (uint32_t i = 0; i < c->module->n_insns; i++) {
		const struct trace_insn *insn = &c->insns[i];

		if (insn->addr < c->module->lo || insn->addr - c->module->lo > size ||
		    insn->length > size - (insn->addr - c->module->lo))
			continue;
		if (is_insn_changed(c, insn))
			return true;
	}
	return false;
}

static bool is_process_code_changed(struct code *c, pid_t pid, uint64_t patched)
{
	uint64_t size = c->module->hi - c->module->lo;
	bool changed;

	c->bytes = read_memory_of_process(pid, c->module->lo + c->bias, size);
	c->patched = read_memory_of_process(pid, patched, (size + 7) / 8);
	changed = c->bytes && c->patched && is_any_changed(c);
	g_free(c->bytes);
	g_free(c->patched);
	return changed;
}

/* Instructions of the base file, whose offsets are counted from TRACE_PLAN_BASE on. */
static const void *in_base(GMappedFile *base, uint64_t offset, uint64_t n, size_t size)
{
	uint64_t at = offset - TRACE_PLAN_BASE, length = g_mapped_file_get_length(base);

	return at <= length && n <= (length - at) / size ? g_mapped_file_get_contents(base) + at
							 : NULL;
}

bool replay_code_is_changed(struct replay *r, pid_t pid, const char *folder)
{
	g_autofree char *path = g_build_filename(r->folder->path, REPLAY_BASE, NULL);
	g_autoptr(GMappedFile) base = g_mapped_file_new(path, FALSE, NULL);
	const struct trace_plan_module *modules;
	struct trace_plan plan;
	struct trace_head head;

	if (!base || !replay_read_plan(folder, &plan) || !replay_read_head(folder, 0, &head))
		return false;
	modules = in_base(base, plan.modules, r->n_images, sizeof *modules);
	for (size_t i = 0; modules && i < r->n_images && i < TRACE_MAX_MODULES; i++) {
		struct code c = { .image = r->images[i],
				  .module = &modules[i],
				  .bias = head.bias[i] };

		c.insns = in_base(base, modules[i].insns, modules[i].n_insns, sizeof *c.insns);
		if (plan.patched[i] && c.insns && modules[i].hi > modules[i].lo &&
		    is_process_code_changed(&c, pid, plan.patched[i]))
			return true;
	}
	return false;
}
