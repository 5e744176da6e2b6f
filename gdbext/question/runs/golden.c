/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/golden.h"
#include "gdbext/question/runs/native-run.h"
#include "gdbext/replay/run/output-file.h"
#include "gdbext/replay/replay.h"

#include <string.h>

/* Before a colon at the beginning of a line. */
static void replace_name(GString *text, const char *name, const char *by)
{
	const size_t length = strlen(name), length_by = strlen(by);
	size_t at = 0;

	while (at < text->len) {
		const char *end;

		if (strncmp(text->str + at, name, length) == 0 && text->str[at + length] == ':') {
			g_string_erase(text, (gssize)at, (gssize)length);
			g_string_insert(text, (gssize)at, by);
			at += length_by;
		}
		end = memchr(text->str + at, '\n', text->len - at);
		at = end ? (size_t)(end - text->str) + 1 : text->len;
	}
}

/* A program begins its messages with its own name. */
static void name_as_program(const struct options *o, GString *text)
{
	g_autofree char *golden = g_canonicalize_filename(o->golden, NULL);
	g_autofree char *base = g_path_get_basename(golden);
	g_autofree char *own_base = g_path_get_basename(o->program[0]);

	replace_name(text, golden, o->program[0]);
	replace_name(text, o->golden, o->program[0]);
	replace_name(text, base, own_base);
}

/* What goes to standard error: nothing is expected of it, or a file, or what the program writes. */
static bool expect_errors(const struct options *o, struct native_run *run,
			  struct expected_output *out, GError **error)
{
	struct expected_output of_file;

	if (!o->expect_stderr)
		return true;
	if (strcmp(o->expect_stderr, "-") == 0) {
		name_as_program(o, run->text[PRINTED_ERR]);
		out->text[PRINTED_ERR] = g_steal_pointer(&run->text[PRINTED_ERR]);
		return true;
	}
	if (!expected_read(&of_file, NULL, o->expect_stderr, 0, error))
		return false;
	out->text[PRINTED_ERR] = g_steal_pointer(&of_file.text[PRINTED_ERR]);
	return true;
}

/* What it printed, or wrote to the file that takes the place of that. */
static bool take_golden_output(const struct options *o, const struct output_file *file,
			       struct native_run *run, struct expected_output *out, GError **error)
{
	out->text[PRINTED_OUT] =
		o->output_file ? output_file_text(file) : g_steal_pointer(&run->text[PRINTED_OUT]);
	if (!out->text[PRINTED_OUT])
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program of --golden does not write %s; name one that does.",
			    o->output_file);
	return out->text[PRINTED_OUT];
}

bool golden_run(const struct options *o, struct expected_output *out, GError **error)
{
	struct native_run run;
	struct output_file file = { 0 };
	bool ok;

	*out = (struct expected_output){ 0 };
	if (o->output_file)
		file.path = g_canonicalize_filename(o->output_file, NULL);
	output_file_look(&file);
	if (!native_run(o, o->golden, &run, error)) {
		g_prefix_error(
			error,
			"The program of --golden, %s, does not start; name a program that can "
			"be executed and prints what is right: ",
			o->golden);
		output_file_end(&file);
		return false;
	}
	ok = run.exited && !run.timed_out;
	if (ok) {
		out->status = run.status;
		ok = take_golden_output(o, &file, &run, out, error) &&
		     expect_errors(o, &run, out, error);
	} else {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program of --golden %s; name one that the test passes with.",
			    run.timed_out ? "did not end in time" : "was killed by a signal");
	}
	native_run_clear(&run);
	output_file_end(&file);
	return ok;
}
