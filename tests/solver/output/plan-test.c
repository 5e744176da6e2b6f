/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where each byte of a real program's output came from, and what an expected output asks of the
 * calls that printed it. */
#include "solver/output/arguments.h"
#include "solver/output/plan.h"
#include "solver/output/wanted.h"

#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] =
	"#include <stdarg.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"static void say(const char *format, ...)\n"
	"{\n"
	"	va_list list;\n"
	"	va_start(list, format);\n"
	"	vprintf(format, list);\n"
	"	va_end(list);\n"
	"}\n"
	"static const char *const animals[] = { \"cats\", \"dogs\" };\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	int n = 6 + argc;\n"
	"	char made[32], *own = malloc(8);\n"
	"	double half = n / 2.0;\n"
	"	printf(\"total %d of %s\\n\", n, animals[argc - 1]);\n"
	"	for (int i = 0; i < 3; i++)\n"
	"		printf(\"%d \", i * n);\n"
	"	putchar('\\n');\n"
	"	say(\"%d %d %d %d %d %d %d %.1f|%c\\n\", 1, 2, 3, 4, 5, 6, n, half, 'a' + n);\n"
	"	printf(\"%5.2f %lu %hhd\\n\", half, 1ul << 40, (signed char)-n);\n"
	"	sprintf(made, \"<%d>\", n * n);\n"
	"	puts(made);\n"
	"	strcpy(own, \"mine\");\n"
	"	fwrite(own, 1, 4, stdout);\n"
	"	fputs(\"\\n\", stdout);\n"
	"	if (n > 100)\n"
	"		printf(\"large %d\\n\", n);\n"
	"	if (n > 200)\n"
	"		fputs(\"7 o\", stdout);\n"
	"	fprintf(stderr, \"warning %d\\n\", n);\n"
	"	free(own);\n"
	"	return argv[0] == NULL;\n"
	"}\n";

/* What it prints, line by line. */
static const char *const lines[] = { "total 7 of cats",	       "0 7 14 ", "1 2 3 4 5 6 7 3.5|h",
				     " 3.50 1099511627776 -7", "<49>",	  "mine" };
enum { TOTAL, LIST, SAY, REAL, MADE, MINE, N_LINES };

static struct recorded *recorded;
static struct printed *printed;

static int record(void **state)
{
	GError *error = NULL;

	(void)state;
	recorded = recorded_new(source, "gcc -g -O0 -fno-builtin -U_FORTIFY_SOURCE", true);
	printed = printed_new(recorded->run, recorded->failing.out, recorded->failing.err,
			      limits_default(), &error);
	if (!printed)
		fail_msg("%s", error->message);
	return 0;
}

static int forget(void **state)
{
	(void)state;
	printed_free(printed);
	recorded_free(recorded);
	return 0;
}

/* ---- where bytes come from ---- */

/* The piece that printed the first byte of this text, whose call is *call. */
static const struct printed_piece *piece_of(const char *text, const struct printed_call **call)
{
	const char *all = printed->text[PRINTED_OUT]->str, *found = strstr(all, text);
	uint64_t at;

	assert_non_null(found);
	at = (uint64_t)(found - all);
	*call = printed_call_at(printed, PRINTED_OUT, at);
	assert_non_null(*call);
	for (guint i = 0; i < (*call)->pieces->len; i++) {
		const struct printed_piece *p =
			&g_array_index((*call)->pieces, struct printed_piece, i);

		if (p->from <= at && at < p->to)
			return p;
	}
	fail_msg("no piece prints `%s'", text);
	return NULL;
}

static void the_output_is_what_it_prints(void **state)
{
	g_autoptr(GString) all = g_string_new(NULL);

	(void)state;
	for (unsigned i = 0; i < N_LINES; i++)
		g_string_append_printf(all, "%s\n", lines[i]);
	assert_string_equal(printed->text[PRINTED_OUT]->str, all->str);
	assert_string_equal(printed->text[PRINTED_ERR]->str, "warning 7\n");
	assert_null(printed_call_at(printed, PRINTED_OUT, all->len));
}

static void pieces_cover_each_call(void **state)
{
	(void)state;
	for (unsigned s = 0; s < PRINTED_STREAMS; s++) {
		uint64_t at = 0;

		for (guint i = 0; i < printed->calls[s]->len; i++) {
			const struct printed_call *c = printed->calls[s]->pdata[i];

			assert_int_equal(c->from, at);
			for (guint k = 0; k < c->pieces->len; k++) {
				const struct printed_piece *p =
					&g_array_index(c->pieces, struct printed_piece, k);

				assert_int_equal(p->from, at);
				at = p->to;
			}
			assert_int_equal(c->to, at);
		}
		assert_int_equal(at, printed->text[s]->len);
	}
}

static void prints(const char *text, const char *function, char conversion, uint64_t bits)
{
	const struct printed_call *call;
	const struct printed_piece *p = piece_of(text, &call);

	assert_string_equal(call->name, function);
	assert_int_equal(p->directive.conversion, conversion);
	assert_int_equal(p->bits, bits);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void arguments_are_those_of_the_call(void **state)
{
	const struct printed_call *call;
	const struct printed_piece *p;

	(void)state;
	prints("7 of", "printf", 'd', 7);
	prints("14 ", "printf", 'd', 14);
	/* va_list: in registers, then on the stack, and in vector registers */
	prints("5 6 7", "vprintf", 'd', 5);
	prints("7 3.5", "vprintf", 'd', 7);
	prints("3.5|", "vprintf", 'f', bits_of(3.5));
	prints("h\n", "vprintf", 'c', 'h');
	prints(" 3.50", "printf", 'f', bits_of(3.5));
	prints("1099511627776", "printf", 'u', 1ull << 40);
	p = piece_of("14 ", &call);
	assert_int_equal(call->nth, 3);
	assert_int_equal(p->place.kind, PRINTED_REGISTER);
	assert_int_equal(p->place.reg, TRACE_RSI);
	p = piece_of("7 3.5", &call);
	assert_int_equal(p->place.kind, PRINTED_MEMORY);
	p = piece_of("-7", &call);
	assert_int_equal(p->bits & 0xff, 0xf9);
	p = piece_of("mine", &call);
	assert_string_equal(call->name, "fwrite");
	assert_int_equal(p->directive.kind, DIRECTIVE_BYTES);
	assert_int_equal(p->directive.length, 4);
}

static void what_sprintf_made_is_known(void **state)
{
	const struct printed_call *call;
	const struct printed_piece *p = piece_of("49>", &call);

	(void)state;
	assert_string_equal(call->name, "puts");
	assert_non_null(p->made_by);
	assert_string_equal(p->made_by->name, "sprintf");
	assert_int_equal(p->bits, 49);
	assert_true(library_formats_memory("sprintf"));
	assert_false(library_formats_memory("printf"));
}

/* ---- plans ---- */

/* The output with this text in the place of a line (NULL: without the line), and with `also'
 * behind it. */
static GString *with(unsigned line, const char *text, const char *also)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; i < N_LINES; i++) {
		const char *is = i == line ? text : lines[i];

		if (is)
			g_string_append_printf(out, "%s\n", is);
	}
	return g_string_append(out, also);
}

/* Takes the text. */
static struct output_plan *plan_of(GString *text, unsigned stream, uint64_t steps,
				   struct expected_output *expected)
{
	GError *error = NULL;
	struct output_plan *plan;

	*expected = (struct expected_output){ .any_status = true };
	expected->text[stream] = text;
	plan = output_plan_new(printed, expected, recorded->run, steps, &error);
	if (!plan)
		fail_msg("%s", error->message);
	return plan;
}

static void end(struct output_plan *plan, struct expected_output *expected)
{
	output_plan_free(plan);
	expected_clear(expected);
}

static const struct output_check *first_of(const struct output_plan *plan)
{
	assert_true(plan->first < plan->checks->len);
	return &g_array_index(plan->checks, struct output_check, plan->first);
}

static void a_number_has_to_be_another(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(with(LIST, "0 7 15 ", ""), PRINTED_OUT, 1000000, &e);
	const struct output_check *c = first_of(plan);
	unsigned kept = 0;

	(void)state;
	assert_string_equal(plan->sentence,
			    "line 2 of the output is \"0 7 14 \", expected \"0 7 15 \"");
	assert_int_equal(plan->line, 2);
	assert_int_equal(c->kind, OUTPUT_VALUE);
	assert_int_equal(c->nth, 3);
	assert_int_equal(c->low, 15);
	assert_int_equal(c->high, 15);
	assert_int_equal(c->place.reg, TRACE_RSI);
	assert_false(c->keeps);
	/* the numbers before it, and those behind it, stay */
	for (guint i = 0; i < plan->checks->len; i++) {
		c = &g_array_index(plan->checks, struct output_check, i);
		kept += c->keeps;
		if (c->keeps && c->nth == 2 && c->call == plan->call)
			assert_int_equal(c->low, 7);
	}
	assert_true(kept >= 10); /* 7, 0, 7, 1 to 7, ... */
	output_plan_keep_first(plan);
	assert_int_equal(plan->first, plan->checks->len - 1);
	end(plan, &e);
}

static void the_first_check_leaves_out_the_end(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(LIST, "0 7 15 ", "the end\n"), PRINTED_OUT, 1000000, &e);

	(void)state;
	assert_true(plan->at_end); /* something is missing there, too */
	output_plan_keep_first(plan);
	assert_int_equal(first_of(plan)->low, 15);
	assert_false(plan->at_end);
	end(plan, &e);
}

static void a_real_number_lies_in_an_interval(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(REAL, " 4.25 1099511627776 -7", ""), PRINTED_OUT, 1000000, &e);
	const struct output_check *c = first_of(plan);
	double low, high;

	(void)state;
	assert_true(c->is_float);
	memcpy(&low, &c->low, sizeof(low));
	memcpy(&high, &c->high, sizeof(high));
	assert_true(low < 4.25 && 4.25 < high);
	assert_true(low > 4.24 && high < 4.26);
	end(plan, &e);
}

static void a_string_has_to_be_another(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(TOTAL, "total 7 of dogs", ""), PRINTED_OUT, 1000000, &e);
	const struct output_check *c = first_of(plan);

	(void)state;
	assert_int_equal(c->kind, OUTPUT_STRING);
	assert_int_equal(c->length, 4);
	assert_memory_equal(c->text, "dogs", 4);
	assert_true(c->whole);
	assert_int_equal(c->others->len, 1); /* the program has that constant */
	end(plan, &e);
}

static void bytes_have_to_be_others(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(with(MINE, "mind", ""), PRINTED_OUT, 1000000, &e);
	const struct output_check *c = first_of(plan);

	(void)state;
	assert_int_equal(c->kind, OUTPUT_STRING);
	assert_false(c->whole);
	assert_memory_equal(c->text, "mind", 4);
	end(plan, &e);
}

static void what_was_made_in_memory_has_to_be_another(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(with(MADE, "<50>", ""), PRINTED_OUT, 1000000, &e);
	const struct output_check *c = first_of(plan);

	(void)state;
	assert_int_equal(c->kind, OUTPUT_VALUE);
	assert_int_equal(c->low, 50);
	end(plan, &e);
}

/* The run has to come to a call that it did not come to. */
static void a_line_is_missing(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(N_LINES, NULL, "large 7\n"), PRINTED_OUT, 1000000, &e);
	const struct image_row *row;
	uint64_t link;

	(void)state;
	assert_string_equal(plan->sentence, "the output ends after 6 lines, expected \"large 7\"");
	assert_true(plan->at_end);
	assert_null(plan->wanted_sentence);
	assert_int_equal(plan->wanted->len, 1);
	assert_int_equal(g_array_index(plan->wanted_before, uint64_t, 0), 0);
	trace_run_module_at(recorded->run, g_array_index(plan->wanted, uint64_t, 0), &link);
	row = image_row_at(recorded->images[0], link);
	assert_int_equal(image_statement(recorded->images[0], row->statement)->line,
			 recorded_line(source, "large %d"));
	end(plan, &e);
}

static void nothing_prints_such_a_line(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(g_string_new("warning 7\nnever heard of\n"), PRINTED_ERR, 1000000, &e);

	(void)state;
	assert_int_equal(plan->wanted->len, 0);
	assert_string_equal(
		plan->wanted_sentence,
		"no format and no constant of the program prints \"never heard of\" as a whole");
	end(plan, &e);
	/* puts() may print whatever it is given */
	plan = plan_of(with(N_LINES, NULL, "never heard of\n"), PRINTED_OUT, 1000000, &e);
	assert_null(plan->wanted_sentence);
	assert_true(plan->wanted->len > 0);
	end(plan, &e);
}

/* Is there a check of a value that was another one? */
static bool asks_for(const struct output_plan *plan, uint64_t value)
{
	for (guint i = 0; i < plan->checks->len; i++) {
		const struct output_check *c = &g_array_index(plan->checks, struct output_check, i);

		if (c->kind == OUTPUT_VALUE && !c->keeps && c->low == value)
			return true;
	}
	return false;
}

static void a_line_is_missing_before_another(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(MADE, "large 7\n<49>", ""), PRINTED_OUT, 1000000, &e);

	(void)state;
	assert_string_equal(plan->sentence,
			    "line 5 of the output should be \"large 7\", which is missing");
	assert_int_equal(first_of(plan)->kind, OUTPUT_NOT_HERE);
	assert_string_equal(plan->call->name, "puts");
	end(plan, &e);
	/* what comes behind it has to be as expected, too */
	plan = plan_of(with(SAY, "large 7\n1 2 3 4 5 6 7 3.5|i", ""), PRINTED_OUT, 1000000, &e);
	assert_int_equal(first_of(plan)->kind, OUTPUT_NOT_HERE);
	assert_true(asks_for(plan, 'i'));
	end(plan, &e);
}

static void a_line_should_not_be_there(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(with(MADE, NULL, ""), PRINTED_OUT, 1000000, &e);

	(void)state;
	assert_string_equal(plan->sentence, "line 5 of the output, \"<49>\", should not be there");
	assert_true(first_of(plan)->is_extra);
	assert_int_equal(first_of(plan)->kind, OUTPUT_NOT_HERE);
	assert_string_equal(plan->call->name, "puts");
	end(plan, &e);
}

/* The text of a line may differ where its format cannot print it. */
static void a_call_cannot_print_that(void **state)
{
	struct expected_output e;
	struct output_plan *plan =
		plan_of(with(TOTAL, "sum 7 of cats", ""), PRINTED_OUT, 1000000, &e);

	(void)state;
	assert_int_equal(first_of(plan)->kind, OUTPUT_NOT_HERE);
	assert_int_equal(plan->checks->len, 1);
	assert_string_equal(plan->expected, "\"sum 7 of cats\"");
	end(plan, &e);
}

static void late_checks_are_left_out(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(with(TOTAL, "total 8 of cats", ""), PRINTED_OUT, 0, &e);

	(void)state;
	assert_int_equal(plan->checks->len, 1);
	assert_int_equal(first_of(plan)->low, 8);
	end(plan, &e);
}

static void standard_error_is_compared_too(void **state)
{
	struct expected_output e;
	struct output_plan *plan = plan_of(g_string_new("warning 9\n"), PRINTED_ERR, 1000000, &e);

	(void)state;
	assert_int_equal(plan->stream, PRINTED_ERR);
	assert_string_equal(plan->sentence,
			    "line 1 of the error output is \"warning 7\", expected \"warning 9\"");
	assert_int_equal(first_of(plan)->low, 9);
	end(plan, &e);
}

/* ---- who could print it ---- */

static void constants_are_found(void **state)
{
	g_autoptr(GArray) at = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct printed_call *call;

	(void)state;
	wanted_strings(printed, recorded->run, "cats", 4, at);
	assert_true(at->len >= 1);
	assert_int_equal(g_array_index(at, uint64_t, 0), piece_of("cats", &call)->bits);
	wanted_strings(printed, recorded->run, "birds", 5, none);
	assert_int_equal(none->len, 0);
	/* part of a longer constant does not end there */
	wanted_strings(printed, recorded->run, "cat", 3, none);
	assert_int_equal(none->len, 0);
}

/* Could what printed this once print the text? */
static bool may_print(const char *once, const char *text)
{
	g_autoptr(GArray) pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct printed_call *call;

	piece_of(once, &call);
	assert_true(wanted_find(printed, PRINTED_OUT, recorded->run, text, strlen(text), pcs));
	for (guint i = 0; i < pcs->len; i++)
		if (g_array_index(pcs, uint64_t, i) == call->pc)
			return true;
	return false;
}

static void calls_that_were_made_may_print_it(void **state)
{
	(void)state;
	assert_true(may_print("total", "total 1 of dogs\n"));
	/* also where there is a constant with which the text begins */
	assert_true(may_print("7 14", "7 of\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_output_is_what_it_prints),
		cmocka_unit_test(pieces_cover_each_call),
		cmocka_unit_test(arguments_are_those_of_the_call),
		cmocka_unit_test(what_sprintf_made_is_known),
		cmocka_unit_test(a_number_has_to_be_another),
		cmocka_unit_test(the_first_check_leaves_out_the_end),
		cmocka_unit_test(a_real_number_lies_in_an_interval),
		cmocka_unit_test(a_string_has_to_be_another),
		cmocka_unit_test(bytes_have_to_be_others),
		cmocka_unit_test(what_was_made_in_memory_has_to_be_another),
		cmocka_unit_test(a_line_is_missing),
		cmocka_unit_test(nothing_prints_such_a_line),
		cmocka_unit_test(a_line_is_missing_before_another),
		cmocka_unit_test(a_line_should_not_be_there),
		cmocka_unit_test(a_call_cannot_print_that),
		cmocka_unit_test(late_checks_are_left_out),
		cmocka_unit_test(standard_error_is_compared_too),
		cmocka_unit_test(constants_are_found),
		cmocka_unit_test(calls_that_were_made_may_print_it),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, record, forget);
}
