/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/run/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_TRACED (64ull << 20) /* bytes of code in one module; its tables are 25 times that */
#define MAX_PLAN (1u << 30)	 /* bytes of a base without its last module */

G_DEFINE_QUARK(gdb - why - plan - error, plan_error)

struct plan_base {
	char *file;
	uint32_t n_modules;
	uint64_t modules; /* offset */
};

/* Appends, 16-aligned; where it stands. */
static uint64_t put_plan_bytes(GByteArray *to, const void *bytes, size_t size)
{
	static const uint8_t zeros[16];
	uint64_t at;

	g_byte_array_append(to, zeros, (16 - to->len % 16) % 16);
	at = to->len;
	if (size)
		g_byte_array_append(to, bytes, (guint)size);
	return at;
}

static uint64_t put_plan_string(GByteArray *to, uint64_t start, const char *text)
{
	return text ? start + put_plan_bytes(to, text, strlen(text) + 1) : 0;
}

static uint64_t put_in_base(GByteArray *to, const void *bytes, size_t size)
{
	return TRACE_PLAN_BASE + put_plan_bytes(to, bytes, size);
}

static bool put_module(GByteArray *to, const struct plan_module *module,
		       struct trace_plan_module *made, GError **error)
{
	const struct trace_insn *insns = module->insns;
	size_t n = module->n_insns;
	struct trace_plan_module m = { .path = put_plan_string(to, TRACE_PLAN_BASE, module->path),
				       .n_insns = (uint32_t)n,
				       .n_entries = (uint32_t)module->n_entries };
	g_autofree uint32_t *index = NULL;

	if (n) {
		m.lo = insns[0].addr;
		m.hi = insns[n - 1].addr + insns[n - 1].length;
	}
	if (m.hi - m.lo > MAX_TRACED || to->len > MAX_PLAN) {
		g_set_error(error, PLAN_ERROR, PLAN_ERROR_TOO_LARGE,
			    "%s has too much code to trace (%" PRIu64 " MiB); trace fewer "
			    "libraries.",
			    module->path, (m.hi - m.lo) >> 20);
		return false;
	}
	index = g_new0(uint32_t, m.hi - m.lo + 1);
	for (size_t i = 0; i < n; i++)
		index[insns[i].addr - m.lo] = (uint32_t)i + 1;
	m.index = put_in_base(to, index, (m.hi - m.lo) * sizeof *index);
	m.insns = put_in_base(to, insns, n * sizeof *insns);
	m.entries = put_in_base(to, module->entries, module->n_entries * sizeof *module->entries);
	if (module->counts)
		m.counts = put_in_base(to, module->counts, n * sizeof *module->counts);
	m.n_counters = module->n_counters;
	m.n_edges = module->n_edges;
	*made = m;
	return true;
}

static bool write_pieces(const char *path, struct iovec *pieces, int n, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool written = fd >= 0;

	while (written && n) {
		ssize_t got = writev(fd, pieces, n);

		written = got > 0 || (got < 0 && errno == EINTR);
		for (; got > 0 && n && (size_t)got >= pieces->iov_len; pieces++, n--)
			got -= (ssize_t)pieces->iov_len;
		if (got > 0 && n) {
			pieces->iov_base = (char *)pieces->iov_base + got;
			pieces->iov_len -= (size_t)got;
		}
	}
	if (fd >= 0 && !close(fd) && written)
		return true;
	g_set_error(error, PLAN_ERROR, PLAN_ERROR_WRITE, "Cannot write %s: %s; %s.", path,
		    g_strerror(errno),
		    errno == EFBIG ? "raise the limit for files (ulimit -f)"
				   : "make room there or set GDB_WHY_TMPDIR");
	return false;
}

struct plan_base *plan_base_new(const struct plan_module *modules, size_t n_modules,
				const char *file, GError **error)
{
	struct trace_plan_module made[TRACE_MAX_MODULES];
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct plan_base base = { .n_modules = (uint32_t)n_modules };
	struct iovec piece;

	if (n_modules > TRACE_MAX_MODULES) {
		g_set_error(error, PLAN_ERROR, PLAN_ERROR_TOO_LARGE,
			    "At most %d modules can be traced at once.", TRACE_MAX_MODULES);
		return NULL;
	}
	for (size_t i = 0; i < n_modules; i++)
		if (!put_module(bytes, &modules[i], &made[i], error))
			return NULL;
	base.modules = put_in_base(bytes, made, n_modules * sizeof *made);
	piece = (struct iovec){ bytes->data, bytes->len };
	if (!write_pieces(file, &piece, 1, error))
		return NULL;
	base.file = g_strdup(file);
	return g_memdup2(&base, sizeof base);
}

void plan_base_free(struct plan_base *base)
{
	if (!base)
		return;
	g_free(base->file);
	g_free(base);
}

static void put_options(GByteArray *own, const struct plan_options *o, struct trace_plan *plan)
{
	const uint64_t start = sizeof *plan;

	plan->flags = o->flags;
	plan->max_insns = o->max_insns;
	plan->max_bytes = o->max_bytes;
	plan->window = o->window;
	plan->from = o->from;
	plan->from_thread = o->from_thread;
	plan->follow = o->follow;
	plan->handed = o->handed;
	plan->n_handed = o->n_handed;
	if (o->follow || o->flags & TRACE_NO_CHILDREN)
		memcpy(plan->forks, o->forks, sizeof(plan->forks));
	plan->n_actions = (uint32_t)o->n_actions;
	plan->program = put_plan_string(own, start, o->program);
	plan->directory = put_plan_string(own, start, o->directory);
	plan->in = put_plan_string(own, start, o->in);
	plan->out = put_plan_string(own, start, o->out);
	plan->err = put_plan_string(own, start, o->err);
	plan->output_file = put_plan_string(own, start, o->output_file);
	plan->preload = put_plan_string(own, start, o->preload);
	plan->key = put_plan_string(own, start, o->key);
	if (o->n_actions)
		plan->actions =
			start + put_plan_bytes(own, o->actions, o->n_actions * sizeof *o->actions);
}

bool plan_write(const struct plan_base *base, const char *path, const struct plan_options *options,
		GError **error)
{
	g_autoptr(GByteArray) own = g_byte_array_new();
	struct trace_plan plan = { .magic = TRACE_PLAN_MAGIC,
				   .version = TRACE_VERSION,
				   .n_modules = base->n_modules,
				   .modules = base->modules };
	struct iovec pieces[2];

	put_options(own, options, &plan);
	plan.base = put_plan_string(own, sizeof plan, base->file);
	if (sizeof plan + own->len > TRACE_PLAN_BASE) {
		g_set_error(error, PLAN_ERROR, PLAN_ERROR_TOO_LARGE,
			    "%zu executions cannot be changed in one run.", options->n_actions);
		return false;
	}
	pieces[0] = (struct iovec){ &plan, sizeof plan };
	pieces[1] = (struct iovec){ own->data, own->len };
	return write_pieces(path, pieces, G_N_ELEMENTS(pieces), error);
}
