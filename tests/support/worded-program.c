/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/worded-program.h"

#include "tests/support/patched.h"
#include "tests/support/program.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* With the words, or without. */
static char *source_of(const struct worded_program *p, bool with)
{
	g_auto(GStrv) parts = g_strsplit(p->source, "|", -1);
	bool replaces = g_strv_length(parts) == 4; /* that one by this one */

	return g_strconcat(parts[0],
			   with	      ? parts[1]
			   : replaces ? parts[2]
				      : "",
			   replaces ? parts[3] : parts[2], NULL);
}

typedef long function(long a, long b);

static const long inputs[][2] = { { 0, 2 },  { 1, 0 },	{ 2, 5 },  { 3, 7 },
				  { 12, 0 }, { 12, 1 }, { 7, 30 }, { -4, -9 } };

static bool is_same_with(struct patched *p, const struct mutant *m, function *right)
{
	function *f = (function *)(uintptr_t)patched_function(p, "f");
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(m, actions);
	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++) {
		long expected = right(inputs[i][0], inputs[i][1]), got;

		patched_put(p, actions);
		got = f(inputs[i][0], inputs[i][1]);
		patched_restore(p);
		if (got != expected) {
			print_error("%ld, %ld: %ld instead of %ld\n", inputs[i][0], inputs[i][1],
				    got, expected);
			return false;
		}
	}
	return true;
}

/* Does it return the same without the change, and does not crash? */
static bool is_same_without(struct patched *p, function *right)
{
	function *f = (function *)(uintptr_t)patched_function(p, "f");

	for (size_t i = 0; i < G_N_ELEMENTS(inputs); i++)
		if (f(inputs[i][0], inputs[i][1]) != right(inputs[i][0], inputs[i][1]))
			return false;
	return true;
}

/* In a process of its own, which may crash; m NULL: without a change. */
static bool is_same(struct patched *p, const struct mutant *m, function *right)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(!(m ? is_same_with(p, m, right) : is_same_without(p, right)));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

void worded_program_test(const struct worded_program *program)
{
	g_autofree char *without = source_of(program, false), *with = source_of(program, true);
	struct patched *p = patched_new(without);
	g_autofree char *path =
		test_compile(p->folder, "right", with, "cc -O0 -w -fwrapv -shared -fPIC");
	void *library = dlopen(path, RTLD_NOW);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, program->line);
	g_autoptr(GArray) checks = mutator_checks(p->m, p->file, program->line, false);
	g_autoptr(GArray) numbers = mutator_checks(p->m, p->file, program->line, true);
	function *right = library ? (function *)(uintptr_t)dlsym(library, "f") : NULL;
	unsigned found = 0, same = 0;

	assert_non_null(right);
	g_array_append_vals(checks, numbers->data, numbers->len);
	g_array_append_vals(all, checks->data, checks->len);
	for (guint i = 0; i < all->len; i++) {
		const struct mutant *m = &g_array_index(all, struct mutant, i);

		if ((m->kind != MUTANT_MISSING && m->kind != MUTANT_CHECK &&
		     m->kind != MUTANT_ZERO_CHECK && m->kind != MUTANT_MIRRORED &&
		     m->kind != MUTANT_EXPRESSION && m->kind != MUTANT_ORDER) ||
		    strcmp(m->words, program->words) != 0)
			continue;
		found++;
		same += is_same(p, m, right);
	}
	/* a check leads to one way around the line, and to another one */
	if (!same || (!checks->len && same < found) || is_same(p, NULL, right))
		fail_msg("%s: %u of %u in\n%s", program->words, same, found, without);
	dlclose(library);
	patched_free(p);
}
