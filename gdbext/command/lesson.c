/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/lesson.h"
#include "gdbext/options/output-file.h"

#include "gdbext/lesson/grade/class.h"
#include "gdbext/lesson/create.h"
#include "gdbext/lesson/grade/hint.h"
#include "gdbext/lesson/grade/key.h"
#include "gdbext/lesson/grade/report.h"
#include "gdbext/lesson/truth.h"

#include <stdio.h>
#include <string.h>

/* Something to do in a lesson: its words are those behind its name. */
struct action {
	const char *name;
	unsigned least, most; /* how many words it takes */
	const char *usage;
	int (*act)(const struct options *o, char **words, GError **error);
};

static bool write_lesson_output(const struct options *o, const char *text, GError **error)
{
	return output_file_write(o->output, text, error);
}

/* --- list --- */

static char *progress_words(const struct lesson *l)
{
	g_autofree char *folder = NULL;
	int points = lesson_progress_of(l->name, &folder);

	return points == -2   ? g_strdup("")
	       : points == -1 ? g_strdup_printf("started in %s", folder)
			      : g_strdup_printf("%d of 100 points", points);
}

static int list_lessons(const struct options *o, GError **error)
{
	g_autoptr(GPtrArray) all = lesson_all(error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!all)
		return OPTIONS_EXIT_USAGE;
	for (guint i = 0; i < all->len; i++) {
		const struct lesson *l = all->pdata[i];
		g_autofree char *progress = progress_words(l);

		g_string_append_printf(out, "%2u  %-16s %3u min  %-44s %s", l->order, l->name,
				       l->minutes, l->title, progress);
		g_strchomp(out->str);
		out->len = strlen(out->str);
		g_string_append_c(out, '\n');
	}
	g_string_append(out, "\nstart one: gdb-why lesson start NAME [DIR]\n");
	return write_lesson_output(o, out->str, error) ? OPTIONS_EXIT_EXPLAINED
						       : OPTIONS_EXIT_USAGE;
}

/* --- what students do --- */

static int start_lesson(const struct options *o, char **words, GError **error)
{
	struct lesson *l = lesson_find(words[0], error);
	struct lesson_variant *v = l ? lesson_vary(l, o->seed, error) : NULL;
	g_autofree char *folder = g_canonicalize_filename(words[1] ? words[1]
							  : l	   ? l->name
								   : ".",
							  o->directory);
	g_autofree char *expected = NULL, *suite = NULL;
	bool ok = v && lesson_expect_shown(v, &expected, &suite, error) &&
		  lesson_student_start(v, folder, expected, suite,
				       o->exam ? (enum lesson_allow)o->exam_allows : LESSON_ALL,
				       error);

	if (ok) {
		lesson_progress_note(l->name, folder, -1);
		printf("%s: %s\n%s is made; read task.md there, and begin with `make test'.\n",
		       l->name, l->title, words[1] ? words[1] : l->name);
	}
	lesson_variant_free(v);
	lesson_free(l);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

static int hint_at_lesson(const struct options *o, char **words, GError **error)
{
	struct lesson_student *s = lesson_student_open(o->directory, error);
	g_autofree char *text = NULL;
	guint64 n = 0;

	if (s && words[0] && !g_ascii_string_to_unsigned(words[0], 10, 1, LESSON_HINTS, &n, NULL))
		options_wrong(error, "There are hints 1 to %d, not `%s'.", LESSON_HINTS, words[0]);
	else if (s)
		text = lesson_take_hint(s, (unsigned)n, error);
	lesson_student_free(s);
	if (!text)
		return OPTIONS_EXIT_USAGE;
	fputs(text, stdout);
	return OPTIONS_EXIT_EXPLAINED;
}

/* Can the answer be judged?  An instructor's lesson is on another machine: there the answer is
 * checked when it arrives. */
static bool read_lesson_answer(const struct lesson_student *s, const char *answer, GError **error)
{
	bool is_elsewhere = strchr(s->word, '/') && !g_file_test(s->word, G_FILE_TEST_EXISTS);
	struct lesson *l = is_elsewhere ? NULL : lesson_find(s->word, error);
	struct lesson_variant *v = l ? lesson_vary(l, s->seed, error) : NULL;
	g_autoptr(GArray) lines = v ? lesson_answer_lines(v, s, answer, error) : NULL;

	lesson_variant_free(v);
	lesson_free(l);
	return lines || is_elsewhere;
}

static int answer_lesson(const struct options *o, char **words, GError **error)
{
	struct lesson_student *s = lesson_student_open(o->directory, error);
	g_autofree char *text = o->mended ? g_strdup("--fix") : g_strjoinv(" ", words);
	bool ok = false;

	if (s && !words[0] == !o->mended)
		options_wrong(error,
			      "Name the lines that are wrong, as in `lesson answer program.c:20', "
			      "or say --fix when program.c is mended.");
	else if (s)
		ok = (o->mended || read_lesson_answer(s, text, error)) &&
		     lesson_student_note(s, "answer", text, error) &&
		     (!o->because || lesson_student_note(s, "because", o->because, error));
	if (ok)
		printf("answered: %s; is it right? gdb-why lesson check\n",
		       o->mended ? "program.c is mended" : text);
	lesson_student_free(s);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

static int check_lesson(const struct options *o, char **words, GError **error)
{
	const struct lesson_search how = { o->timeout, o->no_cache };
	struct lesson_student *s = lesson_student_open(words[0] ? words[0] : o->directory, error);
	struct lesson_grade *g = s ? lesson_grade(s, &how, o->run_timeout, error) : NULL;
	g_autofree char *text = g ? lesson_result(g, (enum lesson_format)o->format) : NULL;
	int status = OPTIONS_EXIT_USAGE;

	if (g && write_lesson_output(o, text, error)) {
		g_autofree char *said =
			g_strdup_printf("%s%s%s, %u points", g->answer, *g->answer ? ": " : "",
					lesson_verdict_word(g->verdict), lesson_grade_points(g));

		status = g->verdict == LESSON_RIGHT ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_PASSED;
		/* a folder that cannot be written is checked all the same */
		lesson_student_note(s, "check", said, NULL);
		lesson_progress_note(g->lesson, s->folder, (int)lesson_grade_points(g));
	}
	lesson_grade_free(g);
	lesson_student_free(s);
	return status;
}

/* --- what instructors do --- */

static int grade_lesson(const struct options *o, char **words, GError **error)
{
	const struct lesson_search how = { o->timeout, o->no_cache };
	g_autoptr(GArray) rows = lesson_class(words[0], o->lesson, &how, o->run_timeout, error);
	g_autofree char *text = rows ? lesson_results(rows, (enum lesson_format)o->format) : NULL;

	return text && write_lesson_output(o, text, error) ? OPTIONS_EXIT_EXPLAINED
							   : OPTIONS_EXIT_USAGE;
}

static int show_lesson_key(const struct options *o, char **words, GError **error)
{
	const struct lesson_search how = { o->timeout, o->no_cache };
	struct lesson *l = lesson_find(words[0], error);
	struct lesson_variant *v = l ? lesson_vary(l, o->seed, error) : NULL;
	struct lesson_runs *r = v && !o->fault_only ? lesson_runs_new(NULL, error) : NULL;
	struct lesson_truth *t = r ? lesson_truth_find(r, v, &how, error) : NULL;
	bool known = v && (t || o->fault_only);
	g_autofree char *text = known ? lesson_key_text(v, t, (enum lesson_format)o->format) : NULL;
	bool ok = text && write_lesson_output(o, text, error);
	bool holds = ok && (!t || lesson_truth_accepts(t, v->faulty));

	lesson_truth_free(t);
	lesson_runs_free(r);
	lesson_variant_free(v);
	lesson_free(l);
	return holds ? OPTIONS_EXIT_EXPLAINED : ok ? OPTIONS_EXIT_PASSED : OPTIONS_EXIT_USAGE;
}

/* The line of one variant in difficulty.txt; free it. */
static char *measure_one(const struct options *o, const struct lesson *l, unsigned number,
			 GError **error)
{
	const struct lesson_search how = { o->timeout, o->no_cache };
	struct lesson_variant *v = lesson_variant_at(l, number, error);
	struct lesson_runs *r = v ? lesson_runs_new(NULL, error) : NULL;
	struct lesson_truth *t = r ? lesson_truth_find(r, v, &how, error) : NULL;
	g_autofree struct lesson_key *k = t ? lesson_key_of(v, t) : NULL;
	char *line = k ? lesson_difficulty_line(v, &k->difficulty) : NULL;

	lesson_truth_free(t);
	lesson_runs_free(r);
	lesson_variant_free(v);
	return line;
}

static int measure_lessons(const struct options *o, char **words, GError **error)
{
	struct lesson *l = lesson_find(words[0], error);
	g_autoptr(GString) out = g_string_new(NULL);
	bool ok = l;

	for (unsigned i = 0; ok && i < lesson_n_variants(l); i++) {
		g_autofree char *line = measure_one(o, l, i, error);

		ok = line;
		g_string_append(out, ok ? line : "");
		if (ok && o->output)
			fprintf(stderr, "%u of %u: %s", i + 1, lesson_n_variants(l), line);
	}
	lesson_free(l);
	return ok && write_lesson_output(o, out->str, error) ? OPTIONS_EXIT_EXPLAINED
							     : OPTIONS_EXIT_USAGE;
}

static int report_lesson(const struct options *o, char **words, GError **error)
{
	struct lesson_student *s = lesson_student_open(words[0] ? words[0] : o->directory, error);
	struct lesson *l = s ? lesson_find(s->word, error) : NULL;
	struct lesson_variant *v = l ? lesson_vary(l, s->seed, error) : NULL;
	g_autofree char *text = v ? lesson_report(v, s, (enum lesson_format)o->format) : NULL;
	bool ok = text && write_lesson_output(o, text, error);

	lesson_variant_free(v);
	lesson_free(l);
	lesson_student_free(s);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

static int make_handout(const struct options *o, char **words, GError **error)
{
	const struct lesson_search how = { o->timeout, o->no_cache };
	struct lesson *l = lesson_find(words[0], error);
	struct lesson_variant *v = l ? lesson_vary(l, o->seed, error) : NULL;
	struct lesson_runs *r = v && o->solution ? lesson_runs_new(NULL, error) : NULL;
	struct lesson_truth *t = r ? lesson_truth_find(r, v, &how, error) : NULL;
	bool known = v && (!o->solution || t);
	g_autofree char *text = known ? lesson_handout(v, t, (enum lesson_format)o->format) : NULL;
	bool ok = text && write_lesson_output(o, text, error);

	lesson_truth_free(t);
	lesson_runs_free(r);
	lesson_variant_free(v);
	lesson_free(l);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

static int make_new(const struct options *o, char **words, GError **error)
{
	const struct lesson_sources from = { words[1], o->golden, o->tests, o->cflags };
	g_autofree char *folder = g_canonicalize_filename(words[0], o->directory);
	g_autofree char *named = g_strconcat(folder, "/", NULL);
	char *key_words[] = { named, NULL };

	if (!o->golden || !o->tests) {
		options_wrong(error,
			      "Name the program without the fault and the hidden tests: "
			      "gdb-why lesson new DIR PROGRAM.c --golden FILE --tests FILE.");
		return OPTIONS_EXIT_USAGE;
	}
	if (!lesson_create(folder, &from, error))
		return OPTIONS_EXIT_USAGE;
	printf("%s is made; try it: gdb-why lesson start %s/ DIR\n"
	       "Replace the questions in lesson.ini, task.md and README.md.\n\n",
	       words[0], folder);
	return show_lesson_key(o, key_words, error);
}

static const struct action actions[] = {
	{ "start", 1, 2, "start NAME [DIR]", start_lesson },
	{ "hint", 0, 1, "hint [N]", hint_at_lesson },
	{ "answer", 0, 8, "answer program.c:LINE...", answer_lesson },
	{ "check", 0, 1, "check [DIR]", check_lesson },
	{ "grade", 1, 1, "grade DIR", grade_lesson },
	{ "key", 1, 1, "key NAME", show_lesson_key },
	{ "measure", 1, 1, "measure NAME", measure_lessons },
	{ "report", 0, 1, "report [DIR]", report_lesson },
	{ "handout", 1, 1, "handout NAME", make_handout },
	{ "new", 2, 2, "new DIR PROGRAM.c --golden FILE --tests FILE", make_new },
};

/* What a command needs to be allowed. */
static enum lesson_allow allowance_needed(const struct options *o)
{
	bool is_about_value = o->command == OPTIONS_ASK && strcmp(o->question, "why") != 0 &&
			      !g_str_has_prefix(o->question, "why not ");

	switch (o->command) {
	case OPTIONS_HELP:
	case OPTIONS_VERSION:
		return LESSON_READING;
	case OPTIONS_LESSON: /* the instructor's */
		return o->words[0] && (strcmp(o->words[0], "key") == 0 ||
				       strcmp(o->words[0], "measure") == 0 ||
				       strcmp(o->words[0], "handout") == 0)
			       ? LESSON_ALL
			       : LESSON_READING;
	case OPTIONS_SESSION:
		return LESSON_GDB;
	case OPTIONS_RECORD:
		return LESSON_SLICES;
	default:
		/* where a value came from is no more than GDB could tell */
		return is_about_value ? LESSON_SLICES : LESSON_ALL;
	}
}

/* What may be used here: the folders of the program and of the files that GDB was given say it. */
static enum lesson_allow what_is_allowed(const struct options *o)
{
	enum lesson_allow a = lesson_allows(o->program ? o->program[0] : NULL, o->directory);

	for (char **w = o->words; o->command == OPTIONS_SESSION && w && *w; w++)
		if (**w != '-') {
			enum lesson_allow of_word = lesson_allows(*w, o->directory);

			a = MAX(a, of_word);
		}
	return a;
}

bool lesson_refuses(const struct options *o, GError **error)
{
	static const char *const sentences[] = {
		[LESSON_SLICES] = "explanations are refused. GDB's commands, and `why EXPR', are "
				  "allowed.",
		[LESSON_GDB] = "explanations and slices are refused. GDB's own commands are "
			       "allowed.",
		[LESSON_READING] = "debuggers are refused. Read the program, and run it.",
	};
	enum lesson_allow allows = what_is_allowed(o);

	if (allows == LESSON_ALL || allows <= allowance_needed(o))
		return false;
	options_wrong(error, "This is an examination: %s", sentences[allows]);
	return true;
}

int lesson_command(const struct options *o, GError **error)
{
	char **words = o->words;
	guint n = g_strv_length(words);

	if (!n)
		return list_lessons(o, error);
	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
		const struct action *a = &actions[i];

		if (strcmp(words[0], a->name) != 0)
			continue;
		if (n - 1 >= a->least && n - 1 <= a->most)
			return a->act(o, words + 1, error);
		options_wrong(error, "Usage: gdb-why lesson %s.", a->usage);
		return OPTIONS_EXIT_USAGE;
	}
	options_wrong(error, "`lesson %s' is not known; `gdb-why help lesson' says what there is.",
		      words[0]);
	return OPTIONS_EXIT_USAGE;
}
