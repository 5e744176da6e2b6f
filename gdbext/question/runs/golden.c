/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/golden.h"
#include "gdbext/question/runs/native-run.h"
#include "gdbext/replay/replay.h"

bool golden_run(const struct options *o, struct expected_output *out, GError **error)
{
	struct native_run run;
	bool ok;

	*out = (struct expected_output){ 0 };
	if (!native_run(o, o->golden, false, &run, error)) {
		g_prefix_error(
			error,
			"The program of --golden, %s, does not start; name a program that can "
			"be executed and prints what is right: ",
			o->golden);
		return false;
	}
	ok = run.exited && !run.timed_out;
	if (ok) {
		out->text[PRINTED_OUT] = g_steal_pointer(&run.text);
		out->status = run.status;
	} else {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "The program of --golden %s; name one that the test passes with.",
			    run.timed_out ? "did not end in time" : "was killed by a signal");
	}
	native_run_clear(&run);
	return ok;
}
