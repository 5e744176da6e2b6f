/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile's file.  It comes from outside: nothing in it is believed. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solver/base/hash.h"
#include "gdbext/profile/private.h"

#define MOST_BYTES (1ull << 30)
#define MOST_TIMES (1ull << 56) /* nothing is done so often */

struct reader {
	const struct code *code;
	const char *path;
	const uint8_t *bytes;
	size_t size;
	struct counts *out;
	GError **error;
};

G_GNUC_PRINTF(2, 3) static bool refuse(const struct reader *r, const char *format, ...)
{
	g_autofree char *why = NULL;
	va_list ap;

	va_start(ap, format);
	why = g_strdup_vprintf(format, ap);
	va_end(ap);
	g_set_error(r->error, PROFILE_ERROR, PROFILE_ERROR_FILE,
		    "%s %s; remove it and run the test again.", r->path, why);
	return false;
}

static bool is_zero_filled(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

static bool check_profile_head(const struct reader *r, const char *key, struct counts_head *head)
{
	uint64_t section = counts_part(r->code->n_counters, r->code->n_edges, 1);

	if (r->size < sizeof *head || memcmp(r->bytes, COUNTS_MAGIC, sizeof head->magic) != 0)
		return refuse(r, "is not a profile of gdb-why's");
	memcpy(head, r->bytes, sizeof *head);
	if (head->version != COUNTS_VERSION)
		return refuse(r, "is a profile of version %u, not %d", head->version,
			      COUNTS_VERSION);
	if (memcmp(head->key, key, COUNTS_KEY) != 0 || head->section != section)
		return refuse(r, "is the profile of another program, or of another build of it");
	/* a process that is killed while it takes a section leaves one that does not count */
	if (r->size < COUNTS_PAGE || (r->size - COUNTS_PAGE) % section ||
	    (r->size - COUNTS_PAGE) / section < head->n_sections)
		return refuse(r, "is cut short, or longer than it says");
	if (!is_zero_filled(r->bytes + sizeof *head, COUNTS_PAGE - sizeof *head))
		return refuse(r, "has been altered");
	return true;
}

static bool add_times(guint64 *to, uint64_t times)
{
	if (times > MOST_TIMES || *to + times > MOST_TIMES)
		return false;
	*to += times;
	return true;
}

static bool add_faults(struct reader *r, const struct counts_section *s)
{
	for (unsigned i = 0; i < COUNTS_FAULTS; i++) {
		const struct count_fault *f = &s->faults[i];

		if (f->module || f->insn > r->code->n_insns || (!f->insn && f->count) ||
		    f->count > G_MAXINT)
			return false;
		if (f->insn)
			r->out->faults[f->insn - 1] += f->count;
		r->out->summary.faults += (unsigned)f->count;
	}
	return true;
}

static bool add_read_edge(struct reader *r, const struct count_edge *e)
{
	const struct code *code = r->code;
	guint64 key = (guint64)e->from << 32 | e->to, *times;

	if (!e->from)
		return !e->to && !e->count;
	if (e->from > code->n_insns || e->to > code->n_insns ||
	    code->insns[e->from - 1].flow != TRACE_FLOW_JUMP_IND)
		return false;
	times = g_hash_table_lookup(r->out->edges, &key);
	if (!times) {
		times = g_new0(guint64, 2); /* the key follows */
		times[1] = key;
		g_hash_table_insert(r->out->edges, &times[1], times);
	}
	return add_times(times, e->count);
}

static bool add_section(struct reader *r, const uint8_t *bytes)
{
	const struct code *code = r->code;
	struct counts_section s;
	const uint8_t *edges = bytes + sizeof s + 8ull * code->n_counters;

	memcpy(&s, bytes, sizeof s);
	if (s.pad || !add_times(&r->out->summary.lost, s.lost) || !add_faults(r, &s))
		return refuse(r, "has been altered");
	for (uint32_t i = 0; i < code->n_counters; i++) {
		uint64_t times;

		memcpy(&times, bytes + sizeof s + 8ull * i, sizeof times);
		if (times && !add_times(&r->out->counters[i], times))
			return refuse(r, "has been altered");
	}
	for (uint32_t i = 0; i < code->n_edges; i++) {
		struct count_edge e;

		memcpy(&e, edges + i * sizeof e, sizeof e);
		if (!add_read_edge(r, &e))
			return refuse(r, "has been altered");
	}
	return true;
}

/* Sections of the same process follow each other mostly, but need not. */
static bool add_profile_sections(struct reader *r, const struct counts_head *head)
{
	g_autoptr(GHashTable) pids = g_hash_table_new(NULL, NULL);

	for (uint32_t i = 0; i < head->n_sections; i++) {
		const uint8_t *at = r->bytes + COUNTS_PAGE + i * head->section;
		uint32_t pid;

		memcpy(&pid, at, sizeof pid);
		if (pid) /* 0: it ended before it had begun */
			g_hash_table_add(pids, GUINT_TO_POINTER(pid));
		if (!add_section(r, at))
			return false;
	}
	r->out->summary.sections = head->n_sections;
	r->out->summary.processes = g_hash_table_size(pids);
	return true;
}

static bool fail_to_read(const char *path, int number, GError **error)
{
	if (number == ENOENT)
		g_set_error(error, PROFILE_ERROR, PROFILE_ERROR_NONE,
			    "There is no profile %s: the test did not start the program, or not "
			    "with the recorder; see that the test runs it by its path and keeps "
			    "LD_PRELOAD and GDB_WHY_PLAN in its environment.",
			    path);
	else
		g_set_error(error, PROFILE_ERROR, PROFILE_ERROR_SYSTEM, "Cannot read %s: %s.", path,
			    g_strerror(number));
	return false;
}

static bool read_all_of_profile(const char *path, uint8_t **bytes, size_t *size, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st = { 0 };
	size_t n = 0;

	if (fd < 0)
		return fail_to_read(path, errno, error);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > MOST_BYTES) {
		close(fd);
		g_set_error(error, PROFILE_ERROR, PROFILE_ERROR_FILE,
			    "%s is not a profile: it is no regular file, or too large.", path);
		return false;
	}
	*bytes = g_malloc((gsize)st.st_size + 1);
	while (n < (size_t)st.st_size) {
		ssize_t got = read(fd, *bytes + n, (size_t)st.st_size - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	close(fd);
	*size = n;
	return true;
}

bool counts_parse(const struct code *code, const char *key, const char *path, const uint8_t *bytes,
		  size_t size, struct counts *out, GError **error)
{
	struct reader r = { code, path, bytes, size, out, error };
	struct counts_head head;

	*out = (struct counts){ 0 };
	if (!check_profile_head(&r, key, &head))
		return false;
	out->counters = g_new0(guint64, code->n_counters + 1);
	out->faults = g_new0(guint64, code->n_insns + 1);
	out->edges = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	if (add_profile_sections(&r, &head))
		return true;
	counts_clear(out);
	return false;
}

bool counts_read(const struct code *code, const char *key, const char *path, struct counts *out,
		 GError **error)
{
	g_autofree uint8_t *bytes = NULL;
	size_t size;

	return read_all_of_profile(path, &bytes, &size, error) &&
	       counts_parse(code, key, path, bytes, size, out, error);
}

void counts_clear(struct counts *counts)
{
	g_free(counts->counters);
	g_free(counts->faults);
	g_clear_pointer(&counts->edges, g_hash_table_unref);
	*counts = (struct counts){ 0 };
}
