/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a caged run does to the world: nothing.  The program is harmless in its
 * first run, because its input is; then the input changes. timeout: 180 */
#include "tests/support/replay.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char *caged; /* the program */

/* A run that tried to do harm: how it ended, what it printed, how many waited in the file. */
struct harm {
	struct run_result result;
	char *out;
	off_t printed; /* bytes of it */
	int waiters;
};

static void harm_clear(struct harm *h)
{
	run_result_clear(&h->result);
	g_free(h->out);
}

/* A world to be harmed. */
struct world {
	char *folder, *file, *input;
	pid_t victim;
};

static void world_make(struct world *w)
{
	w->folder = g_dir_make_tmp("why-world-XXXXXX", NULL);
	w->file = g_build_filename(w->folder, "file", NULL);
	w->input = g_build_filename(w->folder, "input", NULL);
	assert_true(g_file_set_contents(w->file, "data\n", -1, NULL));
	assert_true(g_file_set_contents(w->input, "no", -1, NULL));
	assert_int_equal(chmod(w->file, 0640), 0);
	w->victim = fork();
	if (!w->victim)
		for (;;)
			pause();
}

static void world_check_and_clear(struct world *w)
{
	g_autofree char *text = support_read(w->folder, "file");
	struct stat st;

	assert_string_equal(text, "data\n");
	assert_int_equal(support_count_entries(w->folder), 2);
	assert_int_equal(stat(w->file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(waitpid(w->victim, NULL, WNOHANG), 0);
	kill(w->victim, SIGKILL);
	waitpid(w->victim, NULL, 0);
	unlink(w->file);
	unlink(w->input);
	rmdir(w->folder);
	g_free(w->folder);
	g_free(w->file);
	g_free(w->input);
}

/* Counts who waits at the start of a file, as long as a run lasts. */
struct watch {
	const char *file;
	int over, most;
	GThread *thread;
};

static gpointer count_waiters(gpointer data)
{
	struct watch *w = data;
	int fd = open(w->file, O_RDONLY | O_CLOEXEC);
	uint32_t *place = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	while (!g_atomic_int_get(&w->over)) {
		/* They are moved to where they are. */
		long n = syscall(SYS_futex, place, FUTEX_REQUEUE, 0, INT_MAX, place, 0);

		w->most = MAX(w->most, (int)n);
		g_usleep(1000);
	}
	munmap(place, 4096);
	close(fd);
	return NULL;
}

static int run_and_watch(struct replay *r, const char *file, struct run_result *result)
{
	struct run_request request = { .record = false };
	struct watch watch = { .file = file };
	GError *error = NULL;

	watch.thread = g_thread_new("watch", count_waiters, &watch);
	if (!replay_runner(r)->run(replay_runner(r), &request, result, &error))
		fail_msg("%s", error->message);
	g_atomic_int_set(&watch.over, 1);
	g_thread_join(watch.thread);
	return watch.most;
}

static off_t size_of(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

static struct harm do_harm_within(const char *kind, double timeout, const struct limits *limits)
{
	struct world w;
	g_autofree char *pid = NULL;
	char *argv[] = { caged, (char *)kind, NULL, NULL, NULL };
	struct replay_options options = support_options(argv);
	struct replay_failing failing;
	struct harm harm = { 0 };
	GError *error = NULL;
	struct replay *r;

	world_make(&w);
	pid = g_strdup_printf("%d", (int)w.victim);
	argv[2] = w.file;
	argv[3] = pid;
	options.stdin_file = w.input;
	options.run_timeout = timeout;
	options.limits = limits;
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, &failing, &error))
		fail_msg("%s", error->message);
	assert_int_equal(failing.end, RUN_ASSERT);
	assert_true(g_file_set_contents(w.input, "harm", -1, NULL));
	harm.waiters = run_and_watch(r, w.file, &harm.result);
	harm.out = support_read(harm.result.record, "out");
	harm.printed = size_of(harm.result.record, "out");
	assert_int_equal(support_wait_processes(w.file, 0), 0);
	world_check_and_clear(&w);
	replay_failing_clear(&failing);
	replay_free(r);
	return harm;
}

static struct harm do_harm(const char *kind, double timeout)
{
	return do_harm_within(kind, timeout, NULL);
}

/* It tries, is told this, and goes on to its assertion. */
static void check_goes_on(const char *kind, const char *answer)
{
	struct harm h = do_harm(kind, 20);

	if (h.result.end != RUN_ASSERT)
		fail_msg("%s: ends with %d (status %d, signal %d)", kind, (int)h.result.end,
			 h.result.status, h.result.signo);
	if (strcmp(h.out, answer) != 0)
		fail_msg("%s: is told %s, expected %s", kind, h.out, answer);
	harm_clear(&h);
}

static void files_stay(void **state)
{
	(void)state;
	check_goes_on("unlink", "0\n");
	check_goes_on("rename", "0\n");
	check_goes_on("create", "0\n");
	check_goes_on("overwrite", "0\n");
	check_goes_on("chmod", "0\n");
	check_goes_on("directory", "0\n");
}

static void mapped_files_stay(void **state)
{
	struct harm h = do_harm("map", 20);

	(void)state;
	harm_clear(&h);
}

static void others_are_left_alone(void **state)
{
	(void)state;
	check_goes_on("kill", "0\n");
	check_goes_on("socket", "-1\n");
}

static void a_crash_starts_nothing(void **state)
{
	struct rlimit core;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CORE, &core), 0);
	if (!core.rlim_max) /* then it can be no more */
		skip();
	check_goes_on("others", "0\n");
}

/* Who waits in a file may be woken in the stead of others. */
static void nobody_waits_in_files(void **state)
{
	struct harm h = do_harm("waits", 20);

	(void)state;
	assert_string_equal(h.out, "0\n");
	assert_int_equal(h.waiters, 0);
	harm_clear(&h);
}

static void nothing_is_started(void **state)
{
	(void)state;
	check_goes_on("fork", "0\n");
	check_goes_on("exec", "-1\n");
	check_goes_on("system", "0\n"); /* in appearance */
}

static void it_may_end_itself(void **state)
{
	struct harm h = do_harm("raise", 20);

	(void)state;
	assert_int_equal(h.result.end, RUN_SIGNAL);
	assert_int_equal(h.result.signo, SIGTERM);
	harm_clear(&h);
}

static void memory_is_limited(void **state)
{
	struct limits limits = *limits_default();
	struct harm h;

	(void)state;
	limits.caged_memory = 256 << 20;
	limits.caged_least_ms = 60000; /* its pages may come slowly */
	h = do_harm_within("eat", 60, &limits);
	assert_int_equal(h.result.end, RUN_STATUS);
	assert_int_equal(h.result.status, 7);
	harm_clear(&h);
}

/* No limit of the kernel's counts it. */
static void memory_in_sockets_is_limited(void **state)
{
	struct limits limits = *limits_default();
	struct rlimit files;
	struct harm h;

	(void)state;
	limits.caged_memory = 64 << 20;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	files.rlim_cur = MIN(files.rlim_max, 8192);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	h = do_harm_within("sockets", 20, &limits);
	assert_int_equal(h.result.end, RUN_LIMIT);
	harm_clear(&h);
}

/* The record may be longer, so that no limit of the kernel's is as small. */
static void output_is_limited(void **state)
{
	struct limits limits = *limits_default();
	struct harm h;

	(void)state;
	limits.caged_output = 16 << 20;
	h = do_harm_within("print", 20, &limits);
	assert_int_equal(h.result.end, RUN_LIMIT);
	assert_true(h.printed > 16 << 20);
	harm_clear(&h);
}

/* Nothing is known then of what the recorder saw; how the run ended is. */
static void the_plan_is_its_own(void **state)
{
	(void)state;
	check_goes_on("plan", "0\n");
}

static void time_is_limited(void **state)
{
	struct harm h = do_harm("loop", 1);

	(void)state;
	assert_int_equal(h.result.end, RUN_TIMEOUT);
	harm_clear(&h);
}

/* Descriptors that the user handed down are the world too. */
static void inherited_files_stay(void **state)
{
	char path[] = "/tmp/why-inherited-XXXXXX", fd_word[16], body[] = "descriptor";
	char *argv[] = { caged, body, path, fd_word, NULL };
	struct replay_options options;
	struct run_request request = { .record = false };
	struct run_result result;
	struct replay_failing failing;
	g_autofree char *text = NULL, *input = NULL;
	GError *error = NULL;
	struct replay *r;
	int fd = mkstemp(path);

	(void)state;
	input = g_strconcat(path, ".input", NULL);
	assert_true(g_file_set_contents(input, "no", -1, NULL));
	snprintf(fd_word, sizeof fd_word, "%d", fd);
	options = support_options(argv);
	options.stdin_file = input;
	r = replay_new(&options, &error);
	if (!r || !replay_record_failing(r, &failing, &error))
		fail_msg("%s", error->message);
	assert_true(g_file_set_contents(input, "harm", -1, NULL));
	if (!replay_runner(r)->run(replay_runner(r), &request, &result, &error))
		fail_msg("%s", error->message);
	assert_int_equal(result.end, RUN_ASSERT);
	g_free(text);
	text = support_read(result.record, "out");
	assert_string_equal(text, "0\n");
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	close(fd);
	unlink(path);
	unlink(input);
	run_result_clear(&result);
	replay_failing_clear(&failing);
	replay_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_stay),
		cmocka_unit_test(mapped_files_stay),
		cmocka_unit_test(others_are_left_alone),
		cmocka_unit_test(a_crash_starts_nothing),
		cmocka_unit_test(nobody_waits_in_files),
		cmocka_unit_test(nothing_is_started),
		cmocka_unit_test(it_may_end_itself),
		cmocka_unit_test(memory_is_limited),
		cmocka_unit_test(memory_in_sockets_is_limited),
		cmocka_unit_test(output_is_limited),
		cmocka_unit_test(the_plan_is_its_own),
		cmocka_unit_test(time_is_limited),
		cmocka_unit_test(inherited_files_stay),
	};
	int failed;

	support_need_replay();
	caged = support_compile("caged.c", "caged", "-g -O0 -pthread");
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_free(caged);
	return failed;
}
