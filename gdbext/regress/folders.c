/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK(gdb - why - regress - error, regress_error)

enum { REGULAR = 0100644, EXECUTABLE = 0100755, LINK = 0120000 };

static bool system_failed(GError **error, const char *what, const char *path)
{
	g_set_error(error, REGRESS_ERROR, REGRESS_ERROR_SYSTEM,
		    "Cannot %s %s: %s; check the folder's rights and the room on its disk.", what,
		    path, g_strerror(errno));
	return false;
}

static void free_entry(void *pointer)
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

static void add_entry(GPtrArray *entries, const char *path, const struct stat *s)
{
	struct regress_entry *e = g_new0(struct regress_entry, 1);

	e->path = g_strdup(path);
	e->mode = S_ISLNK(s->st_mode) ? LINK : s->st_mode & S_IXUSR ? EXECUTABLE : REGULAR;
	e->mtime = (gint64)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
	g_ptr_array_add(entries, e);
}

/* path: "" for the folder itself. */
static bool list_below(const char *folder, const char *path, GPtrArray *entries, GError **error)
{
	g_autofree char *here = g_build_filename(folder, path, NULL);
	g_autoptr(GDir) dir = g_dir_open(here, 0, error);
	const char *name;

	if (!dir)
		return false;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *below =
			*path ? g_strconcat(path, "/", name, NULL) : g_strdup(name);
		g_autofree char *full = g_build_filename(folder, below, NULL);
		struct stat s;

		/* CMake's own files hold the folder's absolute name: it has to be asked again */
		if (strcmp(name, ".git") == 0 || strcmp(name, "CMakeCache.txt") == 0 ||
		    strcmp(name, "CMakeFiles") == 0)
			continue;
		if (lstat(full, &s))
			return system_failed(error, "look at", full);
		if (S_ISDIR(s.st_mode)) {
			if (!list_below(folder, below, entries, error))
				return false;
		} else if (S_ISREG(s.st_mode) || S_ISLNK(s.st_mode)) {
			add_entry(entries, below, &s);
		}
	}
	return true;
}

GPtrArray *regress_folder_list(const char *folder, GError **error)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(free_entry);

	if (!list_below(folder, "", entries, error))
		return NULL;
	g_ptr_array_sort(entries, compare_entries);
	return g_steal_pointer(&entries);
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

/* Of the same tree elsewhere: the longest end of the name that is there. */
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

bool regress_is_built(GBytes *bytes)
{
	static const char *const beginnings[] = { "\177ELF", "!<arch>\n", "!<thin>\n" };
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);

	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++) {
		gsize n = strlen(beginnings[i]);

		if (size >= n && memcmp(data, beginnings[i], n) == 0)
			return true;
	}
	return false;
}

static bool copy_one(const char *from, const char *to, const struct regress_entry *e,
		     GError **error)
{
	g_autofree char *source = g_build_filename(from, e->path, NULL);
	g_autofree char *target = g_build_filename(to, e->path, NULL);
	g_autofree char *above = g_path_get_dirname(target);
	g_autoptr(GFile) a = g_file_new_for_path(source), b = g_file_new_for_path(target);

	if (g_mkdir_with_parents(above, 0755))
		return system_failed(error, "make", above);
	if (!g_file_copy(a, b, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, error))
		return false;
	/* a file that its owner may not write must still be changed and removed here */
	if (e->mode != LINK && chmod(target, e->mode & 07777))
		return system_failed(error, "set the mode of", target);
	regress_folder_touch(to, e->path, e->mtime);
	return true;
}

bool regress_folder_copy(const char *from, const char *to, GError **error)
{
	g_autoptr(GPtrArray) entries = regress_folder_list(from, error);

	if (!entries)
		return false;
	if (g_mkdir_with_parents(to, 0700))
		return system_failed(error, "make", to);
	for (guint i = 0; i < entries->len; i++)
		if (!copy_one(from, to, g_ptr_array_index(entries, i), error))
			return false;
	return true;
}

static bool write_file(const char *target, unsigned mode, GBytes *bytes, GError **error)
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
	g_unlink(target);
	if (!write_file(target, mode, bytes, error))
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
