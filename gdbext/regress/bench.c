/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/bench.h"
#include "gdbext/regress/folders.h"
#include "solver/regress/set.h"

#include <glib/gstdio.h>
#include <string.h>

/* Files' times are as coarse as the kernel's clock tick (4 ms): what was built must be older than
 * what is written next. */
enum { TICK_US = 10000 };

struct includers {
	GHashTable *by_name; /* last part of the included name → GPtrArray of paths */
	GPtrArray *sources;  /* paths that are compiled */
	GPtrArray *made;     /* files of the version that autoconf and automake made */
};

struct bench *bench_new(char *folder, char *log)
{
	struct bench *b = g_new0(struct bench, 1);

	b->folder = folder;
	b->log = log;
	return b;
}

void bench_free(void *bench)
{
	struct bench *b = bench;

	g_free(b->folder);
	g_free(b->log);
	g_clear_pointer(&b->reverted, g_array_unref);
	g_clear_pointer(&b->built, g_array_unref);
	g_free(b);
}

static bool ends_in(const char *path, const char *const *ends, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (g_str_has_suffix(path, ends[i]))
			return true;
	return false;
}

static bool is_source(const char *path)
{
	static const char *const ends[] = { ".c", ".cc", ".cpp", ".cxx", ".S", ".s", ".y", ".l" };

	return ends_in(path, ends, G_N_ELEMENTS(ends));
}

/* A file that says how all is built: then nothing that was built before counts. */
static bool is_of_the_build(const char *path)
{
	static const char *const ends[] = { ".mk",	   ".mak",	".am",
					    ".in",	   ".ac",	".m4",
					    ".cmake",	   "configure", "CMakeLists.txt",
					    "meson.build", "Makefile",	"makefile" };
	g_autofree char *name = g_path_get_basename(path);

	return ends_in(name, ends, G_N_ELEMENTS(ends)) || g_str_has_prefix(name, "Makefile") ||
	       g_str_has_prefix(name, "config.");
}

/* A release has what autoconf and automake made.  It is as old as what it was made from, or `make'
 * would make it again, with programs that may not be there. */
static bool is_made_by_autotools(const char *path)
{
	static const char *const names[] = { "aclocal.m4",  "configure",   "Makefile.in",
					     "config.h.in", "config_h.in", "config.hin" };
	g_autofree char *name = g_path_get_basename(path);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* #include "a/b.h" or <b.h>: "b.h". */
static void note_includes(struct includers *in, const char *path, const char *text)
{
	g_autoptr(GRegex) regex = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*[\"<]([^\">]+)[\">]",
					      G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	g_regex_match(regex, text, 0, &match);
	while (g_match_info_matches(match)) {
		g_autofree char *included = g_match_info_fetch(match, 1);
		char *name = g_path_get_basename(included);
		GPtrArray *paths = g_hash_table_lookup(in->by_name, name);

		if (!paths) {
			paths = g_ptr_array_new_with_free_func(g_free);
			g_hash_table_insert(in->by_name, name, paths);
		} else {
			g_free(name);
		}
		g_ptr_array_add(paths, g_strdup(path));
		g_match_info_next(match, NULL);
	}
}

struct includers *includers_new(const char *folder)
{
	static const char *const ends[] = { ".h", ".def", ".inc", ".hh", ".hpp" };
	struct includers *in = g_new0(struct includers, 1);
	g_autoptr(GPtrArray) entries = regress_folder_list(folder, NULL);

	in->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_ptr_array_unref);
	in->sources = g_ptr_array_new_with_free_func(g_free);
	in->made = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; entries && i < entries->len; i++) {
		const char *path = ((struct regress_entry *)g_ptr_array_index(entries, i))->path;
		g_autofree char *full = g_build_filename(folder, path, NULL);
		g_autofree char *text = NULL;

		if (is_source(path))
			g_ptr_array_add(in->sources, g_strdup(path));
		if (is_made_by_autotools(path))
			g_ptr_array_add(in->made, g_strdup(path));
		if ((is_source(path) || ends_in(path, ends, G_N_ELEMENTS(ends))) &&
		    g_file_get_contents(full, &text, NULL, NULL))
			note_includes(in, path, text);
	}
	return in;
}

void includers_free(struct includers *i)
{
	if (!i)
		return;
	g_hash_table_unref(i->by_name);
	g_ptr_array_unref(i->sources);
	g_ptr_array_unref(i->made);
	g_free(i);
}

/* Going from one set to another. */
struct turn {
	struct bench *bench;
	const struct regress_changes *changes;
	const struct includers *includers;
	const GArray *reverted;
	gint64 time; /* all files that are written or touched get the same, ns */
	bool whole;  /* so much may depend on what differs that all has to be built again */
};

/* Whatever includes a file of that name, and what includes that. */
static void touch_includers(const struct turn *t, const char *path, GHashTable *seen)
{
	g_autofree char *name = g_path_get_basename(path);
	const GPtrArray *paths = g_hash_table_lookup(t->includers->by_name, name);

	for (guint i = 0; paths && i < paths->len; i++) {
		const char *includer = g_ptr_array_index(paths, i);

		if (!g_hash_table_add(seen, (void *)includer))
			continue;
		regress_folder_touch(t->bench->folder, includer, t->time);
		touch_includers(t, includer, seen);
	}
}

static void touch_all(const struct turn *t, const GPtrArray *paths)
{
	for (guint i = 0; i < paths->len; i++)
		regress_folder_touch(t->bench->folder, g_ptr_array_index(paths, i), t->time);
}

static bool same_state(const struct regress_state *a, const struct regress_state *b)
{
	return g_strcmp0(a->path, b->path) == 0 && a->mode == b->mode &&
	       (!a->path || g_bytes_equal(a->bytes, b->bytes));
}

static bool turn_file(struct turn *t, unsigned file, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *folder = t->bench->folder;
	struct regress_state was, is;
	bool ok = true;

	regress_file_compose(t->changes, file, t->bench->reverted, &was);
	regress_file_compose(t->changes, file, t->reverted, &is);
	if (!same_state(&was, &is)) {
		const char *path = is.path ? is.path : was.path;
		bool moved = g_strcmp0(was.path, is.path) != 0;

		if (was.path && moved)
			regress_folder_delete(folder, was.path);
		t->whole |= moved || is_of_the_build(path);
		if (is.path)
			ok = regress_folder_write(folder, is.path, is.mode, is.bytes, t->time,
						  error);
		touch_includers(t, path, seen);
	}
	g_clear_pointer(&was.bytes, g_bytes_unref);
	g_clear_pointer(&is.bytes, g_bytes_unref);
	return ok;
}

/* The files in which two sets differ.  A new array. */
static GArray *files_between(const struct regress_changes *c, const GArray *a, const GArray *b)
{
	g_autoptr(GArray) added = regress_set_minus(a, b), removed = regress_set_minus(b, a);
	g_autoptr(GArray) differ = regress_set_union(added, removed);

	return regress_files_of(c, differ);
}

bool bench_turn_to(struct bench *b, const struct regress_versions *v,
		   const struct includers *includers, const GArray *reverted, GError **error)
{
	struct turn t = { b, v->changes, includers, reverted, 0, false };
	g_autoptr(GArray) files = NULL;

	if (!b->reverted) {
		if (!regress_folder_copy(v->new_folder, b->folder, error))
			return false;
		b->reverted = regress_set_new();
	}
	files = files_between(v->changes, reverted, b->reverted);
	if (files->len)
		g_usleep(TICK_US);
	t.time = g_get_real_time() * 1000;
	for (guint i = 0; i < files->len; i++)
		if (!turn_file(&t, regress_set_at(files, i), error))
			return false;
	if (t.whole) {
		g_autofree char *answers = g_strconcat(b->folder, ".cache", NULL);

		g_unlink(answers); /* of `configure': the questions may be others now */
		touch_all(&t, includers->sources);
		touch_all(&t, includers->made);
	}
	g_array_unref(b->reverted);
	b->reverted = regress_set_copy(reverted);
	return true;
}
