/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/bench.h"
#include "gdbext/regress/folders.h"
#include "solver/regress/set.h"

#include <string.h>

/* Files' times are as coarse as the kernel's clock tick (4 ms): what was built must be older than
 * what is written next. */
enum { TICK_US = 10000 };

struct includers {
	GHashTable *by_name; /* last part of the included name → GPtrArray of paths */
	GPtrArray *sources;  /* paths that are compiled */
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
	for (guint i = 0; entries && i < entries->len; i++) {
		const char *path = ((struct regress_entry *)g_ptr_array_index(entries, i))->path;
		g_autofree char *full = g_build_filename(folder, path, NULL);
		g_autofree char *text = NULL;

		if (is_source(path))
			g_ptr_array_add(in->sources, g_strdup(path));
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
	g_free(i);
}

/* Whatever includes a file of that name, and what includes that. */
static void touch_includers(const struct bench *b, const struct includers *in, const char *path,
			    GHashTable *seen)
{
	g_autofree char *name = g_path_get_basename(path);
	const GPtrArray *paths = g_hash_table_lookup(in->by_name, name);

	for (guint i = 0; paths && i < paths->len; i++) {
		const char *includer = g_ptr_array_index(paths, i);

		if (!g_hash_table_add(seen, (void *)includer))
			continue;
		regress_folder_touch(b->folder, includer);
		touch_includers(b, in, includer, seen);
	}
}

static void touch_sources(const struct bench *b, const struct includers *in)
{
	for (guint i = 0; i < in->sources->len; i++)
		regress_folder_touch(b->folder, g_ptr_array_index(in->sources, i));
}

static bool same_state(const struct regress_state *a, const struct regress_state *b)
{
	return g_strcmp0(a->path, b->path) == 0 && a->mode == b->mode &&
	       (!a->path || g_bytes_equal(a->bytes, b->bytes));
}

/* One file; *whole: so much may depend on it that all has to be built again. */
static bool turn_file(struct bench *b, const struct regress_changes *c, const struct includers *in,
		      unsigned file, const GArray *reverted, bool *whole, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	struct regress_state was, is;
	bool ok = true;

	regress_file_compose(c, file, b->reverted, &was);
	regress_file_compose(c, file, reverted, &is);
	if (!same_state(&was, &is)) {
		if (was.path && g_strcmp0(was.path, is.path) != 0)
			regress_folder_delete(b->folder, was.path);
		if (g_strcmp0(was.path, is.path) != 0 ||
		    is_of_the_build(is.path ? is.path : was.path))
			*whole = true;
		if (is.path)
			ok = regress_folder_write(b->folder, is.path, is.mode, is.bytes, error);
		touch_includers(b, in, is.path ? is.path : was.path, seen);
	}
	g_clear_pointer(&was.bytes, g_bytes_unref);
	g_clear_pointer(&is.bytes, g_bytes_unref);
	return ok;
}

bool bench_turn_to(struct bench *b, const struct regress_versions *v,
		   const struct includers *includers, const GArray *reverted, GError **error)
{
	g_autoptr(GArray) added = NULL, removed = NULL, differ = NULL, files = NULL;
	bool whole = false;

	if (!b->reverted) {
		if (!regress_folder_copy(v->new_folder, b->folder, error))
			return false;
		b->reverted = regress_set_new();
	}
	added = regress_set_minus(reverted, b->reverted);
	removed = regress_set_minus(b->reverted, reverted);
	differ = regress_set_union(added, removed);
	files = regress_files_of(v->changes, differ);
	if (files->len)
		g_usleep(TICK_US);
	for (guint i = 0; i < files->len; i++)
		if (!turn_file(b, v->changes, includers, regress_set_at(files, i), reverted, &whole,
			       error))
			return false;
	if (whole)
		touch_sources(b, includers);
	g_array_unref(b->reverted);
	b->reverted = regress_set_copy(reverted);
	return true;
}
