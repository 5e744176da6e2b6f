/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations of random programs with one wrong operator, against the programs
 * themselves: a line whose value from outside makes the test pass has to be an
 * answer, and the value of an answer has to make it pass.  timeout: 120
 */
#include "tests/support/random-program.h"
#include "tests/support/replay.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Of programs whose fault has an effect. */
static const guint32 seeds[] = { 2, 8, 13, 29, 37, 45, 52, 57, 58, 59, 61, 64 };

struct tried {
	struct program p;
	char *folder; /* of this test */
	char *wanted;
	JsonNode *answer;
	guint32 seed;
};

/* Runs a shell command; its exit status. What it prints goes to *out (may be NULL). */
static int shell(char **out, const char *format, ...)
{
	g_autofree char *command = NULL, *errors = NULL;
	char *argv[] = { (char *)"sh", (char *)"-c", NULL, NULL };
	int status = -1;
	va_list list;

	va_start(list, format);
	command = g_strdup_vprintf(format, list);
	va_end(list);
	argv[2] = command;
	if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, out, &errors, &status,
			  NULL))
		fail_msg("cannot run a shell");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* False when the fault has no effect. */
static bool compile(struct tried *t)
{
	const char *cc = g_getenv("CC") ? g_getenv("CC") : "cc";
	g_autofree char *source = g_build_filename(t->folder, "p.c", NULL);
	g_autofree char *out = NULL;
	g_auto(GStrv) words = NULL;

	assert_true(g_file_set_contents(source, t->p.text, -1, NULL));
	assert_int_equal(shell(NULL, "cd %s && %s -w -DFORCE -o force p.c", t->folder, cc), 0);
	assert_int_equal(shell(&out, "%s/force", t->folder), 0);
	words = g_strsplit_set(out, " \n", -1);
	t->wanted = g_strdup(words[0]);
	if (strcmp(words[1], "0") == 0)
		return false;
	assert_int_equal(
		shell(NULL, "cd %s && %s -w -g -O0 -DWANTED=%s -o p p.c", t->folder, cc, t->wanted),
		0);
	return true;
}

static void explain(struct tried *t)
{
	g_autofree char *out = NULL;
	int status = shell(&out,
			   "'%s' explain --format=json --max-suspects 0 --max-size 1 --limit "
			   "slip_lines=0 -- %s/p",
			   g_getenv("WHY_BIN"), t->folder);

	if (status != 0 && status != 3)
		fail_msg("seed %u: gdb-why ended with %d", t->seed, status);
	t->answer = json_from_string(out, NULL);
	assert_non_null(t->answer);
}

/* Calls visit with each proven suspect of one statement. */
static unsigned each_single(struct tried *t,
			    bool (*visit)(struct tried *t, JsonObject *statement, void *arg),
			    void *arg)
{
	JsonArray *suspects =
		json_object_get_array_member(json_node_get_object(t->answer), "suspects");
	unsigned n = 0;

	for (guint i = 0; i < json_array_get_length(suspects); i++) {
		JsonObject *s = json_array_get_object_element(suspects, i);
		JsonArray *statements = json_object_get_array_member(s, "statements");
		const char *replay = json_object_get_string_member(s, "replay");

		if (json_array_get_length(statements) == 1 && strcmp(replay, "passes") == 0)
			n += visit(t, json_array_get_object_element(statements, 0), arg);
	}
	return n;
}

static bool is_of_line(struct tried *t, JsonObject *statement, void *line)
{
	(void)t;
	return json_object_get_int_member(statement, "line") == *(unsigned *)line;
}

/* The answer's value, given from outside, makes the program pass. */
static bool check_value(struct tried *t, JsonObject *statement, void *arg)
{
	gint64 line = json_object_get_int_member(statement, "line");
	const char *witness = json_object_get_string_member(statement, "witness");
	const char *clause = json_object_get_string_member(statement, "clause");
	bool plain;

	(void)arg;
	/* a change of the line's code, or of a part of its value */
	if (!clause || g_str_equal(clause, "an intermediate result") ||
	    g_str_has_suffix(clause, " as it is read here"))
		return false;
	if (line >= t->p.n_lines || !t->p.has_value[line] || !t->p.runs_once[line] || !witness ||
	    json_object_get_int_member(statement, "changes") != 1)
		return false;
	if (strcmp(witness, "true") == 0 || strcmp(witness, "false") == 0)
		witness = *witness == 't' ? "1" : "0";
	plain = *witness && witness[strspn(witness, "-0123456789")] == '\0';
	if (plain && shell(NULL, "%s/force %d %s", t->folder, (int)line, witness) != 0)
		fail_msg("seed %u: line %d with %s does not pass", t->seed, (int)line, witness);
	return plain;
}

struct tally {
	unsigned programs;
	unsigned values; /* of answers, that made the program pass */
	unsigned lines;	 /* that can make it pass */
	unsigned missed; /* of them, where the search said that it did not look at all */
};

/* Did the search look at all there is, and at all values? */
static bool is_exact(const struct tried *t)
{
	JsonObject *answer = json_node_get_object(t->answer);
	JsonObject *stats = json_object_get_object_member(answer, "stats");

	return json_object_get_boolean_member(answer, "complete") &&
	       json_object_get_int_member(stats, "concretized") == 0;
}

static void check_lines(struct tried *t, struct tally *tally)
{
	for (unsigned line = 1; line < t->p.n_lines; line++) {
		if (!t->p.has_value[line])
			continue;
		if (line != t->p.fault && shell(NULL, "%s/force %u", t->folder, line) != 0)
			continue;
		tally->lines++;
		if (each_single(t, is_of_line, &line))
			continue;
		tally->missed++;
		if (is_exact(t))
			fail_msg("seed %u: line %u can make the test pass, and is no answer",
				 t->seed, line);
	}
}

static void check_program(guint32 seed, struct tally *tally)
{
	struct tried t = { .folder = support_folder(), .seed = seed };

	program_make(&t.p, seed);
	if (compile(&t)) {
		explain(&t);
		tally->programs++;
		tally->values += each_single(&t, check_value, NULL);
		check_lines(&t, tally);
		json_node_unref(t.answer);
	}
	g_free(t.wanted);
	program_clear(&t.p);
	support_forget_folder(t.folder);
}

static void answers_to_random_programs_are_right_and_complete(void **state)
{
	(void)state;
	struct tally tally = { 0 };
	const char *thorough = g_getenv("THOROUGH");
	const guint n = G_N_ELEMENTS(seeds) / (thorough && *thorough ? 1 : 2);

	for (guint i = 0; i < n; i++)
		check_program(seeds[i], &tally);
	assert_true(tally.programs > n / 2);
	assert_true(tally.values > 2 * tally.programs);
	assert_true(tally.lines > 3 * tally.programs);
	assert_true(20 * tally.missed <= tally.lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_to_random_programs_are_right_and_complete),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
