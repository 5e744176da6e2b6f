/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/condition-text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static struct source *marked(const char *text, size_t *at)
{
	g_autofree char *clean = g_strdup(text);
	char *mark = strchr(clean, '@');

	*at = (size_t)(mark - clean);
	memmove(mark, mark + 1, strlen(mark));
	return source_new(clean);
}

static void add_target(GString *out, int target)
{
	if (target >= 0)
		g_string_append_printf(out, "%d", target);
	else
		g_string_append_c(out, target == CONDITION_TRUE ? 'T' : 'F');
}

/* "atom true false; …|body" of the condition at the mark. */
static void check(const char *text, const char *expected)
{
	size_t at;
	struct source *s = marked(text, &at);
	struct condition_text c;
	g_autoptr(GString) got = g_string_new(NULL);
	g_autofree char *body = NULL;

	if (condition_text_find(s, at, &c)) {
		for (guint i = 0; i < c.atoms->len; i++) {
			const struct condition_atom *a =
				&g_array_index(c.atoms, struct condition_atom, i);
			g_autofree char *atom = source_text(s, a->span);

			g_string_append_printf(got, "%s%s ", i ? "; " : "", atom);
			add_target(got, a->if_true);
			g_string_append_c(got, ' ');
			add_target(got, a->if_false);
		}
		body = source_text(s, c.body);
		g_string_append_printf(got, "|%s", body ? body : "");
		condition_text_clear(&c);
	} else {
		g_string_append(got, "none");
	}
	assert_string_equal(got->str, expected);
	source_free(s);
}

static void atoms(void **state)
{
	(void)state;
	check("{ if @(y < 5) b = 1; else b = 2; }", "y < 5 T F|b = 1;");
	check("{ if (a @&& b) x(); }", "a 1 F; b T F|x();");
	check("{ if (@a || b) x(); }", "a T 1; b T F|x();");
	check("{ if (a == 3 || !(@f(b) && c)) x(); }", "a == 3 T 1; f(b) 2 T; c F T|x();");
	check("{ if (x && (@!a || b)) x(); }", "x 1 F; !a T 2; b T F|x();");
	check("{ if ((a || b) @&& !c) x(); }", "a 2 1; b 2 F; !c T F|x();");
	check("{ if (!(a || @b)) x(); }", "a F 1; b F T|x();");
	check("{ if (@(p = f(a && b)) != 0) x(); }", "(p = f(a && b)) != 0 T F|x();");
}

static void values(void **state)
{
	(void)state;
	check("{ return a == 3 @&& b != 4; }", "a == 3 1 F; b != 4 T F|");
	check("{ int x = @!a || f(b); }", "!a T 1; f(b) T F|");
	check("{ ok = ok && (@a || b); }", "ok 1 F; a T 2; b T F|");
	check("{ return @a == 3; }", "none");
	check("{ f(a @&& b); }", "a 1 F; b T F|");
	check("{ @f(x, c ? y : z); }", "c T F|y");
	check("{ n = 1 + (a @|| b); }", "a T 1; b T F|");
	check("{ @f(a && b, c ? y : z); }", "none"); /* which of them? */
	check("{ @x(b[i && k]); }", "i 1 F; k T F|");
	check("{ @x({a && b}); }", "a 1 F; b T F|");
	check("{ if (c) return a @&& b; }", "a 1 F; b T F|");
}

static void heads(void **state)
{
	(void)state;
	check("{ for (int i = 0; @i < n; i++) { x(); } y(); }", "i < n T F|{ x(); }");
	check("{ @for (;i < n; i++) ; }", "i < n T F|;");
	check("{ for (int @i = 0; i < n; i++) ; }", "none");
	check("{ for (int i = 0; i < n; @i++) ; }", "none");
	check("{ @while (*p) if (q) a(); else b(); c(); }", "*p T F|if (q) a(); else b();");
	check("{ do { x(); @} while (a > 0); y(); }", "a > 0 T F|{ x(); }");
	check("{ do { x(); } while (a @> 0); y(); }", "a > 0 T F|{ x(); }");
	check("{ c = a < b @? 5 : f(a); }", "a < b T F|5");
	check("{ return @a && b ? c : d; }", "a 1 F; b T F|c");
	check("{ @switch (c) { case 1: x(); } }", "|{ case 1: x(); }");
	check("{ if (a) @x(b); }", "none");
	check("{ @x(b < c); }", "none");
	check("{ if (a) { @b = 1; } }", "none");
}

static void broken(void **state)
{
	static const char text[] =
		"{ if (a && (b || !c)) do { for (;;) } while (x ? y : z); else q; }";

	(void)state;
	for (size_t n = 1; n < sizeof text; n++) {
		g_autofree char *part = g_strndup(text, n);
		struct source *s = source_new(part);

		for (size_t at = 0; at < n; at++) {
			struct condition_text c;

			if (condition_text_find(s, at, &c))
				condition_text_clear(&c);
		}
		source_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(atoms),
		cmocka_unit_test(values),
		cmocka_unit_test(heads),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
