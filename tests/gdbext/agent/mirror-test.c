/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mirror: what loads add to the stream, and numbers that are known after they were flushed. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

enum { WINDOW = 256 << 10, PIECE = 1000 };
static const uint8_t nothing[] = "\x48\x89\xf8\xc3";

static struct hosted *start_mirrored(struct agent_thread **t)
{
	struct hosted *h = hosted_new(nothing, sizeof nothing - 1, TRACE_RECORD);

	hosted_function(h, 0, sizeof nothing - 1);
	hosted_load(h);
	*t = hosted_thread();
	assert_true(mirror_map(*t));
	(*t)->mirrors = true;
	mirror_begin(*t);
	return h;
}

/* An instruction that loads. */
static void load_mirrored(struct agent_thread *t, uint64_t address, uint64_t value, unsigned size)
{
	uint8_t *before = t->at;

	t->at = mirror_load(t, address, &value, size, t->at);
	head_of(t)->length += (uint64_t)(t->at - before);
	head_of(t)->insns++;
}

static uint64_t number_at(const GByteArray *s, size_t at)
{
	uint64_t number = 0;

	assert_true(at + TRACE_MISS_SIZE <= s->len);
	memcpy(&number, s->data + at, TRACE_MISS_SIZE);
	return number;
}

static void only_what_the_mirror_has_not_is_recorded(void **state)
{
	struct agent_thread *t;
	struct hosted *h = start_mirrored(&t);
	uint64_t value = 0x1122334455667788;
	GByteArray *s;

	(void)state;
	load_mirrored(t, 0x5000, 0, 8); /* there are zeros */
	mirror_store(t, 0x15008, &value, 8);
	load_mirrored(t, 0x5008, value, 8); /* the same place */
	load_mirrored(t, 0x5008, value & 0xffffffff, 4);
	load_mirrored(t, 0x500c, 7, 4); /* somebody has changed it */
	load_mirrored(t, 0x500c, 7, 4);
	load_mirrored(t, 0xffffc, value, 8); /* across the end */
	load_mirrored(t, 0xffffc, value, 8);
	s = hosted_stream(h, t);
	assert_int_equal(s->len, 3 * TRACE_MISS_SIZE + 4 + 8);
	assert_int_equal(number_at(s, 0), 3);
	assert_int_equal(number_at(s, TRACE_MISS_SIZE), 2);
	assert_int_equal(s->data[2 * TRACE_MISS_SIZE], 7);
	assert_int_equal(number_at(s, 2 * TRACE_MISS_SIZE + 4), TRACE_MISS_NONE);
	assert_memory_equal(s->data + 3 * TRACE_MISS_SIZE + 4, &value, 8);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

/* Enough for a window to be flushed. */
static void put_a_window(struct agent_thread *t)
{
	static const uint8_t piece[PIECE];

	for (unsigned n = 0; n <= WINDOW / PIECE; n++)
		hosted_put(t, piece, PIECE);
}

static void a_number_is_known_after_it_was_flushed(void **state)
{
	struct agent_thread *t;
	struct hosted *h = start_mirrored(&t);
	GByteArray *s;
	uint64_t insns, at;

	(void)state;
	put_a_window(t);
	assert_int_equal(missed_of(t)->offset, 0);
	insns = head_of(t)->insns;
	at = head_of(t)->length;
	load_mirrored(t, 0x5000, 9, 8);
	assert_int_equal(missed_of(t)->next & TRACE_MISS_NONE, insns);
	put_a_window(t);
	s = hosted_stream(h, t);
	assert_int_equal(number_at(s, 0), insns);
	assert_int_equal(number_at(s, at), TRACE_MISS_NONE);
	assert_int_equal(s->data[at + TRACE_MISS_SIZE], 9);
	assert_int_equal(missed_of(t)->offset, at);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

static void a_window_has_no_mirror(void **state)
{
	struct hosted *h = hosted_new(nothing, sizeof nothing - 1, TRACE_RECORD | TRACE_JIT);

	(void)state;
	hosted_function(h, 0, sizeof nothing - 1);
	h->plan.window = 1000;
	hosted_load(h);
	assert_false(hosted_thread()->mirrors);
	assert_false(head_of(hosted_thread())->flags & TRACE_MIRRORS);
	hosted_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_the_mirror_has_not_is_recorded),
		cmocka_unit_test(a_number_is_known_after_it_was_flushed),
		cmocka_unit_test(a_window_has_no_mirror),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
