/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The session around a real GDB, in this process's children, without and with a terminal.  The
 * gdb-why that answers is a fake: this program itself, started as `ask', `try' or `panel', which
 * says what the question's words tell it to.  timeout: 120
 */
#include "gdbext/ipc/event.h"
#include "gdbext/session/internal.h"
#include "tests/support/explain.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the fake ---- */

/* The value of an option of the command line; NULL: it is not there. */
static const char *option_of(char **argv, const char *name)
{
	for (; *argv && strcmp(*argv, "--") != 0; argv++)
		if (strcmp(*argv, name) == 0)
			return argv[1];
	return NULL;
}

static const char *question_of(char **argv)
{
	const char *last = "";

	for (; *argv && strcmp(*argv, "--") != 0; argv++)
		last = *argv;
	return last;
}

static void say(struct event e)
{
	event_write(3, &e);
}

static int end(int status)
{
	say((struct event){ .kind = EVENT_END, .status = status });
	return status;
}

static int refuse(const char *text, bool about_record)
{
	say((struct event){
		.kind = EVENT_FAILURE, .status = 2, .text = text, .about_record = about_record });
	return end(2);
}

static int answer_suspects(void)
{
	struct explanation *e = explain_paper();

	say((struct event){ .kind = EVENT_PROGRESS, .stage = EVENT_SOLVE });
	say((struct event){ .kind = EVENT_FOUND, .answer = e });
	say((struct event){ .kind = EVENT_PROGRESS, .stage = EVENT_PROVE, .runs = 1 });
	say((struct event){ .kind = EVENT_RESULT, .answer = e });
	explanation_free(e);
	return end(0);
}

/* Until it is interrupted; what it has found is told before. */
static void answer_slowly(void)
{
	struct explanation *e = explain_paper();

	say((struct event){ .kind = EVENT_FOUND, .answer = e });
	explanation_free(e);
	for (;;)
		pause();
}

/* What the words of the command line were stands in the folder, for tests to look at. */
static void note_words(char **argv)
{
	g_autofree char *line = g_strjoinv(" ", argv);
	FILE *log = fopen(g_getenv("SESSION_WORDS"), "a");

	if (log) {
		fprintf(log, "%s\n", line);
		fclose(log);
	}
}

static void keep_record(const char *file)
{
	FILE *out = fopen(file, "w");

	if (out) {
		fputs("a record", out);
		fclose(out);
	}
}

static int ask_fake(char **argv)
{
	const char *question = question_of(argv), *save = option_of(argv, "--save-record");
	g_autofree char *text = g_strdup_printf("%s = 1 at t.c:9\n", question);

	say((struct event){ .kind = EVENT_PROGRESS, .stage = EVENT_RECORD });
	if (save)
		keep_record(save);
	if (strstr(question, "bad"))
		return refuse("It cannot be asked.", false);
	if (strstr(question, "stale") && option_of(argv, "--record"))
		return refuse("The record is no good.", true);
	if (strstr(question, "dies")) {
		signal(SIGSEGV, SIG_DFL); /* a sanitizer would make it an exit */
		raise(SIGSEGV);
	}
	if (strstr(question, "slow"))
		answer_slowly();
	if (strcmp(question, "why") == 0 || g_str_has_prefix(question, "why not "))
		return answer_suspects();
	say((struct event){ .kind = EVENT_RESULT, .text = text });
	return end(0);
}

static int fake(char **argv)
{
	const char *output = option_of(argv, "-o");

	note_words(argv + 1);
	if (strcmp(argv[1], "ask") == 0)
		return ask_fake(argv);
	if (strcmp(argv[1], "panel") == 0)
		return !g_file_set_contents(output, "break 9\nprint 4321\n", -1, NULL);
	say((struct event){
		.kind = EVENT_RESULT, .text = "it passes (exit status 0)\n", .ends = "passes" });
	return end(0);
}

/* ---- sessions ---- */

static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "static int grand_total;\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	char line[64] = \"\";\n"
			     "	puts(argv[0] ? \"hello\" : \"\");\n"
			     "	for (int i = 0; i < 3; i++)\n"
			     "		grand_total += i;\n"
			     "	if (!fgets(line, sizeof line, stdin))\n"
			     "		grand_total--;\n"
			     "	printf(\"read %s\\n\", line);\n"
			     "	assert(grand_total == 100 && argc < 5);\n"
			     "	return 0;\n"
			     "}\n";

/* In a child: never comes back. */
static void run_session(const char *folder, const char *const *commands, bool batch)
{
	static const char *const args[] = { "-q", "-nx", "--args", "./t", "one", NULL };
	struct session_options o = { .gdb_args = args, .commands = commands, .batch = batch };
	g_autofree char *words = g_build_filename(folder, "words", NULL);
	GError *error = NULL;
	int status = 0;

	if (chdir(folder))
		exit(99);
	g_setenv("HOME", folder, TRUE);
	g_setenv("SESSION_WORDS", words, TRUE);
	if (!session_run(&o, &status, &error))
		fprintf(stderr, "%s\n", error->message);
	fflush(NULL);
	_exit(error ? 98 : status); /* what the test had allocated is no leak */
}

/* What a session without a terminal says, both streams together. */
static char *say_batch(const char *folder, int expected, const char *const *commands,
		       const char *input)
{
	g_autofree char *name = g_build_filename(folder, "said", NULL);
	g_autofree char *in = g_build_filename(folder, "in", NULL);
	char *text = NULL;
	int status;
	pid_t pid;

	assert_true(g_file_set_contents(in, input ? input : "", -1, NULL));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(open(in, O_RDONLY), 0);
		dup2(open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
		dup2(1, 2);
		run_session(folder, commands, !input);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(g_file_get_contents(name, &text, NULL, NULL));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
		fail_msg("status %x: %s", (unsigned)status, text);
	return text;
}

/* Each of these stands in the text, one behind the other. */
static void assert_says(const char *text, const char *const *parts)
{
	const char *at = text;

	for (; *parts; parts++) {
		const char *next = strstr(at, *parts);

		if (!next)
			fail_msg("`%s' is missing in: %s", *parts, text);
		at = next + strlen(*parts);
	}
}

#define BATCH(status, ...) \
	say_batch(*state, status, (const char *const[]){ __VA_ARGS__, NULL }, NULL)
#define ASSERT_SAYS(text, ...) assert_says(text, (const char *const[]){ __VA_ARGS__, NULL })

static char *words_said(const char *folder)
{
	g_autofree char *name = g_build_filename(folder, "words", NULL);
	char *text = NULL;

	if (!g_file_get_contents(name, &text, NULL, NULL))
		return g_strdup("");
	unlink(name);
	return text;
}

static void answers_in_order(void **state)
{
	g_autofree char *text =
		BATCH(0, "run", "why", "suspects", "chain 1", "chain 9", "print 1234", "why total",
		      "export tree.txt", "export tree.html", "why", "export answer.json",
		      "export answer.doc", "export /no/x.txt");
	g_autofree char *words = words_said(*state);

	ASSERT_SAYS(text, "hello", "Assertion", "2 explanations", "p.c:1", "p.c:1",
		    "Which suspect?", "= 1234", "why total = 1 at t.c:9", "Wrote tree.txt.",
		    "are exported as .txt.", "2 explanations", "Wrote answer.json.",
		    "Export where?", "/no/x.txt cannot be written");
	ASSERT_SAYS(words, "ask --events=3 --save-record", " why -- ", "/t one\n",
		    "ask --events=3 --record", " why total -- ", "/t\n");
}

static void complains(void **state)
{
	g_autofree char *text =
		BATCH(1, "suspects", "export x.txt", "flip 1", "panel", "what-if x", "why bad",
		      "why dies", "run", "why stale", "help why", "nosuch");
	g_autofree char *words = words_said(*state);

	ASSERT_SAYS(text, "There is no answer yet", "There is no answer yet",
		    "There is no answer yet", "The panel needs a terminal.", "What if what?",
		    "It cannot be asked.",
		    "The analysis was ended by a signal (Segmentation fault).", "Assertion",
		    "why stale = 1", "why: why did this fail?", "Undefined command: \"nosuch\"");
	/* before the run, the end of the run is meant */
	ASSERT_SAYS(words, "--at exit", "why bad --", "why stale");
}

static void asks_anew_without_a_bad_record(void **state)
{
	g_autofree char *text = BATCH(0, "run", "why total", "why stale", "why line 9");
	g_autofree char *words = words_said(*state);

	ASSERT_SAYS(text, "why total = 1", "why stale = 1", "why line 9 = 1");
	assert_null(strstr(text, "no good"));
	ASSERT_SAYS(words, "--save-record", "why total", "--record", "why stale", "why stale",
		    "why line 9");
}

static void tries(void **state)
{
	g_autofree char *text = BATCH(0, "run", "why", "try 1", "flip 2", "flip 2 all", "flip 1",
				      "what-if b = 3 at 1", "what-if b = 3 at 7");
	g_autofree char *words = words_said(*state);

	ASSERT_SAYS(text, "2 explanations", "it passes", "it passes", "it passes",
		    "is not a branch", "it passes", "Which suspect?");
	ASSERT_SAYS(words, "ask", "try --events=3", "--suspect /proc/", ":1 --", "--suspect",
		    ":2 --", "--flip", ":all --", "--set b = 3 --after");
}

/* The stop: its instruction, how often it was reached, and what can be compared there. */
static void tells_where_it_stands(void **state)
{
	g_autofree char *text = BATCH(0, "break 9 if i >= 0", "run", "continue", "why i", "up",
				      "why-not total == 7", "set args one \"two  words\" <in",
				      "set cwd /tmp", "set environment LINES a", "why not i == 7");
	g_autofree char *words = words_said(*state);

	ASSERT_SAYS(text, "Breakpoint 1, main", "why i = 1", "2 explanations", "2 explanations");
	ASSERT_SAYS(words, "--at main+", "--where i == 1 --where argc == 2", "why i --",
		    "why not total == 7", "--stdin in", "one two  words\n");
}

static void cannot_repeat(void **state)
{
	g_autofree char *text = NULL, *attach = NULL;
	char *argv[] = { (char *)"/bin/sleep", (char *)"1000", NULL };
	GPid pid;

	assert_true(
		g_spawn_async(NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
	attach = g_strdup_printf("attach %d", pid);
	text = BATCH(0, attach, "why", "detach", "file", "why total");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ASSERT_SAYS(text, "This process was attached to, so its run cannot be repeated",
		    "`set args 1000', then `run'", "There is no program to ask about");
}

static void runs_scripts(void **state)
{
	g_autofree char *file = g_build_filename(*state, "script", NULL), *text = NULL;

	assert_true(g_file_set_contents(file,
					"# a comment\nset $n = 1\nif $n == 1\nprint 4321\nend\n"
					"define twice\nprint $arg0 * 2\nend\ntwice 8\nwhy total\n"
					"nosuch\nprint 1234\n",
					-1, NULL));
	text = BATCH(1, "source script");
	ASSERT_SAYS(text, "= 4321", "= 16", "why total = 1", "Undefined command: \"nosuch\"",
		    "What follows `nosuch' in the script is not executed.");
	assert_null(strstr(text, "= 1234"));
}

/* Lines from a pipe, without -batch. */
static void reads_a_pipe(void **state)
{
	g_autofree char *text = say_batch(*state, 7, (const char *const[]){ "print 1", NULL },
					  "run\n\nwhy\nquit 7\nprint 5555\n");

	ASSERT_SAYS(text, "$1 = 1", "(gdb)", "Assertion", "2 explanations");
	assert_null(strstr(text, "5555"));
}

static void loses_gdb(void **state)
{
	g_autofree char *text = BATCH(98, "shell kill -9 $PPID", "print 1");

	ASSERT_SAYS(text, "GDB was killed by signal 9");
}

/* ---- at a terminal ---- */

struct terminal {
	pid_t pid;
	int fd;
	GString *said;
	size_t seen; /* of that, by what was waited for */
};

static void open_terminal(struct terminal *t, const char *folder)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };

	fflush(NULL);
	t->said = g_string_new(NULL);
	t->seen = 0;
	t->pid = forkpty(&t->fd, NULL, NULL, &size);
	assert_true(t->pid >= 0);
	if (!t->pid) {
		g_setenv("TERM", "xterm", TRUE);
		signal(SIGINT, SIG_DFL); /* what runs in the background ignores it */
		run_session(folder, NULL, false);
	}
}

enum { PATIENCE_S = 120 };

/* Until the text stands behind what was seen before. */
static void see(struct terminal *t, const char *text)
{
	gint64 late = g_get_monotonic_time() + PATIENCE_S * G_USEC_PER_SEC;
	char bytes[4096];
	const char *at;

	while (!(at = strstr(t->said->str + t->seen, text))) {
		struct pollfd p = { t->fd, POLLIN, 0 };
		ssize_t n = poll(&p, 1, 1000) > 0 ? read(t->fd, bytes, sizeof bytes) : 0;

		if (n < 0 || g_get_monotonic_time() > late)
			fail_msg("`%s' never came: %s", text, t->said->str + t->seen);
		for (ssize_t i = 0; i < n; i++)
			if (bytes[i])
				g_string_append_c(t->said, bytes[i]);
	}
	t->seen = (size_t)(at - t->said->str) + strlen(text);
}

static void type(struct terminal *t, const char *keys)
{
	assert_int_equal(write(t->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* What is typed, and what comes of it. */
struct step {
	const char *keys, *sight;
};

static void follow(struct terminal *t, const struct step *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (steps[i].keys)
			type(t, steps[i].keys);
		if (steps[i].sight)
			see(t, steps[i].sight);
	}
}

static void close_terminal(struct terminal *t, int expected)
{
	char bytes[4096];
	int status;

	while (read(t->fd, bytes, sizeof bytes) > 0)
		;
	assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
		fail_msg("status %x", (unsigned)status);
	close(t->fd);
	g_string_free(t->said, TRUE);
}

static void types(void **state)
{
	static const struct step steps[] = {
		{ NULL, "(gdb) " },
		{ "print 6*7\r", "= 42" },
		{ NULL, "(gdb) " },
		{ "\r", "= 42" },
		{ NULL, "(gdb) " },
		{ "break 9\r", "Breakpoint 1" },
		{ NULL, "(gdb) " },
		{ "commands\r", "Type commands for breakpoint(s) 1, one per line." },
		{ NULL, ">" },
		{ "silent\r", ">" },
		{ "end\r", "(gdb) " },
		{ "delete\r", "(y or n) " },
		{ "maybe\r", "Please answer y or n." },
		{ "n\r", "(gdb) " },
		{ "delete\r", "(y or n) " },
		{ "y\r", "(gdb) " },
		{ "run\r", "hello" },
		{ "some words\r", "read some words" },
		{ NULL, "Assertion" },
		{ NULL, "(gdb) " },
		{ "run\r", "(y or n) " },
		{ "n\r", "Program not restarted." },
		{ NULL, "(gdb) " },
		{ "whatis grand_t\t\r", "type = int" },
		{ NULL, "(gdb) " },
		{ "susp\t\r", "There is no answer yet" },
		{ NULL, "(gdb) " },
		{ "why grand_t\t\r", "= 1 at t.c:9" },
		{ NULL, "(gdb) " },
		{ "print 12\003", "Quit" },
		{ NULL, "(gdb) " },
		{ "panel\r", "= 4321" },
		{ NULL, "(gdb) " },
		{ "set height 10\r", "(gdb) " },
		{ "quit\r", "Quit anyway? (y or n) " },
		{ "n\r", "(gdb) " },
		{ "quit 5\r", "(y or n) " },
		{ "y\r", NULL },
	};
	struct terminal t;
	g_autofree char *words = NULL, *history = NULL, *file = NULL;

	open_terminal(&t, *state);
	follow(&t, steps, G_N_ELEMENTS(steps));
	close_terminal(&t, 5);
	words = words_said(*state);
	ASSERT_SAYS(words, "--stdin", "why grand_total --", "panel", "-o ");
}

/* Answers come above the line that is typed; Ctrl-C cancels. */
static void goes_on_meanwhile(void **state)
{
	static const struct step steps[] = {
		{ NULL, "(gdb) " },
		{ "why not slow == 1\r", "why not slow == 1: " },
		{ NULL, "Found so far, for `why not slow == 1':" },
		{ "print 5*5\r", "= 25" },
		{ "why total\r", "will be answered after `why not slow == 1'" },
		{ "export x.txt\r", "The answer is not complete yet" },
		{ NULL, "(gdb) " },
		{ "suspects\r", "Found so far, for `why not slow == 1':" },
		{ NULL, "(gdb) " },
		{ "chain 1\r", "p.c:13" },
		{ NULL, "(gdb) " },
		{ "\003", "`why total' is cancelled." },
		{ NULL, "`why not slow == 1' is cancelled." },
		{ NULL, "(gdb) " },
		{ "why\r", "2 explanations" },
		{ NULL, "(gdb) " },
		{ "why not slow == 1\r", "why not slow == 1: " },
		{ "\004", "quit" },
	};
	struct terminal t;

	open_terminal(&t, *state);
	follow(&t, steps, G_N_ELEMENTS(steps));
	close_terminal(&t, 0);
	g_free(words_said(*state));
}

/* A page at a time; a program that runs is interrupted; a window that changes its size. */
static void pages_and_interrupts(void **state)
{
	static const struct step steps[] = {
		{ NULL, "(gdb) " },
		{ "help status\r", "--Type <RET> for more" },
		{ "\r", "--Type <RET> for more" },
		{ "q\r", "Quit" },
		{ NULL, "(gdb) " },
		{ "help status\r", "--Type <RET> for more" },
		{ "c\r", "(gdb) " },
		{ "set confirm off\r", "(gdb) " },
		{ "run\r", "hello" },
		{ "\003", "SIGINT" },
		{ NULL, "(gdb) " },
	};
	static const struct step after[] = {
		{ "print 77\r", "= 77" }, { NULL, "(gdb) " },	   { "why\r", "2 explanations" },
		{ NULL, "(gdb) " },	  { "goto 1\r", "hello" }, { "x\r", "Assertion" },
		{ NULL, "(gdb) " },	  { "quit\r", NULL },
	};
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	struct terminal t;

	open_terminal(&t, *state);
	follow(&t, steps, G_N_ELEMENTS(steps));
	assert_int_equal(ioctl(t.fd, TIOCSWINSZ, &size), 0);
	follow(&t, after, G_N_ELEMENTS(after));
	close_terminal(&t, 0);
	g_free(words_said(*state));
}

/* ---- */

static int make_program(void **state)
{
	char *folder;

	test_need("gdb");
	folder = test_folder_new();
	g_free(test_compile(folder, "t", source, "gcc -g -O0"));
	*state = folder;
	return 0;
}

static int remove_program(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_in_order),
		cmocka_unit_test(complains),
		cmocka_unit_test(asks_anew_without_a_bad_record),
		cmocka_unit_test(tries),
		cmocka_unit_test(tells_where_it_stands),
		cmocka_unit_test(cannot_repeat),
		cmocka_unit_test(runs_scripts),
		cmocka_unit_test(reads_a_pipe),
		cmocka_unit_test(loses_gdb),
		cmocka_unit_test(types),
		cmocka_unit_test(goes_on_meanwhile),
		cmocka_unit_test(pages_and_interrupts),
	};

	if (argc > 1)
		return fake(argv);
	return cmocka_run_group_tests(tests, make_program, remove_program);
}
