/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/regress/workshop-private.h"
#include "gdbext/regress/process.h"
#include "gdbext/replay/interrupt.h"
#include "solver/regress/set.h"

#include <string.h>

/* So much of a build's log is looked at. */
enum { MOST_LOG = 1 << 20 };

static void free_known(void *pointer)
{
	struct known *k = pointer;

	g_free(k->log);
	g_free(k->ending);
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

/* A free bench, one that holds the set if there is one.  The lock is held. */
static struct bench *take_bench(struct workshop *w, const GArray *reverted)
{
	struct bench *found = NULL;

	while (!found) {
		for (guint i = 0; i < w->benches->len; i++) {
			struct bench *b = g_ptr_array_index(w->benches, i);

			if (b->busy)
				continue;
			if (!found || (b->built && regress_set_equal(b->built, reverted)))
				found = b;
		}
		if (!found)
			g_cond_wait(&w->freed, &w->lock);
	}
	found->busy = true;
	return found;
}

/* A `configure' that is run for each build finds its answers of the last time (Autoconf manual,
 * "Setting Site Defaults"), unless the user has site defaults. */
static char **remember_configure(const struct workshop *w, const struct bench *b, char **env)
{
	g_autofree char *site = g_build_filename(w->o->folder, "config.site", NULL);
	g_autofree char *cache = g_strconcat(b->folder, ".cache", NULL);

	if (g_environ_getenv(env, "CONFIG_SITE"))
		return env;
	env = g_environ_setenv(env, "CONFIG_SITE", site, TRUE);
	return g_environ_setenv(env, "GDB_WHY_CONFIGURE_CACHE", cache, TRUE);
}

static void write_site(const struct workshop *w)
{
	static const char text[] = "test \"$cache_file\" = /dev/null &&\n"
				   "\tcache_file=$GDB_WHY_CONFIGURE_CACHE\n";
	g_autofree char *site = g_build_filename(w->o->folder, "config.site", NULL);

	/* without it `configure' only takes longer */
	g_file_set_contents(site, text, -1, NULL);
}

static char **build_environment(void)
{
	static const char *const unwanted[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL",
						"MAKEOVERRIDES" };
	char **env = g_get_environ();

	for (size_t i = 0; i < G_N_ELEMENTS(unwanted); i++)
		env = g_environ_unsetenv(env, unwanted[i]);
	/* the search reads what the compiler says */
	return g_environ_setenv(env, "LC_ALL", "C", TRUE);
}

static char *read_log(const char *path)
{
	char *text = NULL;
	gsize size = 0;

	if (!g_file_get_contents(path, &text, &size, NULL))
		return NULL;
	if (size > MOST_LOG)
		text[MOST_LOG] = '\0';
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

/* Runs the build command in a bench that is ours. */
static enum regress_verdict run_build(struct workshop *w, struct bench *b, GError **error)
{
	g_auto(GStrv) env = remember_configure(w, b, build_environment());
	struct regress_process p = { .argv = (char *[]){ (char *)"sh", (char *)"-c",
							 (char *)w->o->build, NULL },
				     .envp = env,
				     .directory = b->folder,
				     .log = b->log,
				     .timeout = workshop_limited(w, w->o->build_timeout) };
	enum regress_end end;
	int number;

	if (!regress_process_run(&p, &end, &number, error))
		return REGRESS_STOPPED;
	if (end == REGRESS_CANCELLED)
		return REGRESS_STOPPED;
	return end == REGRESS_EXITED && !number ? REGRESS_PASSES : REGRESS_BROKEN;
}

static void note_build(struct workshop *w, struct bench *b, const GArray *reverted,
		       enum regress_verdict v, double seconds)
{
	struct known *k;

	g_mutex_lock(&w->lock);
	w->stats.builds++;
	w->stats.build_s += seconds;
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
			k->log = read_log(b->log);
		w->stats.failed_builds += v == REGRESS_BROKEN;
	}
	g_mutex_unlock(&w->lock);
}

enum regress_verdict workshop_stand(struct workshop *w, struct bench *b, const GArray *reverted)
{
	GError *error = NULL;
	enum regress_verdict v;
	gint64 start = g_get_monotonic_time();

	if (b->built && regress_set_equal(b->built, reverted))
		return REGRESS_PASSES;
	g_clear_pointer(&b->built, g_array_unref);
	if (!bench_turn_to(b, w->o->versions, w->includers, reverted, &error)) {
		workshop_stop(w, error);
		return REGRESS_STOPPED;
	}
	v = run_build(w, b, &error);
	if (error)
		workshop_stop(w, error);
	note_build(w, b, reverted, v, (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC);
	return v;
}

static void say(struct workshop *w, const GArray *reverted, const char *what)
{
	g_autofree char *error = NULL;

	if (!w->o->verbose)
		return;
	error = workshop_first_error(w, reverted);
	g_printerr("regress: %u of %u changes reverted: %s%s%s\n", reverted->len,
		   regress_changes_count(w->o->versions->changes), what, error ? ": " : "",
		   error ? error : "");
}

static enum regress_verdict build(struct regress_oracle *o, const GArray *reverted)
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
		say(w, reverted, "does not compile");
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

static void *work(void *arg)
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

static bool each(struct regress_oracle *o, bool (*try)(void *item), void *const *items, guint n)
{
	struct workshop *w = (struct workshop *)o;
	struct crew crew = { .try = try, .items = items, .n = n };
	g_autoptr(GPtrArray) threads = g_ptr_array_new();

	for (guint i = 0; i < MIN(w->benches->len, n); i++)
		g_ptr_array_add(threads, g_thread_new("build", work, &crew));
	for (guint i = 0; i < threads->len; i++)
		g_thread_join(g_ptr_array_index(threads, i));
	return crew.found != 0;
}

static char *complaint(struct regress_oracle *o, const GArray *reverted)
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

struct workshop *workshop_new(const struct workshop_options *o)
{
	struct workshop *w = g_new0(struct workshop, 1);

	w->oracle = (struct regress_oracle){ build, workshop_test, complaint, each };
	w->o = o;
	w->includers = includers_new(o->versions->new_folder);
	w->benches = g_ptr_array_new_with_free_func(bench_free);
	w->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_known);
	g_mutex_init(&w->lock);
	g_cond_init(&w->freed);
	write_site(w);
	for (unsigned i = 0; i < MAX(o->jobs, 1); i++)
		add_bench(w, i);
	return w;
}

void workshop_free(struct workshop *w)
{
	if (!w)
		return;
	includers_free(w->includers);
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

char *workshop_first_error(struct workshop *w, const GArray *reverted)
{
	g_autofree char *log = complaint(&w->oracle, reverted);
	g_auto(GStrv) lines = g_strsplit(log ? log : "", "\n", -1);
	char *last = NULL;

	for (char **line = lines; *line; line++) {
		if (strstr(*line, "error") || strstr(*line, "undefined reference"))
			return g_strdup(g_strstrip(*line));
		if (**line)
			last = *line;
	}
	return last ? g_strdup(g_strstrip(last)) : NULL;
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
