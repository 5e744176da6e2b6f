/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/cache-private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int setup(void **state)
{
	*state = g_dir_make_tmp("gdb-why-cache-XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	g_autofree char *folder = *state;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);

		g_unlink(path);
	}
	return g_rmdir(folder);
}

static void make_key(guint8 *key, unsigned n)
{
	memset(key, 0, SUITE_KEY);
	memcpy(key, &n, sizeof n);
}

static void put(struct suite_cache *c, unsigned n, const char *profile)
{
	struct suite_end end = { .number = (int)n, .usecs = 77, .length = 1ull << 40 };
	g_autoptr(GBytes) bytes = profile ? g_bytes_new(profile, strlen(profile)) : NULL;
	guint8 key[SUITE_KEY];

	end.digest[31] = (guint8)n;
	make_key(key, n);
	suite_cache_put(c, key, &end, bytes);
}

static bool has(struct suite_cache *c, unsigned n, const char *profile)
{
	struct suite_end end = { 0 };
	g_autoptr(GBytes) bytes = NULL;
	guint8 key[SUITE_KEY];

	make_key(key, n);
	if (!suite_cache_get(c, key, &end, &bytes))
		return false;
	assert_int_equal(end.kind, SUITE_EXITED);
	assert_int_equal(end.number, (int)n);
	assert_true(end.usecs == 77 && end.length == 1ull << 40);
	assert_int_equal(end.digest[31], (guint8)n);
	assert_true(!bytes == !profile);
	if (bytes) {
		assert_int_equal(g_bytes_get_size(bytes), strlen(profile));
		assert_memory_equal(g_bytes_get_data(bytes, NULL), profile, strlen(profile));
	}
	return true;
}

static void what_is_put_is_there(void **state)
{
	g_autofree char *many = g_strnfill(100000, 'x');
	struct suite_cache *c = suite_cache_open(*state, "build 1");

	assert_false(has(c, 1, NULL));
	put(c, 1, "profile");
	put(c, 2, NULL);
	put(c, 3, many);
	put(c, 4, "");
	assert_true(has(c, 1, "profile"));
	suite_cache_close(c);
	c = suite_cache_open(*state, "build 1");
	assert_true(has(c, 1, "profile") && has(c, 2, NULL) && has(c, 3, many) && has(c, 4, ""));
	assert_false(has(c, 5, NULL));
	suite_cache_close(c);
	c = suite_cache_open(*state, "build 2");
	assert_false(has(c, 1, NULL));
	suite_cache_close(c);
}

static void what_two_put_is_there(void **state)
{
	struct suite_cache *a = suite_cache_open(*state, "b"), *b = suite_cache_open(*state, "b");

	put(a, 1, "one");
	put(b, 2, "two");
	suite_cache_close(a);
	suite_cache_close(b);
	a = suite_cache_open(*state, "b");
	assert_true(has(a, 1, "one") && has(a, 2, "two"));
	suite_cache_close(a);
}

enum { WRITERS = 8 };

static void many_at_once(void **state)
{
	for (unsigned i = 0; i < WRITERS; i++) {
		if (!fork()) {
			struct suite_cache *c = suite_cache_open(*state, "b");

			put(c, i, "profile");
			suite_cache_close(c);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	struct suite_cache *c = suite_cache_open(*state, "b");

	for (unsigned i = 0; i < WRITERS; i++)
		assert_true(has(c, i, "profile"));
	suite_cache_close(c);
}

/* Each byte changed, and each length: nothing of it counts, and it is written anew. */
static void damaged_files_count_for_nothing(void **state)
{
	struct suite_cache *c = suite_cache_open(*state, "b");
	g_autofree char *path = g_strdup(suite_cache_path(c));
	g_autofree char *text = NULL;
	gsize length;

	put(c, 1, "profile");
	suite_cache_close(c);
	assert_true(g_file_get_contents(path, &text, &length, NULL));
	for (gsize i = 0; i < 2 * length; i++) {
		if (i < length)
			text[i] ^= 1;
		assert_true(g_file_set_contents(path, text,
						(gssize)(i < length ? length : i - length), NULL));
		c = suite_cache_open(*state, "b");
		assert_false(has(c, 1, "profile"));
		suite_cache_close(c);
		if (i < length)
			text[i] ^= 1;
	}
	c = suite_cache_open(*state, "b");
	put(c, 2, "two");
	suite_cache_close(c);
	c = suite_cache_open(*state, "b");
	assert_true(has(c, 2, "two"));
	suite_cache_close(c);
}

static void a_file_is_bounded(void **state)
{
	g_autoptr(GHashTable) entries = g_hash_table_new_full(NULL, NULL, NULL, cache_entry_free);
	g_autoptr(GHashTable) read = g_hash_table_new_full(NULL, NULL, NULL, cache_entry_free);
	g_autoptr(GByteArray) bytes = NULL;
	struct cache_entry *e;
	GHashTableIter iter;
	unsigned used = 0;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		e = g_new0(struct cache_entry, 1);
		make_key(e->key, i);
		e->used = i % 10 == 0;
		g_hash_table_insert(entries, e->key, e);
	}
	bytes = cache_encode(entries, 2000);
	assert_true(bytes->len <= 2000 && bytes->len > 1500);
	assert_true(cache_decode(bytes->data, bytes->len, read));
	g_hash_table_iter_init(&iter, read);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&e))
		used += e->key[0] % 10 == 0;
	assert_int_equal(used, 10);
}

static void old_files_go(void **state)
{
	static const char *const builds[] = { "a", "b", "c" };
	char *paths[3];
	guint64 size = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct suite_cache *c = suite_cache_open(*state, builds[i]);
		struct timespec times[2] = { { .tv_sec = 1000 + i }, { .tv_sec = 1000 + i } };
		GStatBuf st;

		paths[i] = g_strdup(suite_cache_path(c));
		put(c, 1, "profile");
		suite_cache_close(c);
		assert_int_equal(g_stat(paths[i], &st), 0);
		size = (guint64)st.st_size;
		utimensat(-1, paths[i], times, 0);
	}
	/* what is used is young again */
	struct suite_cache *c = suite_cache_open(*state, "a");

	assert_true(has(c, 1, "profile"));
	suite_cache_close(c);
	suite_cache_trim(*state, 2 * size);
	assert_int_equal(g_access(paths[0], F_OK), 0);
	assert_int_not_equal(g_access(paths[1], F_OK), 0);
	assert_int_equal(g_access(paths[2], F_OK), 0);
	for (unsigned i = 0; i < 3; i++)
		g_free(paths[i]);
}

static void without_a_place_nothing_is_kept(void **state)
{
	struct suite_cache *c = suite_cache_open("/proc/self/none", "b");

	(void)state;
	put(c, 1, "profile");
	assert_true(has(c, 1, "profile"));
	suite_cache_close(c);
	suite_cache_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_put_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(what_two_put_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(many_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged_files_count_for_nothing, setup, teardown),
		cmocka_unit_test(a_file_is_bounded),
		cmocka_unit_test_setup_teardown(old_files_go, setup, teardown),
		cmocka_unit_test(without_a_place_nothing_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
