/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/record/record.h"

#include "gdbext/record/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One record being written. */
struct packing {
	struct archive_writer *w;
	struct facts *facts;
	struct replay *replay;
	const struct replay_failing *failing;
	const struct record_options *options;
	uint64_t source_bytes;
};

/* Is the value of this variable of the environment recorded without being asked
 * for?  Those that decide how the C library and most programs behave, and
 * that hold no secrets. */
static bool is_kept(const char *name)
{
	static const char *const kept[] = { "LANG", "LANGUAGE", "TZ",	   "PATH",  "HOME",
					    "PWD",  "TERM",	"COLUMNS", "LINES", "TMPDIR" };

	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		if (!strcmp(name, kept[i]))
			return true;
	return g_str_has_prefix(name, "LC_");
}

static void note_environment(struct packing *p, char *const *environment)
{
	const char *const *wanted = p->options->keep_env;

	for (; *environment; environment++) {
		const char *equals = strchr(*environment, '=');
		g_autofree char *name =
			equals ? g_strndup(*environment, (gsize)(equals - *environment)) : NULL;

		if (name && (is_kept(name) || (wanted && g_strv_contains(wanted, name))))
			g_ptr_array_add(p->facts->kept, g_strdup(*environment));
		else if (name && *name)
			g_ptr_array_add(p->facts->dropped, g_steal_pointer(&name));
	}
}

static void note_packed_test(struct packing *p)
{
	struct facts *f = p->facts;
	struct replay_surroundings s;

	replay_surroundings(p->replay, &s);
	f->program = g_strdup(replay_program(p->replay));
	f->directory = g_strdup(s.directory);
	for (char *const *arg = s.argv; *arg; arg++)
		g_ptr_array_add(f->args, g_strdup(*arg));
	note_environment(p, s.environment);
	f->strings = s.strings;
	f->variables = s.variables;
	f->child = g_strdup(s.child);
	f->faults_end = s.faults_end;
	replay_surroundings_clear(&s);
}

static void note_failure(struct packing *p)
{
	const struct replay_failing *failing = p->failing;
	struct facts *f = p->facts;

	f->end = failing->end;
	f->status = (guint64)failing->status;
	f->signo = (guint64)failing->signo;
	f->thread = failing->thread;
	f->expression = g_strdup(failing->expression);
	f->file = g_strdup(failing->file);
	f->function = g_strdup(failing->function);
	f->line = failing->line;
	f->caller = g_strdup(failing->caller);
	f->caller_file = g_strdup(failing->caller_file);
	f->caller_line = failing->caller_line;
	for (char **frame = failing->frames; frame && *frame; frame++)
		g_ptr_array_add(f->frames, g_strdup(*frame));
	f->run_us = (guint64)(failing->run_ms * 1000);
	f->memory = failing->memory;
}

char *record_sum_of(const char *path, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);

	return file ? g_compute_checksum_for_data(G_CHECKSUM_SHA256,
						  (guchar *)g_mapped_file_get_contents(file),
						  g_mapped_file_get_length(file))
		    : NULL;
}

static bool put_file(struct packing *p, const char *kind, unsigned number, const char *path,
		     uint64_t size, GError **error)
{
	g_autofree char *name = g_strdup_printf("%s.%u", kind, number);

	return archive_put_file(p->w, name, path, size, error);
}

static bool is_worth_packing(const struct packing *p, const char *file, uint64_t *size)
{
	struct stat st;

	if (stat(file, &st) || !S_ISREG(st.st_mode) || access(file, R_OK))
		return false;
	*size = (uint64_t)st.st_size;
	return *size <= FACTS_MOST_BYTES && *size <= MOST_SOURCE_BYTES - p->source_bytes;
}

/* Source files that are not there, or enormous, are not missed. */
static bool put_sources(struct packing *p, const struct image *im, GHashTable *seen, GError **error)
{
	g_autoptr(GPtrArray) files = image_source_files(im);

	for (guint i = 0; i < files->len && p->facts->sources->len < MOST_SOURCES; i++) {
		const char *file = files->pdata[i];
		uint64_t size;

		if (!g_hash_table_add(seen, (gpointer)file) || !is_worth_packing(p, file, &size))
			continue;
		if (!put_file(p, "source", p->facts->sources->len, file, size, error))
			return false;
		p->source_bytes += size;
		g_ptr_array_add(p->facts->sources, g_strdup(file));
	}
	return true;
}

static bool put_modules(struct packing *p, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	size_t n;
	struct image *const *images = replay_images(p->replay, &n);

	for (unsigned i = 0; i < n; i++) {
		const char *path = image_path(images[i]), *debug = image_debug_path(images[i]);
		char *sum = record_sum_of(path, error);

		if (!sum)
			return false;
		g_ptr_array_add(p->facts->modules, g_strdup(path));
		g_ptr_array_add(p->facts->build_ids, g_strdup(image_build_id(images[i])));
		g_ptr_array_add(p->facts->sums, sum);
		if (p->options->program &&
		    (!put_file(p, "module", i, path, G_MAXUINT64, error) ||
		     (debug && !put_file(p, "debug", i, debug, G_MAXUINT64, error)) ||
		     !put_sources(p, images[i], seen, error)))
			return false;
	}
	return true;
}

/* The thread's file of that kind, with so many bytes; none when there are none. */
static bool put_beside(struct packing *p, const char *kind, unsigned thread, uint64_t bytes,
		       GError **error)
{
	g_autofree char *name = g_strdup_printf("%s.%u", kind, thread);
	g_autofree char *path = g_build_filename(p->failing->record, name, NULL);

	return !bytes || put_file(p, kind, thread, path, bytes, error);
}

/* A thread's files, without what was only reserved. */
static bool put_thread(struct packing *p, unsigned thread, const char *trace, GError **error)
{
	struct trace_head head = { 0 };
	int fd = open(trace, O_RDONLY | O_CLOEXEC);
	bool known = fd >= 0 && pread(fd, &head, sizeof head, 0) == sizeof head &&
		     !memcmp(head.magic, TRACE_HEAD_MAGIC, sizeof head.magic);

	if (fd >= 0)
		close(fd);
	if (!put_file(p, "trace", thread, trace,
		      known ? TRACE_STREAM_OFFSET + head.length : TRACE_STREAM_OFFSET, error))
		return false;
	return !known ||
	       (put_beside(p, "async", thread, head.n_async * sizeof(struct trace_async), error) &&
		put_beside(p, "output", thread, head.n_output * sizeof(struct trace_output),
			   error));
}

static bool put_threads(struct packing *p, GError **error)
{
	for (unsigned thread = 0;; thread++) {
		g_autofree char *name = g_strdup_printf("trace.%u", thread);
		g_autofree char *path = g_build_filename(p->failing->record, name, NULL);

		if (!g_file_test(path, G_FILE_TEST_EXISTS))
			return true;
		if (!put_thread(p, thread, path, error))
			return false;
	}
}

static bool put_files(struct packing *p, GError **error)
{
	struct replay_surroundings s;
	bool done;

	replay_surroundings(p->replay, &s);
	done = !strcmp(s.stdin_path, "/dev/null") ||
	       archive_put_file(p->w, "stdin", s.stdin_path, G_MAXUINT64, error);
	replay_surroundings_clear(&s);
	return done && archive_put_file(p->w, "out", p->failing->out, G_MAXUINT64, error) &&
	       archive_put_file(p->w, "err", p->failing->err, G_MAXUINT64, error);
}

static bool put_facts(struct packing *p, GError **error)
{
	g_autoptr(GByteArray) bytes = facts_write(p->facts);

	return archive_put_bytes(p->w, "facts", bytes->data, bytes->len, error);
}

static bool pack_members(struct packing *p, int fd, const char *shown, uint64_t *size,
			 GError **error)
{
	bool done;

	p->w = archive_create(fd, shown, error);
	if (!p->w)
		return false;
	p->facts = facts_new();
	note_packed_test(p);
	note_failure(p);
	done = put_threads(p, error) && put_modules(p, error) && put_files(p, error) &&
	       put_facts(p, error) && archive_finish(p->w, error);
	*size = archive_written(p->w);
	archive_writer_free(p->w);
	facts_free(p->facts);
	return done;
}

static bool complain_of_packing(const char *path, GError **error)
{
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE, "The record %s cannot be written: %s.",
		    path, g_strerror(errno));
	return false;
}

static bool write_as_it_is(struct packing *p, const char *path, uint64_t *size, GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool done;

	if (fd < 0)
		return complain_of_packing(path, error);
	done = pack_members(p, fd, path, size, error);
	return close(fd) == 0 ? done : done && complain_of_packing(path, error);
}

/* Beside it first: a record that is there stays until the new one is whole. */
static bool write_anew(struct packing *p, const char *path, uint64_t *size, GError **error)
{
	g_autofree char *fresh = g_strconcat(path, ".XXXXXX", NULL);
	int fd = g_mkstemp_full(fresh, O_WRONLY | O_CLOEXEC, 0600);
	bool done;

	if (fd < 0)
		return complain_of_packing(path, error);
	done = pack_members(p, fd, path, size, error);
	if (close(fd) && done)
		done = complain_of_packing(path, error);
	if (done && rename(fresh, path))
		done = complain_of_packing(path, error);
	if (!done)
		unlink(fresh);
	return done;
}

bool record_write(const char *path, struct replay *replay, const struct replay_failing *failing,
		  const struct record_options *options, uint64_t *size, GError **error)
{
	struct packing p = { .replay = replay, .failing = failing, .options = options };
	struct stat st;

	/* a file without a name, which a descriptor leads to, has none to be replaced by, and a
	 * link as /dev/stdout is not to be replaced */
	if (g_file_test(path, G_FILE_TEST_IS_SYMLINK) ||
	    (stat(path, &st) == 0 && (!S_ISREG(st.st_mode) || !st.st_nlink)))
		return write_as_it_is(&p, path, size, error);
	return write_anew(&p, path, size, error);
}
