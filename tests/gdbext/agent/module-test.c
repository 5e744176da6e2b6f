/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules as the dynamic linker has them, and memory far from and near to them. */
#include "tests/support/hosted.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

/* A plan in one piece of memory, as the file is. */
struct whole {
	struct trace_plan plan;
	struct trace_plan_module modules[2];
	uint32_t index[16];
	struct trace_insn insns[1];
	uint64_t entries[1];
	char paths[2][512];
};

static uint64_t offset_of(const struct whole *w, const void *member)
{
	return (uint64_t)((const char *)member - (const char *)w);
}

/* This program and a library of it. */
static void make_plan(struct whole *w)
{
	Dl_info info;

	memset(w, 0, sizeof *w);
	assert_true(dladdr((void *)(uintptr_t)dlopen, &info) && info.dli_fname);
	w->plan.n_modules = 2;
	w->plan.modules = offset_of(w, w->modules);
	assert_true(g_snprintf(w->paths[0], 512, "/proc/self/exe") < 512);
	assert_true(g_snprintf(w->paths[1], 512, "%s", info.dli_fname) < 512);
	for (unsigned i = 0; i < 2; i++)
		w->modules[i] = (struct trace_plan_module){ .path = offset_of(w, w->paths[i]),
							    .index = offset_of(w, w->index),
							    .insns = offset_of(w, w->insns),
							    .entries = offset_of(w, w->entries),
							    .lo = HOSTED_LINK,
							    .hi = HOSTED_LINK + 16,
							    .n_insns = 1,
							    .n_entries = 1 };
	memset(&agent, 0, sizeof agent);
	agent.plan = &w->plan;
}

static void modules_are_where_the_linker_says(void **state)
{
	static struct whole w;
	Dl_info info;

	(void)state;
	make_plan(&w);
	assert_true(modules_find());
	assert_int_equal(agent.n_modules, 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct agent_module *m = &agent.modules[i];
		void *inside = i ? (void *)(uintptr_t)dlopen : (void *)(uintptr_t)make_plan;

		assert_true(dladdr(inside, &info));
		assert_int_equal(m->bias, (uint64_t)info.dli_fbase);
		assert_int_equal(m->lo, m->bias + HOSTED_LINK);
		assert_memory_equal(m->file, "\177ELF", 4);
		assert_true(module_has_section(m, ".text"));
		assert_false(module_has_section(m, ".nothing"));
		assert_ptr_equal(module_at(m->lo), m);
		assert_ptr_equal(module_at(m->lo + 15), m);
	}
	assert_null(module_at(agent.modules[0].lo + 16));
	/* numbers go through */
	assert_int_equal(agent.modules[0].first_insn, 0);
	assert_int_equal(agent.modules[1].first_insn, 1);
	assert_int_equal(agent.modules[1].first_entry, 1);
}

/* The bytes of the file, not of memory: that may hold a debugger's. */
static void bytes_are_those_of_the_file(void **state)
{
	static struct whole w;
	struct trace_insn insn = { .length = 4 };
	const struct agent_module *m = &agent.modules[0];
	Dl_info info;

	(void)state;
	make_plan(&w);
	assert_true(modules_find());
	assert_true(dladdr((void *)(uintptr_t)make_plan, &info));
	insn.addr = (uint64_t)make_plan - (uint64_t)info.dli_fbase;
	assert_memory_equal(module_bytes(m, &insn), (const void *)(uintptr_t)make_plan, 4);
	insn.addr = m->segments[m->n_segments - 1].link + m->segments[m->n_segments - 1].size - 3;
	assert_null(module_bytes(m, &insn)); /* its end is outside */
	insn.addr = ~0ull - 8;
	assert_null(module_bytes(m, &insn));
}

static void nonsense_in_a_plan_is_refused(void **state)
{
	static struct whole w;

	(void)state;
	make_plan(&w);
	w.plan.n_modules = TRACE_MAX_MODULES + 1;
	assert_false(modules_find());
	make_plan(&w);
	w.plan.modules = 0;
	assert_false(modules_find());
}

static void memory_is_far_or_near(void **state)
{
	static struct whole w;
	struct agent_module *m = &agent.modules[0];
	uint8_t *one, *two;

	(void)state;
	make_plan(&w);
	assert_true(modules_find());
	one = far_map(100, 3, -1);
	two = far_map(5000, 3, -1);
	assert_non_null(one);
	assert_true(two >= one + 4096 + 4096); /* a page between them is missing */
	memset(two, 1, 5000);
	one = module_map_near(m, 100);
	assert_non_null(one);
	assert_true(llabs((long long)((uint64_t)one - m->lo)) < (1ll << 31));
	assert_int_equal((uint64_t)one % 4096, 0);
	assert_true(module_map_near(m, 100) != one);
	/* more than a jump reaches */
	assert_null(module_map_near(m, 1ull << 31));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_are_where_the_linker_says),
		cmocka_unit_test(bytes_are_those_of_the_file),
		cmocka_unit_test(nonsense_in_a_plan_is_refused),
		cmocka_unit_test(memory_is_far_or_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
