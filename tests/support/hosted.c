/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/hosted.h"

#include "gdbext/agent/sys.h"
#include "solver/isa/insn.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

#define CODE_ADDRESS 0x110000000000u

/* ---- what the agent has of start.c, signal.c ---- */

struct agent agent;
unsigned hosted_gave_up;

const uint8_t signal_order[16] = { 8, 9, 10, 11, 12, 13, 14, 15, 7, 6, 5, 3, 2, 0, 1, 4 };

void agent_give_up(enum trace_gave_up why, const char *what)
{
	hosted_gave_up++;
	sys_say("the recorder gave up: ", what);
	sys_exit(100 + (int)why);
}

/* The code of tests is writable from the start. */
void agent_note_code(enum trace_own_code what)
{
	(void)what;
}

/* No test has signals. */
void signal_deliver(struct agent_thread *t)
{
	t->alert = false;
}

void signal_return(struct agent_thread *t)
{
	(void)t;
	sys_exit(99);
}

void signal_resumed(struct agent_thread *t)
{
	(void)t;
}

void signal_check_return(uint64_t sp)
{
	(void)sp;
}

void signal_stack_set(struct agent_thread *t)
{
	(void)t;
}

/* ---- a program ---- */

struct hosted *hosted_new(const uint8_t *code, size_t size, uint32_t flags)
{
	struct hosted *h = g_new0(struct hosted, 1);

	assert_true(size <= HOSTED_MOST);
	h->folder = test_folder_new();
	h->size = size;
	h->code = mmap((void *)CODE_ADDRESS, HOSTED_MOST + 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	assert_ptr_equal(h->code, (void *)CODE_ADDRESS);
	memcpy(h->code, code, size);
	h->file = g_memdup2(code, size);
	h->insns = g_array_new(FALSE, TRUE, sizeof(struct trace_insn));
	h->entries = g_array_new(FALSE, TRUE, sizeof(uint64_t));
	h->counts = g_array_new(FALSE, TRUE, sizeof(struct count_insn));
	h->actions = g_array_new(FALSE, TRUE, sizeof(struct trace_action));
	h->index = g_new0(uint32_t, size);
	h->plan = (struct trace_plan){ .flags = flags, .n_modules = 1 };
	hosted_gave_up = 0;
	return h;
}

void hosted_function(struct hosted *h, size_t from, size_t to)
{
	uint64_t entry = HOSTED_LINK + from;

	g_array_append_val(h->entries, entry);
	for (size_t at = from; at < to;) {
		struct trace_insn insn;

		if (!insn_decode(h->file + at, to - at, HOSTED_LINK + at, &insn))
			fail_msg("no instruction at %zu", at);
		g_array_append_val(h->insns, insn);
		h->index[at] = h->insns->len;
		at += insn.length;
	}
}

static uint64_t thread_pointer(void)
{
	uint64_t pointer;

	__asm__("mov %%fs:0,%0" : "=r"(pointer));
	return pointer;
}

void hosted_load(struct hosted *h)
{
	struct agent_module *m = &agent.modules[0];
	uint64_t far = agent.far;

	g_array_set_size(h->counts, h->insns->len);
	h->plan.n_actions = h->actions->len;
	h->plan.actions = (uint64_t)h->actions->data - (uint64_t)&h->plan;
	h->plan.directory = (uint64_t)h->folder - (uint64_t)&h->plan;
	h->module = (struct trace_plan_module){ .lo = HOSTED_LINK,
						.hi = HOSTED_LINK + h->size,
						.n_insns = h->insns->len,
						.n_entries = h->entries->len,
						.n_counters = h->module.n_counters,
						.n_edges = h->module.n_edges };
	memset(&agent, 0, sizeof agent);
	agent.plan = &h->plan;
	agent.asked = (struct agent_request){ .actions = in_plan(h->plan.actions),
					      .n_actions = h->plan.n_actions,
					      .flags = h->plan.flags,
					      .max_insns = h->plan.max_insns };
	agent.n_modules = 1;
	agent.far = far;
	agent.counting = agent.child = h->plan.flags & TRACE_COUNT;
	agent.jit = h->plan.flags & TRACE_JIT;
	agent.tp_inside = (int32_t)((uint64_t)&agent_tls.inside - thread_pointer());
	agent.tp_common = (int32_t)((uint64_t)&agent_tls.common - thread_pointer());
	*m = (struct agent_module){ .plan = &h->module,
				    .index = h->index,
				    .insns = (void *)h->insns->data,
				    .entries = (void *)h->entries->data,
				    .counts = (void *)h->counts->data,
				    .file = h->file,
				    .file_size = h->size,
				    .bias = (uint64_t)h->code - HOSTED_LINK,
				    .lo = (uint64_t)h->code,
				    .size = h->size,
				    .n_segments = 1,
				    .segments = {
					    { HOSTED_LINK, h->size, 0, PROT_READ | PROT_EXEC } } };
	m->entry_stubs = (uint64_t)module_map_near(m, (uint64_t)(h->entries->len + h->insns->len) *
							      STUB_SIZE);
	assert_true(m->entry_stubs);
	m->thunks = m->entry_stubs + (uint64_t)h->entries->len * STUB_SIZE;
	vector_start();
	if (agent.jit)
		jit_start();
}

void hosted_start(struct hosted *h)
{
	hosted_load(h);
	assert_true(modules_patch());
}

static void forget_threads(void)
{
	for (unsigned i = 0; i < MAX_THREADS && agent.threads[i]; i++) {
		struct agent_thread *t = agent.threads[i];

		if (t->window)
			stream_stop(t, TRACE_END_EXIT);
		if (t->mirror)
			munmap(t->mirror, TRACE_MIRROR_SIZE + 4096);
		munmap(head_of(t), BLOCK_STEP);
	}
	memset(agent.threads, 0, sizeof agent.threads);
	agent_tls = (struct agent_tls){ .common = agent_first_entry };
}

void hosted_free(struct hosted *h)
{
	forget_threads();
	agent.plan = NULL;
	munmap(h->code, HOSTED_MOST + 4096);
	test_folder_free(h->folder);
	g_array_free(h->insns, TRUE);
	g_array_free(h->entries, TRUE);
	g_array_free(h->counts, TRUE);
	g_array_free(h->actions, TRUE);
	g_free(h->index);
	g_free(h->file);
	g_free(h);
}

const struct trace_insn *hosted_insn(const struct hosted *h, size_t at)
{
	assert_true(h->index[at]);
	return &g_array_index(h->insns, struct trace_insn, h->index[at] - 1);
}

/* ---- a thread ---- */

struct agent_thread *hosted_thread(void)
{
	struct agent_thread *t = thread_new();

	assert_non_null(t);
	return t;
}

void hosted_put(struct agent_thread *t, const void *bytes, size_t size)
{
	if (t->at >= t->limit)
		stream_grow(t);
	if (t->recording) {
		memcpy(t->at, bytes, size);
		t->at += size;
	}
	head_of(t)->length = (uint64_t)t->at - t->base;
	head_of(t)->insns++;
}

GByteArray *hosted_stream(const struct hosted *h, const struct agent_thread *t)
{
	const struct trace_head *head = head_of((struct agent_thread *)(uintptr_t)t);
	g_autofree char *path = g_strdup_printf("%s/trace.%u", h->folder, t->number);
	GByteArray *bytes = g_byte_array_new();
	g_autofree char *text = NULL;
	gsize length;

	assert_true(g_file_get_contents(path, &text, &length, NULL));
	assert_true(length >= TRACE_STREAM_OFFSET + head->flushed);
	g_byte_array_append(bytes, (guint8 *)text + TRACE_STREAM_OFFSET, (guint)head->flushed);
	if (t->window)
		g_byte_array_append(bytes, (const guint8 *)t->window,
				    (guint)(head->length - head->flushed));
	return bytes;
}
