/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice names what the failure depends on, nearest first, and nothing of a loop beside it. */
#include "gdbext/replay/replay.h"
#include "solver/slice/slice.h"
#include "solver/source/trace-point/trace-point.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* The lines that are asked about. */
enum { NOISE = 9, TWICE = 3, CONDITION = 11, STORE = 12, SKIPPED = 13, CHECK = 14 };
static const char source[] = "#include <assert.h>\n"
			     "static unsigned noise;\n"
			     "static int twice(int x) { int y = x + x; return y; }\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "  int v = 5, w = 1;\n"
			     "  (void)argv;\n"
			     "  for (int i = 0; i < 1000; i++)\n"
			     "    noise = noise * 31 + (unsigned)i;\n"
			     "  w += 1;\n"
			     "  if (argc > 0)\n"
			     "    v = twice(w);\n"
			     "  noise ^= 1;\n"
			     "  assert(v == 5);\n"
			     "  return 0;\n"
			     "}\n";

/* What a function of the library returned depends on the string that it read. */
enum { CALL_STORE = 6 };
static const char source_of_call[] =
	"#include <assert.h>\n"
	"#include <string.h>\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"  char beside[64] = \"\", text[64] = \"abc\"; beside[0] = argv[0][0];\n"
	"  text[1] = (char)('b' + argc);\n"
	"  assert(strcmp(text, \"abc\") == 0);\n"
	"  return beside[0];\n"
	"}\n";

/* A loop ended a round too early, so what is printed was never written. */
enum { LOOP = 7 };
static const char source_of_omission[] = "#include <assert.h>\n"
					 "#include <stdlib.h>\n"
					 "int main(int argc, char **argv)\n"
					 "{\n"
					 "  int *filled = calloc(8, sizeof(int)), sum = 0;\n"
					 "  (void)argv;\n"
					 "  for (int i = 0; i < 4 + argc - 1; i++)\n"
					 "    filled[i] = i + 1;\n"
					 "  for (int i = 0; i < 8; i++)\n"
					 "    sum += i;\n"
					 "  assert(filled[4] == 5);\n"
					 "  return sum;\n"
					 "}\n";

/* Optimized, `middle' jumps to `last', which has no branch but that of its check. */
enum { TAIL_DECISION = 11 };
static const char source_of_tail_call[] = "#include <assert.h>\n"
					  "static volatile int wrong;\n"
					  "__attribute__((noipa)) static int last(int v)\n"
					  "{\n"
					  "  assert(wrong != 1);\n"
					  "  return v;\n"
					  "}\n"
					  "__attribute__((noipa)) static int middle(int v)\n"
					  "{\n"
					  "  wrong = 1;\n"
					  "  if (v > 0)\n"
					  "    return last(v + 1);\n"
					  "  return 0;\n"
					  "}\n"
					  "int main(int argc, char **argv)\n"
					  "{\n"
					  "  (void)argv;\n"
					  "  return middle(argc) + 1;\n"
					  "}\n";

/* The function fails in its first instruction: nothing was executed behind the call of it. */
enum { ROUND_DECISION = 14 };
static const char source_of_first_instruction[] = "struct node {\n"
						  "  int key;\n"
						  "  const struct node *next;\n"
						  "};\n"
						  "static const struct node last = { 3, 0 };\n"
						  "__attribute__((noipa)) static int\n"
						  "key_of(const struct node *n)\n"
						  "{\n"
						  "  return n->key;\n"
						  "}\n"
						  "int main(int argc, char **argv)\n"
						  "{\n"
						  "  const struct node *n = &last;\n"
						  "  for (int i = 0; i < argc; i++)\n"
						  "    n = n->next;\n"
						  "  return key_of(n);\n"
						  "}\n";

/* Whatever is decided, the function does not come back. */
enum { LAST_DECISION = 6 };
static const char source_of_report[] =
	"#include <assert.h>\n"
	"#include <stdlib.h>\n"
	"static void __attribute__((noinline)) report(int *p, int more)\n"
	"{\n"
	"  int value = 1;\n"
	"  if (more)\n"
	"    value = *p;\n"
	"  exit(value);\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"  (void)argv;\n"
	"  report(NULL, argc);\n"
	"}\n";

/* The status is what the function left that longjmp was called by. */
enum { LEFT = 7, THROWN = 8 };
static const char source_of_throw[] = "#include <assert.h>\n"
				      "#include <setjmp.h>\n"
				      "static jmp_buf env;\n"
				      "static int status;\n"
				      "static void fail(void)\n"
				      "{\n"
				      "  status = 2;\n"
				      "  longjmp(env, 1);\n"
				      "}\n"
				      "int main(int argc, char **argv)\n"
				      "{\n"
				      "  (void)argv;\n"
				      "  if (setjmp(env) == 0 && argc == 1)\n"
				      "    fail();\n"
				      "  assert(status == 0);\n"
				      "  return 0;\n"
				      "}\n";

/* What is compared was copied by a function of the library. */
enum { COPIED = 7, BESIDE = 6 };
static const char source_of_copy[] = "#include <assert.h>\n"
				     "#include <string.h>\n"
				     "int main(int argc, char **argv)\n"
				     "{\n"
				     "  char from[8] = \"\", to[16] = \"\";\n"
				     "  from[0] = argv[0][0];\n"
				     "  from[2] = (char)('b' + argc);\n"
				     "  memcpy(to + 3, from, 4);\n"
				     "  assert(to[5] == 'b');\n"
				     "  return 0;\n"
				     "}\n";

/* What is compared was printed, sorted and read again by functions of the library. */
enum { COMPARED = 6, FIRST = 13, OTHERS = 14 };
static const char source_of_chain[] = "#include <assert.h>\n"
				      "#include <stdio.h>\n"
				      "#include <stdlib.h>\n"
				      "static int by(const void *a, const void *b)\n"
				      "{\n"
				      "  return *(const int *)b - *(const int *)a;\n"
				      "}\n"
				      "int main(int argc, char **argv)\n"
				      "{\n"
				      "  int numbers[3], other;\n"
				      "  char text[32];\n"
				      "  other = argv[0][0];\n"
				      "  numbers[1] = argc + 4;\n"
				      "  numbers[0] = 5 * argc; numbers[2] = 6;\n"
				      "  qsort(numbers, 3, sizeof(*numbers), by);\n"
				      "  sprintf(text, \"%*s%d\", 2, \"\", numbers[1]);\n"
				      "  assert(strtol(text, NULL, 10) == other);\n"
				      "  return 0;\n"
				      "}\n";

struct fixture {
	char *folder;
	struct replay *replay;
	struct replay_failing failing;
	struct reverse_index *index;
	struct trace_point *point;
	struct slice *slice;
};

static struct fixture *start_with(const char *text, const char *compile)
{
	struct fixture *x = g_new0(struct fixture, 1);
	g_autofree char *program = NULL;
	struct replay_options o;
	struct image *const *images;
	struct slice_end end;
	size_t n;

	x->folder = test_folder_new();
	program = test_compile(x->folder, "sliced", text, compile);
	o = support_options((char *[]){ program, NULL });
	x->replay = replay_new(&o, NULL);
	assert_non_null(x->replay);
	assert_true(replay_record_failing(x->replay, &x->failing, NULL));
	images = replay_images(x->replay, &n);
	x->index = reverse_index_new(limits_default());
	x->point = trace_point_new(images, n, x->failing.record, x->failing.thread, x->failing.line,
				   x->index, NULL, NULL);
	assert_non_null(x->point);
	end = (struct slice_end){ .thrown = UINT64_MAX,
				  .exited = UINT64_MAX,
				  .image = trace_point_image(x->point),
				  .bias = trace_point_frame(x->point)->bias,
				  .link = trace_point_frame(x->point)->pc,
				  .signalled = trace_point_is_signalled(x->point) };
	x->slice = slice_new(x->index, &end);
	return x;
}

static struct fixture *start(const char *text)
{
	return start_with(text, "gcc -g -O0 -fno-builtin");
}

static void stop(struct fixture *x)
{
	slice_free(x->slice);
	trace_point_free(x->point);
	reverse_index_free(x->index);
	replay_failing_clear(&x->failing);
	replay_free(x->replay);
	test_folder_free(x->folder);
	g_free(x);
}

static unsigned line_at(const struct trace_module *module, const struct trace_insn *insn)
{
	const struct image_row *row = image_row_at(module->image, insn->addr);

	return row ? image_statement(module->image, row->statement)->line : 0;
}

static unsigned line_of(const struct slice_instance *i)
{
	return line_at(i->module, i->insn);
}

static void test_the_slice_has_causes_only(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	unsigned first[32] = { 0 }, given = 0, distance = 0;

	(void)state;
	support_need_replay();
	x = start(source);
	while ((i = slice_next(x->slice))) {
		unsigned line = line_of(i);

		assert_true(line < G_N_ELEMENTS(first));
		assert_true(i->distance >= distance);
		distance = i->distance;
		if (!first[line])
			first[line] = i->distance;
		given++;
	}
	assert_true(given > 5 && given < 40);
	assert_int_equal(first[CHECK], 1);
	assert_true(first[STORE] > first[CHECK]);
	assert_true(first[CONDITION] > first[STORE]);
	assert_true(first[TWICE] > first[STORE]);
	assert_int_equal(first[NOISE], 0);
	assert_int_equal(first[SKIPPED], 0);
	stop(x);
}

/* Where the checked value came from, without what decided that: STORE was executed because of
 * CONDITION. */
static void test_a_thin_slice_has_no_decisions(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	const struct slice_instance *check;
	uint64_t step;
	struct reverse_index_place place;
	struct slice_end end;
	struct slice *thin;
	unsigned stores = 0, decisions = 0;

	(void)state;
	support_need_replay();
	x = start(source);
	check = slice_next(x->slice);
	assert_int_equal(line_of(check), CHECK);
	step = check->step;
	while ((i = slice_next(x->slice)) && !(line_of(i) == STORE && i->place.memory))
		;
	assert_non_null(i);
	place = i->place;
	end = (struct slice_end){ .thrown = UINT64_MAX,
				  .exited = UINT64_MAX,
				  .image = trace_point_image(x->point),
				  .bias = trace_point_frame(x->point)->bias,
				  .link = trace_point_frame(x->point)->pc,
				  .place = &place,
				  .thin = true };
	thin = slice_new(x->index, &end);
	while ((i = slice_next(thin))) {
		stores += line_of(i) == STORE;
		decisions += i->decides;
	}
	slice_free(thin);
	assert_true(stores > 0);
	assert_int_equal(decisions, 0);

	/* of the check alone: itself, and then what it was decided by */
	thin = slice_of_decisions(x->index, &step, 1);
	i = slice_next(thin);
	assert_int_equal(i->step, step);
	assert_int_equal(i->distance, 0);
	for (stores = 0; (i = slice_next(thin));)
		stores += line_of(i) == STORE && i->distance > 0;
	slice_free(thin);
	assert_true(stores > 0);
	stop(x);
}

static void test_the_slice_goes_through_library_functions(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	unsigned stores = 0;

	(void)state;
	support_need_replay();
	x = start(source_of_call);
	while ((i = slice_next(x->slice)))
		stores += line_of(i) == CALL_STORE && i->place.memory;
	assert_int_equal(stores, 1);
	stop(x);
}

static void test_contents_are_followed_to_where_they_were_copied_from(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	unsigned stores = 0, beside = 0;

	(void)state;
	support_need_replay();
	x = start(source_of_copy);
	while ((i = slice_next(x->slice))) {
		stores += line_of(i) == COPIED && i->place.memory;
		beside += line_of(i) == BESIDE && i->place.memory;
	}
	assert_int_equal(stores, 1);
	assert_int_equal(beside, 0);
	stop(x);
}

static void test_the_slice_goes_through_calls_back(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	unsigned compared = 0, called_back = 0, numbers = 0;

	(void)state;
	support_need_replay();
	x = start(source_of_chain);
	while ((i = slice_next(x->slice))) {
		compared += line_of(i) == COMPARED;
		called_back += i->called_back;
		numbers += (line_of(i) == FIRST || line_of(i) == OTHERS) && i->place.memory;
	}
	assert_true(compared >= 2);
	assert_int_equal(called_back, compared);
	assert_int_equal(numbers, 3);
	assert_true(slice_goes_through_library(x->slice));
	stop(x);
	x = start(source_of_call); /* of strcmp the formula has terms */
	while (slice_next(x->slice))
		;
	assert_false(slice_goes_through_library(x->slice));
	stop(x);
}

static void test_a_loop_that_left_an_element_out_is_a_cause(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	unsigned decisions = 0, rounds = 0;

	(void)state;
	support_need_replay();
	x = start(source_of_omission);
	while ((i = slice_next(x->slice))) {
		decisions += line_of(i) == LOOP && i->decides;
		rounds += line_of(i) == LOOP + 2;
	}
	assert_true(decisions > 0);
	assert_int_equal(rounds, 0);
	stop(x);
}

/* How far the line's decision is; 0 = it is no cause. */
static unsigned distance_of_decision(struct fixture *x, unsigned line)
{
	const struct slice_instance *i;

	while ((i = slice_next(x->slice)))
		if (i->decides && line_of(i) == line)
			return i->distance;
	return 0;
}

static void test_a_jump_in_the_place_of_a_call_is_a_call(void **state)
{
	struct fixture *x;

	(void)state;
	support_need_replay();
	x = start_with(source_of_tail_call, "gcc -g -O2");
	assert_true(distance_of_decision(x, TAIL_DECISION) > 0);
	stop(x);
}

static void test_a_function_may_fail_in_its_first_instruction(void **state)
{
	struct fixture *x;

	(void)state;
	support_need_replay();
	x = start_with(source_of_first_instruction, "gcc -g -Og");
	assert_true(distance_of_decision(x, ROUND_DECISION) > 0);
	stop(x);
}

static void test_a_decision_in_a_function_that_never_returns_is_a_cause(void **state)
{
	struct fixture *x;

	(void)state;
	support_need_replay();
	x = start(source_of_report);
	assert_int_equal(distance_of_decision(x, LAST_DECISION), 1);
	stop(x);
}

static void test_a_value_left_for_a_handler_tells_of_the_throw(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;
	const struct reverse_index_insn *info;
	struct reverse_index_step at;
	uint64_t step = UINT64_MAX;

	(void)state;
	support_need_replay();
	x = start(source_of_throw);
	while ((i = slice_next(x->slice)) && !slice_thrown(x->slice, i, &step))
		;
	assert_non_null(i);
	assert_int_equal(line_of(i), LEFT);
	at = *reverse_index_at(x->index, step);
	info = reverse_index_insn_of(x->index, &at);
	assert_int_equal(line_at(info->module, info->insn), THROWN);
	stop(x);
	x = start(source);
	while ((i = slice_next(x->slice)))
		assert_false(slice_thrown(x->slice, i, &step));
	stop(x);
}

static void test_an_instance_tells_what_it_gave(void **state)
{
	struct fixture *x;
	const struct slice_instance *i;

	(void)state;
	support_need_replay();
	x = start(source);
	while ((i = slice_next(x->slice)) && line_of(i) != STORE)
		;
	assert_non_null(i);
	assert_true(i->place.memory && !i->decides);
	assert_int_equal(i->place.size, 4);
	assert_int_equal((uint32_t)i->value, 4);
	while ((i = slice_next(x->slice)) && line_of(i) != CONDITION)
		;
	assert_non_null(i);
	assert_true(i->decides);
	assert_int_equal(i->insn->flow, TRACE_FLOW_COND);
	assert_int_equal(i->value, 0); /* the jump around it was not taken */
	stop(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_slice_has_causes_only),
		cmocka_unit_test(test_a_thin_slice_has_no_decisions),
		cmocka_unit_test(test_the_slice_goes_through_library_functions),
		cmocka_unit_test(test_contents_are_followed_to_where_they_were_copied_from),
		cmocka_unit_test(test_the_slice_goes_through_calls_back),
		cmocka_unit_test(test_a_loop_that_left_an_element_out_is_a_cause),
		cmocka_unit_test(test_a_jump_in_the_place_of_a_call_is_a_call),
		cmocka_unit_test(test_a_function_may_fail_in_its_first_instruction),
		cmocka_unit_test(test_a_decision_in_a_function_that_never_returns_is_a_cause),
		cmocka_unit_test(test_a_value_left_for_a_handler_tells_of_the_throw),
		cmocka_unit_test(test_an_instance_tells_what_it_gave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
