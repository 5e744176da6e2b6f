/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values a change that mends a run suggests for other places, in runs made of files. */
#include "tests/support/canned.h"

#include "gdbext/evidence/transfer/shift.h"
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

static uint32_t value_of(const GArray *actions, guint i)
{
	uint32_t value;

	assert_true(i < actions->len);
	memcpy(&value, g_array_index(actions, struct trace_action, i).value, sizeof value);
	return value;
}

/* 300 % 7 = 6 becomes level, and level + 2 = 8, which is 3 too much. */
static void a_source_is_changed_by_as_much(void **state)
{
	struct trace_action places[2], mends;
	const uint32_t five = 5;
	struct shift *s;
	struct asked a;
	GArray *found;

	(void)state;
	start(&a, "loop");
	places[0] = store_of(&a, 24);	      /* level = rest */
	places[1] = mends = store_of(&a, 25); /* level = level + 2 */
	memcpy(mends.value, &five, sizeof five);
	s = shift_new(a.run, a.lift, places, 2);
	found = shift_by(s, &mends, &places[0]);
	assert_int_equal(found->len, 2);
	assert_int_equal(value_of(found, 0), 3);
	assert_int_equal(value_of(found, 1), 9);
	assert_int_equal(g_array_index(found, struct trace_action, 0).nth, 1);
	g_array_unref(found);

	/* and the other way: what comes of the value */
	mends = places[0];
	memcpy(mends.value, &five, sizeof five); /* one less */
	found = shift_by(s, &mends, &places[1]);
	assert_int_equal(value_of(found, 0), 7);
	assert_int_equal(value_of(found, 1), 9);
	g_array_unref(found);

	/* the change was not made in this run */
	mends.nth = 2;
	found = shift_by(s, &mends, &places[1]);
	assert_int_equal(found->len, 0);
	g_array_unref(found);
	shift_free(s);
	end(&a);
}

static void the_nearest_execution_comes_first(void **state)
{
	struct trace_action places[2], mends;
	const uint32_t twelve = 12;
	struct shift *s;
	struct asked a;
	GArray *found;

	(void)state;
	start(&a, "list");
	places[0] = mends = store_of(&a, 24); /* n->key = key: 3, 10, 5 */
	places[1] = store_of(&a, 29);	      /* count++, some lines later */
	mends.nth = 2;
	memcpy(mends.value, &twelve, sizeof twelve);
	s = shift_new(a.run, a.lift, places, 2);
	found = shift_by(s, &mends, &places[1]);
	assert_int_equal(found->len, 4);
	assert_int_equal(g_array_index(found, struct trace_action, 0).nth, 2);
	assert_int_equal(value_of(found, 0), 4);
	assert_int_equal(value_of(found, 1), 0);
	assert_int_equal(g_array_index(found, struct trace_action, 2).nth, 1);
	assert_int_equal(value_of(found, 2), 3);
	assert_int_equal(value_of(found, 3), (uint32_t)-1);
	g_array_unref(found);

	/* a node's key is stored in that node */
	found = shift_by(s, &mends, &places[0]);
	assert_int_equal(found->len, 4);
	assert_true(g_array_index(found, struct trace_action, 0).where !=
		    g_array_index(found, struct trace_action, 2).where);
	g_array_unref(found);
	shift_free(s);
	end(&a);
}

static void places_are_told_apart(void **state)
{
	struct trace_action a = { .kind = TRACE_ACTION_REG, .addr = 16, .reg = 1, .size = 4 },
			    b = a;

	(void)state;
	b.nth = 7;
	assert_true(shift_is_same_place(&a, &b));
	b.reg = 2;
	assert_false(shift_is_same_place(&a, &b));
	a.kind = b.kind = TRACE_ACTION_MEM;
	b.where = 4096;
	assert_true(shift_is_same_place(&a, &b));
	b.size = 8;
	assert_false(shift_is_same_place(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_source_is_changed_by_as_much),
		cmocka_unit_test(the_nearest_execution_comes_first),
		cmocka_unit_test(places_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
