/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder in this process: functions behave with it as without it, the stream is what
 * solver/format/trace.h says, byte by byte, and both engines write the same. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* clang-format off */
__asm__(".pushsection .rodata\n"
	"recorded:\n"
	/* int worked(int x, void (*f)(void)): the example of trace.h */
	"push %rbp\n"                  /* 0 */
	"mov %rsp,%rbp\n"              /* 1 */
	"sub $16,%rsp\n"               /* 4 */
	"mov %edi,-4(%rbp)\n"          /* 8 */
	"mov -4(%rbp),%eax\n"          /* 11 */
	"cmp $5,%eax\n"                /* 14 */
	"jle 1f\n"                     /* 17 */
	"call *%rsi\n"                 /* 19 */
	"1: leave\n"                   /* 21 */
	"ret\n"                        /* 22 */
	"recorded_sum:\n"
	/* long sum(const int *a, long n): the sum of twice each, by twice() */
	"push %rbx\n"
	"push %r12\n"
	"push %r13\n"
	"mov %rdi,%rbx\n"
	"lea (%rdi,%rsi,4),%r12\n"
	"xor %r13d,%r13d\n"
	"jmp 2f\n"
	"1: movslq (%rbx),%rdi\n"
	"call 4f\n"
	"recorded_back:\n"
	"add %rax,%r13\n"
	"add $4,%rbx\n"
	"2: cmp %r12,%rbx\n"
	"jb 1b\n"
	"mov %r13,%rax\n"
	"pop %r13\n"
	"pop %r12\n"
	"pop %rbx\n"
	"ret\n"
	"recorded_twice:\n"
	"4: lea (%rdi,%rdi),%rax\n"
	"test %rax,%rax\n"
	"cmovs %rdi,%rax\n"
	"ret\n"
	"nop\n"
	"recorded_mixed:\n"
	/* long mixed(long x, unsigned char *buffer): what no fast way has */
	"push %rbp\n"
	"movq %rdi,%xmm2\n"
	"paddq %xmm2,%xmm2\n"
	"movq %xmm2,%rax\n"
	"lea 32(%rsi),%r8\n"
	"xchg %r8,%rdi\n"
	"mov $3,%ecx\n"
	"rep movsb\n"
	"mov $0,%ecx\n"
	"rep stosb\n"
	"lock addl $7,(%rdi)\n"
	"bt $3,%r8\n"
	"setc %dl\n"
	"movzbl %dl,%edx\n"
	"add 5f(%rip),%rax\n"
	"adc %rdx,%rax\n"
	"xor %ecx,%ecx\n"
	"jrcxz 6f\n"
	"ud2\n"
	"6: lea 7f(%rip),%r9\n"
	"jmp *%r9\n"
	"ud2\n"
	"7: mov $4,%ecx\n"
	"8: inc %rax\n"
	"loop 8b\n"
	"pop %rbp\n"
	"ret\n"
	"recorded_end:\n"
	"5: .quad 1000\n"
	"recorded_data_end:\n"
	".popsection\n");
/* clang-format on */
#define SYMBOL(name) extern const uint8_t name[] __attribute__((visibility("hidden")))
SYMBOL(recorded);
SYMBOL(recorded_sum);
SYMBOL(recorded_back);
SYMBOL(recorded_twice);
SYMBOL(recorded_mixed);
SYMBOL(recorded_end);
SYMBOL(recorded_data_end);

#define AT(name) ((size_t)((name)-recorded))
enum { START = sizeof(struct trace_enter) + 17 * 8 + 8 * 16 };

typedef int worked_fn(int x, void (*f)(void));
typedef long sum_fn(const int *a, long n);
typedef long mixed_fn(long x, uint8_t *buffer);

static struct hosted *start(uint32_t flags)
{
	struct hosted *h = hosted_new(recorded, AT(recorded_data_end), flags);

	hosted_function(h, 0, AT(recorded_sum));
	hosted_function(h, AT(recorded_sum), AT(recorded_twice));
	hosted_function(h, AT(recorded_twice), AT(recorded_mixed));
	hosted_function(h, AT(recorded_mixed), AT(recorded_end));
	hosted_start(h);
	return h;
}

static unsigned called;

static void untraced(void)
{
	called++;
}

static struct trace_enter enter_at(const GByteArray *s, size_t at)
{
	struct trace_enter e;

	assert_true(at + sizeof e <= s->len);
	memcpy(&e, s->data + at, sizeof e);
	assert_int_equal(e.tag, 'E');
	return e;
}

static uint64_t word_at(const GByteArray *s, size_t at)
{
	uint64_t word;

	assert_true(at + 8 <= s->len);
	memcpy(&word, s->data + at, 8);
	return word;
}

static void check_worked_example(uint32_t flags)
{
	struct hosted *h = start(flags | TRACE_RECORD);
	worked_fn *f = (worked_fn *)hosted_address(h, 0);
	const uint8_t four[] = { 4, 0, 0, 0 }, seven[] = { 7, 0, 0, 0 };
	const struct agent_thread *t;
	struct trace_enter e;
	GByteArray *s;
	size_t at = START + (flags & TRACE_JIT ? TRACE_MISS_SIZE : 0);

	called = 0;
	assert_int_equal(f(4, untraced), 4);
	assert_int_equal(called, 0);
	assert_int_equal(f(7, untraced) & 0, 0);
	assert_int_equal(called, 1);
	t = agent.threads[0];
	s = hosted_stream(h, t);

	e = enter_at(s, 0);
	assert_int_equal(e.why, TRACE_WHY_START);
	assert_int_equal(e.mask, ALL_GPR | ALL_XMM);
	assert_int_equal(e.rip, hosted_address(h, 0));
	assert_int_equal((uint32_t)word_at(s, sizeof e + 8 * TRACE_RDI), 4);
	assert_int_equal(word_at(s, sizeof e + 8 * TRACE_RSI), (uint64_t)untraced);

	/* x; `jle' is taken; what leave pops, where ret goes: not to a thunk */
	assert_memory_equal(s->data + at, four, 4);
	assert_int_equal(s->data[at + 4], 1);
	at += 5 + 8 + 8;
	e = enter_at(s, at);
	assert_int_equal(e.why, TRACE_WHY_CALL);
	at += START;

	/* x; not taken; it comes back */
	assert_memory_equal(s->data + at, seven, 4);
	assert_int_equal(s->data[at + 4], 0);
	at += 5;
	e = enter_at(s, at);
	assert_int_equal(e.why, TRACE_WHY_RETURN);
	assert_int_equal(e.rip, hosted_address(h, 21));
	assert_true(e.mask & 1u << TRACE_RSP); /* the return address is gone */
	at += sizeof e + 8 * (size_t)__builtin_popcount(e.mask & ALL_GPR) +
	      16 * (size_t)__builtin_popcount(e.mask & ALL_XMM);
	assert_int_equal(s->len, at + 8 + 8);
	assert_int_equal(head_of((void *)(uintptr_t)t)->insns, 9 + 10);
	assert_int_equal(head_of((void *)(uintptr_t)t)->native, 1);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

static void stream_is_as_described(void **state)
{
	(void)state;
	check_worked_example(0);
	check_worked_example(TRACE_JIT);
}

static long sum_of(const int *a, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += a[i] < 0 ? a[i] : 2L * a[i];
	return sum;
}

static void loops_and_calls_behave(void **state)
{
	static const int numbers[] = { 3, -9, 1 << 30, 0, 77, -1, 1 << 30, 12 };
	static const uint32_t flags[] = { 0,
					  TRACE_RECORD,
					  TRACE_RECORD | TRACE_ADDRESSES,
					  TRACE_JIT,
					  TRACE_JIT | TRACE_RECORD,
					  TRACE_RECORD | TRACE_BREAKPOINTS,
					  TRACE_JIT | TRACE_RECORD | TRACE_BREAKPOINTS };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
		struct hosted *h = start(flags[i]);
		sum_fn *sum = (sum_fn *)hosted_address(h, AT(recorded_sum));

		for (long n = 0; n <= 8; n++)
			assert_int_equal(sum(numbers, n), sum_of(numbers, n));
		hosted_free(h);
	}
}

/* The way of the loop, and each number, in order. */
static void loads_and_branches_are_recorded(void **state)
{
	static const int numbers[] = { 3, -9 };
	struct hosted *h = start(TRACE_RECORD);
	sum_fn *sum = (sum_fn *)hosted_address(h, AT(recorded_sum));
	GByteArray *s;
	size_t at = START;

	(void)state;
	assert_int_equal(sum(numbers, 2), -3);
	s = hosted_stream(h, agent.threads[0]);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(s->data[at], 1); /* jb */
		assert_memory_equal(s->data + at + 1, &numbers[i], 4);
		at += 5;
		/* traced code called twice, so no return comes in from outside */
		assert_int_equal(word_at(s, at), hosted_address(h, AT(recorded_back)));
		at += 8;
	}
	assert_int_equal(s->data[at], 0);
	assert_int_equal(s->len, at + 1 + 3 * 8 + 8);
	g_byte_array_free(s, TRUE);
	hosted_free(h);
}

static long mixed_of(long x, uint8_t *buffer)
{
	long sum = 2 * x + 1000, carry = (unsigned long)sum < 1000;
	uint32_t word;

	memcpy(buffer + 32, buffer, 3);
	memcpy(&word, buffer + 35, 4);
	word += 7;
	memcpy(buffer + 35, &word, 4);
	return sum + carry + (x >> 3 & 1) + 4;
}

/* Vector, string, locked and rare instructions, by both engines. */
static void odd_instructions_behave(void **state)
{
	static const uint32_t flags[] = { 0, TRACE_RECORD, TRACE_JIT | TRACE_RECORD,
					  TRACE_RECORD | TRACE_ADDRESSES, TRACE_JIT };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(flags); i++) {
		struct hosted *h = start(flags[i]);
		mixed_fn *mixed = (mixed_fn *)hosted_address(h, AT(recorded_mixed));

		for (long x = -20; x < 20; x += 3) {
			uint8_t is[64], expected[64];

			for (unsigned k = 0; k < sizeof is; k++)
				is[k] = expected[k] = (uint8_t)(k * 37 + x);
			assert_int_equal(mixed(x, is), mixed_of(x, expected));
			assert_memory_equal(is, expected, sizeof is);
		}
		hosted_free(h);
	}
}

/* Calls function(a, b) with zeros in the registers that it has to keep: it saves them on the
 * stack, so what it reads back is in the record. */
long call_from_zeros(long (*function)(long, long), long a, long b);
__asm__(".text\n.globl call_from_zeros\n"
	"call_from_zeros:\n"
	"push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\npush %rdi\n"
	"mov %rdi,%rax\nmov %rsi,%rdi\nmov %rdx,%rsi\n"
	"xor %ebx,%ebx\nxor %ebp,%ebp\nxor %r12d,%r12d\nxor %r13d,%r13d\n"
	"call *%rax\n"
	"pop %rdi\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\n"
	"ret\n");

static long call_at(const struct hosted *h, size_t at, const void *a, long b)
{
	return call_from_zeros((long (*)(long, long))hosted_address(h, at), (long)a, b);
}

static GByteArray *record_of(uint32_t flags, const int *numbers, uint8_t *buffer, uint64_t *insns)
{
	struct hosted *h = start(flags);
	GByteArray *s;

	assert_int_equal(call_at(h, AT(recorded_sum), numbers, 4), sum_of(numbers, 4));
	call_at(h, AT(recorded_mixed), (void *)5, (long)buffer);
	s = hosted_stream(h, agent.threads[0]);
	*insns = head_of(agent.threads[0])->insns;
	if (head_of(agent.threads[0])->flags & TRACE_MIRRORS)
		g_byte_array_remove_range(s, START, TRACE_MISS_SIZE);
	hosted_free(h);
	return s;
}

/* What begins a call has the caller's registers, which nobody promises. */
static void forget_registers(GByteArray *s)
{
	for (size_t at = 0; at + START <= s->len; at++) {
		struct trace_enter e;

		memcpy(&e, s->data + at, sizeof e);
		if (e.tag == 'E' && e.mask == (ALL_GPR | ALL_XMM) && e.pad == 0)
			memset(s->data + at + sizeof e, 0, START - sizeof e);
	}
}

static void engines_agree(void **state)
{
	static const int numbers[] = { 1, -2, 3, 4 };
	const uint32_t also[] = { 0, TRACE_ADDRESSES };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(also); i++) {
		uint8_t buffer[64] = { 1, 2, 3 };
		uint64_t step_insns, jit_insns;
		GByteArray *step, *jit;

		step = record_of(TRACE_RECORD | also[i], numbers, buffer, &step_insns);
		memset(buffer, 0, sizeof buffer);
		memcpy(buffer, "\1\2\3", 3);
		jit = record_of(TRACE_RECORD | TRACE_JIT | also[i], numbers, buffer, &jit_insns);
		forget_registers(step);
		forget_registers(jit);
		assert_int_equal(step_insns, jit_insns);
		assert_int_equal(step->len, jit->len);
		assert_memory_equal(step->data, jit->data, step->len);
		g_byte_array_free(step, TRUE);
		g_byte_array_free(jit, TRUE);
	}
}

/* --max-insns: the process ends after exactly so many, and the record says so. */
static void a_limit_on_instructions_ends_the_process(void **state)
{
	static const int numbers[] = { 1, 2, 3, 4 };
	static const uint32_t engines[] = { 0, TRACE_JIT };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(engines); i++) {
		struct hosted *h =
			hosted_new(recorded, AT(recorded_data_end), TRACE_RECORD | engines[i]);
		g_autofree char *path = g_build_filename(h->folder, "trace.0", NULL);
		g_autofree char *text = NULL;
		const struct trace_head *head;
		pid_t child;
		int status;

		hosted_function(h, AT(recorded_sum), AT(recorded_twice));
		hosted_function(h, AT(recorded_twice), AT(recorded_mixed));
		h->plan.max_insns = 20;
		hosted_start(h);
		child = fork();
		if (!child) {
			((sum_fn *)hosted_address(h, AT(recorded_sum)))(numbers, 4);
			_exit(1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		head = (const void *)text;
		assert_int_equal(head->end, TRACE_END_INSNS);
		assert_int_equal(head->insns, 20);
		hosted_free(h);
	}
}

/* A debugger's breakpoint is executed where it stands: the program is told, not the record. */
static void what_is_planted_is_executed_there(void **state)
{
	static const uint32_t engines[] = { 0, TRACE_JIT };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(engines); i++) {
		struct hosted *h = start(TRACE_RECORD | TRACE_BREAKPOINTS | engines[i]);
		size_t at = AT(recorded_twice);
		pid_t child = fork();
		int status;

		if (!child) {
			static const int one = 1;
			uint8_t *code = (uint8_t *)hosted_address(h, at);

			mprotect((void *)((uint64_t)code & ~4095ull), 8192,
				 PROT_READ | PROT_WRITE | PROT_EXEC);
			*code = 0xcc;
			((sum_fn *)hosted_address(h, AT(recorded_sum)))(&one, 1);
			_exit(1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGTRAP);
		hosted_free(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_is_as_described),
		cmocka_unit_test(loops_and_calls_behave),
		cmocka_unit_test(loads_and_branches_are_recorded),
		cmocka_unit_test(odd_instructions_behave),
		cmocka_unit_test(engines_agree),
		cmocka_unit_test(a_limit_on_instructions_ends_the_process),
		cmocka_unit_test(what_is_planted_is_executed_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
