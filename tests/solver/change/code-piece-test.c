/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of code that are executed elsewhere: each is put into memory far from the function that it
 * changes, and the processor says what it does. */
#include "solver/change/code-piece.h"
#include "tests/support/program.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/mman.h>

/* A library, so that its code can be called here. */
static const char source[] = "struct box { short small; int large; };\n"
			     "int limit = 50;\n"
			     "int f(int x, const struct box *p)\n"
			     "{\n"
			     "	int low = 1;\n"
			     "	unsigned char c = 200;\n"
			     "	if (x > 10)\n"
			     "		low = 2;\n"
			     "	low = low + limit;\n"
			     "	return low + (c - c);\n"
			     "}\n"
			     "int main(void) { return 0; }\n";

struct fixture {
	char *folder, *file;
	struct image *im;
	struct mutator *m;
	void *library;
	uint64_t bias;
	uint8_t *page;
};
struct box {
	short small;
	int large;
};
typedef int function(int x, const struct box *p);

static int set_up(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	g_autofree char *path = NULL;
	struct link_map *map;

	f->folder = test_folder_new();
	f->file = g_build_filename(f->folder, "p.c", NULL);
	path = test_compile(f->folder, "p", source, "cc -g -O0 -shared -fPIC");
	f->im = image_open(path, NULL);
	assert_non_null(f->im);
	f->m = mutator_new(f->im, limits_default());
	f->library = dlopen(path, RTLD_NOW);
	assert_non_null(f->library);
	assert_int_equal(dlinfo(f->library, RTLD_DI_LINKMAP, &map), 0);
	f->bias = map->l_addr;
	for (uint64_t at = (f->bias & ~0xffffull) - (64 << 20); f->page == NULL; at += 1 << 20) {
		void *got = mmap((void *)at, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (got != MAP_FAILED)
			f->page = got;
	}
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	munmap(f->page, 4096);
	dlclose(f->library);
	mutator_free(f->m);
	image_free(f->im);
	test_folder_free(f->folder);
	g_free(f->file);
	g_free(f);
	return 0;
}

/* What the recorder does with the actions, but for the breakpoint: a jump, which the instruction
 * and those after it have to make room for. */
static void put(const struct fixture *f, const GArray *actions, uint8_t *saved)
{
	const struct trace_action *first = &g_array_index(actions, struct trace_action, 0);
	uint8_t *at = (uint8_t *)(uintptr_t)(first->addr + f->bias), *to = f->page;
	uint64_t page = (uint64_t)at & ~4095ull;
	int32_t far;

	for (guint i = 0; i < actions->len; i++) {
		const struct trace_action *a = &g_array_index(actions, struct trace_action, i);

		if (a->kind == TRACE_ACTION_CODE_LINK) {
			far = (int32_t)(a->addr + f->bias - ((uint64_t)f->page + a->nth));
			memcpy(f->page + a->where, &far, sizeof far);
			continue;
		}
		memcpy(to, a->value, a->size);
		to += a->size;
	}
	*to = 0xe9;
	far = (int32_t)((uint64_t)at + first->where - ((uint64_t)to + 5));
	memcpy(to + 1, &far, sizeof far);
	assert_int_equal(mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	assert_true(first->where >= 5);
	memcpy(saved, at, 5);
	*at = 0xe9;
	far = (int32_t)((uint64_t)f->page - ((uint64_t)at + 5));
	memcpy(at + 1, &far, sizeof far);
}

static int run(const struct fixture *f, const GArray *actions, int x, const struct box *p)
{
	const struct trace_action *first = &g_array_index(actions, struct trace_action, 0);
	uint8_t saved[5];
	int result;

	put(f, actions, saved);
	result = ((function *)(uintptr_t)dlsym(f->library, "f"))(x, p);
	memcpy((uint8_t *)(uintptr_t)(first->addr + f->bias), saved, sizeof saved);
	return result;
}

static const struct watch *watch_named(const GPtrArray *all, const char *text)
{
	for (guint i = 0; i < all->len; i++)
		if (!strcmp(((struct watch *)all->pdata[i])->text, text))
			return all->pdata[i];
	fail_msg("no variable %s", text);
	return NULL;
}

/* The store of `low = 2' is left out where the guard holds. */
static int with_guard(const struct fixture *f, const char *v, enum guard_op op, int64_t constant,
		      const char *w, int x, const struct box *p)
{
	g_autoptr(GArray) mutants = mutator_line(f->m, f->file, 8);
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	const struct mutant *removed = NULL;
	g_autoptr(GPtrArray) watches = NULL;
	struct guard g = { .op = op, .constant = constant };
	struct code_piece piece = { 0 };

	for (guint i = 0; i < mutants->len; i++)
		if (g_array_index(mutants, struct mutant, i).kind == MUTANT_REMOVED)
			removed = &g_array_index(mutants, struct mutant, i);
	assert_non_null(removed);
	watches = watches_at(f->im, removed->addr, 48);
	g.v = watch_named(watches, v);
	g.w = w ? watch_named(watches, w) : NULL;
	assert_true(code_piece_guard(&piece, &g, removed, f->im));
	code_piece_actions(&piece, removed->addr, removed->length, actions);
	return run(f, actions, x, p);
}

static void guards_decide(void **state)
{
	const struct fixture *f = *state;
	const struct box b = { -3, 70000 };

	assert_int_equal(with_guard(f, "x", GUARD_GT, 20, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "x", GUARD_GT, 20, NULL, 21, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_LE, 20, NULL, 20, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_BIT, 4, NULL, 12, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_BIT, 4, NULL, 11, &b), 52);
	assert_int_equal(with_guard(f, "p->small", GUARD_LT, 0, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "p->large", GUARD_EQ, 70000, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "p->large", GUARD_EQ, 70001, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "c", GUARD_EQ, 200, NULL, 15, &b), 51);
	assert_int_equal(with_guard(f, "x", GUARD_LT, 0, "low", 15, &b), 52);
	assert_int_equal(with_guard(f, "x", GUARD_GT, 0, "low", 15, &b), 51);
	assert_int_equal(with_guard(f, "p", GUARD_EQ, 0, NULL, 15, &b), 52);
	assert_int_equal(with_guard(f, "p", GUARD_EQ, 0, NULL, 15, NULL), 51);
}

/* Addresses relative to the instruction still mean what they meant. */
static void instructions_move(void **state)
{
	const struct fixture *f = *state;
	const struct trace_insn *insns;
	size_t n = image_insns(f->im, &insns), avail;
	unsigned moved = 0;

	for (size_t i = 0; i < n; i++) {
		const struct image_function *in = image_function_at(f->im, insns[i].addr);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		struct code_piece piece = { 0 };

		if (!in || strcmp(in->name, "f") != 0 || insns[i].length < 5)
			continue;
		assert_true(code_piece_insns(&piece, image_bytes(f->im, insns[i].addr, &avail),
					     insns[i].length, insns[i].addr));
		code_piece_actions(&piece, insns[i].addr, insns[i].length, actions);
		assert_int_equal(run(f, actions, 15, NULL), 52);
		moved++;
	}
	assert_true(moved >= 2);
}

static void watches_are_what_is_visible(void **state)
{
	const struct fixture *f = *state;
	g_autoptr(GArray) skips = mutator_skips(f->m, f->file, 8);
	const struct mutant *skip = &g_array_index(skips, struct mutant, 0);
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GPtrArray) first = NULL;

	assert_int_equal(skips->len, 1);
	all = watches_at(f->im, skip->addr, 48);
	assert_int_equal(watch_named(all, "x")->size, 4);
	assert_int_equal(watch_named(all, "limit")->reg, TRACE_NOTE_NONE);
	assert_int_equal(watch_named(all, "p->large")->member, offsetof(struct box, large));
	assert_int_equal(watch_value(watch_named(all, "p->small"), 0xfffd), -3);
	assert_int_equal(watch_value(watch_named(all, "c"), 200), 200);
	first = watches_at(f->im, skip->addr, 2);
	assert_int_equal(first->len, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(guards_decide),
		cmocka_unit_test(instructions_move),
		cmocka_unit_test(watches_are_what_is_visible),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
