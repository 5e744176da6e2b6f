/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The panel's command at a terminal of this test's own.  The gdb-why that explains, asks and tries
 * is a fake: this program itself, started as such.  timeout: 120
 */
#include "gdbext/command/panel/panel.h"
#include "gdbext/command/regress.h"
#include "gdbext/command/session.h"
#include "gdbext/ipc/event.h"
#include "gdbext/lesson/student.h"
#include "gdbext/lesson/variant.h"
#include "tests/support/explain.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the fake ---- */

static void say(struct event e)
{
	event_write(3, &e);
}

static int end(int status)
{
	say((struct event){ .kind = EVENT_END, .status = status });
	return status;
}

static int answer(const char *text, const char *ends)
{
	say((struct event){ .kind = EVENT_RESULT, .text = text, .ends = ends });
	return end(0);
}

static int explain(const char *program)
{
	struct explanation *e = explain_paper();

	if (strcmp(program, "./refused") == 0) {
		say((struct event){
			.kind = EVENT_FAILURE, .status = 1, .text = "It did not fail." });
		return end(1);
	}
	say((struct event){ .kind = EVENT_FOUND, .answer = e });
	if (strcmp(program, "./slow") == 0)
		pause();
	say((struct event){ .kind = EVENT_RESULT, .answer = e });
	say((struct event){
		.kind = EVENT_OUTPUT, .name = "standard error", .text = "what it printed\n" });
	explanation_free(e);
	return end(0);
}

static int ask(const char *question)
{
	if (strstr(question, "slow"))
		pause();
	if (strstr(question, "not")) {
		struct explanation *e = explain_paper();

		say((struct event){ .kind = EVENT_RESULT, .answer = e });
		explanation_free(e);
		return end(0);
	}
	if (strstr(question, "bad")) {
		say((struct event){
			.kind = EVENT_FAILURE, .status = 2, .text = "It cannot be asked." });
		return end(2);
	}
	return answer("b = 1, it was assigned\n", NULL);
}

/* The word behind it tells what to do; all words go into a file. */
static int fake(int argc, char **argv)
{
	g_autofree char *line = g_strjoinv(" ", argv + 1);
	FILE *log = fopen("words", "a");
	int i = 1;

	fprintf(log, "%s\n", line);
	fclose(log);
	while (i < argc - 1 && strcmp(argv[i], "--") != 0)
		i++;
	if (strcmp(argv[1], "explain") == 0)
		return explain(argv[i + 1]);
	if (strcmp(argv[1], "ask") == 0)
		return ask(argv[i - 1]);
	if (strcmp(argv[1], "lesson") == 0) {
		puts("That line is not the fault.");
		return 1;
	}
	return answer("p.c:10: b = 0\nit passes (exit status 0)\n", "passes");
}

/* ---- the panel ---- */

struct terminal {
	pid_t pid;
	int fd;
	GString *said;
	size_t seen;
};

static int run(const char *line)
{
	g_auto(GStrv) words = NULL;
	GError *error = NULL;
	struct options o;
	int n, status = 99;

	g_shell_parse_argv(line, &n, &words, NULL);
	g_autofree char **given = g_memdup2(words, sizeof(*words) * (size_t)(n + 1));
	char **argv = given;
	if (options_parse(&n, &argv, &o, &error)) {
		status = o.command == OPTIONS_PANEL	? panel_command(&o, &error)
			 : o.command == OPTIONS_REGRESS ? regress_command(&o, &error)
							: session_command(&o, &error);
		options_clear(&o);
	}
	if (error)
		fprintf(stderr, "%s\n", error->message);
	g_clear_error(&error);
	return status;
}

static void begin(struct terminal *t, const char *line)
{
	struct winsize size = { .ws_row = 40, .ws_col = 120 };

	fflush(NULL);
	unlink("words");
	t->said = g_string_new(NULL);
	t->seen = 0;
	t->pid = forkpty(&t->fd, NULL, NULL, &size);
	assert_true(t->pid >= 0);
	if (!t->pid) {
		g_setenv("TERM", "xterm", TRUE);
		setlocale(LC_ALL, "");
		exit(run(line));
	}
}

enum { PATIENCE_S = 120 };

/* Curses sends only the cells that differ from what stands there; another size makes it send all
 * of them. */
static void ask_for_all(struct terminal *t)
{
	struct winsize size;

	ioctl(t->fd, TIOCGWINSZ, &size);
	size.ws_row ^= 1;
	ioctl(t->fd, TIOCSWINSZ, &size);
}

/* Until the text stands behind what was seen before. */
static void see(struct terminal *t, const char *text)
{
	gint64 late = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
	char bytes[4096];
	const char *at;

	while (!(at = strstr(t->said->str + t->seen, text))) {
		struct pollfd p = { t->fd, POLLIN, 0 };
		bool any = poll(&p, 1, 1000) > 0;
		ssize_t n = any ? read(t->fd, bytes, sizeof bytes) : 0;

		if (!any)
			ask_for_all(t);
		if (n < 0 || g_get_monotonic_time() > late)
			fail_msg("`%s' never came: %s", text, t->said->str + t->seen);
		for (ssize_t i = 0; i < n; i++)
			if (bytes[i])
				g_string_append_c(t->said, bytes[i]);
	}
	t->seen = (size_t)(at - t->said->str) + strlen(text);
}

/* What is typed, and what comes of it. */
struct step {
	const char *keys, *sight;
};

static void follow(struct terminal *t, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (steps[i].keys)
			assert_int_equal(write(t->fd, steps[i].keys, strlen(steps[i].keys)),
					 (ssize_t)strlen(steps[i].keys));
		if (steps[i].sight)
			see(t, steps[i].sight);
	}
}

/* What stands in the file. */
static char *text_of(const char *name)
{
	char *text = NULL;

	return g_file_get_contents(name, &text, NULL, NULL) ? text : g_strdup("");
}

static void finish(struct terminal *t, int expected)
{
	char bytes[4096];
	int status;

	while (read(t->fd, bytes, sizeof bytes) > 0)
		;
	assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
		fail_msg("status %x: %s", (unsigned)status, t->said->str);
	close(t->fd);
	g_string_free(t->said, TRUE);
}

static void asks_and_tries(void **state)
{
	static const struct step steps[] = {
		{ NULL, "2 explanations" },
		{ "=\025b = 0\r", "b = 0: passes" },
		{ "f", "turned: passes" },
		{ "w\025b\r", "> why b" },
		{ NULL, "it was assigned" },
		{ "w\025b at 9\r", "> why b" },
		{ "w\025bad\r", "It cannot be asked." },
		{ "W\025b == 0\r", "> why not b == 0" },
		{ "w\025--spec 'x\r", "quote" },
		{ "m\025looks wrong\r", NULL },
		{ "e\025answer.html\r", "written" },
		{ "e\025answer.xyz\r", "the name says the format" },
		{ "e\025/no/answer.txt\r", "cannot be written" },
		{ "\003", "nothing is running" },
		{ "w\025slow\r", "why slow" },
		{ "w\025b\r", "is still being answered" },
		{ "\003", "nterrupted" },
		{ "q", NULL },
	};
	struct terminal t;
	g_autofree char *words = NULL, *page = NULL;

	(void)state;
	begin(&t, "gdb-why panel --color never --max-runs 9 -- ./p 0 0");
	follow(&t, steps, G_N_ELEMENTS(steps));
	finish(&t, 0);
	words = text_of("words");
	page = text_of("answer.html");
	assert_non_null(
		strstr(words, "explain --events=3 --color=never --max-runs=9 -- ./p 0 0\n"));
	assert_non_null(strstr(words, "--at=p.c:9 "));
	assert_non_null(strstr(words, "why b -- ./p 0 0\n"));
	assert_non_null(strstr(words, "try --events=3 --set=b = 0 --a"));
	assert_non_null(strstr(words, "--flip="));
	assert_non_null(strstr(page, "<html"));
	assert_non_null(strstr(page, "looks wrong (noted by hand)"));
}

/* What is left for GDB to do. */
static void leaves_commands(void **state)
{
	static const struct step goes[] = { { NULL, "2 explanations" },
					    { "b", NULL },
					    { "s", NULL } };
	static const struct step runs[] = { { NULL, "2 explanations" }, { "\033[15~", NULL } };
	struct terminal t;
	g_autofree char *place = NULL, *run_again = NULL;

	(void)state;
	begin(&t, "gdb-why panel -o place -- ./p 0 0");
	follow(&t, goes, G_N_ELEMENTS(goes));
	finish(&t, 0);
	place = text_of("place");
	assert_non_null(strstr(place, "break "));
	assert_non_null(strstr(place, "\ntbreak "));
	begin(&t, "gdb-why panel -o place -- ./p 0 0");
	follow(&t, runs, G_N_ELEMENTS(runs));
	finish(&t, 0);
	run_again = text_of("place");
	assert_string_equal(run_again, "run\n");
}

static void tells_what_went_wrong(void **state)
{
	static const struct step refused[] = { { NULL, "It did not fail." },
					       { "e\025x.txt\r", "there is no answer yet" },
					       { "q", NULL } };
	static const struct step slow[] = { { NULL, "p.c" },
					    { "\003", "nterrupted" },
					    { "q", NULL } };
	static const struct step quits[] = { { NULL, "p.c" }, { "q", NULL } };
	struct terminal t;

	(void)state;
	begin(&t, "gdb-why panel -- ./refused");
	follow(&t, refused, G_N_ELEMENTS(refused));
	finish(&t, 0);
	begin(&t, "gdb-why panel -- ./slow");
	follow(&t, slow, G_N_ELEMENTS(slow));
	finish(&t, 0);
	begin(&t, "gdb-why panel -- ./slow");
	follow(&t, quits, G_N_ELEMENTS(quits));
	finish(&t, 0);
	begin(&t, "gdb-why panel -o /proc/place -- ./p");
	follow(&t, quits, G_N_ELEMENTS(quits));
	finish(&t, 2);
}

/* GDB's own batch, by the command line of a session. */
static void runs_sessions(void **state)
{
	struct terminal t;

	(void)state;
	test_need("gdb");
	begin(&t, "gdb-why -batch -nx -ex 'print 6*7'");
	see(&t, "= 42");
	finish(&t, 0);
	begin(&t, "gdb-why -tui ./p");
	see(&t, "a session has its own prompt");
	finish(&t, 2);
}

/* The lesson's program is in the folder; what is expected of the answer is asked first. */
static void helps_in_lessons(void **state)
{
	static const struct step steps[] = {
		{ NULL, "which value there?" },
		{ "p.c:10, b = 0\r", "in explanation 1 of 2" },
		{ "H\r", "the hint stands below the task" },
		{ "H\r", "the hint stands below the task" },
		{ "a\r", "the fault is in program.c" },
		{ "c", "That line is not the fault." },
		{ "q", NULL },
	};
	struct lesson *lesson = lesson_find("infection", NULL);
	struct lesson_variant *variant = lesson ? lesson_vary(lesson, "1", NULL) : NULL;
	struct lesson_student *student;
	struct terminal t;

	(void)state;
	assert_non_null(variant);
	assert_true(lesson_student_start(variant, "student", "", NULL, LESSON_ALL, NULL));
	begin(&t, "gdb-why panel -- student/program 0 0");
	follow(&t, steps, G_N_ELEMENTS(steps));
	finish(&t, 0);
	student = lesson_student_open("student", NULL);
	assert_non_null(student);
	assert_int_equal(lesson_student_hints(student), 2);
	assert_string_equal(lesson_student_latest(student, "expected"), "p.c:10, b = 0");
	assert_non_null(lesson_student_latest(student, "saw"));
	lesson_student_free(student);
	lesson_variant_free(variant);
	lesson_free(lesson);
}

static void make_version(const char *name, const char *change)
{
	g_autofree char *file = g_build_filename(name, "v.c", NULL);
	g_autofree char *text = g_strdup_printf("#include <assert.h>\n"
						"static int add(int a)\n"
						"{\n"
						"	return a + %s;\n"
						"}\n"
						"int main(void)\n"
						"{\n"
						"	int sum = add(1);\n"
						"	assert(sum == 3);\n"
						"	return 0;\n"
						"}\n",
						change);

	assert_int_equal(g_mkdir(name, 0700), 0);
	assert_true(g_file_set_contents(file, text, -1, NULL));
}

#define REGRESS "gdb-why regress --color never --old old --new new --build 'gcc -g -O0 -o v v.c' "

static void shows_regressions(void **state)
{
	static const struct step steps[] = { { NULL, "before 3" },
					     { "e\025way.html\r", "way.html" },
					     { "b", NULL },
					     { "s", NULL } };
	struct terminal t;

	(void)state;
	test_need("gdb");
	make_version("old", "2");
	make_version("new", "4");
	begin(&t, REGRESS "--test ./v");
	see(&t, "v.c:4");
	finish(&t, 0);
	begin(&t, REGRESS "-o /no/answer --test ./v");
	see(&t, "cannot be written");
	finish(&t, 2);
	begin(&t, REGRESS "--panel --run ./v");
	follow(&t, steps, G_N_ELEMENTS(steps));
	finish(&t, 0);
}

static int make_folder(void **state)
{
	g_autofree char *here = g_get_current_dir();
	g_autofree char *lessons = g_build_filename(here, "samples/lessons", NULL);
	char *folder = test_folder_new();

	*state = folder;
	g_setenv("GDB_WHY_LESSONS", lessons, TRUE);
	g_setenv("HOME", folder, TRUE);
	g_setenv("GDB_WHY_AGENT", g_getenv("WHY_AGENT") ? g_getenv("WHY_AGENT") : "", TRUE);
	return chdir(folder);
}

static int remove_folder(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_and_tries),	 cmocka_unit_test(leaves_commands),
		cmocka_unit_test(tells_what_went_wrong), cmocka_unit_test(runs_sessions),
		cmocka_unit_test(shows_regressions),	 cmocka_unit_test(helps_in_lessons),
	};

	if (argc > 1)
		return fake(argc, argv);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
