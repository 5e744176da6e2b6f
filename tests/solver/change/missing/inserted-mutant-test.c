/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each statement that is executed in addition does what the compiler makes of the source with it.
 */
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

static const char head[] =
	"#include <stdbool.h>\n"
	"struct node { int key; struct node *next; signed char small; };\n"
	"int total = 7; static short table[8] = { -3, 5, 900, 4, 0, 1, -9, 8 };\n"
	"static bool seen;\n"
	"static void add(struct node *p, int b) { total += 3 * p->key + b; seen = true; }\n"
	"static void take(struct node *p, int b) { total -= p->key << (b & 3); p->small -= 2; }\n"
	"static void turn(struct node *p) { p->key = -p->key; }\n"
	"static void cut(struct node *q) { q->next->next = q; table[q->small & 7] = total; }\n";
static const char *const lines[] = {
	"long %s(int a, int b, struct node *p, struct node *q)",
	"{",
	"	int x = 1, i = a & 7;",
	"	long l = -3;",
	"	double price = 2.5, cost = a * 0.25; float part = 0.5f, rest = b;",
	"	if (a > b) {",
	"		x = a + b;",
	"		add(p, x);",
	"	} else {",
	"		q->key = p->next->key = 2;",
	"		x += 5;",
	"		price = cost; part = rest;",
	"	}",
	"	for (int k = 0; k < i; k++) {",
	"		l -= table[k];",
	"		if (k == 2)",
	"			break;",
	"		total++;",
	"	}",
	"	if (!q->next)",
	"		return l;",
	"	l = l + 31 * p->key + 13 * total + q->next->key + x + 5 * seen + p->small;",
	"	return l + p->next->small + (long)(8 * price) - (long)(16 * part);",
	"}",
};
enum { FIRST_LINE = 9 }; /* of the function, in the file */

/* With the statement on a line of its own, before or behind a line. */
static void put_function(GString *out, const char *name, unsigned at, bool behind,
			 const char *statement)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(lines); i++) {
		if (statement && i == at && !behind)
			g_string_append_printf(out, "	%s;\n", statement);
		if (i == 0)
			g_string_append_printf(out, "long %s%s\n", name, strchr(lines[0], '('));
		else
			g_string_append_printf(out, "%s\n", lines[i]);
		if (statement && i == at && behind)
			g_string_append_printf(out, "	%s;\n", statement);
	}
}

/* "`x++' put behind it": the statement, and where it goes. */
static char *statement_of(const char *words, bool *behind)
{
	const char *end = strrchr(words, '\'');

	assert_true(*words == '`' && end);
	*behind = strcmp(end, "' put behind it") == 0;
	assert_true(*behind || strcmp(end, "' put before it") == 0);
	return g_strndup(words + 1, (size_t)(end - words) - 1);
}

struct effect {
	long result, total, nodes;
};

static struct effect call(function *f, int *total, short *table, bool *seen, int a, int b)
{
	static const short first[8] = { -3, 5, 900, 4, 0, 1, -9, 8 };
	struct node n[4] = {
		{ 5, &n[1], -7 }, { 11, &n[2], 9 }, { -4, &n[3], 100 }, { 77, &n[0], 3 }
	};
	struct effect e = { 0 };

	*total = 7;
	*seen = false;
	memcpy(table, first, sizeof first);
	e.result = f(a, b, &n[0], &n[a & 1 ? 1 : 2]);
	e.total = *total + 1000000 * *seen;
	for (unsigned i = 0; i < 8; i++)
		e.nodes = e.nodes * 7 + table[i];
	for (unsigned i = 0; i < 4; i++)
		e.nodes = e.nodes * 31 + n[i].key + 1000 * (n[i].next ? n[i].next - n : -7) +
			  n[i].small;
	return e;
}

/* A statement may clear a pointer that a later line follows, or move the end of a loop. */
static bool is_harmless(const char *statement)
{
	static const char *const harmful[] = { "p = 0",	   "q = 0",  "p++",    "p--", "q++",  "q--",
					       "next = 0", "next++", "next--", "k--", "k = 0" };

	for (size_t i = 0; i < G_N_ELEMENTS(harmful); i++)
		if (g_str_has_suffix(statement, harmful[i]))
			return false;
	return !g_str_has_prefix(statement, "k = ") && !g_str_has_prefix(statement, "k += ") &&
	       !g_str_has_prefix(statement, "i += ");
}

static void compare(struct patched *p, const struct mutant *m, unsigned line, void *library,
		    const char *name)
{
	static const int inputs[][2] = { { 0, 0 }, { 3, -8 }, { 6, 40 }, { -5, 2 }, { 1000, 999 } };
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(m, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		struct effect is, expected;

		patched_put(p, actions);
		is = call((function *)(uintptr_t)patched_function(p, "f"),
			  patched_function(p, "total"), patched_function(p, "table"),
			  patched_function(p, "seen"), inputs[i][0], inputs[i][1]);
		patched_restore(p);
		expected = call((function *)(uintptr_t)dlsym(library, name),
				dlsym(library, "total"), dlsym(library, "table"),
				dlsym(library, "seen"), inputs[i][0], inputs[i][1]);
		if (is.result != expected.result || is.total != expected.total ||
		    is.nodes != expected.nodes)
			fail_msg("line %u, %s, with %d, %d: %ld, %ld, %ld instead of %ld, %ld, %ld",
				 line, m->words, inputs[i][0], inputs[i][1], is.result, is.total,
				 is.nodes, expected.result, expected.total, expected.nodes);
	}
}

/* The same program for both, whose variables the test can find. */
static char *without_static(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "static ", -1);

	return g_strjoinv("", parts);
}

static struct patched *program(void)
{
	g_autofree char *open = without_static(head);
	GString *source = g_string_new(open);
	struct patched *p;

	put_function(source, "f", 0, false, NULL);
	p = patched_new(source->str);
	g_string_free(source, TRUE);
	return p;
}

static unsigned compare_line(struct patched *p, unsigned line)
{
	g_autoptr(GArray) all = mutator_insertions(p->m, p->file, FIRST_LINE + line, 0);
	g_autofree char *open = without_static(head);
	g_autofree char *name = g_strdup_printf("g%u", line), *path = NULL;
	g_autoptr(GString) other = g_string_new(open);
	unsigned n = 0;
	void *library;

	for (guint i = 0; i < all->len; i++) {
		g_autofree char *f = g_strdup_printf("g%u", i);
		bool behind;
		g_autofree char *text =
			statement_of(g_array_index(all, struct mutant, i).words, &behind);

		if (is_harmless(text))
			put_function(other, f, line, behind, text);
	}
	path = test_compile(p->folder, name, other->str, "cc -O0 -w -fwrapv -shared -fPIC");
	library = dlopen(path, RTLD_NOW);
	assert_non_null(library);
	for (guint i = 0; i < all->len; i++) {
		g_autofree char *f = g_strdup_printf("g%u", i);

		if (!dlsym(library, f))
			continue;
		compare(p, &g_array_index(all, struct mutant, i), line, library, f);
		n++;
	}
	dlclose(library);
	return n;
}

static void insertions_do_what_their_words_say(void **state)
{
	struct patched *p = program();

	(void)state;
	for (unsigned line = 3; line < G_N_ELEMENTS(lines) - 1; line++) {
		const char *text = lines[line] + strspn(lines[line], "\t");

		/* declarations stay in front, and a single statement is no block */
		if (strchr("}", *text) || g_str_has_prefix(text, "break") ||
		    g_str_has_prefix(text, "return l;"))
			continue;
		assert_true(compare_line(p, line) > 20);
	}
	patched_free(p);
}

static bool has(const GArray *all, const char *words)
{
	for (guint i = 0; i < all->len; i++)
		if (strcmp(g_array_index(all, struct mutant, i).words, words) == 0)
			return true;
	return false;
}

static void statements_come_from_the_file(void **state)
{
	struct patched *p = program();
	g_autoptr(GArray) sum = mutator_insertions(p->m, p->file, FIRST_LINE + 6, 0);
	g_autoptr(GArray) call = mutator_insertions(p->m, p->file, FIRST_LINE + 7, 0);
	g_autoptr(GArray) leave = mutator_insertions(p->m, p->file, FIRST_LINE + 20, 0);
	g_autoptr(GArray) one = NULL;

	(void)state;
	assert_true(has(sum, "`take(p, x)' put before it"));
	assert_true(has(sum, "`x += 5' put before it"));
	assert_true(has(sum, "`p->next->key = 2' put before it"));
	assert_true(has(sum, "`p->key = -p->key' put before it"));
	assert_true(has(sum, "`seen = true' put before it"));
	assert_true(has(sum, "`total--' put before it"));
	assert_true(has(sum, "`price = cost' put before it"));
	assert_true(has(sum, "`part = rest' put before it"));
	/* for other variables */
	assert_true(has(sum, "`x = b + a' put before it"));
	assert_true(has(sum, "`q->next->next = q' put before it"));
	/* these stand nowhere */
	assert_true(has(sum, "`x = b' put before it"));
	assert_true(has(sum, "`x += a' put before it"));
	assert_false(has(sum, "`x = l' put before it"));
	assert_false(has(sum, "`x = x' put before it"));
	assert_false(has(sum, "`x = p' put before it"));
	/* turn takes one argument only, and k is not visible */
	assert_false(has(sum, "`turn(p, x)' put before it"));
	assert_false(has(sum, "`k++' put before it"));
	/* the next line is as good a place, but none behind the end of a block */
	assert_false(has(sum, "`take(p, x)' put behind it"));
	assert_true(has(call, "`take(p, x)' put behind it"));
	assert_true(has(leave, "`take(p, x)' put before it"));
	assert_false(has(leave, "`take(p, x)' put behind it"));
	one = mutator_insertions(p->m, p->file, FIRST_LINE + 7,
				 g_array_index(sum, struct mutant, 0).to);
	assert_int_equal(one->len, 2); /* before and behind */
	patched_free(p);
}

/* What no line says: a member that only others read, and a result that is not given. */
static void what_no_line_names(void **state)
{
	struct patched *p = patched_new("struct day { int n, longest; };\n"
					"int gap(struct day *d, int *from, int at)\n"
					"{\n"
					"	if (at > d->longest)\n"
					"		d->longest = at;\n"
					"	return d->longest;\n"
					"}\n");
	g_autoptr(GArray) all = mutator_insertions(p->m, p->file, 5, 0);

	(void)state;
	assert_true(has(all, "`d->n++' put before it"));
	assert_true(has(all, "`*from = at' put before it"));
	assert_true(has(all, "`*from = d->longest' put before it"));
	assert_false(has(all, "`*d = at' put before it"));
	patched_free(p);
}

/* Where something becomes the first of a list, its link to what was it before. */
static void links_to_what_was_there(void **state)
{
	struct patched *p = patched_new("struct node { int key; struct node *next; };\n"
					"struct list { struct node *first; int n; };\n"
					"int push(struct list *l, struct node *e)\n"
					"{\n"
					"	e->key++;\n"
					"	l->first = e;\n"
					"	return l->n;\n"
					"}\n");
	g_autoptr(GArray) all = mutator_insertions(p->m, p->file, 6, INSERTED_LIKELY);

	(void)state;
	assert_true(has(all, "`e->next = l->first' put before it"));
	assert_false(has(all, "`e->key = l->first' put before it"));
	patched_free(p);
}

/* It is likely that somebody should count what nobody does. */
static void what_nobody_counts_is_likely(void **state)
{
	struct patched *p = patched_new("struct cache { int hits, misses; }; int looks, finds;\n"
					"int look(struct cache *c, int *value)\n"
					"{\n"
					"	if (*value)\n"
					"		c->hits++, finds++;\n"
					"	return c->hits - c->misses;\n"
					"}\n");
	g_autoptr(GArray) likely = mutator_insertions(p->m, p->file, 6, INSERTED_LIKELY);
	g_autoptr(GArray) all = mutator_insertions(p->m, p->file, 6, 0);
	g_autoptr(GArray) uncounted = mutator_insertions(p->m, p->file, 6, INSERTED_ANEW);

	(void)state;
	assert_false(has(uncounted, "`c->hits++' put before it"));
	assert_false(has(uncounted, "`finds++' put before it"));
	assert_true(has(uncounted, "`c->misses++' put before it"));
	assert_true(has(uncounted, "`looks++' put before it"));
	assert_true(has(likely, "`c->misses++' put before it"));
	assert_false(has(likely, "`c->misses--' put before it"));
	assert_true(has(all, "`c->misses--' put before it"));
	assert_true(has(all, "`c->hits--' put before it"));
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(insertions_do_what_their_words_say),
		cmocka_unit_test(statements_come_from_the_file),
		cmocka_unit_test(what_no_line_names),
		cmocka_unit_test(links_to_what_was_there),
		cmocka_unit_test(what_nobody_counts_is_likely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
