/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The typed commands with a real GDB. */
#include "tests/support/mi-gdb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char *folder, *calc, *shows, *crash;

static int make_programs(void **state)
{
	(void)state;
	folder = test_gdb_folder_new();
	calc = test_gdb_compile(folder, "calc",
				"struct pair { int left; const char *name; };\n"
				"enum color { RED, BLUE = 7 };\n"
				"struct pair pair = { 4, \"Zo\\303\\253 \\\"q\\\"\" };\n"
				"enum color color = BLUE;\n"
				"unsigned char bytes[5000] = { 1, 2, 0xfe };\n"
				"int add(struct pair *p, long by) {\n"
				"	long sum = p->left + by;\n"
				"	return (int)sum;\n"
				"}\n"
				"int main(void) {\n"
				"	int total = 0;\n"
				"	for (int i = 0; i < 5; i++) total += add(&pair, -i);\n"
				"	return total + 15;\n"
				"}\n");
	shows = test_gdb_compile(folder, "a program's name",
				 "#include <stdio.h>\n#include <unistd.h>\n"
				 "extern char **environ;\n"
				 "int main(int argc, char **argv) {\n"
				 "	char here[4096];\n"
				 "	for (int i = 1; i < argc; i++) printf(\"<%s>\", argv[i]);\n"
				 "	for (char **e = environ; *e; e++) printf(\"\\n%s\", *e);\n"
				 "	printf(\"\\n%s\\n\", getcwd(here, sizeof here));\n"
				 "	fprintf(stderr, \"to error %d\\n\", getchar());\n"
				 "}\n");
	crash = test_gdb_compile(folder, "crash",
				 "#include <stdlib.h>\n"
				 "int main(int argc, char **argv) {\n"
				 "	(void)argv;\n"
				 "	if (argc > 1) abort();\n"
				 "	*(volatile int *)16 = 1;\n"
				 "}\n");
	return 0;
}

static int remove_programs(void **state)
{
	(void)state;
	g_free(calc);
	g_free(shows);
	g_free(crash);
	test_gdb_folder_free(folder);
	return 0;
}

static void run_to_stop(struct mi_conn *conn, bool first, struct mi_stop *stop)
{
	g_autoptr(GError) error = NULL;

	if (!(first ? mi_cmd_run(conn, &error) : mi_cmd_continue(conn, &error)) ||
	    !mi_cmd_wait(conn, 10000, stop, &error))
		fail_msg("no stop: %s", error->message);
}

/* GDB with calc stopped in add, called the nth time. */
static struct mi_conn *start_in_add(unsigned nth)
{
	struct mi_conn *conn = test_gdb_start(NULL, calc);
	struct mi_break add = { .location = "calc.c:8", .ignore = nth - 1 };
	struct mi_stop stop;

	assert_true(mi_cmd_break(conn, &add, NULL, NULL));
	run_to_stop(conn, true, &stop);
	assert_int_equal(stop.reason, MI_STOP_BREAKPOINT);
	assert_string_equal(stop.frame.func, "add");
	mi_stop_clear(&stop);
	return conn;
}

/* --- before the run --- */

/* What shows prints, run with these. */
static char *run_shows(const struct mi_options *options, const char *const *args,
		       const char *directory, const char *name, const char *value, char **errors)
{
	g_autofree char *in = g_build_filename(folder, "in put", NULL);
	g_autofree char *out = g_build_filename(folder, "out'put", NULL);
	g_autofree char *err = g_build_filename(folder, "err\"put", NULL);
	struct mi_redirect redirect = { .in = in, .out = out, .err = err };
	g_autoptr(mi_conn) conn = test_gdb_start(options, shows);
	struct mi_stop stop;
	char *text;

	assert_true(g_file_set_contents(in, "A", 1, NULL));
	assert_true(mi_cmd_args(conn, args, &redirect, NULL));
	assert_true(mi_cmd_cwd(conn, directory, NULL));
	if (name)
		assert_true(mi_cmd_env(conn, name, value, NULL));
	run_to_stop(conn, true, &stop);
	assert_int_equal(stop.reason, MI_STOP_EXITED);
	mi_stop_clear(&stop);
	assert_true(g_file_get_contents(out, &text, NULL, NULL));
	assert_true(g_file_get_contents(err, errors, NULL, NULL));
	return text;
}

static void arguments_streams_and_directory_arrive(void **state)
{
	const char *const args[] = {
		"plain",       "",	   "two words",	  "'quo\"tes'", "new\nline",
		"$HOME `x` *", "\\back\\", "caf\303\251", " ",		"-v",
		NULL
	};
	g_autofree char *errors = NULL;
	g_autofree char *text = run_shows(NULL, args, "/usr", NULL, NULL, &errors);

	(void)state;
	assert_true(g_str_has_prefix(text,
				     "<plain><><two words><'quo\"tes'><new\nline><$HOME `x` *>"
				     "<\\back\\><caf\303\251>< ><-v>\n"));
	assert_true(g_str_has_suffix(text, "\n/usr\n"));
	assert_string_equal(errors, "to error 65\n");
}

static void the_environment_is_the_one_given(void **state)
{
	const char *const given[] = { "A=1",	 "PATH=/usr/bin:/bin",
				      "LINES=3", "SHELL=/bin/odd",
				      "HOME=/",	 NULL };
	const char *const no_args[] = { NULL };
	g_autofree char *errors = NULL;
	g_autofree char *text = run_shows(&(struct mi_options){ .environ = given }, no_args, "/",
					  "NEW", "a = b\n\"c\"", &errors);
	static const char *const there[] = { "\nA=1\n", "\nLINES=3\n", "\nSHELL=/bin/odd\n",
					     "\nHOME=/\n", "\nNEW=a = b\n\"c\"\n" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(there); i++) {
		if (!strstr(text, there[i]))
			fail_msg("no %s in:%s", there[i], text);
	}
	assert_null(strstr(text, "COLUMNS="));
	assert_null(strstr(text, "LC_ALL="));
}

static void without_a_shell_the_environment_is_exact(void **state)
{
	const char *const given[] = { "A=1", "PATH=/usr/bin:/bin", "Z=", NULL };
	const char *const args[] = { "'1'", "2", NULL };
	g_autoptr(mi_conn) conn = test_gdb_start(&(struct mi_options){ .environ = given }, calc);
	g_autofree char *path = NULL, *environ_file = NULL, *args_file = NULL;
	struct mi_stop stop;
	gsize n;

	(void)state;
	assert_true(mi_cmd_args(conn, args, NULL, NULL));
	assert_true(mi_cmd_break(conn, &(struct mi_break){ .location = "main" }, NULL, NULL));
	run_to_stop(conn, true, &stop);
	mi_stop_clear(&stop);
	path = g_strdup_printf("/proc/%d/environ", (int)mi_conn_program_pid(conn));
	assert_true(g_file_get_contents(path, &environ_file, &n, NULL));
	assert_int_equal(n, sizeof "A=1\0PATH=/usr/bin:/bin\0Z=");
	assert_memory_equal(environ_file, "A=1\0PATH=/usr/bin:/bin\0Z=", n);
	g_free(path);
	path = g_strdup_printf("/proc/%d/cmdline", (int)mi_conn_program_pid(conn));
	assert_true(g_file_get_contents(path, &args_file, &n, NULL));
	assert_string_equal(args_file + strlen(args_file) + 1, "'1'");
}

static void what_gdb_cannot_set_is_refused(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(mi_cmd_env(conn, "A", " blank", &error));
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
	assert_false(mi_cmd_env(conn, "A B", "1", &error));
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
	assert_false(mi_cmd_env(conn, "", "1", &error));
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
	assert_false(mi_cmd_cwd(conn, "relative", &error));
	test_gdb_assert_error(&error, MI_ERROR_ARGUMENT);
	assert_false(mi_cmd_file(conn, "/nonexistent/a b", &error));
	assert_non_null(strstr(error->message, "/nonexistent/a b"));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	assert_false(mi_cmd_set(conn, "no such", "1", &error));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	assert_false(mi_cmd_run(conn, &error));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	assert_true(mi_cmd_env(conn, "A", NULL, &error));
	assert_true(mi_cmd_kill(conn, &error));
}

static void breakpoints_are_made(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, calc);
	g_autoptr(GError) error = NULL;
	struct mi_breakpoint made = { 0 };
	struct mi_break pending = { .location = "not_there", .pending = true };
	struct mi_break conditional = { .location = "*add", .condition = "$rsi == -3" };
	struct mi_stop stop;
	uint64_t by;

	(void)state;
	assert_true(mi_cmd_break(conn, &pending, &made, &error));
	assert_true(made.pending && made.number == 1 && !made.addr);
	assert_true(mi_cmd_break(conn, &conditional, &made, &error));
	assert_true(!made.pending && made.number == 2 && made.addr);
	pending.pending = false;
	assert_false(mi_cmd_break(conn, &pending, &made, &error));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	run_to_stop(conn, true, &stop);
	assert_int_equal(stop.bkptno, 2);
	mi_stop_clear(&stop);
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "$rsi", &by, &error));
	assert_int_equal((int64_t)by, -3);
	assert_true(mi_cmd_break_delete(conn, 2, &error));
	run_to_stop(conn, false, &stop);
	assert_int_equal(stop.reason, MI_STOP_EXITED);
	assert_int_equal(stop.status, 25);
	assert_false(stop.frame.known);
	mi_stop_clear(&stop);
}

/* --- at a stop --- */

static void a_stop_says_where_and_why(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, crash);
	struct mi_stop stop;
	const char *const one[] = { "1", NULL };

	(void)state;
	run_to_stop(conn, true, &stop);
	assert_int_equal(stop.reason, MI_STOP_SIGNAL);
	assert_string_equal(stop.signal, "SIGSEGV");
	assert_string_equal(stop.meaning, "Segmentation fault");
	assert_true(stop.frame.known);
	assert_string_equal(stop.frame.func, "main");
	assert_true(g_str_has_suffix(stop.frame.fullname, "/crash.c"));
	assert_int_equal(stop.frame.line, 5);
	assert_int_equal(stop.thread, 1);
	mi_stop_clear(&stop);
	run_to_stop(conn, false, &stop);
	assert_int_equal(stop.reason, MI_STOP_KILLED);
	assert_string_equal(stop.signal, "SIGSEGV");
	mi_stop_clear(&stop);
	assert_true(mi_cmd_args(conn, one, NULL, NULL));
	run_to_stop(conn, true, &stop);
	assert_string_equal(stop.signal, "SIGABRT");
	mi_stop_clear(&stop);
}

static void expressions_have_values(void **state)
{
	g_autoptr(mi_conn) conn = start_in_add(3);
	g_autoptr(GError) error = NULL;
	g_autofree char *sum = mi_cmd_evaluate(conn, NULL, "sum", &error);
	g_autofree char *name = mi_cmd_evaluate(conn, NULL, "*pair.name@6", &error);
	g_autofree char *quoted = mi_cmd_evaluate(conn, NULL, "\"a b\"[2]", &error);
	g_autofree char *total = mi_cmd_evaluate(conn, &(struct mi_where){ 1, 1 }, "total", &error);
	uint64_t value = 0, address = 0;

	(void)state;
	assert_string_equal(sum, "2");
	assert_string_equal(name, "\"Zo\303\253 \\\"\"");
	assert_string_equal(quoted, "98 'b'");
	assert_string_equal(total, "7");
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "color", &value, &error));
	assert_int_equal(value, 7);
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "by", &value, &error));
	assert_int_equal((int64_t)value, -2);
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "p", &value, &error));
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "&pair", &address, &error));
	assert_int_equal(value, address);
	assert_null(mi_cmd_evaluate(conn, NULL, "nothing", &error));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	assert_false(mi_cmd_evaluate_u64(conn, NULL, "pair", &value, &error));
	assert_non_null(error);
}

static void registers_are_known_or_not(void **state)
{
	g_autoptr(mi_conn) conn = start_in_add(1);
	struct mi_register regs[] = {
		{ .name = "rip" },  { .name = "nonsense" }, { .name = "eflags" },
		{ .name = "ymm0" }, { .name = "rbp" },
	};
	struct mi_register caller[] = { { .name = "rbp" } };
	struct mi_register none[] = { { .name = "nonsense", .known = true } };
	uint64_t pc, bp;

	(void)state;
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "$pc", &pc, NULL));
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "*(long *)$rbp", &bp, NULL));
	assert_true(mi_cmd_registers(conn, NULL, regs, G_N_ELEMENTS(regs), NULL));
	assert_true(regs[0].known && regs[0].value == pc);
	assert_false(regs[1].known);
	assert_true(regs[2].known);
	assert_false(regs[3].known);
	assert_true(regs[4].known);
	assert_true(mi_cmd_registers(conn, &(struct mi_where){ 1, 1 }, caller, 1, NULL));
	assert_true(caller[0].known && caller[0].value == bp);
	assert_true(mi_cmd_registers(conn, NULL, none, 1, NULL));
	assert_false(none[0].known);
}

static void memory_is_read(void **state)
{
	g_autoptr(mi_conn) conn = start_in_add(1);
	g_autofree guint8 *bytes = g_malloc(2 << 20);
	g_autoptr(GError) error = NULL;
	uint64_t address, stack;
	size_t got = 0;

	(void)state;
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "&bytes", &address, NULL));
	assert_true(mi_cmd_read_memory(conn, address, bytes, 5000, &got, &error));
	assert_int_equal(got, 5000);
	assert_true(bytes[0] == 1 && bytes[1] == 2 && bytes[2] == 0xfe && bytes[4999] == 0);
	assert_true(mi_cmd_read_memory(conn, address, bytes, 0, &got, &error));
	assert_int_equal(got, 0);
	assert_false(mi_cmd_read_memory(conn, 16, bytes, 4, &got, &error));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
	/* The stack's end lies within 2 MiB above its pointer. */
	assert_true(mi_cmd_evaluate_u64(conn, NULL, "$sp", &stack, NULL));
	assert_true(mi_cmd_read_memory(conn, stack, bytes, 2 << 20, &got, &error));
	assert_true(got > 100 && got < 2 << 20);
}

static void frames_and_variables_are_listed(void **state)
{
	g_autoptr(mi_conn) conn = start_in_add(2);
	g_autoptr(GArray) frames = mi_cmd_frames(conn, 0, 0, NULL);
	g_autoptr(GArray) inner = mi_cmd_frames(conn, 1, 1, NULL);
	g_autoptr(GArray) here = mi_cmd_variables(conn, NULL, NULL);
	g_autoptr(GArray) caller = mi_cmd_variables(conn, &(struct mi_where){ 1, 1 }, NULL);
	const struct mi_frame *frame = &g_array_index(frames, struct mi_frame, 1);
	const struct mi_variable *by = &g_array_index(here, struct mi_variable, 1);

	(void)state;
	assert_int_equal(frames->len, 2);
	assert_int_equal(frame->level, 1);
	assert_string_equal(frame->func, "main");
	assert_int_equal(frame->line, 12);
	assert_int_equal(inner->len, 1);
	assert_int_equal(here->len, 3);
	assert_string_equal(by->name, "by");
	assert_string_equal(by->type, "long");
	assert_string_equal(by->value, "-1");
	assert_true(by->is_argument);
	assert_false(g_array_index(here, struct mi_variable, 2).is_argument);
	assert_int_equal(caller->len, 2);
	assert_string_equal(g_array_index(caller, struct mi_variable, 0).name, "i");
}

static void gdb_is_asked_about_itself(void **state)
{
	g_autoptr(mi_conn) conn = test_gdb_start(NULL, NULL);
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) features = mi_cmd_features(conn, &error);
	g_autofree char *text = mi_cmd_console(conn, "echo caf\303\251 \"q\"\\n", &error);
	g_autofree char *width = mi_cmd_show(conn, "width", &error);

	(void)state;
	assert_true(g_strv_contains((const char *const *)features, "data-read-memory-bytes"));
	assert_string_equal(text, "caf\303\251 \"q\"\n");
	assert_non_null(width);
	assert_null(mi_cmd_console(conn, "frobnicate", &error));
	assert_non_null(strstr(error->message, "frobnicate"));
	test_gdb_assert_error(&error, MI_ERROR_COMMAND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_streams_and_directory_arrive),
		cmocka_unit_test(the_environment_is_the_one_given),
		cmocka_unit_test(without_a_shell_the_environment_is_exact),
		cmocka_unit_test(what_gdb_cannot_set_is_refused),
		cmocka_unit_test(breakpoints_are_made),
		cmocka_unit_test(a_stop_says_where_and_why),
		cmocka_unit_test(expressions_have_values),
		cmocka_unit_test(registers_are_known_or_not),
		cmocka_unit_test(memory_is_read),
		cmocka_unit_test(frames_and_variables_are_listed),
		cmocka_unit_test(gdb_is_asked_about_itself),
	};

	test_gdb_or_skip();
	return cmocka_run_group_tests(tests, make_programs, remove_programs);
}
