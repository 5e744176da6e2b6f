/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --help says, made from the table. */
#include "gdbext/options/options-private.h"

#include "tui/panel/panel.h"

#include <string.h>

#ifndef GDB_WHY_VERSION
#error "GDB_WHY_VERSION comes from the Makefile"
#endif

enum { HELP_COLUMN = 29, HELP_WIDTH = 79 };

static void append_wrapped_help(GString *out, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	size_t column = HELP_COLUMN;

	for (char **w = words; *w; w++) {
		if (column + 1 + strlen(*w) > HELP_WIDTH) {
			g_string_append_printf(out, "\n%*s", HELP_COLUMN - 1, "");
			column = HELP_COLUMN;
		}
		g_string_append_printf(out, " %s", *w);
		column += 1 + strlen(*w);
	}
	g_string_append_c(out, '\n');
}

static char *describe_default(const struct option_row *row)
{
	g_autofree char *all = NULL;

	switch (row->kind) {
	case OPTION_CHOICE:
		all = g_strjoinv("|", (char **)row->choices);
		return g_strdup_printf(": %s (default: %s)", all, row->choices[(int)row->standard]);
	case OPTION_SIZE:
		return row->standard > 0
			       ? g_strdup_printf(" (default: %gG)", row->standard / (1u << 30))
			       : g_strdup(" (default: all)");
	case OPTION_SECONDS:
		return g_strdup_printf(" (default: %g)", row->standard);
	case OPTION_COUNT:
		if (row->standard >= row->min)
			return g_strdup_printf(" (default: %g)", row->standard);
		return g_strdup("");
	case OPTION_LIMIT:
		return g_strdup_printf(" (default: %" G_GUINT64_FORMAT ")",
				       limit_rows[row->limit].standard);
	default:
		return g_strdup("");
	}
}

static void describe_option(const struct option_row *row, GString *out)
{
	char letter[] = { row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
			  row->letter ? ',' : ' ', '\0' };
	g_autofree char *left = g_strdup_printf("  %s --%s%s%s", letter, row->name,
						row->arg ? " " : "", row->arg ? row->arg : "");
	g_autofree char *standard = describe_default(row);
	g_autofree char *right = g_strconcat(row->help, standard, NULL);

	g_string_append_printf(out, "%-*s", HELP_COLUMN - 1, left);
	append_wrapped_help(out, right);
}

static void append_options(enum options_command command, bool expert, GString *out)
{
	g_string_append(out, expert ? "\nOptions for experts:\n" : "\nOptions:\n");
	for (size_t i = 0; i < n_option_rows; i++)
		if (option_is_for(&option_rows[i], command) && option_rows[i].expert == expert &&
		    !option_rows[i].hidden)
			describe_option(&option_rows[i], out);
}

static void append_keys(GString *out)
{
	g_autofree char *keys = panel_keys_help();
	g_auto(GStrv) lines = g_strsplit(keys, "\n", -1);

	g_string_append(out, "\nKeys:\n");
	for (char **line = lines; **line; line++)
		g_string_append_printf(out, "  %s\n", *line);
}

/* What the help on a command begins with. */
static const char *const introductions[N_OPTION_NAMES] = {
	[OPTIONS_EXPLAIN] =
		"Usage: gdb-why explain [options] [--] PROG ARGS...\n"
		"       gdb-why explain [options] --record FILE [--] [PROG]\n"
		"       gdb-why explain [options] --tests SUITE [--] PROG [ARGS...]\n"
		"\n"
		"Runs PROG, a program built with -g that fails an assertion, crashes, exits with\n"
		"another status than 0 or does not end, under GDB, and says which statements\n"
		"could have been otherwise so that it would have passed.\n"
		"With --record, answers from what `gdb-why record' wrote.\n"
		"With --tests, weighs statements by what the tests of SUITE did, the likely ones\n"
		"first; without ARGS the failing test is one of SUITE, too.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n",
	[OPTIONS_RECORD] =
		"Usage: gdb-why record [options] [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, a program built with -g that fails an assertion, crashes or exits\n"
		"with another status than 0, once under GDB, and writes what happened to a file\n"
		"that `gdb-why explain --record FILE' explains, later or elsewhere.\n"
		"The file holds PROG, its sources, arguments and input, and the data that it\n"
		"worked on.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n",
	[OPTIONS_ASK] =
		"Usage: gdb-why ask [options] QUESTION -- PROG ARGS...\n"
		"       gdb-why ask [options] --record FILE QUESTION [-- PROG]\n"
		"\n"
		"Runs PROG, a program built with -g, under GDB, and answers a question about that\n"
		"run where it failed, or at the stop that --at names:\n"
		"\n"
		"  why                  as gdb-why explain\n"
		"  why EXPR             why EXPR, in C, has its value: the assignments and\n"
		"                       decisions that made it so, back to inputs and constants\n"
		"  why not COND         which statements could have been otherwise so that COND, "
		"in\n"
		"                       C, would hold there\n"
		"  why line N           which decisions led to line N of the file, or FILE:N\n"
		"  why not line N       which decisions led away from it; `in f:2' behind it: in "
		"the\n"
		"                       second call of f, its function\n"
		"  why output [N]       which calls printed each line of the output; line N, or "
		"the\n"
		"                       first with \"TEXT\": why its values are as they are\n"
		"  why not output TEXT  which code could print TEXT, and why it was not reached\n"
		"\n"
		"The question ends at `--'.  Quote what the shell would take for itself.\n"
		"`why -d N EXPR', `why --row N EXPR' and `why --all EXPR' are as these options.\n",
	[OPTIONS_RANK] =
		"Usage: gdb-why rank --tests SUITE [options] [--] PROG\n"
		"\n"
		"Runs PROG, built with -g, with all tests of SUITE, and ranks its lines by what\n"
		"the failing and the passing tests executed: the most suspicious first.\n",
	[OPTIONS_PANEL] =
		"Usage: gdb-why panel [options] [--] PROG ARGS...\n"
		"       gdb-why panel [options] --record FILE [--] [PROG]\n"
		"\n"
		"As gdb-why explain, on a screen of its own: the source, the explanations as they\n"
		"are found, the way from each to the failure, and answers to further questions.\n"
		"Where there is no terminal that this could run on, the answer is printed.\n",
	[OPTIONS_TRY] =
		"Usage: gdb-why try [options] --flip FILE:LINE[:COUNT|:all] [--] PROG ARGS...\n"
		"       gdb-why try [options] --set 'LVALUE = VALUE' --at STOP [--] PROG ARGS...\n"
		"       gdb-why try [options] --suspect ANSWER:N [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, built with -g, once more with one branch turned or one variable\n"
		"changed, in the cage, and says what that changes: how it ends, what it prints.\n",
	[OPTIONS_REGRESS] =
		"Usage: gdb-why regress --old VERSION --new VERSION [options] --test COMMAND\n"
		"       gdb-why regress --old VERSION --new VERSION [options] --run PROG [-- "
		"ARGS...]\n"
		"\n"
		"Builds both versions in private copies, and says which of the changes between\n"
		"them made the test fail, and how: the fewest changes without which the new\n"
		"version passes.\n"
		"A version is a folder, or a revision of the git repository that one stands in.\n",
	[OPTIONS_SPECS] =
		"Usage: gdb-why specs --spec FILE.c|FILE.so [options] [--] PROG ARGS...\n"
		"\n"
		"Runs PROG, a program built with -g, and evaluates the predicates of FILE, in C,\n"
		"when functions that it names are called and when they return.\n"
		"Where one does not hold, says which statements that rests on, and makes tests\n"
		"that tell them apart.\n"
		"Everything after `--' or after the first word that is no option is PROG's.\n",
	[OPTIONS_LESSON] =
		"Usage: gdb-why lesson                            the lessons, and how far you "
		"are\n"
		"       gdb-why lesson start NAME [DIR]           a folder with a program that "
		"fails\n"
		"       gdb-why lesson hint [N]                   a hint; each costs points\n"
		"       gdb-why lesson answer program.c:LINE...   which lines are wrong\n"
		"       gdb-why lesson answer --fix               program.c is mended\n"
		"       gdb-why lesson check [DIR]                is the answer right?\n"
		"       gdb-why lesson report [DIR]               what was done when\n"
		"       gdb-why lesson handout NAME               a page for the class\n"
		"       gdb-why lesson grade DIR                  a folder of students' folders\n"
		"       gdb-why lesson key NAME                   the fault, and what is accepted\n"
		"       gdb-why lesson measure NAME               how difficult is each variant?\n"
		"       gdb-why lesson new DIR PROGRAM.c --golden FILE --tests FILE\n"
		"                                                 a lesson of your own\n"
		"\n"
		"A course in debugging: small programs with a fault each.  An answer is right "
		"when\n"
		"the engine proves that a change there makes all hidden tests pass.\n",
	[OPTIONS_EVALUATE] =
		"Usage: gdb-why evaluate [options] SUBJECTS\n"
		"       gdb-why evaluate --merge [-o DIR] DIRS\n"
		"       gdb-why evaluate --table|--graph OUT|--page FILE [DIRS]\n"
		"\n"
		"Measures techniques that rank lines on faulty versions of programs: builds every\n"
		"version of every subject, runs its suite, and looks where each technique ranks\n"
		"the faulty lines.  A subject is a folder with a file subject.conf, or one in a\n"
		"layout that is known: SIR, Codeflaws, C-Pack-IPAs, coverage by other tools.\n",
};

static void append_statuses(enum options_command command, GString *out)
{
	g_string_append(out, "\nExit status:\n");
	for (size_t i = 0; i < n_option_statuses; i++)
		if (option_statuses[i].commands & 1u << command)
			g_string_append_printf(out, "  %-3d  %s\n", option_statuses[i].status,
					       option_statuses[i].meaning);
}

static char *help_on(enum options_command command)
{
	GString *out = g_string_new(introductions[command]);

	append_options(command, false, out);
	g_string_append(out, "  -h, --help                 this text\n");
	append_options(command, true, out);
	if (command == OPTIONS_PANEL)
		append_keys(out);
	append_statuses(command, out);
	return g_string_free(out, FALSE);
}

static const char overview[] =
	"Usage: gdb-why [GDB's options] [--args] PROG ARGS...\n"
	"       gdb-why explain [options] [--] PROG ARGS...\n"
	"       gdb-why explain [options] --record FILE [--] [PROG]\n"
	"       gdb-why explain [options] --tests SUITE [--] PROG [ARGS...]\n"
	"       gdb-why record [options] [--] PROG ARGS...\n"
	"       gdb-why ask [options] QUESTION -- PROG ARGS...\n"
	"       gdb-why panel [options] [--] PROG ARGS...\n"
	"       gdb-why rank --tests SUITE [options] [--] PROG\n"
	"       gdb-why try --flip FILE:LINE [options] [--] PROG ARGS...\n"
	"       gdb-why regress --old VERSION --new VERSION [options] --test COMMAND\n"
	"       gdb-why specs --spec FILE.c [options] [--] PROG ARGS...\n"
	"       gdb-why lesson [start|hint|answer|check|report|handout|...] ...\n"
	"       gdb-why evaluate [options] SUBJECTS\n"
	"       gdb-why help [explain|record|ask|rank|panel|try|regress|specs|lesson|\n"
	"                     evaluate|limits]\n"
	"       gdb-why --help | --version\n"
	"\n"
	"gdb-why says why a native program failed: short, causal and proven.\n"
	"\n"
	"Without a command: GDB's prompt, with all of its commands, and at each stop\n"
	"`why', `why EXPR', `why not COND' and others (`help why' there lists them).\n"
	"\n"
	"Commands:\n"
	"  explain   run a failing test and explain its failure\n"
	"  record    run a failing test and write a record, to be explained later\n"
	"  ask       answer a question about a run: why x, why not x > 3, why line 40\n"
	"  panel     explain on a screen of its own, to look around in\n"
	"  rank      run a test suite and rank the program's lines by suspicion\n"
	"  try       run a test with a branch turned or a variable changed\n"
	"  regress   find the changes between two versions that made a test fail\n"
	"  specs     check what a C file says must hold, and find what breaks it\n"
	"  lesson    learn or teach debugging: programs with faults to find\n"
	"  evaluate  measure which technique ranks faulty lines best\n"
	"  help      this text; help explain, help record, ...: all options; help limits\n"
	"\n"
	"Try: gdb-why explain -- ./test-of-mine 0 0\n";

char *options_help(const struct options *o)
{
	if (o->topic == OPTIONS_ON_LIMITS)
		return o->as_page ? limits_page() : limits_help();
	if (o->help_on < OPTIONS_HELP)
		return help_on(o->help_on);
	return g_strdup(overview);
}

char *options_version(void)
{
	return g_strdup("gdb-why " GDB_WHY_VERSION "\n"
			"License GPLv3+: GNU GPL version 3 or later "
			"<https://gnu.org/licenses/gpl.html>.\n"
			"This is free software: you are free to change and redistribute it.\n"
			"There is NO WARRANTY, to the extent permitted by law.\n");
}
