/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop/workshop-private.h"
#include "gdbext/regress/workshop/process.h"
#include "gdbext/replay/interrupt.h"
#include "solver/regress/set.h"

#include <stdio.h>
#include <string.h>

/* Each of the two versions stands in one, while both are looked at. */
enum { FEWEST_BENCHES = 2 };

static void free_known(void *pointer)
{
	struct known *k = pointer;

	g_free(k->log);
	g_free(k->ending);
	g_clear_pointer(&k->output, g_bytes_unref);
	g_free(k);
}

struct known *workshop_known(struct workshop *w, const GArray *reverted)
{
	char *key = regress_set_key(reverted);
	struct known *k = g_hash_table_lookup(w->known, key);

	if (k) {
		g_free(key);
		return k;
	}
	k = g_new0(struct known, 1);
	g_hash_table_insert(w->known, key, k);
	return k;
}

bool workshop_goes_on(struct workshop *w)
{
	if (w->o->deadline && g_get_monotonic_time() >= w->o->deadline)
		w->late = true;
	return !w->error && !w->late && !replay_interrupted();
}

double workshop_limited(const struct workshop *w, double seconds)
{
	double left = w->o->deadline
			      ? (double)(w->o->deadline - g_get_monotonic_time()) / G_USEC_PER_SEC
			      : seconds;

	return CLAMP(left, 0.001, seconds);
}

/* How much has to be done until the bench holds the set, in changes; nothing = it is built.  One
 * that is not made yet stands in the middle: it is worth it for the other one of both versions. */
static guint distance_to_build(const struct workshop *w, const struct bench *b,
			       const GArray *reverted)
{
	g_autoptr(GArray) come = NULL, go = NULL;

	if (b->built && regress_set_equal(b->built, reverted))
		return 0;
	if (!b->reverted)
		return 1 + regress_changes_count(w->o->versions->changes) / 2;
	come = regress_set_minus(reverted, b->reverted);
	go = regress_set_minus(b->reverted, reverted);
	return 1 + come->len + go->len;
}

/* The free bench that is nearest to the set.  The lock is held. */
static struct bench *take_bench(struct workshop *w, const GArray *reverted)
{
	struct bench *found = NULL;

	while (!found) {
		guint least = G_MAXUINT;

		for (guint i = 0; i < w->benches->len; i++) {
			struct bench *b = g_ptr_array_index(w->benches, i);
			guint distance = b->busy ? G_MAXUINT : distance_to_build(w, b, reverted);

			if (distance < least) {
				found = b;
				least = distance;
			}
		}
		if (!found)
			g_cond_wait(&w->freed, &w->lock);
	}
	found->busy = true;
	return found;
}

/* A `configure' that is run for each build finds its answers of the last time (Autoconf manual,
 * "Setting Site Defaults"), unless the user has site defaults.  With the same arguments in the same
 * folder it has nothing to do: bench.c forgets the answers when a file of the build changes.  What
 * it made stays as old as it was, and so does all that was built with it. */
static char **remember_configure(const struct workshop *w, const struct bench *b, char **env)
{
	g_autofree char *site = g_build_filename(w->o->folder, "config.site", NULL);

	if (g_environ_getenv(env, "CONFIG_SITE"))
		return env;
	env = g_environ_setenv(env, "CONFIG_SITE", site, TRUE);
	return g_environ_setenv(env, "GDB_WHY_ANSWERS", b->answers, TRUE);
}

static void write_site(const struct workshop *w)
{
	static const char text[] =
		"test \"$cache_file\" = /dev/null && cache_file=$GDB_WHY_ANSWERS/cache\n"
		"gdb_why_key=$GDB_WHY_ANSWERS/`pwd | tr / _`\n"
		"gdb_why_asked=\"$0 $ac_configure_args $*\"\n"
		"if test \"$gdb_why_asked\" = \"`cat \"$gdb_why_key\" 2>/dev/null`\" &&\n"
		"	test config.status -nt \"$gdb_why_key\"; then\n"
		"	exit 0\n"
		"fi\n"
		"printf '%s\\n' \"$gdb_why_asked\" >\"$gdb_why_key\"\n";
	g_autofree char *site = g_build_filename(w->o->folder, "config.site", NULL);

	/* without it `configure' only takes longer */
	g_file_set_contents(site, text, -1, NULL);
}

static char **environment_of_build(void)
{
	static const char *const unwanted[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL",
						"MAKEOVERRIDES" };
	char **env = g_get_environ();

	for (size_t i = 0; i < G_N_ELEMENTS(unwanted); i++)
		env = g_environ_unsetenv(env, unwanted[i]);
	/* the search reads what the compiler says */
	return g_environ_setenv(env, "LC_ALL", "C", TRUE);
}

static char *read_log(const char *path, gsize most)
{
	char *text = NULL;
	gsize size = 0;

	if (!g_file_get_contents(path, &text, &size, NULL))
		return NULL;
	if (size > most)
		text[most] = '\0';
	return text;
}

void workshop_stop(struct workshop *w, GError *error)
{
	g_mutex_lock(&w->lock);
	if (w->error)
		g_error_free(error);
	else
		w->error = error;
	g_mutex_unlock(&w->lock);
}

void workshop_say(struct workshop *w, const GArray *reverted, const char *what)
{
	g_autofree char *error = NULL;

	if (!w->o->verbose)
		return;
	error = workshop_first_error(w, reverted);
	g_printerr("regress: %u of %u changes reverted: %s%s%s\n", reverted->len,
		   regress_changes_count(w->o->versions->changes), what, error ? ": " : "",
		   error ? error : "");
}

void workshop_show_progress(const struct workshop *w)
{
	if (!w->o->progress)
		return;
	fprintf(stderr, "\r\033[K%u builds, %u runs of the test", w->stats.builds, w->stats.tests);
	fflush(stderr);
}

void workshop_hide_progress(const struct workshop *w)
{
	if (w->o->progress)
		fputs("\r\033[K", stderr);
}

/* Says in the log why the build ended. */
static void note_stopped_build(const struct bench *b, double seconds)
{
	FILE *log = fopen(b->log, "ae");

	if (!log)
		return;
	fprintf(log, "\nerror: the build was stopped after %g s (--build-timeout)\n", seconds);
	fclose(log);
}

/* Runs the build command in a bench that is ours. */
static enum regress_verdict run_bench_build(struct workshop *w, struct bench *b, GError **error)
{
	g_auto(GStrv) env = remember_configure(w, b, environment_of_build());
	struct view view;
	struct regress_process p = { .supervisor = w->o->supervisor,
				     .argv = (char *[]){ (char *)"sh", (char *)"-c",
							 (char *)w->o->build, NULL },
				     .envp = env,
				     .view = &view,
				     .directory = workshop_place(w, b->folder, &view),
				     .log = b->log,
				     .timeout = workshop_limited(w, w->o->build_timeout) };
	enum regress_end end;
	int number;

	if (!regress_process_run(&p, &end, &number, error))
		return REGRESS_STOPPED;
	if (end == REGRESS_CANCELLED)
		return REGRESS_STOPPED;
	if (end == REGRESS_TIMED_OUT)
		note_stopped_build(b, p.timeout);
	return end == REGRESS_EXITED && !number ? REGRESS_PASSES : REGRESS_BROKEN;
}

static void note_build(struct workshop *w, struct bench *b, const GArray *reverted,
		       enum regress_verdict v, double seconds)
{
	struct known *k;

	g_mutex_lock(&w->lock);
	w->stats.builds++;
	w->stats.build_s += seconds;
	workshop_show_progress(w);
	g_clear_pointer(&b->built, g_array_unref);
	if (v == REGRESS_BROKEN && !workshop_goes_on(w))
		v = REGRESS_STOPPED; /* the deadline cut it */
	if (v != REGRESS_STOPPED) {
		k = workshop_known(w, reverted);
		k->is_built = true;
		k->build = v;
		if (v == REGRESS_PASSES)
			b->built = regress_set_copy(reverted);
		else if (!k->log)
			k->log = read_log(b->log, w->o->limits->regress_log_bytes);
		w->stats.failed_builds += v == REGRESS_BROKEN;
	}
	g_mutex_unlock(&w->lock);
}

/* A copy of a bench that is built, where it may be built under the same name; else the version. */
static bool make_bench(struct workshop *w, struct bench *b, GError **error)
{
	const struct bench *built = NULL;
	bool ok;

	g_mutex_lock(&w->lock);
	for (guint i = 0; i < w->benches->len && !w->plan.anywhere && !built; i++) {
		const struct bench *other = g_ptr_array_index(w->benches, i);

		if (!other->busy && other->built)
			built = other;
	}
	ok = bench_make(b, &w->plan, built, error);
	g_mutex_unlock(&w->lock);
	return ok;
}

/* A mixture that there cannot be counts as one that does not compile. */
static bool is_impossible(struct workshop *w, const GArray *reverted)
{
	const char *file, *below;
	struct known *k;

	regress_changes_find_clash(w->o->versions->changes, reverted, &file, &below);
	if (!file)
		return false;
	g_mutex_lock(&w->lock);
	k = workshop_known(w, reverted);
	k->is_built = true;
	k->build = REGRESS_BROKEN;
	if (!k->log)
		k->log = g_strdup_printf("error: '%s' is a file, and '%s' stands below it", file,
					 below);
	g_mutex_unlock(&w->lock);
	return true;
}

enum regress_verdict workshop_stand(struct workshop *w, struct bench *b, const GArray *reverted)
{
	GError *error = NULL;
	enum regress_verdict v;
	gint64 start = g_get_monotonic_time();

	if (b->built && regress_set_equal(b->built, reverted))
		return REGRESS_PASSES;
	if (is_impossible(w, reverted))
		return REGRESS_BROKEN;
	g_clear_pointer(&b->built, g_array_unref);
	if ((!b->reverted && !make_bench(w, b, &error)) ||
	    !bench_turn_to(b, &w->plan, reverted, &error)) {
		workshop_stop(w, error);
		return REGRESS_STOPPED;
	}
	v = run_bench_build(w, b, &error);
	if (error)
		workshop_stop(w, error);
	note_build(w, b, reverted, v, (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC);
	return v;
}

static enum regress_verdict build_mixture(struct regress_oracle *o, const GArray *reverted)
{
	struct workshop *w = (struct workshop *)o;
	enum regress_verdict v = REGRESS_STOPPED;
	struct known *k;
	struct bench *b;

	g_mutex_lock(&w->lock);
	k = workshop_known(w, reverted);
	b = !k->is_built && workshop_goes_on(w) ? take_bench(w, reverted) : NULL;
	if (k->is_built)
		v = k->build;
	g_mutex_unlock(&w->lock);
	if (!b)
		return v;
	v = workshop_stand(w, b, reverted);
	workshop_give(w, b);
	if (v == REGRESS_BROKEN)
		workshop_say(w, reverted, "does not compile");
	return v;
}

void workshop_give(struct workshop *w, struct bench *b)
{
	g_mutex_lock(&w->lock);
	b->busy = false;
	g_cond_broadcast(&w->freed);
	g_mutex_unlock(&w->lock);
}

struct bench *workshop_take(struct workshop *w, const GArray *reverted)
{
	struct bench *b;

	g_mutex_lock(&w->lock);
	b = workshop_goes_on(w) ? take_bench(w, reverted) : NULL;
	g_mutex_unlock(&w->lock);
	return b;
}

/* One item after the other, of those that are shared by the threads. */
struct crew {
	bool (*try)(void *item);
	void *const *items;
	guint n;
	int next, found; /* atomic */
};

static void *work_on_items(void *arg)
{
	struct crew *c = arg;

	for (;;) {
		int i = g_atomic_int_get(&c->found) ? (int)c->n : g_atomic_int_add(&c->next, 1);

		if (i >= (int)c->n)
			return NULL;
		if (c->try(c->items[i]))
			g_atomic_int_set(&c->found, 1);
	}
}

static bool each_item(struct regress_oracle *o, bool (*try)(void *item), void *const *items,
		      guint n)
{
	struct workshop *w = (struct workshop *)o;
	struct crew crew = { .try = try, .items = items, .n = n };
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	for (guint i = 0; i < MIN(MAX(w->o->jobs, 1), n); i++)
		g_ptr_array_add(threads, g_thread_new("build", work_on_items, &crew));
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(g_ptr_array_index(threads, i));
	return crew.found != 0;
}

static char *compiler_complaint(struct regress_oracle *o, const GArray *reverted)
{
	struct workshop *w = (struct workshop *)o;
	char *text;

	g_mutex_lock(&w->lock);
	text = g_strdup(workshop_known(w, reverted)->log);
	g_mutex_unlock(&w->lock);
	return text;
}

static void add_bench(struct workshop *w, unsigned number)
{
	g_autofree char *name = g_strdup_printf("bench%u", number);
	g_autofree char *log = g_strconcat(name, ".log", NULL);

	g_ptr_array_add(w->benches, bench_new(g_build_filename(w->o->folder, name, NULL),
					      g_build_filename(w->o->folder, log, NULL)));
}

static bool is_path_in_or_at(const char *path, const char *folder)
{
	gsize n = strlen(folder);

	return g_str_has_prefix(path, folder) && (path[n] == '/' || !path[n]);
}

/* Copies are built under the name of the version itself, where that is possible: files of it may
 * hold its name. */
static void find_view(struct workshop *w)
{
	const char *newer = w->o->versions->new_folder, *old = w->o->versions->old_folder;
	struct view view = { w->o->folder, { newer, NULL } };

	if (!is_path_in_or_at(newer, old) && !is_path_in_or_at(old, newer))
		view.onto[1] = old;
	if (view_is_possible(&view))
		w->view = view;
}

const char *workshop_place(const struct workshop *w, const char *bench, struct view *view)
{
	*view = w->view;
	view->folder = bench;
	return view->onto[0] ? view->onto[0] : bench;
}

/* A path below `from' becomes the same path below `to'; other paths stay as they are. */
static char *moved_path(const char *path, const char *from, const char *to)
{
	return is_path_in_or_at(path, from) ? g_strconcat(to, path + strlen(from), NULL)
					    : g_strdup(path);
}

char *workshop_name(const struct workshop *w, const char *folder, const char *path)
{
	struct view view;

	return moved_path(path, folder, workshop_place(w, folder, &view));
}

char *workshop_copy_of(const struct workshop *w, const char *folder, const char *path)
{
	return moved_path(path, w->o->versions->new_folder, folder);
}

struct workshop *workshop_new(const struct workshop_options *o)
{
	struct workshop *w = g_new0(struct workshop, 1);

	w->oracle = (struct regress_oracle){ build_mixture, workshop_test, compiler_complaint,
					     each_item };
	w->o = o;
	w->dependents = dependents_new(o->versions->new_folder);
	w->benches = g_ptr_array_new_with_free_func(bench_free);
	w->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_known);
	g_mutex_init(&w->lock);
	g_cond_init(&w->freed);
	write_site(w);
	for (unsigned i = 0; i < MAX(o->jobs, FEWEST_BENCHES); i++)
		add_bench(w, i);
	find_view(w);
	w->plan = (struct bench_plan){ o->versions, w->dependents, !w->view.onto[0], 0, NULL };
	return w;
}

void workshop_free(struct workshop *w)
{
	if (!w)
		return;
	workshop_hide_progress(w);
	dependents_free(w->dependents);
	g_clear_pointer(&w->expected, g_bytes_unref);
	g_free(w->plan.example);
	g_ptr_array_unref(w->benches);
	g_hash_table_unref(w->known);
	g_mutex_clear(&w->lock);
	g_cond_clear(&w->freed);
	g_clear_error(&w->error);
	g_free(w);
}

struct regress_oracle *workshop_oracle(struct workshop *w)
{
	return &w->oracle;
}

/* Not "GEN error.h". */
static bool is_build_error(const char *line)
{
	static const char *const signs[] = { "error:",	     "Error:",	  "undefined reference",
					     "syntax error", "not found", " Error ",
					     "***" };

	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strstr(line, signs[i]))
			return true;
	return false;
}

char *workshop_first_error(struct workshop *w, const GArray *reverted)
{
	g_autofree char *log = compiler_complaint(&w->oracle, reverted);
	g_auto(GStrv) lines = g_strsplit(log ? log : "", "\n", -1);
	char *last = NULL;

	for (char **line = lines; *line; line++) {
		if (is_build_error(*line))
			return g_strdup(g_strstrip(*line));
		if (**line)
			last = *line;
	}
	return last ? g_strdup(g_strstrip(last)) : NULL;
}

char *workshop_left_out(struct workshop *w)
{
	char *example;

	g_mutex_lock(&w->lock);
	example = g_strdup(w->plan.example);
	g_mutex_unlock(&w->lock);
	return example;
}

const struct limits *workshop_limits(const struct workshop *w)
{
	return w->o->limits;
}

const GError *workshop_error(const struct workshop *w)
{
	return w->error;
}

bool workshop_out_of_time(const struct workshop *w)
{
	return w->late;
}

bool workshop_is_flaky(const struct workshop *w)
{
	return w->flaky;
}

bool workshop_lend(struct workshop *w, const GArray *reverted,
		   void (*use)(const char *folder, void *arg), void *arg)
{
	struct bench *b = workshop_take(w, reverted);
	bool stands = b && workshop_stand(w, b, reverted) == REGRESS_PASSES;

	if (stands)
		use(b->folder, arg);
	if (b)
		workshop_give(w, b);
	return stands;
}

void workshop_stats(const struct workshop *w, struct workshop_stats *stats)
{
	*stats = w->stats;
}
