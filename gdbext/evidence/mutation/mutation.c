/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/mutation/mutation-private.h"

#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/server/late-servers.h"
#include "solver/rank/units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const struct image *mutation_image(const struct mutation *m)
{
	size_t n;

	return replay_images(m->replay, &n)[0];
}

const struct image_statement *mutation_statement(const struct mutation *m, uint64_t addr)
{
	const struct image_row *row = image_row_at(mutation_image(m), addr);

	return row ? image_statement(mutation_image(m), row->statement) : NULL;
}

struct mutation *mutation_new(struct replay *replay, const struct neighbours *tests,
			      const char *file, unsigned line, uint64_t instructions,
			      const struct limits *limits)
{
	struct mutation *m = g_new0(struct mutation, 1);
	struct trace_action none = { .kind = TRACE_ACTION_CODE };
	const struct trace_insn *insns;
	size_t n;
	const struct image *im = replay_images(replay, &n)[0];

	m->limits = limits;
	m->replay = replay;
	m->tests = tests;
	m->mutator = mutator_new(im, limits);
	m->words = g_string_chunk_new(256);
	m->terms = term_words_new(im, limits);
	m->last_place = g_new0(struct place_told, 1);
	m->guarded = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	m->file = file;
	m->line = line;
	m->deadline = G_MAXINT64;
	m->instructions = instructions;
	m->run_us = instructions / limits->instructions_a_us + limits->mutant_fork_us;
	m->vacuous = UNIT_NONE;
	m->least = INFINITY;
	if (image_insns(im, &insns))
		none.addr = insns[0].addr;
	m->none = g_array_new(FALSE, FALSE, sizeof none);
	m->refuted = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					   (GDestroyNotify)g_bytes_unref, NULL);
	m->ordered = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_array_unref);
	g_array_append_val(m->none, none);
	m->failing = g_ptr_array_new();
	m->checked = g_ptr_array_new();
	m->named = g_array_new(FALSE, FALSE, sizeof(unsigned));
	m->half = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					(GDestroyNotify)g_array_unref);
	m->lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					 (GDestroyNotify)g_array_unref);
	m->slow = g_hash_table_new(NULL, NULL);
	m->stuck = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref,
					 NULL);
	servers_init(&m->plain);
	servers_init(&m->probed);
	servers_init(&m->excused);
	return m;
}

void mutation_free(struct mutation *m)
{
	if (!m)
		return;
	mutator_free(m->mutator);
	g_string_chunk_free(m->words);
	term_words_free(m->terms);
	g_free(m->last_place->words);
	g_free(m->last_place);
	g_ptr_array_unref(m->guarded);
	servers_deinit(&m->plain);
	servers_deinit(&m->probed);
	servers_deinit(&m->excused);
	late_servers_free(m->late);
	g_hash_table_destroy(m->slow);
	g_hash_table_destroy(m->stuck);
	g_ptr_array_unref(m->failing);
	g_ptr_array_unref(m->checked);
	g_clear_pointer(&m->killers, g_ptr_array_unref);
	g_array_unref(m->none);
	g_hash_table_destroy(m->refuted);
	g_hash_table_destroy(m->ordered);
	g_array_unref(m->named);
	g_hash_table_destroy(m->half);
	g_hash_table_destroy(m->lines);
	g_free(m->spared);
	g_free(m);
}

static bool is_test_number_named(const struct mutation *m, unsigned number)
{
	for (guint i = 0; i < m->named->len; i++)
		if (g_array_index(m->named, unsigned, i) == number)
			return true;
	return false;
}

void mutation_name_line(struct mutation *m, const char *file, unsigned line)
{
	unsigned number = neighbours_line(m->tests, file, line);

	if (number != UNIT_NONE && !is_test_number_named(m, number))
		g_array_append_val(m->named, number);
}

bool mutation_is_check(const struct mutation *m, const char *file, unsigned line)
{
	return m->file && line == m->line && strcmp(file, m->file) == 0;
}

void mutation_until(struct mutation *m, gint64 deadline)
{
	m->deadline = deadline;
}

static GArray *actions_of(const struct mutant *mutant)
{
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	mutant_actions(mutant, actions);
	return actions;
}

bool mutation_mends(struct mutation *m, const struct neighbour *t, const GArray *changes)
{
	return mutation_passes(m, &m->plain, t, changes);
}

void mutation_allow_time(struct mutation *m, uint64_t us)
{
	m->most_runs = m->runs + MIN(m->limits->mutant_runs, us / MAX(m->run_us, 1));
}

void mutation_leave_time(struct mutation *m, uint64_t us)
{
	m->most_runs = MIN(m->most_runs, m->runs + us / MAX(m->run_us, 1));
}

static bool executes_line(const struct neighbour *t, unsigned line)
{
	return line == UNIT_NONE || t->lines[line];
}

bool mutation_is_spent(const struct mutation *m)
{
	if (m->runs > m->most_runs)
		limits_reached(m->limits, LIMIT_mutant_runs);
	return m->runs > m->most_runs || g_get_monotonic_time() > m->deadline;
}

/* A step that goes through n tests evenly spread, and comes to each of them (Weyl, 1916). */
static guint spreading_step(guint n)
{
	guint step = MAX((guint)(n * 0.618), 1), a, b;

	for (;; step++) {
		for (a = n, b = step; b;) {
			guint rest = a % b;

			a = b;
			b = rest;
		}
		if (a == 1)
			return step;
	}
}

/* The line's passing tests: the nearest ones, then some of the others.  Those are taken in an order
 * that is the same for each line, so that lines have most of them in common: each test that is run
 * needs a process of its own. */
static GPtrArray *passing_of(const struct mutation *m, unsigned line)
{
	const GPtrArray *all = m->tests->passing;
	GPtrArray *some = g_ptr_array_new();
	guint step = all->len ? spreading_step(all->len) : 1, near, at = 0;
	g_autoptr(GHashTable) taken = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < all->len && some->len < m->limits->mutant_near; i++)
		if (executes_line(all->pdata[i], line)) {
			g_ptr_array_add(some, all->pdata[i]);
			g_hash_table_add(taken, all->pdata[i]);
		}
	near = some->len;
	for (guint i = 0; i < all->len && some->len < near + m->limits->mutant_far; i++) {
		if (executes_line(all->pdata[at], line) &&
		    !g_hash_table_contains(taken, all->pdata[at]))
			g_ptr_array_add(some, all->pdata[at]);
		at = (guint)(((guint64)at + step) % all->len);
	}
	return some;
}

static void move_to_front(GPtrArray *tests, guint i)
{
	gpointer t = tests->pdata[i];

	memmove(tests->pdata + 1, tests->pdata, i * sizeof t);
	tests->pdata[0] = t;
}

bool mutation_mends_all(struct mutation *m, const struct trial *t, const GArray *changes,
			guint *mended)
{
	guint i = 0;

	while (i < t->failing->len && mutation_passes(m, &m->plain, t->failing->pdata[i], changes))
		i++;
	if (mended)
		*mended = i;
	if (i == t->failing->len)
		return i > 0;
	move_to_front(t->failing, i);
	return false;
}

bool mutation_breaks_more_than(struct mutation *m, const struct trial *t, const GArray *changes,
			       unsigned most, struct mutation_verdict *v)
{
	const guint vacuity_at =
		m->vacuous == t->line ? 0 : MIN((guint)m->limits->vacuity_after, t->passing->len);

	for (guint i = 0; i < t->passing->len; i++) {
		bool broken;

		if (i == vacuity_at && mutation_is_vacuous(m, t, changes))
			return true;
		broken = !mutation_passes(m, &m->plain, t->passing->pdata[i], changes);

		v->passing++;
		v->broken += broken;
		if (broken)
			move_to_front(t->passing, i);
		if (v->broken > most || mutation_is_spent(m))
			return true;
	}
	return vacuity_at == t->passing->len && mutation_is_vacuous(m, t, changes);
}

/* A failing test may pass here, for example because of the cage; it is left out. */
static void find_failing_with_mutation(struct mutation *m)
{
	for (guint i = 0; i < m->tests->failing->len; i++)
		if (!mutation_passes(m, &m->plain, m->tests->failing->pdata[i], m->none))
			g_ptr_array_add(m->failing, m->tests->failing->pdata[i]);
}

static bool is_constant_mutant(const struct mutant *m)
{
	return m->kind == MUTANT_CONSTANT && !m->also;
}

/* Where the right constant of an instruction may be near: the first one above the present one that
 * mends some tests, and the first one below it. */
static void note_seed(const struct trial *t, const struct mutant *with)
{
	for (guint i = 0; i < t->seeds->len; i++) {
		const struct mutant *s = &g_array_index(t->seeds, struct mutant, i);

		if (s->addr == with->addr && (s->to > s->from) == (with->to > with->from))
			return;
	}
	g_array_append_vals(t->seeds, with, 1);
}

bool mutation_try_mutant(struct mutation *m, const struct trial *t, const struct mutant *with,
			 struct mutation_verdict *best)
{
	g_autoptr(GArray) changes = actions_of(with);
	struct mutation_verdict v = { .best = *with, .failing = t->failing->len };
	unsigned most = with->kind == MUTANT_CONSTANT ? (unsigned)m->limits->mutant_broken : 0;
	guint mended;

	if (best->mended)
		most = MIN(most, best->broken - 1);
	if (!mutation_mends_all(m, t, changes, &mended)) {
		if (mended && is_constant_mutant(with))
			note_seed(t, with);
		return false;
	}
	if (mutation_breaks_more_than(m, t, changes, most, &v) ||
	    !mutation_is_still_checked(m, t->failing->pdata[0], changes)) {
		if (is_constant_mutant(with))
			note_seed(t, with);
		if (t->half && v.broken)
			g_array_append_val(t->half, *with);
		return false;
	}
	v.mended = v.failing;
	*best = v;
	return true;
}

bool mutation_verdict_is_clean(const struct mutation_verdict *v)
{
	return v->mended && !v->broken;
}

void mutation_trial_clear(struct trial *t)
{
	g_ptr_array_unref(t->failing);
	g_ptr_array_unref(t->passing);
	g_array_unref(t->seeds);
}

bool mutation_begin(struct mutation *m)
{
	if (m->cpu_us)
		return false;
	mutation_measure_runs(m);
	find_failing_with_mutation(m);
	return true;
}

static void begin_with_all(struct mutation *m)
{
	if (mutation_begin(m))
		mutation_find_checked(m);
}

static struct trial trial_of(const struct mutation *m, const char *file, unsigned line)
{
	struct trial t = { .line = neighbours_line(m->tests, file, line) };

	t.seeds = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	t.passing = passing_of(m, t.line);
	t.failing = g_ptr_array_copy(m->failing, NULL, NULL);
	return t;
}

static void say_judged(const struct mutation *m, unsigned line, unsigned before,
		       const struct mutation_verdict *v)
{
	g_debug("line %u: %u runs: kind %d, %ld -> %ld mends %u of %u, breaks %u of %u", line,
		m->runs - before, v->best.kind, (long)v->best.from, (long)v->best.to, v->mended,
		v->failing, v->broken, v->passing);
}

/* The best of these mutants of the line; half: struct trial's. */
static bool judge_mutants(struct mutation *m, const char *file, unsigned line,
			  const GArray *mutants, GArray *half, struct mutation_verdict *out,
			  GError **error)
{
	unsigned before = m->runs;
	struct trial t;
	bool ok = true;

	*out = (struct mutation_verdict){ 0 };
	begin_with_all(m);
	t = trial_of(m, file, line);
	t.half = half;
	for (guint i = 0; i < mutants->len; i++) {
		ok = replay_check_interrupt(error);
		if (!ok || mutation_is_spent(m) || mutation_verdict_is_clean(out))
			break;
		mutation_try_mutant(m, &t, &g_array_index(mutants, struct mutant, i), out);
	}
	if (ok)
		mutation_seek_constants(m, &t, out);
	mutation_trial_clear(&t);
	say_judged(m, line, before, out);
	return ok;
}

static GArray *half_of(struct mutation *m, const char *file, unsigned line)
{
	g_autofree char *key = mutation_line_key(file, line);
	GArray *half = g_hash_table_lookup(m->half, key);

	if (!half) {
		half = g_array_new(FALSE, FALSE, sizeof(struct mutant));
		g_hash_table_insert(m->half, g_steal_pointer(&key), half);
	}
	return half;
}

bool mutation_judge(struct mutation *m, const char *file, unsigned line, enum mutation_part part,
		    const GArray *hints, struct mutation_verdict *out, GError **error)
{
	g_autoptr(GArray) mutants = NULL;

	begin_with_all(m);
	mutants = mutation_part_mutants(m, file, line, part, hints);
	return judge_mutants(m, file, line, mutants, half_of(m, file, line), out, error);
}

void mutation_need_less(struct mutation *m, double effort)
{
	m->least = MIN(m->least, effort);
}

bool mutation_judge_inserted(struct mutation *m, const char *file, unsigned line, int64_t only,
			     struct mutation_verdict *out, GError **error)
{
	g_autoptr(GArray) mutants = mutator_insertions(m->mutator, file, line, only);

	return judge_mutants(m, file, line, mutants, NULL, out, error);
}

bool mutation_judge_data(struct mutation *m, const struct data_mutant *d,
			 struct mutation_verdict *out, GError **error)
{
	g_autoptr(GArray) mutants = g_array_new(FALSE, FALSE, sizeof(struct mutant));
	struct mutant made;

	if (mutation_data_mutant(m, d, &made))
		g_array_append_val(mutants, made);
	return judge_mutants(m, "", 0, mutants, NULL, out, error);
}

void mutation_allow(struct mutation *m, uint64_t runs)
{
	begin_with_all(m);
	m->most_runs = MAX(m->most_runs, m->runs + runs);
}

bool mutation_judge_guarded(struct mutation *m, const char *file, unsigned line,
			    struct mutation_verdict *out, GError **error)
{
	g_autofree char *key = mutation_line_key(file, line);
	const GArray *half = g_hash_table_lookup(m->half, key);
	unsigned before = m->runs;
	struct trial t;

	*out = (struct mutation_verdict){ 0 };
	if (!replay_check_interrupt(error))
		return false;
	if (!half)
		return true;
	t = trial_of(m, file, line);
	mutation_learn_guard(m, &t, half, file, line, out);
	mutation_trial_clear(&t);
	say_judged(m, line, before, out);
	return true;
}

unsigned mutation_processes(const struct mutation *m)
{
	return m->started;
}

unsigned mutation_runs(const struct mutation *m)
{
	return m->runs;
}
