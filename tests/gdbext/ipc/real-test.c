/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The client with a real gdb-why: each kind of question, and one that is cancelled. */
#include "gdbext/ipc/child.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "#include <assert.h>\n"
			     "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "#include <unistd.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int a = atoi(argv[1]);\n"
			     "	int b = a + 1;\n"
			     "	if (argc > 2)\n"
			     "		sleep(1000);\n"
			     "	puts(\"hello\");\n"
			     "	assert(b <= a);\n"
			     "}\n";

/* What was heard of a child. */
struct heard {
	struct ipc_child *child;
	GString *order; /* a letter for each event: r, s, p (stages), f, a, o */
	struct explanation *answer;
	char *text, *ends;
	bool ended, cancels;
};

static void on_event(void *arg, struct event *e)
{
	static const char stages[] = {
		[EVENT_RECORD] = 'r', [EVENT_SOLVE] = 's', [EVENT_PROVE] = 'p'
	};
	struct heard *h = arg;
	char letter = e->kind == EVENT_PROGRESS ? stages[e->stage]
		      : e->kind == EVENT_FOUND	? 'f'
		      : e->kind == EVENT_RESULT ? 'a'
						: 'o';

	if (!h->order->len || h->order->str[h->order->len - 1] != letter)
		g_string_append_c(h->order, letter);
	if (e->answer) {
		explanation_free(h->answer);
		h->answer = g_steal_pointer(&e->answer);
	}
	if (e->text) {
		g_free(h->text);
		h->text = g_strdup(e->text);
	}
	if (e->ends)
		h->ends = g_strdup(e->ends);
	if (h->cancels)
		ipc_child_cancel(h->child);
}

static void on_end(void *arg)
{
	((struct heard *)arg)->ended = true;
}

static void finish(struct heard *h)
{
	ipc_child_free(h->child);
	g_string_free(h->order, TRUE);
	explanation_free(h->answer);
	g_free(h->text);
	g_free(h->ends);
}

/* words: of the command line, after gdb-why; NULL-terminated. */
static void run(struct heard *h, const char *folder, const char *const *words)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct ipc_start start = {
		.directory = folder, .on_event = on_event, .on_end = on_end, .arg = h
	};

	g_ptr_array_add(argv, (char *)g_getenv("WHY_BIN"));
	for (; *words; words++)
		g_ptr_array_add(argv, (char *)*words);
	g_ptr_array_add(argv, NULL);
	start.argv = (char *const *)argv->pdata;
	h->order = g_string_new(NULL);
	h->child = ipc_child_new(&start, NULL);
	assert_non_null(h->child);
	while (!h->ended)
		g_main_context_iteration(NULL, TRUE);
}

#define RUN(h, folder, ...) run(h, folder, (const char *const[]){ __VA_ARGS__, NULL })

static void explains(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "explain", "--show-output", "--", "./p", "5");
	assert_int_equal(ipc_child_status(h.child), 0);
	assert_string_equal(ipc_child_complaints(h.child), "");
	assert_true(g_str_has_prefix(h.order->str, "rsfps"));
	assert_true(g_str_has_suffix(h.order->str, "ao"));
	assert_true(h.answer->suspects->len > 0);
	assert_non_null(strstr(h.text, "Assertion `b <= a' failed"));
	finish(&h);
}

static void answers(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "ask", "why b", "--", "./p", "5");
	assert_int_equal(ipc_child_status(h.child), 0);
	assert_string_equal(h.order->str, "rsa");
	assert_null(h.answer);
	assert_true(g_str_has_prefix(h.text, "b = 6 at p.c:12 in main\n"));
	finish(&h);
}

static void tries(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "try", "--set=b = 5", "--after=p.c:8", "--", "./p", "5");
	assert_int_equal(ipc_child_status(h.child), 0);
	assert_string_equal(h.order->str, "rsa");
	assert_string_equal(h.ends, "passes");
	assert_non_null(
		strstr(h.text, "it passes (exit status 0); before: it fails an assertion\n"));
	finish(&h);
}

static void complains(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "ask", "why nothing", "--", "./p", "5");
	assert_int_equal(ipc_child_status(h.child), 2);
	assert_string_equal(ipc_child_complaints(h.child),
			    "`nothing' cannot be asked about: there is no variable `nothing' in "
			    "sight there.\n");
	assert_false(ipc_child_blames_record(h.child));
	finish(&h);
}

/* Before it could begin it says so on standard error. */
static void refuses_its_command_line(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "ask", "--no-such", "why b", "--", "./p", "5");
	assert_int_equal(ipc_child_status(h.child), 2);
	assert_non_null(strstr(ipc_child_complaints(h.child), "--no-such"));
	finish(&h);
}

static void blames_the_record(void **state)
{
	struct heard h = { 0 };

	RUN(&h, *state, "ask", "--record=p.c", "why b", "--", "./p");
	assert_int_equal(ipc_child_status(h.child), 2);
	assert_true(ipc_child_blames_record(h.child));
	finish(&h);
}

/* The program sleeps, so it is at its first stage; nothing of it stays. */
static void cancels(void **state)
{
	struct heard h = { .cancels = true };
	g_autofree char *mark = g_build_filename(*state, "sleeps", NULL), *left = NULL;

	RUN(&h, *state, "explain", "--run-timeout=900", "--timeout=900", "--", "./p", "5", mark);
	assert_int_equal(ipc_child_status(h.child), 130);
	/* the cancel may come a stage later than it is sent, but not an answer */
	assert_true(g_str_has_prefix(h.order->str, "r"));
	assert_null(strpbrk(h.order->str, "fa"));
	for (int i = 0; i < 1000 && (!left || *left); i++) {
		g_usleep(left ? 20000 : 0);
		g_free(left);
		left = test_output("pgrep -f '%s/[s]leeps' || true", (char *)*state);
	}
	assert_string_equal(left, "");
	finish(&h);
}

static int make_program(void **state)
{
	char *folder;

	test_need("gdb");
	test_need("pgrep");
	folder = test_folder_new();

	g_free(test_compile(folder, "p", source, "gcc -g -O0"));
	*state = folder;
	return 0;
}

static int remove_program(void **state)
{
	test_folder_free(*state);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(explains),
		cmocka_unit_test(answers),
		cmocka_unit_test(tries),
		cmocka_unit_test(complains),
		cmocka_unit_test(refuses_its_command_line),
		cmocka_unit_test(blames_the_record),
		cmocka_unit_test(cancels),
	};

	return cmocka_run_group_tests(tests, make_program, remove_program);
}
