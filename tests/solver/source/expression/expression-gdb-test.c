/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions at the failure of a recorded run, against what GDB says of them
 * where the same program fails. */
#include "gdbext/replay/replay.h"
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-type.h"
#include "solver/source/expression/expression.h"
#include "solver/source/trace-point/trace-point.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
	"#include <assert.h>\n"
	"#include <stdint.h>\n"
	"#include <stdlib.h>\n"
	"enum color { RED, GREEN = 7, BLUE = -3 };\n"
	"typedef struct pair { int x; short y[3]; } pair_t;\n"
	"struct node { struct node *next; long key; pair_t p;\n"
	"  union { int i; float f; unsigned char b[4]; };\n"
	"  unsigned lo : 3, mid : 7; int s : 5; enum color c; _Bool on; };\n"
	"struct node last = { 0, -5, { 1, { 2, -3, 4 } }, { 0x40490fdb }, 5, 99, -7, BLUE, 1 };\n"
	"struct node first = { &last, 77, { -9, { 8, 7, 6 } }, { 0x01020384 }, 2, 3, 4, GREEN, 0 "
	"};\n"
	"int table[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };\n"
	"uint8_t byte = 250; signed char small = -6; unsigned u = 4000000000u;\n"
	"long big = -9000000000L; unsigned long huge = ~0ul - 4; short sh = -300;\n"
	"double d = 2.75; float fl = -1.5f; const char *word = \"hello\";\n"
	"__attribute__((noinline)) int check(struct node *n, int i, unsigned k)\n"
	"{\n"
	"  static int turns = 4;\n"
	"  int local = i * 3 - (int)k;\n"
	"  turns += i;\n"
	"  struct node *q = n->next;\n"
	"  int seen = atoi(\"12\") + local + !word[0];\n"
	"  assert(q->key > local + seen);\n"
	"  return seen + i + (int)k + local;\n"
	"}\n"
	"int main(int c, char **v) { (void)v; return check(&first, c + 1, 9) + table[c][c] + byte "
	"+\n"
	"  small + (int)u + (int)big + (int)huge + sh + (int)d + (int)fl + word[0]; }\n";

/* Without what is optimized out of frames. */
static const char *const of_globals[] = {
	"first.key",
	"first.next->key",
	"first.next->p.y[1]",
	"last.p.x + first.p.y[0] * 2",
	"first.b[0]",
	"first.b[3] << 4",
	"(signed char)first.b[0]",
	"last.lo",
	"last.mid + 1",
	"last.s",
	"-9 - first.s",
	"-last.p.x",
	"last.c == BLUE",
	"first.c == GREEN",
	"GREEN | 8",
	"last.on",
	"!last.on",
	"table[1][2]",
	"*table[2]",
	"*(*(table + 1) + 3)",
	"&table[2][1] - &table[0][0]",
	"sizeof(table) / sizeof(table[0][0])",
	"sizeof(struct node)",
	"sizeof(pair_t)",
	"sizeof first.p.y",
	"byte + 10",
	"byte == 250",
	"(signed char)byte",
	"~byte",
	"small >> 1",
	"(unsigned char)small >> 1",
	"u + u",
	"u > -1",
	"u / 7",
	"(int)u / 7",
	"(int)u % 7",
	"big / 7",
	"big % 7",
	"big < u",
	"huge > 5",
	"huge / 3",
	"huge % 10",
	"sh << 3",
	"sh & 0xff",
	"sh | 1",
	"sh ^ 0x55",
	"u >> 31",
	"big >> 3",
	"d * 4",
	"d + fl",
	"d / 3 > 0.9",
	"(int)d",
	"(int)fl",
	"(long)(fl * 1e3)",
	"(float)0.1 == 0.1",
	"d == 2.75",
	"fl < 0",
	"-fl",
	"u * 1.0",
	"(double)huge",
	"(unsigned char)300",
	"word[0] == 'h'",
	"word[4] - 'a'",
	"*word",
	"*(word + 1)",
	"'\\n' + '\\\\'",
	"07 + 0x1F",
	"first.next == &last",
	"first.next != 0",
	"last.next == 0",
	"!last.next",
	"&first.key != 0",
	"first.next && first.next->key < 0",
	"last.next && last.next->key",
	"last.next || 1",
	"u ? 1 : 2",
	"last.next ? 1 : sh",
	"1 ? byte : big",
	"3 - 2 - 1",
	"2 + 3 * 4 - 10 / 3",
	"1 << 2 + 1",
	"1 | 2 ^ 3 & 4",
	"5 == 5 != 0",
	"-5 / 2",
	"-5 % 3",
	"10u - 11 > 0",
	"&check != 0",
	"(long)&first - (long)&first",
	"((struct node *)&last)->s",
	"2147483647 + 0L",
	"4294967295 + 1",
	"0xffffffff + 0",
	"~0 == -1",
	"!0",
	"+small",
	"(short)70000",
	"(_Bool)12",
	"check::turns + 1",
	"'values.c'::byte",
	"::sh",
};
static const char *const of_frames[] = {
	"n->key",
	"n->next == q",
	"q->p.y[2]",
	"i",
	"k - 10 > 0",
	"local",
	"seen + local * 2",
	"q->key > local + seen",
	"n->p.y[i - 2]",
	"&local != 0",
	"*&local",
	"sizeof(local)",
	"turns",
	"$sp == $rsp",
	"$fp == $rbp",
	"(long)&local - (long)$sp",
	"$ebp == (int)$rbp",
};

struct setting {
	char *folder, *program;
	struct replay *replay;
	struct replay_failing failing;
	struct trace_point *point;
};

static void open_setting(struct setting *s, const char *flags)
{
	g_autofree char *command = g_strdup_printf("gcc -g -w %s", flags);
	struct replay_options o;

	s->folder = test_folder_new();
	s->program = test_compile(s->folder, "values", source, command);
	o = support_options((char *[]){ s->program, NULL });
	s->replay = replay_new(&o, NULL);
	assert_non_null(s->replay);
	assert_true(replay_record_failing(s->replay, &s->failing, NULL));
	assert_int_equal(s->failing.end, RUN_ASSERT);
	size_t n;
	struct image *const *images = replay_images(s->replay, &n);
	s->point = trace_point_new(images, n, s->failing.record, s->failing.thread, 0, NULL, NULL,
				   NULL);
	assert_non_null(s->point);
}

static void close_setting(struct setting *s)
{
	trace_point_free(s->point);
	replay_failing_clear(&s->failing);
	replay_free(s->replay);
	test_folder_free(s->folder);
	g_free(s->program);
}

/* What GDB prints for each of them as a double. */
static char **ask_gdb(const struct setting *s, const char *function, const char *const *expressions,
		      size_t n)
{
	g_autofree char *path = g_build_filename(s->folder, "ask.gdb", NULL);
	g_autoptr(GString) script = g_string_new("set confirm off\nbreak __assert_fail\nrun\n"
						 "");
	g_autofree char *out = NULL;

	g_string_append_printf(script, "frame function %s\n", function);
	for (size_t i = 0; i < n; i++)
		g_string_append_printf(script, "printf \"= %%.17g\\n\", (double)(%s)\n",
				       expressions[i]);
	assert_true(g_file_set_contents(path, script->str, -1, NULL));
	out = test_output("gdb -nx -q -batch -x %s %s 2>%s/gdb.err | sed -n 's/^= //p'", path,
			  s->program, s->folder);
	return g_strsplit(g_strchomp(out), "\n", -1);
}

static double number_of(const struct expression *x)
{
	union {
		uint8_t bytes[16];
		double d;
		float f;
		uint64_t u;
	} v = { { 0 } };
	unsigned spare = 64 - 8 * (unsigned)x->type->size;

	memcpy(v.bytes, x->bytes, sizeof(v.bytes));
	if (x->type->kind == IMAGE_TYPE_FLOAT)
		return x->type->size == 4 ? (double)v.f : v.d;
	if (x->type->is_signed)
		return (double)((int64_t)(v.u << spare) >> spare);
	return (double)(v.u << spare >> spare);
}

static void compare(const struct setting *s, const char *function, const char *const *expressions,
		    size_t n)
{
	g_auto(GStrv) theirs = ask_gdb(s, function, expressions, n);

	assert_int_equal(g_strv_length(theirs), n);
	for (size_t i = 0; i < n; i++) {
		struct expression x;

		if (!expression_look_up(trace_point_image(s->point), trace_point_frame(s->point),
					expressions[i], &x) ||
		    !x.has_value)
			fail_msg("%s: no value", expressions[i]);
		if (number_of(&x) != g_ascii_strtod(theirs[i], NULL))
			fail_msg("%s: %.17g, but GDB says %s", expressions[i], number_of(&x),
				 theirs[i]);
	}
}

static void check_with(const char *flags, bool frames)
{
	struct setting s = { 0 };

	support_need_replay();
	open_setting(&s, flags);
	compare(&s, "main", of_globals, G_N_ELEMENTS(of_globals));
	if (frames)
		compare(&s, "check", of_frames, G_N_ELEMENTS(of_frames));
	close_setting(&s);
}

static void plain(void **state)
{
	(void)state;
	check_with("-O0", true);
}

static void optimized(void **state)
{
	(void)state;
	check_with("-O2", false);
}

/* A sentence for each thing that is refused. */
static void refused(void **state)
{
	static const struct {
		const char *text, *says;
	} all[] = {
		{ "check(q, 1, 2)", "cannot be called" },
		{ "i = 3", "to compare, write `=='" },
		{ "i += 3", "would change the run" },
		{ "i++", "would change the run" },
		{ "--i", "would change the run" },
		{ "i, k", "not understood" },
		{ "\"hello\"", "can only be compared" },
		{ "word + \"hello\"", "can only be compared" },
		{ "word == \"hello", "closing" },
		{ "$xmm0", "`$xmm0' is not known" },
		{ "$_exitcode", "where the program exits" },
		{ "check::nobody", "no variable `nobody'" },
		{ "'nofile.c'::first", "no variable `first'" },
		{ "::nobody", "no variable `nobody'" },
		{ "::", "a name is missing" },
		{ "nobody", "no variable `nobody'" },
		{ "n->nobody", "no member `nobody'" },
		{ "i->key", "pointer" },
		{ "first + 1", "whole" },
		{ "(struct absent *)n", "no type `struct absent'" },
		{ "*i", "pointer" },
		{ "&last.mid", "bit-field" },
		{ "(i", "missing" },
		{ "n->p.y[1", "missing" },
		{ "", "missing" },
		{ "1 +", "missing" },
		{ "1.5 % 2", "whole numbers" },
		{ "12abc", "is not a number" },
		{ "'ab'", "not one character" },
	};
	struct setting s = { 0 };

	(void)state;
	support_need_replay();
	open_setting(&s, "-O0");
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		const struct image *im = trace_point_image(s.point);
		GError *error = NULL;
		struct c_expression *e = c_expression_parse(im, all[i].text, &error);

		if (e)
			expression_code_free(
				expression_compile(im, trace_point_frame(s.point), e, &error));
		if (!error || !strstr(error->message, all[i].says))
			fail_msg("%s: %s", all[i].text, error ? error->message : "was taken");
		g_clear_error(&error);
		c_expression_free(e);
	}
	close_setting(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(optimized),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
