/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/runs.h"

#include "gdbext/lesson/lesson.h"
#include "gdbext/replay/cage/cage.h"
#include "gdbext/replay/cage/cage-guard.h"
#include "gdbext/replay/folder.h"
#include "gdbext/replay/run/run-clock.h"
#include "gdbext/replay/cage/supervisor.h"
#include "gdbext/replay/cage/view.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEGABYTE (UINT64_C(1) << 20)
/* Compiling a lesson takes a tenth of a second; a macro that expands without end takes for ever. */
#define COMPILE_SECONDS 20.0
/* Bytes of what a program prints that are compared; tests of lessons print some lines. */
enum { OUTPUT_MOST = 64 << 10 };

struct lesson_runs {
	struct cage *cage;
	struct supervisor *supervisor;
	struct folder *folder;
	const char *const *hidden;
	char *nothing; /* an empty folder, seen in the place of hidden ones; NULL = cannot be */
	unsigned n;
};

static bool no_system(GError **error, const char *what)
{
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_SYSTEM, "%s: %s.", what, g_strerror(errno));
	return false;
}

static void view_of(const struct lesson_runs *r, struct view *v)
{
	*v = (struct view){ .folder = r->nothing };
	for (int i = 0; i < VIEW_MOST && r->hidden && r->hidden[i]; i++)
		v->onto[i] = r->hidden[i];
}

static void make_nothing(struct lesson_runs *r)
{
	struct view v;

	r->nothing = g_build_filename(r->folder->path, "nothing", NULL);
	view_of(r, &v);
	if (!v.onto[0] || mkdir(r->nothing, 0700) || !view_is_possible(&v))
		g_clear_pointer(&r->nothing, g_free);
}

struct lesson_runs *lesson_runs_new(const char *const *hidden, GError **error)
{
	struct lesson_runs *r = g_new0(struct lesson_runs, 1);
	g_autoptr(GError) wrong = NULL;

	r->hidden = hidden;
	r->cage = cage_new(&wrong);
	if (!r->cage && hidden)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_SYSTEM,
			    "Programs of students are not run here, since %s.", wrong->message);
	if ((r->cage || !hidden) && (r->supervisor = supervisor_new(r->cage, NULL, 0, error)) &&
	    (r->folder = folder_new(error))) {
		make_nothing(r);
		return r;
	}
	lesson_runs_free(r);
	return NULL;
}

void lesson_runs_free(struct lesson_runs *r)
{
	if (!r)
		return;
	supervisor_free(r->supervisor);
	folder_free(r->folder);
	cage_free(r->cage);
	g_free(r->nothing);
	g_free(r);
}

const char *lesson_runs_folder(const struct lesson_runs *r)
{
	return r->folder->path;
}

/* --- one run --- */

struct one {
	struct lesson_runs *r;
	char *folder;
	int in, out, err;
	struct cage_guard *guard; /* NULL = it is trusted */
	double seconds;
	struct lesson_end *end;
};

static int open_output(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);

	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
}

static bool one_init(struct one *o, struct lesson_runs *r, GError **error)
{
	*o = (struct one){ .r = r, .in = -1, .out = -1, .err = -1 };
	o->folder = folder_make_run(r->folder->path, r->n++, error);
	if (!o->folder)
		return false;
	o->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	o->out = open_output(o->folder, "out");
	o->err = open_output(o->folder, "err");
	return (o->in >= 0 && o->out >= 0 && o->err >= 0) || no_system(error, "No run has files");
}

static void one_clear(struct one *o)
{
	const int fds[] = { o->in, o->out, o->err };

	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	cage_guard_free(o->guard);
	if (o->folder)
		folder_remove(o->folder);
	g_free(o->folder);
}

static char *read_output(const struct one *o, const char *name)
{
	g_autofree char *path = g_build_filename(o->folder, name, NULL);
	char *text = g_malloc0(OUTPUT_MOST + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, text, OUTPUT_MOST, 0);

	if (fd >= 0)
		close(fd);
	text[MAX(got, 0)] = '\0';
	return text;
}

/* Until it has ended, its time is up, or it takes too much.  True: it ended by itself. */
static bool wait_for_end(struct one *o, pid_t pid)
{
	struct run_clock clock = run_clock_start(pid, o->seconds);
	int pidfd = pidfd_open(pid, 0);
	bool ended = pidfd < 0;

	while (!ended && run_clock_left(&clock) > 0) {
		struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN },
					{ .fd = o->guard ? cage_guard_fd(o->guard) : -1,
					  .events = POLLIN } };

		if (o->guard && !cage_guard_is_within(o->guard))
			break;
		if (poll(fds, G_N_ELEMENTS(fds),
			 o->guard ? cage_guard_patience(o->guard, CAGE_GUARD_TICK_MS)
				  : CAGE_GUARD_TICK_MS) <= 0)
			continue;
		if (fds[1].revents)
			cage_guard_answer(o->guard, fds[1].revents);
		ended = fds[0].revents;
	}
	if (pidfd >= 0)
		close(pidfd);
	return ended;
}

static bool finish_lesson_run(struct one *o, pid_t pid, GError **error)
{
	bool ended = wait_for_end(o, pid);
	struct supervised_end is = { 0 };

	if (!supervisor_end(o->r->supervisor, pid, &is, error))
		return false;
	o->end->kind = WIFEXITED(is.status) ? LESSON_EXITED : LESSON_SIGNALLED;
	o->end->number = WIFEXITED(is.status) ? WEXITSTATUS(is.status) : WTERMSIG(is.status);
	if (!ended || (WIFSIGNALED(is.status) && WTERMSIG(is.status) == SIGXCPU))
		o->end->kind = LESSON_TIMED_OUT;
	o->end->out = read_output(o, "out");
	o->end->err = read_output(o, "err");
	return true;
}

static bool start_and_finish(struct one *o, struct launch *l, bool caged, GError **error)
{
	struct cage_guard_options options = { .folder = o->folder,
					      .out = o->out,
					      .err = o->err,
					      .memory = 512 * MEGABYTE,
					      .disk = 16 * MEGABYTE,
					      .hidden = o->r->hidden,
					      .listener = -1 };

	l->in = o->in;
	l->out = o->out;
	l->err = o->err;
	l->directory = o->folder;
	l->limit_cpu = (uint64_t)o->seconds + 1;
	sigemptyset(&l->mask);
	if (caged) {
		l->cage = o->r->cage;
		l->listener = &options.listener;
		l->limit_memory = 512 * MEGABYTE;
		l->limit_file = MEGABYTE;
	} else {
		l->limit_memory = 2048 * MEGABYTE;
		l->limit_file = 64 * MEGABYTE;
	}
	options.pid = supervisor_start(o->r->supervisor, l, error);
	if (!options.pid)
		return false;
	if (caged)
		o->guard = cage_guard_new(&options);
	return finish_lesson_run(o, options.pid, error);
}

static bool run_one(struct lesson_runs *r, struct launch *l, bool caged, double seconds,
		    struct lesson_end *end, GError **error)
{
	struct one o;
	bool ok = one_init(&o, r, error);

	*end = (struct lesson_end){ 0 };
	o.seconds = seconds;
	o.end = end;
	ok = ok && start_and_finish(&o, l, caged, error);
	one_clear(&o);
	return ok;
}

bool lesson_run(struct lesson_runs *r, const char *program, char *const *words, double seconds,
		struct lesson_end *end, GError **error)
{
	char *const environment[] = { (char *)"LANG=C", NULL };
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct launch l = { .path = program, .envp = environment };

	g_ptr_array_add(argv, (gpointer) "program");
	for (; *words; words++)
		g_ptr_array_add(argv, *words);
	g_ptr_array_add(argv, NULL);
	l.argv = (char *const *)argv->pdata;
	return run_one(r, &l, r->cage != NULL, seconds, end, error);
}

void lesson_end_clear(struct lesson_end *end)
{
	g_free(end->out);
	g_free(end->err);
	*end = (struct lesson_end){ 0 };
}

/* --- the compiler --- */

/* $CC may be several words, as for make. */
static GPtrArray *compiler_words(void)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	const char *named = g_getenv("CC");
	g_auto(GStrv) words = g_strsplit(named && *named ? named : "gcc", " ", -1);

	for (char **w = words; *w; w++)
		if (**w)
			g_ptr_array_add(argv, g_strdup(*w));
	return argv;
}

static void add_compiler_words(GPtrArray *argv, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (char **w = words; *w; w++)
		if (**w)
			g_ptr_array_add(argv, g_strdup(*w));
}

bool lesson_compile(struct lesson_runs *r, const char *source, const char *program,
		    const char *cflags, char **said, GError **error)
{
	g_autoptr(GPtrArray) argv = compiler_words();
	g_autofree char *path = argv->len ? g_find_program_in_path(argv->pdata[0]) : NULL;
	g_autofree char *search = g_strconcat("PATH=", g_getenv("PATH"), NULL);
	/* what it writes on the way is not for everybody's folder */
	g_autofree char *scratch = g_strconcat("TMPDIR=", r->folder->path, NULL);
	char *const environment[] = { search, scratch, (char *)"LC_ALL=C", NULL };
	struct launch l = { .path = path, .envp = environment };
	struct lesson_end end;
	struct view v;
	bool ok;

	*said = NULL;
	if (!path) {
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_SYSTEM,
			    "There is no compiler `%s'; install gcc, or set CC.",
			    argv->len ? (char *)argv->pdata[0] : "");
		return false;
	}
	add_compiler_words(argv, "-g -O0 -w -o");
	g_ptr_array_add(argv, g_strdup(program));
	g_ptr_array_add(argv, g_strdup(source));
	add_compiler_words(argv, cflags);
	add_compiler_words(argv, "-lm -lpthread");
	g_ptr_array_add(argv, NULL);
	l.argv = (char *const *)argv->pdata;
	view_of(r, &v);
	l.view = r->nothing ? &v : NULL;
	if (!run_one(r, &l, false, COMPILE_SECONDS, &end, error))
		return false;
	ok = end.kind == LESSON_EXITED && !end.number;
	if (!ok)
		*said = end.kind == LESSON_TIMED_OUT ? g_strdup("it took too long to compile")
						     : g_steal_pointer(&end.err);
	lesson_end_clear(&end);
	return ok;
}
