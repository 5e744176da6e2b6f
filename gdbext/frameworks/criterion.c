/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gdb-why-criterion.so: runs Criterion's tests in the process that was started, one after the
 * other.
 *
 * Criterion runs each test in a process that executes the program anew, and gives it what to do
 * through shared memory that only one run has.  Such a process can be neither recorded nor run
 * again with a change.  This library is loaded before Criterion's, so its functions take the place
 * of the ones there that choose tests, begin and end a test, and report what a check found.  The
 * structures are those of Criterion 2.4 (criterion/types.h, stats.h, options.h and ordered-set.h).
 *
 * A test that is expected to die by a signal or to exit with a status would end this process: it is
 * left out.
 */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

struct criterion_params {
	size_t size;
	void *params;
	size_t length;
	void (*cleanup)(struct criterion_params *);
};

struct criterion_extra {
	int sentinel;
	int compiler, language;
	enum { TEST_NORMAL, TEST_PARAMETERIZED } kind;
	struct criterion_params (*param)(void);
	const char *identifier, *file;
	unsigned line;
	void (*init)(void);
	void (*fini)(void);
	int signal, exit_code;
	bool disabled;
};

struct criterion_test {
	const char *name, *category;
	void (*run)(void);
	struct criterion_extra *data;
};

/* What a set holds stands behind each of its nodes. */
struct criterion_node {
	struct criterion_node *next;
};

struct criterion_set {
	struct criterion_node *first;
};

struct criterion_suite {
	const char *name;
	struct criterion_extra *data; /* NULL = it has none */
	struct criterion_set *tests;  /* NULL = none */
};

struct criterion_test_set {
	struct criterion_set *suites;
};

struct criterion_check {
	const char *message;
	bool passed;
	unsigned line;
	const char *file;
};

/* Of newer checks, cr_assert(eq(int, a, b)). */
struct criterion_tree {
	const char *expression, *message;
};

/* The beginning of Criterion's own. */
extern struct {
	int threshold;
	void *logger;
	bool no_early_exit, always_succeed, ascii, fail_fast;
	const char *pattern;
} criterion_options __attribute__((weak));

EXPORTED int criterion_run_all_tests(struct criterion_test_set *set);
EXPORTED void criterion_internal_test_setup(void);
EXPORTED void criterion_internal_test_main(void (*body)(void));
EXPORTED void criterion_internal_test_teardown(void);
EXPORTED void criterion_abort_test(void);
EXPORTED void criterion_continue_test(void);
EXPORTED void criterion_skip_test(const char *format, ...);
EXPORTED void criterion_test_die(const char *format, ...);
EXPORTED void criterion_send_assert(struct criterion_check *check);
EXPORTED void cri_assert_node_send(const char *file, size_t line, struct criterion_tree *tree);
EXPORTED void cri_asserts_passed_incr(void);

/* The test that runs; Criterion's functions get no pointer to it. */
static struct {
	const struct criterion_suite *suite;
	const struct criterion_test *test;
	void *parameter;
	jmp_buf end;
	bool failed; /* any test */
} running;

static void call_if_there(void (*function)(void))
{
	if (function)
		function();
}

void criterion_internal_test_setup(void)
{
	if (running.suite->data)
		call_if_there(running.suite->data->init);
	call_if_there(running.test->data->init);
}

void criterion_internal_test_main(void (*body)(void))
{
	void (*with_parameter)(void *) = (void (*)(void *))body;

	if (setjmp(running.end))
		return;
	if (running.test->data->kind == TEST_PARAMETERIZED)
		with_parameter(running.parameter);
	else
		body();
}

void criterion_internal_test_teardown(void)
{
	call_if_there(running.test->data->fini);
	if (running.suite->data)
		call_if_there(running.suite->data->fini);
}

void criterion_abort_test(void)
{
	longjmp(running.end, 1);
}

void criterion_continue_test(void)
{
}

void criterion_skip_test(const char *format, ...)
{
	(void)format;
	longjmp(running.end, 1);
}

/* An exception of C++ left a test. */
void criterion_test_die(const char *format, ...)
{
	va_list rest;

	va_start(rest, format);
	vfprintf(stderr, format, rest);
	va_end(rest);
	abort();
}

static void say_failed(const char *file, size_t line, const char *message)
{
	running.failed = true;
	fprintf(stderr, "%s:%zu: Assertion Failed: %s\n", file, line, message ? message : "");
}

void criterion_send_assert(struct criterion_check *check)
{
	if (!check->passed)
		say_failed(check->file, check->line, check->message);
}

void cri_assert_node_send(const char *file, size_t line, struct criterion_tree *tree)
{
	say_failed(file, line, tree->message);
}

void cri_asserts_passed_incr(void)
{
}

static void run_with_parameters(const struct criterion_test *test)
{
	struct criterion_params all = test->data->param();

	for (size_t i = 0; i < all.length; i++) {
		running.parameter = (char *)all.params + i * all.size;
		test->run();
	}
	if (all.cleanup)
		all.cleanup(&all);
}

/* The pattern is that of --filter, SUITE/TEST. */
static bool is_chosen(const struct criterion_suite *suite, const struct criterion_test *test)
{
	const struct criterion_extra *of_suite = suite->data, *own = test->data;
	const char *pattern = &criterion_options ? criterion_options.pattern : NULL;
	char *id;
	bool chosen;

	if (own->disabled || (of_suite && of_suite->disabled) || own->signal || own->exit_code)
		return false;
	if (of_suite && (of_suite->signal || of_suite->exit_code))
		return false;
	if (!pattern)
		return true;
	if (asprintf(&id, "%s/%s", suite->name, test->name) < 0)
		return false;
	chosen = fnmatch(pattern, id, FNM_EXTMATCH) == 0;
	free(id);
	return chosen;
}

static void run_criterion_suite(const struct criterion_suite *suite)
{
	running.suite = suite;
	for (const struct criterion_node *n = suite->tests->first; n; n = n->next) {
		const struct criterion_test *test = (const void *)(n + 1);

		running.test = test;
		if (!is_chosen(suite, test))
			continue;
		if (test->data->kind == TEST_PARAMETERIZED)
			run_with_parameters(test);
		else
			test->run();
	}
}

int criterion_run_all_tests(struct criterion_test_set *set)
{
	for (const struct criterion_node *n = set->suites->first; n; n = n->next) {
		const struct criterion_suite *suite = (const void *)(n + 1);

		if (suite->tests)
			run_criterion_suite(suite);
	}
	return !running.failed;
}
