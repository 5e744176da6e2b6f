/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/transfer.h"

#include "gdbext/replay/interrupt.h"

#include <string.h>

struct change {
	const struct explanation_suspect *of; /* not owned */
	unsigned misses;		      /* tests in a row that it did not mend */
};

/* Changes of the same lines, that which mended a test most lately first. */
struct group {
	char *lines;
	GArray *changes; /* struct change */
	bool tried;	 /* in the test at hand */
};

struct transfer {
	const struct limits *limits;
	GPtrArray *groups; /* struct group */
	uint64_t max_insns;
	unsigned runs;
};

/* A test at hand. */
struct attempt {
	struct transfer *x;
	const struct joint *joint;
	struct replay *replay;
	const struct transfer_test *test;
	struct explanation *e;
	unsigned runs;
};

static void group_free(gpointer p)
{
	struct group *g = p;

	g_free(g->lines);
	g_array_unref(g->changes);
	g_free(g);
}

struct transfer *transfer_new(const struct limits *limits)
{
	struct transfer *x = g_new0(struct transfer, 1);

	x->limits = limits;
	x->max_insns = limits->run_insns;
	x->groups = g_ptr_array_new_with_free_func(group_free);
	return x;
}

void transfer_free(struct transfer *x)
{
	if (x)
		g_ptr_array_unref(x->groups);
	g_free(x);
}

unsigned transfer_runs(const struct transfer *x)
{
	return x->runs;
}

static gint compare_words(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines that it changes, as a word. */
static char *lines_of(const struct explanation_suspect *s)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		char *word = g_strdup_printf("%s:%u", st->file, st->line);

		if (g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL))
			g_free(word);
		else
			g_ptr_array_add(words, word);
	}
	g_ptr_array_sort(words, compare_words);
	g_ptr_array_add(words, NULL);
	return g_strjoinv(" ", (char **)words->pdata);
}

static struct group *group_of(struct transfer *x, const struct explanation_suspect *s)
{
	g_autofree char *lines = lines_of(s);
	struct group *g;

	for (guint i = 0; i < x->groups->len; i++) {
		g = x->groups->pdata[i];
		if (strcmp(g->lines, lines) == 0)
			return g;
	}
	g = g_new0(struct group, 1);
	g->lines = g_steal_pointer(&lines);
	g->changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	g_ptr_array_add(x->groups, g);
	return g;
}

static bool is_the_same(const GArray *a, const GArray *b)
{
	return a->len == b->len &&
	       !memcmp(a->data, b->data, a->len * g_array_get_element_size((GArray *)a));
}

static void move_to_front(GArray *changes, guint i)
{
	struct change c = g_array_index(changes, struct change, i);

	g_array_remove_index(changes, i);
	g_array_prepend_val(changes, c);
}

/* It has mended a test just now. */
static void note_change(struct group *g, const struct explanation_suspect *s)
{
	struct change c = { .of = s };

	for (guint i = 0; i < g->changes->len; i++)
		if (is_the_same(g_array_index(g->changes, struct change, i).of->actions,
				s->actions)) {
			g_array_index(g->changes, struct change, i).misses = 0;
			move_to_front(g->changes, i);
			return;
		}
	g_array_prepend_val(g->changes, c);
}

void transfer_note(struct transfer *x, const struct explanation *e)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES && s->actions && s->actions->len)
			note_change(group_of(x, s), s);
	}
	x->max_insns = MAX(x->max_insns, x->limits->run_insns + x->limits->run_insns_times *
									e->stats.instructions);
}

/* ---- runs ---- */

/* Does the test pass with these actions?  NULL: with none.  All runs but for their first
 * instruction are from one process; no action is about that, which begins main(). */
static bool passes(struct attempt *a, const GArray *actions)
{
	const struct run_request request = {
		.actions = actions ? (const void *)actions->data : NULL,
		.n_actions = actions ? actions->len : 0,
		.max_insns = a->x->max_insns,
		.from = 1,
		.repeats = true,
	};
	const struct expected_output *expected = a->test->expected;
	struct runner *runner = replay_runner(a->replay);
	struct run_result result = { 0 };
	bool passed;

	a->runs++;
	a->x->runs++;
	if (!runner->run(runner, &request, &result, NULL))
		return false;
	passed = expected ? expected_look_at_run(expected, result.record, result.end, result.status)
				    .met
			  : result.end == RUN_PASSED;
	run_result_clear(&result);
	return passed;
}

/* The suspect in another explanation; its strings stay where they are. */
static struct explanation_suspect *copy_of(const struct explanation_suspect *from)
{
	struct explanation_suspect *s = explanation_suspect_new();

	s->replay = REPLAY_PASSES;
	s->score = from->score;
	s->weight = from->weight;
	s->tests = 1;
	s->size = from->size;
	s->needs_run = from->needs_run;
	s->unchecked = from->unchecked;
	g_array_append_vals(s->statements, from->statements->data, from->statements->len);
	return s;
}

void transfer_add(struct explanation *to, const struct explanation *from)
{
	for (guint i = 0; i < from->suspects->len; i++) {
		const struct explanation_suspect *s = from->suspects->pdata[i];

		if (s->replay == REPLAY_PASSES)
			g_ptr_array_add(to->suspects, copy_of(s));
	}
}

/* Does one of the group's changes mend the test?  What has mended none for long is passed over. */
static bool group_mends(struct attempt *a, struct group *g)
{
	const struct limits *limits = a->x->limits;
	guint tried = 0;

	g->tried = true;
	for (guint i = 0; i < g->changes->len && tried < limits->joint_changes; i++) {
		struct change *c = &g_array_index(g->changes, struct change, i);

		if (a->runs >= limits->joint_runs)
			break;
		if (c->misses >= limits->joint_misses)
			continue;
		tried++;
		if (!passes(a, c->of->actions)) {
			c->misses++;
			continue;
		}
		c->misses = 0;
		g_ptr_array_add(a->e->suspects, copy_of(c->of));
		move_to_front(g->changes, i);
		return true;
	}
	return false;
}

/* Tries what is part of the set, until something mends the test. */
static void try_set(struct attempt *a, unsigned set)
{
	const GPtrArray *groups = a->x->groups;
	bool mended = joint_is_explained(a->joint, set, a->e);

	for (guint i = 0; !mended && i < groups->len; i++) {
		struct group *g = groups->pdata[i];

		mended = !g->tried &&
			 joint_includes(a->joint, set,
					g_array_index(g->changes, struct change, 0).of) &&
			 group_mends(a, g);
	}
}

static void forget_attempt(struct transfer *x)
{
	for (guint i = 0; i < x->groups->len; i++)
		((struct group *)x->groups->pdata[i])->tried = false;
}

/* False with *error when it was interrupted. */
static bool try_sets(struct attempt *a, GError **error)
{
	unsigned n = joint_sets(a->joint);

	for (unsigned i = 0; i < n && a->runs < a->x->limits->joint_runs; i++) {
		if (!replay_check_interrupt(error))
			return false;
		try_set(a, i);
	}
	return true;
}

struct explanation *transfer_try(struct transfer *x, const struct joint *j, struct replay *replay,
				 const struct transfer_test *test, GError **error)
{
	struct attempt a = { .x = x, .joint = j, .replay = replay, .test = test };

	if (!replay_turn_to(replay, test->argv, test->stdin_file, NULL) || passes(&a, NULL))
		return NULL;
	a.e = explanation_new();
	forget_attempt(x);
	if (!try_sets(&a, error))
		g_clear_pointer(&a.e, explanation_free);
	return a.e;
}
