/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suspects that are shown at a terminal while the search goes on, and taken away again. */
#include "gdbext/command/explain/explain-live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard output is a terminal of its own, and is put back by end_terminal. */
struct terminal {
	int master, before;
};

static struct terminal begin_terminal(void)
{
	struct terminal t;
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int slave;

	fflush(stdout);
	assert_int_equal(openpty(&t.master, &slave, NULL, NULL, &size), 0);
	assert_int_equal(fcntl(t.master, F_SETFL, O_NONBLOCK), 0);
	t.before = dup(STDOUT_FILENO);
	dup2(slave, STDOUT_FILENO);
	close(slave);
	return t;
}

/* What was written there; free it. */
static char *end_terminal(struct terminal *t)
{
	GString *text = g_string_new(NULL);
	char bytes[4096];
	ssize_t n;

	fflush(stdout);
	while ((n = read(t->master, bytes, sizeof bytes)) > 0)
		g_string_append_len(text, bytes, n);
	dup2(t->before, STDOUT_FILENO);
	close(t->before);
	close(t->master);
	return g_string_free(text, FALSE);
}

static void add_suspect(struct explanation *e, unsigned line)
{
	struct explanation_suspect *s = explanation_suspect_new();
	const struct explanation_statement st = { .function = "main",
						  .file = "p.c",
						  .line = line,
						  .text = "n = 2;",
						  .kind = "assignment",
						  .clause = "n",
						  .actual = "2",
						  .witness = "3" };

	s->rank = e->suspects->len + 1;
	s->size = 1;
	s->replay = REPLAY_PASSES;
	g_array_append_val(s->statements, st);
	g_ptr_array_add(e->suspects, s);
}

static void suspects_come_and_go(void **state)
{
	struct options o = { .format = TUI_TEXT, .color = TUI_COLOR_NEVER };
	struct question q = { .e = explanation_new(), .o = &o };
	struct explain_live live = { 0 };
	struct terminal t = begin_terminal();
	g_autofree char *text = NULL;
	const char *again;

	(void)state;
	explain_live_watch(&live, &q);
	if (q.found) {
		q.found(&q, q.found_arg); /* there is none yet */
		add_suspect(q.e, 7);
		q.found(&q, q.found_arg);
		q.found(&q, q.found_arg); /* the same are not shown again */
		add_suspect(q.e, 9);
		q.found(&q, q.found_arg);
	}
	explain_live_erase(&live, &q);
	text = end_terminal(&t);
	assert_null(q.found);
	assert_non_null(strstr(text, "found so far (Ctrl-C ends the search):"));
	assert_non_null(strstr(text, "p.c:7"));
	again = strstr(strstr(text, "p.c:7") + 1, "p.c:7");
	assert_non_null(again);
	assert_null(strstr(again + 1, "p.c:7"));
	assert_non_null(strstr(again, "p.c:9"));
	/* each time it goes up by the lines that it had written, and clears them */
	assert_true(g_str_has_suffix(text, "\033[J"));
	explain_live_clear(&live);
	explanation_free(q.e);
}

/* What another program reads holds nothing that is taken back. */
static void others_do_not_see_them(void **state)
{
	static const struct options all[] = {
		{ .format = TUI_JSON },
		{ .format = TUI_TEXT, .events = 3 },
		{ .format = TUI_TEXT, .stream = true },
		{ .format = TUI_TEXT, .output = (char *)"answer" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct question q = { .e = explanation_new(), .o = &all[i] };
		struct explain_live live = { 0 };
		struct terminal t = begin_terminal();
		bool watches;

		explain_live_watch(&live, &q);
		watches = q.found != NULL;
		free(end_terminal(&t));
		assert_false(watches);
		explanation_free(q.e);
	}
}

static int set_terminal(void **state)
{
	(void)state;
	return setenv("TERM", "xterm", 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(suspects_come_and_go),
		cmocka_unit_test(others_do_not_see_them),
	};

	return cmocka_run_group_tests(tests, set_terminal, NULL);
}
