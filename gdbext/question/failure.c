/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/failure.h"
#include "gdbext/question/failing-check.h"

struct requirement_end failure_end(const struct replay_failing *f)
{
	return (struct requirement_end){
		.end = f->end,
		.status = f->status,
		.signo = f->signo,
		.signal = f->end == RUN_SIGNAL ? replay_signal_name(f->signo) : NULL,
		.expression = f->expression,
		.file = f->file,
		.function = f->function,
		.line = f->line,
		.caller = f->caller,
	};
}

char *failure_in_words(const struct replay_failing *f)
{
	const struct requirement_end end = failure_end(f);

	return requirement_in_words(&end);
}

static bool holds_main(const struct question *q, const char *file)
{
	for (size_t i = 0; i < q->run.n_images; i++) {
		const struct image_function *f = image_function_named(q->run.images[i], "main");

		if (f && g_strcmp0(f->file, file) == 0)
			return true;
	}
	return false;
}

/* Does the check that failed stand in a file of the test? */
static bool is_in_test(const struct question *q, const struct explanation_failure *f)
{
	const bool is_check = g_strcmp0(f->kind, "check") == 0;

	return (is_check && !failing_check_is_own(q)) ||
	       ((is_check || g_strcmp0(f->kind, "assert") == 0) && holds_main(q, f->file));
}

void failure_describe(struct question *q)
{
	struct explanation *e = q->e;
	g_auto(GStrv) words = run_source_words(&q->run, q->o);

	e->program = explanation_string(e, q->run.program);
	g_strfreev(e->argv); /* of a requirement that was given up */
	e->argv = g_strdupv(words + 1);
	g_strfreev(e->environment);
	e->environment = g_strdupv(q->run.variables);
	e->in_child = q->run.child;
	g_array_set_size(e->failure.values, 0);
	requirement_describe(q->requirement, q->point, e);
	e->failure.in_test = is_in_test(q, &e->failure);
	e->stats.engine = q->o->engine == OPTIONS_ENGINE_JIT ? "jit" : "step";
	e->stats.instructions = trace_point_instructions(q->point);
	e->stats.record_ms = q->run.failing.run_ms;
}
