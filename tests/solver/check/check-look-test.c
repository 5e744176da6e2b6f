/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which checks of a recorded run failed, what should have held, and what is said of them: a program
 * that counts its failures, and a table of its checks. */
#include "solver/check/check-look.h"

#include "tests/support/recorded.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] =
	"#include <setjmp.h>\n"
	"#include <string.h>\n"
	"int failures, broken;\n"
	"jmp_buf out;\n"
	"void check_int(long a, long b) { failures += a != b; }\n"
	"void check_text(const char *a, const char *b) { failures += strcmp(a, b) != 0; }\n"
	"void check_bytes(const void *a, const void *b, unsigned long n)\n"
	"{ failures += memcmp(a, b, n) != 0; }\n"
	"void check_that(int ok, const char *format, ...) { failures += !ok && *format; }\n"
	"void check_wide(int ok, unsigned small, unsigned long large, const long double *real)\n"
	"{ failures += !ok || !(small && large && *real > 0); }\n"
	"void check_real(double a, float b) { failures += a != (double)b; }\n"
	"void check_name(int ok, const char *name) { failures += !ok; (void)name; }\n"
	"void check_near(int ok, const double *a, const float *b)\n"
	"{ failures += !ok && *a != (double)*b; }\n"
	"void check_gone(int ok) { if (!ok)\n"
	"	longjmp(out, 1); /* gone */ }\n"
	"void give_up(const char *why) { failures += *why != 0; }\n"
	"int helper(int n) { return n; }\n"
	"int main(void)\n"
	"{\n"
	"	int three[3] = { 1, 2, 3 }, other[3] = { 1, 2, 4 };\n"
	"	static const long double half = 0.5L;\n"
	"	for (int i = 0; i < 4; i++)\n"
	"		check_int(i * i, i + 2); /* squares */\n"
	"	check_text(\"left\", \"left\");\n"
	"	check_text(\"left\", \"rig\\tht\"); /* texts */\n"
	"	check_bytes(three, other, 8);\n"
	"	check_bytes(three, other, 12); /* bytes */\n"
	"	check_that(1, \"%d\", 1);\n"
	"	check_that(0, \"%d of %s, %c\", helper(7), \"cats\", 'x'); /* format */\n"
	"	check_wide(0, 4000000000u, 10000000000ul, &half); /* wide */\n"
	"	check_real(0.25, 0.5f); /* real */\n"
	"	double quarter = 0.25;\n"
	"	float third = 0.375f;\n"
	"	check_near(0, &quarter, &third); /* near */\n"
	"	check_name(0, (void *)0); /* no name */\n"
	"	check_name(0, \"it\"); /* name */\n"
	"	broken = 0;\n"
	"	broken = 5; /* store */\n"
	"	if (!setjmp(out))\n"
	"		check_gone(helper(1));\n"
	"	if (!setjmp(out))\n"
	"		check_gone(helper(0));\n"
	"	give_up(\"no\\n more\"); /* never */\n"
	"	return failures;\n"
	"}\n";

static const char table[] =
	"[mine]\n"
	".files = */mine.h\n"
	"check_int = $rdi == $rsi -- %ld($rdi) is not %ld($rsi)\n"
	"check_text = (char *)$rdi == text($rsi) -- `%s($rdi)' is not `%s($rsi)'\n"
	"check_bytes = same($rdi, $rsi, $rdx) -- %lu($rdx) bytes differ\n"
	"check_that = $edi != 0 -- {%format(2)}the rest\n"
	"check_wide = $edi != 0 -- %u($esi) %lu($rdx) %d($esi) %x($esi) %Lg($rcx)\n"
	"check_real = $xmm0 == 1 -- %s($nothing) differs\n"
	"check_near = $edi != 0 -- %lg(*(double *)$rsi) is not near %g(*(float *)$rdx)\n"
	"check_name = $edi != 0 -- called{ %s(*(char **)$rsi)}, %s($rsi)\n"
	"longjmp = unknown_name($edi) -- it went\n"
	"give_up = never -- gave up: %s($rdi)\n"
	"broken = stores 0 -- broken is set\n";

static struct recorded *recorded;
static struct check_table *rules;
static struct check_sites *sites;
static struct checks_seen seen;

static int look(void **state)
{
	GError *error = NULL;

	(void)state;
	recorded = recorded_new(source, "gcc -g -O0", false);
	rules = check_table_parse(table, "table", &error);
	if (!rules)
		fail_msg("%s", error->message);
	sites = check_sites_new(rules, recorded->images, recorded->n_images);
	if (!checks_look(recorded->run, sites, NULL, 0, 100, &seen, &error))
		fail_msg("%s", error->message);
	return 0;
}

static int forget(void **state)
{
	(void)state;
	checks_seen_clear(&seen);
	check_sites_free(sites);
	check_table_free(rules);
	recorded_free(recorded);
	return 0;
}

static unsigned line_of(const struct check_site *site)
{
	const struct image_row *row = image_row_at(site->image, site->insn->addr);

	assert_non_null(row);
	return image_statement(site->image, row->statement)->line;
}

/* The n-th failing check (from 1) of the line that holds this text; NULL: there is none. */
static const struct failing_check *failing(const char *text, unsigned n)
{
	unsigned line = recorded_line(source, text);

	for (guint i = 0; i < seen.failing->len; i++) {
		const struct failing_check *c =
			&g_array_index(seen.failing, struct failing_check, i);

		if (line_of(c->site) == line && !--n)
			return c;
	}
	return NULL;
}

static const char *words(const char *text)
{
	const struct failing_check *c = failing(text, 1);

	if (!c)
		fail_msg("the check of `%s' did not fail", text);
	return c->says;
}

static void the_program_agrees(void **state)
{
	(void)state;
	assert_int_equal(recorded->failing.end, RUN_STATUS);
	assert_true(seen.whole);
	/* it counts neither the store nor the jump; the table does not count what it cannot tell:
	 * check_real, which came back */
	assert_int_equal((int)seen.failing->len - 2, recorded->failing.status - 1);
}

static void executions_are_counted(void **state)
{
	/* 0 * 0 is not 2, 1 is not 3, 4 is 4, 9 is not 5 */
	static const uint64_t fail[] = { 1, 2, 4 };

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(fail); i++) {
		const struct failing_check *c = failing("/* squares */", i + 1);

		assert_non_null(c);
		assert_int_equal(c->nth, fail[i]);
		assert_string_equal(c->condition, "$rdi == $rsi");
	}
	assert_null(failing("/* squares */", 4));
	assert_string_equal(failing("/* squares */", 3)->says, "9 is not 5");
	assert_int_equal(GPOINTER_TO_UINT(g_hash_table_lookup(seen.came_by,
							      failing("/* squares */", 1)->site)),
			 4);
}

static void conditions_hold_what_they_compare(void **state)
{
	const struct failing_check *c = failing("/* texts */", 1);

	(void)state;
	assert_non_null(c);
	assert_string_equal(c->condition, "(char *)$rdi == \"\\162\\151\\147\\011\\150\\164\"");
	assert_null(failing("check_text(\"left\", \"left\")", 1));
	c = failing("/* bytes */", 1);
	assert_non_null(c);
	assert_non_null(strstr(c->condition, "((unsigned char *)($rdi))[11] == "));
	assert_null(strstr(c->condition, "[12]"));
	assert_null(failing("check_bytes(three, other, 8)", 1));
	/* what should not have been called has no condition, nor has what only did not come back */
	assert_null(failing("/* never */", 1)->condition);
	assert_null(failing("/* gone */", 1)->condition);
	assert_null(failing("/* gone */", 2));
}

static void words_are_filled_in(void **state)
{
	(void)state;
	assert_string_equal(words("/* texts */"), "`left' is not `rig ht'");
	assert_string_equal(words("/* bytes */"), "12 bytes differ");
	/* braces that stand first and are known are all */
	assert_string_equal(words("/* format */"), "7 of cats, x");
	assert_string_equal(words("/* wide */"),
			    "4000000000 10000000000 -294967296 0xee6b2800 0.5");
	assert_string_equal(words("/* near */"), "0.25 is not near 0.375");
	assert_string_equal(words("/* never */"), "gave up: no more");
	assert_string_equal(words("/* store */"), "broken is set");
	assert_string_equal(words("/* gone */"), "it went");
	/* what stands in braces and is not known is left out */
	assert_string_equal(words("/* no name */"), "called, NULL");
}

static void stores_fail_unless_they_store_0(void **state)
{
	(void)state;
	assert_non_null(failing("/* store */", 1));
	assert_null(failing("broken = 0;", 1));
	assert_null(failing("/* store */", 1)->condition);
}

static void no_more_than_asked_for(void **state)
{
	struct checks_seen few;

	(void)state;
	assert_true(checks_look(recorded->run, sites, NULL, 0, 2, &few, NULL));
	assert_int_equal(few.failing->len, 2);
	assert_int_equal(g_array_index(few.failing, struct failing_check, 1).nth, 2);
	assert_int_equal(g_hash_table_size(few.came_by), g_hash_table_size(seen.came_by));
	checks_seen_clear(&few);
}

/* What is told before a check is made is what its execution then shows. */
static void a_check_is_judged_before_it_is_made(void **state)
{
	struct lift *lift = lift_new();
	struct trace_cursor *c =
		trace_cursor_new(recorded->run, trace_run_chosen(recorded->run), lift);
	struct trace_step step;
	unsigned fail[8] = { 0 }, hold = 0, n = 0, first = recorded_line(source, "/* squares */");

	(void)state;
	do {
		bool fails = false;
		g_autofree char *condition = NULL;
		const struct check_site *site =
			checks_at(recorded->run, sites, c, &fails, &condition);

		if (!site || line_of(site) != first)
			continue;
		assert_string_equal(condition, "$rdi == $rsi");
		n++;
		if (fails)
			fail[n]++;
		else
			hold++;
	} while (trace_cursor_step(c, &step, NULL) == 1);
	assert_int_equal(n, 4);
	assert_int_equal(hold, 1);
	assert_int_equal(fail[3], 0);
	trace_cursor_free(c);
	lift_free(lift);
}

static void lines_of_checks_are_known(void **state)
{
	g_autoptr(GHashTable) lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GHashTableIter all;
	gpointer key;
	bool found = false;
	g_autofree char *ends =
		g_strdup_printf("recorded.c:%u", recorded_line(source, "/* texts */"));

	(void)state;
	check_sites_add_lines(sites, recorded->images, recorded->n_images, lines);
	g_hash_table_iter_init(&all, lines);
	while (g_hash_table_iter_next(&all, &key, NULL))
		found |= g_str_has_suffix(key, ends);
	assert_true(found);
	assert_string_equal(check_sites_framework(sites, 0)->name, "mine");
	assert_null(check_sites_framework(sites, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_agrees),
		cmocka_unit_test(executions_are_counted),
		cmocka_unit_test(conditions_hold_what_they_compare),
		cmocka_unit_test(words_are_filled_in),
		cmocka_unit_test(stores_fail_unless_they_store_0),
		cmocka_unit_test(no_more_than_asked_for),
		cmocka_unit_test(a_check_is_judged_before_it_is_made),
		cmocka_unit_test(lines_of_checks_are_known),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, look, forget);
}
