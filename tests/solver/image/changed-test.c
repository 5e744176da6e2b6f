/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An image with other code in one place: only that place is another, and the file's image stays. */
#include "solver/image/image.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { JLE = 0x7e, JL = 0x7c, NOP = 0x90 };

static const char source[] =
	"int f(int n) { int s = 0; for (int i = 0; i <= n; i++) s += i; return s; }\n"
	"int main(int argc, char **argv) { (void)argv; return f(argc); }\n";

struct fixture {
	char *folder;
	struct image *im;
};

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	g_autofree char *path = NULL;

	f->folder = test_folder_new();
	path = test_compile(f->folder, "p", source, "cc -g -O0");
	f->im = image_open(path, NULL);
	assert_non_null(f->im);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	image_free(f->im);
	test_folder_free(f->folder);
	g_free(f);
	return 0;
}

static const struct trace_insn *find_branch(const struct image *im)
{
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);

	for (size_t i = 0; i < n; i++)
		if (insns[i].flow == TRACE_FLOW_COND)
			return &insns[i];
	return NULL;
}

static struct trace_action put_at(const struct trace_insn *insn, unsigned size)
{
	return (struct trace_action){ .kind = TRACE_ACTION_CODE,
				      .addr = insn->addr,
				      .where = insn->length,
				      .size = (uint16_t)size };
}

static void another_condition(void **state)
{
	struct fixture *f = *state;
	const struct trace_insn *branch = find_branch(f->im), *other;
	struct trace_action a;
	struct image *changed;
	size_t avail;

	assert_non_null(branch);
	a = put_at(branch, branch->length);
	memcpy(a.value, image_bytes(f->im, branch->addr, &avail), branch->length);
	assert_int_equal(a.value[0], JLE);
	a.value[0] = JL;
	changed = image_changed(f->im, &a, 1);
	assert_non_null(changed);
	other = image_insn_at(changed, branch->addr);
	assert_non_null(other);
	assert_int_not_equal(other->cond, branch->cond);
	assert_int_equal(other->target, branch->target);
	assert_int_equal(image_bytes(changed, branch->addr, &avail)[0], JL);
	assert_int_equal(image_bytes(f->im, branch->addr, &avail)[0], JLE);
	image_changed_free(changed);
}

/* Nothing is left of it but no-ops; what follows keeps its place, and no load counts as known. */
static void left_out(void **state)
{
	struct fixture *f = *state;
	const struct trace_insn *branch = find_branch(f->im), *insns, *later;
	struct trace_action a = put_at(branch, 0);
	struct image *changed = image_changed(f->im, &a, 1);
	const struct image_function *function = image_function_named(f->im, "f");
	size_t n = image_insns(f->im, &insns), avail;
	unsigned known = 0;

	assert_non_null(changed);
	for (unsigned i = 0; i < branch->length; i++) {
		assert_int_equal(image_bytes(changed, branch->addr + i, &avail)[0], NOP);
		assert_int_equal(image_insn_at(changed, branch->addr + i)->length, 1);
	}
	for (size_t i = 0; i < n; i++) {
		later = image_insn_at(changed, insns[i].addr);
		assert_non_null(later);
		assert_true(later->addr == insns[i].addr);
		if (later->addr != branch->addr)
			assert_int_equal(later->length, insns[i].length);
		for (unsigned k = 0;
		     later->addr >= function->lo && later->addr < function->hi && k < later->n_mem;
		     k++)
			known += later->mem[k].flags & TRACE_MEM_KNOWN ? 1 : 0;
	}
	assert_int_equal(known, 0);
	image_changed_free(changed);
}

/* Code that is longer than its place, and a change that is none of code. */
static void refused(void **state)
{
	struct fixture *f = *state;
	const struct trace_insn *branch = find_branch(f->im);
	struct trace_action longer = put_at(branch, branch->length + 1u), none = put_at(branch, 0);

	none.kind = TRACE_ACTION_REG;
	assert_null(image_changed(f->im, &longer, 1));
	assert_null(image_changed(f->im, &none, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(another_condition, set_up, tear_down),
		cmocka_unit_test_setup_teardown(left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
