/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/private.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - trace - error, trace_error)

void trace_thread_clear(gpointer thread)
{
	struct trace_thread *t = thread;

	g_clear_pointer(&t->file, g_mapped_file_unref);
	g_clear_pointer(&t->async_file, g_mapped_file_unref);
	g_clear_pointer(&t->output_file, g_mapped_file_unref);
	g_clear_pointer(&t->owned_head, g_free);
	g_clear_pointer(&t->owned_stream, g_free);
}

static bool bad_record(GError **error, const char *path, const char *why)
{
	g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
		    "The record '%s' cannot be read: %s; record the run again.", path, why);
	return false;
}

static bool check_head(const char *path, const struct trace_head *head, size_t file_size,
		       unsigned number, size_t n_images, GError **error)
{
	if (file_size < TRACE_STREAM_OFFSET)
		return bad_record(error, path, "it is shorter than its header");
	if (memcmp(head->magic, TRACE_HEAD_MAGIC, sizeof(head->magic)) != 0)
		return bad_record(error, path, "it does not begin as a record does");
	if (head->version < TRACE_OLDEST_VERSION || head->version > TRACE_VERSION)
		return bad_record(error, path, "it was made by another version of the recorder");
	if (head->thread != number)
		return bad_record(error, path, "it is of another thread than its name says");
	if (head->n_modules != n_images)
		return bad_record(error, path, "it is of another set of modules");
	if (head->length > file_size - TRACE_STREAM_OFFSET)
		return bad_record(error, path, "it is cut off before its end");
	if (head->first_insns > head->insns || head->first_async > head->n_async)
		return bad_record(error, path, "it starts behind its end");
	return true;
}

static bool map_async(const struct trace_run *r, unsigned number, struct trace_thread *t,
		      GError **error)
{
	g_autofree char *name = g_strdup_printf("async.%u", number);
	g_autofree char *path = g_build_filename(r->directory, name, NULL);
	uint64_t n = t->head->n_async;

	if (n == 0)
		return true;
	t->async_file = g_mapped_file_new(path, FALSE, NULL);
	if (!t->async_file || g_mapped_file_get_length(t->async_file) / sizeof(*t->async) < n)
		return bad_record(error, path, "signals that arrived are missing from it");
	t->async = (const struct trace_async *)(void *)g_mapped_file_get_contents(t->async_file);
	return true;
}

static bool map_output_notes(const struct trace_run *r, unsigned number, struct trace_thread *t,
			     GError **error)
{
	g_autofree char *name = g_strdup_printf("output.%u", number);
	g_autofree char *path = g_build_filename(r->directory, name, NULL);
	uint64_t n = t->head->n_output;

	if (n == 0)
		return true;
	t->output_file = g_mapped_file_new(path, FALSE, NULL);
	if (!t->output_file || g_mapped_file_get_length(t->output_file) / sizeof(*t->output) < n)
		return bad_record(error, path, "what was printed when is missing from it");
	t->output = (const struct trace_output *)(void *)g_mapped_file_get_contents(t->output_file);
	return true;
}

/* The run ended while the recorder was making the file. */
static bool is_blank_file(GMappedFile *file)
{
	static const char nothing[8];
	size_t size = g_mapped_file_get_length(file);

	return size == 0 || (size >= sizeof(nothing) && memcmp(g_mapped_file_get_contents(file),
							       nothing, sizeof(nothing)) == 0);
}

/* False with no error when there is no such thread. */
static bool map_thread(const struct trace_run *r, unsigned number, struct trace_thread *t,
		       GError **error)
{
	g_autofree char *name = g_strdup_printf("trace.%u", number);
	g_autofree char *path = g_build_filename(r->directory, name, NULL);
	g_autoptr(GError) why = NULL;
	char *contents;

	memset(t, 0, sizeof(*t));
	if (!trace_complete(r->directory, number, path, error))
		return false;
	t->file = g_mapped_file_new(path, FALSE, &why);
	if (!t->file) {
		if (number == 0 || !g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
			g_set_error(error, TRACE_ERROR, TRACE_ERROR_OPEN,
				    "There is no record to read: %s.", why->message);
		return false;
	}
	if (number > 0 && is_blank_file(t->file)) {
		trace_thread_clear(t);
		return false;
	}
	contents = g_mapped_file_get_contents(t->file);
	t->head = (const struct trace_head *)(void *)contents;
	t->stream = (const uint8_t *)contents + TRACE_STREAM_OFFSET;
	t->infers_until = t->head->flags & TRACE_INFERS ? UINT64_MAX : 0;
	t->mirrors_until = t->head->flags & TRACE_MIRRORS ? UINT64_MAX : 0;
	if (check_head(path, t->head, g_mapped_file_get_length(t->file), number, r->n_modules,
		       error) &&
	    map_async(r, number, t, error) && map_output_notes(r, number, t, error))
		return true;
	trace_thread_clear(t);
	return false;
}

struct trace_run *trace_run_open(const char *directory, struct image *const *images,
				 size_t n_images, GError **error)
{
	struct trace_run *r;
	struct trace_thread thread;
	GError *why = NULL;

	g_assert(n_images <= TRACE_MAX_MODULES);
	r = g_new0(struct trace_run, 1);
	r->directory = g_strdup(directory);
	r->threads = g_array_new(FALSE, FALSE, sizeof(struct trace_thread));
	g_array_set_clear_func(r->threads, trace_thread_clear);
	r->n_modules = (unsigned)n_images;
	while (map_thread(r, r->threads->len, &thread, &why))
		g_array_append_val(r->threads, thread);
	if (why) {
		g_propagate_error(error, why);
		trace_run_free(r);
		return NULL;
	}
	for (size_t i = 0; i < n_images; i++) {
		r->modules[i].image = images[i];
		r->modules[i].bias = trace_run_head(r, 0)->bias[i];
	}
	return r;
}

void trace_run_free(struct trace_run *r)
{
	if (!r)
		return;
	g_array_unref(r->threads);
	g_free(r->directory);
	g_free(r);
}

void trace_run_end_at(struct trace_run *r, const struct deadline *until)
{
	r->until = until;
}

void trace_run_narrow(struct trace_run *r, uint64_t first, uint64_t end)
{
	r->first = first;
	r->end = end;
}

unsigned trace_run_threads(const struct trace_run *r)
{
	return r->threads->len;
}

bool trace_run_choose(struct trace_run *r, unsigned thread, GError **error)
{
	if (thread >= r->threads->len) {
		g_set_error(error, TRACE_ERROR, TRACE_ERROR_OPEN,
			    "The run recorded in '%s' ended before it had its thread %u.",
			    r->directory, thread);
		return false;
	}
	r->chosen = thread;
	return true;
}

unsigned trace_run_chosen(const struct trace_run *r)
{
	return r->chosen;
}

const struct trace_thread *trace_run_thread(const struct trace_run *r, unsigned thread)
{
	g_assert(thread < r->threads->len);
	return &g_array_index(r->threads, struct trace_thread, thread);
}

const struct trace_head *trace_run_head(const struct trace_run *r, unsigned thread)
{
	return trace_run_thread(r, thread)->head;
}

uint64_t trace_run_left_out(const struct trace_run *r, unsigned thread)
{
	uint64_t left_out = trace_left_out(trace_run_head(r, thread));

	return thread == r->chosen ? MAX(left_out, r->first) : left_out;
}

bool trace_run_started_with(const struct trace_run *r, uint64_t address, uint8_t *byte)
{
	const struct trace_start *start =
		(const void *)((const uint8_t *)trace_run_head(r, 0) + TRACE_START_OFFSET);
	uint64_t n_array = start->n_array, n_texts = start->n_texts, at;

	if (trace_run_left_out(r, 0) || n_array + n_texts > sizeof(start->bytes))
		return false;
	if (address - start->array < n_array)
		at = address - start->array;
	else if (address - start->texts < n_texts)
		at = n_array + (address - start->texts);
	else
		return false;
	*byte = start->bytes[at];
	return true;
}

size_t trace_run_output(const struct trace_run *r, unsigned thread, const struct trace_output **out)
{
	const struct trace_thread *t = trace_run_thread(r, thread);

	*out = t->output;
	return t->head->n_output;
}

unsigned trace_run_modules(const struct trace_run *r)
{
	return r->n_modules;
}

const struct trace_module *trace_run_module(const struct trace_run *r, unsigned number)
{
	g_assert(number < r->n_modules);
	return &r->modules[number];
}

unsigned trace_run_module_number(const struct trace_run *r, const struct trace_module *m)
{
	return (unsigned)(m - r->modules);
}

const struct trace_module *trace_run_module_at(const struct trace_run *r, uint64_t addr,
					       uint64_t *link)
{
	for (unsigned i = 0; i < r->n_modules; i++) {
		const struct trace_module *m = &r->modules[i];
		uint64_t at = addr - m->bias;
		uint8_t byte;
		size_t avail;
		bool writable;
		if (!image_bytes(m->image, at, &avail) &&
		    !image_initial(m->image, at, 1, &byte, &writable))
			continue;
		if (link)
			*link = at;
		return m;
	}
	return NULL;
}
