/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan's actions: the right one at the right execution, by both engines. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* clang-format off */
__asm__(".pushsection .rodata\n"
	"changed:\n"
	/* long count(long n, long (*f)(long)): f of n, n - 1, ... 1, summed up */
	"push %rbx\n"
	"push %r12\n"
	"push %r13\n"
	"mov %rdi,%rbx\n"
	"mov %rsi,%r12\n"
	"xor %r13d,%r13d\n"
	"changed_loop:\n"
	"mov %rbx,%rdi\n"
	"changed_call:\n"
	"call *%r12\n"
	"changed_add:\n"
	"add %rax,%r13\n"
	"dec %rbx\n"
	"changed_branch:\n"
	"jnz changed_loop\n"
	"changed_result:\n"
	"mov %r13,%rax\n"
	"pop %r13\n"
	"pop %r12\n"
	"pop %rbx\n"
	"ret\n"
	"changed_other:\n"
	"lea 100(%rdi),%rax\n"
	"ret\n"
	"changed_end:\n"
	".popsection\n");
/* clang-format on */
#define SYMBOL(name) extern const uint8_t name[] __attribute__((visibility("hidden")))
SYMBOL(changed);
SYMBOL(changed_call);
SYMBOL(changed_add);
SYMBOL(changed_branch);
SYMBOL(changed_result);
SYMBOL(changed_other);
SYMBOL(changed_end);
#define AT(name) ((size_t)((name)-changed))

static long same(long n)
{
	return n;
}

static struct trace_action action(unsigned kind, size_t at, uint64_t nth, uint64_t value)
{
	struct trace_action a = {
		.kind = kind, .addr = HOSTED_LINK + at, .nth = nth, .size = 8, .reg = TRACE_RAX
	};

	memcpy(a.value, &value, 8);
	return a;
}

static struct hosted *start(uint32_t flags, const struct trace_action *actions, guint n)
{
	struct hosted *h = hosted_new(changed, AT(changed_end), flags);

	hosted_function(h, 0, AT(changed_other));
	hosted_function(h, AT(changed_other), AT(changed_end));
	if (n)
		g_array_append_vals(h->actions, actions, n);
	hosted_start(h);
	return h;
}

/* count(4, f) with these actions, by both engines, recorded and not. */
static void gives(const struct trace_action *actions, guint n, long expected, unsigned done)
{
	static const uint32_t flags[] = { 0, TRACE_RECORD, TRACE_JIT, TRACE_RECORD | TRACE_JIT };

	for (unsigned i = 0; i < G_N_ELEMENTS(flags); i++) {
		struct hosted *h = start(flags[i], actions, n);
		long (*count)(long, long (*)(long)) = (void *)hosted_address(h, 0);

		assert_int_equal(count(4, same), expected);
		assert_int_equal(head_of(agent.threads[0])->actions_done, done);
		hosted_free(h);
	}
}

static void none_changes_nothing(void **state)
{
	(void)state;
	gives(NULL, 0, 4 + 3 + 2 + 1, 0);
}

static void a_branch_is_turned_once(void **state)
{
	const struct trace_action stop = action(TRACE_ACTION_FORCE, AT(changed_branch), 2, 0);
	const struct trace_action on = action(TRACE_ACTION_FORCE, AT(changed_branch), 4, 1);
	/* goes on with rbx 0: the next round is -1's */
	const struct trace_action never = action(TRACE_ACTION_REG, AT(changed_branch), 0, 1);
	const struct trace_action both[] = { on,
					     action(TRACE_ACTION_FORCE, AT(changed_branch), 6, 0) };

	(void)state;
	gives(&stop, 1, 4 + 3, 1);
	gives(both, 2, 4 + 3 + 2 + 1 + 0 - 1, 2);
	gives(&never, 1, 10, 0); /* the first is 1 */
}

static void a_register_is_set_after_its_execution(void **state)
{
	struct trace_action third = action(TRACE_ACTION_REG, AT(changed_add), 3, 1000);
	struct trace_action flags = action(TRACE_ACTION_REG, AT(changed_result), 1, 0);

	(void)state;
	third.reg = TRACE_R13;
	gives(&third, 1, 1000 + 1, 1);
	/* four bytes: the upper half becomes 0, one byte: the rest is kept */
	third.size = 4;
	memset(third.value, 0xff, 8);
	third.nth = 4;
	gives(&third, 1, 0xffffffff, 1);
	third.size = 1;
	gives(&third, 1, 0xff, 1);
	flags.reg = TRACE_RFLAGS;
	gives(&flags, 1, 10, 1);
}

/* The low bytes are set, the rest of the register is kept; where the processor has them, 32. */
static void a_vector_register_is_set(void **state)
{
	static const unsigned sizes[] = { 4, 8, 16, 32 };

	(void)state;
	vector_start();
	for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++)
		for (unsigned reg = 0; reg < 8; reg++) {
			uint8_t value[32], before[8][16], after[8][16];

			for (unsigned k = 0; k < sizeof value; k++)
				value[k] = (uint8_t)(16 * i + reg + k);
			xmm_store(before);
			vector_patch(reg, sizes[i], value);
			xmm_store(after);
			memcpy(before[reg], value, MIN(sizes[i], 16));
			assert_memory_equal(after, before, sizeof after);
		}
}

static void a_vector_result_is_set(void **state)
{
	struct trace_action a = action(TRACE_ACTION_REG, AT(changed_result), 1, 0);
	struct trace_action wrong = action(TRACE_ACTION_REG, AT(changed_result), 1, 0);

	(void)state;
	a.reg = TRACE_XMM0 + 7;
	gives(&a, 1, 10, 1);
	wrong.reg = TRACE_XMM0 + 200; /* there is no such register */
	gives(&wrong, 1, 10, 1);
}

/* "Afterwards" is, for an untraced call, when it has come back. */
static void a_result_of_an_untraced_call_is_set(void **state)
{
	const struct trace_action second = action(TRACE_ACTION_REG, AT(changed_call), 2, 50);

	(void)state;
	gives(&second, 1, 4 + 50 + 2 + 1, 1);
}

static void memory_is_set(void **state)
{
	static uint64_t word;
	struct trace_action a = action(TRACE_ACTION_MEM, AT(changed_result), 1, 77);

	(void)state;
	word = ~0ull;
	a.where = (uint64_t)&word;
	a.size = 2;
	gives(&a, 1, 10, 1);
	assert_int_equal(word, 0xffffffffffff0000 | 77);
}

static void a_call_goes_elsewhere(void **state)
{
	struct trace_action a = action(TRACE_ACTION_JUMP, AT(changed_call), 3, 0);

	(void)state;
	a.where = HOSTED_LINK + AT(changed_other);
	gives(&a, 1, 4 + 3 + 102 + 1, 1);
}

/* The order of the plan is nobody's business. */
static void actions_may_stand_in_any_order(void **state)
{
	const struct trace_action some[] = {
		action(TRACE_ACTION_FORCE, AT(changed_branch), 3, 0),
		action(TRACE_ACTION_REG, AT(changed_call), 3, 7),
		action(TRACE_ACTION_REG, AT(changed_call), 1, 5),
		action(TRACE_ACTION_REG, AT(changed_call), 9, 5), /* never */
		action(TRACE_ACTION_REG, AT(changed_call), 2, 6),
	};
	struct trace_action reversed[G_N_ELEMENTS(some)];

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(some); i++)
		reversed[i] = some[G_N_ELEMENTS(some) - 1 - i];
	gives(some, G_N_ELEMENTS(some), 5 + 6 + 7, 4);
	gives(reversed, G_N_ELEMENTS(some), 5 + 6 + 7, 4);
}

/* Those of other threads are none. */
static void threads_have_their_own(void **state)
{
	struct trace_action a = action(TRACE_ACTION_FORCE, AT(changed_branch), 1, 0);

	(void)state;
	a.thread = 1;
	gives(&a, 1, 10, 0);
}

/* From .from on executions are counted, and recorded. */
static void counting_begins_where_the_plan_says(void **state)
{
	const struct trace_action a = action(TRACE_ACTION_FORCE, AT(changed_branch), 1, 0);
	struct hosted *h = hosted_new(changed, AT(changed_end), TRACE_RECORD);
	long (*count)(long, long (*)(long)) = (void *)hosted_address(h, 0);
	GByteArray *s;

	(void)state;
	hosted_function(h, 0, AT(changed_other));
	g_array_append_val(h->actions, a);
	h->plan.from = 6 + 5; /* what is before the loop, and one round of it */
	hosted_start(h);
	assert_int_equal(count(4, same), 4 + 3);
	assert_int_equal(head_of(agent.threads[0])->first_insns, 11);
	s = hosted_stream(h, agent.threads[0]);
	assert_int_equal(s->data[0], 'E');
	assert_int_equal(s->data[1], TRACE_WHY_START);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

/* Where the record begins is an instruction that is traced, also behind an untraced call. */
static void recording_begins_at_a_traced_instruction(void **state)
{
	enum { PROLOGUE = 6, ROUND = 5 };

	(void)state;
	for (uint64_t from = PROLOGUE; from <= PROLOGUE + 2 * ROUND; from++) {
		struct hosted *h = hosted_new(changed, AT(changed_end), TRACE_RECORD);
		long (*count)(long, long (*)(long)) = (void *)hosted_address(h, 0);
		struct trace_enter enter;
		GByteArray *s;

		hosted_function(h, 0, AT(changed_other));
		h->plan.from = from;
		hosted_start(h);
		assert_int_equal(count(4, same), 10);
		assert_int_equal(head_of(agent.threads[0])->first_insns, from);
		s = hosted_stream(h, agent.threads[0]);
		memcpy(&enter, s->data, sizeof enter);
		assert_int_equal(enter.why, TRACE_WHY_START);
		assert_in_range(enter.rip, (uintptr_t)hosted_address(h, 0),
				(uintptr_t)hosted_address(h, AT(changed_end)) - 1);
		g_byte_array_free(s, TRUE);
		hosted_free(h);
	}
}

/* A call that is left by longjmp never comes back; the same call anew is another one. */
static jmp_buf out;
static unsigned calls;

static long leave_once(long n)
{
	if (!calls++)
		longjmp(out, 1);
	return n;
}

static void what_was_left_by_longjmp_does_not_come_back(void **state)
{
	const struct trace_action first = action(TRACE_ACTION_REG, AT(changed_call), 1, 50);
	struct hosted *h = start(TRACE_RECORD, &first, 1);
	long (*volatile count)(long, long (*)(long)) = (void *)hosted_address(h, 0);

	(void)state;
	calls = 0;
	if (!setjmp(out))
		count(4, leave_once);
	assert_int_equal(calls, 1);
	assert_int_equal(count(4, leave_once), 10);
	assert_int_equal(head_of(agent.threads[0])->actions_done, 0);
	hosted_free(h);
}

/* Where nothing is left to be done, the cache need not be left; calls are counted on. */
static void a_mark_ends_with_its_last_action(void **state)
{
	const struct trace_action some[] = { action(TRACE_ACTION_REG, AT(changed_add), 2, 0),
					     action(TRACE_ACTION_REG, AT(changed_add), 3, 0),
					     action(TRACE_ACTION_REG, AT(changed_call), 1, 5) };
	struct hosted *h = start(TRACE_JIT, some, G_N_ELEMENTS(some));
	long (*count)(long, long (*)(long)) = (void *)hosted_address(h, 0);
	struct agent_thread *t;

	(void)state;
	count(2, same);
	t = agent.threads[0];
	assert_int_not_equal(mark_of(t, 0, some[0].addr), 0);
	count(1, same);
	assert_int_equal(mark_of(t, 0, some[0].addr), 0);
	assert_int_not_equal(mark_of(t, 0, some[2].addr), 0);
	assert_int_equal(head_of(t)->actions_done, 3);
	hosted_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_changes_nothing),
		cmocka_unit_test(a_branch_is_turned_once),
		cmocka_unit_test(a_register_is_set_after_its_execution),
		cmocka_unit_test(a_vector_register_is_set),
		cmocka_unit_test(a_vector_result_is_set),
		cmocka_unit_test(a_result_of_an_untraced_call_is_set),
		cmocka_unit_test(memory_is_set),
		cmocka_unit_test(a_call_goes_elsewhere),
		cmocka_unit_test(actions_may_stand_in_any_order),
		cmocka_unit_test(threads_have_their_own),
		cmocka_unit_test(counting_begins_where_the_plan_says),
		cmocka_unit_test(recording_begins_at_a_traced_instruction),
		cmocka_unit_test(what_was_left_by_longjmp_does_not_come_back),
		cmocka_unit_test(a_mark_ends_with_its_last_action),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
