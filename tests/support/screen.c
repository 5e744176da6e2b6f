/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/screen.h"

#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

void screen_add_source(struct explanation *e, const char *file)
{
	static const char *const lines[] = {
		"#include <assert.h>",
		"",
		"int P(int x, int y)",
		"{",
		"\tint a, b;",
		"\ta = x >= 0 ? x : -x;",
		"\tb = 0;",
		"",
		"\tif (y < 5)",
		"\t\tb = a+1;",
		"\telse",
		"\t\tb = a+2;",
		"\tassert(b <= a);",
		"\treturn b;",
		"}",
	};
	struct explanation_source *s = explanation_source_add(e, file);

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		g_ptr_array_add(s->lines, g_strdup(lines[i]));
}

struct screen_fixture screen_paper(bool ascii)
{
	struct screen_fixture f = { explain_paper(), panel_new("/home/u/src", ascii) };

	screen_add_source(f.e, f.e->failure.file);
	panel_set(f.p, f.e, NULL);
	return f;
}

void screen_end(struct screen_fixture *f)
{
	panel_free(f->p);
	explanation_free(f->e);
}

char *screen_of(struct panel *p, unsigned width, unsigned height)
{
	struct canvas c;
	char *text;

	canvas_init(&c, width, height);
	panel_draw(p, &c);
	text = canvas_text(&c);
	canvas_deinit(&c);
	return text;
}

void screen_check(struct panel *p, unsigned width, unsigned height, const char *name)
{
	g_autofree char *got = screen_of(p, width, height);
	g_autofree char *file = g_strdup_printf("tests/data/panel/%s.txt", name);
	g_autofree char *expected = NULL;

	if (g_getenv("PANEL_WRITE"))
		assert_true(g_file_set_contents(file, got, -1, NULL));
	assert_true(g_file_get_contents(file, &expected, NULL, NULL));
	assert_string_equal(got, expected);
}

void screen_type(struct panel *p, const char *text)
{
	for (; *text; text++)
		panel_key(p, *text);
}
