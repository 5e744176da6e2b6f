/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/cache.h"

#include "gdbext/suite/cache-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct suite_cache {
	char *folder, *path;
	GHashTable *entries; /* key (32 bytes): struct cache_entry * */
	bool added, used;
};

static guint suite_key_hash(gconstpointer key)
{
	guint hash;

	memcpy(&hash, key, sizeof hash);
	return hash;
}

static gboolean suite_key_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, SUITE_KEY) == 0;
}

struct suite_cache *suite_cache_open(const char *folder, const char *build)
{
	struct suite_cache *c = g_new0(struct suite_cache, 1);
	g_autofree char *name = g_compute_checksum_for_string(G_CHECKSUM_SHA256, build, -1);
	g_autofree char *file = g_strdup_printf("%.32s%s", name, CACHE_SUFFIX);
	g_autofree char *text = NULL;
	gsize length;

	c->folder = folder ? g_strdup(folder)
			   : g_build_filename(g_get_user_cache_dir(), "gdb-why", NULL);
	c->path = g_build_filename(c->folder, file, NULL);
	c->entries = g_hash_table_new_full(suite_key_hash, suite_key_equal, NULL, cache_entry_free);
	if (g_file_get_contents(c->path, &text, &length, NULL))
		cache_decode((const guint8 *)text, length, c->entries);
	return c;
}

bool suite_cache_get(struct suite_cache *c, const guint8 *key, struct suite_end *end,
		     GBytes **profile)
{
	struct cache_entry *e = c ? g_hash_table_lookup(c->entries, key) : NULL;
	GBytes *unpacked = e && e->packed ? cache_unpack(e->packed, e->size) : NULL;

	if (!e || (e->packed && !unpacked))
		return false;
	e->used = c->used = true;
	*end = e->end;
	*profile = unpacked;
	return true;
}

void suite_cache_put(struct suite_cache *c, const guint8 *key, const struct suite_end *end,
		     GBytes *profile)
{
	struct cache_entry *e;

	if (!c || (profile && g_bytes_get_size(profile) > SUITE_CACHE_FILE_MOST))
		return;
	e = g_new0(struct cache_entry, 1);
	memcpy(e->key, key, SUITE_KEY);
	e->end = *end;
	if (profile) {
		e->packed = cache_pack(profile);
		e->size = (guint32)g_bytes_get_size(profile);
	}
	e->used = c->added = true;
	g_hash_table_replace(c->entries, e->key, e);
}

/* What others have written since the cache was opened. */
static void add_others_of_cache(struct suite_cache *c)
{
	g_autofree char *text = NULL;
	gsize length;

	if (g_file_get_contents(c->path, &text, &length, NULL))
		cache_decode((const guint8 *)text, length, c->entries);
}

static void write_cache(struct suite_cache *c)
{
	g_autofree char *lock = g_build_filename(c->folder, "lock", NULL);
	g_autoptr(GByteArray) bytes = NULL;
	int fd;

	if (g_mkdir_with_parents(c->folder, 0700))
		return;
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX) == 0) {
		add_others_of_cache(c);
		bytes = cache_encode(c->entries, SUITE_CACHE_FILE_MOST);
		/* atomic: a temporary file that is renamed */
		g_file_set_contents_full(c->path, (const char *)bytes->data, (gssize)bytes->len,
					 G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
		suite_cache_trim(c->folder, SUITE_CACHE_MOST);
	}
	close(fd);
}

void suite_cache_close(struct suite_cache *c)
{
	if (!c)
		return;
	if (c->added)
		write_cache(c);
	else if (c->used)
		utimensat(AT_FDCWD, c->path, NULL, 0);
	g_hash_table_unref(c->entries);
	g_free(c->folder);
	g_free(c->path);
	g_free(c);
}

const char *suite_cache_path(const struct suite_cache *c)
{
	return c->path;
}

struct file {
	char *path;
	guint64 size;
	struct timespec used;
};

static void cached_file_clear(gpointer p)
{
	g_free(((struct file *)p)->path);
}

static gint compare_by_use(gconstpointer a, gconstpointer b)
{
	const struct timespec *x = &((const struct file *)a)->used;
	const struct timespec *y = &((const struct file *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

void suite_cache_trim(const char *folder, guint64 most)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	g_autoptr(GArray) files = g_array_new(FALSE, FALSE, sizeof(struct file));
	guint64 sum = 0;
	const char *name;

	g_array_set_clear_func(files, cached_file_clear);
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		struct stat st;

		/* one that was left half-written too */
		if (strstr(name, CACHE_SUFFIX) && lstat(path, &st) == 0) {
			struct file f = { g_steal_pointer(&path), (guint64)st.st_size, st.st_mtim };
			g_array_append_val(files, f);
		}
	}
	g_array_sort(files, compare_by_use);
	for (unsigned i = 0; i < files->len; i++) {
		const struct file *f = &g_array_index(files, struct file, i);

		sum += f->size;
		if (sum > most)
			g_unlink(f->path);
	}
}
