/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checkpoints: of runs that are all the same up to an instruction, the part before it is made
 * once, by a process that stands there.  Each run is then forked from that process, and costs
 * what comes after it.  What such a run leaves is what any run leaves: a folder with its
 * plan, record and output.
 */
#include "gdbext/replay/server/fork-server.h"

#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* A place from which runs were asked for. */
struct checkpoint {
	uint64_t from;
	unsigned thread;
	unsigned asked, starts; /* how often; the process may have to be started again */
	guint64 used;		/* when it was asked for last, in runs */
	bool refused;		/* no process can be forked there */
	struct fork_server *server;
};

struct checkpoints {
	struct replay *replay;
	GMutex mutex;
	GPtrArray *all; /* struct checkpoint *, owned */
	guint64 runs;
};

static void checkpoint_free(gpointer checkpoint)
{
	fork_server_free(((struct checkpoint *)checkpoint)->server);
	g_free(checkpoint);
}

struct checkpoints *checkpoints_new(struct replay *r)
{
	struct checkpoints *c = g_new0(struct checkpoints, 1);

	c->replay = r;
	c->all = g_ptr_array_new_with_free_func(checkpoint_free);
	g_mutex_init(&c->mutex);
	return c;
}

void checkpoints_clear(struct checkpoints *c)
{
	g_ptr_array_set_size(c->all, 0);
}

void checkpoints_free(struct checkpoints *c)
{
	if (!c)
		return;
	g_ptr_array_free(c->all, TRUE);
	g_mutex_clear(&c->mutex);
	g_free(c);
}

/* ---- which ---- */

static struct checkpoint *checkpoint_at(struct checkpoints *c, const struct run_request *request)
{
	struct checkpoint *made;

	for (guint i = 0; i < c->all->len; i++) {
		struct checkpoint *at = c->all->pdata[i];

		if (at->from == request->from && at->thread == request->thread)
			return at;
	}
	made = g_new0(struct checkpoint, 1);
	made->from = request->from;
	made->thread = request->thread;
	g_ptr_array_add(c->all, made);
	return made;
}

/* There is room for one more process. */
static void make_room_for_process(struct checkpoints *c)
{
	struct checkpoint *oldest = NULL;
	guint n = 0;

	for (guint i = 0; i < c->all->len; i++) {
		struct checkpoint *at = c->all->pdata[i];

		n += at->server != NULL;
		if (at->server && (!oldest || at->used < oldest->used))
			oldest = at;
	}
	if (n >= c->replay->limits->checkpoints)
		g_clear_pointer(&oldest->server, fork_server_free);
}

/* A process that stands there and serves; false without error = there is none. */
static bool is_ready(struct checkpoints *c, struct checkpoint *at, bool repeats, GError **error)
{
	const struct run_request request = { .from = at->from, .thread = at->thread };
	GError *interrupted = NULL;

	if (at->server)
		return true;
	/* one run alone would not be any faster */
	if (at->refused || (at->asked < 2 && !repeats))
		return false;
	make_room_for_process(c);
	at->starts++;
	at->server = fork_server_new(c->replay, &request, NULL);
	if (at->server)
		fork_server_expect(at->server, c->replay->expected, c->replay->limits->output_more);
	if (at->server && fork_server_wait(at->server, &interrupted) &&
	    fork_server_is_forkable(at->server))
		return true;
	g_clear_pointer(&at->server, fork_server_free);
	at->refused = true;
	g_debug("no run can be forked at instruction %" G_GUINT64_FORMAT, at->from);
	if (interrupted)
		g_propagate_error(error, interrupted);
	return false;
}

/* ---- what a run leaves ---- */

static bool copy_file(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t n = out < 0 ? -1 : 1;

	while (n > 0)
		n = sendfile(out, in, NULL, 1 << 20);
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return !n;
}

/* The server goes on to use these. */
static const char *const shared[] = { "out", "err", "plan", NULL };

void checkpoints_forget_run(const char *folder)
{
	static const char *const used[] = { "out", "err", "plan", "ask", "answer", NULL };

	folder_empty(folder, used);
}

static bool take_file(const char *from, const char *to, const char *name)
{
	g_autofree char *here = g_build_filename(from, name, NULL);
	g_autofree char *there = g_build_filename(to, name, NULL);

	if (!strcmp(name, "ask") || !strcmp(name, "answer"))
		return true;
	return g_strv_contains(shared, name) ? copy_file(here, there) : !rename(here, there);
}

/* Moves the record from the server's folder to one of its own.  NULL when there is no room. */
static char *take_folder(struct replay *r, const struct fork_server *server)
{
	const char *from = fork_server_folder(server);
	unsigned number = (unsigned)g_atomic_int_add(&r->next_run, 1);
	char *folder = folder_make_run(r->folder->path, number, NULL);
	g_autoptr(GDir) dir = folder ? g_dir_open(from, 0, NULL) : NULL;
	bool done = dir != NULL;
	const char *name;

	while (done && (name = g_dir_read_name(dir)))
		done = take_file(from, folder, name);
	if (done)
		return folder;
	if (folder)
		folder_remove(folder);
	g_free(folder);
	return NULL;
}

/* ---- runs ---- */

static bool run_from(struct checkpoints *c, struct checkpoint *at,
		     const struct run_request *request, struct run_result *result, GError **error)
{
	struct trace_request asked = { .n_actions = (uint32_t)request->n_actions,
				       .flags = request->record ? TRACE_RECORD : 0,
				       .max_insns = request->max_insns };
	gint64 start = g_get_monotonic_time();
	struct run_result found = { 0 };
	struct run_ending ending;
	bool done, lost;

	for (size_t i = 0; i < request->n_actions; i++)
		asked.actions[i] = request->actions[i];
	done = fork_server_run(at->server, &asked, &ending, error);
	lost = !done || ending.timed_out || ending.over_limit;
	found.in_place = request->in_place && !lost;
	if (found.in_place)
		found.record = g_strdup(fork_server_folder(at->server));
	else if (done)
		found.record = take_folder(c->replay, at->server);
	if (lost) {
		g_clear_pointer(&at->server, fork_server_free);
		at->refused = at->starts >= c->replay->limits->checkpoint_starts;
	}
	if (!found.record)
		return false;
	replay_classify(c->replay, found.record, &ending, request, &found);
	found.ms = (double)(g_get_monotonic_time() - start) / 1e3;
	found.forked = true;
	*result = found;
	return true;
}

static bool is_checkpoint_possible(const struct checkpoints *c, const struct run_request *request)
{
	/* what was written to a file before the checkpoint would not be in the run's own one */
	return request->from && !request->native && !c->replay->output_file.path &&
	       (!request->max_insns || request->max_insns > request->from) &&
	       request->n_actions <= TRACE_MOST_SERVED && c->replay->limits->checkpoints;
}

bool checkpoints_run(struct checkpoints *c, const struct run_request *request,
		     struct run_result *result, GError **error)
{
	struct checkpoint *at;
	GError *problem = NULL;
	bool done = false;

	if (!is_checkpoint_possible(c, request) || !deadline_check(c->replay->until, error) ||
	    !g_mutex_trylock(&c->mutex))
		return false;
	at = checkpoint_at(c, request);
	at->asked++;
	at->used = ++c->runs;
	if (is_ready(c, at, request->repeats, &problem))
		done = run_from(c, at, request, result, &problem);
	g_mutex_unlock(&c->mutex);
	if (problem) /* other than an interruption: the run is made in another way */
		deadline_check(c->replay->until, error);
	g_clear_error(&problem);
	return done;
}
