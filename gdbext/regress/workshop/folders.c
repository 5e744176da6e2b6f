/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/folders.h"
#include "gdbext/regress/workshop/dependents.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK(gdb - why - regress - error, regress_error)

enum { REGULAR = 0100644, EXECUTABLE = 0100755, LINK = 0120000, FOLDER = 0040000 };

static bool system_failed(GError **error, const char *what, const char *path)
{
	g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_SYSTEM,
		    "Cannot %s %s: %s; check the folder's rights and the room on its disk.", what,
		    path, g_strerror(errno));
	return false;
}

static void free_folder_entry(void *pointer)
{
	struct regress_entry *e = pointer;

	g_free(e->path);
	g_free(e);
}

static int compare_entries(gconstpointer a, gconstpointer b)
{
	const struct regress_entry *x = *(void *const *)a, *y = *(void *const *)b;

	return strcmp(x->path, y->path);
}

static void append_folder_entry(GPtrArray *entries, const char *path, const struct stat *s)
{
	struct regress_entry *e = g_new0(struct regress_entry, 1);

	e->path = g_strdup(path);
	e->mode = S_ISLNK(s->st_mode)	 ? LINK
		  : S_ISDIR(s->st_mode)	 ? FOLDER
		  : s->st_mode & S_IXUSR ? EXECUTABLE
					 : REGULAR;
	e->mtime = (gint64)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
	g_ptr_array_add(entries, e);
}

/* What is wanted of a folder. */
struct listing {
	const char *folder;
	bool everything; /* with CMake's own files, and folders as well */
	GPtrArray *entries;
};

static bool is_left_out(const struct listing *l, const char *name)
{
	return strcmp(name, ".git") == 0 ||
	       (!l->everything &&
		(strcmp(name, "CMakeCache.txt") == 0 || strcmp(name, "CMakeFiles") == 0));
}

static bool list_below(struct listing *l, const char *path, GError **error);

static bool list_one(struct listing *l, const char *path, GError **error)
{
	g_autofree char *full = g_build_filename(l->folder, path, NULL);
	struct stat s;

	if (lstat(full, &s))
		return system_failed(error, "look at", full);
	if (S_ISREG(s.st_mode) || S_ISLNK(s.st_mode) || (S_ISDIR(s.st_mode) && l->everything))
		append_folder_entry(l->entries, path, &s);
	return !S_ISDIR(s.st_mode) || list_below(l, path, error);
}

/* path: "" for the folder itself. */
static bool list_below(struct listing *l, const char *path, GError **error)
{
	g_autofree char *here = g_build_filename(l->folder, path, NULL);
	g_autoptr(GDir) dir = g_dir_open(here, 0, error);
	const char *name;

	if (!dir)
		return false;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *below =
			*path ? g_strconcat(path, "/", name, NULL) : g_strdup(name);

		if (!is_left_out(l, name) && !list_one(l, below, error))
			return false;
	}
	return true;
}

static GPtrArray *list_folder(const char *folder, bool everything, GError **error)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(free_folder_entry);
	struct listing l = { folder, everything, entries };

	if (!list_below(&l, "", error))
		return NULL;
	g_ptr_array_sort(entries, compare_entries);
	return g_steal_pointer(&entries);
}

GPtrArray *regress_folder_list(const char *folder, GError **error)
{
	return list_folder(folder, false, error);
}

GBytes *regress_folder_read(const char *folder, const struct regress_entry *entry, GError **error)
{
	g_autofree char *path = g_build_filename(folder, entry->path, NULL);
	char *text;
	gsize size;

	if (entry->mode == LINK) {
		text = g_file_read_link(path, error);
		return text ? g_bytes_new_take(text, strlen(text)) : NULL;
	}
	if (!g_file_get_contents(path, &text, &size, error))
		return NULL;
	return g_bytes_new_take(text, size);
}

/* The file may belong to the same tree in another place: returns the longest end of its name that
 * exists in the folder. */
static char *find_by_end(const char *folder, const char *file)
{
	for (const char *end = strchr(file, '/'); end; end = strchr(end + 1, '/')) {
		g_autofree char *here = g_build_filename(folder, end + 1, NULL);

		if (g_file_test(here, G_FILE_TEST_IS_REGULAR))
			return g_strdup(end + 1);
	}
	return NULL;
}

char *regress_folder_find(const char *folder, const char *file)
{
	g_autofree char *whole = file ? g_canonicalize_filename(file, folder) : NULL;
	gsize n = strlen(folder);

	if (!whole || g_str_has_prefix(whole, "/usr/"))
		return NULL;
	if (g_str_has_prefix(whole, folder) && whole[n] == '/')
		return g_strdup(whole + n + 1);
	return find_by_end(folder, whole);
}

/* Notes of the build for itself. */
static bool is_note_of_build(const char *path)
{
	static const char *const names[] = { "config.log",  "config.cache",	    ".dirstamp",
					     ".ninja_deps", ".ninja_log",	    "stamp-h1",
					     "build.ninja", "compile_commands.json" };
	static const char *const ends[] = { ".Po", ".Plo", ".lo", ".la", ".d", ".gcno", ".gcda" };
	static const char *const folders[] = { "autom4te.cache/", "meson-private/", "meson-info/",
					       "meson-logs/" };
	g_autofree char *name = g_path_get_basename(path);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(name, ends[i]))
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}

bool regress_is_built(const char *path, GBytes *bytes)
{
	static const char *const beginnings[] = { "\177ELF", "!<arch>\n", "!<thin>\n" };
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);

	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		gsize n = strlen(beginnings[i]);

		if (size >= n && memcmp(data, beginnings[i], n) == 0)
			return true;
	}
	return is_note_of_build(path);
}

static bool copy_one(const char *from, const char *to, const struct regress_entry *e,
		     GError **error)
{
	g_autofree char *source = g_build_filename(from, e->path, NULL);
	g_autofree char *target = g_build_filename(to, e->path, NULL);
	g_autofree char *above = e->mode == FOLDER ? g_strdup(target) : g_path_get_dirname(target);
	g_autoptr(GFile) a = g_file_new_for_path(source), b = g_file_new_for_path(target);

	if (g_mkdir_with_parents(above, 0755))
		return system_failed(error, "make", above);
	if (e->mode == FOLDER)
		return true;
	if (!g_file_copy(a, b, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error))
		return false;
	/* a file that its owner may not write must still be changed and removed here */
	if (e->mode != LINK && chmod(target, e->mode & 07777))
		return system_failed(error, "set the mode of", target);
	regress_folder_touch(to, e->path, e->mtime);
	return true;
}

/* Does a file of the build hold the text? */
static bool is_rooted(const char *folder, const struct regress_entry *e, const char *root)
{
	static const char *const names[] = { "build.ninja", "libtool", "CMakeCache.txt" };
	g_autofree char *full = g_build_filename(folder, e->path, NULL);
	g_autofree char *name = g_path_get_basename(e->path);
	g_autofree char *text = NULL;
	bool may = dependents_is_of_the_build(e->path) || strstr(e->path, "CMakeFiles/") ||
		   strstr(e->path, "meson-private/");

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		may |= strcmp(name, names[i]) == 0;
	return may && (e->mode == REGULAR || e->mode == EXECUTABLE) &&
	       g_file_get_contents(full, &text, NULL, NULL) && strstr(text, root);
}

bool regress_folder_make(const char *folder, GError **error)
{
	return !g_mkdir_with_parents(folder, 0700) || system_failed(error, "make", folder);
}

bool regress_folder_copy(const char *from, const char *to, const char *root, unsigned *left_out,
			 char **example, GError **error)
{
	g_autoptr(GPtrArray) entries = list_folder(from, true, error);

	if (!entries)
		return false;
	if (!regress_folder_make(to, error))
		return false;
	for (guint i = 0; i < entries->len; i++) {
		const struct regress_entry *e = g_ptr_array_index(entries, i);

		if (!root || !is_rooted(from, e, root)) {
			if (!copy_one(from, to, e, error))
				return false;
			continue;
		}
		if (!(*left_out)++)
			*example = g_strdup(e->path);
	}
	return true;
}

static bool write_file_with_mode(const char *target, unsigned mode, GBytes *bytes, GError **error)
{
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);

	if (mode == LINK) {
		g_autofree char *to = g_strndup(size ? data : "", size);

		return !symlink(to, target) || system_failed(error, "make", target);
	}
	if (!g_file_set_contents(target, size ? data : "", (gssize)size, error))
		return false;
	return !chmod(target, mode & 07777) || system_failed(error, "set the mode of", target);
}

bool regress_folder_write(const char *folder, const char *path, unsigned mode, GBytes *bytes,
			  gint64 time, GError **error)
{
	g_autofree char *target = g_build_filename(folder, path, NULL);
	g_autofree char *above = g_path_get_dirname(target);

	if (g_mkdir_with_parents(above, 0755))
		return system_failed(error, "make", above);
	if (g_unlink(target))
		g_rmdir(target);
	if (!write_file_with_mode(target, mode, bytes, error))
		return false;
	regress_folder_touch(folder, path, time);
	return true;
}

void regress_folder_delete(const char *folder, const char *path)
{
	g_autofree char *target = g_build_filename(folder, path, NULL);

	g_unlink(target);
}

void regress_folder_touch(const char *folder, const char *path, gint64 time)
{
	g_autofree char *target = g_build_filename(folder, path, NULL);
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW },
				     { .tv_sec = time / 1000000000,
				       .tv_nsec = time % 1000000000 } };

	utimensat(AT_FDCWD, target, times, AT_SYMLINK_NOFOLLOW);
}
