/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `goto N': to the execution that a suspect is about. */
#include "gdbext/session/internal.h"

#include <stdio.h>
#include <string.h>

/* " 1 4": the breakpoints that would stop the run on its way. */
static char *enabled_breakpoints(struct session *s)
{
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, NULL, "-break-list");
	const struct mi_value *body = r ? mi_get(r->results, "BreakpointTable.body") : NULL;
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < mi_count(body); i++)
		if (g_strcmp0(mi_get_text(mi_item(body, i), "enabled"), "y") == 0)
			g_string_append_printf(out, " %s", mi_get_text(mi_item(body, i), "number"));
	return g_string_free(out, FALSE);
}

/* Is "Account::withdraw(int)", or "Account::name[abi:cxx11]() const", as GDB says, a function whose
 * own name is that? */
static bool is_function_named(const char *full, const char *name)
{
	const char *end = full + strcspn(full, "([");
	const size_t length = strlen(name);

	return *end && (size_t)(end - full) >= length && strncmp(end - length, name, length) == 0 &&
	       (end - length == full || end[-(ptrdiff_t)length - 1] == ':');
}

/* Of the functions of that name in the file, the last one that begins before the line; NULL = GDB
 * knows none. */
static const char *function_before(const struct mi_value *file, const char *name, unsigned line)
{
	const struct mi_value *symbols = mi_get(file, "symbols");
	const char *found = NULL;
	guint64 last = 0, at;

	for (size_t i = 0; i < mi_count(symbols); i++) {
		const struct mi_value *symbol = mi_item(symbols, i);
		const char *full = mi_get_text(symbol, "name"),
			   *number = mi_get_text(symbol, "line");

		if (!full || !number || !is_function_named(full, name) ||
		    !g_ascii_string_to_unsigned(number, 10, last, line, &at, NULL))
			continue;
		last = at;
		found = full;
	}
	return found;
}

/* "'Account::withdraw(int)'": a member function by the name that GDB has for it.  Free it; NULL: it
 * is not known. */
static char *name_of_member(struct session *s, const char *name, const char *file, unsigned line)
{
	g_autofree char *command = g_strdup_printf("-symbol-info-functions --name %s", name);
	g_autoptr(mi_record) r = mi_conn_command(s->gdb, -1, NULL, command);
	const struct mi_value *files = r ? mi_get(r->results, "symbols.debug") : NULL;

	for (size_t i = 0; i < mi_count(files); i++) {
		const struct mi_value *one = mi_item(files, i);
		const char *found = g_strcmp0(mi_get_text(one, "fullname"), file) == 0
					    ? function_before(one, name, line)
					    : NULL;

		if (found)
			return g_strdup_printf("'%s'", found);
	}
	return NULL;
}

/* "tbreak *&::push+37": where the stop is to GDB.  In C `::' leaves out a variable of that name,
 * which may be visible where the program stands; in C++ the class has to be named. */
static char *break_at(struct session *s, const struct explanation_suspect *a)
{
	const struct explanation_instance *last = try_instance(a);
	const struct explanation_statement *first =
		&g_array_index(a->statements, struct explanation_statement, 0);
	const char *plus = last && last->stop ? strrchr(last->stop, '+') : NULL;
	g_autofree char *name = plus ? g_strndup(last->stop, (gsize)(plus - last->stop)) : NULL;
	const char *colon = plus ? strchr(plus, ':') : NULL;
	g_autofree char *full = NULL;

	if (colon && g_str_has_suffix(first->file, ".c"))
		full = g_strconcat("&::", name, NULL);
	else if (colon)
		full = name_of_member(s, name, first->file, first->line);
	return full ? g_strdup_printf("tbreak *%s%.*s", full, (int)(colon - plus), plus)
		    : g_strdup_printf("tbreak %s:%u", first->file, first->line);
}

/* The number of that execution of the stop's instruction, which may be another than that of the
 * instruction that is changed: the row may have begun more often. */
static guint64 count_of_stop(const struct explanation_suspect *a)
{
	const struct explanation_instance *last = try_instance(a);
	const char *colon = last && last->stop ? strrchr(last->stop, ':') : NULL;
	guint64 count = 1;

	return colon && g_ascii_string_to_unsigned(colon + 1, 10, 1, G_MAXUINT64, &count, NULL)
		       ? count
		       : 1;
}

/* What the test's framework needs is only for this run. */
static void add_run_commands(const struct explanation *e, GPtrArray *go)
{
	char *const none[] = { NULL };
	char *const *variables = e->environment ? e->environment : none;

	for (char *const *v = variables; *v; v++)
		g_ptr_array_add(go, g_strconcat("set environment ", *v, NULL));
	if (e->in_child)
		g_ptr_array_add(go, g_strdup("set follow-fork-mode child"));
	g_ptr_array_add(go, g_strdup("run"));
	for (char *const *v = variables; *v; v++)
		g_ptr_array_add(
			go, g_strdup_printf("unset environment %.*s", (int)strcspn(*v, "="), *v));
	if (e->in_child)
		g_ptr_array_add(go, g_strdup("set follow-fork-mode parent"));
}

/* Is what it changes no statement but a value that is there before the program starts? */
static bool is_initial_value(const struct explanation_suspect *a)
{
	return g_strcmp0(g_array_index(a->statements, struct explanation_statement, 0).kind,
			 "data") == 0;
}

static void add_breakpoint_commands(struct session *s, const struct explanation *e,
				    const struct explanation_suspect *a, const char *others,
				    GPtrArray *go)
{
	guint64 count = is_initial_value(a) ? 1 : count_of_stop(a);

	if (*others)
		g_ptr_array_add(go, g_strconcat("disable", others, NULL));
	g_ptr_array_add(go, is_initial_value(a) ? g_strdup("tbreak main") : break_at(s, a));
	if (count > 1)
		g_ptr_array_add(go, g_strdup_printf("ignore $bpnum %" G_GUINT64_FORMAT, count - 1));
	add_run_commands(e, go);
	if (*others)
		g_ptr_array_add(go, g_strconcat("enable", others, NULL));
}

/* What the stop does not show by itself. */
static void say_where_it_goes(const struct explanation_suspect *a)
{
	if (is_initial_value(a))
		puts("The value is there before the program starts; this goes to its beginning.");
	else if (try_instance(a) && !try_instance(a)->stop)
		puts("The failing run does not come to the execution that this suspect changes; "
		     "this goes to the first one of its line.");
	else if (try_executions(a) > 1)
		printf("The suspect changes %u executions; this goes to the last of them that the "
		       "failing run comes to.\n",
		       try_executions(a));
}

bool goto_suspect(struct session *s, const struct explanation *e,
		  const struct explanation_suspect *a, GPtrArray *go)
{
	const struct explanation_statement *first =
		a->statements->len ? &g_array_index(a->statements, struct explanation_statement, 0)
				   : NULL;
	g_autofree char *others = NULL;

	if (!first || !first->file || !first->line)
		return false;
	if (s->confirm && mi_conn_program_pid(s->gdb) &&
	    !session_agrees(s, "The program being debugged has been started already.\n"
			       "Start it from the beginning?")) {
		puts("Program not restarted.");
		return true;
	}
	say_where_it_goes(a);
	others = enabled_breakpoints(s);
	add_breakpoint_commands(s, e, a, others, go);
	return true;
}
