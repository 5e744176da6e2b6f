/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/fold.h"

#include "gdbext/suite/cache-private.h"
#include "gdbext/suite/task.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The reader takes files only. */
static int file_of_bytes(GBytes *bytes)
{
	int fd = memfd_create("gdb-why-profile", MFD_CLOEXEC);
	gsize length;
	const char *at = g_bytes_get_data(bytes, &length);

	while (fd >= 0 && length) {
		ssize_t put = write(fd, at, length);

		if (put <= 0) {
			close(fd);
			return -1;
		}
		at += put;
		length -= (gsize)put;
	}
	return fd;
}

static bool read_bytes(const struct task *t, GBytes *bytes, GError **error)
{
	int fd = file_of_bytes(bytes);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	bool ok = profile_read(t->pool->result->plan, path, t->pool->result->spectrum, NULL, error);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* Keeps how the test ended, unless it hung within less time than a test has: alone it may end. */
static void keep_outcome(const struct task *t, const struct suite_outcome *o, GBytes *profile)
{
	if (o->end.kind != SUITE_TIMED_OUT || !t->short_timeout)
		suite_cache_put(t->pool->cache, t->key, &o->end, profile);
}

static bool read_put_aside(const struct task *t, const struct suite_outcome *o, GError **error)
{
	g_autoptr(GBytes) bytes = cache_unpack(t->packed, t->size);

	if (!read_bytes(t, bytes, error))
		return false;
	keep_outcome(t, o, bytes);
	return true;
}

static bool read_profile_file(const struct task *t, const struct suite_outcome *o, GError **error)
{
	g_autofree char *path = task_profile(t);
	g_autofree char *contents = NULL;
	gsize length;

	if (!profile_read(t->pool->result->plan, path, t->pool->result->spectrum, NULL, error))
		return false;
	if (t->pool->cache && g_file_get_contents(path, &contents, &length, NULL)) {
		g_autoptr(GBytes) bytes = g_bytes_new_take(g_steal_pointer(&contents), length);

		keep_outcome(t, o, bytes);
	}
	return true;
}

static bool read_profile(const struct task *t, const struct suite_outcome *o, GError **error)
{
	if (t->profile)
		return read_bytes(t, t->profile, error);
	return t->packed ? read_put_aside(t, o, error) : read_profile_file(t, o, error);
}

/* Why a test has no profile: a clause. */
static char *explain_missing_profile(const struct suite_outcome *o, const GError *wrong)
{
	if (!g_error_matches(wrong, PROFILE_ERROR, PROFILE_ERROR_NONE))
		return g_strndup(wrong->message,
				 strlen(wrong->message) - g_str_has_suffix(wrong->message, "."));
	if (o->end.kind == SUITE_EXITED)
		return g_strdup_printf("it ended with status %d and did not run the program",
				       o->end.number);
	return g_strdup("it ended before it ran the program");
}

static void leave_out(struct task *t, struct suite_outcome *o)
{
	struct suite_result *r = t->pool->result;

	o->verdict = SUITE_UNKNOWN;
	r->unknown++;
	suite_leave_out(r->suite, t->test->place, t->fault);
}

static void fold_task(struct task *t)
{
	struct suite_result *r = t->pool->result;
	struct suite_outcome *o = &g_array_index(r->outcomes, struct suite_outcome, t->index);
	g_autoptr(GError) wrong = NULL;

	if (t->fault) {
		leave_out(t, o);
		return;
	}
	spectrum_begin(r->spectrum, t->test->name,
		       o->verdict == SUITE_PASSED ? SPECTRUM_PASSED : SPECTRUM_FAILED);
	if (!read_profile(t, o, &wrong)) {
		spectrum_drop(r->spectrum);
		t->fault = explain_missing_profile(o, wrong);
		leave_out(t, o);
		return;
	}
	spectrum_end(r->spectrum);
	o->row = spectrum_n_tests(r->spectrum) - 1;
	*(o->verdict == SUITE_PASSED ? &r->passed : &r->failed) += 1;
	r->cached += o->cached;
}

static void fold_next(struct pool *p)
{
	struct task **t = &p->tasks[p->folded++];

	if ((*t)->ready)
		fold_task(*t);
	g_clear_pointer(t, task_free);
}

void fold_ready(struct pool *p)
{
	while (p->folded < p->begun && p->tasks[p->folded] && p->tasks[p->folded]->ready)
		fold_next(p);
}

void fold_rest(struct pool *p)
{
	struct suite_result *r = p->result;

	while (p->folded < p->begun)
		fold_next(p);
	r->not_run = r->outcomes->len - p->done;
	r->unknown += r->not_run;
}
