/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/server/late-servers.h"

struct late_server {
	struct late_place at;
	struct replay_server *server; /* NULL = the start of the run, or none can be had there */
	uint64_t vain; /* instructions that later runs executed again behind this place */
	uint64_t used; /* when it was used last, in runs */
};

struct late_servers {
	struct replay *replay;
	char *const *argv;
	const char *stdin_file;
	const struct expected_output *expected;
	uint64_t instructions, runs;
	const struct limits *limits;
	GArray *all; /* struct late_server, by .at.step; the first one is the start of the run */
	bool refused;
};

static void clear_late_server(gpointer server)
{
	replay_server_free(((struct late_server *)server)->server);
}

struct late_servers *late_servers_new(struct replay *r, char *const *argv, const char *stdin_file,
				      const struct expected_output *expected, uint64_t instructions,
				      const struct limits *limits)
{
	const struct late_servers fresh = { .replay = r,
					    .argv = argv,
					    .stdin_file = stdin_file,
					    .expected = expected,
					    .instructions = instructions,
					    .limits = limits };
	struct late_servers *s = g_memdup2(&fresh, sizeof fresh);
	struct late_server start = { 0 };

	s->all = g_array_new(FALSE, FALSE, sizeof(struct late_server));
	g_array_set_clear_func(s->all, clear_late_server);
	g_array_append_val(s->all, start);
	return s;
}

void late_servers_free(struct late_servers *s)
{
	if (!s)
		return;
	g_array_unref(s->all);
	g_free(s);
}

/* The last one that is not behind the step. */
static guint server_before(const struct late_servers *s, uint64_t step)
{
	guint i = s->all->len - 1;

	while (i && g_array_index(s->all, struct late_server, i).at.step > step)
		i--;
	return i;
}

static void make_room_for_late_server(struct late_servers *s)
{
	guint oldest = 0;

	for (guint i = 1; i < s->all->len; i++)
		if (!oldest || g_array_index(s->all, struct late_server, i).used <
				       g_array_index(s->all, struct late_server, oldest).used)
			oldest = i;
	if (oldest && s->all->len > s->limits->checkpoints)
		g_array_remove_index(s->all, oldest);
}

/* Where one process cannot be had, others hardly can: the program has threads by then, say. */
static void start_late_server(struct late_servers *s, const struct late_place *place)
{
	struct late_server fresh = { .at = *place, .used = s->runs };

	if (!replay_turn_to(s->replay, s->argv, s->stdin_file, NULL))
		return;
	make_room_for_late_server(s);
	fresh.server = replay_server_new_at(s->replay, place->module, place->addr, NULL);
	if (!fresh.server || !replay_server_has_arrived(fresh.server)) {
		replay_server_free(fresh.server);
		s->refused = true;
		g_debug("no changed run can start behind %" G_GUINT64_FORMAT " instructions",
			place->step);
		return;
	}
	replay_server_expect(fresh.server, s->expected);
	g_array_insert_val(s->all, server_before(s, place->step) + 1, fresh);
	g_debug("changed runs start behind %" G_GUINT64_FORMAT " instructions", place->step);
}

/* The place's share of what the whole run may take, and what a process needs in any case. */
static uint64_t time_behind(const struct late_servers *s, uint64_t step, uint64_t most_us)
{
	const double left = (double)(s->instructions - MIN(step, s->instructions)) /
			    (double)MAX(s->instructions, 1);

	return MIN(most_us, s->limits->slip_more_cpu_us + (uint64_t)((double)most_us * left));
}

static enum late_outcome run_behind(struct late_servers *s, guint i,
				    const struct trace_action *changes, size_t n, uint64_t most_us)
{
	struct late_server *at = &g_array_index(s->all, struct late_server, i);
	uint64_t took = 0;
	bool passes;

	at->used = s->runs;
	most_us = time_behind(s, at->at.step, most_us);
	if (!replay_server_run(at->server, changes, n, most_us, &passes, &took, NULL)) {
		g_array_remove_index(s->all, i);
		return LATE_NONE;
	}
	return passes ? LATE_PASSES : took < most_us ? LATE_FAILS : LATE_CUT;
}

enum late_outcome late_servers_run(struct late_servers *s, const struct late_place *place,
				   const struct trace_action *changes, size_t n, uint64_t most_us)
{
	guint i = server_before(s, place->step);
	struct late_server *before = &g_array_index(s->all, struct late_server, i);

	s->runs++;
	before->vain += place->step - before->at.step;
	if (!s->refused && before->vain >= place->step + s->limits->late_start_insns) {
		before->vain = 0;
		start_late_server(s, place);
		i = server_before(s, place->step);
	}
	return i ? run_behind(s, i, changes, n, most_us) : LATE_NONE;
}
