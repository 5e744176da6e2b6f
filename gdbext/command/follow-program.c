/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/follow-program.h"
#include "gdbext/replay/processes.h"

#include <stdio.h>
#include <string.h>

/* A name alone is the program's in whichever folder. */
static bool has_program_name(const struct process *p, const char *name)
{
	g_autofree char *base = g_path_get_basename(p->program);
	g_autofree char *whole = g_canonicalize_filename(name, NULL);

	/* libtool runs .libs/lt-NAME for NAME */
	return strcmp(whole, p->program) == 0 ||
	       (!strchr(name, '/') && (strcmp(base, name) == 0 ||
				       (g_str_has_prefix(base, "lt-") && !strcmp(base + 3, name))));
}

static const struct process *choose_process(const GPtrArray *all, const char *name)
{
	const struct process *first = NULL;

	for (guint i = 0; i < all->len; i++) {
		const struct process *p = all->pdata[i];

		if (!has_program_name(p, name))
			continue;
		if (p->status)
			return p;
		first = first ? first : p;
	}
	return first;
}

static void take_process_environment(const struct process *p)
{
	for (char **v = p->variables; *v; v++) {
		g_autofree char *name = g_strndup(*v, strcspn(*v, "="));

		g_setenv(name, *v + strlen(name) + 1, TRUE);
	}
	for (char **name = p->unset; *name; name++)
		g_unsetenv(*name);
}

static void make_absolute(char **file, const char *directory)
{
	char *whole = *file ? g_canonicalize_filename(*file, directory) : NULL;

	g_free(*file);
	*file = whole;
}

/* The panel gives its own options to the commands that it starts. */
static void renew_given(char ***given, const struct options *o)
{
	static const char *const ours[] = { "--follow=", "--stdin=", "--directory=" };
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (char **word = *given; word && *word; word++) {
		bool is_ours = false;

		for (size_t i = 0; i < G_N_ELEMENTS(ours); i++)
			is_ours |= g_str_has_prefix(*word, ours[i]);
		if (!is_ours)
			g_ptr_array_add(words, g_strdup(*word));
	}
	g_ptr_array_add(words, g_strconcat("--directory=", o->directory, NULL));
	if (o->stdin_file)
		g_ptr_array_add(words, g_strconcat("--stdin=", o->stdin_file, NULL));
	g_ptr_array_add(words, NULL);
	g_strfreev(*given);
	*given = (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static void become_process(struct options *o, const struct process *p)
{
	char **files[] = { &o->golden, &o->expect, &o->expect_stderr, &o->output_file };
	g_autofree char *here = o->directory ? g_canonicalize_filename(o->directory, NULL) : NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
		make_absolute(files[i], here);
	g_strfreev(o->program);
	g_free(o->directory);
	g_free(o->stdin_file);
	o->program = g_strdupv(p->argv);
	g_free(o->program[0]);
	o->program[0] = g_strdup(p->program);
	o->directory = g_strdup(p->directory);
	o->stdin_file = g_strdup(p->stdin_file);
	take_process_environment(p);
	if (o->command == OPTIONS_PANEL) {
		renew_given(&o->given, o);
		renew_given(&o->given_ask, o);
		renew_given(&o->given_try, o);
		renew_given(&o->given_specs, o);
	}
}

static void tell_followed(const struct options *o, const struct process *p)
{
	g_autofree char *command = process_command(p, "");
	g_autofree char *end = process_end(p);

	if (o->events)
		return;
	fprintf(stderr, "gdb-why: follows %s (%s): %s\n", o->follow_program, end, command);
	if (p->reads_a_pipe)
		fputs("gdb-why: its standard input was a pipe and is empty now; put what it reads "
		      "into a file, and explain the program itself with --stdin FILE\n",
		      stderr);
}

static bool refuse_to_follow(GError **error, const struct options *o, const char *what)
{
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, "--follow %s: %s", o->follow_program,
		    what);
	return false;
}

bool follow_program(struct options *o, GError **error)
{
	struct deadline until = deadline_in(o->timeout, NULL);
	g_autoptr(GPtrArray) all = NULL;
	const struct process *p;

	if (!o->follow_program)
		return true;
	if (o->record || o->tests)
		return refuse_to_follow(
			error, o,
			"it is about a command that is run; leave --record and --tests out");
	all = processes_of(o->program, o->directory, o->stdin_file, &until);
	if (!all)
		return refuse_to_follow(error, o, "the command's processes cannot be watched here");
	p = choose_process(all, o->follow_program);
	if (!p || !p->argv[0])
		return refuse_to_follow(error, o, "the command ran no such program");
	tell_followed(o, p);
	become_process(o, p);
	return true;
}
