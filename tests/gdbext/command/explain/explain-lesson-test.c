/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is expected of an explanation is asked on a terminal, and compared once. */
#include "gdbext/command/explain/explain-lesson.h"
#include "gdbext/lesson/student.h"
#include "solver/explanation.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A terminal in the place of standard input and output; what its user types. */
static int open_terminal(int saved[2])
{
	int user = posix_openpt(O_RDWR | O_NOCTTY), terminal;

	assert_true(user >= 0);
	assert_int_equal(grantpt(user) | unlockpt(user), 0);
	terminal = open(ptsname(user), O_RDWR | O_NOCTTY);
	assert_true(terminal >= 0);
	fflush(stdout);
	for (int fd = 0; fd < 2; fd++) {
		saved[fd] = dup(fd);
		dup2(terminal, fd);
	}
	close(terminal);
	return user;
}

static void close_terminal(int user, const int saved[2])
{
	fflush(stdout);
	for (int fd = 0; fd < 2; fd++) {
		dup2(saved[fd], fd);
		close(saved[fd]);
	}
	close(user);
}

static void type_line(int user, const char *line)
{
	assert_int_equal(write(user, line, strlen(line)), strlen(line));
}

static const char *latest(struct lesson_student **s, const char *folder, const char *what)
{
	lesson_student_free(*s);
	*s = lesson_student_open(folder, NULL);
	assert_non_null(*s);
	return lesson_student_latest(*s, what);
}

static void asks_once(void **state)
{
	g_autofree char *folder = g_dir_make_tmp("gdb-why-explain-lesson-XXXXXX", NULL);
	g_autofree char *mark = g_build_filename(folder, ".lesson", NULL);
	g_autofree char *journal = g_build_filename(folder, ".journal", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	char *words[] = { program, NULL }, elsewhere[] = "elsewhere";
	struct options o = { .program = words };
	struct explanation *e = explanation_new();
	struct lesson_student *s = NULL;
	int saved[2], user;

	(void)state;
	assert_true(g_file_set_contents(mark, "[lesson]\nname=sums\n", -1, NULL));
	assert_true(g_file_set_contents(journal, "", -1, NULL));
	user = open_terminal(saved);
	type_line(user, "\n");
	explain_lesson_ask(&o);
	explain_lesson_compare(&o, e);
	type_line(user, "7 total = 3\n");
	explain_lesson_ask(&o);
	explain_lesson_compare(&o, e);
	explain_lesson_compare(&o, e);
	o.output = elsewhere;
	explain_lesson_ask(&o);
	close_terminal(user, saved);
	assert_string_equal(latest(&s, folder, "expected"), "7 total = 3");
	assert_non_null(strstr(latest(&s, folder, "saw"), "You expected line 7"));
	assert_int_equal(s->journal->len, 2);
	lesson_student_free(s);
	explanation_free(e);
	unlink(mark);
	unlink(journal);
	rmdir(folder);
}

/* `explain --record FILE' on a terminal: the command line names no program. */
static void of_a_record_nothing_is_asked(void **state)
{
	char *none[] = { NULL };
	struct options o = { .program = none };
	struct explanation *e = explanation_new();
	GLogLevelFlags before = g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
	int saved[2], user = open_terminal(saved);

	(void)state;
	explain_lesson_ask(&o); /* would wait for a line */
	explain_lesson_compare(&o, e);
	close_terminal(user, saved);
	g_log_set_always_fatal(before);
	explanation_free(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_once),
		cmocka_unit_test(of_a_record_nothing_is_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
