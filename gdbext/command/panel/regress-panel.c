/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/panel/regress-panel.h"

#include "gdbext/command/panel/panel-leave.h"
#include "tui/panel/panel.h"
#include "tui/report/color.h"
#include "tui/report/regress/regress.h"

#include <errno.h>
#include <langinfo.h>
#include <string.h>

/* An answer in the shape of an explanation. */
struct shown {
	const struct options *o;
	const struct regress_answer *a;
	const char *folder;
	struct explanation *e;
	GArray *first;	  /* guint, by cause: its first link */
	GPtrArray *words; /* char *, by suspect: what the change is */
	char *last;	  /* GDB is to do that when the panel is left */
};

static const char *file_of_change(struct shown *s, const char *path)
{
	g_autofree char *file = path ? g_build_filename(s->folder, path, NULL) : NULL;
	struct explanation_source *source;
	g_autofree char *text = NULL;
	const char *own = explanation_string(s->e, file);

	if (!own || explanation_source(s->e, own))
		return own;
	source = explanation_source_add(s->e, own);
	if (g_file_get_contents(own, &text, NULL, NULL)) {
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

		for (char **line = lines; *line && (line[1] || **line); line++)
			g_ptr_array_add(source->lines, g_strdup(*line));
	}
	return own;
}

/* ---- the tree of causes ---- */

static void add_way_link(struct shown *s, const struct regress_statement *from,
			 enum explanation_edge edge)
{
	struct explanation_link link = { .function = explanation_string(s->e, from->function),
					 .file = file_of_change(s, from->file),
					 .line = from->line,
					 .text = explanation_string(s->e, from->text),
					 .clause = explanation_string(s->e, from->clause),
					 .edge = edge };

	link.values = g_array_new(FALSE, FALSE, sizeof(struct explanation_value));
	if (from->value) {
		bool differs = from->before && strcmp(from->before, from->value) != 0;
		g_autofree char *text = g_strconcat(from->value, differs ? ", before " : "",
						    differs ? from->before : "", NULL);
		struct explanation_value value = {
			explanation_string(s->e, from->clause ? from->clause : "it"),
			explanation_string(s->e, text)
		};

		g_array_append_val(link.values, value);
	}
	g_array_append_val(s->e->chain, link);
}

static void add_links(struct shown *s)
{
	for (guint i = 0; i < s->a->causes->len; i++) {
		const struct regress_cause *c = regress_answer_cause(s->a, i);
		guint first = s->e->chain->len;

		g_array_append_val(s->first, first);
		for (guint k = 0; k < c->statements->len; k++)
			add_way_link(s, &g_array_index(c->statements, struct regress_statement, k),
				     c->effect >= 0 && k + 1 == c->statements->len ? EDGE_CONTROL
										   : EDGE_DATA);
	}
}

/* From the first cause that holds the change to the failure. */
static void find_way(struct shown *s, unsigned change, GArray *way)
{
	int at = -1;

	for (guint i = 0; i < s->a->causes->len && at < 0; i++) {
		const struct regress_cause *c = regress_answer_cause(s->a, i);

		for (guint k = 0; k < c->changes->len; k++)
			if (g_array_index(c->changes, unsigned, k) == change)
				at = (int)i;
	}
	if (at < 0 && s->a->causes->len)
		at = 0;
	while (at >= 0) {
		const struct regress_cause *c = regress_answer_cause(s->a, (unsigned)at);
		guint first = g_array_index(s->first, guint, at);

		for (guint k = 0; k < c->statements->len; k++) {
			guint link = first + k;

			g_array_append_val(way, link);
		}
		at = c->effect;
	}
}

/* ---- the changes ---- */

/* "- x > y  + x < y": its first lines. */
static char *words_of_change(const struct regress_answer *a, unsigned change)
{
	g_autofree char *text = regress_change_text(a->changes, change);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);
	char sign = '\0';

	for (char **line = lines; *line; line++) {
		if (!**line || **line == sign)
			continue;
		sign = **line;
		if (sign == '-' || sign == '+')
			g_string_append_printf(out, "%s%c %s", out->len ? "  " : "", sign,
					       g_strstrip(*line + 1));
		else if (!out->len)
			g_string_append(out, *line);
	}
	return g_string_free(out, FALSE);
}

static void add_change_as_suspect(struct shown *s, unsigned change, unsigned rank)
{
	const struct regress_change *x = regress_change_at(s->a->changes, change);
	struct explanation_suspect *suspect = explanation_suspect_new();
	struct explanation_statement statement = {
		.function = explanation_string(s->e, x->function),
		.file = file_of_change(s, regress_change_path(s->a->changes, change)),
		.line = MAX(x->new_first, 1),
	};

	suspect->rank = rank;
	suspect->replay = s->a->proof.without == REGRESS_PASSES ? REPLAY_PASSES : REPLAY_FAILS;
	g_array_append_val(suspect->statements, statement);
	find_way(s, change, suspect->chain);
	g_ptr_array_add(s->e->suspects, suspect);
	g_ptr_array_add(s->words, words_of_change(s->a, change));
}

static void describe_regression_shown(struct shown *s)
{
	struct explanation_failure *f = &s->e->failure;
	const struct regress_cause *c = s->a->causes->len ? regress_answer_cause(s->a, 0) : NULL;

	f->kind = "status";
	f->cause = explanation_string(s->e, s->a->failure);
	if (c && c->statements->len) {
		const struct regress_statement *last = &g_array_index(
			c->statements, struct regress_statement, c->statements->len - 1);

		f->file = file_of_change(s, last->file);
		f->line = last->line;
	}
	add_links(s);
	for (guint i = 0; i < s->a->root->len; i++)
		add_change_as_suspect(s, g_array_index(s->a->root, unsigned, i), i + 1);
}

/* ---- what the user wants ---- */

static void export_regression(const struct shown *s, struct panel *p, const char *name)
{
	struct tui_options t = { .color = TUI_COLOR_NEVER };
	g_autofree char *said = NULL;
	FILE *out;
	bool ok;

	if (!tui_format_of(name, &t.format)) {
		panel_say(p, "the name says the format: .html, .txt, .json or .dot");
		return;
	}
	out = fopen(name, "we");
	ok = out && tui_print_regression(out, s->a, &t);
	said = ok ? g_strdup_printf("written: %s", name)
		  : g_strdup_printf("%s cannot be written: %s", name, g_strerror(errno));
	if (out)
		fclose(out);
	panel_say(p, said);
}

static bool request_of_regress_panel(void *arg, struct panel *p, const struct panel_request *r)
{
	struct shown *s = arg;

	switch (r->action) {
	case PANEL_EXPORT:
		export_regression(s, p, r->text);
		return true;
	case PANEL_GO_TO:
		s->last = r->file ? panel_leave_break("tbreak", r->file, r->line) : NULL;
		return !s->last;
	case PANEL_GDB:
		s->last = g_strdup(r->text);
		return false;
	default:
		return true;
	}
}

enum { SERVED = 1u << PANEL_EXPORT | 1u << PANEL_GO_TO | 1u << PANEL_BREAK | 1u << PANEL_GDB };

static bool run_regress_panel(struct shown *s, GError **error)
{
	struct panel *p = panel_new(s->folder, strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
	struct panel_backend backend = { .arg = s, .request = request_of_regress_panel };
	g_autofree char *count = tui_regression_headline(s->a);
	g_autofree char *text = tui_regression_text(s->a);
	g_autofree char *commands = NULL;
	const struct panel_words words = { s->a->failure, count, (char *const *)s->words->pdata };
	bool ok = true;

	panel_serve(p, SERVED);
	panel_say_as(p, &words);
	panel_answer(p, text, false);
	panel_set(p, s->e, NULL);
	panel_run(p, &backend, tui_color_wanted((enum tui_color_when)s->o->color, stdout));
	commands = panel_leave_commands(p, s->last);
	if (s->o->output)
		ok = g_file_set_contents(s->o->output, commands, -1, error);
	else
		fputs(commands, stdout);
	panel_free(p);
	return ok;
}

bool regress_panel(const struct options *o, const struct regress_answer *a, const char *folder,
		   GError **error)
{
	struct shown s = { .o = o, .a = a, .folder = folder, .e = explanation_new() };
	bool ok;

	s.first = g_array_new(FALSE, FALSE, sizeof(guint));
	s.words = g_ptr_array_new_with_free_func(g_free);
	describe_regression_shown(&s);
	ok = run_regress_panel(&s, error);
	g_array_unref(s.first);
	g_ptr_array_unref(s.words);
	g_free(s.last);
	explanation_free(s.e);
	return ok;
}
