/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks that fail a test without ending the program, as a table of frameworks (the text of
 * gdbext/frameworks.conf, whose head describes the format):
 *
 *     [cmocka]
 *     _assert_int_equal = $rdi == $rsi -- %ld($rdi) is not %ld($rsi)
 *     _fail = never
 *
 * A name is that of a function as the program's symbols have it, and may hold `*'.  Before `--'
 * stands the condition, in C, that holds when the check does, with the arguments in GDB's names
 * of registers as they are before the call; behind it what is said when it does not.
 */
#ifndef SOLVER_CHECK_CHECK_TABLE_H
#define SOLVER_CHECK_CHECK_TABLE_H

#include <glib.h>
#include <stdbool.h>

#define CHECK_TABLE_ERROR check_table_error_quark()
GQuark check_table_error_quark(void);
enum check_table_error { CHECK_TABLE_ERROR_TEXT };

struct check_framework {
	char *name;
	char **environment; /* NAME=VALUE, set for the test; NULL = none */
	char **arguments;   /* added to the test's; NULL = none */
	char **preload;	    /* names of our libraries that are loaded with the test; NULL = none */
	char **filter;	    /* arguments that choose one test: its name takes the place of
			     * %s; NULL = there are none */
	char **filter_variable; /* the same as environment variables */
	char **files;		/* patterns of the framework's own source files; NULL = none */
	char **only_in;		/* functions count only when they are of these files */
	char **inserted;	/* not NULL: the compiler put the calls in */
};

struct check_rule {
	const struct check_framework *framework; /* NULL: the user's own, --fail-call */
	char *name;
	GPatternSpec *pattern; /* of the name, when it holds `*'; else NULL */
	char *holds;	       /* NULL = never: being called is the failure */
	bool stores; /* the name is a variable's; the check holds when 0 is stored to it */
	char *says;  /* NULL = nothing is known of its words */
};

struct check_table;

/* name: of the file, for errors.  NULL with an error that says where and what. */
struct check_table *check_table_parse(const char *text, const char *name, GError **error);
void check_table_free(struct check_table *t); /* NULL is fine */
/* A function of the user's own: "die", or "check_equal $rdi == $rsi -- %d($edi) for %d($esi)". */
bool check_table_add(struct check_table *t, const char *text, GError **error);

/* The rule for a function, or variable, of that name; file: where a function is defined, NULL = not
 * known.  NULL = it is no check. */
const struct check_rule *check_table_find(const struct check_table *t, const char *name,
					  const char *file, bool variable);
/* Are there rules for variables? */
bool check_table_has_variables(const struct check_table *t);
/* Is the file one of the framework's own? */
bool check_framework_has_file(const struct check_framework *f, const char *file);

#endif
