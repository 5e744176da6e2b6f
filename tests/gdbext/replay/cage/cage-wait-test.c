/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a wait by futex(2) answers to a thread, here to ourselves. */
#include "gdbext/replay/cage/cage-wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static uint32_t place = 5;

static struct seccomp_notif ask(int operation, const void *address, uint32_t value,
				const void *timeout)
{
	struct seccomp_notif n = { .id = 7, .pid = (uint32_t)getpid() };

	n.data.args[0] = (uintptr_t)address;
	n.data.args[1] = (uint64_t)operation;
	n.data.args[2] = value;
	n.data.args[3] = (uintptr_t)timeout;
	n.data.args[5] = FUTEX_BITSET_MATCH_ANY;
	return n;
}

static int begin(int operation, const void *address, uint32_t value, const void *timeout)
{
	struct seccomp_notif n = ask(operation, address, value, timeout);
	struct cage_wait wait;

	return cage_wait_begin(&n, &wait);
}

/* How it ends: as it should, within what it may last for no reason. */
static int end_of(int operation, const void *timeout)
{
	struct seccomp_notif n = ask(operation, &place, place, timeout);
	struct cage_wait wait;
	int result;

	assert_int_equal(cage_wait_begin(&n, &wait), 0);
	assert_int_equal(wait.id, 7);
	while (!cage_wait_is_over(&wait, &result))
		g_usleep(500);
	return result;
}

static void what_cannot_be_waited_for_is_an_error(void **state)
{
	const struct timespec bad = { 0, 1000000000 }, before = { -1, 0 };
	struct seccomp_notif no_bits = ask(FUTEX_WAIT_BITSET, &place, place, NULL);
	struct cage_wait wait;

	(void)state;
	assert_int_equal(begin(FUTEX_WAIT, &place, place + 1, NULL), -EAGAIN);
	assert_int_equal(begin(FUTEX_WAIT, NULL, 0, NULL), -EFAULT);
	assert_int_equal(begin(FUTEX_WAIT, (char *)&place + 1, place, NULL), -EINVAL);
	assert_int_equal(begin(FUTEX_WAIT, &place, place, (void *)8), -EFAULT);
	assert_int_equal(begin(FUTEX_WAIT, &place, place, &bad), -EINVAL);
	assert_int_equal(begin(FUTEX_WAIT_BITSET, &place, place, &before), -EINVAL);
	no_bits.data.args[5] = 0;
	assert_int_equal(cage_wait_begin(&no_bits, &wait), -EINVAL);
}

static void it_ends_when_the_value_is_another(void **state)
{
	struct seccomp_notif n = ask(FUTEX_WAIT, &place, place, NULL);
	struct cage_wait wait;
	int result = 1;

	(void)state;
	assert_int_equal(cage_wait_begin(&n, &wait), 0);
	wait.end = INT64_MAX;
	assert_false(cage_wait_is_over(&wait, &result));
	place++;
	assert_true(cage_wait_is_over(&wait, &result));
	assert_int_equal(result, 0);
}

static void it_ends_when_time_is_up(void **state)
{
	const struct timespec none = { 0, 0 }, long_ago = { 1, 0 };

	(void)state;
	assert_int_equal(end_of(FUTEX_WAIT, &none), -ETIMEDOUT);
	assert_int_equal(end_of(FUTEX_WAIT_BITSET, &long_ago), -ETIMEDOUT);
	assert_int_equal(end_of(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, &long_ago), -ETIMEDOUT);
}

/* Else it ends for no reason, as everybody has to expect. */
static void it_ends_after_a_while(void **state)
{
	const struct timespec ages = { G_MAXLONG, 999999999 };
	struct timespec later;

	(void)state;
	assert_int_equal(end_of(FUTEX_WAIT, NULL), 0);
	assert_int_equal(end_of(FUTEX_WAIT, &ages), 0);
	assert_int_equal(end_of(FUTEX_WAIT_BITSET, &ages), 0);
	clock_gettime(CLOCK_REALTIME, &later);
	later.tv_sec += 1000;
	assert_int_equal(end_of(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, &later), 0);
}

static void who_is_gone_waits_no_more(void **state)
{
	uint32_t *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct seccomp_notif n = ask(FUTEX_WAIT, memory, 0, NULL);
	struct cage_wait wait;
	int result;

	(void)state;
	assert_int_equal(cage_wait_begin(&n, &wait), 0);
	munmap(memory, 4096);
	assert_true(cage_wait_is_over(&wait, &result));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_waited_for_is_an_error),
		cmocka_unit_test(it_ends_when_the_value_is_another),
		cmocka_unit_test(it_ends_when_time_is_up),
		cmocka_unit_test(it_ends_after_a_while),
		cmocka_unit_test(who_is_gone_waits_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
