/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The client with children that are shell scripts: good ones, and all that can go wrong. */
#include "gdbext/ipc/child.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <signal.h>
#include <string.h>

#define PROGRESS "{\"event\":\"progress\",\"stage\":\"prove\",\"runs\":1}"
#define ANSWER "{\"event\":\"answer\",\"text\":\"so it is\"}"
#define END "{\"event\":\"end\",\"status\":0}"
#define SAY(line) "echo '" line "' >&3\n"

/* What was heard of a child. */
struct heard {
	char *folder;
	struct ipc_child *child;
	unsigned progress, results;
	gsize length; /* of the last result */
	char *text;   /* of the last result */
	bool ended, cancels, frees;
	bool is_answered;
	int status;
	bool blames_record;
	char *complaints;
};

static void on_event(void *arg, struct event *e)
{
	struct heard *h = arg;

	assert_false(h->ended);
	if (e->kind == EVENT_PROGRESS) {
		h->progress++;
		if (h->cancels)
			ipc_child_cancel(h->child);
	} else {
		assert_int_equal(e->kind, EVENT_RESULT);
		h->results++;
		g_free(h->text);
		h->text = g_strdup(e->text);
		h->length = strlen(e->text);
	}
}

static void on_end(void *arg)
{
	struct heard *h = arg;

	assert_false(h->ended);
	h->ended = true;
	h->status = ipc_child_status(h->child);
	h->blames_record = ipc_child_blames_record(h->child);
	h->complaints = g_strdup(ipc_child_complaints(h->child));
	if (h->frees)
		g_clear_pointer(&h->child, ipc_child_free);
}

static void begin(struct heard *h, const char *script)
{
	g_autofree char *file = NULL;
	const char *argv[] = { "/bin/sh", NULL, "last", NULL };
	struct ipc_start start = {
		.on_event = on_event, .on_end = on_end, .arg = h, .is_answered = h->is_answered
	};

	h->folder = test_folder_new();
	argv[1] = file = g_build_filename(h->folder, "child", NULL);
	assert_true(g_file_set_contents(file, script, -1, NULL));
	start.argv = (char *const *)argv;
	start.directory = h->folder;
	start.environment = (char *const[]){ (char *)"PATH=/usr/bin:/bin", (char *)"X=y", NULL };
	h->child = ipc_child_new(&start, NULL);
	assert_non_null(h->child);
	assert_int_equal(ipc_child_status(h->child), -1);
}

static void wait_for_end(struct heard *h)
{
	while (!h->ended)
		g_main_context_iteration(NULL, TRUE);
}

static void run(struct heard *h, const char *script)
{
	begin(h, script);
	wait_for_end(h);
}

static void finish(struct heard *h)
{
	ipc_child_free(h->child);
	test_folder_free(h->folder);
	g_free(h->text);
	g_free(h->complaints);
}

/* Has the process whose number is in that file of the folder ended?  A dead one may wait for a
 * parent that never asks. */
static bool is_gone(const struct heard *h, const char *name)
{
	g_autofree char *file = g_build_filename(h->folder, name, NULL);
	g_autofree char *number = NULL, *stat = NULL, *text = NULL;

	assert_true(g_file_get_contents(file, &number, NULL, NULL));
	stat = g_strdup_printf("/proc/%s/stat", g_strstrip(number));
	return !g_file_get_contents(stat, &text, NULL, NULL) || strstr(text, ") Z ") ||
	       strstr(text, ") X ");
}

static void wait_until_gone(const struct heard *h, const char *name)
{
	for (int i = 0; i < 3000 && !is_gone(h, name); i++)
		g_usleep(10000);
	assert_true(is_gone(h, name));
}

static void hears_all(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, SAY(PROGRESS) SAY(PROGRESS) SAY(ANSWER) SAY(END));
	assert_int_equal(h.status, 0);
	assert_int_equal(h.progress, 2);
	assert_int_equal(h.results, 1);
	assert_string_equal(h.text, "so it is");
	assert_string_equal(h.complaints, "");
	assert_false(h.blames_record);
	finish(&h);
}

/* What it is told is its standard input; a child that is not asked has none. */
static void is_told(void **state)
{
	static const char script[] =
		"read word; echo '{\"event\":\"answer\",\"text\":\"'\"$word\"'\"}' "
		">&3\n" SAY(END);
	struct heard asked = { .is_answered = true }, other = { 0 };

	(void)state;
	begin(&asked, script);
	ipc_child_tell(asked.child, "stop");
	wait_for_end(&asked);
	ipc_child_tell(asked.child, "nobody reads this");
	assert_string_equal(asked.text, "stop");
	finish(&asked);
	begin(&other, script);
	ipc_child_tell(other.child, "stop");
	wait_for_end(&other);
	assert_string_equal(other.text, "");
	finish(&other);
}

static void may_be_freed_at_its_end(void **state)
{
	struct heard h = { .frees = true };

	(void)state;
	run(&h, SAY(END));
	assert_null(h.child);
	finish(&h);
}

/* The option stands behind the command; folder and environment are those that were given;
 * what it prints is nobody's. */
static void starts_as_told(void **state)
{
	struct heard h = { 0 };
	g_autofree char *expected = NULL;

	(void)state;
	run(&h, "echo stray\n"
		"printf '{\"event\":\"answer\",\"text\":\"%s %s %s\"}\\n' \"$*\" $X $PWD >&3\n" SAY(
			END));
	expected = g_strdup_printf("--events=3 last y %s", h.folder);
	assert_string_equal(h.text, expected);
	finish(&h);
}

static void hears_pieces(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, "for part in '{\"event\":\"answ' 'er\",\"text\"' ':\"slow\"}'; do\n"
		"printf %s \"$part\" >&3; sleep 0.1; done; echo >&3\n" SAY(END));
	assert_int_equal(h.status, 0);
	assert_string_equal(h.text, "slow");
	finish(&h);
}

static void tells_failures(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h,
	    SAY("{\"event\":\"note\",\"text\":\"First.\"}") SAY(
		    "{\"event\":\"error\",\"status\":2,\"text\":\"Second.\",\"about_record\":true}")
		    SAY("{\"event\":\"end\",\"status\":2}") "exit 2\n");
	assert_int_equal(h.status, 2);
	assert_true(h.blames_record);
	assert_string_equal(h.complaints, "First.\nSecond.\n");
	finish(&h);
}

/* Each of these is told with one sentence. */
static void tells_bad_ends(void **state)
{
	static const struct {
		const char *script, *complaint;
		int status;
	} all[] = {
		{ SAY(PROGRESS) "echo hello >&3; sleep 1000\n",
		  "What the analysis says cannot be read (line 2). It is no event: it is not "
		  "JSON.\n",
		  128 + SIGPIPE },
		{ SAY("{\"event\":\"dance\"}") SAY("nonsense") "sleep 1000\n",
		  "What the analysis says cannot be read (line 1). It is no event: its \"event\" "
		  "is "
		  "not known.\n",
		  128 + SIGPIPE },
		{ "head -c 70000000 /dev/zero | tr '\\000' x >&3; sleep 1000\n",
		  "What the analysis says cannot be read (line 1). It is longer than 64 MiB.\n",
		  128 + SIGPIPE },
		{ SAY(PROGRESS) "printf '{\"event\":\"answer\",\"text\":\"s' >&3\n",
		  "The analysis ended with status 0 in the middle of its answer.\n",
		  128 + SIGPIPE },
		{ "exec 3>&-; exit 3\n",
		  "The analysis ended with status 3 in the middle of its answer.\n", 3 },
		{ "", "The analysis ended with status 0 in the middle of its answer.\n",
		  128 + SIGPIPE },
		{ SAY(ANSWER) "kill -SEGV $$\n",
		  "The analysis was ended by a signal (Segmentation fault).\n", 128 + SIGSEGV },
		{ "echo 'gdb-why: what it cannot do' >&2; exit 2\n", "gdb-why: what it cannot do\n",
		  2 },
		{ "printf 'gone' >&2; kill -KILL $$\n",
		  "gone\nThe analysis was ended by a signal (Killed).\n", 128 + SIGKILL },
		{ "exec /nonexistent/program 2>/dev/null\n",
		  "The analysis ended with status 127 in the middle of its answer.\n", 127 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		struct heard h = { 0 };

		run(&h, all[i].script);
		assert_string_equal(h.complaints, all[i].complaint);
		assert_int_equal(h.status, all[i].status);
		assert_false(h.blames_record);
		finish(&h);
	}
}

static void stands_floods(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, "yes '" PROGRESS "' | head -n 100000 >&3\n"
		"head -c 1000000 /dev/zero | tr '\\000' e >&2; echo the last >&2\n" SAY(ANSWER)
			SAY(END));
	assert_int_equal(h.status, 0);
	assert_int_equal(h.progress, 100000);
	assert_int_equal(h.results, 1);
	assert_true(strlen(h.complaints) < 200000);
	assert_true(g_str_has_suffix(h.complaints, "eeethe last\n"));
	finish(&h);
}

static void reads_long_lines(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, "{ printf '{\"event\":\"answer\",\"text\":\"'; head -c 20000000 /dev/zero | "
		"tr '\\000' x; echo '\"}'; } >&3\n" SAY(END));
	assert_int_equal(h.status, 0);
	assert_int_equal(h.length, 20000000);
	finish(&h);
}

/* What it says on the way to its end is still heard. */
static void cancels(void **state)
{
	struct heard h = { .cancels = true };

	(void)state;
	run(&h,
	    "trap 'echo \"{\\\"event\\\":\\\"error\\\",\\\"status\\\":130,\\\"text\\\":"
	    "\\\"Stopped.\\\"}\" >&3; echo \"{\\\"event\\\":\\\"end\\\",\\\"status\\\":130}\" >&3; "
	    "exit 130' INT\necho $$ >pid\n" SAY(PROGRESS) "while :; do sleep 0.05; done\n");
	assert_int_equal(h.status, 130);
	assert_string_equal(h.complaints, "Stopped.\n");
	ipc_child_cancel(h.child);
	assert_int_equal(ipc_child_status(h.child), 130);
	wait_until_gone(&h, "pid");
	finish(&h);
}

/* It does not listen, so it is killed. */
static void cancels_the_deaf(void **state)
{
	struct heard h = { .cancels = true };

	(void)state;
	run(&h, "trap '' INT TERM\necho $$ >pid\n" SAY(PROGRESS) "while :; do sleep 0.05; done\n");
	assert_int_equal(h.status, 128 + SIGKILL);
	assert_string_equal(h.complaints, "Interrupted.\n");
	wait_until_gone(&h, "pid");
	finish(&h);
}

/* What a child has started does not outlive it, even with its pipe in its hand. */
static void leaves_nothing(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, "sleep 1000 & echo $! >pid\n" SAY(END));
	assert_int_equal(h.status, 0);
	wait_until_gone(&h, "pid");
	finish(&h);
}

/* One that has left the group holds the pipes open; nobody waits for it. */
static void does_not_wait_for_strangers(void **state)
{
	struct heard h = { 0 };
	g_autofree char *file = NULL, *number = NULL;

	(void)state;
	run(&h, "setsid sh -c 'echo $$ >pid; exec sleep 1000' &\n"
		"while ! [ -s pid ]; do sleep 0.02; done\n" SAY(ANSWER) SAY(END));
	assert_int_equal(h.status, 0);
	assert_string_equal(h.text, "so it is");
	assert_false(is_gone(&h, "pid"));
	file = g_build_filename(h.folder, "pid", NULL);
	assert_true(g_file_get_contents(file, &number, NULL, NULL));
	kill((pid_t)g_ascii_strtoll(number, NULL, 10), SIGKILL);
	finish(&h);
}

/* Freed while it runs: what it says is read, so that it can end, and is not told. */
static void frees_at_work(void **state)
{
	static const char *const scripts[] = {
		"echo $$ >pid\n" SAY(PROGRESS) "sleep 1000 & wait\n",
		"trap 'yes x | head -c 500000 >&3; exit 1' TERM\necho $$ >pid\n" SAY(
			PROGRESS) "while :; do sleep 0.05; done\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
		struct heard h = { 0 };

		begin(&h, scripts[i]);
		while (!h.progress)
			g_main_context_iteration(NULL, TRUE);
		g_clear_pointer(&h.child, ipc_child_free);
		assert_false(h.ended);
		assert_int_equal(h.progress, 1);
		wait_until_gone(&h, "pid");
		finish(&h);
	}
}

static void cannot_start(void **state)
{
	const struct ipc_start start = { .argv = (char *const[]){ (char *)"/nonexistent/gdb-why",
								  (char *)"ask", NULL },
					 .on_event = on_event,
					 .on_end = on_end };
	GError *error = NULL;

	(void)state;
	assert_null(ipc_child_new(&start, &error));
	assert_non_null(strstr(error->message, "/nonexistent/gdb-why"));
	g_clear_error(&error);
	ipc_child_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(hears_all),	  cmocka_unit_test(may_be_freed_at_its_end),
		cmocka_unit_test(starts_as_told), cmocka_unit_test(hears_pieces),
		cmocka_unit_test(tells_failures), cmocka_unit_test(tells_bad_ends),
		cmocka_unit_test(stands_floods),  cmocka_unit_test(reads_long_lines),
		cmocka_unit_test(cancels),	  cmocka_unit_test(cancels_the_deaf),
		cmocka_unit_test(leaves_nothing), cmocka_unit_test(does_not_wait_for_strangers),
		cmocka_unit_test(frees_at_work),  cmocka_unit_test(cannot_start),
		cmocka_unit_test(is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
