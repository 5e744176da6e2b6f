/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transcripts: recording a connection, and answering from the record. */
#include "mi/transcript.h"
#include "tests/support/mi-gdb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char *folder, *calc;

static int make_programs(void **state)
{
	(void)state;
	folder = test_gdb_folder_new();
	calc = test_gdb_compile(folder, "calc",
				"int twice(int n) { return 2 * n; }\n"
				"int main(void) { return twice(21); }\n");
	return 0;
}

static int remove_programs(void **state)
{
	(void)state;
	g_free(calc);
	test_gdb_folder_free(folder);
	return 0;
}

struct findings {
	char *value;
	struct mi_stop stop, end;
};

static void clear_findings(struct findings *found)
{
	g_free(found->value);
	mi_stop_clear(&found->stop);
	mi_stop_clear(&found->end);
}

/* The same talk each time. */
static void look_around(struct mi_conn *conn, struct findings *found)
{
	struct mi_break twice = { .location = "twice" };
	g_autoptr(GError) error = NULL;

	if (!mi_cmd_file(conn, calc, &error) || !mi_cmd_break(conn, &twice, NULL, &error) ||
	    !mi_cmd_run(conn, &error) || !mi_cmd_wait(conn, 10000, &found->stop, &error))
		fail_msg("%s", error->message);
	found->value = mi_cmd_evaluate(conn, NULL, "n", &error);
	if (!mi_cmd_continue(conn, &error) || !mi_cmd_wait(conn, 10000, &found->end, &error))
		fail_msg("%s", error->message);
}

/* Records the talk to a new file; free its path. */
static char *record(struct findings *found)
{
	static const struct mi_options none;
	char *file = g_build_filename(folder, "talk.mi", NULL);
	struct mi_conn *conn;

	g_setenv("GDB_WHY_MI_RECORD", file, TRUE);
	conn = mi_conn_start(&none, NULL);
	assert_non_null(conn);
	look_around(conn, found);
	mi_conn_free(conn);
	g_unsetenv("GDB_WHY_MI_RECORD");
	return file;
}

static void a_recorded_talk_can_be_had_again(void **state)
{
	static const struct mi_options none;
	struct findings real = { 0 }, again = { 0 };
	g_autofree char *file = record(&real);
	g_autoptr(GError) error = NULL;
	g_autoptr(mi_conn) conn = mi_conn_replay(file, &none, &error);

	(void)state;
	if (!conn)
		fail_msg("%s", error->message);
	assert_int_equal(mi_conn_gdb_pid(conn), 0);
	look_around(conn, &again);
	assert_string_equal(real.value, "21");
	assert_string_equal(again.value, "21");
	assert_int_equal(again.stop.frame.addr, real.stop.frame.addr);
	assert_int_equal(again.stop.bkptno, 1);
	assert_int_equal(real.end.status, 42);
	assert_int_equal(again.end.status, 42);
	clear_findings(&real);
	clear_findings(&again);
}

static void another_talk_is_refused(void **state)
{
	static const struct mi_options none;
	struct findings real = { 0 };
	g_autofree char *file = record(&real);
	g_autoptr(GError) error = NULL;
	g_autoptr(mi_conn) conn = mi_conn_replay(file, &none, &error);
	struct mi_stop stop;

	(void)state;
	assert_non_null(conn);
	assert_false(mi_cmd_wait(conn, -1, &stop, &error));
	test_gdb_assert_error(&error, MI_ERROR_TIMEOUT);
	assert_false(mi_cmd_file(conn, "/another", &error));
	assert_non_null(strstr(error->message, "/another"));
	test_gdb_assert_error(&error, MI_ERROR_ANSWER);
	clear_findings(&real);
}

static void a_second_record_gets_its_own_file(void **state)
{
	struct findings real = { 0 };
	g_autofree char *file = record(&real);
	g_autofree char *second = g_strconcat(file, ".2", NULL);

	(void)state;
	clear_findings(&real);
	memset(&real, 0, sizeof real);
	g_free(record(&real));
	assert_true(g_file_test(second, G_FILE_TEST_EXISTS));
	clear_findings(&real);
}

static void lines_are_written_and_read(void **state)
{
	g_autofree char *file = g_build_filename(folder, "lines.mi", NULL);
	struct mi_transcript *transcript = mi_transcript_new(file, NULL);
	static const struct {
		char mark;
		size_t n;
		const char *text;
	} turns[] = {
		{ '#', 8, "a remark" }, { '>', 6, "1-list" }, { '<', 3, "a\0b" }, { '<', 0, "" },
		{ '>', 6, "2-exit" },	{ '<', 6, "1^done" }, { '!', 2, "en" },
	};
	GArray *read;

	(void)state;
	assert_non_null(transcript);
	mi_transcript_remark(transcript, "a remark");
	mi_transcript_sent(transcript, "1-list");
	mi_transcript_received(transcript, "a\0b\n\n1^d", 8);
	mi_transcript_sent(transcript, "2-exit");
	mi_transcript_received(transcript, "one\nen", 6);
	mi_transcript_free(transcript);
	read = mi_transcript_read(file, NULL);
	assert_int_equal(read->len, G_N_ELEMENTS(turns));
	for (guint i = 0; i < read->len; i++) {
		const struct mi_turn *turn = &g_array_index(read, struct mi_turn, i);
		size_t n;
		const char *text = g_bytes_get_data(turn->text, &n);

		assert_int_equal(turn->mark, turns[i].mark);
		assert_int_equal(n, turns[i].n);
		assert_memory_equal(text, turns[i].text, n + 1);
	}
	g_array_unref(read);
}

static void a_missing_transcript_is_an_error(void **state)
{
	static const struct mi_options none;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(mi_conn_replay("/nonexistent/talk.mi", &none, &error));
	assert_non_null(error);
	g_clear_error(&error);
	assert_null(mi_transcript_new("/nonexistent/talk.mi", &error));
	assert_non_null(strstr(error->message, "/nonexistent/talk.mi"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recorded_talk_can_be_had_again),
		cmocka_unit_test(another_talk_is_refused),
		cmocka_unit_test(a_second_record_gets_its_own_file),
		cmocka_unit_test(lines_are_written_and_read),
		cmocka_unit_test(a_missing_transcript_is_an_error),
	};

	test_gdb_or_skip();
	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
