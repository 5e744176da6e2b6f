/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run-profile [OPTIONS] OUT PROGRAM [ARGS…]: runs the program once with its
 * profile in the file OUT, for tests of profiles.  Standard files are the
 * caller's.
 *
 *   --lines=FILE    writes there "LINE COUNT" for the lines of the program's own source
 *                   files ("FILE:LINE COUNT"), ascending
 *   --blocks=FILE   "ADDRESS STARTED" for each block, then "ADDRESS TAKEN NOT-TAKEN" for each
 *                   conditional branch at the end of one
 *   --crashes=FILE  "FUNCTION LINE TIMES" of each block that was not left, its last line that
 *                   was executed
 *   --sequences=FILE  "LINE SEQUENCE TIMES" of what conditions came to
 *   --summary=FILE  sections, processes, faults, lost
 *   --bench=FILE    instead: each line of FILE is arguments of one test; seconds that all
 *                   take plain and profiled, and reading, are printed
 *   --read          does not run it, OUT is there
 *   --shell         PROGRAM is followed by a shell command instead of arguments
 *
 * Its exit status is the program's, 128 + signal when it was killed, 2 when
 * something else goes wrong.
 */
#include "gdbext/profile/private.h"

#include <inttypes.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct request {
	const char *lines, *blocks, *crashes, *sequences, *summary, *bench;
	bool read, shell;
	const char *out;
	char **argv;
};

G_NORETURN static void die(const char *what)
{
	fprintf(stderr, "run-profile: %s\n", what);
	exit(2);
}

static int run(char **argv, char **env, bool quiet)
{
	posix_spawn_file_actions_t actions;
	int status;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	if (quiet) {
		posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	}
	if (posix_spawn(&pid, argv[0], &actions, NULL, argv, env))
		die("cannot start the program");
	posix_spawn_file_actions_destroy(&actions);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static FILE *open_for(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("cannot write");
	return f;
}

/* ---- what is printed ---- */

static void print_lines(struct profile_plan *plan, const struct spectrum *s, const char *path)
{
	const struct units *u = profile_plan_units(plan);
	g_autofree guint64 *lines = profile_lines(plan, s, 0);
	FILE *f = open_for(path);

	for (guint i = 0; i < u->lines->len; i++) {
		const struct unit_line *line = &g_array_index(u->lines, struct unit_line, i);
		g_autofree char *base = g_path_get_basename(line->file);

		fprintf(f, "%s:%u %" G_GUINT64_FORMAT "\n", base, line->number, lines[i]);
	}
	fclose(f);
}

static guint64 *row_of(const struct spectrum *s, enum spectrum_kind kind, guint n)
{
	struct spectrum_row row = spectrum_row(s, 0, kind);
	guint64 *times = g_new0(guint64, n + 1);

	while (spectrum_next(&row))
		if (row.unit < n)
			times[row.unit] = row.times;
	return times;
}

static void print_outcomes(const struct profile_plan *plan, const guint64 *outcomes, FILE *f)
{
	for (guint i = 0; i < plan->code->blocks->len; i++) {
		const struct code_block *b = code_block(plan->code, i);
		const struct unit_predicate *p;

		if (b->predicate == UNIT_NONE)
			continue;
		p = &g_array_index(plan->units->predicates, struct unit_predicate, b->predicate);
		if (outcomes[p->first] + outcomes[p->first + 1])
			fprintf(f, "%" PRIx64 " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
				b->image->last, outcomes[p->first], outcomes[p->first + 1]);
	}
}

static void print_blocks(struct profile_plan *plan, const struct spectrum *s, const char *path)
{
	const struct units *u = profile_plan_units(plan);
	g_autofree guint64 *entered = row_of(s, SPECTRUM_BLOCK, u->blocks->len);
	g_autofree guint64 *outcomes = row_of(s, SPECTRUM_OUTCOME, u->outcomes->len);
	FILE *f = open_for(path);

	for (guint i = 0; i < plan->code->blocks->len; i++) {
		const struct code_block *b = code_block(plan->code, i);

		if (entered[b->unit])
			fprintf(f, "%" PRIx64 " %" G_GUINT64_FORMAT "\n", b->image->lo,
				entered[b->unit]);
	}
	print_outcomes(plan, outcomes, f);
	fclose(f);
}

static void print_crashes(struct profile_plan *plan, const struct spectrum *s, const char *path)
{
	const struct units *u = profile_plan_units(plan);
	g_autofree guint64 *crashed = row_of(s, SPECTRUM_CRASH, u->blocks->len);
	g_autofree guint64 *executed = row_of(s, SPECTRUM_STATEMENT, u->statements->len);
	FILE *f = open_for(path);

	for (guint i = 0; i < plan->code->blocks->len; i++) {
		const struct code_block *b = code_block(plan->code, i);
		unsigned line = 0;

		for (unsigned k = 0; crashed[b->unit] && k < b->n_segments; k++) {
			const struct segment *g = &g_array_index(
				plan->code->segments, struct segment, b->first_segment + k);
			if (executed[g->unit])
				line = g_array_index(u->lines, struct unit_line, g->unit_line)
					       .number;
		}
		if (crashed[b->unit])
			fprintf(f, "%s %u %" G_GUINT64_FORMAT "\n",
				image_function_at(plan->image, b->image->lo)->name, line,
				crashed[b->unit]);
	}
	fclose(f);
}

static void print_sequences(struct profile_plan *plan, const struct spectrum *s, const char *path)
{
	const struct units *u = profile_plan_units(plan);
	g_autofree guint64 *times = row_of(s, SPECTRUM_SEQUENCE, u->sequences->len);
	FILE *f = open_for(path);

	for (guint i = 0; i < u->sequences->len; i++) {
		const struct unit_sequence *q =
			&g_array_index(u->sequences, struct unit_sequence, i);
		unsigned statement =
			g_array_index(u->predicates, struct unit_predicate, q->predicate).statement;
		unsigned line = g_array_index(u->statements, struct unit_statement, statement).line;

		if (times[i])
			fprintf(f, "%u %s %" G_GUINT64_FORMAT "\n",
				g_array_index(u->lines, struct unit_line, line).number, q->text,
				times[i]);
	}
	fclose(f);
}

static void read_it(struct profile_plan *plan, const struct request *r)
{
	struct spectrum *s = spectrum_new();
	struct profile_summary summary;
	GError *error = NULL;

	spectrum_begin(s, "test", SPECTRUM_PASSED);
	if (!profile_read(plan, r->out, s, &summary, &error))
		die(error->message);
	spectrum_end(s);
	if (r->lines)
		print_lines(plan, s, r->lines);
	if (r->blocks)
		print_blocks(plan, s, r->blocks);
	if (r->sequences)
		print_sequences(plan, s, r->sequences);
	if (r->crashes)
		print_crashes(plan, s, r->crashes);
	if (r->summary) {
		FILE *f = open_for(r->summary);

		fprintf(f, "sections %u\nprocesses %u\nfaults %u\nlost %" G_GUINT64_FORMAT "\n",
			summary.sections, summary.processes, summary.faults, summary.lost);
		fclose(f);
	}
	spectrum_free(s);
}

/* ---- how fast ---- */

static double seconds_since(gint64 start)
{
	return (double)(g_get_monotonic_time() - start) / 1e6;
}

static double run_all(char **tests, const char *program, char **env, const char *out)
{
	gint64 start = g_get_monotonic_time();

	for (char **t = tests; *t; t++) {
		g_auto(GStrv) argv = NULL;
		g_autofree char *line = g_strdup_printf("%s %s", program, *t);

		if (out)
			unlink(out);
		if (g_shell_parse_argv(line, NULL, &argv, NULL))
			run(argv, env, true);
	}
	return seconds_since(start);
}

static void bench(struct profile_plan *plan, const struct request *r)
{
	g_auto(GStrv) env = profile_environ(plan, environ, r->out), tests = NULL;
	g_autofree char *text = NULL;
	double plain, profiled;
	struct spectrum *s = spectrum_new();
	gint64 start;
	unsigned n;

	if (!g_file_get_contents(r->bench, &text, NULL, NULL))
		die("cannot read the tests");
	tests = g_strsplit(g_strchomp(text), "\n", -1);
	n = g_strv_length(tests);
	plain = run_all(tests, r->argv[0], environ, NULL);
	profiled = run_all(tests, r->argv[0], env, r->out);
	start = g_get_monotonic_time();
	for (unsigned i = 0; i < n; i++) {
		spectrum_begin(s, "test", SPECTRUM_PASSED);
		if (!profile_read(plan, r->out, s, NULL, NULL))
			die("cannot read a profile");
		spectrum_end(s);
	}
	printf("%u %.3f %.3f %.3f\n", n, plain, profiled, seconds_since(start));
	spectrum_free(s);
}

static void parse(struct request *r, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && g_str_has_prefix(argv[i], "--"); i++) {
		const char *value = strchr(argv[i], '=');

		value = value ? value + 1 : "";
		if (g_str_has_prefix(argv[i], "--lines="))
			r->lines = value;
		else if (g_str_has_prefix(argv[i], "--blocks="))
			r->blocks = value;
		else if (g_str_has_prefix(argv[i], "--crashes="))
			r->crashes = value;
		else if (g_str_has_prefix(argv[i], "--sequences="))
			r->sequences = value;
		else if (g_str_has_prefix(argv[i], "--summary="))
			r->summary = value;
		else if (g_str_has_prefix(argv[i], "--bench="))
			r->bench = value;
		else if (!strcmp(argv[i], "--read"))
			r->read = true;
		else if (!strcmp(argv[i], "--shell"))
			r->shell = true;
		else
			die("unknown option");
	}
	if (argc - i < 2)
		die("usage: run-profile [OPTIONS] OUT PROGRAM [ARGS...]");
	r->out = argv[i];
	r->argv = argv + i + 1;
}

int main(int argc, char **argv)
{
	struct request r = { 0 };
	struct profile_plan *plan;
	GError *error = NULL;
	int status = 0;

	parse(&r, argc, argv);
	plan = profile_plan_new(r.argv[0], NULL, &error);
	if (!plan)
		die(error->message);
	if (r.bench) {
		bench(plan, &r);
	} else {
		char sh[] = "/bin/sh", option[] = "-c", *shell[] = { sh, option, r.argv[1], NULL };
		g_auto(GStrv) env = profile_environ(plan, environ, r.out);

		if (!r.read)
			status = run(r.shell ? shell : r.argv, env, false);
		read_it(plan, &r);
	}
	profile_plan_free(plan);
	return status;
}
