/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events: what is written can be read again; what is no event is refused. */
#include "gdbext/ipc/event.h"
#include "tests/support/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The line that it becomes, without its newline. */
static char *line_of(const struct event *e)
{
	g_autofree char *name = NULL;
	int fd = g_file_open_tmp("event-XXXXXX", &name, NULL);
	char *text = NULL;

	assert_true(fd >= 3);
	event_write(fd, e);
	close(fd);
	assert_true(g_file_get_contents(name, &text, NULL, NULL));
	unlink(name);
	assert_true(g_str_has_suffix(text, "\n"));
	text[strlen(text) - 1] = '\0';
	assert_null(strchr(text, '\n'));
	return text;
}

static void reads_what_was_written(void **state)
{
	static const struct event all[] = {
		{ .kind = EVENT_PROGRESS, .stage = EVENT_RECORD },
		{ .kind = EVENT_PROGRESS, .stage = EVENT_PROVE, .runs = 1234567890123 },
		{ .kind = EVENT_RESULT, .text = "b = 1\n  \"é\"\t\x01\n" },
		{ .kind = EVENT_RESULT, .text = "", .ends = "is killed by SIGSEGV" },
		{ .kind = EVENT_OUTPUT, .name = "standard output", .text = "" },
		{ .kind = EVENT_NOTE, .text = "A note." },
		{ .kind = EVENT_ASK, .text = "Which one?\n" },
		{ .kind = EVENT_FAILURE, .text = "It failed.", .status = 130 },
		{ .kind = EVENT_FAILURE,
		  .text = "A bad record.",
		  .status = 2,
		  .about_record = true },
		{ .kind = EVENT_END, .status = 255 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_autofree char *line = line_of(&all[i]);
		struct event e;

		assert_true(event_read(line, strlen(line), &e, NULL));
		assert_int_equal(e.kind, all[i].kind);
		assert_int_equal(e.stage, all[i].stage);
		assert_int_equal(e.runs, all[i].runs);
		assert_int_equal(e.status, all[i].status);
		assert_int_equal(e.about_record, all[i].about_record);
		assert_null(e.answer);
		assert_int_equal(g_strcmp0(e.text, all[i].text), 0);
		assert_int_equal(g_strcmp0(e.name, all[i].name), 0);
		assert_int_equal(g_strcmp0(e.ends, all[i].ends), 0);
		event_clear(&e);
	}
}

static void reads_answers(void **state)
{
	const enum event_kind kinds[] = { EVENT_FOUND, EVENT_RESULT };
	struct explanation *answer = explain_paper();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autofree char *line =
			line_of(&(struct event){ .kind = kinds[i], .answer = answer });
		struct event e;

		assert_true(event_read(line, strlen(line), &e, NULL));
		assert_int_equal(e.kind, kinds[i]);
		assert_int_equal(e.answer->suspects->len, answer->suspects->len);
		assert_string_equal(e.answer->failure.requirement, answer->failure.requirement);
		event_clear(&e);
		assert_null(e.answer);
	}
	explanation_free(answer);
}

/* What is not valid UTF-8 is made so: a program may print anything. */
static void writes_valid_utf8(void **state)
{
	g_autofree char *line = line_of(
		&(struct event){ .kind = EVENT_OUTPUT, .name = "standard error", .text = "a\xff" });
	struct event e;

	(void)state;
	assert_true(event_read(line, strlen(line), &e, NULL));
	assert_string_equal(e.text, "a\xef\xbf\xbd");
	event_clear(&e);
}

static void refuses(void **state)
{
	static const struct {
		const char *line, *why;
	} all[] = {
		{ "", "not an object" },
		{ "x", "not JSON" },
		{ "gdb-why: what?", "not JSON" },
		{ "{\"event\":\"end\",\"status\":0", "not JSON" },
		{ "\xff", "not UTF-8" },
		{ "[]", "not an object" },
		{ "17", "not an object" },
		{ "{}", "\"event\" is not known" },
		{ "{\"event\":7}", "\"event\" is not known" },
		{ "{\"event\":\"party\"}", "\"event\" is not known" },
		{ "{\"event\":\"progress\"}", "\"stage\" is not known" },
		{ "{\"event\":\"progress\",\"stage\":\"cook\",\"runs\":0}",
		  "\"stage\" is not known" },
		{ "{\"event\":\"progress\",\"stage\":\"solve\"}", "\"runs\" is not a number" },
		{ "{\"event\":\"progress\",\"stage\":\"solve\",\"runs\":-1}",
		  "\"runs\" is not a number" },
		{ "{\"event\":\"progress\",\"stage\":\"solve\",\"runs\":\"1\"}",
		  "\"runs\" is not a number" },
		{ "{\"event\":\"end\"}", "\"status\" is not a number from 0 to 255" },
		{ "{\"event\":\"end\",\"status\":256}",
		  "\"status\" is not a number from 0 to 255" },
		{ "{\"event\":\"end\",\"status\":null}", "\"status\" is not a number" },
		{ "{\"event\":\"error\",\"status\":2}", "\"text\" is missing" },
		{ "{\"event\":\"error\",\"text\":\"x\"}", "\"status\" is not a number" },
		{ "{\"event\":\"note\",\"text\":[]}", "\"text\" is missing" },
		{ "{\"event\":\"output\",\"text\":\"x\"}", "\"name\" is missing" },
		{ "{\"event\":\"output\",\"name\":\"x\"}", "\"text\" is missing" },
		{ "{\"event\":\"found\",\"text\":\"x\"}", "\"answer\" is missing" },
		{ "{\"event\":\"answer\"}", "\"answer\" is missing" },
		{ "{\"event\":\"answer\",\"answer\":{\"schema\":99}}", "not an answer of gdb-why" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct event e = { .status = 77 };
		GError *error = NULL;

		assert_false(event_read(all[i].line, strlen(all[i].line), &e, &error));
		assert_non_null(strstr(error->message, all[i].why));
		assert_true(g_str_has_suffix(error->message, "."));
		assert_int_equal(e.status, 77);
		g_clear_error(&error);
	}
}

/* A line that is cut anywhere is no event; only a string of the whole can be one. */
static void refuses_cut_lines(void **state)
{
	g_autofree char *line = line_of(
		&(struct event){ .kind = EVENT_FAILURE, .text = "It cannot be.", .status = 2 });

	(void)state;
	for (size_t n = 0; n < strlen(line); n++) {
		struct event e;

		assert_false(event_read(line, n, &e, NULL));
	}
}

static void checks_descriptors(void **state)
{
	int fds[2], closed;
	GError *error = NULL;

	(void)state;
	assert_true(g_unix_open_pipe(fds, 0, NULL));
	assert_true(event_can_write(fds[1], &error));
	assert_int_equal(fcntl(fds[1], F_GETFD), FD_CLOEXEC);
	assert_false(event_can_write(fds[0], &error));
	assert_true(g_error_matches(error, EVENT_ERROR, EVENT_ERROR_DESCRIPTOR));
	g_clear_error(&error);
	closed = fds[0];
	close(fds[0]);
	assert_false(event_can_write(closed, &error));
	g_clear_error(&error);
	close(fds[1]);
}

/* Nobody is there, or no longer: nothing happens. */
static void nobody_listens(void **state)
{
	const struct event e = { .kind = EVENT_END };
	int fds[2];
	sigset_t pending;

	(void)state;
	event_write(0, &e);
	assert_true(g_unix_open_pipe(fds, 0, NULL));
	close(fds[0]);
	event_write(fds[1], &e);
	close(fds[1]);
	assert_int_equal(sigpending(&pending), 0);
	assert_false(sigismember(&pending, SIGPIPE));
	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &pending), 0);
	assert_false(sigismember(&pending, SIGPIPE));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_written), cmocka_unit_test(reads_answers),
		cmocka_unit_test(writes_valid_utf8),	  cmocka_unit_test(refuses),
		cmocka_unit_test(refuses_cut_lines),	  cmocka_unit_test(checks_descriptors),
		cmocka_unit_test(nobody_listens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
