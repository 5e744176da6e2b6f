/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent's own system calls do what libc's do, and touch neither errno nor what they must not.
 */
#include "gdbext/agent/sys.h"
#include "tests/support/hosted.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void files_are_opened_measured_and_closed(void **state)
{
	char name[] = "/tmp/why-sys-XXXXXX";
	int made = mkstemp(name), fd;

	(void)state;
	assert_true(made >= 0);
	assert_int_equal(write(made, "0123456789", 10), 10);
	errno = ENOSPC;
	fd = sys_open(name, O_RDONLY, 0);
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(sys_file_size(fd), 10);
	sys_close(fd);
	assert_int_equal(sys_file_size(fd), 0);
	assert_int_equal(errno, ENOSPC);
	unlink(name);
	assert_int_equal(sys_open(name, O_RDONLY, 0), -ENOENT);
	close(made);
}

static void memory_that_is_not_there_is_not_read(void **state)
{
	uint64_t value = 77, copy = 0, page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint8_t *two =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(two != MAP_FAILED);
	assert_true(sys_read_memory((uint64_t)(uintptr_t)&value, &copy, sizeof copy));
	assert_int_equal(copy, 77);
	munmap(two + page, page);
	memset(two, 5, page);
	assert_true(sys_read_memory((uint64_t)(uintptr_t)two + page - 8, &copy, 8));
	assert_int_equal(copy, UINT64_C(0x0505050505050505));
	/* half of it is there */
	assert_false(sys_read_memory((uint64_t)(uintptr_t)two + page - 4, &copy, 8));
	munmap(two, page);
}

static void a_place_that_is_taken_stays_as_it_is(void **state)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), at;
	uint8_t *first =
		mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(first != MAP_FAILED);
	at = (uint64_t)(uintptr_t)first;
	first[0] = 9;
	assert_null(sys_map_at(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	assert_int_equal(first[0], 9);
	munmap(first, page);
	assert_ptr_equal(sys_map_at(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
			 first);
	assert_int_equal(first[0], 0);
	munmap(first, page);
}

static void what_is_said_is_one_line_on_standard_error(void **state)
{
	int ends[2], saved = dup(STDERR_FILENO);
	char text[100] = "";

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	sys_say("it is cut: ", "no room");
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(ends[1]);
	assert_true(read(ends[0], text, sizeof text - 1) > 0);
	assert_int_equal(hosted_gave_up, 0);
	assert_string_equal(text, "gdb-why: it is cut: no room\n");
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_opened_measured_and_closed),
		cmocka_unit_test(memory_that_is_not_there_is_not_read),
		cmocka_unit_test(a_place_that_is_taken_stays_as_it_is),
		cmocka_unit_test(what_is_said_is_one_line_on_standard_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
