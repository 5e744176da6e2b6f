/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditional branches go under the recorder as the processor says. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* For each: long branch(long flags, long rcx, long *rcx_after); 1 = taken */
#define BRANCH(insn)                          \
	"push %rdx\npush %rdi\npopfq\n"       \
	"mov %rsi,%rcx\n" insn " 1f\n"        \
	"mov $0,%eax\njmp 2f\n"               \
	"1: mov $1,%eax\n"                    \
	"2: pop %rdx\nmov %rcx,(%rdx)\nret\n" \
	".balign 64,0xcc\n"
enum { SIZE = 64, FLAGS = 0x8d5 }; /* overflow, sign, zero, adjust, parity, carry */

/* clang-format off */
__asm__(".pushsection .rodata\n.balign 64\n"
	"branches:\n"
	BRANCH("jo") BRANCH("jno") BRANCH("jb") BRANCH("jae") BRANCH("je") BRANCH("jne")
	BRANCH("jbe") BRANCH("ja") BRANCH("js") BRANCH("jns") BRANCH("jp") BRANCH("jnp")
	BRANCH("jl") BRANCH("jge") BRANCH("jle") BRANCH("jg")
	BRANCH("jrcxz") BRANCH("jecxz") BRANCH("loop") BRANCH("loope") BRANCH("loopne")
	"branches_end:\n"
	".popsection\n");
/* clang-format on */
extern const uint8_t branches[] __attribute__((visibility("hidden")));
extern const uint8_t branches_end[] __attribute__((visibility("hidden")));

typedef long branch_fn(long flags, long rcx, long *after);

static struct hosted *start(uint32_t flags, bool traced)
{
	struct hosted *h = hosted_new(branches, (size_t)(branches_end - branches), flags);

	for (size_t at = 0; traced && at < h->size; at += SIZE) {
		size_t end = at + SIZE;

		while (h->file[end - 1] == 0xcc)
			end--;
		hosted_function(h, at, end);
	}
	if (traced)
		hosted_start(h);
	return h;
}

/* Each branch with all flags and some counters; one bit each, and the counters summed up. */
static void run_all(const struct hosted *h, GByteArray *taken, uint64_t *sum)
{
	static const long counters[] = { 0, 1, 2, 1l << 32, -1 };

	*sum = 0;
	for (size_t at = 0; at < h->size; at += SIZE)
		for (long flags = 0; flags <= FLAGS; flags++)
			for (unsigned k = 0; !(flags & ~(long)FLAGS) && k < 5; k++) {
				long after = 0;
				guint8 is = (guint8)((branch_fn *)hosted_address(h, at))(
					flags | 2, counters[k], &after);

				g_byte_array_append(taken, &is, 1);
				*sum = *sum * 31 + (uint64_t)after;
			}
}

static void branches_go_as_the_processor_says(void **state)
{
	static const uint32_t engines[] = { 0, TRACE_RECORD, TRACE_JIT, TRACE_JIT | TRACE_RECORD };
	GByteArray *expected = g_byte_array_new();
	struct hosted *h = start(0, false);
	uint64_t plain, sum;

	(void)state;
	run_all(h, expected, &plain);
	hosted_free(h);
	assert_true(expected->len > 6000);
	for (unsigned i = 0; i < G_N_ELEMENTS(engines); i++) {
		GByteArray *taken = g_byte_array_new();

		h = start(engines[i], true);
		run_all(h, taken, &sum);
		assert_true(head_of(agent.threads[0])->insns > taken->len);
		hosted_free(h);
		assert_int_equal(taken->len, expected->len);
		assert_memory_equal(taken->data, expected->data, expected->len);
		assert_int_equal(sum, plain);
		g_byte_array_free(taken, TRUE);
	}
	g_byte_array_free(expected, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(branches_go_as_the_processor_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
