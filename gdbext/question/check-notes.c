/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/check-notes.h"
#include "gdbext/question/notes.h"
#include "gdbext/question/runs/sanitizer-report.h"

#include <string.h>

enum { MOST_NAMED = 3 };

static const struct image_statement *statement_of_check(const struct check_site *site)
{
	const struct image_row *row = image_row_at(site->image, site->insn->addr);

	return row ? image_statement(site->image, row->statement) : NULL;
}

/* The line of the source without what surrounds the check; NULL = it is not there. */
static char *source_of(const struct check_site *site)
{
	const struct image_statement *s = statement_of_check(site);
	const char *line = s ? image_source_line(site->image, s->file, s->line) : NULL;
	char *text = line ? g_strstrip(g_strdup(line)) : NULL;

	if (text && g_str_has_suffix(text, ";"))
		text[strlen(text) - 1] = 0;
	return text;
}

char *check_notes_sentence(const struct failing_check *c)
{
	const struct check_framework *framework = c->site->rule->framework;
	const char *who = framework ? framework->name : c->site->name;
	g_autofree char *source = source_of(c->site);

	if (c->site->condition)
		return g_strdup_printf("assertion `%s' failed", c->site->condition);
	if (c->site->counts)
		return g_strdup(c->site->counts);
	if (c->says && *c->says)
		return g_strdup_printf("%s: %s", who, c->says);
	if (!framework)
		return g_strdup_printf("%s is called", who);
	return source ? g_strdup_printf("%s: %s failed", who, source)
		      : g_strdup_printf("%s: a check failed", who);
}

/* ", called at p.c:36 in main", interned; "" = the function that checks is main. */
static const char *words_of_caller(const struct failing_check *c)
{
	const struct image_statement *s = c->caller;
	g_autofree char *file = s ? g_path_get_basename(s->file) : NULL;
	g_autofree char *words =
		s ? g_strdup_printf(", called at %s:%u in %s", file, s->line, s->function)
		  : g_strdup("");

	return g_intern_string(words);
}

void check_notes_call(struct question *q, const struct failing_check *c)
{
	const struct image_statement *s = statement_of_check(c->site);
	const char *caller = words_of_caller(c);

	if (s && *caller && !c->site->returns)
		notes_printf(q->e, "the check that is asked about is that of %s%s", s->function,
			     caller);
}

void check_notes_others(struct question *q, const struct checks_seen *seen)
{
	guint n = seen->failing->len;

	for (guint i = 1; i < MIN(n, MOST_NAMED + 1); i++) {
		const struct failing_check *c =
			&g_array_index(seen->failing, struct failing_check, i);
		const struct image_statement *s = statement_of_check(c->site);
		g_autofree char *words = check_notes_sentence(c);
		g_autofree char *file = s ? g_path_get_basename(s->file) : g_strdup("?");

		if (c->site->counts)
			notes_printf(q->e, "another check fails at %s:%u in %s%s", file,
				     s ? s->line : 0, s ? s->function : "?", words_of_caller(c));
		else
			notes_printf(q->e, "another check fails at %s:%u in %s; %s", file,
				     s ? s->line : 0, s ? s->function : "?", words);
	}
	if (n > MOST_NAMED + 1)
		notes_printf(q->e, "%u more checks fail%s", n - MOST_NAMED - 1,
			     n == q->o->limits.failing_checks ? ", or even more" : "");
}

/* Unless a check in the program's own code failed, a library function reported it. */
static void note_report(struct question *q, const struct checks_seen *seen)
{
	const char *where =
		seen->failing->len ? "" : ", in a library function that the program called there";
	const char *path = q->run.failing.err;
	g_autofree char *text = NULL, *report = NULL;

	if (path && g_file_get_contents(path, &text, NULL, NULL))
		report = sanitizer_report_of(text, q->o->directory);
	if (report)
		notes_printf(q->e, "AddressSanitizer reports %s%s", report, where);
}

void check_notes_none_made(struct question *q, const struct checks_seen *seen)
{
	const struct check_framework *f = check_sites_framework(q->run.checks->sites, 0);

	if (f && f->inserted)
		note_report(q, seen);
	else if (f && !g_hash_table_size(seen->came_by))
		notes_printf(
			q->e,
			"no check of %s was made in the process that was recorded; tests that "
			"run in another program, or in this one executed anew, are not followed",
			f->name);
}
