/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan file of a run.  Most of it (what is traced) is the same
 * for all runs of a question and is put together once; a run's own folder,
 * limits and actions are added at its end.
 */
#include "gdbext/replay/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_TRACED (64ull << 20) /* bytes of code in one module; its tables are 25 times that */
#define MAX_PLAN (1u << 30)	 /* bytes of the plan without its last module */

/* Appends bytes, 16-aligned; where they stand. */
static uint64_t put(GByteArray *to, const void *bytes, size_t size)
{
	static const uint8_t zeros[16];
	uint64_t at;

	g_byte_array_append(to, zeros, (16 - to->len % 16) % 16);
	at = to->len;
	g_byte_array_append(to, bytes, (guint)size);
	return at;
}

static uint64_t put_string(GByteArray *to, const char *text)
{
	return text ? put(to, text, strlen(text) + 1) : 0;
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Cold parts are jumped to, never called. */
static uint64_t put_entries(GByteArray *to, const struct image *im, uint32_t *n)
{
	const struct image_function *functions;
	size_t count = image_functions(im, &functions);
	g_autofree uint64_t *entries = g_new(uint64_t, count + 1);

	*n = 0;
	for (size_t i = 0; i < count; i++)
		if (!functions[i].parent)
			entries[(*n)++] = functions[i].entry;
	qsort(entries, *n, sizeof *entries, compare_addresses);
	return put(to, entries, *n * sizeof *entries);
}

static bool put_module(GByteArray *to, const struct image *im, struct trace_plan_module *made,
		       GError **error)
{
	struct trace_plan_module m = { .path = put_string(to, image_path(im)) };
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	g_autofree uint32_t *index = NULL;

	if (n) {
		m.lo = insns[0].addr;
		m.hi = insns[n - 1].addr + insns[n - 1].length;
	}
	if (m.hi - m.lo > MAX_TRACED || to->len > MAX_PLAN) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "%s has too much code to trace (%" PRIu64 " MiB); trace fewer "
			    "libraries.",
			    image_path(im), (m.hi - m.lo) >> 20);
		return false;
	}
	index = g_new0(uint32_t, m.hi - m.lo + 1);
	for (size_t i = 0; i < n; i++)
		index[insns[i].addr - m.lo] = (uint32_t)i + 1;
	m.index = put(to, index, (m.hi - m.lo) * sizeof *index);
	m.insns = put(to, insns, n * sizeof *insns);
	m.n_insns = (uint32_t)n;
	m.entries = put_entries(to, im, &m.n_entries);
	*made = m;
	return true;
}

GByteArray *replay_plan_base(struct replay *r, GError **error)
{
	struct trace_plan_module modules[TRACE_MAX_MODULES];
	g_autoptr(GByteArray) base = g_byte_array_new();
	struct trace_plan plan = {
		.magic = TRACE_PLAN_MAGIC,
		.version = TRACE_VERSION,
		.n_modules = (uint32_t)r->n_images,
		.max_bytes = r->max_bytes,
	};

	put(base, &plan, sizeof plan);
	for (size_t i = 0; i < r->n_images; i++)
		if (!put_module(base, r->images[i], &modules[i], error))
			return NULL;
	plan.modules = put(base, modules, r->n_images * sizeof *modules);
	plan.program = put_string(base, r->program);
	plan.preload = put_string(base, r->user_preload);
	put(base, NULL, 0); /* leaves the end aligned */
	memcpy(base->data, &plan, sizeof plan);
	return g_steal_pointer(&base);
}

static bool write_pieces(const char *path, struct iovec *pieces, int n)
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
	return fd >= 0 && !close(fd) && written;
}

bool replay_write_plan(struct replay *r, const char *folder, uint32_t flags,
		       const struct run_request *request, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "plan", NULL);
	g_autoptr(GByteArray) own = g_byte_array_new();
	const GByteArray *base = r->plan_base;
	struct trace_plan plan;
	struct iovec pieces[3];

	memcpy(&plan, base->data, sizeof plan);
	plan.flags = flags | (r->addresses ? TRACE_ADDRESSES : 0) | (r->jit ? TRACE_JIT : 0);
	plan.window = request ? 0 : r->window;
	plan.from = request ? request->from : 0;
	plan.from_thread = request ? request->thread : 0;
	plan.max_insns = request ? request->max_insns : r->max_insns;
	plan.cpu_us = request ? request->cpu_us : 0;
	plan.directory = base->len + put_string(own, folder);
	if (request && request->n_actions) {
		plan.n_actions = (uint32_t)request->n_actions;
		plan.actions = base->len + put(own, request->actions,
					       request->n_actions * sizeof *request->actions);
	}
	pieces[0] = (struct iovec){ &plan, sizeof plan };
	pieces[1] = (struct iovec){ base->data + sizeof plan, base->len - sizeof plan };
	pieces[2] = (struct iovec){ own->data, own->len };
	if (write_pieces(path, pieces, G_N_ELEMENTS(pieces)))
		return true;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "Cannot write %s: %s; %s.", path,
		    g_strerror(errno),
		    errno == EFBIG ? "raise the limit for files (ulimit -f)"
				   : "make room there or set GDB_WHY_TMPDIR");
	return false;
}

/* What the recorder could not do is not the program's failure. */
static bool gave_up(uint32_t why, const char *folder, GError **error)
{
	static const char *const sentences[] = {
		[TRACE_GAVE_UP_FILES] = "its standard files cannot be opened",
		[TRACE_GAVE_UP_MAPPING] = "there is no address space for a copy of its code; raise "
					  "the limit (ulimit -v)",
		[TRACE_GAVE_UP_RECORD] = "there is no room for a record, or files may not grow "
					 "(ulimit -f); make room or set GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_CODE] = "this system does not let its code be changed",
		[TRACE_GAVE_UP_THREAD] = "there is no room for the record of another thread, or no "
					 "memory; make room or set GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_PROFILE] = "there is no room for its profile; make room or set "
					  "GDB_WHY_TMPDIR",
		[TRACE_GAVE_UP_INSIDE] = "it does what the recorder cannot follow",
	};

	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		    "The program cannot be recorded in %s: %s.", folder,
		    why < G_N_ELEMENTS(sentences) && sentences[why] ? sentences[why]
								    : "the recorder gave up");
	return false;
}

static bool read_plan(const char *folder, struct trace_plan *plan)
{
	g_autofree char *path = g_build_filename(folder, "plan", NULL);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, plan, sizeof *plan, 0);

	if (fd >= 0)
		close(fd);
	return got == sizeof *plan;
}

bool replay_code_was_opened(const char *folder)
{
	struct trace_plan plan;

	return read_plan(folder, &plan) && plan.code_opened;
}

bool replay_check_claimed(const char *folder, GError **error)
{
	struct trace_plan plan;

	if (read_plan(folder, &plan) && plan.claimed)
		return plan.gave_up == TRACE_GAVE_UP_NOT || gave_up(plan.gave_up, folder, error);
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
		    "The recorder was not loaded into the program, which may be using another C "
		    "library or loader, or be killed before its start; run it with LD_PRELOAD set "
		    "to gdb-why-agent.so to see what the loader says.");
	return false;
}
