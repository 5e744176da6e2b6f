/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/replay.h"

#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/internal.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/preflight.h"
#include "solver/image/shadow.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT 60.0

/* ---- a run's place ---- */

/* The environment of the run in folder: what the user has, and two variables
 * of ours that the agent takes away again. */
char **replay_environment(struct replay *r, const char *folder)
{
	GPtrArray *all = g_ptr_array_new();
	guint preload;

	for (char **e = r->environment; *e; e++)
		g_ptr_array_add(all, g_strdup(*e));
	if (r->variable)
		g_ptr_array_add(all, g_strdup(r->variable));
	preload = all->len;
	g_ptr_array_add(all, g_strconcat("LD_PRELOAD=", r->agent, r->library ? ":" : "",
					 r->library ? r->library : "", r->user_preload ? ":" : NULL,
					 r->user_preload, NULL));
	g_ptr_array_add(all, g_strdup_printf("%s=%0*d%s/plan", TRACE_PLAN_ENV, TRACE_PLAN_DIGITS, 0,
					     folder));
	replay_pad_environment(r, all, preload);
	g_ptr_array_add(all, NULL);
	return (char **)g_ptr_array_free(all, FALSE);
}

static int open_in(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
}

bool replay_place_make(struct replay *r, struct run_place *place, GError **error)
{
	unsigned number = (unsigned)g_atomic_int_add(&r->next_run, 1);
	struct run_place made = { .in = -1, .out = -1, .err = -1 };

	made.folder = folder_make_run(r->folder->path, number, error);
	if (!made.folder)
		return false;
	made.envp = replay_environment(r, made.folder);
	made.in = open(r->stdin_path, O_RDONLY | O_CLOEXEC);
	if (made.in >= 0)
		made.out = open_in(made.folder, r->output_file.path ? "printed" : "out");
	if (made.out >= 0)
		made.err = open_in(made.folder, "err");
	if (made.err >= 0) {
		*place = made;
		return true;
	}
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "Cannot open %s%s: %s.",
		    made.in < 0 ? "the standard input " : "the files for the program's output in ",
		    made.in < 0 ? r->stdin_path : made.folder, g_strerror(errno));
	folder_remove(made.folder);
	replay_place_clear(&made);
	return false;
}

void replay_place_clear(struct run_place *place)
{
	const int fds[] = { place->in, place->out, place->err };

	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	g_strfreev(place->envp);
	g_free(place->folder);
	*place = (struct run_place){ .in = -1, .out = -1, .err = -1 };
}

void replay_launch_init(struct replay *r, const struct run_place *place, struct launch *l)
{
	*l = (struct launch){
		.path = r->program,
		.argv = r->argv,
		.envp = place->envp,
		.directory = r->directory,
		.in = place->in,
		.out = place->out,
		.err = place->err,
		.inherited = (const int *)(void *)r->inherited->data,
		.n_inherited = r->inherited->len,
		.mask = r->mask,
	};
}

/* ---- a question's life ---- */

/* What we got from the user and the runs get from us. */
static void take_surroundings(struct replay *r)
{
	char **environment = g_get_environ();

	r->inherited = launch_inherited();
	pthread_sigmask(SIG_SETMASK, NULL, &r->mask);
	r->user_preload = g_strdup(g_environ_getenv(environment, "LD_PRELOAD"));
	environment = g_environ_unsetenv(environment, "LD_PRELOAD");
	r->environment = g_environ_unsetenv(environment, TRACE_PLAN_ENV);
}

static bool look_at_test(struct replay *r, const struct replay_options *o, GError **error)
{
	GError *cause = NULL;
	GPtrArray *paths;

	if (!preflight_system(error))
		return false;
	r->directory = preflight_directory(o->directory, &cause);
	if (cause) {
		g_propagate_error(error, cause);
		return false;
	}
	r->argv = g_strdupv((char **)o->argv);
	r->program = preflight_program(o->program ? o->program : o->argv[0], r->directory, error);
	r->agent = r->program ? preflight_agent(o->agent, error) : NULL;
	if (!r->agent)
		return false;
	paths = g_ptr_array_new();
	g_ptr_array_add(paths, g_strdup(r->program));
	for (size_t i = 0; o->trace_libs && o->trace_libs[i] && !cause; i++)
		g_ptr_array_add(paths, preflight_library(o->trace_libs[i], r->directory, &cause));
	r->n_images = paths->len;
	g_ptr_array_add(paths, NULL);
	r->paths = (char **)g_ptr_array_free(paths, FALSE);
	r->images = g_new0(struct image *, r->n_images);
	if (!cause && r->n_images > TRACE_MAX_MODULES)
		g_set_error(&cause, REPLAY_ERROR, REPLAY_ERROR_INPUT,
			    "At most %d shared objects can be traced along with the program.",
			    TRACE_MAX_MODULES - 1);
	if (cause)
		g_propagate_error(error, cause);
	return !cause;
}

/* The agent's path is taken apart at blanks and colons by the loader. */
static bool make_agent_plain(struct replay *r, GError **error)
{
	char *link;

	if (!strpbrk(r->agent, " :"))
		return true;
	link = g_build_filename(r->folder->path, "agent.so", NULL);
	if (symlink(r->agent, link)) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM, "Cannot make %s: %s.", link,
			    g_strerror(errno));
		g_free(link);
		return false;
	}
	g_free(r->agent);
	r->agent = link;
	return true;
}

/* Without one nothing is forced, but the test's own run can be explained. */
static bool make_cage(struct replay *r, GError **error)
{
	GError *cause = NULL;

	r->cage = cage_new(&cause);
	if (r->cage)
		return true;
	if (!g_error_matches(cause, REPLAY_ERROR, REPLAY_ERROR_CAGE)) {
		g_propagate_error(error, cause);
		return false;
	}
	r->without_cage = g_strdup(cause->message);
	g_error_free(cause);
	return true;
}

const char *replay_without_cage(const struct replay *r)
{
	return r->without_cage;
}

static bool make_replay_folder(struct replay *r, const struct replay_options *o, GError **error)
{
	r->folder = folder_new(error);
	if (!r->folder || !make_agent_plain(r, error))
		return false;
	/* Half of it for one record: the next one has to fit as well. */
	r->max_bytes = r->folder->room / 2;
	if (o->max_bytes)
		r->max_bytes = MIN(r->max_bytes, o->max_bytes);
	r->stdin_path =
		preflight_stdin(o->stdin_file, r->directory, r->folder->path, r->until, error);
	return r->stdin_path &&
	       output_file_begin(&r->output_file, o->output_file, r->folder->path, error) &&
	       make_cage(r, error);
}

static bool start_supervisors(struct replay *r, GError **error)
{
	const int *inherited = (const int *)(void *)r->inherited->data;

	r->supervisor = supervisor_new(NULL, inherited, r->inherited->len, error);
	if (r->supervisor && r->cage)
		r->cager = supervisor_new_caged(r->cage, inherited, r->inherited->len, error);
	return r->supervisor && (r->cager || !r->cage);
}

/* In a thread of its own while GDB starts. */
static gpointer open_images(gpointer data)
{
	struct replay *r = data;
	gint64 start = g_get_monotonic_time();
	GError *error = NULL;

	for (size_t i = 0; i < r->n_images && !error; i++)
		r->images[i] = image_open(r->paths[i], &error);
	r->image_ms = (double)(g_get_monotonic_time() - start) / 1e3;
	if (!error)
		r->plan_base = replay_plan_base(r, r->folder->path, r->images, &error);
	return error;
}

/* GDB is for the first run. */
static bool get_ready(struct replay *r, const struct replay_options *o, GError **error)
{
	GError *gdb_error = NULL, *image_error;
	GThread *thread;

	if (r->past || o->direct) {
		image_error = open_images(r);
		if (image_error)
			g_propagate_error(error, image_error);
		return !image_error;
	}
	thread = g_thread_new("images", open_images, r);
	r->gdb_path = g_strdup(o->gdb ? o->gdb : "gdb");
	r->gdb = replay_start_gdb(r, r->gdb_path, &gdb_error);
	r->gdb_ms = (double)(g_get_monotonic_time() - r->started) / 1e3;
	image_error = g_thread_join(thread);
	if (image_error) {
		g_clear_error(&gdb_error);
		g_propagate_error(error, image_error);
	} else if (gdb_error) {
		g_propagate_error(error, gdb_error);
	}
	if (r->gdb)
		supervisor_watch_session(r->supervisor, mi_conn_gdb_pid(r->gdb));
	return r->gdb && !image_error;
}

static bool can_be_recorded(const struct replay *r, GError **error)
{
	const char *sanitizer = shadow_refused(r->images[0]);

	if (sanitizer)
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_PROGRAM,
			    "%s was built with -fsanitize=%s, whose runtime does not run together "
			    "with the recorder; build it without.",
			    r->program, sanitizer);
	return !sanitizer;
}

/* What is known with the images. */
static void prepare_runs(struct replay *r, bool direct)
{
	r->environment = shadow_environ(r->images[0], r->environment);
	/* direct runs have no first run of ours to go by */
	if (direct || r->past) {
		r->memory_limit = replay_memory_for_others(r, r->past ? r->past->memory : 0);
		replay_limit_time(r, G_MAXINT32);
	}
}

struct replay *replay_new(const struct replay_options *o, GError **error)
{
	struct replay *r = g_new0(struct replay, 1);

	r->started = g_get_monotonic_time();
	r->run_timeout = o->run_timeout > 0 ? o->run_timeout : DEFAULT_TIMEOUT;
	r->never = deadline_in(INFINITY, replay_interrupt_flag());
	r->until = o->until ? o->until : &r->never;
	r->addresses = o->addresses;
	r->output = o->output;
	r->jit = o->jit;
	r->limits = limits_or_default(o->limits);
	r->max_insns = o->max_insns;
	r->window = o->window;
	r->direct = (struct direct){ .runner.run = caged_run,
				     .replay = r,
				     .checkpoints = checkpoints_new(r) };
	take_surroundings(r);
	if (o->past)
		replay_take_past(r, o->past);
	if (look_at_test(r, o, error) && make_replay_folder(r, o, error) &&
	    start_supervisors(r, error) && get_ready(r, o, error) && can_be_recorded(r, error)) {
		prepare_runs(r, o->direct);
		return r;
	}
	replay_free(r);
	return NULL;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	mi_conn_free(r->gdb);
	checkpoints_free(r->direct.checkpoints);
	supervisor_free(r->cager);
	supervisor_free(r->supervisor);
	folder_free(r->folder);
	for (size_t i = 0; i < r->n_images; i++)
		image_free(r->images[i]);
	plan_base_free(r->plan_base);
	if (r->inherited)
		g_array_free(r->inherited, TRUE);
	g_strfreev(r->argv);
	g_free(r->first_stdin);
	g_strfreev(r->first_argv);
	g_strfreev(r->environment);
	g_strfreev(r->paths);
	g_free(r->images);
	g_free(r->program);
	g_free(r->directory);
	g_free(r->stdin_path);
	output_file_end(&r->output_file);
	g_free(r->user_preload);
	g_free(r->library);
	g_free(r->variable);
	g_free(r->agent);
	cage_free(r->cage);
	g_free(r->without_cage);
	g_free(r->gdb_path);
	g_free(r->past);
	g_free(r);
}

void replay_load_with(struct replay *r, const char *library, const char *variable)
{
	g_free(r->library);
	g_free(r->variable);
	r->library = g_strdup(library);
	r->variable = g_strdup(variable);
}

/* It stands before the user's libraries, once. */
static void preload_before(struct replay *r, const char *library)
{
	char *all;

	if (r->user_preload && g_str_has_prefix(r->user_preload, library))
		return;
	all = g_strconcat(library, r->user_preload ? ":" : NULL, r->user_preload, NULL);
	g_free(r->user_preload);
	r->user_preload = all;
}

void replay_adapt(struct replay *r, char *const *argv, char *const *variables)
{
	g_strfreev(r->argv);
	r->argv = g_strdupv((char **)argv);
	for (; *variables; variables++) {
		g_autofree char *name = g_strndup(*variables, strcspn(*variables, "="));

		if (strcmp(name, "LD_PRELOAD") == 0)
			preload_before(r, strchr(*variables, '=') + 1);
		else if (strchr(*variables, '='))
			r->environment = g_environ_setenv(r->environment, name,
							  strchr(*variables, '=') + 1, FALSE);
	}
}

const char *replay_program(const struct replay *r)
{
	return r->program;
}

struct image *const *replay_images(const struct replay *r, size_t *n)
{
	*n = r->n_images;
	return r->images;
}

struct runner *replay_runner(struct replay *r)
{
	return &r->direct.runner;
}
