/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was in the places of actions after each execution, in runs made of files. */
#include "tests/support/canned.h"

#include "solver/trace/executions.h"
#include "solver/trace/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct asked {
	struct canned *canned;
	struct trace_run *run;
	struct lift *lift;
};

static void start(struct asked *a, const char *program)
{
	g_autofree char *folder = g_build_filename("tests/data/runs", program, NULL);
	GError *error = NULL;

	a->canned = canned_open(folder);
	a->lift = lift_new();
	a->run = trace_run_open(a->canned->failing.record, a->canned->images, a->canned->n_images,
				&error);
	if (!a->run || !trace_run_choose(a->run, a->canned->failing.thread, &error))
		fail_msg("%s", error->message);
}

static void end(struct asked *a)
{
	trace_run_free(a->run);
	lift_free(a->lift);
	canned_free(a->canned);
}

/* The last instruction of the line that stores something. */
static struct trace_action store_of(const struct asked *a, unsigned line)
{
	const struct image *im = a->canned->images[0];
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	struct trace_action found = { .kind = TRACE_ACTION_MEM, .nth = 1 };

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);
		const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

		for (unsigned k = 0; s && s->line == line && k < insns[i].n_mem; k++)
			if (insns[i].mem[k].flags & TRACE_MEM_WRITE &&
			    insns[i].flow == TRACE_FLOW_NONE) {
				found.addr = insns[i].addr;
				found.size = insns[i].mem[k].size;
			}
	}
	assert_true(found.addr != 0);
	return found;
}

static GArray *executions_of(struct asked *a, const struct trace_action *actions, size_t n)
{
	GArray *all = trace_executions(a->run, a->lift, actions, n);

	assert_non_null(all);
	return all;
}

static const struct trace_execution *execution(const GArray *all, size_t of, uint64_t nth)
{
	const struct trace_execution *e = trace_execution_find(all, of, nth);

	assert_non_null(e);
	return e;
}

static void each_execution_has_the_value_that_it_left(void **state)
{
	struct trace_action stores[2];
	uint32_t seed = 1;
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "loop");
	stores[0] = store_of(&a, 24); /* level = rest, which is 300 % 7 */
	stores[1] = store_of(&a, 21); /* seed = mix(seed), 300 times */
	all = executions_of(&a, stores, 2);
	assert_int_equal(all->len, 301);
	for (unsigned nth = 1; nth <= 300; nth++) {
		const struct trace_execution *e = execution(all, 1, nth);

		seed = seed * 1664525 + 1013904223;
		assert_int_equal(e->value, seed);
		assert_int_equal(e->where, execution(all, 1, 1)->where);
	}
	assert_int_equal(execution(all, 0, 1)->value, 6);
	assert_true(execution(all, 0, 1)->where != execution(all, 1, 1)->where);
	assert_null(trace_execution_find(all, 0, 2));
	for (guint i = 1; i < all->len; i++)
		assert_true(g_array_index(all, struct trace_execution, i - 1).step <
			    g_array_index(all, struct trace_execution, i).step);
	g_array_unref(all);
	end(&a);
}

/* The store of a node's key goes to another node each time. */
static void a_store_is_where_it_goes_in_this_execution(void **state)
{
	struct trace_action store;
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "list");
	store = store_of(&a, 24); /* n->key = key: 3, 10, 5 */
	all = executions_of(&a, &store, 1);
	assert_int_equal(all->len, 3);
	assert_int_equal(execution(all, 0, 1)->value, 3);
	assert_int_equal(execution(all, 0, 2)->value, 10);
	assert_int_equal(execution(all, 0, 3)->value, 5);
	assert_true(execution(all, 0, 1)->where != execution(all, 0, 2)->where);
	g_array_unref(all);
	end(&a);
}

/* A register that no one has; another instruction; more than a number. */
static void what_is_not_known_is_left_out(void **state)
{
	struct trace_action actions[3];
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "loop");
	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++)
		actions[i] = store_of(&a, 24);
	actions[0].kind = TRACE_ACTION_REG;
	actions[0].reg = TRACE_XMM0;
	actions[1].addr++;
	actions[2].size = 16;
	all = executions_of(&a, actions, G_N_ELEMENTS(actions));
	assert_int_equal(all->len, 0);
	g_array_unref(all);
	end(&a);
}

static void a_register_is_read_after_the_instruction(void **state)
{
	struct trace_action store;
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "loop");
	store = store_of(&a, 25); /* level = level + 2, as one addition to memory: no register */
	store.kind = TRACE_ACTION_REG;
	store.reg = TRACE_RSP;
	store.size = 8;
	all = executions_of(&a, &store, 1);
	assert_int_equal(all->len, 1);
	store.kind = TRACE_ACTION_MEM;
	store.size = 4;
	/* the variable is in the frame, near where the stack ends */
	{
		GArray *stores = executions_of(&a, &store, 1);
		uint64_t where = execution(stores, 0, 1)->where;

		assert_true(where >= execution(all, 0, 1)->value &&
			    where < execution(all, 0, 1)->value + 256);
		g_array_unref(stores);
	}
	g_array_unref(all);
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_execution_has_the_value_that_it_left),
		cmocka_unit_test(a_store_is_where_it_goes_in_this_execution),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(a_register_is_read_after_the_instruction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
