/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/launch.h"

#include "gdbext/replay/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* In a process of its own: 0 = the start failed with a sentence that says why. */
static int start_without_memory(void)
{
	char program[] = "/bin/true", *argv[] = { program, NULL }, *envp[] = { NULL };
	struct launch l = { .path = program, .argv = argv, .envp = envp, .out = 1, .err = 2 };
	GError *error = NULL;

	free(malloc(1 << 16)); /* the heap has room for the sentence */
	setrlimit(RLIMIT_AS, &(struct rlimit){ 1, 1 });
	if (launch_start(&l, &error))
		return 1;
	return error && g_error_matches(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM) &&
			       strstr(error->message, "/bin/true")
		       ? 0
		       : 2;
}

static void no_memory_is_an_error(void **state)
{
	pid_t pid;
	int status;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* it needs address space of its own */
#endif
	pid = fork();
	if (!pid)
		_exit(start_without_memory());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_memory_is_an_error) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
