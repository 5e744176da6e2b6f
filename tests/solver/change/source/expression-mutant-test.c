/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each mutant that computes something else does what the compiler makes of the source with that
 * change. */
#include "tests/support/patched.h"
#include "tests/support/program.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct node {
	int key;
	struct node *next;
	signed char small;
};
typedef long function(int a, int b, struct node *p, struct node *q);

/* %s is the function's name, and a line of it comes in place of one of these. */
static const char head[] =
	"int tolower(int);\nint toupper(int);\nint abs(int);\nlong labs(long);\n"
	"struct node { int key; struct node *next; signed char small; };\n"
	"int total = 7; static short table[8] = { -3, 5, 900, 4, 0, 1, -9, 8 };\n";
static const char *const lines[] = {
	"long %s(int a, int b, struct node *p, struct node *q)",
	"{",
	"	unsigned char c = 200;",
	"	int x = 1, i = a & 7;",
	"	long l = -3;",
	"	struct node *r = p->next;",
	"	x = a * 2 + b;",
	"	r = r->next;",
	"	c = p->small;",
	"	l = table[i] - p->key;",
	"	total = 3;",
	"	q->next = p;",
	"	q->next->key = (x - b) * 2;",
	"	if (x > b && p->next == q)",
	"		x = p->next->key + -a;",
	"	total = total + ((a & 1023) << 2 ^ b) + (c >> 1 | x);",
	"	total = total + (a < b ? ~x : -b) + (a != x && !b);",
	"	l = l + 31 * r->key + 7 * c + 13 * total + q->next->key + x;",
	"	return l;",
	"}",
};
/* Those that are changed: the line, its type, what is assigned to, and what. */
static const struct changed {
	unsigned line;
	const char *type, *to, *value;
	unsigned least; /* mutants */
} changed[] = {
	{ 6, "int", "x = ", "a * 2 + b", 40 },
	{ 7, "struct node *", "r = ", "r->next", 4 },
	{ 8, "unsigned char", "c = ", "p->small", 40 },
	{ 9, "long", "l = ", "table[i] - p->key", 40 },
	{ 10, "int", "total = ", "3", 40 },
	{ 11, "struct node *", "q->next = ", "p", 4 },
	{ 12, "int", "q->next->key = ", "(x - b) * 2", 40 },
	{ 14, "int", "x = ", "p->next->key + -a", 40 },
	{ 18, "long", "return ", "l", 40 },
};
enum { FIRST_LINE = 7 }; /* of the function, in the file */

static void put_function(GString *out, const char *name, unsigned line, const char *instead)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
		if (i == 0)
			g_string_append_printf(out, "long %s%s\n", name, strchr(lines[0], '('));
		else
			g_string_append_printf(out, "%s\n", i == line ? instead : lines[i]);
	}
}

/* "`+ b' added": what the source would then be. */
static char *source_with(const struct changed *c, const char *words)
{
	static const struct {
		const char *before, *after, *source; /* type, value, expression */
	} ways[] = {
		{ "`tolower' of the value", "", "(%1$s)tolower((unsigned char)(%2$s))" },
		{ "`toupper' of the value", "", "(%1$s)toupper((unsigned char)(%2$s))" },
		{ "`abs' of the value", "", "abs((%1$s)(%2$s))" },
		{ "`labs' of the value", "", "labs((%1$s)(%2$s))" },
		{ "`-' before the value", "", "-(%1$s)(%2$s)" },
		{ "`", "' stored", "(%s)(%3$s)" },
		{ "`", "' returned", "(%s)(%3$s)" },
		{ "`+ ", "' added", "(%1$s)(%2$s) + (%1$s)(%3$s)" },
		{ "`- ", "' added", "(%1$s)(%2$s) - (%1$s)(%3$s)" },
		{ "`* ", "' added", "(%1$s)(%2$s) * (%1$s)(%3$s)" },
		{ "`", " -' before the value", "(%1$s)(%3$s) - (%1$s)(%2$s)" },
		{ "`", "' where the value is 0", "(%2$s) ? (%1$s)(%2$s) : (%1$s)(%3$s)" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		size_t n = strlen(ways[i].before), end = strlen(ways[i].after);
		g_autofree char *x = NULL, *value = NULL;

		if (!g_str_has_prefix(words, ways[i].before) ||
		    !g_str_has_suffix(words, ways[i].after))
			continue;
		x = g_strndup(words + n, strlen(words) - n - end);
		if (strcmp(ways[i].source, "(%s)(%3$s)") == 0)
			value = g_strdup_printf("(%s)(%s)", c->type, x);
		else
			/* one of the table's */
			value = g_strdup_printf(ways[i].source, c->type, c->value, x);
		return g_strdup_printf("	%s%s;", c->to, value);
	}
	fail_msg("unknown words: %s", words);
	return NULL;
}

struct fixture {
	struct patched *p;
	GArray *mutants; /* struct mutant */
	void *compiled;	 /* g0, g1, ...: the same changes by the compiler */
};

static GArray *mutants_of(struct patched *p, const struct changed *c)
{
	GArray *all = mutator_line(p->m, p->file, FIRST_LINE + c->line);

	for (guint i = all->len; i > 0; i--)
		if (g_array_index(all, struct mutant, i - 1).kind != MUTANT_EXPRESSION)
			g_array_remove_index(all, i - 1);
	return all;
}

/* p and q of a list of four, of which the function may change the first two. */
static long call(function *f, int *total, int a, int b, long *effect)
{
	struct node n[4] = {
		{ 5, &n[1], -7 }, { 11, &n[2], 9 }, { -4, &n[3], 100 }, { 77, &n[0], 3 }
	};
	long result;

	*total = 7;
	result = f(a, b, &n[0], &n[a & 1 ? 1 : 2]);
	*effect = *total;
	for (unsigned i = 0; i < 4; i++)
		*effect = *effect * 31 + n[i].key + 1000 * (n[i].next - n);
	return result;
}

static void compare(struct patched *p, const struct mutant *m, function *ours, int *our_total,
		    function *theirs, int *their_total)
{
	static const int inputs[][2] = {
		{ 0, 0 }, { 3, -8 }, { 6, 40 }, { -5, 2 }, { 100000, 99999 }
	};
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(m, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		long effect, other, result, expected;

		patched_put(p, actions);
		result = call(ours, our_total, inputs[i][0], inputs[i][1], &effect);
		patched_restore(p);
		expected = call(theirs, their_total, inputs[i][0], inputs[i][1], &other);
		if (result != expected || effect != other)
			fail_msg("%s, with %d, %d: %ld, %ld instead of %ld, %ld", m->words,
				 inputs[i][0], inputs[i][1], result, effect, expected, other);
	}
}

static void mutants_do_what_their_words_say(void **state)
{
	GString *source = g_string_new(head);
	struct patched *p;

	(void)state;
	put_function(source, "f", 0, NULL);
	p = patched_new(source->str);
	for (size_t k = 0; k < G_N_ELEMENTS(changed); k++) {
		const struct changed *c = &changed[k];
		g_autoptr(GArray) all = mutants_of(p, c);
		g_autoptr(GString) other = g_string_new(head);
		g_autofree char *name = g_strdup_printf("g%zu", k), *path = NULL;
		void *library;

		assert_true(all->len >= c->least);
		for (guint i = 0; i < all->len; i++) {
			const struct mutant *m = &g_array_index(all, struct mutant, i);
			g_autofree char *function_name = g_strdup_printf("g%u", i);
			g_autofree char *line = source_with(c, m->words);

			put_function(other, function_name, c->line, line);
		}
		path = test_compile(p->folder, name, other->str, "cc -O0 -w -fwrapv -shared -fPIC");
		library = dlopen(path, RTLD_NOW);
		assert_non_null(library);
		for (guint i = 0; i < all->len; i++) {
			g_autofree char *function_name = g_strdup_printf("g%u", i);

			compare(p, &g_array_index(all, struct mutant, i),
				(function *)(uintptr_t)patched_function(p, "f"),
				patched_function(p, "total"),
				(function *)(uintptr_t)dlsym(library, function_name),
				dlsym(library, "total"));
		}
		dlclose(library);
	}
	patched_free(p);
	g_string_free(source, TRUE);
}

static bool has(const GArray *all, const char *words)
{
	for (guint i = 0; i < all->len; i++)
		if (strcmp(g_array_index(all, struct mutant, i).words, words) == 0)
			return true;
	return false;
}

/* Those that a person would write are there, and none of another type. */
static void expressions_come_from_the_function(void **state)
{
	GString *source = g_string_new(head);
	struct patched *p;
	g_autoptr(GArray) x = NULL;
	g_autoptr(GArray) r = NULL;

	(void)state;
	put_function(source, "f", 0, NULL);
	p = patched_new(source->str);
	x = mutants_of(p, &changed[0]);
	assert_true(has(x, "`p->next->key' stored"));
	assert_true(has(x, "`+ table[i]' added"));
	assert_true(has(x, "`* b' added"));
	assert_true(has(x, "`- 1' added"));
	assert_true(has(x, "`abs' of the value"));
	assert_true(has(x, "`-' before the value"));
	assert_false(has(x, "`tolower' of the value"));
	assert_false(has(x, "`p' stored"));
	/* neither what is no expression of its own where it stands, nor a number */
	assert_false(has(x, "`- b' stored"));
	assert_false(has(x, "`2 + b' stored"));
	assert_false(has(x, "`key' stored"));
	assert_false(has(x, "`13' stored"));
	r = mutants_of(p, &changed[1]);
	assert_true(has(r, "`q->next' stored"));
	assert_true(has(r, "`p' where the value is 0"));
	assert_false(has(r, "`x' stored"));
	assert_false(has(r, "`+ p' added"));
	patched_free(p);
	g_string_free(source, TRUE);
}

/* A line may assign more than once. */
static void each_store_of_a_line_is_changed(void **state)
{
	struct patched *p = patched_new("int f(int a, int b)\n"
					"{\n"
					"	int x = 0, y = 0;\n"
					"	x = a, y = b;\n"
					"	return x - y;\n"
					"}\n");
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 4);
	int (*f)(int, int) = (int (*)(int, int))(uintptr_t)patched_function(p, "f");
	bool first = false, second = false;

	(void)state;
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
		int got;

		if (m->kind != MUTANT_EXPRESSION)
			continue;
		mutant_actions(m, actions);
		patched_put(p, actions);
		got = f(40, 7);
		patched_restore(p);
		first |= strcmp(m->words, "`b' stored") == 0 && got == 7 - 7;
		second |= strcmp(m->words, "`a' stored") == 0 && got == 40 - 40;
	}
	assert_true(first);
	assert_true(second);
	patched_free(p);
}

/* Each change is a mutant of its line with which f(2, 4) is as expected. */
struct expected_change {
	unsigned line;
	const char *words;
	int result;
};

static void assert_changes(struct patched *p, const struct expected_change *changes, size_t n)
{
	int (*f)(int, int) = (int (*)(int, int))(uintptr_t)patched_function(p, "f");

	for (size_t k = 0; k < n; k++) {
		g_autoptr(GArray) all = mutator_line(p->m, p->file, changes[k].line);
		bool found = false;

		for (guint i = 0; i < all->len && !found; i++) {
			const struct mutant *m = &g_array_index(all, struct mutant, i);
			g_autoptr(GArray) actions =
				g_array_new(FALSE, FALSE, sizeof(struct trace_action));

			if (m->kind != MUTANT_EXPRESSION || strcmp(m->words, changes[k].words) != 0)
				continue;
			mutant_actions(m, actions);
			patched_put(p, actions);
			found = f(2, 4) == changes[k].result;
			patched_restore(p);
		}
		if (!found)
			fail_msg("line %u: %s", changes[k].line, changes[k].words);
	}
}

/* No instruction computes such an index, which could be changed. */
static void constant_indices_are_changed(void **state)
{
	struct patched *p = patched_new("static int table[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };\n"
					"#define LAST 7\n"
					"int f(int a, int b)\n"
					"{\n"
					"	int x = table[LAST];\n"
					"	return table[x - x] + 10 * x + b - a;\n"
					"}\n");
	static const struct expected_change changes[] = {
		{ 5, "`a' for `LAST'", 3 + 10 * 4 + 2 },
		{ 5, "`b' for `LAST'", 3 + 10 * 5 + 2 },
	};

	(void)state;
	assert_changes(p, changes, G_N_ELEMENTS(changes));
	patched_free(p);
}

/* A quotient that is taken too early, a sum without brackets, and a remainder that is missing. */
static void operands_are_joined_otherwise(void **state)
{
	struct patched *p = patched_new("int f(int a, int b)\n"
					"{\n"
					"	int s = 248 + a;\n"
					"	int x = s / 100 * a;\n"
					"	int y = a + b / 2;\n"
					"	int z = b * (a / 4);\n"
					"	int w = x + 11;\n"
					"	return 1000 * x + 100 * y + 10 * z + w;\n"
					"}\n");
	static const struct expected_change changes[] = {
		{ 4, "`s * a / 100' for `s / 100 * a'", 5416 },
		{ 4, "`4' for `100'", 124535 }, /* which another line divides by */
		{ 5, "`(a + b) / 2' for `a + b / 2'", 4315 },
		{ 6, "`b * a / 4' for `b * (a / 4)'", 4435 },
		{ 7, "`% 4' added", 4403 },
	};

	(void)state;
	assert_changes(p, changes, G_N_ELEMENTS(changes));
	patched_free(p);
}

/* The place of the digit is counted up, and its type is known nevertheless. */
static void digits_are_taken(void **state)
{
	struct patched *p = patched_new("static unsigned char digits[4];\n"
					"int f(int a, int b)\n"
					"{\n"
					"	int n = 0, carry = 10 * a + b;\n"
					"	digits[n++] = carry;\n"
					"	return digits[0] + carry / 10 + n;\n"
					"}\n");
	static const struct expected_change change = { 5, "`% 10' added", 4 + 2 + 1 };

	(void)state;
	assert_changes(p, &change, 1);
	patched_free(p);
}

/* What a function is passed, of the program and of the library. */
static void arguments_are_changed(void **state)
{
	struct patched *p = patched_new("void *memset(void *, int, unsigned long);\n"
					"static int less(int a, int b) { return a - b; }\n"
					"int f(int a, int b)\n"
					"{\n"
					"	char s[8] = \"abcdef\";\n"
					"	char *from = s;\n"
					"	memset(from, '.', sizeof a - a + b - 3);\n"
					"	memset(from, '.', 2);\n"
					"	return 100 * s[b] + less(less(a, b + 1), b);\n"
					"}\n");
	static const struct expected_change changes[] = {
		{ 8, "`b + 1' passed as argument 3", 100 * '.' - 7 },
		{ 9, "`a' passed as argument 2 of the 2nd `less'", 100 * 'e' - 5 },
		{ 9, "`b' passed as argument 1 of the 1st `less'", 100 * 'e' - 5 },
	};

	(void)state;
	assert_changes(p, changes, G_N_ELEMENTS(changes));
	patched_free(p);
}

/* A text that a function looks at begins one byte later. */
static void texts_begin_later(void **state)
{
	struct patched *p = patched_new("int atoi(const char *);\n"
					"int f(int a, int b)\n"
					"{\n"
					"	char s[8] = \"=42\";\n"
					"	char *at = s;\n"
					"	return atoi(at) + a * b;\n"
					"}\n");
	static const struct expected_change change = { 6, "`+ 1' added to argument 1", 42 + 8 };

	(void)state;
	assert_changes(p, &change, 1);
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutants_do_what_their_words_say),
		cmocka_unit_test(expressions_come_from_the_function),
		cmocka_unit_test(each_store_of_a_line_is_changed),
		cmocka_unit_test(constant_indices_are_changed),
		cmocka_unit_test(operands_are_joined_otherwise),
		cmocka_unit_test(digits_are_taken),
		cmocka_unit_test(arguments_are_changed),
		cmocka_unit_test(texts_begin_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
