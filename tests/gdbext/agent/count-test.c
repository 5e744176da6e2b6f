/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: what a function executed is in the file, for each process and thread of a test. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* clang-format off */
__asm__(".pushsection .rodata\n"
	"counted:\n"
	/* long counted(long n): n rounds */
	"xor %eax,%eax\n"
	"counted_loop:\n"
	"inc %rax\n"
	"counted_compare:\n"
	"cmp %rdi,%rax\n"
	"counted_branch:\n"
	"jl counted_loop\n"
	"ret\n"
	"counted_jump:\n"
	"lea 1f(%rip),%rdx\n"
	"counted_computed:\n"
	"jmp *%rdx\n"
	"1: mov $9,%eax\n"
	"ret\n"
	"counted_string:\n"
	/* void *fill(void *to, int byte, long n) */
	"mov %rdx,%rcx\n"
	"mov %esi,%eax\n"
	"counted_rep:\n"
	"rep stosb\n"
	"ret\n"
	"counted_end:\n"
	".popsection\n");
/* clang-format on */
#define SYMBOL(name) extern const uint8_t name[] __attribute__((visibility("hidden")))
SYMBOL(counted);
SYMBOL(counted_loop);
SYMBOL(counted_branch);
SYMBOL(counted_jump);
SYMBOL(counted_computed);
SYMBOL(counted_string);
SYMBOL(counted_rep);
SYMBOL(counted_end);
#define AT(name) ((size_t)((name)-counted))

enum { ENTRY = 1, LOOP, TAKEN, NOT_TAKEN, REPEATED, N_COUNTERS = 5, N_EDGES = 2 };

static struct count_insn *counts(struct hosted *h, size_t at)
{
	return &g_array_index(h->counts, struct count_insn, h->index[at] - 1);
}

static struct hosted *start(const char *key, uint32_t also)
{
	struct hosted *h = hosted_new(counted, AT(counted_end), TRACE_COUNT | also);

	hosted_function(h, 0, AT(counted_jump));
	hosted_function(h, AT(counted_jump), AT(counted_string));
	hosted_function(h, AT(counted_string), AT(counted_end));
	g_array_set_size(h->counts, h->insns->len);
	counts(h, 0)->enter = ENTRY;
	counts(h, AT(counted_loop))->enter = LOOP;
	counts(h, AT(counted_branch))->leave = TAKEN;
	counts(h, AT(counted_computed))->leave = 1;
	counts(h, AT(counted_rep))->enter = REPEATED;
	h->module.n_counters = N_COUNTERS;
	h->module.n_edges = N_EDGES;
	h->plan.key = (uint64_t)key - (uint64_t)&h->plan;
	hosted_start(h);
	return h;
}

static char *file_of(const struct hosted *h)
{
	char *file = g_build_filename(h->folder, "counts", NULL);

	assert_true(counts_start(file));
	return file;
}

static uint64_t counter(const char *text, gsize length, unsigned section, unsigned number)
{
	const struct counts_head *head = (const void *)text;
	uint64_t at = COUNTS_PAGE + section * head->section + sizeof(struct counts_section) +
		      8ull * (number - 1);
	uint64_t value;

	assert_true(at + 8 <= length);
	memcpy(&value, text + at, 8);
	return value;
}

static void each_execution_counts(uint32_t also)
{
	struct hosted *h = start("one", also);
	g_autofree char *file = file_of(h), *text = NULL;
	const struct counts_head *head;
	uint8_t filled[8] = { 0 };
	gsize length;

	assert_int_equal(((long (*)(long))hosted_address(h, 0))(5), 5);
	assert_int_equal(((long (*)(long))hosted_address(h, 0))(1), 1);
	((void (*)(void *, int, long))hosted_address(h, AT(counted_string)))(filled, 7, 6);
	assert_memory_equal(filled, "\7\7\7\7\7\7\0\0", 8);
	assert_true(g_file_get_contents(file, &text, &length, NULL));
	head = (const void *)text;
	assert_string_equal(head->magic, COUNTS_MAGIC);
	assert_string_equal(head->key, "one");
	assert_int_equal(head->n_sections, 1);
	assert_int_equal(counter(text, length, 0, ENTRY), 2);
	assert_int_equal(counter(text, length, 0, LOOP), 6);
	assert_int_equal(counter(text, length, 0, TAKEN), 4);
	assert_int_equal(counter(text, length, 0, NOT_TAKEN), 2);
	assert_int_equal(counter(text, length, 0, REPEATED), 1); /* not its iterations */
	hosted_free(h);
}

static void executions_are_counted(void **state)
{
	(void)state;
	each_execution_counts(0);
	each_execution_counts(TRACE_JIT);
}

static void computed_jumps_are_edges(void **state)
{
	static const uint32_t engines[] = { 0, TRACE_JIT };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(engines); i++) {
		struct hosted *h = start("one", engines[i]);
		g_autofree char *file = file_of(h);
		const struct count_edge *edges;
		uint64_t n = 0;

		for (unsigned k = 0; k < 3; k++)
			assert_int_equal(((int (*)(void))hosted_address(h, AT(counted_jump)))(), 9);
		edges = (const void *)(agent.threads[0]->counters[0] + N_COUNTERS);
		for (unsigned k = 0; k < N_EDGES; k++)
			n += edges[k].from == h->index[AT(counted_computed)] ? edges[k].count : 0;
		assert_int_equal(n, 3);
		hosted_free(h);
	}
}

/* More targets than there are places: they are counted as lost, not as others. */
static void edges_without_a_place_are_lost(void **state)
{
	struct hosted *h = start("one", 0);
	g_autofree char *file = file_of(h);
	struct agent_thread *t = hosted_thread();

	(void)state;
	++*count_edge_of(t, 0, 1, 2);
	++*count_edge_of(t, 0, 1, 3);
	++*count_edge_of(t, 0, 1, 2);
	assert_int_equal(t->section->lost, 0);
	++*count_edge_of(t, 0, 1, 4);
	assert_int_equal(t->section->lost, 1);
	assert_int_equal(*count_edge_of(t, 0, 1, 2), 2);
	assert_int_equal(*count_edge_of(t, 0, 1, 3), 1);
	hosted_free(h);
}

/* The child of a fork counts in a section of its own. */
static void processes_have_sections(void **state)
{
	struct hosted *h = start("one", 0);
	g_autofree char *file = file_of(h), *text = NULL;
	gsize length;
	pid_t child;
	int status;

	(void)state;
	((long (*)(long))hosted_address(h, 0))(2);
	child = fork();
	if (!child) {
		if (!counts_open(agent.threads[0]))
			_exit(1);
		((long (*)(long))hosted_address(h, 0))(10);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	((long (*)(long))hosted_address(h, 0))(1);
	assert_true(g_file_get_contents(file, &text, &length, NULL));
	assert_int_equal(((const struct counts_head *)(const void *)text)->n_sections, 2);
	assert_int_equal(counter(text, length, 0, LOOP), 3);
	assert_int_equal(counter(text, length, 1, LOOP), 10);
	hosted_free(h);
}

/* A profile of another program, or one that is cut, is not written to. */
static void other_programs_files_are_left_alone(void **state)
{
	struct hosted *h = start("one", 0);
	g_autofree char *file = file_of(h), *text = NULL;
	struct counts_head head = { .magic = COUNTS_MAGIC,
				    .version = COUNTS_VERSION,
				    .key = "another" };

	(void)state;
	assert_true(g_file_set_contents(file, (const char *)&head, sizeof head, NULL));
	assert_null(thread_new());
	assert_true(g_file_set_contents(file, "gwc", 3, NULL));
	assert_null(thread_new());
	assert_true(g_file_get_contents(file, &text, NULL, NULL));
	assert_string_equal(text, "gwc");
	assert_false(counts_start("relative"));
	assert_false(counts_start(""));
	hosted_free(h);
}

static uint64_t entries_of(struct agent_thread *t)
{
	return t->counters[0][ENTRY - 1];
}

/* What faults did not execute; a handler may come back to it, or start it anew. */
static void faults_are_told(void **state)
{
	struct hosted *h = start("one", 0);
	g_autofree char *file = file_of(h);
	struct agent_thread *t = hosted_thread();

	(void)state;
	t->counters[0][ENTRY - 1] = 5;
	head_of(t)->rip = hosted_address(h, 0);
	count_fault(t, false);
	assert_int_equal(t->section->faults[0].insn, 1);
	assert_int_equal(t->section->faults[0].count, 1);
	assert_int_equal(entries_of(t), 5);
	count_fault(t, true); /* it will be counted again */
	assert_int_equal(t->section->faults[0].count, 2);
	assert_int_equal(entries_of(t), 4);
	count_retry(t);
	assert_int_equal(t->section->faults[0].count, 1);
	assert_int_equal(entries_of(t), 3);
	head_of(t)->rip = hosted_address(h, 1); /* no instruction starts there */
	count_fault(t, false);
	assert_int_equal(t->section->faults[1].insn, 0);
	hosted_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executions_are_counted),
		cmocka_unit_test(computed_jumps_are_edges),
		cmocka_unit_test(edges_without_a_place_are_lost),
		cmocka_unit_test(processes_have_sections),
		cmocka_unit_test(other_programs_files_are_left_alone),
		cmocka_unit_test(faults_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
