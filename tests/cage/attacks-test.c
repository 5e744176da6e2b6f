/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every attack of tests/cage/attacks in forced runs of all kinds and by both engines; then the
 * world is as it was, and so is what runs from one checkpoint have in common.  CAGE_RUNS says how
 * many runs to make (make stress-cage), else each attack is tried once in each way: by one engine,
 * with THOROUGH=1 by both.  CAGE_ATTACKS names some, by commas.  timeout: 300
 */
#include "gdbext/replay/cage/cage-calls.h"
#include "gdbext/replay/server/native-server.h"
#include "tests/cage/attack.h"
#include "tests/support/replay.h"
#include "tests/support/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *program, *start_folder;
static char **attacks;

/* FORKED: from a checkpoint, which takes a test of its own. */
enum way { RECORDED, UNRECORDED, NATIVE, SERVED, WAYS, FORKED = WAYS };
static const char *const way_names[] = { "recorded", "unrecorded", "native", "served",
					 "from a checkpoint" };

struct asked {
	struct world_of_attacks world;
	struct limits limits;
	struct replay *replay;
	struct replay_failing failing;
	struct replay_server *server;
	uint64_t from;	 /* where checkpoints are, 0 = there are none */
	char *untouched; /* what a run from a checkpoint says before any attack */
	unsigned runs, changes;
};

/* A byte of a function that is never called becomes another. */
static struct trace_action harmless_change(struct replay *r)
{
	size_t n;
	struct image *const *images = replay_images(r, &n);
	const struct image_function *f = image_function_named(images[0], "never_called");

	assert_non_null(f);
	return (struct trace_action){ .kind = TRACE_ACTION_CODE,
				      .addr = f->entry,
				      .where = 1,
				      .size = 1,
				      .value = { 0x90 } };
}

/* alone: so that runs can be forked from checkpoints.  Descriptors that would keep them from that
 * are not handed down. */
static void ask(struct asked *a, bool jit, bool alone)
{
	static const int kept_back[] = { FD_WRITE, FD_FOLDER, FD_MEMORY };
	char none[] = "none", word[] = "alone";
	char *argv[] = { program, alone ? word : none, NULL, NULL };
	struct replay_options options;
	GError *error = NULL;

	*a = (struct asked){ .limits = *limits_default(), .from = alone };
	world_init(&a->world);
	for (size_t i = 0; alone && i < G_N_ELEMENTS(kept_back); i++)
		fcntl(kept_back[i], F_SETFD, FD_CLOEXEC);
	argv[2] = a->world.folder;
	options = support_options(argv);
	a->limits.checkpoint_starts = 1000;
	options.limits = &a->limits;
	options.stdin_file = a->world.input;
	options.jit = jit;
	options.run_timeout = 5;
	g_free(world_state(&a->world)); /* looking at folders changes when they were read */
	a->replay = replay_new(&options, &error);
	if (!a->replay || !replay_record_failing(a->replay, &a->failing, &error))
		fail_msg("%s", error->message);
	assert_int_equal(a->failing.end, RUN_ASSERT);
}

static void forget(struct asked *a)
{
	replay_server_free(a->server);
	replay_failing_clear(&a->failing);
	replay_free(a->replay);
	assert_int_equal(chdir(start_folder), 0);
	world_deinit(&a->world);
	g_free(a->untouched);
}

/* In place: what serves has the file open. */
static void name_attack(const struct asked *a, const char *name)
{
	FILE *input = fopen(a->world.input, "w");

	assert_non_null(input);
	fprintf(input, "%s\n", name);
	assert_int_equal(fclose(input), 0);
}

static void serve(struct asked *a)
{
	struct trace_action change = harmless_change(a->replay);
	GError *error = NULL;

	for (int i = 0; i < 2; i++) {
		if (!a->server)
			a->server = replay_server_new(a->replay, &change, 1, &error);
		if (a->server &&
		    replay_server_run(a->server, &change, 1, 5000000, NULL, NULL, &error))
			return;
		replay_server_free(a->server); /* it goes with a run that takes too long */
		a->server = NULL;
		if (i)
			fail_msg("%s", error->message);
		g_clear_error(&error);
	}
}

static struct run_result run(struct asked *a, const char *name, const struct run_request *request)
{
	struct runner *runner = replay_runner(a->replay);
	struct run_result result = { 0 };
	GError *error = NULL;

	a->runs++;
	if (!runner->run(runner, request, &result, &error))
		fail_msg("%s: %s", name, error->message);
	/* 98: it does not see its world; 99: there is no such attack */
	if (result.end == RUN_STATUS && (result.status == 98 || result.status == 99))
		fail_msg("%s cannot be made: %d", name, result.status);
	return result;
}

/* A place has no process before it was asked for twice, and may lose it with a run. */
static struct run_result run_forked(struct asked *a, const char *name)
{
	struct run_request request = { .record = a->runs & 1, .thread = a->failing.thread };

	for (int i = 0; i < 3; i++) {
		struct run_result result;

		request.from = a->from;
		result = run(a, name, &request);
		if (result.forked)
			return result;
		run_result_clear(&result);
	}
	fail_msg("%s: no run is forked", name);
	return (struct run_result){ 0 };
}

static void force(struct asked *a, const char *name, enum way way)
{
	struct run_request request = { .record = way == RECORDED, .native = way == NATIVE };
	struct run_result result;

	if (way == SERVED) {
		a->runs++;
		serve(a);
		return;
	}
	result = way == FORKED ? run_forked(a, name) : run(a, name, &request);
	run_result_clear(&result);
}

/* The next run from the same checkpoint finds everything as the first one did. */
static void check_next_run(struct asked *a, const char *name)
{
	struct run_result result;
	g_autofree char *out = NULL, *said = NULL;

	name_attack(a, "");
	result = run_forked(a, name);
	out = support_read(result.record, "out");
	said = g_strdup_printf("%d %d %lu\n%s", result.end, result.status,
			       (unsigned long)result.insns, out);
	run_result_clear(&result);
	if (!a->untouched)
		a->untouched = g_steal_pointer(&said);
	else if (strcmp(a->untouched, said)) {
		a->changes++;
		printf("%s changes the next run from its checkpoint:\n", name);
		world_print_difference(a->untouched, said);
	}
}

/* Processes that are there besides the one that serves, which may have gone with its run. */
static unsigned processes_left(const struct asked *a, bool serves)
{
	unsigned n = support_count_processes(a->world.folder);

	for (int i = 0; i < 500 && n > serves; i++) {
		g_usleep(10000);
		n = support_count_processes(a->world.folder);
	}
	return n > serves ? n - serves : 0;
}

static void attack(struct asked *a, const char *name, enum way way, bool jit)
{
	g_autofree char *before = world_state(&a->world), *after = NULL;
	unsigned left;

	name_attack(a, name);
	force(a, name, way);
	after = world_state(&a->world);
	if (strcmp(before, after)) {
		a->changes++;
		printf("%s (%s, %s) changes the world:\n", name, way_names[way],
		       jit ? "jit" : "step");
		world_print_difference(before, after);
	}
	left = processes_left(a, a->server || way == FORKED);
	if (left)
		fail_msg("%s (%s): %u processes too many", name, way_names[way], left);
}

/* Where only some runs are made, the two engines share them. */
static bool is_another_engines(unsigned number, bool jit)
{
	const char *thorough = g_getenv("THOROUGH");

	return !g_getenv("CAGE_RUNS") && !(thorough && *thorough) && (number & 1) == jit;
}

static void attack_all(bool jit, unsigned runs)
{
	struct asked a;
	unsigned n = g_strv_length(attacks);

	ask(&a, jit, false);
	for (unsigned i = 0; i < runs; i++)
		if (!is_another_engines(i % n + i / n, jit))
			attack(&a, attacks[i % n], (enum way)(i / n % WAYS), jit);
	printf("%u forced runs by %s, %u changes of the world\n", a.runs, jit ? "jit" : "step",
	       a.changes);
	assert_int_equal(a.changes, 0);
	forget(&a);
}

/* Each attack from a checkpoint, where the runs have more in common than elsewhere. */
static void attack_from_checkpoints(bool jit, unsigned runs)
{
	struct asked a;
	unsigned n = g_strv_length(attacks);

	ask(&a, jit, true);
	check_next_run(&a, "none");
	for (unsigned i = 0; i < runs; i++) {
		if (is_another_engines(i, jit))
			continue;
		attack(&a, attacks[i % n], FORKED, jit);
		check_next_run(&a, attacks[i % n]);
	}
	printf("%u forced runs from checkpoints by %s, %u changes\n", a.runs, jit ? "jit" : "step",
	       a.changes);
	assert_int_equal(a.changes, 0);
	forget(&a);
}

/* What the tables say of a call without arguments: minus one when nothing. */
static int error_of(int number)
{
	size_t n_calls, n_arguments;
	const struct cage_call *calls = cage_calls(&n_calls);
	const struct cage_argument *arguments = cage_arguments(&n_arguments);

	for (size_t i = 0; i < n_calls; i++)
		if (calls[i].call == number)
			return calls[i].verdict == CAGE_ANSWER ? calls[i].error : -1;
	for (size_t i = 0; i < n_arguments; i++)
		if (arguments[i].call == number)
			return -1;
	/* By their arguments, in cage.c. */
	if (number == SYS_execve)
		return EACCES;
	return number == SYS_tgkill || number == SYS_sendmsg ? -1 : ENOSYS;
}

/* None of these may ever be in the list of what is allowed. */
static void check_never_allowed(void)
{
	static const int never[] = {
		SYS_unlink,	     SYS_rename,  SYS_chmod,	SYS_fchmod,
		SYS_truncate,	     SYS_mkdir,	  SYS_link,	SYS_socket,
		SYS_connect,	     SYS_bind,	  SYS_ptrace,	SYS_process_vm_writev,
		SYS_mount,	     SYS_unshare, SYS_setns,	SYS_bpf,
		SYS_perf_event_open, SYS_keyctl,  SYS_open,	SYS_openat,
		SYS_creat,	     SYS_kill,	  SYS_tkill,	SYS_tgkill,
		SYS_io_uring_setup,  SYS_flock,	  SYS_setuid,	SYS_pidfd_open,
		SYS_pidfd_getfd,     SYS_shmat,	  SYS_msgsnd,	SYS_fork,
		SYS_vfork,	     SYS_clone3,  SYS_execveat, SYS_seccomp,
		SYS_memfd_create,
	};
	size_t n;
	const struct cage_call *calls = cage_calls(&n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < G_N_ELEMENTS(never); k++)
			if (calls[i].verdict == CAGE_ALLOW && calls[i].call == never[k])
				fail_msg("call %d is allowed", never[k]);
}

static void every_number_is_decided(void **state)
{
	struct run_request request = { 0 };
	struct run_result result = { 0 };
	g_autofree char *out = NULL;
	unsigned seen = 0;
	struct asked a;

	(void)state;
	check_never_allowed();
	ask(&a, true, false);
	assert_true(g_file_set_contents(a.world.input, "every_call\n", -1, NULL));
	assert_true(replay_runner(a.replay)->run(replay_runner(a.replay), &request, &result, NULL));
	assert_int_equal(result.end, RUN_STATUS);
	assert_int_equal(result.status, 7);
	out = support_read(result.record, "out");
	for (const char *line = out; *line; line += strcspn(line, "\n") + 1) {
		int number, error, expected;

		assert_int_equal(sscanf(line, "%d %d", &number, &error), 2);
		expected = error_of(number % 10000);
		if (expected >= 0 && (error != expected || (number >= 10000) != !expected))
			fail_msg("call %d: %d instead of %d", number % 10000, error, expected);
		seen++;
	}
	assert_true(seen > 1000);
	printf("%u numbers\n", seen);
	run_result_clear(&result);
	forget(&a);
}

/* The attacks are real: without the cage these change the world. */
static void uncaged_they_do_harm(void **state)
{
	static const char *const some[] = { "open_write",
					    "truncate",
					    "unlink",
					    "rename",
					    "make_names",
					    "modes",
					    "times",
					    "map_shared",
					    "copies",
					    "inherited_read",
					    "ipc",
					    "inherited_write",
					    "sockets",
					    "named_pipe",
					    "owner_signals",
					    "kill_thread",
					    "terminals",
					    "open_again_by_proc",
					    "splices",
					    "inherited_events",
					    "pass_descriptors",
					    "futexes" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(some); i++) {
		struct world_of_attacks w;
		g_autofree char *before = NULL, *after = NULL, *command = NULL;

		world_init(&w);
		g_free(world_state(&w));
		before = world_state(&w);
		command = g_strdup_printf("echo %s >'%s'; setsid -w timeout 5 '%s' none '%s' <'%s' "
					  ">/dev/null 2>&1",
					  some[i], w.input, program, w.folder, w.input);
		if (system(command) < 0)
			fail_msg("cannot run %s", command);
		after = world_state(&w);
		if (!strcmp(before, after))
			fail_msg("%s does no harm without the cage", some[i]);
		assert_int_equal(chdir(start_folder), 0);
		world_deinit(&w);
	}
}

static unsigned runs_for_each_engine(void)
{
	const char *wanted = g_getenv("CAGE_RUNS");

	return wanted ? (unsigned)((strtoul(wanted, NULL, 10) + 1) / 2)
		      : g_strv_length(attacks) * WAYS;
}

static void jit_runs_change_nothing(void **state)
{
	(void)state;
	attack_all(true, runs_for_each_engine());
}

static void stepped_runs_change_nothing(void **state)
{
	(void)state;
	attack_all(false, runs_for_each_engine());
}

/* Two runs an attack. */
static void runs_from_checkpoints_change_nothing(void **state)
{
	unsigned n = g_getenv("CAGE_RUNS") ? runs_for_each_engine() / 4 : g_strv_length(attacks);

	(void)state;
	attack_from_checkpoints(true, n);
	attack_from_checkpoints(false, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uncaged_they_do_harm),
		cmocka_unit_test(every_number_is_decided),
		cmocka_unit_test(jit_runs_change_nothing),
		cmocka_unit_test(stepped_runs_change_nothing),
		cmocka_unit_test(runs_from_checkpoints_change_nothing),
	};
	int failed;

	support_need_replay();
	start_folder = g_get_current_dir();
	attacks = g_getenv("CAGE_ATTACKS") ? g_strsplit(g_getenv("CAGE_ATTACKS"), ",", -1)
					   : world_attacks();
	program = world_compile();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	g_strfreev(attacks);
	g_free(program);
	g_free(start_folder);
	return failed;
}
