/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What executions of a statement computed their values from, in runs made of files: equal where
 * the same numbers went in, wherever they lay. */
#include "tests/support/canned.h"

#include "solver/trace/operands.h"
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

static GArray *instances(struct asked *a, unsigned line, uint64_t most)
{
	const struct trace_action action = store_of(a, line);
	GError *error = NULL;
	GArray *all = operands_of(a->run, a->lift, &action, 1, most, &error);

	if (!all)
		fail_msg("%s", error->message);
	return all;
}

static const struct operand_instance *instance(const GArray *all, guint i)
{
	assert_true(i < all->len);
	return &g_array_index(all, struct operand_instance, i);
}

static unsigned count_different(const GArray *all)
{
	unsigned n = 0;

	for (guint i = 0; i < all->len; i++) {
		bool is_new = true;

		for (guint k = 0; k < i; k++)
			is_new &= !g_bytes_equal(instance(all, i)->operands,
						 instance(all, k)->operands);
		n += is_new;
	}
	return n;
}

static void numbers_are_operands_and_addresses_are_not(void **state)
{
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "list");
	all = instances(&a, 24, 10); /* n->key = key: 3, 10, 5 */
	assert_int_equal(all->len, 3);
	assert_int_equal(count_different(all), 3);
	assert_true(instance(all, 0)->where != instance(all, 1)->where);
	for (guint i = 0; i < 3; i++)
		assert_int_equal(instance(all, i)->nth, i + 1);
	g_array_free(all, TRUE);
	all = instances(&a, 25, 10); /* n->kind = 2, of three nodes */
	assert_int_equal(all->len, 3);
	assert_int_equal(count_different(all), 1);
	g_array_free(all, TRUE);
	end(&a);
}

static void a_result_of_a_call_is_an_operand(void **state)
{
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "loop");
	all = instances(&a, 21, 5); /* seed = mix(seed): the first ones only */
	assert_int_equal(all->len, 5);
	assert_int_equal(count_different(all), 5);
	assert_int_equal(instance(all, 1)->where, instance(all, 0)->where);
	g_array_free(all, TRUE);
	all = instances(&a, 22, 5); /* rest = rounds % 7 */
	assert_int_equal(all->len, 1);
	g_array_free(all, TRUE);
	end(&a);
}

static void none_when_it_was_not_executed(void **state)
{
	struct asked a;
	GArray *all;

	(void)state;
	start(&a, "kinds");
	all = instances(&a, 97, 5);
	assert_int_equal(all->len, 0);
	g_array_free(all, TRUE);
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_operands_and_addresses_are_not),
		cmocka_unit_test(a_result_of_a_call_is_an_operand),
		cmocka_unit_test(none_when_it_was_not_executed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
