/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "`y' for the 2nd `x'" is what the compiler makes of the source with that one changed. */
#include "tests/support/patched.h"

#include <glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Line 3 of f(x, y, z), with the names in its text as often as that; the least number of mutants
 * that have to say which one they change. */
static const struct {
	const char *text;
	unsigned least;
} lines[] = {
	{ "r = 2 * x * y + 3 * x * z + 5 * z * y;", 8 },
	{ "r = v[x & 3] - x * y;", 2 },
	{ "r = twice(x, y) + 7 * x;", 0 },
	{ "r = m[x & 3][y & 3] * m[z & 3][y & 3];", 4 },
	{ "r += x * y - (z & y);", 2 },
	{ "r += x * y - z * y;", 0 },
	{ "if (x < y && y < z) r = 1;", 2 },
	{ "r = x - x * x;", 0 },
	{ "r = x - y * x;", 0 },
	{ "r = x - x * y;", 0 },
	{ "r = x * x + y;", 0 },
};

static const long inputs[][3] = { { 3, 5, 11 }, { -4, 9, 2 }, { 7, 1, -8 }, { 2, 2, 3 } };

typedef long function(long x, long y, long z);

static char *source_with(const char *text)
{
	return g_strdup_printf(
		"static long twice(long a, long b) { return 2 * a - b; }\n"
		"long f(long x, long y, long z) { long r = 9, v[4] = { 5, 3, 8, 2 }; "
		"long m[4][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 1, 4, 3 } };\n"
		"%s\n"
		"(void)v; (void)m; (void)twice; return r; }\n",
		text);
}

static bool is_word_at(const char *text, const char *at, const char *name)
{
	const size_t n = strlen(name);

	return strncmp(at, name, n) == 0 && !g_ascii_isalnum(at[n]) &&
	       (at == text || !g_ascii_isalnum(at[-1]));
}

/* Puts `to' where the nth `from' stands (of all places: 0). */
static char *with_other(const char *text, const char *from, unsigned n, const char *to)
{
	GString *out = g_string_new(NULL);
	unsigned seen = 0;

	for (const char *at = text; *at;) {
		const bool is_name = is_word_at(text, at, from);

		seen += is_name;
		if (is_name && (!n || seen == n)) {
			g_string_append(out, to);
			at += strlen(from);
		} else {
			g_string_append_c(out, *at++);
		}
	}
	return g_string_free(out, FALSE);
}

/* One name of such words; its number is 0 where they give none. */
static char *take_name(const GMatchInfo *match, int number, int name, unsigned *n)
{
	g_autofree char *digits = g_match_info_fetch(match, number);

	*n = (unsigned)g_ascii_strtoull(digits, NULL, 10);
	return g_match_info_fetch(match, name);
}

/* The text that the words describe; NULL: they do not say which one is meant. */
static char *text_of_words(const char *text, const char *words)
{
	g_autoptr(GRegex) form = g_regex_new("^(?:the (\\d+)\\w+ )?`(\\w+)' (for|and) "
					     "(?:the (\\d+)\\w+ )?`(\\w+)'",
					     0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *a = NULL, *b = NULL, *one = NULL, *two = NULL;
	unsigned na, nb;

	if (!strstr(words, "the ") || !g_regex_match(form, words, 0, &match))
		return NULL;
	a = take_name(match, 1, 2, &na);
	b = take_name(match, 4, 5, &nb);
	if (!g_str_has_suffix(words, "exchanged"))
		return with_other(text, b, nb, a);
	one = with_other(text, a, na, "$");
	two = with_other(one, b, nb, a);
	return with_other(two, "$", 0, b);
}

static void check_same(const struct patched *p, const char *text, const char *words)
{
	g_autofree char *source = source_with(text);
	struct patched *expected = patched_new(source);
	function *is = (function *)(uintptr_t)patched_function(p, "f");
	function *should = (function *)(uintptr_t)patched_function(expected, "f");

	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		const long *v = inputs[i];

		if (is(v[0], v[1], v[2]) != should(v[0], v[1], v[2]))
			fail_msg("%s is not \"%s\"", words, text);
	}
	patched_free(expected);
}

/* How many mutants of the line say which of several operands they change. */
static unsigned check_line(const char *text)
{
	g_autofree char *source = source_with(text);
	struct patched *p = patched_new(source);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 3);
	unsigned n = 0;

	for (guint k = 0; k < all->len; k++) {
		const struct mutant *m = &g_array_index(all, struct mutant, k);
		g_autofree char *place =
			m->kind == MUTANT_VARIABLE ? mutator_place_words(p->m, m) : NULL;
		g_autofree char *words = place ? mutator_told_words(p->m, m, place) : NULL;
		g_autofree char *other = words ? text_of_words(text, words) : NULL;
		g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

		if (!other)
			continue;
		n++;
		mutant_actions(m, actions);
		patched_put(p, actions);
		check_same(p, other, words);
		patched_restore(p);
	}
	patched_free(p);
	return n;
}

static void the_one_that_is_told_is_changed(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		unsigned n = check_line(lines[i].text);

		if (n < lines[i].least || (n && !lines[i].least))
			fail_msg("%s: %u say which one they change", lines[i].text, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_is_told_is_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
