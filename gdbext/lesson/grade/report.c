/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/report.h"

#include "gdbext/lesson/grade/page.h"

#include <string.h>

/* --- report --- */

static const char *words_for(const char *what)
{
	static const struct {
		const char *what, *words;
	} all[] = {
		{ "start", "started" },	  { "hint", "took hint" },
		{ "answer", "answered" }, { "because", "gave as the reason" },
		{ "check", "checked" },	  { "expected", "expected" },
		{ "saw", "saw" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (strcmp(all[i].what, what) == 0)
			return all[i].words;
	return what;
}

static char *report_text(const struct lesson_variant *v, const struct lesson_student *s)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%s%s%s\n", v->lesson->title, v->seed ? ", variant " : "",
			       v->seed ? v->seed : "");
	for (guint i = 0; i < s->journal->len; i++) {
		const struct lesson_entry *e = &g_array_index(s->journal, struct lesson_entry, i);

		g_string_append_printf(out, "%s  %-18s %s\n", e->time, words_for(e->what), e->text);
	}
	return g_string_free(out, FALSE);
}

static char *report_html(const struct lesson_variant *v, const struct lesson_student *s)
{
	struct lesson_page *p = lesson_page_new(v->lesson->title);

	lesson_page_begin(p, "table");
	for (guint i = 0; i < s->journal->len; i++) {
		const struct lesson_entry *e = &g_array_index(s->journal, struct lesson_entry, i);

		lesson_page_begin(p, "tr");
		lesson_page_put(p, "td", e->time);
		lesson_page_put(p, "td", words_for(e->what));
		lesson_page_put(p, "td", e->text);
		lesson_page_end(p, "tr");
	}
	lesson_page_end(p, "table");
	return lesson_page_finish(p);
}

char *lesson_report(const struct lesson_variant *v, const struct lesson_student *s,
		    enum lesson_format format)
{
	return format == LESSON_HTML ? report_html(v, s) : report_text(v, s);
}

/* --- hand-out --- */

static char *numbered_lines(const struct lesson_variant *v)
{
	g_autofree char *program = lesson_rename(v, v->program);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(program), "\n", -1);
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; lines[i]; i++)
		g_string_append_printf(out, "%4u  %s\n", i + 1, lines[i]);
	return g_string_free(out, FALSE);
}

/* The first explanation that names the fault, or the first of all when none does. */
static const struct explanation_suspect *suspect_naming_fault(const struct lesson_variant *v,
							      const struct lesson_truth *t)
{
	const struct explanation_suspect *first = NULL;

	for (guint i = 0; i < t->e->suspects->len; i++) {
		const struct explanation_suspect *s = t->e->suspects->pdata[i];
		g_autoptr(GArray) lines = lesson_truth_lines(s);

		if (!s->chain->len)
			continue;
		if (lines->len == v->faulty->len &&
		    memcmp(lines->data, v->faulty->data, lines->len * sizeof(unsigned)) == 0)
			return s;
		if (!first)
			first = s;
	}
	return first;
}

/* One link as the student would see it: "20  if (b < a)  went false". */
static char *link_text(const struct lesson_variant *v, const struct explanation_link *l)
{
	GString *out = g_string_new(NULL);
	g_autofree char *text = NULL;

	g_string_append_printf(out, "program.c:%u  %s", l->line, l->text ? l->text : "");
	for (guint i = 0; l->values && i < l->values->len; i++) {
		const struct explanation_value *value =
			&g_array_index(l->values, struct explanation_value, i);

		g_string_append_printf(out, "%s%s = %s", i ? ", " : "  ",
				       value->name ? value->name : "?",
				       value->value ? value->value : "?");
	}
	text = g_string_free(out, FALSE);
	return lesson_rename(v, text);
}

static GPtrArray *way_to_failure(const struct lesson_variant *v, const struct lesson_truth *t)
{
	GPtrArray *way = g_ptr_array_new_with_free_func(g_free);
	const struct explanation_suspect *s = suspect_naming_fault(v, t);

	for (guint i = 0; s && i < s->chain->len; i++) {
		guint at = g_array_index(s->chain, guint, i);

		if (at < t->e->chain->len)
			g_ptr_array_add(way,
					link_text(v, &g_array_index(t->e->chain,
								    struct explanation_link, at)));
	}
	return way;
}

struct section {
	const char *title;
	char *text;
	bool is_code;
};

static void add_sections(const struct lesson_variant *v, GArray *to)
{
	const struct lesson *l = v->lesson;
	const struct section all[] = {
		{ "Goal", lesson_say(v, l->goal), false },
		{ "Task", lesson_say(v, l->task), false },
		{ "The program", numbered_lines(v), true },
		{ "What the tool shows", lesson_say(v, l->shows), false },
		{ "What it cannot know", lesson_say(v, l->cannot), false },
		{ "The last question", lesson_say(v, l->final), false },
	};

	g_array_append_vals(to, all, G_N_ELEMENTS(all));
}

static void section_clear(gpointer p)
{
	g_free(((struct section *)p)->text);
}

static char *handout_text(const struct lesson_variant *v, const GArray *sections,
			  const GPtrArray *way)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%s\n", v->lesson->title);
	for (guint i = 0; i < sections->len; i++) {
		const struct section *s = &g_array_index(sections, struct section, i);

		g_string_append_printf(out, "\n== %s ==\n\n%s\n", s->title, g_strchomp(s->text));
	}
	if (way)
		g_string_append(out, "\n== From the fault to the failure ==\n\n");
	for (guint i = 0; way && i < way->len; i++)
		g_string_append_printf(out, "%u. %s\n", i + 1, (char *)way->pdata[i]);
	return g_string_free(out, FALSE);
}

static char *handout_html(const struct lesson_variant *v, const GArray *sections,
			  const GPtrArray *way)
{
	struct lesson_page *p = lesson_page_new(v->lesson->title);

	for (guint i = 0; i < sections->len; i++) {
		const struct section *s = &g_array_index(sections, struct section, i);

		lesson_page_put(p, "h2", s->title);
		lesson_page_put(p, s->is_code ? "pre" : "p", s->text);
	}
	if (way) {
		lesson_page_put(p, "h2", "From the fault to the failure");
		lesson_page_way(p, way);
	}
	return lesson_page_finish(p);
}

char *lesson_handout(const struct lesson_variant *v, const struct lesson_truth *t,
		     enum lesson_format format)
{
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	g_autoptr(GPtrArray) way = t ? way_to_failure(v, t) : NULL;

	g_array_set_clear_func(sections, section_clear);
	add_sections(v, sections);
	return format == LESSON_HTML ? handout_html(v, sections, way)
				     : handout_text(v, sections, way);
}
