/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/server/native-server.h"

#include "gdbext/replay/server/fork-server.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct replay_server {
	struct fork_server *server;
	double timeout;				/* seconds */
	const struct expected_output *expected; /* NULL = status 0 is enough */
	bool has_file; /* what it prints goes to a file that need not be empty at first */
};

struct replay_server *replay_server_new(struct replay *r, const struct trace_action *changes,
					size_t n, GError **error)
{
	const struct run_request request = { .actions = changes, .n_actions = n, .native = true };
	struct fork_server *server = fork_server_new(r, &request, error);
	struct replay_server *s;

	if (!server)
		return NULL;
	s = g_new0(struct replay_server, 1);
	s->server = server;
	s->timeout = r->caged_timeout;
	s->has_file = r->output_file.path;
	return s;
}

struct replay_server *replay_server_new_at(struct replay *r, unsigned module, uint64_t addr,
					   GError **error)
{
	const struct trace_action place = { .kind = TRACE_ACTION_CODE_SERVE,
					    .module = module,
					    .addr = addr };

	return replay_server_new(r, &place, 1, error);
}

bool replay_server_has_arrived(struct replay_server *s)
{
	return fork_server_wait(s->server, NULL) && fork_server_is_forkable(s->server);
}

void replay_server_free(struct replay_server *s)
{
	if (s)
		fork_server_free(s->server);
	g_free(s);
}

void replay_server_expect(struct replay_server *s, const struct expected_output *expected)
{
	s->expected = expected;
	fork_server_expect(s->server, s->has_file ? NULL : expected, 0);
}

static bool native_run_has_passed(const struct replay_server *s, const struct run_ending *ending)
{
	int status = ending->is.status;

	/* a run that does not end fails */
	if (ending->timed_out || ending->over_limit)
		return false;
	if (s->expected)
		return expected_look(s->expected, fork_server_folder(s->server), WIFEXITED(status),
				     WEXITSTATUS(status))
			.met;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool replay_server_run(struct replay_server *s, const struct trace_action *changes, size_t n,
		       uint64_t most_us, bool *passes, uint64_t *took_us, GError **error)
{
	struct trace_request request = { .n_actions = (uint32_t)n, .cpu_us = most_us };
	struct run_ending ending;
	GError *interrupted = NULL;

	g_assert(n <= TRACE_MOST_SERVED);
	if (n)
		memcpy(request.actions, changes, n * sizeof *changes);
	if (!fork_server_wait(s->server, &interrupted) && interrupted) {
		g_propagate_error(error, interrupted);
		return false;
	}
	if (!fork_server_run(s->server, &request, &ending, error))
		return false;
	if (passes)
		*passes = native_run_has_passed(s, &ending);
	if (took_us)
		*took_us = (uint64_t)((ending.timed_out ? s->timeout : ending.is.cpu) * 1e6);
	return true;
}

/* The numbers of the head come from a process that may do anything with them. */
GArray *replay_server_notes(const struct replay_server *s, unsigned *n_values, bool *all)
{
	g_autofree char *path = g_build_filename(fork_server_folder(s->server), "notes", NULL);
	GArray *notes = g_array_new(FALSE, FALSE, sizeof(struct trace_note));
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct trace_notes head = { 0 };
	uint64_t size;

	*n_values = 0;
	*all = true;
	if (fd < 0)
		return notes;
	if (read(fd, &head, sizeof head) == sizeof head && head.n_values &&
	    head.n_values <= TRACE_MOST_SERVED && head.n_hits <= TRACE_NOTES_SIZE) {
		size = (uint64_t)head.n_hits * head.n_values;
		size = MIN(size, (TRACE_NOTES_SIZE - sizeof head) / sizeof(struct trace_note));
		size -= size % head.n_values;
		g_array_set_size(notes, (guint)size);
		size *= sizeof(struct trace_note);
		if (read(fd, notes->data, size) != (ssize_t)size)
			g_array_set_size(notes, 0);
		*n_values = head.n_values;
		*all = !head.lost;
	}
	close(fd);
	return notes;
}
