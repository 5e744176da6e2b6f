/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that serves: it forks a run for each request, and each run finds the world as the first
 * one did. */
#include "tests/support/hosted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint8_t code[] = { 0xc3 }; /* ret */

/* What a run does; its result is its exit status. */
typedef int run_fn(const struct agent_thread *t);

struct scene {
	struct hosted *h;
	pid_t server;
	int ask, answer;
	int input, out; /* files that the server and its runs have open; .out is standard output */
};

static int open_pipe(const struct scene *s, const char *name, int flags)
{
	g_autofree char *path = g_build_filename(s->h->folder, name, NULL);

	return open(path, flags);
}

static void make_pipe(const struct scene *s, const char *name)
{
	g_autofree char *path = g_build_filename(s->h->folder, name, NULL);

	assert_int_equal(mkfifo(path, 0600), 0);
}

static int open_file(const struct scene *s, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(s->h->folder, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	return open(path, O_RDWR);
}

/* The server, which leaves here only in its runs. */
static void serve_runs(struct scene *s, bool from_here, run_fn *run)
{
	struct agent_thread *t = NULL;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(s->out, STDOUT_FILENO);
	if (from_here) {
		t = hosted_thread();
		serve_from_here(t);
	} else if (!serve()) {
		_exit(98);
	}
	_exit(run(t));
}

static void begin(struct scene *s, bool from_here, run_fn *run)
{
	s->h = hosted_new(code, sizeof code, TRACE_RECORD);
	hosted_function(s->h, 0, sizeof code);
	hosted_load(s->h);
	make_pipe(s, "ask");
	make_pipe(s, "answer");
	s->input = open_file(s, "input", "abcdef");
	s->out = open_file(s, "printed", "before ");
	lseek(s->out, 0, SEEK_END);
	s->server = fork();
	assert_true(s->server >= 0);
	if (!s->server)
		serve_runs(s, from_here, run);
	s->ask = open_pipe(s, "ask", O_WRONLY);
	s->answer = open_pipe(s, "answer", O_RDONLY);
	assert_true(s->ask >= 0 && s->answer >= 0);
}

static struct trace_served answered(const struct scene *s)
{
	struct trace_served served = { .status = -2 };

	assert_int_equal(read(s->answer, &served, sizeof served), sizeof served);
	return served;
}

/* The exit status of a run with these actions. */
static int run_with(const struct scene *s, uint32_t n_actions, uint64_t max_insns)
{
	struct trace_request request = { .n_actions = n_actions,
					 .flags = TRACE_RECORD,
					 .max_insns = max_insns };
	struct trace_served served;
	size_t size = offsetof(struct trace_request, actions) + n_actions * sizeof *request.actions;

	for (uint32_t i = 0; i < n_actions; i++)
		request.actions[i].nth = 10 + i;
	assert_int_equal(write(s->ask, &request, size), size);
	served = answered(s);
	assert_true(WIFEXITED(served.status));
	return WEXITSTATUS(served.status);
}

/* The server ends when nobody can ask it any more. */
static void end(struct scene *s)
{
	int status;

	close(s->ask);
	assert_int_equal(waitpid(s->server, &status, 0), s->server);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(s->answer);
	close(s->input);
	close(s->out);
	hosted_free(s->h);
}

static struct scene scene;

/* What was asked for, as a number; the last action's .nth is in it. */
static int tell_request(const struct agent_thread *t)
{
	const struct agent_request *r = &agent.asked;

	(void)t;
	return r->flags != TRACE_RECORD ? 90
	       : r->n_actions		? (int)(r->n_actions + r->actions[r->n_actions - 1].nth)
					: (int)r->max_insns;
}

static void requests_come_to_their_runs(void **state)
{
	(void)state;
	begin(&scene, false, tell_request);
	assert_int_equal(answered(&scene).status, 0);
	assert_int_equal(run_with(&scene, 0, 42), 42);
	assert_int_equal(run_with(&scene, 3, 1), 3 + 12);
	assert_int_equal(run_with(&scene, TRACE_MOST_SERVED, 1),
			 TRACE_MOST_SERVED + 10 + TRACE_MOST_SERVED - 1);
	end(&scene);
}

/* How far the input was read, and how much was printed before; then both change, and the flags. */
static int use_files(const struct agent_thread *t)
{
	char bytes[4];
	long printed = lseek(STDOUT_FILENO, 0, SEEK_CUR), at = lseek(scene.input, 0, SEEK_CUR);
	bool waits = !(fcntl(scene.input, F_GETFL) & O_NONBLOCK);

	(void)t;
	if (read(scene.input, bytes, 2) != 2 || write(STDOUT_FILENO, "more", 4) != 4)
		return 91;
	fcntl(scene.input, F_SETFL, O_NONBLOCK);
	return waits ? (int)(printed + at) : 92;
}

static void each_run_finds_the_files_as_they_were(void **state)
{
	struct stat st;

	(void)state;
	begin(&scene, false, use_files);
	assert_int_equal(answered(&scene).status, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(run_with(&scene, 0, 1), strlen("before "));
	assert_int_equal(fstat(scene.out, &st), 0);
	assert_int_equal(st.st_size, strlen("before more"));
	end(&scene);
}

/* Is the record the run's own? */
static int tell_record(const struct agent_thread *t)
{
	const struct trace_head *head = head_of(t);

	return head->pid == (uint32_t)getpid() && head->tid == (uint32_t)gettid() &&
			       t->owner == head->tid
		       ? 7
		       : 93;
}

static void runs_from_here_have_records(void **state)
{
	(void)state;
	begin(&scene, true, tell_record);
	assert_int_equal(answered(&scene).status, 0);
	assert_int_equal(run_with(&scene, 0, 1), 7);
	assert_int_equal(run_with(&scene, 0, 1), 7);
	end(&scene);
}

/* A run would not have the timer, so none is made. */
static void timers_cannot_be_served(void **state)
{
	const struct itimerval late = { .it_value.tv_sec = 1000 };

	(void)state;
	scene.h = hosted_new(code, sizeof code, TRACE_RECORD);
	hosted_function(scene.h, 0, sizeof code);
	hosted_load(scene.h);
	make_pipe(&scene, "ask");
	make_pipe(&scene, "answer");
	scene.input = scene.out = -1;
	scene.server = fork();
	if (!scene.server) {
		setitimer(ITIMER_REAL, &late, NULL);
		serve();
		_exit(98);
	}
	scene.ask = open_pipe(&scene, "ask", O_WRONLY);
	scene.answer = open_pipe(&scene, "answer", O_RDONLY);
	assert_int_equal(answered(&scene).status, -1);
	end(&scene);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_come_to_their_runs),
		cmocka_unit_test(each_run_finds_the_files_as_they_were),
		cmocka_unit_test(runs_from_here_have_records),
		cmocka_unit_test(timers_cannot_be_served),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
