/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options there are, and what exit statuses. */
#include "gdbext/options/options-private.h"

#include "gdbext/lesson/grade/results.h"
#include "gdbext/lesson/student.h"
#include "solver/regress/answer.h"
#include "solver/smt/smt.h"
#include "solver/rank/ranking.h"
#include "solver/specs/locate.h"
#include "tui/report/rank/rank.h"

const char *const option_names[N_OPTION_NAMES] = {
	[OPTIONS_EXPLAIN] = "explain",	 [OPTIONS_RECORD] = "record", [OPTIONS_ASK] = "ask",
	[OPTIONS_RANK] = "rank",	 [OPTIONS_PANEL] = "panel",   [OPTIONS_TRY] = "try",
	[OPTIONS_REGRESS] = "regress",	 [OPTIONS_SPECS] = "specs",   [OPTIONS_LESSON] = "lesson",
	[OPTIONS_EVALUATE] = "evaluate",
};
static const char *const formats[] = {
	[TUI_TEXT] = "text", [TUI_JSON] = "json", [TUI_HTML] = "html", [TUI_DOT] = "dot", NULL
};
static const char *const lesson_formats[] = {
	[LESSON_TEXT] = "text",
	[LESSON_JSON] = "json",
	[LESSON_TAP] = "tap",
	[LESSON_JUNIT] = "junit",
	[LESSON_GRADESCOPE] = "gradescope",
	[LESSON_CSV] = "csv",
	[LESSON_HTML] = "html",
	NULL,
};
static const char *const lesson_allows_words[] = {
	[LESSON_ALL] = "all",
	[LESSON_SLICES] = "slices",
	[LESSON_GDB] = "gdb",
	[LESSON_READING] = "reading",
	NULL,
};
static const char *const regress_techniques[] = {
	[REGRESS_AFTER] = "after", [REGRESS_DD] = "dd", [REGRESS_ADD] = "add", NULL
};
static const char *const specs_techniques[] = { [LOCATE_SAT_TAR] = "sat-tar",
						[LOCATE_TAR_DT] = "tar-dt",
						[LOCATE_TAR_RAND] = "tar-rand",
						[LOCATE_SAT] = "sat",
						NULL };
static const char *const graphs[] = { [TUI_CHAIN] = "chain", [TUI_REGIONS] = "regions", NULL };
static const char *const rank_formats[] = {
	[TUI_RANK_TEXT] = "text", [TUI_RANK_JSON] = "json", [TUI_RANK_CSV] = "csv", NULL
};
static const char *const schemes[] = {
	[RANK_BEST] = "best", [RANK_AVERAGE] = "average", [RANK_WORST] = "worst", NULL
};
static const char *const colors[] = {
	[TUI_COLOR_AUTO] = "auto",
	[TUI_COLOR_ALWAYS] = "always",
	[TUI_COLOR_NEVER] = "never",
	NULL,
};
static const char *const granularities[] = {
	[OPTIONS_BY_INSTANCE] = "instance",
	[OPTIONS_BY_ROW] = "row",
	[OPTIONS_BY_LINE] = "line",
	[OPTIONS_BY_FUNCTION] = "function",
	NULL,
};
static const char *const solvers[] = { [SMT_BITBLAST] = "sat", [SMT_Z3] = "z3", NULL };
static const char *const paths[] = {
	[OPTIONS_PATHS_ON_DEMAND] = "on-demand", [OPTIONS_PATHS_ALL] = "all", NULL
};
static const char *const engines[] = {
	[OPTIONS_ENGINE_STEP] = "step", [OPTIONS_ENGINE_JIT] = "jit", NULL
};

static const char *const specs_inputs[] = { [OPTIONS_INPUT_ARGV] = "argv",
					    [OPTIONS_INPUT_HEAP] = "heap",
					    [OPTIONS_INPUT_STDIN] = "stdin",
					    NULL };

static const char *const specs_formats[] = { [TUI_TEXT] = "text", [TUI_JSON] = "json", NULL };

#define AT(field) offsetof(struct options, field)

const struct option_row option_rows[] = {
	{ SPECS, "spec", 0, OPTION_FILE, AT(spec), "FILE",
	  .help = "what must hold: a C file with WHY_INVARIANT, WHY_PRE and WHY_POST of "
		  "why-spec.h, or a shared object that is compiled of such files" },
	{ SPECS, "at", 0, OPTION_FILE, AT(at), "FUNCTION",
	  .help = "check calls of this function (default: of all that FILE names)" },
	{ SPECS, "check", 0, OPTION_FLAG, AT(check),
	  .help = "only run PROG, stop at the first call that does not keep to FILE, and say why "
		  "it "
		  "does not" },
	{ SPECS, "technique", 0, OPTION_CHOICE, AT(specs_technique), "NAME", specs_techniques,
	  LOCATE_SAT_TAR,
	  .help = "how statements are ranked: by cores and tests, by tests made alike or at "
		  "random, or by cores alone" },
	{ SPECS, "input", 0, OPTION_CHOICE, AT(specs_input), "WHAT", specs_inputs, 0,
	  .help = "what tests choose: PROG's arguments, the parameters of the call and the objects "
		  "that they lead to, or bytes of PROG's standard input" },
	{ SPECS, "max-nodes", 0, OPTION_COUNT, AT(max_nodes), "N", .standard = 4, .min = 0,
	  .help = "with --input heap: at most N objects that lead to others of their kind" },
	{ SPECS, "make-tests", 0, OPTION_COUNT, AT(make_tests), "N", .standard = 0, .min = 0,
	  .help = "make tests until there are N, also when the ranking needs none, and list all" },
	{ SPECS, "save-tests", 0, OPTION_FILE, AT(save_tests), "DIR",
	  .help = "write all tests to DIR, which is empty or made: for cmocka, and as a suite" },
	{ SPECS, "interactive", 0, OPTION_FLAG, AT(interactive),
	  .help = "ask after each round: continue, stop, this statement is right, this test passes "
		  "or fails" },
	{ SPECS, "said", 0, OPTION_FILE, AT(said), "SAID",
	  .help = "use what SAID holds, and add what you say at the prompt; without this option, "
		  "what you say there is kept in FILE.said" },
	{ SPECS, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", specs_formats, TUI_TEXT,
	  .help = "how the answer is written" },
	{ SPECS, "rounds", 0, OPTION_COUNT, AT(rounds), "N", .standard = 5, .min = 0,
	  .help = "choose at most N tests for a fault" },
	{ REGRESS, "old", 0, OPTION_FILE, AT(old_version), "VERSION",
	  .help = "the version that passes: a folder, or a revision of the git repository here" },
	{ REGRESS, "new", 0, OPTION_FILE, AT(new_version), "VERSION",
	  .help = "the version that fails, likewise" },
	{ REGRESS, "build", 0, OPTION_FILE, AT(build), "COMMAND",
	  .help = "what builds a version, run by sh in a copy of it (default: make)" },
	{ REGRESS, "test", 0, OPTION_FILE, AT(test), "COMMAND",
	  .help = "what judges a version, run by sh in the copy that was built: exit status 0 is a "
		  "pass, 125 cannot tell, all else is a failure" },
	{ REGRESS, "run", 0, OPTION_FILE, AT(run), "PROG",
	  .help = "instead of --test: the program in the copy that fails; its arguments follow "
		  "`--'" },
	{ REGRESS, "technique", 0, OPTION_CHOICE, AT(regress_technique), "NAME", regress_techniques,
	  REGRESS_AFTER,
	  .help = "how the changes are found: by what the failure depends on, by delta debugging, "
		  "or by delta debugging that begins with what the test executes" },
	{ REGRESS, "jobs", 'j', OPTION_COUNT, AT(jobs), "N", .min = 1,
	  .help = "build and test N mixtures of the versions at once (default: one a processor)" },
	{ REGRESS, "bisect-first", 0, OPTION_FLAG, AT(bisect_first),
	  .help = "with two revisions, first find the commit between them that broke the test" },
	{ REGRESS, "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS", .standard = 1800,
	  .help = "stop the whole analysis after that long, with what was found; "
		  "for rank, each technique that explains failing tests" },
	{ REGRESS, "build-timeout", 0, OPTION_SECONDS, AT(build_timeout), "TIME", .standard = 600,
	  .help = "a single build may take that many seconds" },
	{ REGRESS, "run-timeout", 0, OPTION_SECONDS, AT(run_timeout), "SECONDS", .standard = 60,
	  .help = "a single run of the test may take that long" },
	{ REGRESS, "panel", 0, OPTION_FLAG, AT(regress_panel),
	  .help = "show the answer in the panel, where there is a terminal: source, changes, "
		  "causes" },
	{ REGRESS, "keep", 0, OPTION_FILE, AT(keep), "DIR",
	  .help = "build in DIR, which is empty or made, and leave it there" },
	{ REGRESS, "verbose", 0, OPTION_FLAG, AT(verbose),
	  .help = "list all changes on standard error, and say what came of each mixture of the "
		  "versions, with the first error where it does not compile" },
	{ LESSON, "seed", 0, OPTION_FILE, AT(seed), "SEED",
	  .help = "start, handout, key: another program of the same lesson: any word, such as the "
		  "student's name" },
	{ LESSON, "exam", 0, OPTION_FLAG, AT(exam),
	  .help = "start: an examination: hints and explanations are refused in the folder" },
	{ LESSON, "allow", 0, OPTION_CHOICE, AT(exam_allows), "WHAT", lesson_allows_words,
	  LESSON_SLICES,
	  .help = "start --exam: what is allowed: `slices' (GDB, and where a value came from), "
		  "`gdb' (its own commands), or `reading' (no debugger)" },
	{ LESSON, "because", 0, OPTION_FILE, AT(because), "TEXT",
	  .help = "answer: why, in your words; it is kept for the report" },
	{ LESSON, "fix", 0, OPTION_FLAG, AT(mended),
	  .help = "answer: program.c is mended; the hidden tests are run with it" },
	{ LESSON, "solution", 0, OPTION_FLAG, AT(solution),
	  .help = "handout: with the way from the fault to the failure" },
	{ LESSON, "fault-only", 0, OPTION_FLAG, AT(fault_only),
	  .help = "key: the fault alone, without asking the engine what is accepted" },
	{ LESSON, "golden", 0, OPTION_FILE, AT(golden), "FILE",
	  .help = "new: the source of the program without the fault" },
	{ LESSON, "tests", 0, OPTION_FILE, AT(tests), "FILE",
	  .help = "new: the hidden tests, a line of arguments each; `?' is what the program "
		  "without the fault prints" },
	{ LESSON, "cflags", 0, OPTION_FILE, AT(cflags), "FLAGS",
	  .help = "new: what the compiler needs beside -g -O0" },
	{ LESSON, "lesson", 0, OPTION_FILE, AT(lesson), "NAME",
	  .help = "grade: all submissions are of this lesson: a name, or a folder with a slash in "
		  "its name (default: each says its own, of the course)" },
	{ LESSON, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", lesson_formats, LESSON_TEXT,
	  .help = "how grades, reports and hand-outs are written" },
	{ LESSON, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write to FILE instead of standard output" },
	{ LESSON, "run-timeout", 0, OPTION_SECONDS, AT(run_timeout), "SECONDS", .standard = 2,
	  .expert = true, .help = "stop a single run of a mended program after that long" },
	{ LESSON, "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS", .standard = 60,
	  .expert = true, .help = "stop the search for the lines to accept after that long" },
	{ LESSON, "no-cache", 0, OPTION_FLAG, AT(no_cache), .expert = true,
	  .help = "search for the lines to accept, also when they are known from before" },
	{ TEST | TRY | REGRESS | SPECS, "stdin", 0, OPTION_FILE, AT(stdin_file), "FILE",
	  .help = "the test's standard input (none: the file that gdb-why got behind `<', "
		  "else empty)" },
	{ SEARCH | TRY, "expect", 0, OPTION_FILE, AT(expect), "FILE",
	  .help = "the test passes when it writes what is in FILE to its standard output, and "
		  "exits "
		  "with status 0" },
	{ SEARCH | TRY, "expect-stderr", 0, OPTION_FILE, AT(expect_stderr), "FILE",
	  .help = "the same of its standard error; -: what the program of --golden writes there, "
		  "which names itself as PROG does" },
	{ SEARCH | TRY, "output-file", 0, OPTION_FILE, AT(output_file), "FILE",
	  .help = "the test writes FILE: what is in it takes the place of standard output, for "
		  "--expect, --golden, `why output' and `try'" },
	{ SEARCH | TRY, "expect-status", 0, OPTION_COUNT, AT(expect_status), "N", .min = 0,
	  .help = "the test passes when it exits with status N" },
	{ EXPLAIN, "require", 0, OPTION_FILE, AT(require), "CHECK",
	  .help = "an assertion without touching the source: CHECK is one word, FILE:LINE or "
		  "FUNCTION, a blank, and a condition in C; why does it not hold there the first "
		  "time or, with :COUNT behind the place, the COUNT-th?" },
	{ EXPLAIN, "memory", 0, OPTION_FLAG, AT(memory),
	  .help = "the first invalid access to memory is the failure, also of a test that passes: "
		  "outside of a block or an array, after free, or a use of an uninitialised "
		  "value" },
	{ TEST, "fail-call", 0, OPTION_FILES, AT(fail_calls), "CALL",
	  .help = "a call of this function is a failure of the test, as in --fail-call die; one "
		  "that fails only when a condition does not hold has it behind its name, in C "
		  "and with the registers of its arguments: 'same $rdi == $rsi' (may be given "
		  "several times)" },
	{ TEST, "fail-table", 0, OPTION_FILE, AT(fail_table), "FILE",
	  .help = "the calls by which test frameworks check are in FILE, and not in the table that "
		  "is installed" },
	{ TEST, "follow", 0, OPTION_FILE, AT(follow_program), "WHICH",
	  .help = "which process is explained. failed: when the test fails, the first child that "
		  "it forked and that did not exit with status 0; child: such a child also when "
		  "the test passes; parent: the test itself. Or a program's name: the command is "
		  "a script, make check, ctest or the like, and the first run of this program "
		  "that fails in it is explained (default: failed)" },
	{ TEST, "test", 0, OPTION_FILE, AT(one_test), "NAME",
	  .help = "of the program's tests run only this one, by its framework's own filter" },
	{ KNOWN, "tests", 0, OPTION_FILE, AT(tests), "SUITE",
	  .help = "the test suite: a file with one test a line, which is PROG's arguments or a "
		  "shell command in which {} is PROG; or a folder of scripts, which get PROG as "
		  "$1" },
	{ KNOWN | TRY, "golden", 0, OPTION_FILE, AT(golden), "PROGRAM",
	  .help = "a test passes when it writes and exits as it does with PROGRAM in the place of "
		  "PROG (without this option: when it exits with status 0); on its own it is "
		  "about the test of the command line" },
	{ KNOWN, "expected", 0, OPTION_FILE, AT(expected), "DIR",
	  .help = "a test passes when it writes what is in DIR/NAME.out, where NAME is the test's "
		  "name" },
	{ RANK, "technique", 0, OPTION_FILE, AT(technique), "NAME",
	  .help = "what ranks the lines: a formula's name, sbi, cbi, sober, des-cbi, des-sober, "
		  "cp, blockrank, or all of these; several with commas; ofc, ofc+cw, joint, ba and "
		  "ba+cw explain failing tests (default: " RANKING_TECHNIQUE ")" },
	{ WEIGH, "technique", 0, OPTION_FILE, AT(technique), "NAME",
	  .help = "with --tests, the technique that says how suspicious a statement is: the more "
		  "suspicious ones cost less to change and come first (default: " RANKING_TECHNIQUE
		  ")" },
	{ SUITE, "failing", 0, OPTION_FILE, AT(failing), "WHICH",
	  .help = "without ARGS, or for ofc, the failing tests to explain in one answer: all, a "
		  "number of them, or the name of one (default: " OPTIONS_FAILING ")" },
	{ EXPLAIN, "joint", 0, OPTION_FLAG, AT(joint),
	  .help = "show only what explains every one of these failing tests, also when the program "
		  "has several faults" },
	{ EVALUATE, "techniques", 0, OPTION_FILE, AT(technique), "LIST",
	  .help = "what is measured, with commas: names of techniques, all for those that explain "
		  "no test, and ofc, ofc+cw, joint, ba and ba+cw, which do (default: all)" },
	{ EVALUATE, "sizes", 0, OPTION_FILE, AT(sizes), "LIST",
	  .help = "percentages of the suite, such as 100,75,50,25; below 100, so much of it is "
		  "chosen by a seed, and covers as much as it can (default: 100)" },
	{ EVALUATE, "seeds", 0, OPTION_COUNT, AT(seeds), "N", .standard = 1, .min = 1,
	  .help = "so many suites of each size below 100" },
	{ EVALUATE, "shard", 0, OPTION_FILE, AT(shard), "PART",
	  .help = "measure one of several parts: 2/5 is the 2nd of 5" },
	{ EVALUATE, "output", 'o', OPTION_FILE, AT(output), "DIR",
	  .help = "where what is built and measured is kept; the same command with the same DIR "
		  "goes "
		  "on where the last one ended (default: evaluation)" },
	{ EVALUATE, "list", 0, OPTION_FLAG, AT(list),
	  .help = "only say which versions there are, and which lines are faulty" },
	{ EVALUATE, "merge", 0, OPTION_FLAG, AT(merge),
	  .help = "join the measurements of the folders that are named in that of --output" },
	{ EVALUATE, "table", 0, OPTION_FLAG, AT(table),
	  .help = "print the techniques beside each other: ranks, effort, time" },
	{ EVALUATE, "graph", 0, OPTION_FILE, AT(accuracy_graph), "OUT",
	  .help = "draw which formulas are consistently more accurate than which: OUT ends in .svg "
		  "or .dot, or in .csv for the relations of all graphs; a folder gets everything" },
	{ EVALUATE, "which", 0, OPTION_FILE, AT(which), "GRAPH",
	  .help = "which graph: Gbase, Gexp, Gcrash, Gexp_crash, Gnon-single, Gexp_non-single, "
		  "Gtypical or Gtheory (default: Gbase)" },
	{ EVALUATE, "page", 0, OPTION_FILE, AT(page), "FILE",
	  .help = "write a page (HTML) with the tables and all graphs" },
	{ EVALUATE, "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS", .standard = 60,
	  .help = "explain the failing tests of a version for that long, once a technique" },
	{ EVALUATE, "build-timeout", 0, OPTION_SECONDS, AT(build_timeout), "TIME", .standard = 600,
	  .help = "a single build may take that many seconds" },
	{ RANK | EVALUATE, "scheme", 0, OPTION_CHOICE, AT(scheme), "SCHEME", schemes, RANK_AVERAGE,
	  .expert = true, .help = "which rank lines have that tie" },
	{ KNOWN | EVALUATE, "jobs", 'j', OPTION_COUNT, AT(jobs), "N", .min = 1,
	  .help = "run N tests at once (default: one a processor)" },
	{ KNOWN | EVALUATE, "no-cache", 0, OPTION_FLAG, AT(no_cache), .expert = true,
	  .help = "run all tests, also those whose outcome is known from an earlier run" },
	{ SUITE | SPECS, "no-evidence", 0, OPTION_FLAG, AT(no_evidence), .expert = true,
	  .help = "do not ask other tests, or for specs changed runs, what speaks for and against "
		  "explanations" },
	{ RANK, "max-lines", 0, OPTION_COUNT, AT(max_lines), "N", .standard = 20, .min = 0,
	  .help = "show at most N lines, 0 = all" },
	{ RANK, "annotate", 0, OPTION_FLAG, AT(annotate),
	  .help = "show the source with the scores at its margin" },
	{ ALL | REGRESS | SPECS | LESSON, "directory", 'C', OPTION_FILE, AT(directory), "DIR",
	  .help = "work as if started in DIR" },
	{ SEARCH | SPECS | RANK | TRY, "timeout", 0, OPTION_SECONDS, AT(timeout), "SECONDS",
	  .standard = 60, .help = "stop the whole analysis after that long, with what was found" },
	{ SEARCH, "thorough", 0, OPTION_FLAG, AT(thorough),
	  .help = "go on until --timeout is up with explanations of several statements and with "
		  "difficult ones; without it these get a quarter of the work that single "
		  "statements took, once something is proven" },
	{ ALL | EVALUATE | SPECS, "run-timeout", 0, OPTION_SECONDS, AT(run_timeout), "SECONDS",
	  .standard = 10, .help = "stop a single run of the test after that long" },
	{ PRINT | REGRESS, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", formats, TUI_TEXT,
	  .help = "how the answer is written" },
	{ EXPLAIN, "graph", 0, OPTION_CHOICE, AT(graph), "GRAPH", graphs, TUI_CHAIN, .expert = true,
	  .help = "with --format dot, what is drawn: the ways from the explanations to the "
		  "failure, or the run as a tree of calls and branches" },
	{ RANK, "format", 0, OPTION_CHOICE, AT(format), "FORMAT", rank_formats, TUI_RANK_TEXT,
	  .help = "how the ranking is written" },
	{ PRINT | RANK | REGRESS, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the answer to FILE instead of standard output" },
	{ SEARCH | RANK | REGRESS, "color", 0, OPTION_CHOICE, AT(color), "WHEN", colors,
	  TUI_COLOR_AUTO,
	  .help = "when to use colours; this beats NO_COLOR, which beats the terminal" },
	{ PRINT, "stats", 0, OPTION_FLAG, AT(stats), .expert = true,
	  .help = "add the time, the counts and the memory of each stage, and what each technique "
		  "of the search tried, found and cost" },
	{ PRINT, "trace-search", 0, OPTION_FILE, AT(trace_search), "FILE", .expert = true,
	  .help = "write each decision of the search to FILE, a line of JSON each" },
	{ PRINT, "stream", 0, OPTION_FLAG, AT(stream), .expert = true,
	  .help = "with --format json, write a line at each new explanation; the last line is the "
		  "answer" },
	{ PRINT | TRY | SPECS, "events", 0, OPTION_COUNT, AT(events), "FD", .min = 3,
	  .hidden = true,
	  .help = "for a gdb-why that started this one: write everything as events to descriptor "
		  "FD (gdbext/ipc)" },
	{ PRINT, "in-gdb", 0, OPTION_FLAG, AT(in_gdb), .hidden = true,
	  .help = "for why.gdb and the panel: what is suggested is typed where no answer is kept" },
	{ EXPLAIN | PANEL, "show-output", 0, OPTION_FLAG, AT(show_output),
	  .help = "afterwards print on standard error what the failing run printed" },
	{ PRINT, "all", 0, OPTION_FLAG, AT(all),
	  .help = "show all explanations and the way from each, not the first three only; of "
		  "causes all rows" },
	{ SEARCH, "max-suspects", 0, OPTION_COUNT, AT(max_suspects), "N", .standard = 20, .min = 0,
	  .help = "show at most N explanations, 0 = all" },
	{ SEARCH, "max-size", 0, OPTION_LIMIT, AT(limits), "N", .limit = LIMIT_size, .expert = true,
	  .help = "an explanation changes at most N statements" },
	{ SEARCH, "max-runs", 0, OPTION_LIMIT, AT(limits), "N", .limit = LIMIT_runs, .expert = true,
	  .help = "run the test at most N times in all" },
	{ SEARCH, "max-unroll", 0, OPTION_LIMIT, AT(limits), "N", .limit = LIMIT_unroll,
	  .expert = true,
	  .help = "when a forced run stays in a loop, follow it for N more rounds" },
	{ SEARCH | RANK | TRY | REGRESS | SPECS | EVALUATE, "limit", 0, OPTION_FILES,
	  AT(limit_words), "NAME=N", .expert = true,
	  .help = "set a limit of the analysis; `gdb-why help limits' lists them; may be "
		  "repeated" },
	{ SEARCH, "granularity", 0, OPTION_CHOICE, AT(granularity), "UNIT", granularities,
	  OPTIONS_BY_LINE, .expert = true, .help = "what counts as one change" },
	{ SEARCH, "no-hijack", 0, OPTION_FLAG, AT(no_hijack), .expert = true,
	  .help = "do not force runs down branches that the failing run did not take" },
	{ EXPLAIN, "paths", 0, OPTION_CHOICE, AT(paths), "PATHS", paths, OPTIONS_PATHS_ON_DEMAND,
	  .expert = true,
	  .help = "which paths the formula has: those that candidates need, or all, up to "
		  "--max-unroll rounds, before anything is asked (as BugAssist)" },
	{ SEARCH, "hard-addresses", 0, OPTION_FLAG, AT(hard_addresses), .expert = true,
	  .help = "a changed statement still reads and writes at the addresses that it had" },
	{ TEST | TRY, "trace-lib", 0, OPTION_FILES, AT(trace_libs), "PATH",
	  .help = "look into this shared library, too; may be repeated" },
	{ TEST | TRY | REGRESS | SPECS, "engine", 0, OPTION_CHOICE, AT(engine), "ENGINE", engines,
	  OPTIONS_ENGINE_JIT, .expert = true, .help = "how the run is recorded" },
	{ SEARCH | SPECS, "solver", 0, OPTION_CHOICE, AT(solver), "SOLVER", solvers, SMT_BITBLAST,
	  .expert = true, .help = "what answers questions about the formula" },
	{ TEST | TRY | REGRESS, "max-record", 0, OPTION_SIZE, AT(max_record), "SIZE",
	  .standard = OPTIONS_MAX_RECORD, .expert = true,
	  .help = "record at most SIZE bytes (K, M, G) of what a thread did; the test runs on" },
	{ TEST, "window", 0, OPTION_SIZE, AT(window), "N", .expert = true,
	  .help = "keep only about the last N (K, M, G) instructions of each thread, before the "
		  "stop of `ask --at'; what was before counts as input" },
	{ SEARCH | TRY, "record", 0, OPTION_FILE, AT(record), "FILE",
	  .help = "answer from the record in FILE; PROG names the recorded program when it is not "
		  "in its place; its arguments come from the record" },
	{ PRINT, "save-record", 0, OPTION_FILE, AT(save_record), "FILE", .expert = true,
	  .help = "keep the run in FILE, without the program, so that --record FILE answers the "
		  "next question about it sooner" },
	{ ASK, "at", 0, OPTION_FILE, AT(at), "STOP",
	  .help = "where the question is asked: FILE:LINE or FUNCTION, both also with :COUNT for "
		  "the COUNT-th time, failure, or exit, the end of the run (default: failure)" },
	{ ASK, "where", 0, OPTION_FILES, AT(where), "COND", .expert = true,
	  .help = "the stop is the first time, from the COUNT-th on, that EXPR == VALUE holds "
		  "there; may be repeated" },
	{ ASK, "row", 0, OPTION_FILE, AT(row), "N",
	  .help = "go on from row N of what the same question printed, to what lies behind it; "
		  "N.M: then from row M" },
	{ ASK, "shown", 0, OPTION_FILE, AT(shown), "VALUE", .expert = true,
	  .help = "how a debugger shows the value at the stop, for where the record does not "
		  "tell" },
	{ ASK | SPECS, "depth", 'd', OPTION_COUNT, AT(depth), "N", .standard = 4, .min = 1,
	  .help = "follow causes N hops back" },
	{ RECORD, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the record to FILE (default: PROG.why, here)" },
	{ RECORD, "no-program", 0, OPTION_FLAG, AT(no_program),
	  .help = "leave the program and its sources out of the record" },
	{ RECORD, "keep-env", 0, OPTION_FILES, AT(keep_env), "NAME",
	  .help = "record this environment variable's value too; may be repeated" },
	{ TRY, "flip", 0, OPTION_FILE, AT(flip), "STOP",
	  .help = "the first branch of FILE:LINE goes the other way the last time that it is "
		  "executed, with :COUNT the COUNT-th time, with :all each time" },
	{ TRY, "set", 0, OPTION_FILE, AT(set), "ASSIGNMENT",
	  .help = "LVALUE = VALUE, in C: a variable gets that value at --at or --after" },
	{ TRY, "suspect", 0, OPTION_FILE, AT(suspect), "WHICH",
	  .help = "FILE:N: exactly what suspect N of the answer in FILE changes (of explain "
		  "--format json), in the same executions" },
	{ TRY, "at", 0, OPTION_FILE, AT(at), "STOP",
	  .help = "with --set: FILE:LINE or FUNCTION, either with :COUNT for the COUNT-th time" },
	{ TRY, "after", 0, OPTION_FILE, AT(after), "STOP",
	  .help = "the same, but after that line has been executed; of FUNCTION+BYTES, after that "
		  "statement of it" },
	{ PANEL, "output", 'o', OPTION_FILE, AT(output), "FILE",
	  .help = "write the commands that the panel has for GDB (breakpoints of `b' and `s') to "
		  "FILE instead of standard output" },
	{ EXPLAIN, "check", 0, OPTION_FLAG, AT(check), .expert = true,
	  .help = "only record the run and re-compute it, to check gdb-why itself" },
	{ TEST | TRY | REGRESS, "gdb", 0, OPTION_FILE, AT(gdb), "PATH", .expert = true,
	  .help = "the GDB to use (default: gdb)" },
};
const size_t n_option_rows = G_N_ELEMENTS(option_rows);
G_STATIC_ASSERT(G_N_ELEMENTS(option_rows) <= MOST_OPTIONS);

const struct option_status option_statuses[] = {
	{ EXPLAIN, OPTIONS_EXIT_EXPLAINED,
	  "the failure is explained (--check: record and program agree)" },
	{ RECORD, OPTIONS_EXIT_EXPLAINED, "the failure is recorded" },
	{ ASK, OPTIONS_EXIT_EXPLAINED, "the question is answered" },
	{ RANK, OPTIONS_EXIT_EXPLAINED, "the lines are ranked" },
	{ PANEL, OPTIONS_EXIT_EXPLAINED, "the panel was left" },
	{ EXPLAIN, OPTIONS_EXIT_PASSED, "the test did not fail" },
	{ RECORD, OPTIONS_EXIT_PASSED,
	  "the test did not fail; its run is recorded, for `ask --at'" },
	{ ASK, OPTIONS_EXIT_PASSED,
	  "the test did not fail and no place was named, or the condition holds" },
	{ RANK, OPTIONS_EXIT_PASSED, "no test failed" },
	{ TRY, OPTIONS_EXIT_EXPLAINED, "it was run, and what changed was said" },
	{ REGRESS, OPTIONS_EXIT_EXPLAINED,
	  "the changes to blame are found, and without them the test passes" },
	{ REGRESS, OPTIONS_EXIT_PASSED,
	  "the versions do not differ, or the test passes with the new one" },
	{ REGRESS, OPTIONS_EXIT_USAGE,
	  "wrong usage, a version does not build, or both fail: one line says why" },
	{ REGRESS, OPTIONS_EXIT_UNEXPLAINED,
	  "no changes were found, reverting them does not help, or the test is not reliable" },
	{ REGRESS, OPTIONS_EXIT_INTERRUPTED, "interrupted" },
	{ LESSON, OPTIONS_EXIT_EXPLAINED,
	  "it was done; check: the answer is right; key: the fault is among what is accepted" },
	{ LESSON, OPTIONS_EXIT_PASSED,
	  "check: the answer is not right, or there is none; key: it is not" },
	{ LESSON, OPTIONS_EXIT_USAGE, "wrong usage, or it could not be done: one line says why" },
	{ TEST | TRY, OPTIONS_EXIT_USAGE,
	  "wrong usage, or the test could not be run: one line says why" },
	{ EXPLAIN, OPTIONS_EXIT_UNEXPLAINED, "the test failed; no explanation within the limits" },
	{ ASK, OPTIONS_EXIT_UNEXPLAINED, "there is no answer within the limits" },
	{ RECORD, OPTIONS_EXIT_UNEXPLAINED,
	  "the test hung, was killed from outside, or did not fail within the limits" },
	{ RANK, OPTIONS_EXIT_USAGE, "wrong usage, or no test could be run: one line says why" },
	{ RANK, OPTIONS_EXIT_NONE_PASSED, "no test passed: there is nothing to compare with" },
	{ SPECS, OPTIONS_EXIT_EXPLAINED, "what does not hold was found, and why" },
	{ SPECS, OPTIONS_EXIT_PASSED, "all that was checked holds" },
	{ SPECS, OPTIONS_EXIT_USAGE,
	  "wrong usage, a predicate that crashes, writes or does not end, or PROG could not be "
	  "run: one line says why" },
	{ SPECS, OPTIONS_EXIT_UNEXPLAINED,
	  "nothing was checked, PROG did not come that far, or why something does not hold "
	  "is not known" },
	{ TEST | TRY | SPECS, OPTIONS_EXIT_INTERRUPTED, "interrupted" },
	{ EVALUATE, OPTIONS_EXIT_EXPLAINED,
	  "all versions are measured or skipped, or what was asked for is written" },
	{ EVALUATE, OPTIONS_EXIT_USAGE,
	  "wrong usage, or a file cannot be read or written: one line says why" },
	{ EVALUATE, OPTIONS_EXIT_INTERRUPTED, "interrupted; the same command goes on" },
	{ RANK, OPTIONS_EXIT_INTERRUPTED,
	  "interrupted; the lines are ranked by the tests run so far" },
};
const size_t n_option_statuses = G_N_ELEMENTS(option_statuses);
