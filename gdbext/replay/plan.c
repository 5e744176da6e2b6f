/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_TRACED (64ull << 20) /* bytes of code in one module; its tables are 25 times that */
#define MAX_PLAN (1u << 30)	 /* bytes of a base without its last module */

G_DEFINE_QUARK(gdb - why - plan - error, plan_error)

/* Begins with the struct trace_plan that all its plans begin with. */
struct plan_base {
	GByteArray *bytes;
};

/* Appends, 16-aligned; where it stands. */
static uint64_t put(GByteArray *to, const void *bytes, size_t size)
{
	static const uint8_t zeros[16];
	uint64_t at;

	g_byte_array_append(to, zeros, (16 - to->len % 16) % 16);
	at = to->len;
	if (size)
		g_byte_array_append(to, bytes, (guint)size);
	return at;
}

static uint64_t put_string(GByteArray *to, uint64_t start, const char *text)
{
	return text ? start + put(to, text, strlen(text) + 1) : 0;
}

static bool put_module(GByteArray *to, const struct plan_module *module,
		       struct trace_plan_module *made, GError **error)
{
	const struct trace_insn *insns = module->insns;
	size_t n = module->n_insns;
	struct trace_plan_module m = { .path = put_string(to, 0, module->path),
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
	m.index = put(to, index, (m.hi - m.lo) * sizeof *index);
	m.insns = put(to, insns, n * sizeof *insns);
	m.entries = put(to, module->entries, module->n_entries * sizeof *module->entries);
	if (module->counts)
		m.counts = put(to, module->counts, n * sizeof *module->counts);
	m.n_counters = module->n_counters;
	m.n_edges = module->n_edges;
	*made = m;
	return true;
}

struct plan_base *plan_base_new(const struct plan_module *modules, size_t n_modules, GError **error)
{
	struct trace_plan_module made[TRACE_MAX_MODULES];
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct trace_plan plan = { .magic = TRACE_PLAN_MAGIC,
				   .version = TRACE_VERSION,
				   .n_modules = (uint32_t)n_modules };
	struct plan_base *base;

	if (n_modules > TRACE_MAX_MODULES) {
		g_set_error(error, PLAN_ERROR, PLAN_ERROR_TOO_LARGE,
			    "At most %d modules can be traced at once.", TRACE_MAX_MODULES);
		return NULL;
	}
	put(bytes, &plan, sizeof plan);
	for (size_t i = 0; i < n_modules; i++)
		if (!put_module(bytes, &modules[i], &made[i], error))
			return NULL;
	plan.modules = put(bytes, made, n_modules * sizeof *made);
	put(bytes, NULL, 0); /* leaves the end aligned */
	memcpy(bytes->data, &plan, sizeof plan);
	base = g_new0(struct plan_base, 1);
	base->bytes = g_steal_pointer(&bytes);
	return base;
}

void plan_base_free(struct plan_base *base)
{
	if (!base)
		return;
	g_byte_array_unref(base->bytes);
	g_free(base);
}

static bool write_pieces(const char *path, struct iovec *pieces, int n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool written = fd >= 0;

	while (written && n) {
		ssize_t got = writev(fd, pieces, n);

		written = got >= 0 || errno == EINTR;
		for (; got > 0 && n && (size_t)got >= pieces->iov_len; pieces++, n--)
			got -= (ssize_t)pieces->iov_len;
		if (got > 0 && n) {
			pieces->iov_base = (char *)pieces->iov_base + got;
			pieces->iov_len -= (size_t)got;
		}
	}
	return fd >= 0 && !close(fd) && written;
}

/* The run's own part; start: where it will stand in the file. */
static void put_options(GByteArray *own, uint64_t start, const struct plan_options *o,
			struct trace_plan *plan)
{
	plan->flags = o->flags;
	plan->max_insns = o->max_insns;
	plan->max_bytes = o->max_bytes;
	plan->window = o->window;
	plan->n_actions = (uint32_t)o->n_actions;
	plan->program = put_string(own, start, o->program);
	plan->directory = put_string(own, start, o->directory);
	plan->in = put_string(own, start, o->in);
	plan->out = put_string(own, start, o->out);
	plan->err = put_string(own, start, o->err);
	plan->preload = put_string(own, start, o->preload);
	plan->key = put_string(own, start, o->key);
	if (o->n_actions)
		plan->actions = start + put(own, o->actions, o->n_actions * sizeof *o->actions);
}

bool plan_write(const struct plan_base *base, const char *path, const struct plan_options *options,
		GError **error)
{
	g_autoptr(GByteArray) own = g_byte_array_new();
	struct trace_plan plan;
	struct iovec pieces[3];

	memcpy(&plan, base->bytes->data, sizeof plan);
	put_options(own, base->bytes->len, options, &plan);
	pieces[0] = (struct iovec){ &plan, sizeof plan };
	pieces[1] =
		(struct iovec){ base->bytes->data + sizeof plan, base->bytes->len - sizeof plan };
	pieces[2] = (struct iovec){ own->data, own->len };
	if (write_pieces(path, pieces, G_N_ELEMENTS(pieces)))
		return true;
	g_set_error(error, PLAN_ERROR, PLAN_ERROR_WRITE,
		    "Cannot write %s: %s; make room there or set GDB_WHY_TMPDIR.", path,
		    g_strerror(errno));
	return false;
}
