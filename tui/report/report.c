/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/report.h"
#include "tui/report/dot.h"
#include "tui/report/html.h"
#include "solver/answer/json/json.h"
#include "tui/report/text.h"

static char *explanation_as_text(FILE *out, const struct explanation *e,
				 const struct tui_options *o)
{
	struct tui_page page;
	char *text;

	tui_page_init(&page, out, o);
	tui_text(&page, e, o);
	text = g_strdup(page.out->str);
	tui_page_deinit(&page);
	return text;
}

static char *explanation_as_json(FILE *out, const struct explanation *e,
				 const struct tui_options *o)
{
	(void)out;
	return o->one_line ? tui_json_line(e) : tui_json(e);
}

typedef char *render(FILE *out, const struct explanation *e, const struct tui_options *o);

static render *const renderers[] = {
	[TUI_TEXT] = explanation_as_text,
	[TUI_JSON] = explanation_as_json,
	[TUI_HTML] = tui_html,
	[TUI_DOT] = tui_dot,
};

bool tui_print(FILE *out, const struct explanation *e, const struct tui_options *o)
{
	g_autofree char *text = renderers[o->format](out, e, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}

bool tui_format_of(const char *name, enum tui_format *format)
{
	static const char *const endings[] = {
		[TUI_TEXT] = ".txt", [TUI_JSON] = ".json", [TUI_HTML] = ".html", [TUI_DOT] = ".dot"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i])) {
			*format = (enum tui_format)i;
			return true;
		}
	return false;
}
