/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/record/internal.h"

#include "gdbext/replay/folder.h"
#include "gdbext/replay/preflight.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct record {
	int fd;
	char *shown;
	struct archive *archive;
	struct facts *facts;
	struct folder *folder;
	char *run;   /* in .folder: the streams, the input, the output */
	char *input; /* the test's standard input, there; NULL = it is empty */
	char *program;
	struct image **images; /* embedded ones; NULL = .replay's, or not found yet */
	struct replay *replay; /* NULL = nothing can be run */
	bool repeats;	       /* runs of .replay are as the recorded one */
	char *why;	       /* nothing can be run, a clause */
};

static bool refuse_record(const struct record *r, GError **error, const char *why)
{
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FORMAT, "The record %s cannot be used: %s.",
		    r->shown, why);
	return false;
}

static bool read_facts(struct record *r, GError **error)
{
	const struct archive_member *m = archive_find(r->archive, "facts");
	g_autoptr(GBytes) bytes = NULL;
	gconstpointer data;
	gsize size;

	if (!m)
		return refuse_record(r, error, "it does not say what was recorded");
	bytes = archive_read(r->archive, m, FACTS_MOST_BYTES, error);
	if (!bytes)
		return false;
	data = g_bytes_get_data(bytes, &size);
	r->facts = facts_read(data, size, error);
	return r->facts;
}

/* A file of a few KiB may say that it is gigabytes: what is not plausible the user has to ask
 * for.  The stream of an endless loop of a few instructions shrinks to about a
 * ten-thousandth. */
static bool is_plausible(const struct record *r, uint64_t needed, uint64_t most, GError **error)
{
	enum { ALWAYS_FINE = 256 << 20, TIMES = 20000 };

	if (!most)
		most = MAX((uint64_t)ALWAYS_FINE, archive_size(r->archive) * TIMES);
	if (needed <= most)
		return true;
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
		    "The record %s has %" G_GUINT64_FORMAT " KiB and becomes %" G_GUINT64_FORMAT
		    " MiB when it is unpacked; if you trust it, allow that with --max-record "
		    "%" G_GUINT64_FORMAT "M.",
		    r->shown, archive_size(r->archive) >> 10, needed >> 20, (needed >> 20) + 1);
	return false;
}

/* The folder lies in memory where it can: half of that is for others. */
static bool has_room(const struct record *r, uint64_t most, GError **error)
{
	uint64_t needed = 0, room = r->folder->room / 2;
	size_t n;
	const struct archive_member *all = archive_members(r->archive, &n);

	for (size_t i = 0; i < n; i++)
		needed = all[i].size > G_MAXUINT64 - needed ? G_MAXUINT64 : needed + all[i].size;
	if (!is_plausible(r, needed, most, error))
		return false;
	if (needed <= room)
		return true;
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
		    "The record %s takes %" G_GUINT64_FORMAT " MiB unpacked, and there is room for "
		    "%" G_GUINT64_FORMAT " MiB in %s; set GDB_WHY_TMPDIR to a folder with more.",
		    r->shown, needed >> 20, room >> 20, r->folder->path);
	return false;
}

static char *place_to_unpack(const struct record *r, const char *name)
{
	return g_build_filename(r->run, name, NULL);
}

/* True as well when there is no such member: *there says so. */
static bool extract_member(const struct record *r, const char *name, bool *there, GError **error)
{
	const struct archive_member *m = archive_find(r->archive, name);
	g_autofree char *path = place_to_unpack(r, name);

	*there = m;
	return !m || archive_extract(r->archive, m, path, error);
}

static bool extract_numbered(const struct record *r, const char *kind, unsigned number, bool *there,
			     GError **error)
{
	g_autofree char *name = g_strdup_printf("%s.%u", kind, number);

	return extract_member(r, name, there, error);
}

/* Nothing may stand behind a stream's end: the recorder writes nothing there. */
static bool ends_where_it_says(const struct record *r, unsigned thread, GError **error)
{
	g_autofree char *name = g_strdup_printf("trace.%u", thread);
	const struct archive_member *m = archive_find(r->archive, name);
	g_autofree char *path = place_to_unpack(r, name);
	struct trace_head head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool known = fd >= 0 && pread(fd, &head, sizeof head, 0) == sizeof head;

	if (fd >= 0)
		close(fd);
	/* what is no head is found when the run is opened */
	return !known || memcmp(head.magic, TRACE_HEAD_MAGIC, sizeof head.magic) != 0 ||
	       m->size == TRACE_STREAM_OFFSET + head.length ||
	       refuse_record(r, error, "there are bytes behind the end of a stream");
}

static bool unpack_record(struct record *r, uint64_t most, GError **error)
{
	static const char *const others[] = { "stdin", "out", "err" };
	bool there = true, ignored;

	r->folder = folder_new(error);
	r->run = r->folder && has_room(r, most, error) ? folder_make_run(r->folder->path, 0, error)
						       : NULL;
	if (!r->run)
		return false;
	for (unsigned thread = 0; there; thread++)
		if (!extract_numbered(r, "trace", thread, &there, error) ||
		    !extract_numbered(r, "async", thread, &ignored, error) ||
		    !extract_numbered(r, "output", thread, &ignored, error) ||
		    (there && !ends_where_it_says(r, thread, error)))
			return false;
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (!extract_member(r, others[i], &ignored, error))
			return false;
	r->input = archive_find(r->archive, "stdin") ? place_to_unpack(r, "stdin") : NULL;
	return true;
}

struct record *record_open(const char *path, uint64_t most, GError **error)
{
	struct record *r = g_new0(struct record, 1);

	r->shown = g_strdup(path);
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0)
		g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
			    "The record %s cannot be opened: %s.", path, g_strerror(errno));
	else
		r->archive = archive_open(r->fd, path, error);
	if (r->archive && read_facts(r, error) && unpack_record(r, most, error))
		return r;
	record_free(r);
	return NULL;
}

void record_free(struct record *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->images && i < r->facts->modules->len; i++)
		image_free(r->images[i]);
	g_free(r->images);
	replay_free(r->replay);
	folder_free(r->folder);
	archive_free(r->archive);
	facts_free(r->facts);
	if (r->fd >= 0)
		close(r->fd);
	g_free(r->run);
	g_free(r->input);
	g_free(r->program);
	g_free(r->why);
	g_free(r->shown);
	g_free(r);
}

const struct facts *record_facts(const struct record *r)
{
	return r->facts;
}

/* ---- the program ---- */

/* Is this file the one that was traced as module number i?  False: *why. */
static bool fits_traced_module(const struct record *r, unsigned i, const struct image *im,
			       char **why)
{
	const char *recorded = r->facts->build_ids->pdata[i], *here = image_build_id(im);
	g_autofree char *sum = NULL;

	if (*recorded) {
		if (strcmp(recorded, here) == 0)
			return true;
		*why = g_strdup_printf("%s is another build than the one recorded (its build-id "
				       "is %.12s, that of the recorded one %.12s)",
				       image_path(im), *here ? here : "not there", recorded);
		return false;
	}
	sum = record_sum_of(image_path(im), NULL);
	if (sum && strcmp(r->facts->sums->pdata[i], sum) == 0)
		return true;
	*why = g_strdup_printf("%s is another file than the one recorded", image_path(im));
	return false;
}

static bool is_file_here(const struct record *r, unsigned i, const char *path, char **why)
{
	g_autoptr(GError) cause = NULL;
	struct image *im;
	bool same;

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		*why = g_strdup_printf("%s is not on this machine", path);
		return false;
	}
	im = image_open(path, &cause);
	if (!im) {
		*why = g_strdup(cause->message);
		g_strchomp(*why);
		if (g_str_has_suffix(*why, "."))
			(*why)[strlen(*why) - 1] = '\0';
		return false;
	}
	same = fits_traced_module(r, i, im, why);
	image_free(im);
	return same;
}

static bool all_are_here(struct record *r)
{
	for (unsigned i = 0; i < r->facts->modules->len; i++)
		if (!is_file_here(r, i, i ? r->facts->modules->pdata[i] : r->program, &r->why))
			return false;
	return true;
}

static bool open_embedded(struct record *r, unsigned i, GError **error)
{
	g_autofree char *module = g_strdup_printf("module.%u", i);
	g_autofree char *debug = g_strdup_printf("debug.%u", i);
	g_autofree char *module_path = place_to_unpack(r, module),
			*debug_path = place_to_unpack(r, debug);
	bool there, apart;

	if (!extract_member(r, module, &there, error) || !extract_member(r, debug, &apart, error))
		return false;
	if (there)
		r->images[i] = image_open_parts(module_path, apart ? debug_path : NULL, error);
	else
		g_set_error(error, RECORD_ERROR, RECORD_ERROR_PROGRAM,
			    "%s, and the record %s does not hold it; name the program: gdb-why "
			    "explain --record %s PROG.",
			    r->why, r->shown, r->shown);
	return r->images[i];
}

static bool open_all_embedded(struct record *r, GError **error)
{
	r->images = g_new0(struct image *, r->facts->modules->len);
	for (unsigned i = 0; i < r->facts->modules->len; i++)
		if (!open_embedded(r, i, error))
			return false;
	return true;
}

/* Gives it to those images that name it. */
static void set_source(const struct record *r, GHashTable *const *named, const char *file,
		       GBytes *bytes)
{
	gsize n, size;
	struct image *const *images = record_images(r, &n);
	gconstpointer data = g_bytes_get_data(bytes, &size);
	g_autofree char *text = g_strndup(data, size);

	for (size_t k = 0; k < n; k++)
		if (g_hash_table_contains(named[k], file))
			image_set_source(images[k], file, text);
}

static bool read_sources(const struct record *r, GHashTable *const *named, GError **error)
{
	uint64_t left = MOST_SOURCE_BYTES;

	for (unsigned i = 0; i < r->facts->sources->len && i < MOST_SOURCES; i++) {
		g_autofree char *name = g_strdup_printf("source.%u", i);
		const struct archive_member *m = archive_find(r->archive, name);
		g_autoptr(GBytes) bytes = NULL;

		if (!m)
			continue;
		bytes = archive_read(r->archive, m, MIN(left, FACTS_MOST_BYTES), error);
		if (!bytes)
			return false;
		left -= m->size;
		set_source(r, named, r->facts->sources->pdata[i], bytes);
	}
	return true;
}

static bool set_sources(const struct record *r, GError **error)
{
	size_t n;
	struct image *const *images = record_images(r, &n);
	g_autofree GHashTable **named = g_new0(GHashTable *, n);
	bool done;

	for (size_t k = 0; k < n; k++) {
		g_autoptr(GPtrArray) files = image_source_files(images[k]);

		named[k] = g_hash_table_new(g_str_hash, g_str_equal);
		for (guint i = 0; i < files->len; i++)
			g_hash_table_add(named[k], files->pdata[i]);
	}
	done = read_sources(r, named, error);
	for (size_t k = 0; k < n; k++)
		g_hash_table_destroy(named[k]);
	return done;
}

/* ---- runs ---- */

static struct replay *make_replay(const struct record *r, const struct record_place *place,
				  GError **error)
{
	const struct facts *f = r->facts;
	g_autoptr(GPtrArray) argv = g_ptr_array_new(), libs = g_ptr_array_new();
	g_autoptr(GPtrArray) kept = g_ptr_array_new(), names = g_ptr_array_new();
	struct replay_past past = { .strings = f->strings,
				    .variables = f->variables,
				    .run_ms = (double)f->run_us / 1000,
				    .memory = f->memory,
				    .child = f->child,
				    .faults_end = f->faults_end };
	struct replay_options o = { .directory = place->directory ? place->directory : f->directory,
				    .agent = place->agent,
				    .until = place->until,
				    .run_timeout = place->run_timeout,
				    .max_bytes = place->max_bytes,
				    .jit = place->jit,
				    .limits = place->limits,
				    .past = &past,
				    .stdin_file = r->input,
				    .program = r->program };

	g_ptr_array_extend(argv, f->args, NULL, NULL);
	g_ptr_array_extend(libs, f->modules, NULL, NULL);
	g_ptr_array_remove_index(libs, 0);
	g_ptr_array_extend(kept, f->kept, NULL, NULL);
	g_ptr_array_extend(names, f->dropped, NULL, NULL);
	g_ptr_array_add(argv, NULL);
	g_ptr_array_add(libs, NULL);
	g_ptr_array_add(kept, NULL);
	g_ptr_array_add(names, NULL);
	o.argv = (char **)argv->pdata;
	o.trace_libs = (const char *const *)libs->pdata;
	past.kept = (char **)kept->pdata;
	past.names = (char **)names->pdata;
	return replay_new(&o, error);
}

/* Makes the replay, and sees whether a run of it is as the recorded one. */
static bool try_runs(struct record *r, const struct record_place *place, GError **error)
{
	struct replay_failing failing;
	const char *differs = NULL;
	bool done;

	r->replay = make_replay(r, place, error);
	if (!r->replay)
		return false;
	r->why = g_strdup(replay_without_cage(r->replay));
	if (r->why)
		return true;
	record_failing(r, &failing);
	done = failing.end == RUN_TIMEOUT || failing.end == RUN_PASSED ||
	       replay_repeat(r->replay, &failing, &differs, error);
	replay_failing_clear(&failing);
	r->repeats = done && !differs;
	if (differs)
		r->why = g_strdup_printf("the program does not do here what was recorded: %s",
					 differs);
	return done;
}

static bool folder_is_here(struct record *r, const struct record_place *place)
{
	if (place->directory || g_file_test(r->facts->directory, G_FILE_TEST_IS_DIR))
		return true;
	r->why = g_strdup_printf("the folder %s that it ran in is not on this machine "
				 "(-C DIR names another)",
				 r->facts->directory);
	return false;
}

/* When the folder is not there, the program on this machine is only read. */
static bool open_those_here(struct record *r, GError **error)
{
	r->images = g_new0(struct image *, r->facts->modules->len);
	for (unsigned i = 0; i < r->facts->modules->len; i++) {
		r->images[i] = image_open(i ? r->facts->modules->pdata[i] : r->program, error);
		if (!r->images[i])
			return false;
	}
	return true;
}

bool record_find_program(struct record *r, const struct record_place *place, GError **error)
{
	bool found;

	r->program = place->program ? preflight_program(place->program, place->directory, error)
				    : g_strdup(r->facts->program);
	if (!r->program)
		return false;
	if (all_are_here(r)) {
		found = folder_is_here(r, place) ? try_runs(r, place, error)
						 : open_those_here(r, error);
	} else if (place->program) {
		found = false;
		g_set_error(error, RECORD_ERROR, RECORD_ERROR_PROGRAM,
			    "%s; name the program that was recorded, or none to go by what is in "
			    "the record.",
			    r->why);
	} else {
		found = open_all_embedded(r, error);
	}
	return found && set_sources(r, error);
}

struct image *const *record_images(const struct record *r, size_t *n)
{
	if (!r->images)
		return replay_images(r->replay, n);
	*n = r->facts->modules->len;
	return r->images;
}

const char *record_stdin(const struct record *r)
{
	return r->input;
}

const char *record_program(const struct record *r)
{
	return r->program;
}

struct replay *record_replay(const struct record *r, const char **why)
{
	if (!r->repeats)
		*why = r->why;
	return r->repeats ? r->replay : NULL;
}

void record_failing(const struct record *r, struct replay_failing *failing)
{
	const struct facts *f = r->facts;

	*failing = (struct replay_failing){
		.end = (enum run_end)f->end,
		.status = (int)f->status,
		.signo = (int)f->signo,
		.expression = g_strdup(f->expression),
		.file = g_strdup(f->file),
		.function = g_strdup(f->function),
		.line = (unsigned)f->line,
		.thread = (unsigned)f->thread,
		.caller = g_strdup(f->caller),
		.caller_file = g_strdup(f->caller_file),
		.caller_line = (unsigned)f->caller_line,
		.record = g_strdup(r->run),
		.out = place_to_unpack(r, "out"),
		.err = place_to_unpack(r, "err"),
		.run_ms = (double)f->run_us / 1000,
		.memory = f->memory,
	};
}
