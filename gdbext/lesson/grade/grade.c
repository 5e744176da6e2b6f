/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/grade.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { [LESSON_RIGHT] = "right",
				     [LESSON_PARTIAL] = "partly right",
				     [LESSON_WRONG] = "wrong",
				     [LESSON_EMPTY] = "no answer" };

const char *lesson_verdict_word(enum lesson_verdict v)
{
	return words[v];
}

static void check_clear(gpointer p)
{
	struct lesson_check *c = p;

	g_free(c->name);
	g_free(c->said);
}

struct lesson_grade *lesson_grade_new(const struct lesson_variant *v,
				      const struct lesson_student *s)
{
	struct lesson_grade *g = g_new0(struct lesson_grade, 1);

	g->lesson = g_strdup(v->lesson->name);
	g->seed = g_strdup(v->seed);
	g->answer = g_strdup("");
	g->verdict = LESSON_EMPTY;
	g->hints = lesson_student_hints(s);
	g->feedback = g_strdup("");
	g->checks = g_array_new(FALSE, FALSE, sizeof(struct lesson_check));
	g_array_set_clear_func(g->checks, check_clear);
	return g;
}

void lesson_grade_free(struct lesson_grade *g)
{
	if (!g)
		return;
	g_free(g->lesson);
	g_free(g->seed);
	g_free(g->answer);
	g_free(g->feedback);
	g_array_unref(g->checks);
	g_free(g);
}

void lesson_grade_check(struct lesson_grade *g, const char *name, bool passed, const char *said)
{
	struct lesson_check c = { g_strdup(name), passed, g_strdup(said ? said : "") };

	g_array_append_val(g->checks, c);
}

void lesson_grade_say(struct lesson_grade *g, const char *format, ...)
{
	g_autofree char *before = g->feedback, *line = NULL;
	va_list args;

	va_start(args, format);
	line = g_strdup_vprintf(format, args);
	va_end(args);
	g->feedback = g_strconcat(before, line, "\n", NULL);
}

unsigned lesson_hint_price(unsigned n)
{
	static const unsigned prices[LESSON_HINTS + 1] = { 0, 5, 15, 30 };

	return n <= LESSON_HINTS ? prices[n] : 0;
}

unsigned lesson_grade_points(const struct lesson_grade *g)
{
	unsigned price = 0;

	for (unsigned i = 1; i <= g->hints; i++)
		price += lesson_hint_price(i);
	return g->points > price ? g->points - price : 0;
}

/* --- the answer --- */

/* The nearest line of the program as it was given out that reads so; 0 = none. */
static unsigned line_by_text(const char *program, const char *text, unsigned near)
{
	g_auto(GStrv) lines = g_strsplit(program, "\n", -1);
	unsigned found = 0;

	for (unsigned i = 0; lines[i]; i++) {
		unsigned number = i + 1;
		unsigned far = found > near ? found - near : near - found;
		unsigned here = number > near ? number - near : near - number;

		if (strcmp(g_strstrip(lines[i]), text) == 0 && (!found || here < far))
			found = number;
	}
	return found;
}

static bool as_long(const char *a, const char *b)
{
	g_auto(GStrv) x = g_strsplit(a, "\n", -1), y = g_strsplit(b, "\n", -1);

	return g_strv_length(x) == g_strv_length(y);
}

static bool add_answered_line(const struct lesson_variant *v, const char *now, unsigned line,
			      GArray *to, GError **error)
{
	g_autofree char *given = lesson_rename(v, v->program);
	g_autofree char *text = now ? lesson_line_text(now, line) : NULL;
	g_autofree char *was = lesson_line_text(given, line);
	unsigned at = line;

	if (text && strcmp(text, was) != 0)
		at = *text ? line_by_text(given, text, line) : 0;
	/* a line that was mended stands where it stood */
	if (!at && *was && as_long(given, now))
		at = line;
	if (at && *(text ? text : was)) {
		g_array_append_val(to, at);
		return true;
	}
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_ANSWER,
		    "Line %u of program.c is empty, or not one of the program as it was given out; "
		    "answer with one of those, or with --fix for a mended program.",
		    line);
	return false;
}

static bool read_answer_place(const char *word, unsigned *line, GError **error)
{
	const char *colon = strrchr(word, ':');
	guint64 n = 0;
	bool known = !colon || g_str_has_prefix(word, "program.c:") ||
		     g_str_has_prefix(word, "./program.c:");

	if (known &&
	    g_ascii_string_to_unsigned(colon ? colon + 1 : word, 10, 1, G_MAXUINT32, &n, NULL)) {
		*line = (unsigned)n;
		return true;
	}
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_ANSWER,
		    "`%s' names no line; answer with program.c:LINE, as in program.c:20.", word);
	return false;
}

static gint by_line_number(gconstpointer a, gconstpointer b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

GArray *lesson_answer_lines(const struct lesson_variant *v, const struct lesson_student *s,
			    const char *answer, GError **error)
{
	g_autofree char *path = g_build_filename(s->folder, "program.c", NULL), *now = NULL;
	g_auto(GStrv) places = g_strsplit(answer, " ", -1);
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(unsigned));

	g_file_get_contents(path, &now, NULL, NULL);
	for (char **place = places; *place; place++) {
		unsigned line;

		if (**place && (!read_answer_place(*place, &line, error) ||
				!add_answered_line(v, now, line, all, error)))
			return NULL;
	}
	g_array_sort(all, by_line_number);
	for (guint i = all->len; i > 1; i--)
		if (g_array_index(all, unsigned, i - 1) == g_array_index(all, unsigned, i - 2))
			g_array_remove_index(all, i - 1);
	return g_steal_pointer(&all);
}

/* --- all of it --- */

static char *hidden_cache(void)
{
	g_autofree char *folder = lesson_truth_folder();
	char *real;

	g_mkdir_with_parents(folder, 0700);
	real = realpath(folder, NULL);
	return real ? real : g_strdup(folder);
}

static char *parent_folder_of(const struct lesson *l)
{
	g_autofree char *parent = g_path_get_dirname(l->folder);
	char *real = realpath(parent, NULL);

	return real ? real : g_strdup(parent);
}

static bool grade_fix(struct lesson_grade *g, const char *const *hidden,
		      const struct lesson_variant *v, const struct lesson_student *s,
		      double seconds, GError **error)
{
	struct lesson_runs *r = lesson_runs_new(NULL, error);
	struct lesson_expected *x = r ? lesson_expect(r, v, error) : NULL;
	bool ok = x != NULL;

	/* the golden program is gone before anything of the student's runs */
	lesson_runs_free(r);
	r = ok ? lesson_runs_new(hidden, error) : NULL;
	ok = r && lesson_grade_mended(g, r, v, s, x, seconds, error);
	lesson_runs_free(r);
	lesson_expected_free(x);
	return ok;
}

static bool grade_lines(struct lesson_grade *g, const struct lesson_variant *v,
			const struct lesson_student *s, const struct lesson_search *how,
			GError **error)
{
	g_autoptr(GArray) lines = lesson_answer_lines(v, s, g->answer, error);
	struct lesson_runs *r = lines ? lesson_runs_new(NULL, error) : NULL;
	struct lesson_truth *t = r ? lesson_truth_find(r, v, how, error) : NULL;

	if (t)
		lesson_grade_lines(g, v, t, lines);
	lesson_runs_free(r);
	lesson_truth_free(t);
	return t != NULL;
}

struct lesson_grade *lesson_grade(const struct lesson_student *s, const struct lesson_search *how,
				  double run_seconds, GError **error)
{
	struct lesson *l = lesson_find(s->word, error);
	struct lesson_variant *v = l ? lesson_vary(l, s->seed, error) : NULL;
	struct lesson_grade *g = v ? lesson_grade_new(v, s) : NULL;
	const char *answer = lesson_student_latest(s, "answer");
	g_autofree char *cache = hidden_cache();
	g_autofree char *course = l ? parent_folder_of(l) : NULL;
	const char *const hidden[] = { course, cache, NULL };
	bool ok = g != NULL;

	if (ok && answer && *answer) {
		g_free(g->answer);
		g->answer = g_strdup(answer);
		ok = strcmp(answer, "--fix") == 0 ? grade_fix(g, hidden, v, s, run_seconds, error)
						  : grade_lines(g, v, s, how, error);
	} else if (ok) {
		lesson_grade_check(g, "answer", false, "nothing was answered");
		lesson_grade_say(g,
				 "Nothing was answered yet: gdb-why lesson answer program.c:LINE.");
	}
	lesson_variant_free(v);
	lesson_free(l);
	if (ok)
		return g;
	lesson_grade_free(g);
	return NULL;
}
