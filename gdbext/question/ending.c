/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"

#include "solver/trace/run.h"

static int complain_of_ending(GError **error, int status, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static int complain_of_ending(GError **error, int status, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error,
			  g_error_new_valist(REPLAY_ERROR, REPLAY_ERROR_PROGRAM, format, args));
	va_end(args);
	return status;
}

static int check_whole(const struct replay_failing *failing, GError **error)
{
	uint64_t bytes, insns;
	g_autofree char *size = NULL;

	if (replay_is_whole(failing, &bytes, &insns))
		return 0;
	size = g_format_size_full(bytes, G_FORMAT_SIZE_IEC_UNITS);
	return complain_of_ending(
		error, OPTIONS_EXIT_UNEXPLAINED,
		"The test failed after %" G_GUINT64_FORMAT
		" instructions, but recording had ended before, after %s; keep only the end of the "
		"run with --window 10K, allow a longer record with --max-record, in a "
		"GDB_WHY_TMPDIR with room for twice that, or let the test do less.",
		(guint64)insns, size);
}

bool ending_is_crash(int signo)
{
	const struct requirement_end end = { .end = RUN_SIGNAL, .signo = signo };

	return requirement_can_be_asked(&end);
}

const char *ending_own_code(enum trace_own_code what)
{
	static const char *const words[] = {
		[TRACE_OWN_CODE_WRITABLE] = "can write to its own code",
		[TRACE_OWN_CODE_OPENED] = "makes its own code writable",
		[TRACE_OWN_CODE_CHANGED] = "changes its own code",
	};

	return what < G_N_ELEMENTS(words) ? words[what] : NULL;
}

static int complain_that_it_passed(const char *program, const struct replay_failing *failing,
				   GError **error)
{
	const char *own_code = ending_own_code(failing->own_code);

	if (!own_code && failing->record && replay_insns(failing, 1))
		return complain_of_ending(
			error, OPTIONS_EXIT_PASSED,
			"The test did not fail: %s exited with status 0.  It runs threads, "
			"and the recorder changes when each has its turn, so a race may "
			"vanish; try again, or make it likelier (more rounds, a sleep).",
			program);
	if (!own_code)
		return complain_of_ending(error, OPTIONS_EXIT_PASSED,
					  "The test did not fail: %s exited with status 0.  Where "
					  "what it prints is wrong, --expect FILE says what is "
					  "right.",
					  program);
	return complain_of_ending(
		error, OPTIONS_EXIT_PASSED,
		"The test did not fail when it was recorded: %s exited with status 0.  It "
		"%s, and recorded runs execute that code as it is in the file, so it may "
		"fail alone.",
		program, own_code);
}

int ending_check(const char *program, const struct replay_failing *failing, GError **error)
{
	const struct requirement_end end = failure_end(failing);

	if (failing->end == RUN_TIMEOUT)
		return 0; /* endless.h looks at it */
	if (requirement_can_be_asked(&end))
		return check_whole(failing, error);
	if (failing->end == RUN_PASSED)
		return complain_that_it_passed(program, failing, error);
	if (failing->end == RUN_SIGNAL)
		return complain_of_ending(
			error, OPTIONS_EXIT_UNEXPLAINED,
			"%s was killed by %s; only failing assertions, crashes and exit "
			"statuses can be explained.",
			program, end.signal);
	return complain_of_ending(
		error, OPTIONS_EXIT_UNEXPLAINED,
		"%s came to a limit of memory or of its record, so nothing is known of its end; "
		"allow more with --max-record, or let the test do less.",
		program);
}

int ending_status(const GError *e)
{
	if (g_error_matches(e, TRACE_ERROR, TRACE_ERROR_LONG) ||
	    g_error_matches(e, DEADLINE_ERROR, DEADLINE_ERROR_TIME))
		return OPTIONS_EXIT_UNEXPLAINED;
	if (g_error_matches(e, REPLAY_ERROR, REPLAY_ERROR_CANCELLED) ||
	    g_error_matches(e, DEADLINE_ERROR, DEADLINE_ERROR_SIGNAL))
		return OPTIONS_EXIT_INTERRUPTED;
	return OPTIONS_EXIT_USAGE;
}

bool ending_forgive_time(GError **error)
{
	if (!g_error_matches(*error, DEADLINE_ERROR, DEADLINE_ERROR_TIME))
		return false;
	g_clear_error(error);
	return true;
}
