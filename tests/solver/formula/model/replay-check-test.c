/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formula against real runs.  Of programs with one wrong line the formula
 * of the failing run, and of that run merged with others, is evaluated: without
 * a change it gives every recorded value; with one value changed it says what a
 * real run with that change does, instruction by instruction, as long as it
 * claims to know.  timeout: 120
 */
#include "solver/formula/model/replay-check.h"
#include "tests/support/replay.h"
#include "tests/support/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* Formulas of a program, each with one run more; changes tried on each. */
enum { FORMULAS = 4, CHANGES = 10 };

static term_bits value_in(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

static const struct definition *definition_at(const struct formula *f, uint32_t number)
{
	return &g_array_index(f->definitions, struct definition, number);
}

/* A definition's value in place of the one that follows. */
struct change {
	uint32_t number;
	term_bits value;
};

static term_bits *evaluate(const struct formula *f, const struct change *changes, unsigned n)
{
	term_bits *values = g_new0(term_bits, MAX(f->definitions->len, 1));
	struct term_memo *memo = term_memo_new(f->pool, value_in, values);

	for (uint32_t i = 0; i < f->definitions->len; i++) {
		const struct definition *d = definition_at(f, i);

		values[i] = d->expr ? term_eval(memo, d->expr) : d->actual;
		for (unsigned k = 0; k < n; k++)
			if (changes[k].number == i)
				values[i] = changes[k].value;
	}
	term_memo_free(memo);
	return values;
}

/* What the formula says of an assignment. */
struct claim {
	bool known;  /* it knows where this goes and what happens there */
	bool passes; /* the requirement holds */
};

static struct claim claim_of(const struct formula *f, const term_bits *values)
{
	struct term_memo *memo = term_memo_new(f->pool, value_in, (gpointer)values);
	struct claim c = { true, true };

	for (guint i = 0; i < f->constraints->len; i++) {
		const struct constraint *h = &g_array_index(f->constraints, struct constraint, i);

		if (term_eval(memo, h->term))
			continue;
		if (h->requirement)
			c.passes = false;
		else
			c.known = false;
	}
	for (guint i = 0; i < f->unexplored->len; i++)
		if (term_eval(memo, g_array_index(f->unexplored, struct unexplored, i).taken))
			c.known = false;
	term_memo_free(memo);
	return c;
}

/* ---- what came from outside ---- */

/*
 * The results of untraced calls, loads of bytes that untraced code wrote or
 * nobody, and stores to memory that was not in use.  The formula takes for
 * granted what the first of its runs got at the same place, and takes memory
 * that was not in use for what the failing run has there: where another run
 * gets something else, it can tell nothing more.
 */
struct outside {
	GHashTable *known;  /* text: a result's place, a load, a store → text: the result */
	GHashTable *counts; /* of the run at hand: pc → calls */
	GHashTable *used;   /* of the run at hand: addresses that it stored to or loaded from */
	bool look_up;	    /* else what comes is noted, … */
	bool results_only;  /* … of these */
	bool parted;	    /* something else came */
};

static void outside_init(struct outside *o)
{
	*o = (struct outside){ .known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
							      g_free) };
}

static void outside_start(struct outside *o)
{
	g_clear_pointer(&o->counts, g_hash_table_destroy);
	g_clear_pointer(&o->used, g_hash_table_destroy);
	o->counts = g_hash_table_new(NULL, NULL);
	o->used = g_hash_table_new(NULL, NULL);
}

static void outside_deinit(struct outside *o)
{
	g_clear_pointer(&o->counts, g_hash_table_destroy);
	g_clear_pointer(&o->used, g_hash_table_destroy);
	g_hash_table_destroy(o->known);
}

/* name and value are taken. */
static void came(struct outside *o, char *name, char *value)
{
	const char *known = g_hash_table_lookup(o->known, name);

	if (o->look_up)
		o->parted |= g_strcmp0(known, value) != 0;
	if (!o->look_up && !known) {
		g_hash_table_insert(o->known, name, value);
		return;
	}
	g_free(name);
	g_free(value);
}

static void came_back(struct outside *o, const struct trace_step *step,
		      const struct trace_cursor *c)
{
	gpointer pc = GSIZE_TO_POINTER(step->pc);
	gsize nth = GPOINTER_TO_SIZE(g_hash_table_lookup(o->counts, pc)) + 1;

	g_hash_table_insert(o->counts, pc, GSIZE_TO_POINTER(nth));
	came(o, g_strdup_printf("%lx called %lu", step->pc, nth),
	     g_strdup_printf("%lx", trace_cursor_reg(c, TRACE_RAX)));
}

static void was_loaded(struct outside *o, const struct trace_read *read)
{
	GString *text = g_string_new(NULL);

	g_hash_table_add(o->used, GSIZE_TO_POINTER(read->address));
	g_string_append_printf(text, "%lx holds", read->address);
	for (unsigned k = 0; k < read->size; k++)
		g_string_append_printf(text, " %02x", read->bytes[k]);
	if (read->outside && (o->look_up || !o->results_only))
		came(o, g_string_free(text, FALSE), g_strdup(""));
	else
		g_string_free(text, TRUE);
}

static void was_stored(struct outside *o, const struct trace_step *step, uint64_t at)
{
	bool used = !g_hash_table_add(o->used, GSIZE_TO_POINTER(at));

	if (!o->look_up || !used)
		came(o, g_strdup_printf("%lx stores at %lx", step->pc, at), g_strdup(""));
}

static void outside_step(struct outside *o, const struct trace_step *step,
			 const struct trace_cursor *c)
{
	for (unsigned i = 0; i < step->n_reads; i++)
		was_loaded(o, &step->reads[i]);
	for (uint32_t i = 0; i < step->n_ran; i++) {
		const struct ir_op *op = &step->ir->ops[i];

		if (op->kind == IR_STORE || op->kind == IR_STOREG)
			was_stored(o, step, step->temps[op->a].w[0]);
	}
	if (step->exit_kind == TRACE_EXIT_NATIVE)
		came_back(o, step, c);
}

static struct trace_cursor *cursor_of(const struct support_runs *s, const struct support_run *r)
{
	struct trace_cursor *c = trace_cursor_new(r->record, 0, s->lift);

	trace_cursor_set_actions(c, (const struct trace_action *)(const void *)r->actions->data,
				 r->actions->len);
	return c;
}

static void note_runs(struct outside *o, const struct support_runs *s)
{
	for (guint i = 0; i < s->runs->len; i++) {
		struct trace_cursor *c = cursor_of(s, s->runs->pdata[i]);
		struct trace_step step;

		outside_start(o);
		o->results_only = i > 0;
		while (trace_cursor_step(c, &step, NULL) > 0)
			outside_step(o, &step, c);
		trace_cursor_free(c);
	}
	outside_start(o);
	o->look_up = true;
}

/* ---- the formula's way beside a run ---- */

struct beside {
	const struct support_runs *s;
	const struct formula *f;
	const term_bits *values;
	struct term_memo *memo;
	struct trace_cursor *cursor;
	struct trace_step step;
	struct outside outside;
	GHashTable *at_end; /* entry of an instance's last step → GArray of definitions */
	bool parted;	    /* the run got something else from outside */
	bool ended;
	unsigned compared;
	char *difference; /* the first one, NULL = none */
};

static void differ(struct beside *b, const char *what, term_bits formula, term_bits run)
{
	uint64_t link = 0;
	const struct image_row *row = NULL;

	if (trace_run_module_at(((struct support_run *)b->s->runs->pdata[0])->record, b->step.pc,
				&link))
		row = image_row_at(b->s->images[0], link);
	if (!b->difference)
		b->difference = g_strdup_printf(
			"%s at %lx, line %u: %#lx in the formula, %#lx in the run", what, link,
			row && row->statement != UINT32_MAX
				? image_statement(b->s->images[0], row->statement)->line
				: 0,
			(uint64_t)formula, (uint64_t)run);
}

static term_bits low_bytes(const void *bytes, size_t size)
{
	term_bits v = 0;

	memcpy(&v, bytes, MIN(size, sizeof(v)));
	return v;
}

static void compare_registers(struct beside *b, uint32_t entry)
{
	const GArray *list = g_hash_table_lookup(b->at_end, GUINT_TO_POINTER(entry));

	for (guint i = 0; list && i < list->len; i++) {
		uint32_t number = g_array_index(list, uint32_t, i);
		const struct definition *d = definition_at(b->f, number);
		uint64_t reg;

		if (d->reg >= 16 || !term_eval(b->memo, d->reach))
			continue;
		reg = trace_cursor_reg(b->cursor, (enum trace_reg)d->reg);
		b->compared++;
		if (low_bytes(&reg, d->size) != b->values[number])
			differ(b, "register", b->values[number], low_bytes(&reg, d->size));
	}
}

static void pass_step(struct beside *b, uint32_t entry, uint64_t pc)
{
	bool away = b->step.exit_kind == TRACE_EXIT_AWAY;
	int went = trace_cursor_step(b->cursor, &b->step, NULL);

	if (went <= 0) {
		b->ended = true;
		/* untraced code fails on an argument that it did not get before */
		b->parted = away;
		if (away)
			return;
		if (b->step.pc != pc)
			differ(b, "instruction after the end", pc, b->step.pc);
		return;
	}
	b->compared++;
	if (b->step.pc != pc)
		differ(b, "instruction", pc, b->step.pc);
	outside_step(&b->outside, &b->step, b->cursor);
	b->parted |= b->outside.parted;
	if (!b->parted && b->step.exit_kind != TRACE_EXIT_NATIVE)
		compare_registers(b, entry);
}

static void pass_store(struct beside *b, const struct definition *d, term_bits value)
{
	uint64_t at = d->address_term ? (uint64_t)term_eval(b->memo, d->address_term) : d->address;
	uint8_t bytes[sizeof(term_bits)];

	if (d->kind != DEF_MEMORY || b->step.exit_kind == TRACE_EXIT_NATIVE ||
	    !trace_cursor_read(b->cursor, at, d->size, bytes))
		return;
	b->compared++;
	if (low_bytes(bytes, d->size) != value)
		differ(b, "stored value", value, low_bytes(bytes, d->size));
}

static uint32_t pass_branch(struct beside *b, uint32_t at, const struct path_entry *e)
{
	term_bits value = b->values[e->index];

	if (!b->ended && !b->parted && definition_at(b->f, e->index)->kind == DEF_GUARD &&
	    b->step.taken != (value != 0))
		differ(b, "branch", value, b->step.taken);
	if (model_path_outcome(e, b->values) == e->first)
		return at + 1;
	if (e->other < e->join)
		return e->other;
	/* a side that fails, whatever it does */
	b->ended = !e->joins;
	return e->join;
}

static uint32_t pass_entry(struct beside *b, uint32_t at, GArray *ends)
{
	const struct path_entry *e = &g_array_index(b->f->path, struct path_entry, at);
	uint32_t next = at + 1;

	switch ((enum path_kind)e->kind) {
	case PATH_STEP:
		pass_step(b, at, g_array_index(b->f->pcs, uint64_t, e->index));
		break;
	case PATH_DEF:
		if (!b->ended && !b->parted)
			pass_store(b, definition_at(b->f, e->index), b->values[e->index]);
		break;
	case PATH_BRANCH:
		next = pass_branch(b, at, e);
		if (model_path_outcome(e, b->values) == e->first && e->other < e->join) {
			g_array_append_val(ends, e->other);
			g_array_append_val(ends, e->join);
		}
		break;
	case PATH_END:
		b->ended = true;
	}
	return next;
}

static void free_list(gpointer list)
{
	g_array_free(list, TRUE);
}

static GHashTable *registers_by_end(const struct formula *f)
{
	GHashTable *at_end = g_hash_table_new_full(NULL, NULL, NULL, free_list);

	for (uint32_t i = 0; i < f->definitions->len; i++) {
		const struct definition *d = definition_at(f, i);
		GArray *list;
		gpointer end;

		if (d->kind != DEF_REGISTER)
			continue;
		end = GUINT_TO_POINTER(g_array_index(f->instance_end, uint32_t, d->instance));
		list = g_hash_table_lookup(at_end, end);
		if (!list)
			g_hash_table_insert(at_end, end,
					    list = g_array_new(FALSE, FALSE, sizeof(uint32_t)));
		g_array_append_val(list, i);
	}
	return at_end;
}

/* Walks the run and the formula's way under values side by side, up to the
 * first difference. */
static void go_beside(struct beside *b, const struct support_run *r)
{
	g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint32_t at = 0;

	b->memo = term_memo_new(b->f->pool, value_in, (gpointer)b->values);
	b->cursor = cursor_of(b->s, r);
	b->at_end = registers_by_end(b->f);
	outside_init(&b->outside);
	note_runs(&b->outside, b->s);
	while (at < b->f->path->len && !b->ended && !b->parted && !b->difference) {
		if (ends->len && g_array_index(ends, uint32_t, ends->len - 2) == at) {
			at = g_array_index(ends, uint32_t, ends->len - 1);
			g_array_set_size(ends, ends->len - 2);
		} else {
			at = pass_entry(b, at, ends);
		}
	}
	outside_deinit(&b->outside);
	g_hash_table_destroy(b->at_end);
	trace_cursor_free(b->cursor);
	term_memo_free(b->memo);
}

/* ---- one program ---- */

struct tally {
	unsigned changes, claims, parted, passes;
};

/* A definition that may be changed and that the way of these values comes by. */
static uint32_t some_definition(const struct formula *f, const term_bits *values, GRand *rand)
{
	struct term_memo *memo = term_memo_new(f->pool, value_in, (gpointer)values);
	uint32_t number = UINT32_MAX;

	for (int i = 0; i < 1000 && number == UINT32_MAX; i++) {
		uint32_t n = (uint32_t)g_rand_int_range(rand, 0, (gint32)f->definitions->len);
		const struct definition *d = definition_at(f, n);

		if (d->selector != SELECTOR_HARD && d->expr && d->kind != DEF_TARGET &&
		    d->kind != DEF_ADDRESS && term_eval(memo, d->reach))
			number = n;
	}
	term_memo_free(memo);
	return number;
}

static term_bits another_value(const struct formula *f, uint32_t number, term_bits natural,
			       GRand *rand)
{
	unsigned width = term_width(f->pool, definition_at(f, number)->variable);
	term_bits all = width >= 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
	const term_bits values[] = { natural + 1, natural - 1,	   0,		1,
				     2,		  ~natural,	   2 * natural, natural + 7,
				     all >> 1,	  g_rand_int(rand) };
	term_bits v;

	do
		v = values[g_rand_int_range(rand, 0, G_N_ELEMENTS(values))] & all;
	while (v == natural);
	return v;
}

static void say_actions(const struct support_run *r)
{
	for (guint i = 0; i < r->actions->len; i++) {
		const struct trace_action *a = &g_array_index(r->actions, struct trace_action, i);

		print_message("  action %u at %lx the %luth time: %lx := %lx (%u bytes)\n", a->kind,
			      a->addr, a->nth, a->kind == TRACE_ACTION_REG ? a->reg : a->where,
			      (uint64_t)low_bytes(a->value, 8), a->size);
	}
}

static void complain(const struct support_runs *s, const struct support_run *r, struct beside *b)
{
	if (!b->difference)
		return;
	say_actions(r);
	print_error("%s, formula of %u runs: %s\n", s->source, s->runs->len, b->difference);
	g_clear_pointer(&b->difference, g_free);
	fail();
}

/* Does the run do what the formula says of it? */
static void check_run(const struct support_runs *s, const struct support_run *r,
		      const term_bits *values, struct tally *t)
{
	struct claim c = claim_of(s->formula, values);
	struct beside b = { .s = s, .f = s->formula, .values = values };

	t->changes++;
	if (!c.known)
		return;
	go_beside(&b, r);
	t->claims++;
	t->parted += b.parted;
	t->passes += c.passes && !b.parted;
	if (!b.difference && !b.parted && c.passes != support_run_passed(r))
		b.difference = g_strdup_printf("the formula says it %s, it ended with %d",
					       c.passes ? "passes" : "fails", r->result.end);
	complain(s, r, &b);
}

/* One change, or a second one on the way that the first one leads to. */
static term_bits *change_something(const struct formula *f, GRand *rand)
{
	struct change changes[2];
	unsigned n = (unsigned)g_rand_int_range(rand, 1, 3);
	term_bits *values = evaluate(f, NULL, 0);

	for (unsigned i = 0; i < n; i++) {
		uint32_t number = some_definition(f, values, rand);

		if (number == UINT32_MAX)
			break;
		changes[i].number = number;
		changes[i].value = another_value(f, number, values[number], rand);
		g_free(values);
		values = evaluate(f, changes, i + 1);
	}
	return values;
}

/* Tries changes on the formula as it is; a run to merge, the first one that the
 * formula knew nothing of. */
static struct support_run *try_changes(struct support_runs *s, GRand *rand, struct tally *t)
{
	const struct formula *f = s->formula;
	const struct trace_run *first = ((struct support_run *)s->runs->pdata[0])->record;
	struct support_run *changed = NULL;

	for (unsigned i = 0; i < CHANGES; i++) {
		g_autofree term_bits *values = change_something(f, rand);
		struct model_path *p = model_path_of_model(f, values, first);
		struct support_run *r = support_run_again(s, p->actions);

		model_path_free(p);
		check_run(s, r, values, t);
		if (!claim_of(f, values).known && !changed)
			changed = r;
		else
			support_run_free(r);
	}
	return changed;
}

/* Each value of the runs that the formula was made from is what it gives; of the
 * failing run, all that the formula has. */
static void check_own_runs(const struct support_runs *s)
{
	const struct trace_run *first = ((struct support_run *)s->runs->pdata[0])->record;

	for (guint i = 0; i < s->runs->len; i++) {
		struct walk_run run = support_walk_run(s, i);
		struct replay_check t = replay_check_run(s->formula, &run, first);
		struct beside b = { .s = s, .f = s->formula, .values = t.values };

		if (claim_of(s->formula, t.values).known)
			go_beside(&b, s->runs->pdata[i]);
		complain(s, s->runs->pdata[i], &b);
		if (i == 0) {
			assert_false(t.leaves || b.parted);
			assert_true(b.compared > 0);
			assert_non_null(t.violated);
			assert_true(t.violated->requirement);
		}
		replay_check_clear(&t);
	}
}

static void check_program(const char *source, const char *flags, struct tally *t)
{
	struct support_runs *s = support_runs_new(source, flags);
	GRand *rand = g_rand_new_with_seed(3);

	for (unsigned i = 0; i < FORMULAS; i++) {
		struct support_run *changed;

		check_own_runs(s);
		changed = try_changes(s, rand, t);
		if (!changed)
			break;
		support_runs_merge(s, changed);
	}
	g_rand_free(rand);
	support_runs_free(s);
}

static void check_programs(const char *const *sources, const char *flags, struct tally *t)
{
	for (; *sources; sources++)
		check_program(*sources, flags, t);
}

static void formulas_say_what_runs_without_optimization_do(void **state)
{
	(void)state;
	static const char *const sources[] = { "tests/data/mix.c",
					       "tests/foreign/bits.c",
					       "tests/foreign/digits.c",
					       "tests/foreign/factorial.c",
					       "tests/foreign/hash.c",
					       "tests/foreign/leap.c",
					       "tests/foreign/listdelete.c",
					       "tests/foreign/monthdays.c",
					       "tests/foreign/operations.c",
					       "tests/foreign/sortedlist.c",
					       "samples/bst.c",
					       NULL };
	struct tally t = { 0 };

	check_programs(sources, "-O0", &t);
	assert_true(t.claims > t.changes / 4);
	assert_true(t.parted < t.claims / 4);
	assert_true(t.passes > 0);
}

static void formulas_say_what_optimized_runs_do(void **state)
{
	(void)state;
	static const char *const sources[] = { "tests/data/mix.c",
					       "tests/foreign/hash.c",
					       "tests/foreign/leap.c",
					       "tests/foreign/monthdays.c",
					       "tests/foreign/operations.c",
					       "samples/list-remove.c",
					       NULL };
	struct tally t = { 0 };

	check_programs(sources, "-O1", &t);
	check_programs(sources, "-O2", &t);
	assert_true(t.claims > t.changes / 4);
	assert_true(t.parted < t.claims / 4);
	assert_true(t.passes > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_say_what_runs_without_optimization_do),
		cmocka_unit_test(formulas_say_what_optimized_runs_do),
	};

	support_need_replay();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
