/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/consistency.h"

#include "gdbext/replay/folder.h"
#include "gdbext/replay/interrupt.h"
#include "solver/trace/operands.h"

#include <string.h>

/* A value that an explanation changes. */
struct change {
	char *line; /* consistency_key_of */
	struct trace_action action;
	GBytes *operands;
	uint64_t where; /* the statement's own store goes there */
	unsigned same;	/* passing tests in which each execution had this value */
	bool other;	/* there is a passing test in which one had another value */
};

/* An execution in a passing test. */
struct met {
	const struct neighbour *test;
	struct operand_instance instance; /* .operands is owned */
};

struct consistency {
	const struct limits *limits;
	const struct neighbours *tests;
	GArray *changes;	  /* struct change */
	GArray *met;		  /* struct met */
	GHashTable *contradicted; /* consistency_key_of a line → name of a passing test */
	struct lift *lift;
	unsigned runs;
};

static void consistent_change_clear(gpointer p)
{
	struct change *c = p;

	g_bytes_unref(c->operands);
	g_free(c->line);
}

static void met_clear(gpointer p)
{
	g_bytes_unref(((struct met *)p)->instance.operands);
}

struct consistency *consistency_new(const struct limits *limits)
{
	struct consistency *c = g_new0(struct consistency, 1);

	c->changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	c->met = g_array_new(FALSE, FALSE, sizeof(struct met));
	g_array_set_clear_func(c->changes, consistent_change_clear);
	g_array_set_clear_func(c->met, met_clear);
	c->contradicted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	c->lift = lift_new();
	c->limits = limits;
	return c;
}

void consistency_free(struct consistency *c)
{
	if (!c)
		return;
	g_array_unref(c->changes);
	g_array_unref(c->met);
	g_hash_table_destroy(c->contradicted);
	lift_free(c->lift);
	g_free(c);
}

unsigned consistency_runs(const struct consistency *c)
{
	return c->runs;
}

static const struct trace_action *suspect_action_at(const struct explanation_suspect *s, guint i)
{
	return &g_array_index(s->actions, struct trace_action, i);
}

static char *consistency_key_of(const char *file, unsigned line)
{
	return g_strdup_printf("%s:%u", file, line);
}

/* A proven change of the values of one line: its key, or NULL. */
static char *line_key_of_change(const struct explanation_suspect *s)
{
	const struct explanation_statement *st = NULL;

	if (s->replay != REPLAY_PASSES || s->size != 1 || !s->actions)
		return NULL;
	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *first = st;

		st = &g_array_index(s->statements, struct explanation_statement, i);
		if (first && (first->line != st->line || strcmp(first->file, st->file) != 0))
			return NULL;
	}
	return st ? consistency_key_of(st->file, st->line) : NULL;
}

/* The address in one run says nothing in another run, so values that look like one are left out. */
static bool is_comparable_action(const struct trace_action *a)
{
	uint64_t value = 0;

	memcpy(&value, a->value, sizeof value);
	return a->kind != TRACE_ACTION_JUMP && a->size <= sizeof value &&
	       (a->size < sizeof value || value < UINT32_MAX || value >= 1ull << 47);
}

static const struct operand_instance *instance_of(const GArray *all, const struct trace_action *a)
{
	for (guint i = 0; i < all->len; i++) {
		const struct operand_instance *o = &g_array_index(all, struct operand_instance, i);

		if (o->module == a->module && o->addr == a->addr && o->nth == a->nth)
			return o;
	}
	return NULL;
}

static void note_suspect(struct consistency *c, const struct explanation_suspect *s,
			 const GArray *instances)
{
	g_autofree char *line = line_key_of_change(s);

	if (!line)
		return;
	for (guint i = 0; i < s->actions->len && i < c->limits->consistency_changes; i++) {
		const struct trace_action *a = suspect_action_at(s, i);
		const struct operand_instance *o = instance_of(instances, a);
		struct change change = { .action = *a };

		if (!o || !is_comparable_action(a) ||
		    (a->kind == TRACE_ACTION_MEM && a->where != o->where))
			continue;
		change.line = g_strdup(line);
		change.operands = g_bytes_ref(o->operands);
		change.where = o->where;
		g_array_append_val(c->changes, change);
	}
}

static GArray *instances_in(struct consistency *c, struct image *const *images, size_t n_images,
			    const char *record, unsigned thread, const GArray *actions,
			    const struct deadline *until, GError **error)
{
	struct trace_run *run = trace_run_open(record, images, n_images, error);
	GArray *found = NULL;

	if (run)
		trace_run_end_at(run, until);
	if (run && trace_run_choose(run, thread, error))
		found = operands_of(run, c->lift,
				    (const struct trace_action *)(const void *)actions->data,
				    actions->len, c->limits->operand_executions, error);
	trace_run_free(run);
	return found;
}

bool consistency_note(struct consistency *c, const struct question *q, GError **error)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	g_autoptr(GArray) found = NULL;

	for (guint i = 0; i < q->e->suspects->len; i++) {
		const struct explanation_suspect *s = q->e->suspects->pdata[i];

		if (s->actions)
			g_array_append_vals(actions, s->actions->data, s->actions->len);
	}
	found = instances_in(c, q->run.images, q->run.n_images, q->run.failing.record,
			     q->run.failing.thread, actions, &q->until, error);
	for (guint i = 0; found && i < q->e->suspects->len; i++)
		note_suspect(c, q->e->suspects->pdata[i], found);
	return found;
}

static GArray *actions_of_all(const struct consistency *c)
{
	GArray *actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint i = 0; i < c->changes->len; i++)
		g_array_append_val(actions, g_array_index(c->changes, struct change, i).action);
	return actions;
}

static bool is_of_its_instruction(const struct change *change, const struct operand_instance *o)
{
	return o->module == change->action.module && o->addr == change->action.addr;
}

static bool has_these_operands(const struct change *change, const struct operand_instance *o)
{
	return is_of_its_instruction(change, o) && g_bytes_equal(o->operands, change->operands);
}

static bool has_its_value(const struct change *change, const struct operand_instance *o)
{
	const struct trace_action *a = &change->action;
	uint8_t own[sizeof o->value], changed[sizeof o->value];
	const unsigned size = MIN(a->size, sizeof own);

	memcpy(own, &o->value, sizeof own);
	for (unsigned i = 0; i < size; i++)
		changed[i] =
			a->kind == TRACE_ACTION_MEM ? trace_action_byte(a, i, own[i]) : a->value[i];
	return memcmp(changed, own, size) == 0;
}

/* found: in one passing test. */
static void note_values(struct consistency *c, const GArray *found)
{
	for (guint k = 0; k < c->changes->len; k++) {
		struct change *change = &g_array_index(c->changes, struct change, k);
		bool met = false;

		for (guint i = 0; i < found->len; i++) {
			const struct operand_instance *o =
				&g_array_index(found, struct operand_instance, i);

			if (!is_of_its_instruction(change, o))
				continue;
			met = true;
			change->other |= !has_its_value(change, o);
		}
		change->same += met;
	}
}

static bool is_wanted_operand(const struct consistency *c, const struct operand_instance *o)
{
	for (guint i = 0; i < c->changes->len; i++)
		if (has_these_operands(&g_array_index(c->changes, struct change, i), o))
			return true;
	return false;
}

static void note_met(struct consistency *c, const struct neighbour *test, const GArray *found)
{
	for (guint i = 0; i < found->len; i++) {
		struct met m = { test, g_array_index(found, struct operand_instance, i) };

		if (!is_wanted_operand(c, &m.instance))
			continue;
		g_bytes_ref(m.instance.operands);
		g_array_append_val(c->met, m);
	}
}

static bool neighbour_has_passed(const struct consistency *c, const struct neighbour *test,
				 const struct run_result *result)
{
	const struct expected_output *expected;

	if (!neighbours_expected(c->tests, test, &expected))
		return false;
	if (!expected)
		return result->end == RUN_PASSED;
	return expected_look_at_run(expected, result->record, result->end, result->status).met;
}

/* False when it was interrupted.  A test that ends otherwise here than in the suite is not
 * asked. */
static bool meet_neighbour(struct consistency *c, struct replay *replay,
			   const struct neighbour *test, const GArray *actions, GError **error)
{
	struct run_request request = { .record = true };
	struct run_result result = { 0 };
	g_autoptr(GArray) found = NULL;
	struct image *const *images;
	size_t n;

	if (!replay_check_interrupt(error))
		return false;
	c->runs++;
	if (!replay_turn_to(replay, test->command.argv, test->command.stdin_file, NULL) ||
	    !replay_runner(replay)->run(replay_runner(replay), &request, &result, NULL))
		return true;
	images = replay_images(replay, &n);
	if (neighbour_has_passed(c, test, &result))
		found = instances_in(c, images, n, result.record, 0, actions, NULL, NULL);
	if (found) {
		note_met(c, test, found);
		note_values(c, found);
	}
	run_result_clear(&result);
	return true;
}

/* Does the passing test fail with that value? */
static bool fails_with(struct consistency *c, struct replay *replay, const struct change *change,
		       const struct met *met, uint64_t value)
{
	struct trace_action a = change->action;
	struct run_request request = { .actions = &a, .n_actions = 1 };
	struct run_result result = { 0 };
	bool fails;

	a.nth = met->instance.nth;
	a.thread = 0;
	memcpy(a.value, &value, sizeof value);
	if (a.kind == TRACE_ACTION_MEM)
		a.where = met->instance.where;
	c->runs++;
	if (!replay_turn_to(replay, met->test->command.argv, met->test->command.stdin_file, NULL) ||
	    !replay_runner(replay)->run(replay_runner(replay), &request, &result, NULL))
		return false;
	fails = !neighbour_has_passed(c, met->test, &result) && result.actions_done == 1;
	run_result_clear(&result);
	return fails;
}

/* Does the passing test depend on the value that the statement computes?  It does when it fails
 * with the changed value.  A number has to be tested with the values next to its own, too,
 * because a test may not care about the exact number.  A branch or a truth value has no third
 * value to try. */
static bool needs_its_own(struct consistency *c, struct replay *replay, const struct change *change,
			  const struct met *met)
{
	const struct trace_action *a = &change->action;
	uint64_t value = 0, own = met->instance.value;
	bool two_valued;

	memcpy(&value, a->value, sizeof value);
	two_valued = a->kind == TRACE_ACTION_FORCE || (a->size == 1 && value <= 1 && own <= 1);
	if (!fails_with(c, replay, change, met, value))
		return false;
	return two_valued || (fails_with(c, replay, change, met, own + 1) &&
			      fails_with(c, replay, change, met, own - 1));
}

static void check_change(struct consistency *c, struct replay *replay, const struct change *change)
{
	unsigned tried = 0;

	for (guint i = 0; i < c->met->len && tried < c->limits->consistency_tried; i++) {
		const struct met *met = &g_array_index(c->met, struct met, i);

		if (g_hash_table_contains(c->contradicted, change->line))
			return;
		if (!has_these_operands(change, &met->instance))
			continue;
		tried++;
		if (needs_its_own(c, replay, change, met))
			g_hash_table_insert(c->contradicted, g_strdup(change->line),
					    g_strdup(met->test->name));
	}
}

const char *consistency_of(const struct consistency *c, const char *file, unsigned line)
{
	g_autofree char *key = consistency_key_of(file, line);

	return g_hash_table_lookup(c->contradicted, key);
}

bool consistency_is_usual(const struct consistency *c, const char *file, unsigned line)
{
	g_autofree char *key = consistency_key_of(file, line);
	unsigned n = 0;

	for (guint i = 0; i < c->changes->len; i++) {
		const struct change *change = &g_array_index(c->changes, struct change, i);

		if (strcmp(change->line, key) != 0)
			continue;
		if (change->other || change->same < c->limits->consistency_usual)
			return false;
		n++;
	}
	return n > 0;
}

bool consistency_check(struct consistency *c, struct replay *replay, const struct neighbours *tests,
		       uint64_t most, gint64 deadline, GError **error)
{
	g_autoptr(GArray) actions = actions_of_all(c);

	c->tests = tests;
	for (guint i = 0; i < tests->passing->len && i < most && actions->len; i++)
		if (g_get_monotonic_time() < deadline &&
		    !meet_neighbour(c, replay, tests->passing->pdata[i], actions, error))
			return false;
	for (guint i = 0; i < c->changes->len && g_get_monotonic_time() < deadline; i++) {
		if (!replay_check_interrupt(error))
			return false;
		check_change(c, replay, &g_array_index(c->changes, struct change, i));
	}
	g_debug("%u changes, %u executions with their operands, %u runs", c->changes->len,
		c->met->len, c->runs);
	return true;
}
