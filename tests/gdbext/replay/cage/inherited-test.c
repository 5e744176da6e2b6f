/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of a caged run: they read what the user's do, and reach nothing that the user has. */
#include "gdbext/replay/cage/inherited.h"

#include "tests/support/program.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct handed {
	char *folder, *path;
};

static int start(void **state)
{
	struct handed *h = g_new0(struct handed, 1);

	h->folder = test_folder_new();
	h->path = g_build_filename(h->folder, "data", NULL);
	assert_true(g_file_set_contents(h->path, "0123456789", -1, NULL));
	*state = h;
	return 0;
}

static int end(void **state)
{
	struct handed *h = *state;

	test_folder_free(h->folder);
	g_free(h->path);
	g_free(h);
	return 0;
}

/* The user's descriptor, and that of the run, which is another name for it before. */
static int given(const char *path, int flags, int *users)
{
	*users = open(path, flags);
	assert_true(*users >= 0);
	return dup(*users);
}

static bool is_null_device(int fd)
{
	struct stat st, null;

	return !fstat(fd, &st) && !stat("/dev/null", &null) && S_ISCHR(st.st_mode) &&
	       st.st_rdev == null.st_rdev;
}

static void what_is_read_goes_on_at_the_same_place(void **state)
{
	const struct handed *h = *state;
	int users, fd = given(h->path, O_RDONLY, &users);
	char text[8] = "";

	assert_int_equal(lseek(users, 4, SEEK_SET), 4);
	assert_true(inherited_replace(fd));
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "456");
	assert_int_equal(lseek(users, 0, SEEK_CUR), 4); /* the user's stays */
	assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	assert_false(fcntl(users, F_GETFL) & O_NONBLOCK);
	close(fd);
	close(users);
}

static void what_is_written_goes_into_a_copy(void **state)
{
	const struct handed *h = *state;
	int users, fd = given(h->path, O_RDWR | O_APPEND, &users);
	g_autofree char *is = NULL;
	char text[16] = "";

	assert_true(inherited_replace(fd));
	assert_int_equal(write(fd, "!", 1), 1);
	assert_int_equal(pread(fd, text, 15, 0), 11);
	assert_string_equal(text, "0123456789!");
	assert_true(fcntl(fd, F_GETFL) & O_APPEND);
	assert_true(g_file_get_contents(h->path, &is, NULL, NULL));
	assert_string_equal(is, "0123456789");
	close(fd);
	close(users);
}

/* A copy takes memory, so of a large file there is none. */
static void large_files_are_not_written(void **state)
{
	const struct handed *h = *state;
	int users, fd;

	assert_int_equal(truncate(h->path, (16 << 20) + 1), 0);
	fd = given(h->path, O_RDWR, &users);
	assert_true(inherited_replace(fd));
	assert_true(is_null_device(fd));
	close(fd);
	close(users);
	fd = given(h->path, O_RDONLY, &users); /* but it is read */
	assert_true(inherited_replace(fd));
	assert_int_equal(lseek(fd, 0, SEEK_END), (16 << 20) + 1);
	close(fd);
	close(users);
}

/* Who is at the other end would notice. */
static void pipes_and_sockets_lead_nowhere(void **state)
{
	int pipes[2], sockets[2];

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	assert_true(inherited_replace(pipes[1]));
	assert_true(inherited_replace(sockets[1]));
	assert_true(is_null_device(pipes[1]) && is_null_device(sockets[1]));
	assert_int_equal(write(pipes[1], "x", 1), 1);
	assert_int_equal(fcntl(pipes[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(pipes[0], &(char){ 0 }, 1), 0); /* nobody writes any more */
	for (unsigned i = 0; i < 2; i++) {
		close(pipes[i]);
		close(sockets[i]);
	}
}

static void folders_and_devices_of_memory_stay(void **state)
{
	const struct handed *h = *state;
	int users, fd = given(h->folder, O_RDONLY | O_DIRECTORY, &users), data;
	char zero = 1;

	assert_true(inherited_replace(fd));
	data = openat(fd, "data", O_RDONLY);
	assert_true(data >= 0);
	close(data);
	close(fd);
	close(users);
	fd = given("/dev/zero", O_RDWR, &users);
	assert_true(inherited_replace(fd));
	assert_int_equal(read(fd, &zero, 1), 1);
	assert_int_equal(zero, 0);
	close(fd);
	close(users);
}

static void it_stays_open_as_it_was(void **state)
{
	const struct handed *h = *state;
	int fd = open(h->path, O_RDONLY | O_CLOEXEC), path = open(h->path, O_PATH);

	assert_true(inherited_replace(fd));
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_SETFD, 0), 0);
	assert_true(inherited_replace(fd));
	assert_false(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_true(inherited_replace(path)); /* nothing can be done by it */
	assert_true(fcntl(path, F_GETFL) & O_PATH);
	close(fd);
	close(path);
}

/* What the user may not open anew, the run does not get. */
static void what_cannot_be_opened_leads_nowhere(void **state)
{
	const struct handed *h = *state;
	int users, fd;

	if (!geteuid())
		skip();
	fd = given(h->path, O_RDWR, &users);
	assert_int_equal(chmod(h->path, 0), 0);
	assert_true(inherited_replace(fd));
	assert_true(is_null_device(fd));
	close(fd);
	close(users);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
	const struct CMUnitTest tests[] = {
		TEST(what_is_read_goes_on_at_the_same_place),
		TEST(what_is_written_goes_into_a_copy),
		TEST(large_files_are_not_written),
		TEST(pipes_and_sockets_lead_nowhere),
		TEST(folders_and_devices_of_memory_stay),
		TEST(it_stays_open_as_it_was),
		TEST(what_cannot_be_opened_leads_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
