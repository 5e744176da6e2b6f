/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said about programs that cannot be replayed.  timeout: 120 */
#include "tests/support/program.h"
#include "tests/support/replay.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *acts;   /* a good program */
static char *folder; /* with bad ones; also where temporary folders go */

static char *in_folder(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static void write_program(const char *name, const void *bytes, size_t size, int mode)
{
	g_autofree char *path = in_folder(name);

	assert_true(g_file_set_contents(path, bytes, (gssize)size, NULL));
	assert_int_equal(chmod(path, (mode_t)mode), 0);
}

/* One sentence: from a capital or a name to a full stop, on one line. */
static void check_sentence(const char *message)
{
	if (!g_str_has_suffix(message, ".") || strchr(message, '\n') || strlen(message) < 20)
		fail_msg("not a sentence: %s", message);
}

static void check_options(const struct replay_options *options, GQuark domain, int code,
			  const char *part)
{
	unsigned before = support_count_entries(folder);
	GError *error = NULL;
	struct replay *r = replay_new(options, &error);

	if (r)
		fail_msg("accepted, expected: %s", part);
	if (!g_error_matches(error, domain, code) || !strstr(error->message, part))
		fail_msg("says (%d): %s; expected: %s", error->code, error->message, part);
	check_sentence(error->message);
	g_error_free(error);
	assert_int_equal(support_count_entries(folder), before);
}

static void check_program(const char *program, GQuark domain, int code, const char *part)
{
	char *argv[] = { (char *)program, NULL };
	struct replay_options options = support_options(argv);

	check_options(&options, domain, code, part);
}

static void check_file(const char *name, GQuark domain, int code, const char *part)
{
	g_autofree char *path = in_folder(name);

	check_program(path, domain, code, part);
}

static void missing(void **state)
{
	(void)state;
	check_program("", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "empty");
	check_program("no-such-program-anywhere", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "in PATH");
	check_program("Makefile", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "./Makefile");
	check_program("./no/such/program", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "no program");
	check_program("/tmp", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "is a folder");
	check_program("/dev/null", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "not a regular file");
}

static void not_to_be_run(void **state)
{
	(void)state;
	write_program("plain", "text", 4, 0644);
	check_file("plain", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "not executable");
	write_program("plain.cc", "int x;", 6, 0644);
	check_file("plain.cc", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "is a source file");
	write_program("setuid", "text", 4, 04755);
	check_file("setuid", REPLAY_ERROR, REPLAY_ERROR_PROGRAM, "other rights");
}

static void not_a_program(void **state)
{
	/* An ELF header of a 32-bit program for the 80386, as far as it matters. */
	char header[64] = "\177ELF\1\1\1";

	(void)state;
	header[16] = 2;
	header[18] = 3;
	header[20] = 1;
	write_program("elf32", header, sizeof header, 0755);
	check_file("elf32", IMAGE_ERROR, IMAGE_ERROR_MACHINE, "x86-64");
	write_program("script", "#!/bin/sh\nexit 1\n", 17, 0755);
	check_file("script", IMAGE_ERROR, IMAGE_ERROR_NOT_ELF, "script");
	write_program("text", "hello, world, once more\n", 24, 0755);
	check_file("text", IMAGE_ERROR, IMAGE_ERROR_NOT_ELF, "text");
	write_program("nothing", "", 0, 0755);
	check_file("nothing", IMAGE_ERROR, IMAGE_ERROR_NOT_ELF, "nothing");
	write_program("cut", "\177ELF\2\1\1", 7, 0755);
	check_file("cut", IMAGE_ERROR, IMAGE_ERROR_NOT_ELF, "cut");
}

static void without_debug_information(void **state)
{
	g_autofree char *bare = support_compile("acts.c", "acts-bare", "-O0 -g0");
	g_autofree char *stripped = support_compile("acts.c", "acts-stripped", "-O0 -g -s");
	g_autofree char *whole = support_compile("acts.c", "acts-static", "-O0 -g -static");

	(void)state;
	check_program(bare, IMAGE_ERROR, IMAGE_ERROR_NO_DEBUG, "-g");
	check_program(stripped, IMAGE_ERROR, IMAGE_ERROR_NO_DEBUG, "-g");
	check_program(whole, IMAGE_ERROR, IMAGE_ERROR_STATIC, "static");
}

static void without_the_runtimes_of_sanitizers(void **state)
{
	static const char body[] = "__attribute__((weak)) void __%s(void) { }\n"
				   "int main(void) { return 1; }\n";
	static const struct {
		const char *symbol, *said;
	} each[] = { { "tsan_acquire", "-fsanitize=thread" },
		     { "msan_init", "-fsanitize=memory" },
		     { "hwasan_init", "-fsanitize=hwaddress" } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(each); i++) {
		g_autofree char *text = g_strdup_printf(body, each[i].symbol);
		g_autofree char *path = test_compile(folder, each[i].symbol, text, "gcc -g");

		check_program(path, REPLAY_ERROR, REPLAY_ERROR_PROGRAM, each[i].said);
	}
}

static void a_library_that_is_gone(void **state)
{
	g_autofree char *library =
		test_compile(folder, "gone", "int gone = 1;\n", "gcc -g -shared -fPIC");
	g_autofree char *command = g_strdup_printf("gcc -g -Wl,--no-as-needed %s", library);
	g_autofree char *path =
		test_compile(folder, "needs", "int main(void) { return 1; }\n", command);
	char *argv[] = { path, NULL };
	struct replay_options options = support_options(argv);
	struct replay *r = replay_new(&options, NULL);
	struct replay_failing failing;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_non_null(r);
	assert_int_equal(unlink(library), 0);
	assert_false(replay_record_failing(r, &failing, &error));
	assert_true(g_error_matches(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM));
	assert_non_null(strstr(error->message, "gone: cannot open shared object file"));
	check_sentence(error->message);
	replay_free(r);
}

static void surroundings(void **state)
{
	char *argv[] = { acts, NULL };
	const char *const libraries[] = { "/no/such/library.so", NULL };
	struct replay_options options = support_options(argv);

	(void)state;
	options.gdb = "/no/such/gdb";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_GDB, "/no/such/gdb");
	options.gdb = "true";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_GDB, "true");
	options.gdb = NULL;
	options.directory = "/no/such/folder";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_INPUT, "/no/such/folder");
	options.directory = NULL;
	options.stdin_file = "/no/such/input";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_INPUT, "/no/such/input");
	options.stdin_file = "/tmp";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_INPUT, "/tmp");
	options.stdin_file = NULL;
	options.trace_libs = libraries;
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_INPUT, "/no/such/library.so");
	options.trace_libs = NULL;
	options.agent = "/no/such/agent.so";
	check_options(&options, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "/no/such/agent.so");
}

static void accept(char *program, const char *directory)
{
	char word[] = "pass";
	char *argv[] = { program, word, NULL };
	struct replay_options options = support_options(argv);
	struct replay_failing failing;
	GError *error = NULL;
	struct replay *r;

	options.directory = directory;
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, &failing, &error))
		fail_msg("%s: %s", program, error->message);
	assert_string_equal(replay_program(r), acts);
	assert_int_equal(failing.end, RUN_PASSED);
	replay_failing_clear(&failing);
	replay_free(r);
}

static void found_like_a_shell_does(void **state)
{
	g_autofree char *before = g_strdup(g_getenv("PATH"));
	g_autofree char *where = g_path_get_dirname(acts);
	g_autofree char *path = g_strconcat(where, ":", before, NULL);
	g_autofree char *link = in_folder("a link");
	char bare[] = "acts", dotted[] = "./acts";

	(void)state;
	accept(dotted, where);
	assert_int_equal(symlink(acts, link), 0);
	accept(link, NULL);
	g_setenv("PATH", path, TRUE);
	accept(bare, NULL);
	accept(bare, "/");
	g_setenv("PATH", before, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing),
		cmocka_unit_test(not_to_be_run),
		cmocka_unit_test(not_a_program),
		cmocka_unit_test(without_debug_information),
		cmocka_unit_test(without_the_runtimes_of_sanitizers),
		cmocka_unit_test(a_library_that_is_gone),
		cmocka_unit_test(surroundings),
		cmocka_unit_test(found_like_a_shell_does),
	};
	int failed;

	support_need_replay();
	acts = support_compile("acts.c", "acts", "-g -O0");
	folder = support_folder();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	support_forget_folder(folder);
	g_free(acts);
	return failed;
}
