/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options go together. */
#include "gdbext/options/options-private.h"

#include "solver/rank/ranking.h"
#include "tui/report/rank/rank.h"

#include <string.h>

bool options_check_rank(char **rest, struct options *o, GError **error)
{
	if (!o->tests)
		return options_wrong(error, "there are no tests; name a file with one test a line: "
					    "gdb-why rank --tests SUITE -- PROG");
	if (o->golden && o->expected)
		return options_wrong(error,
				     "--golden and --expected both say what passes; leave one "
				     "of them out");
	if (o->annotate && o->format != TUI_RANK_TEXT)
		return options_wrong(error, "--annotate is for people; leave --format out with it");
	if (rest[0] && rest[1])
		return options_wrong(error, "arguments are the suite's; name the program alone: "
					    "gdb-why rank --tests SUITE -- PROG");
	if (!o->technique)
		o->technique = g_strdup(RANKING_TECHNIQUE);
	return true;
}

bool options_want_output(const struct options *o)
{
	return o->expect || o->expect_stderr || o->expect_status ||
	       (o->golden && (!o->tests || o->of_suite));
}

const char *options_asks_output(const struct options *o)
{
	static const char *const beginnings[] = { "why output", "why not output",
						  "why-not output" };
	const char *rest;

	for (size_t i = 0; o->question && i < G_N_ELEMENTS(beginnings); i++) {
		rest = o->question + strlen(beginnings[i]);
		if (g_str_has_prefix(o->question, beginnings[i]) &&
		    (!*rest || g_ascii_isspace(*rest)))
			return rest + strspn(rest, " \t");
	}
	return NULL;
}

/* What says what the test has to do. */
static bool check_expected(const struct options *o, GError **error)
{
	if ((o->expect || o->expect_stderr || o->expect_status) &&
	    (o->tests || o->record || o->check))
		return options_wrong(
			error,
			"--expect is about the test of the command line, which is run; "
			"leave --%s out with it",
			o->tests    ? "tests"
			: o->record ? "record"
				    : "check");
	if (o->output_file && (o->tests || o->record || o->check))
		return options_wrong(error,
				     "--output-file is about the test of the command line, which "
				     "is run; leave --%s out with it",
				     o->tests	 ? "tests"
				     : o->record ? "record"
						 : "check");
	if (o->output_file && o->command == OPTIONS_EXPLAIN && !options_want_output(o))
		return options_wrong(error, "--output-file takes the place of standard output; say "
					    "with --expect FILE or --golden PROGRAM what has to "
					    "be in it");
	if (g_strcmp0(o->expect_stderr, "-") == 0 && !o->golden)
		return options_wrong(error, "--expect-stderr - is what the program of --golden "
					    "writes; name one, or a file");
	if (o->require && (o->tests || o->check || options_want_output(o)))
		return options_wrong(error,
				     "--require says itself what the run has to do; leave --%s out "
				     "with it",
				     o->tests	? "tests"
				     : o->check ? "check"
						: "expect");
	if (o->golden && !o->tests && (o->record || o->check || o->expect))
		return options_wrong(error,
				     "--golden says what the test of the command line has to "
				     "print; leave --%s out with it",
				     o->record	? "record"
				     : o->check ? "check"
						: "expect");
	if (o->golden && o->expected)
		return options_wrong(error,
				     "--golden and --expected both say what passes; leave one "
				     "of them out");
	return true;
}

bool options_check_explain(char **rest, const struct options *o, GError **error)
{
	bool own = (rest[0] && rest[1]) || o->stdin_file;
	const char *needs = o->expected	     ? "expected"
			    : o->technique   ? "technique"
			    : o->jobs	     ? "jobs"
			    : o->no_cache    ? "no-cache"
			    : o->no_evidence ? "no-evidence"
			    : o->failing     ? "failing"
			    : o->joint	     ? "joint"
					     : NULL;

	if (!o->tests && needs)
		return options_wrong(
			error, "--%s is about --tests SUITE; name one, or leave it out", needs);
	if (!check_expected(o, error))
		return false;
	if (o->tests && o->record)
		return options_wrong(error, "--tests runs the program; leave it out with --record");
	if (o->tests && o->check)
		return options_wrong(error, "--check is about one run; leave --tests out with it");
	if (o->tests && (o->failing || o->joint) && own)
		return options_wrong(error,
				     "--%s is about tests of the suite; leave PROG's "
				     "arguments and --stdin out with it",
				     o->failing ? "failing" : "joint");
	if (o->tests && o->command == OPTIONS_PANEL && !own)
		return options_wrong(error,
				     "the panel shows one test; give PROG the arguments of the "
				     "failing test, or --stdin, with --tests");
	if (o->tests && o->window && !own)
		return options_wrong(error, "--window keeps the end of one run; give PROG the "
					    "arguments of the test to explain");
	return true;
}

bool options_check_output(const struct options *o, GError **error)
{
	g_autofree char *folder = o->output ? g_path_get_dirname(o->output) : NULL;

	if (!folder || g_file_test(folder, G_FILE_TEST_IS_DIR))
		return true;
	return options_wrong(error, "there is no folder %s to write %s to; make it first", folder,
			     o->output);
}
