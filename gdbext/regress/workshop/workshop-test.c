/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the test, and what they say of a set of changes. */
#include "gdbext/regress/workshop/workshop-private.h"
#include "gdbext/regress/workshop/process.h"
#include "gdbext/replay/replay.h"
#include "solver/regress/answer.h"
#include "solver/regress/set.h"

/* 125 as for `git bisect run', and 127 as a shell says of a command that does not exist. */
enum { CANNOT_TELL = 125, NOT_FOUND = 127 };

static void start_test(struct workshop *w, const char *folder, char *const *envp, const char *out,
		       enum regress_end *end, int *number)
{
	struct view view;
	struct regress_process p = {
		.supervisor = w->o->supervisor,
		.argv = w->o->test
				? (char *[]){ (char *)"sh", (char *)"-c", (char *)w->o->test, NULL }
				: (char **)w->o->program,
		.envp = envp,
		.view = &view,
		.directory = workshop_place(w, folder, &view),
		.stdin_file = w->o->stdin_file,
		.out = out,
		.timeout = workshop_limited(w, w->o->test_timeout),
	};
	g_autoptr(GError) error = NULL;

	if (regress_process_run(&p, end, number, &error))
		return;
	/* a program that is not there is the version's fault: the test fails */
	*end = REGRESS_EXITED;
	*number = NOT_FOUND;
}

bool workshop_run_test(struct workshop *w, const char *folder, char *const *envp)
{
	enum regress_end end;
	int number;

	start_test(w, folder, envp, NULL, &end, &number);
	return end != REGRESS_CANCELLED;
}

static char *ending_of(const struct workshop *w, enum regress_end end, int number)
{
	if (end == REGRESS_TIMED_OUT)
		return g_strdup_printf("out of time after %g s", w->o->test_timeout);
	return end == REGRESS_SIGNALLED ? g_strdup(replay_signal_name(number))
					: g_strdup_printf("exit status %d", number);
}

static enum regress_verdict verdict_of_test(enum regress_end end, int number)
{
	if (end == REGRESS_CANCELLED)
		return REGRESS_STOPPED;
	if (end == REGRESS_EXITED && number == 0)
		return REGRESS_PASSES;
	return end == REGRESS_EXITED && number == CANNOT_TELL ? REGRESS_UNKNOWN : REGRESS_FAILS;
}

/* What a run printed may be wrong although its status is right.  The lock is held. */
static enum regress_verdict look_at_output(struct workshop *w, struct known *k, const char *out,
					   enum regress_verdict v)
{
	char *text = NULL;
	gsize size;
	GBytes *printed;

	if (!g_file_get_contents(out, &text, &size, NULL))
		return v;
	printed = g_bytes_new_take(text, size);
	k->varies |= k->output && !g_bytes_equal(k->output, printed);
	g_clear_pointer(&k->output, g_bytes_unref);
	k->output = printed;
	if (v != REGRESS_PASSES || !w->expected || g_bytes_equal(w->expected, printed))
		return v;
	g_free(k->ending);
	k->ending = g_strdup("it prints another text than the old version");
	return REGRESS_FAILS;
}

/* One run in a bench that is ours and holds the set. */
static enum regress_verdict run_test(struct workshop *w, struct bench *b, const GArray *reverted)
{
	g_auto(GStrv) env = g_get_environ();
	gint64 start = g_get_monotonic_time();
	enum regress_end end = REGRESS_CANCELLED;
	g_autofree char *out = g_strconcat(b->folder, ".out", NULL);
	enum regress_verdict v;
	struct known *k;
	int number = 0;

	start_test(w, b->folder, env, w->o->test ? NULL : out, &end, &number);
	v = verdict_of_test(end, number);
	g_mutex_lock(&w->lock);
	if (end == REGRESS_TIMED_OUT && !workshop_goes_on(w))
		v = REGRESS_STOPPED;
	w->stats.tests++;
	workshop_show_progress(w);
	w->stats.test_s += (double)(g_get_monotonic_time() - start) / G_USEC_PER_SEC;
	k = workshop_known(w, reverted);
	k->tests++;
	g_free(k->ending);
	k->ending = ending_of(w, end, number);
	if (!w->o->test)
		v = look_at_output(w, k, out, v);
	g_mutex_unlock(&w->lock);
	return v;
}

/* Once; what decides, a second time. */
static enum regress_verdict run_bench_tests(struct workshop *w, struct bench *b,
					    const GArray *reverted, bool twice)
{
	enum regress_verdict first = run_test(w, b, reverted), second;

	if (first == REGRESS_STOPPED || (first != REGRESS_PASSES && !twice))
		return first;
	second = run_test(w, b, reverted);
	if (second == first || second == REGRESS_STOPPED)
		return second;
	g_mutex_lock(&w->lock);
	w->flaky = true;
	g_mutex_unlock(&w->lock);
	return REGRESS_UNKNOWN;
}

static void note_verdict_of_set(struct workshop *w, const GArray *reverted, enum regress_verdict v)
{
	struct known *k;

	g_mutex_lock(&w->lock);
	k = workshop_known(w, reverted);
	k->is_tested = true;
	k->test = v;
	g_mutex_unlock(&w->lock);
}

/* Only a pass decides anything in the search, so only a pass is always seen twice. */
static enum regress_verdict test_set(struct workshop *w, const GArray *reverted, bool twice)
{
	enum regress_verdict v = REGRESS_STOPPED;
	struct known *k;
	struct bench *b;
	bool known;

	g_mutex_lock(&w->lock);
	k = workshop_known(w, reverted);
	known = k->is_tested && (!twice || k->tests > 1);
	if (known)
		v = k->test;
	else if (k->is_built && k->build == REGRESS_BROKEN) {
		v = REGRESS_BROKEN;
		known = true;
	}
	g_mutex_unlock(&w->lock);
	b = known ? NULL : workshop_take(w, reverted);
	if (!b)
		return v;
	v = workshop_stand(w, b, reverted);
	if (v == REGRESS_PASSES) {
		v = run_bench_tests(w, b, reverted, twice);
		if (v != REGRESS_STOPPED) {
			note_verdict_of_set(w, reverted, v);
			workshop_say(w, reverted, regress_verdict_name(v));
		}
	}
	workshop_give(w, b);
	return v;
}

enum regress_verdict workshop_test(struct regress_oracle *o, const GArray *reverted)
{
	return test_set((struct workshop *)o, reverted, false);
}

enum regress_verdict workshop_test_twice(struct workshop *w, const GArray *reverted)
{
	return test_set(w, reverted, true);
}

GBytes *workshop_expect_output(struct workshop *w, const GArray *right, const GArray *wrong)
{
	struct known *r, *x;

	g_mutex_lock(&w->lock);
	r = workshop_known(w, right);
	x = workshop_known(w, wrong);
	if (r->output && x->output && !r->varies && !x->varies &&
	    !g_bytes_equal(r->output, x->output)) {
		w->expected = g_bytes_ref(r->output);
		x->test = REGRESS_FAILS;
		g_free(x->ending);
		x->ending = g_strdup("it prints another text than the old version");
	}
	g_mutex_unlock(&w->lock);
	return w->expected;
}

char *workshop_ending(struct workshop *w, const GArray *reverted)
{
	char *ending;

	g_mutex_lock(&w->lock);
	ending = g_strdup(workshop_known(w, reverted)->ending);
	g_mutex_unlock(&w->lock);
	return ending;
}
