/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/dependents.h"
#include "gdbext/regress/workshop/folders.h"

#include <string.h>

struct dependents {
	GHashTable *includers; /* last part of the included name → GPtrArray of paths */
	GHashTable *by_stem;   /* path without its end → GPtrArray of paths */
	GPtrArray *sources;    /* paths that are compiled */
	GPtrArray *made;       /* files of the version that autoconf and automake made */
	GPtrArray *pages;      /* manuals and translations that are ready to install */
};

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

bool dependents_is_of_the_build(const char *path)
{
	static const char *const ends[] = { ".mk",	   ".mak",	".am",
					    ".in",	   ".ac",	".m4",
					    ".cmake",	   "configure", "CMakeLists.txt",
					    "meson.build", "Makefile",	"makefile" };
	g_autofree char *name = g_path_get_basename(path);

	return ends_in(name, ends, G_N_ELEMENTS(ends)) || g_str_has_prefix(name, "Makefile") ||
	       g_str_has_prefix(name, "config.");
}

/* A template that autoheader made says so, whatever AC_CONFIG_HEADERS calls it. */
static bool is_made_by_autoheader(const char *folder, const char *path)
{
	g_autofree char *full = g_build_filename(folder, path, NULL), *text = NULL;

	return (g_str_has_suffix(path, ".in") || g_str_has_suffix(path, ".hin")) &&
	       g_file_get_contents(full, &text, NULL, NULL) &&
	       strstr(text, "Generated from configure") && strstr(text, "by autoheader");
}

static bool is_made_by_autotools(const char *folder, const char *path, const char *name)
{
	static const char *const names[] = { "aclocal.m4", "configure", "Makefile.in" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return is_made_by_autoheader(folder, path);
}

/* doc/prog.info, doc/prog.1, po/de.gmo: no program depends on them. */
static bool is_page(const char *name)
{
	static const char *const ends[] = { ".info",	 ".info-1",	 ".gmo",    ".pot",
					    "stamp-vti", "version.texi", "stamp-po" };
	size_t n = strlen(name);

	return ends_in(name, ends, G_N_ELEMENTS(ends)) ||
	       (n > 2 && name[n - 2] == '.' && g_ascii_isdigit(name[n - 1]));
}

static void note_dependent(GHashTable *table, char *key, const char *path)
{
	GPtrArray *paths = g_hash_table_lookup(table, key);

	if (!paths) {
		paths = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(table, key, paths);
	} else {
		g_free(key);
	}
	g_ptr_array_add(paths, g_strdup(path));
}

/* #include "a/b.h" or <b.h>: "b.h". */
static void note_includes(struct dependents *d, const char *path, const char *text)
{
	g_autoptr(GRegex) regex = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*[\"<]([^\">]+)[\">]",
					      G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	g_regex_match(regex, text, 0, &match);
	while (g_match_info_matches(match)) {
		g_autofree char *included = g_match_info_fetch(match, 1);

		note_dependent(d->includers, g_path_get_basename(included), path);
		g_match_info_next(match, NULL);
	}
}

/* "lib/iconv_open-aix.gperf": "lib/iconv_open-aix". */
static char *stem_of(const char *path)
{
	const char *name = strrchr(path, '/'), *end = strrchr(path, '.');

	return end && end > (name ? name + 1 : path) ? g_strndup(path, (gsize)(end - path))
						     : g_strdup(path);
}

static void note_file(struct dependents *d, const char *folder, const char *path)
{
	static const char *const ends[] = { ".h", ".def", ".inc", ".hh", ".hpp" };
	g_autofree char *full = g_build_filename(folder, path, NULL);
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *text = NULL;

	note_dependent(d->by_stem, stem_of(path), path);
	if (is_source(path))
		g_ptr_array_add(d->sources, g_strdup(path));
	if (is_made_by_autotools(folder, path, name))
		g_ptr_array_add(d->made, g_strdup(path));
	if (is_page(name))
		g_ptr_array_add(d->pages, g_strdup(path));
	if ((is_source(path) || ends_in(path, ends, G_N_ELEMENTS(ends))) &&
	    g_file_get_contents(full, &text, NULL, NULL))
		note_includes(d, path, text);
}

struct dependents *dependents_new(const char *folder)
{
	struct dependents *d = g_new0(struct dependents, 1);
	g_autoptr(GPtrArray) entries = regress_folder_list(folder, NULL);

	d->includers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)g_ptr_array_unref);
	d->by_stem = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_ptr_array_unref);
	d->sources = g_ptr_array_new_with_free_func(g_free);
	d->made = g_ptr_array_new_with_free_func(g_free);
	d->pages = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; entries && i < entries->len; i++)
		note_file(d, folder, ((struct regress_entry *)entries->pdata[i])->path);
	return d;
}

void dependents_free(struct dependents *d)
{
	if (!d)
		return;
	g_hash_table_unref(d->includers);
	g_hash_table_unref(d->by_stem);
	g_ptr_array_unref(d->sources);
	g_ptr_array_unref(d->made);
	g_ptr_array_unref(d->pages);
	g_free(d);
}

static void touch_paths(const char *copy, const GPtrArray *paths, gint64 time)
{
	for (guint i = 0; paths && i < paths->len; i++)
		regress_folder_touch(copy, g_ptr_array_index(paths, i), time);
}

/* Whatever includes a file of that name, and what includes that. */
static void touch_includers(const struct dependents *d, const char *copy, const char *path,
			    gint64 time, GHashTable *seen)
{
	g_autofree char *name = g_path_get_basename(path);
	const GPtrArray *paths = g_hash_table_lookup(d->includers, name);

	for (guint i = 0; paths && i < paths->len; i++) {
		const char *includer = g_ptr_array_index(paths, i);

		if (!g_hash_table_add(seen, (void *)includer))
			continue;
		regress_folder_touch(copy, includer, time);
		touch_includers(d, copy, includer, time, seen);
	}
}

/* What a file of that kind is read by; NULL = by no program that may be missing. */
static const char *const *readers_of(const char *path)
{
	static const char *const yacc[] = { "bison", "yacc", "byacc", NULL };
	static const char *const lex[] = { "flex", "lex", NULL };
	static const char *const gperf[] = { "gperf", NULL };
	static const char *const re2c[] = { "re2c", NULL }, *const ragel[] = { "ragel", NULL };
	static const struct {
		const char *end;
		const char *const *programs;
	} kinds[] = { { ".y", yacc },
		      { ".l", lex },
		      { ".gperf", gperf },
		      { ".re", re2c },
		      { ".rl", ragel } };

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_has_suffix(path, kinds[i].end))
			return kinds[i].programs;
	return NULL;
}

/* Is it read by a program, none of which is there? */
static bool cannot_be_read(const char *path)
{
	const char *const *programs = readers_of(path);
	bool found = !programs;

	for (; programs && *programs && !found; programs++) {
		g_autofree char *program = g_find_program_in_path(*programs);

		found = program != NULL;
	}
	return !found;
}

void dependents_touch(const struct dependents *d, const char *copy, const char *path, gint64 time)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *stem = stem_of(path);

	touch_includers(d, copy, path, time, seen);
	if (cannot_be_read(path))
		touch_paths(copy, g_hash_table_lookup(d->by_stem, stem), time);
	touch_paths(copy, d->pages, time);
}

void dependents_touch_all(const struct dependents *d, const char *copy, gint64 time)
{
	touch_paths(copy, d->sources, time);
	touch_paths(copy, d->made, time);
}
