/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/first-run.h"

struct replay_options first_run_options(const struct options *o)
{
	return (struct replay_options){ .argv = o->program,
					.directory = o->directory,
					.stdin_file = o->stdin_file,
					.output_file = o->output_file,
					.trace_libs = (const char *const *)o->trace_libs,
					.gdb = o->gdb,
					.run_timeout = o->run_timeout,
					.max_bytes = o->max_record,
					.window = o->window,
					.addresses = o->check,
					.jit = o->engine == OPTIONS_ENGINE_JIT,
					/* a later question may be about that */
					.output = options_want_output(o) || o->save_record ||
						  o->command == OPTIONS_RECORD ||
						  options_asks_output(o),
					.limits = &o->limits };
}
