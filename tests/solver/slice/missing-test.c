/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why code was not executed: the decisions that kept it from that, and what they depend on. */
#include "solver/slice/missing.h"
#include "solver/source/trace-point/trace-point.h"
#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static volatile int few, noise;\n"
			     "static void line(int n)\n"
			     "{\n"
			     "  if (n > 3)\n"
			     "    printf(\"many %d\\n\", n);\n"
			     "}\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "  (void)argv;\n"
			     "  few = argc;\n"
			     "  if (few > 1)\n"
			     "    line(few + 3);\n"
			     "  for (int i = 0; i < 3; i++)\n"
			     "    noise += i;\n"
			     "  abort();\n"
			     "}\n";

struct fixture {
	struct recorded *recorded;
	struct reverse_index *index;
	struct trace_point *point;
};

static struct fixture start(void)
{
	struct fixture x = { .recorded = recorded_new(source, "gcc -g -O0", false) };
	const struct recorded *r = x.recorded;

	x.index = reverse_index_new(limits_default());
	x.point = trace_point_new(r->images, r->n_images, r->failing.record, r->failing.thread, 0,
				  x.index, NULL, NULL);
	assert_non_null(x.point);
	return x;
}

static void stop(struct fixture *x)
{
	trace_point_free(x->point);
	reverse_index_free(x->index);
	recorded_free(x->recorded);
}

static unsigned line_of(const struct slice_instance *i)
{
	const struct image_row *row = image_row_at(i->module->image, i->insn->addr);

	return row ? image_statement(i->module->image, row->statement)->line : 0;
}

/* The nearest instance of each line; 0 = it is none.  missing: code of a line, 0 = none. */
static void look(struct fixture *x, unsigned missing, unsigned *distances, size_t most)
{
	const struct image_frame *frame = trace_point_frame(x->point);
	const struct image *im = trace_point_image(x->point);
	struct slice_end end = { .image = im,
				 .bias = frame->bias,
				 .link = frame->pc,
				 .thrown = UINT64_MAX,
				 .exited = UINT64_MAX };
	const struct slice_instance *i;
	const struct trace_insn *insns;
	struct slice *slice;
	uint64_t place = 0;

	for (size_t k = image_insns(im, &insns); k > 0; k--) {
		const struct image_row *row = image_row_at(im, insns[k - 1].addr);

		if (row && image_statement(im, row->statement)->line == missing)
			place = insns[k - 1].addr + frame->bias;
	}
	end.missing = &place;
	end.n_missing = missing ? 1 : 0;
	slice = slice_new(x->index, &end);
	while ((i = slice_next(slice)))
		if (line_of(i) < most && !distances[line_of(i)])
			distances[line_of(i)] = i->distance;
	slice_free(slice);
}

static void decisions_that_kept_it_away_are_causes(void **state)
{
	const unsigned decision = recorded_line(source, "if (few"),
		       inner = recorded_line(source, "if (n > 3)");
	unsigned with[32] = { 0 }, without[32] = { 0 };
	struct fixture x;

	(void)state;
	support_need_replay();
	x = start();
	look(&x, 0, without, G_N_ELEMENTS(without));
	assert_int_equal(without[decision], 0);
	look(&x, recorded_line(source, "printf"), with, G_N_ELEMENTS(with));
	assert_int_equal(with[decision], 1);
	assert_true(with[recorded_line(source, "few = argc")] > 1);
	assert_int_equal(with[inner], 0); /* nobody decided there */
	assert_int_equal(with[recorded_line(source, "noise +=")], 0);
	stop(&x);
}

static void last_decisions_come_latest_first(void **state)
{
	g_autoptr(GArray) last = g_array_new(FALSE, FALSE, sizeof(struct slice_instance));
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(struct slice_instance));
	g_autoptr(GArray) near = g_array_new(FALSE, FALSE, sizeof(struct slice_instance));
	struct fixture x;

	(void)state;
	support_need_replay();
	x = start();
	slice_last_decisions(x.index, 100, UINT64_MAX, last);
	assert_int_equal(last->len, 2); /* each once, however often it was executed */
	assert_int_equal(line_of(&g_array_index(last, struct slice_instance, 0)),
			 recorded_line(source, "for ("));
	assert_int_equal(line_of(&g_array_index(last, struct slice_instance, 1)),
			 recorded_line(source, "if (few"));
	slice_last_decisions(x.index, 1, UINT64_MAX, one);
	assert_int_equal(one->len, 1);
	slice_last_decisions(x.index, 100, 4, near);
	assert_int_equal(near->len, 1);
	stop(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decisions_that_kept_it_away_are_causes),
		cmocka_unit_test(last_decisions_come_latest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
