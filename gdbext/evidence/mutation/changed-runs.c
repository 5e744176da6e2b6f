/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a suite's tests with changed code: a process for each test, from which the runs are
 * forked, how long they may take, and how they came out. */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/server/late-servers.h"

#include <inttypes.h>

void servers_init(struct servers *s)
{
	s->base = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	s->of = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)replay_server_free);
	s->outcomes = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					    (GDestroyNotify)g_bytes_unref, NULL);
	g_queue_init(&s->order);
}

void servers_deinit(struct servers *s)
{
	g_array_unref(s->base);
	g_hash_table_destroy(s->of);
	g_hash_table_destroy(s->outcomes);
	g_queue_clear(&s->order);
}

void servers_forget(struct servers *s)
{
	g_queue_clear(&s->order);
	g_hash_table_remove_all(s->of);
	g_hash_table_remove_all(s->outcomes);
}

static void end_server_of_test(struct servers *all, const struct neighbour *t)
{
	g_queue_remove(&all->order, t);
	g_hash_table_remove(all->of, t);
}

/* ---- how long a run may take ---- */

/* Tests of a suite take different times, of which few are measured. */
static bool has_one_test(const struct mutation *m)
{
	return m->tests->failing->len + m->tests->passing->len == 1;
}

static uint64_t longest_run(const struct mutation *m, uint64_t plain)
{
	const struct limits *l = m->limits;
	uint64_t us = l->mutant_cpu_times * plain;

	if (has_one_test(m))
		us = l->slip_cpu_times * plain + l->slip_more_cpu_us;
	else
		us = MAX(us,
			 m->tests->passing->len ? l->mutant_least_cpu_us : l->mutant_slow_cpu_us);
	return MIN(us, l->mutant_first_cpu_us);
}

static uint64_t time_of(const struct mutation *m, const struct neighbour *t)
{
	gpointer own = g_hash_table_lookup(m->slow, t);

	return own ? GPOINTER_TO_SIZE(own) : m->cpu_us;
}

/* ---- one run ---- */

/* Gives the process that runs the test with changes.  When there are too many of them, an old one
 * is ended. */
static struct replay_server *server_of(struct mutation *m, struct servers *all,
				       const struct neighbour *t)
{
	const struct trace_action *base = (const struct trace_action *)(void *)all->base->data;
	struct replay_server *s = g_hash_table_lookup(all->of, t);
	const struct expected_output *expected;

	if (s)
		return s;
	if (!neighbours_expected(m->tests, t, &expected) ||
	    !replay_turn_to(m->replay, t->command.argv, t->command.stdin_file, NULL) ||
	    !(s = replay_server_new(m->replay, base, all->base->len, NULL)))
		return NULL;
	m->started++;
	if (g_queue_get_length(&all->order) >= m->limits->mutant_servers)
		g_hash_table_remove(all->of, g_queue_pop_head(&all->order));
	replay_server_expect(s, expected);
	g_queue_push_tail(&all->order, (gpointer)t);
	g_hash_table_insert(all->of, (gpointer)t, s);
	return s;
}

/* *took, most: microseconds.  False: there is no such run. */
static bool run_in_server(struct replay_server *s, const GArray *changes, uint64_t most,
			  bool *passed, uint64_t *took)
{
	return s && replay_server_run(s, (const struct trace_action *)(const void *)changes->data,
				      changes->len, most, passed, took, NULL);
}

static bool run_changed_test(struct mutation *m, struct servers *all, const struct neighbour *t,
			     const GArray *changes, uint64_t most, bool *passed, uint64_t *took)
{
	struct replay_server *s = server_of(m, all, t);

	if (!s || run_in_server(s, changes, most, passed, took))
		return s;
	/* it may have been ended with a run that took too long */
	end_server_of_test(all, t);
	return run_in_server(server_of(m, all, t), changes, most, passed, took);
}

/* Was the run cut because the test takes longer than those that were measured?  Then it gets more
 * time from now on.  That is found out once, by a run without a change. */
static bool gets_more_time(struct mutation *m, const struct neighbour *t)
{
	const uint64_t more = m->limits->mutant_slow_cpu_us;
	uint64_t took = 0;
	bool passed, slow;

	if (more <= m->cpu_us || t->hangs || g_hash_table_contains(m->slow, t))
		return false;
	slow = run_changed_test(m, &m->plain, t, m->none, m->cpu_us, &passed, &took) &&
	       took >= m->cpu_us / 2;
	g_hash_table_insert(m->slow, (gpointer)t, GSIZE_TO_POINTER(slow ? more : m->cpu_us));
	return slow;
}

/* Does the test still come to the check that failed, within the time of such a run?  There, the
 * probe makes it fail.  A changed loop often keeps it from that for ever. */
static bool comes_to_check(struct mutation *m, const struct neighbour *t, const GArray *changes)
{
	const uint64_t most = time_of(m, t);
	uint64_t took = 0;
	bool passed;

	return !m->probed.base->len ||
	       !run_changed_test(m, &m->probed, t, changes, most, &passed, &took) || took < most;
}

/* A test that fails early takes much longer once it passes.  Most runs that do not end in time
 * are endless, so only some are made again, and few of those once more: *left, microseconds. */
static bool run_longer(struct mutation *m, struct servers *all, const struct neighbour *t,
		       const GArray *changes, bool is_stuck, uint64_t most, uint64_t *left,
		       bool *passed)
{
	uint64_t took = 0;

	most = MIN(most, m->limits->mutant_first_cpu_us);
	if (!run_changed_test(m, all, t, changes, most, passed, &took))
		return false;
	/* one that ends late and fails says nothing of how long a right one takes */
	if (!*passed)
		*left -= MIN(took, *left);
	else if (2 * took > time_of(m, t))
		g_hash_table_insert(m->slow, (gpointer)t, GSIZE_TO_POINTER(MIN(2 * took, most)));
	m->is_cut = took >= most && left != &m->longest_us && m->fails_early && !m->longest_us;
	if (took < most || left == &m->longest_us || !m->longest_us || is_stuck)
		return true;
	return run_longer(m, all, t, changes, false, most * m->limits->slip_longer_times,
			  &m->longest_us, passed);
}

/* It was cut.  One that is stuck before the check waits while others do, or gets longer once. */
static bool go_on_with_cut_run(struct mutation *m, struct servers *all, const struct neighbour *t,
			       const GArray *changes, bool is_stuck, bool *passed)
{
	if (is_stuck && m->postpones) {
		m->postponed++;
		m->is_cut = true;
		return true;
	}
	return run_longer(m, all, t, changes, is_stuck,
			  m->limits->slip_longer_times * time_of(m, t), &m->longer_us, passed);
}

/* ---- runs that start late ---- */

/* Where the first of the instructions is executed that a change of code overwrites; .step
 * UINT64_MAX = none is.  False: what is changed is data. */
static bool first_changed(const struct mutation *m, const struct trace_action *a,
			  struct late_place *place)
{
	size_t n;
	const struct image *im = replay_images(m->replay, &n)[0];

	*place = (struct late_place){ a->module, 0, UINT64_MAX };
	if (a->module || !image_insn_at(im, a->addr))
		return false;
	for (uint64_t addr = a->addr; addr < a->addr + a->where; addr++) {
		const uint64_t step =
			image_insn_at(im, addr) ? m->first(m->first_arg, addr) : UINT64_MAX;

		if (step < place->step)
			*place = (struct late_place){ a->module, addr, step };
	}
	return true;
}

/* Until there, a run with these changes does the same as one without. */
static bool find_late_place(const struct mutation *m, const GArray *changes,
			    struct late_place *place)
{
	*place = (struct late_place){ .step = UINT64_MAX };
	for (guint i = 0; i < changes->len; i++) {
		const struct trace_action *a = &g_array_index(changes, struct trace_action, i);
		struct late_place here;

		if (a->kind == TRACE_ACTION_CODE_MORE || a->kind == TRACE_ACTION_CODE_LINK)
			continue;
		if (a->kind != TRACE_ACTION_CODE || !first_changed(m, a, &here))
			return false;
		if (here.step < place->step)
			*place = here;
	}
	return place->step != UINT64_MAX;
}

static struct late_servers *late_servers_of(struct mutation *m, const struct neighbour *t)
{
	const struct expected_output *expected;

	if (!m->late && neighbours_expected(m->tests, t, &expected))
		m->late = late_servers_new(m->replay, t->command.argv, t->command.stdin_file,
					   expected, m->instructions, m->limits);
	return m->late;
}

static enum late_outcome run_late(struct mutation *m, const struct neighbour *t,
				  const GArray *changes)
{
	struct late_place place;

	if (!m->first || !has_one_test(m) || m->endless_us || t->hangs ||
	    m->instructions < m->limits->late_start_insns || !find_late_place(m, changes, &place) ||
	    !late_servers_of(m, t))
		return LATE_NONE;
	return late_servers_run(m->late, &place,
				(const struct trace_action *)(const void *)changes->data,
				changes->len, time_of(m, t));
}

/* ---- all of them ---- */

static GBytes *key_of_run(const struct neighbour *t, const GArray *changes)
{
	g_autoptr(GByteArray) key = g_byte_array_new();

	g_byte_array_append(key, (const guint8 *)&t, sizeof t);
	g_byte_array_append(key, (const guint8 *)changes->data,
			    changes->len * (guint)sizeof(struct trace_action));
	return g_byte_array_free_to_bytes(g_steal_pointer(&key));
}

static bool make_run(struct mutation *m, struct servers *all, const struct neighbour *t,
		     const GArray *changes, GBytes *key, bool *passed)
{
	bool is_stuck = g_hash_table_contains(m->stuck, key);
	enum late_outcome late;
	uint64_t took = 0;

	*passed = m->is_cut = false;
	if (!replay_check_interrupt(NULL) || changes->len > TRACE_MOST_SERVED)
		return false;
	if (is_stuck && m->longer_us)
		return go_on_with_cut_run(m, all, t, changes, true, passed);
	late = all == &m->plain ? run_late(m, t, changes) : LATE_NONE;
	if (late == LATE_FAILS)
		return true;
	/* what passes is run from the start as well */
	if (late != LATE_CUT && !run_changed_test(m, all, t, changes, time_of(m, t), passed, &took))
		return false;
	if (late != LATE_CUT && (*passed || took < time_of(m, t)))
		return true;
	if (m->longer_us) {
		is_stuck = all == &m->plain && !comes_to_check(m, t, changes);
		if (is_stuck) {
			g_debug("a changed run does not come to the failed check");
			g_hash_table_add(m->stuck, g_bytes_ref(key));
		}
		return go_on_with_cut_run(m, all, t, changes, is_stuck, passed);
	}
	m->is_cut = m->fails_early;
	return !gets_more_time(m, t) ||
	       run_changed_test(m, all, t, changes, time_of(m, t), passed, &took);
}

bool mutation_passes(struct mutation *m, struct servers *all, const struct neighbour *t,
		     const GArray *changes)
{
	g_autoptr(GBytes) key = key_of_run(t, changes);
	gpointer known;
	bool passed;

	m->runs++; /* one that is known, too, so that the same changes are tried in any case */
	if (g_hash_table_lookup_extended(all->outcomes, key, NULL, &known))
		return GPOINTER_TO_INT(known);
	if (make_run(m, all, t, changes, key, &passed) && !m->is_cut)
		g_hash_table_insert(all->outcomes, g_steal_pointer(&key), GINT_TO_POINTER(passed));
	return passed;
}

GArray *mutation_notes(struct mutation *m, const struct neighbour *t, const GArray *changes,
		       unsigned *n_values)
{
	struct replay_server *s;
	bool all = false, passed;
	uint64_t took = 0;
	GArray *notes;

	m->runs++;
	/* from the start: a run that starts late notes nothing here */
	if (!replay_check_interrupt(NULL) || changes->len > TRACE_MOST_SERVED ||
	    !run_changed_test(m, &m->plain, t, changes, time_of(m, t), &passed, &took))
		return NULL;
	s = g_hash_table_lookup(m->plain.of, t);
	notes = s ? replay_server_notes(s, n_values, &all) : NULL;
	if (!all)
		g_clear_pointer(&notes, g_array_unref);
	return notes;
}

/* ---- what is measured ---- */

/* The shortest of some runs of the test without a change, microseconds. */
static uint64_t measure_test(struct mutation *m, const struct neighbour *t)
{
	uint64_t least = m->cpu_us;

	for (uint64_t i = 0; i < m->limits->mutant_measures; i++) {
		uint64_t took = least;
		bool passed;

		if (run_in_server(server_of(m, &m->plain, t), m->none, m->cpu_us, &passed, &took))
			least = MIN(least, took);
		if (least >= m->cpu_us / 2) /* and so it would be the next time */
			break;
	}
	return least;
}

/* A failing test may end early, and take longer once it is mended, as passing ones do.  One that
 * does not end tells nothing of how long it takes then.  0: nobody knows. */
static uint64_t measure_usual_run(struct mutation *m)
{
	const GPtrArray *failing = m->tests->failing, *passing = m->tests->passing;
	const struct neighbour *first = failing->len ? failing->pdata[0] : NULL;
	uint64_t least = first && !first->hangs ? measure_test(m, first) : 0;

	if (passing->len && least < m->cpu_us / 2)
		least = MAX(least, measure_test(m, passing->pdata[0]));
	return least;
}

void mutation_measure_runs(struct mutation *m)
{
	const struct limits *l = m->limits;
	uint64_t least;

	m->cpu_us = l->mutant_first_cpu_us;
	least = m->endless_us ? m->endless_us : measure_usual_run(m);
	/* it does not end by itself, and most of its mutants do not either */
	if (!least || least >= m->cpu_us / 2)
		least = m->cpu_us = l->mutant_slow_cpu_us;
	else
		m->cpu_us = longest_run(m, least);
	m->longer_us = has_one_test(m) ? l->slip_longer_us : 0;
	m->longest_us = has_one_test(m) && m->fails_early ? l->slip_longest_us : 0;
	mutation_allow_time(m, l->mutant_all_us);
	g_debug("a run takes %" G_GUINT64_FORMAT " us, and a changed one %" G_GUINT64_FORMAT
		" at most",
		least, m->cpu_us);
	servers_forget(&m->plain);
}
