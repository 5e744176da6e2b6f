/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges a mended program by the hidden tests and the lesson's invariant. */
#include "gdbext/lesson/grade/grade.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* What a student hands in is at most so long (a lesson has some hundred lines); a line of the page
 * shows so many letters of it. */
enum { SOURCE_MOST = 256 << 10, LINE_MOST = 120 };

/* What keeps a text from being compiled at all; NULL = nothing.  Free it. */
static char *forbidden_part_of(const char *text)
{
	static const struct {
		const char *pattern, *why;
	} rules[] = {
		{ "^[ \t]*#[ \t]*(include|include_next|import|embed)\\b(?![ \t]*<[a-z_/]+\\.h>)",
		  "it includes something that is no header of the system" },
		{ "\\b(__)?asm(__)?\\b|\\bincbin\\b", "it has assembly in it" },
		{ "__attribute__|%:|\\?\\?=|\\\\[ \t]*$",
		  "it has an attribute, a digraph or a line that goes on in the next one" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (g_regex_match_simple(rules[i].pattern, text, G_REGEX_MULTILINE, 0))
			return g_strdup(rules[i].why);
	return NULL;
}

/* The program as it is now; NULL with what is wrong with it in *said. */
static char *read_mended_program(const struct lesson_student *s, char **said)
{
	g_autofree char *path = g_build_filename(s->folder, "program.c", NULL), *text = NULL;
	GStatBuf st;
	gsize n;

	if (g_lstat(path, &st) || !S_ISREG(st.st_mode))
		*said = g_strdup("there is no program.c");
	else if (st.st_size > SOURCE_MOST)
		*said = g_strdup("program.c is far too long");
	else if (!g_file_get_contents(path, &text, &n, NULL) || strlen(text) != n)
		*said = g_strdup("program.c cannot be read as text");
	else
		*said = forbidden_part_of(text);
	return *said ? NULL : g_steal_pointer(&text);
}

static GPtrArray *assertions_of(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(g_strstrip(*line), "assert("))
			g_ptr_array_add(all, g_strdup(*line));
	return all;
}

/* The lesson's invariant: what the program checks, it still checks. */
static bool check_invariant(struct lesson_grade *g, const struct lesson_variant *v,
			    const char *text)
{
	g_autofree char *given = lesson_rename(v, v->program);
	g_autoptr(GPtrArray) before = assertions_of(given), after = assertions_of(text);

	for (guint i = 0; i < before->len; i++) {
		guint at;

		if (g_ptr_array_find_with_equal_func(after, before->pdata[i], g_str_equal, &at)) {
			g_ptr_array_remove_index(after, at);
			continue;
		}
		lesson_grade_check(g, "invariant", false, "a check of the program is gone");
		lesson_grade_say(g,
				 "The program no longer checks `%s': mend the fault, not the "
				 "check.",
				 (char *)before->pdata[i]);
		return false;
	}
	lesson_grade_check(g, "invariant", true, NULL);
	return true;
}

static char *how_it_ended(const struct lesson_end *end)
{
	if (end->kind == LESSON_TIMED_OUT)
		return g_strdup("it does not end");
	if (end->kind == LESSON_SIGNALLED)
		return g_strdup_printf("signal %d ends it", end->number);
	return g_strdup_printf("its exit status is %d", end->number);
}

static char *first_line(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	char *line = g_strndup(valid, MIN(strcspn(valid, "\n"), LINE_MOST));

	for (char *c = line; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = '?';
	return line;
}

/* Why a run is not as it should be; NULL = it is. */
static char *difference_of_ends(const struct lesson_end *is, const struct lesson_end *want)
{
	g_autofree char *ended = how_it_ended(is), *got = NULL, *should = NULL;

	if (is->kind != LESSON_EXITED || is->number != want->number)
		return g_steal_pointer(&ended);
	if (strcmp(is->out, want->out) == 0)
		return NULL;
	got = first_line(is->out);
	should = first_line(want->out);
	return strcmp(got, should)
		       ? g_strdup_printf("it prints `%s', and should print `%s'", got, should)
		       : g_strdup("its output is right at first, but not to the end");
}

static char *join_command_words(char *const *words)
{
	g_autofree char *all = g_strjoinv(" ", (char **)words);

	return g_strdup(*all ? all : "no arguments");
}

static bool run_mended_tests(struct lesson_grade *g, struct lesson_runs *r,
			     const struct lesson_variant *v, const char *program,
			     const struct lesson_expected *x, double seconds, unsigned *passed,
			     GError **error)
{
	bool told = false;

	for (unsigned i = 0; i < x->n; i++) {
		const struct lesson_test *t = v->tests->pdata[i];
		g_autofree char *why = NULL, *words = join_command_words(t->words);
		struct lesson_end end;
		bool late;

		if (!lesson_run(r, program, t->words, seconds, &end, error))
			return false;
		why = difference_of_ends(&end, &x->ends[i]);
		late = end.kind == LESSON_TIMED_OUT;
		lesson_end_clear(&end);
		lesson_grade_check(g, t->name, !why, why);
		*passed += !why;
		if (why && !told)
			lesson_grade_say(g, "With %s, %s.", words, why);
		told |= why != NULL;
		if (late) /* the others would take as long */
			break;
	}
	return true;
}

static void judge_program(struct lesson_grade *g, const struct lesson_variant *v, bool invariant,
			  unsigned passed, unsigned n)
{
	g_autofree char *final = lesson_say(v, v->lesson->final);

	g->verdict = passed == n && invariant ? LESSON_RIGHT : LESSON_WRONG;
	g->points = g->verdict == LESSON_RIGHT ? 100 : 0;
	if (g->verdict == LESSON_RIGHT) {
		lesson_grade_say(g,
				 "All %u hidden tests pass, and the program checks what it "
				 "checked.",
				 n);
		if (*final)
			lesson_grade_say(g, "The last question: %s", final);
	} else {
		lesson_grade_say(g, "%u of %u hidden tests pass.", passed, n);
	}
}

bool lesson_grade_mended(struct lesson_grade *g, struct lesson_runs *r,
			 const struct lesson_variant *v, const struct lesson_student *s,
			 const struct lesson_expected *x, double seconds, GError **error)
{
	const char *folder = lesson_runs_folder(r);
	g_autofree char *source = g_build_filename(folder, "program.c", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	g_autofree char *said = NULL, *text = read_mended_program(s, &said);
	g_autofree char *given = lesson_rename(v, v->program);
	unsigned passed = 0;
	bool invariant;

	g->verdict = LESSON_WRONG;
	if (text && strcmp(text, given) == 0)
		said = g_strdup("program.c is as it was given out");
	if (!said && !g_file_set_contents(source, text, -1, error))
		return false;
	if (!said && !lesson_compile(r, source, program, v->lesson->cflags, &said, error) && !said)
		return false;
	if (said) {
		g_autofree char *line = first_line(said);

		lesson_grade_check(g, "compiles", false, line);
		lesson_grade_say(g, "The program was not run: %s.", line);
		return true;
	}
	lesson_grade_check(g, "compiles", true, NULL);
	invariant = check_invariant(g, v, text);
	if (!run_mended_tests(g, r, v, program, x, seconds, &passed, error))
		return false;
	judge_program(g, v, invariant, passed, x->n);
	return true;
}
