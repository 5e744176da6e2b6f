/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/stats.h"
#include "tui/words/line.h"
#include "tui/words/words.h"

#include <string.h>

/* 1,234,567 */
static char *digits_in_groups(uint64_t n)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)n);
	size_t length = strlen(digits);
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			g_string_append_c(out, ',');
		g_string_append_c(out, digits[i]);
	}
	return g_string_free(out, FALSE);
}

static void put_stage(struct tui_page *page, const char *name, double ms, uint64_t count,
		      const char *unit)
{
	g_autofree char *clean = tui_clean(name);
	g_autofree char *short_name = tui_elide(clean, 14);
	g_autofree char *time = tui_words_time(ms);
	g_autofree char *number = digits_in_groups(count);
	g_autofree char *of = tui_clean(unit);

	tui_put_padded(page, TUI_PLAIN, short_name, 16);
	tui_putf(page, TUI_PLAIN, "%9s", time);
	if (count)
		tui_putf(page, TUI_PLAIN, "%16s %s", number, of);
	if (count && g_strcmp0(unit, "instructions") == 0 && g_strcmp0(name, "record") != 0 &&
	    ms > 0) {
		char rate[G_ASCII_DTOSTR_BUF_SIZE];

		g_ascii_formatd(rate, sizeof rate, "%.1f", (double)count / ms / 1000);
		tui_putf(page, TUI_PLAIN, ", %s million a second", rate);
	}
	tui_newline(page);
}

static void put_named_count(struct tui_page *page, const char *name, uint64_t n)
{
	g_autofree char *number = digits_in_groups(n);

	tui_put_padded(page, TUI_PLAIN, name, 16);
	tui_putf(page, TUI_PLAIN, "%25s", number);
	tui_newline(page);
}

/* Instructions a second while recording: what the engine is judged by. */
static void put_speed(struct tui_page *page, const struct explanation_stats *s)
{
	const struct explanation_stage *record = NULL;
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	for (unsigned i = 0; i < s->stages->len; i++) {
		const struct explanation_stage *st =
			&g_array_index(s->stages, struct explanation_stage, i);

		if (g_strcmp0(st->name, "record") == 0)
			record = st;
	}
	double ms = record ? record->ms : s->record_ms;
	double count = record && record->count ? (double)record->count : (double)s->instructions;

	if (!(ms > 0) || !(count > 0))
		return;
	g_ascii_formatd(number, sizeof number, "%.1f", count / ms / 1000);
	tui_put_padded(page, TUI_PLAIN, "recording speed", 16);
	tui_putf(page, TUI_PLAIN, "%25s million instructions a second", number);
	tui_newline(page);
}

static void put_technique_rows(struct tui_page *page, const GArray *techniques)
{
	if (!techniques->len)
		return;
	tui_put(page, TUI_HEADING,
		"technique                 tried     found    proven   refuted      runs      "
		"time");
	tui_newline(page);
	for (guint i = 0; i < techniques->len; i++) {
		const struct explanation_technique *t =
			&g_array_index(techniques, struct explanation_technique, i);
		const uint64_t counts[] = { t->tried, t->found, t->proven, t->refuted, t->runs };
		g_autofree char *time = tui_words_time(t->ms);

		tui_put_padded(page, TUI_PLAIN, t->name, 21);
		for (size_t k = 0; k < G_N_ELEMENTS(counts); k++) {
			g_autofree char *count = digits_in_groups(counts[k]);

			tui_putf(page, TUI_PLAIN, "%10s", count);
		}
		tui_putf(page, TUI_PLAIN, "%10s", time);
		tui_newline(page);
	}
}

static void put_limit_rows(struct tui_page *page, const GArray *limits)
{
	if (!limits->len)
		return;
	tui_put(page, TUI_HEADING,
		"limit                            value         default     reached");
	tui_newline(page);
	for (guint i = 0; i < limits->len; i++) {
		const struct explanation_limit *l =
			&g_array_index(limits, struct explanation_limit, i);
		g_autofree char *value = digits_in_groups(l->value);
		g_autofree char *standard = digits_in_groups(l->standard);
		g_autofree char *reached = digits_in_groups(l->reached);

		tui_put_padded(page, TUI_PLAIN, l->name, 22);
		tui_putf(page, TUI_PLAIN, "%16s%16s%12s", value, standard, reached);
		tui_put(page, TUI_PLAIN, l->cuts && l->reached ? "  cut the answer" : "");
		tui_newline(page);
	}
}

void tui_stats(struct tui_page *page, const struct explanation_stats *s)
{
	static const char heading[] = "stage                time           count";

	tui_put(page, TUI_HEADING, heading);
	tui_newline(page);
	for (unsigned i = 0; i < s->stages->len; i++) {
		const struct explanation_stage *st =
			&g_array_index(s->stages, struct explanation_stage, i);

		put_stage(page, st->name, st->ms, st->count, st->unit);
	}
	put_stage(page, "in all", s->total_ms, 0, NULL);
	put_named_count(page, "instructions", s->instructions);
	put_speed(page, s);
	put_named_count(page, "statements", s->statements);
	put_named_count(page, "clauses", s->clauses);
	put_named_count(page, "runs", s->runs);
	put_named_count(page, "iterations", s->iterations);
	put_named_count(page, "checks", s->checks);
	put_named_count(page, "concretized", s->concretized);
	put_named_count(page, "memory (kB)", s->memory_kb);
	tui_put_padded(page, TUI_PLAIN, "engine", 16);
	tui_putf(page, TUI_PLAIN, "%25s", s->engine ? s->engine : "");
	tui_newline(page);
	put_technique_rows(page, s->techniques);
	put_limit_rows(page, s->limits);
}
