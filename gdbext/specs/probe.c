/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/probe.h"

#include "gdbext/contract/contract.h"

#include <string.h>

enum { ORDER_LENGTH = 96 };

struct probe *probe_new(const struct spec *s, const struct spec_built *built,
			const struct replay_options *o, GError **error)
{
	const char *libraries[] = { built->library, s->compiled ? s->path : NULL, NULL };
	struct replay_options options = *o;
	struct probe *p = g_new0(struct probe, 1);

	options.program = built->program;
	options.trace_libs = libraries;
	options.direct = true;
	p->spec = s;
	p->built = built;
	p->predicate_ms = o->limits->predicate_ms;
	p->replay = replay_new(&options, error);
	if (p->replay)
		return p;
	g_free(p);
	return NULL;
}

void probe_free(struct probe *p)
{
	if (!p)
		return;
	replay_free(p->replay);
	g_free(p);
}

struct image *const *probe_images(const struct probe *p, size_t *n)
{
	return replay_images(p->replay, n);
}

static unsigned function_of_order(const struct probe *p, const struct probe_order *order)
{
	return order->kind == PROBE_ONE ? spec_constraint(p->spec, order->number)->function
					: order->number;
}

/* All orders have the same length, so that the stack is the same in all runs. */
static char *environment_of_order(const struct probe *p, const struct probe_order *order)
{
	static const char *const kinds[] = {
		[PROBE_ONE] = " only",	[PROBE_CALL] = " call", [PROBE_SHOW] = " show",
		[PROBE_GIVE] = " give", [PROBE_MAKE] = " make",
	};
	g_autoptr(GString) words = g_string_new("fd 2");

	if (order && order->kind != PROBE_ALL)
		g_string_append_printf(words, "%s %u %" G_GUINT64_FORMAT, kinds[order->kind],
				       order->number, order->call);
	if (order && order->kind != PROBE_GIVE && order->state)
		g_string_append_printf(words, "%s %u %" G_GUINT64_FORMAT, kinds[PROBE_GIVE],
				       function_of_order(p, order), order->call);
	if (!order && !p->most_insns)
		g_string_append_printf(words, " within %" G_GUINT64_FORMAT, p->predicate_ms);
	if (order && order->kind == PROBE_MAKE)
		g_string_append_printf(words, " nodes %u most %u", order->nodes, order->most);
	if (order && order->left_out)
		g_string_append_printf(words, " but %" G_GINT64_MODIFIER "x", order->left_out);
	return g_strdup_printf("%s=%-*s", WHY_ORDER_ENV, ORDER_LENGTH, words->str);
}

bool probe_run(struct probe *p, char *const *argv, const char *stdin_file,
	       const struct probe_order *order, struct probe_result *out, GError **error)
{
	const bool makes = order && order->kind == PROBE_MAKE;
	struct run_request request = { .record = !makes,
				       .native = makes,
				       .max_insns = makes ? 0 : p->most_insns,
				       .from = order ? order->from : 0 };
	struct runner *runner = replay_runner(p->replay);
	g_autofree char *variable = environment_of_order(p, order), *path = NULL, *text = NULL;
	gsize length = 0;

	*out = (struct probe_result){ 0 };
	if (order && order->state && !g_file_set_contents(p->built->state, order->state, -1, error))
		return false;
	replay_load_with(p->replay, p->built->preload, variable);
	if (!replay_turn_to(p->replay, argv, stdin_file, error) ||
	    !runner->run(runner, &request, &out->run, error))
		return false;
	path = g_build_filename(out->run.record, "err", NULL);
	if (!g_file_get_contents(path, &text, &length, NULL))
		text = g_strdup("");
	for (gsize i = 0; i < length; i++) /* NULs must not hide the rest */
		if (!text[i])
			text[i] = ' ';
	spec_events_read(text, p->spec->functions->len, &out->events);
	if (out->run.end == RUN_SIGNAL)
		spec_events_blame(&out->events, p->spec, out->run.signo);
	return true;
}

void probe_result_clear(struct probe_result *r)
{
	run_result_clear(&r->run);
	spec_events_clear(&r->events);
}
