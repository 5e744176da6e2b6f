/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs-talk.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/session/terminal/line.h"

#include <stdio.h>
#include <string.h>

struct specs_talk {
	const struct specs_subject *s;
	struct specs_report *report;
	struct said *said;
	struct deadline *until;
	struct line_reader *lines;
	bool has_said, has_helped;
};

/* What a line asks for. */
enum talk_next { TALK_AGAIN, TALK_GOES_ON, TALK_SAID, TALK_STOPS };

struct talk_word {
	const char *name, *help;
	enum talk_next (*execute)(struct specs_talk *t, const struct study_round *round,
				  const char *rest);
};

/* ---- what can be said ---- */

static enum talk_next go_on_talking(struct specs_talk *t, const struct study_round *round,
				    const char *rest)
{
	(void)t, (void)round, (void)rest;
	return TALK_GOES_ON;
}

static enum talk_next stop_talking(struct specs_talk *t, const struct study_round *round,
				   const char *rest)
{
	(void)t, (void)round, (void)rest;
	return TALK_STOPS;
}

/* What was said counts in this run, also when it cannot be kept. */
static enum talk_next keep_said(struct specs_talk *t)
{
	g_autoptr(GError) error = NULL;

	if (said_write(t->said, &error))
		t->has_said = true;
	else
		fprintf(specs_report_out(t->report), "%s\n", error->message);
	return TALK_SAID;
}

static bool is_place_meant(const char *statement, const char *place)
{
	g_autofree char *base = g_path_get_basename(statement);

	return !strcmp(statement, place) || !strcmp(base, place) ||
	       !strcmp(strrchr(base, ':') + 1, place);
}

/* The statement that "29" or "list.c:29" means.  NULL: it was said why there is none. */
static const char *statement_meant(FILE *out, const struct study_fault *f, const char *place)
{
	const GArray *ratings = f->ratings->pdata[f->ratings->len - 1];
	const char *found = NULL;
	unsigned n = 0;

	for (guint i = 0; i < ratings->len; i++) {
		const char *statement = g_array_index(ratings, struct locate_rating, i).statement;

		if (!is_place_meant(statement, place))
			continue;
		found = statement;
		n++;
	}
	if (n == 1)
		return found;
	if (!*place)
		fputs("Which statement is right?  Say its line: right 29, or right list.c:29.\n",
		      out);
	else if (n)
		fprintf(out, "Line %s stands in %u files; say FILE:LINE.\n", place, n);
	else
		fprintf(out,
			"No statement that is rated stands in line %s; say one of the ranking.\n",
			place);
	return NULL;
}

static enum talk_next say_statement_is_right(struct specs_talk *t, const struct study_round *round,
					     const char *rest)
{
	const char *statement = statement_meant(specs_report_out(t->report), round->fault, rest);

	if (!statement)
		return TALK_AGAIN;
	said_add_right(t->said, statement);
	return keep_said(t);
}

static enum talk_next say_of_test(struct specs_talk *t, const struct study_round *round,
				  bool passes)
{
	g_autofree char *words = NULL;

	if (!round->next) {
		fputs("There is no test to say this of; continue ends the rounds.\n",
		      specs_report_out(t->report));
		return TALK_AGAIN;
	}
	words = study_test_words(round->next, t->s->spec->types);
	said_add_test(t->said, words, passes);
	keep_said(t);
	return TALK_GOES_ON;
}

static enum talk_next say_pass(struct specs_talk *t, const struct study_round *round,
			       const char *rest)
{
	(void)rest;
	return say_of_test(t, round, true);
}

static enum talk_next say_fail(struct specs_talk *t, const struct study_round *round,
			       const char *rest)
{
	(void)rest;
	return say_of_test(t, round, false);
}

static enum talk_next show_help(struct specs_talk *t, const struct study_round *round,
				const char *rest);

static const struct talk_word words[] = {
	{ "continue", "take the next test as it is; so does an empty line", go_on_talking },
	{ "stop", "this ranking is the answer; so does Ctrl-D", stop_talking },
	{ "right", "right LINE, right FILE:LINE: this statement is right", say_statement_is_right },
	{ "pass", "what the next test does is right: it counts as passing", say_pass },
	{ "fail", "what the next test does is wrong: it counts as failing", say_fail },
	{ "help", "these words; their first letters are enough", show_help },
};

static enum talk_next show_help(struct specs_talk *t, const struct study_round *round,
				const char *rest)
{
	(void)round, (void)rest;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		fprintf(specs_report_out(t->report), "  %-9s %s\n", words[i].name, words[i].help);
	return TALK_AGAIN;
}

/* ---- a round ---- */

static enum talk_next execute_talk_line(struct specs_talk *t, const struct study_round *round,
					char *line)
{
	size_t n = strcspn(g_strstrip(line), " \t");
	const char *rest = line + n + strspn(line + n, " \t");

	if (!*line)
		return TALK_GOES_ON;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strncmp(words[i].name, line, n))
			return words[i].execute(t, round, rest);
	fprintf(specs_report_out(t->report),
		"`%.*s' is no word here; say continue, stop, right LINE, pass, fail or help.\n",
		(int)n, line);
	return TALK_AGAIN;
}

static enum talk_next ask_once(struct specs_talk *t, const struct study_round *round)
{
	gint64 began = g_get_monotonic_time();
	g_autofree char *line = NULL;
	bool is_told = specs_report_ask(t->report);
	enum line_end end = line_reader_ask(t->lines, "(specs) ", replay_interrupt_fd(), &line);

	if (is_told && end == LINE_READ)
		fprintf(specs_report_out(t->report), "(specs) %s\n", line);

	t->until->end += g_get_monotonic_time() - began;
	return end == LINE_READ ? execute_talk_line(t, round, line) : TALK_STOPS;
}

enum study_reply specs_talk_ask(void *arg, const struct study_round *round)
{
	struct specs_talk *t = arg;
	enum talk_next next = TALK_AGAIN;

	specs_report_round(t->report, round);
	if (!t->has_helped)
		fputs("continue, stop, right LINE, pass, fail, or help?\n",
		      specs_report_out(t->report));
	t->has_helped = true;
	while (next == TALK_AGAIN)
		next = ask_once(t, round);
	return next == TALK_GOES_ON ? STUDY_GOES_ON : next == TALK_SAID ? STUDY_SAID : STUDY_STOPS;
}

/* ---- life ---- */

struct specs_talk *specs_talk_new(const struct specs_subject *s, struct specs_report *r,
				  struct said *said, struct deadline *until)
{
	static const char *const completed[] = { "continue", "stop", "right ", "pass",
						 "fail",     "help", NULL };
	struct specs_talk *t = g_new0(struct specs_talk, 1);

	*t = (struct specs_talk){ .s = s, .report = r, .said = said, .until = until };
	t->lines = line_reader_new(completed);
	return t;
}

void specs_talk_free(struct specs_talk *t)
{
	if (!t)
		return;
	if (t->has_said)
		fprintf(specs_report_out(t->report),
			"\nkept in %s, and used again by --interactive or --said\n",
			said_path(t->said));
	line_reader_free(t->lines);
	g_free(t);
}
