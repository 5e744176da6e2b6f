/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/slips/recorded-slips.h"

#include "gdbext/question/failing-check.h"
#include "gdbext/question/memory-error.h"
#include "gdbext/replay/interrupt.h"
#include "solver/change/code/code-piece.h"

struct attempt {
	guint line; /* number in .lines */
	struct mutant mutant;
	double effort;
	double cost; /* that, and how far the line is */
};

struct recorded_slips {
	const struct question *q;
	struct mutation *mutation;
	const struct limits *limits;
	struct mutator *mutator;
	GArray *lines;	     /* struct near_line */
	GArray *attempts;    /* struct attempt */
	GArray *done;	     /* struct done, one for each line */
	uint64_t runs;	     /* that are left */
	bool fails_natively; /* the test, without a change */
	recorded_slip_found *found;
	void *arg;
};

/* What was found of a line. */
struct done {
	bool mended;
	const struct attempt *other; /* the first that mends, but prints something else */
};

static bool is_same_line(const struct image_statement *a, const struct image_statement *b)
{
	return a->line == b->line && g_strcmp0(a->file, b->file) == 0;
}

static void take_line(struct recorded_slips *s, struct near_line line)
{
	for (guint i = 0; i < s->lines->len; i++)
		if (is_same_line(g_array_index(s->lines, struct near_line, i).statement,
				 line.statement))
			return;
	if (s->lines->len < s->limits->slip_memory_lines &&
	    !image_is_of_system(line.statement->file))
		g_array_append_val(s->lines, line);
}

static void take_lines_near_error(struct recorded_slips *s)
{
	g_autoptr(GPtrArray) story = s->q->memory ? memory_error_story(s->q) : g_ptr_array_new();
	g_autoptr(GArray) near = near_lines(s->q, (unsigned)s->limits->slip_memory_lines);

	for (guint i = 0; i < story->len; i++)
		take_line(s, (struct near_line){ .statement = story->pdata[i], .distance = 1 });
	for (guint i = 0; i < near->len; i++)
		take_line(s, g_array_index(near, struct near_line, i));
}

/* Code that is longer than the code in its place is executed elsewhere, and the recorder does
 * not follow it there. */
static bool fits_in_place(const struct mutant *m)
{
	return !m->piece && !m->link_to && m->size <= m->length;
}

/* Only a test that crashes tells whether code elsewhere helps.  Most changes dodge the crash, but
 * no argument is lost where two are exchanged. */
static bool may_be_elsewhere(const struct recorded_slips *s, const struct mutant *m)
{
	return s->q->memory && m->kind == MUTANT_EXCHANGED && s->q->run.failing.end == RUN_SIGNAL;
}

/* A negative size is a block of no end, and a negative index is before the beginning. */
static bool turns_negative(const struct mutant *m)
{
	return m->kind == MUTANT_CONSTANT && m->from > 0 && m->to < 0;
}

/* A block that is used once more may well have been freed too early. */
static double effort_of(const struct recorded_slips *s, const struct mutant *m)
{
	if (s->q->memory && m->kind == MUTANT_REMOVED && memory_error_frees_at(s->q, m->addr))
		return (double)s->limits->slip_freed / 100;
	return mutation_effort(s->mutation, m);
}

static void take_attempts(struct recorded_slips *s, guint number)
{
	const struct image_statement *st =
		g_array_index(s->lines, struct near_line, number).statement;
	g_autoptr(GArray) mutants = mutator_line(s->mutator, st->file, st->line);

	for (guint i = 0; i < mutants->len; i++) {
		const struct mutant *m = &g_array_index(mutants, struct mutant, i);
		double effort = effort_of(s, m);
		struct attempt a = { number, *m, effort,
				     effort + (double)(number * s->limits->slip_memory_far) / 100 };

		if ((fits_in_place(m) || may_be_elsewhere(s, m)) && !turns_negative(m) &&
		    mutation_is_tellable(s->mutation, m))
			g_array_append_val(s->attempts, a);
	}
}

static gint likelier_attempt_first(gconstpointer a, gconstpointer b)
{
	const struct attempt *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* What a native run says, which costs little; nothing about a test that does not fail without a
 * change. */
enum native_run { NATIVE_FAILS, NATIVE_PASSES, NATIVE_UNKNOWN };

static bool run_natively(struct recorded_slips *s, const GArray *actions, enum native_run *went,
			 GError **error)
{
	bool passes, spent;

	if (!mutation_try(s->mutation, actions, &passes, &spent, error))
		return false;
	*went = spent ? NATIVE_UNKNOWN : passes ? NATIVE_PASSES : NATIVE_FAILS;
	return true;
}

/* prints_same: or, of one of several checks, the others pass with it, too. */
static void tell_of_recorded_slip(const struct recorded_slips *s, const struct attempt *a,
				  bool prints_same)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	const struct recorded_slip slip = {
		.line = g_array_index(s->lines, struct near_line, a->line),
		.actions = actions,
		.words = mutation_told(s->mutation, &a->mutant),
		.effort = a->effort + (prints_same ? 0 : (double)s->limits->slip_prints / 100),
		.of_one = !prints_same,
	};

	mutant_actions(&a->mutant, actions);
	s->found(s->arg, &slip);
}

/* The program's end says nothing, because another check fails. */
static bool try_on_checks(struct recorded_slips *s, const struct attempt *a, const GArray *actions,
			  GError **error)
{
	bool all;

	s->runs--;
	if (failing_check_passes_with(s->q, (const struct trace_action *)(void *)actions->data,
				      actions->len, &all)) {
		g_array_index(s->done, struct done, a->line).mended = true;
		tell_of_recorded_slip(s, a, all);
	}
	return replay_check_interrupt(error);
}

static bool try_recorded_attempt(struct recorded_slips *s, const struct attempt *a, GError **error)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct done *done = &g_array_index(s->done, struct done, a->line);
	enum native_run native = NATIVE_FAILS;
	enum memory_error_run went;

	mutant_actions(&a->mutant, actions);
	if (!s->q->memory)
		return try_on_checks(s, a, actions, error);
	if (!run_natively(s, actions, &native, error))
		return false;
	if (native == NATIVE_FAILS)
		return true;
	if (!fits_in_place(&a->mutant)) {
		done->mended = native == NATIVE_PASSES && s->fails_natively;
		if (done->mended)
			tell_of_recorded_slip(s, a, true);
		return true;
	}
	s->runs--;
	went = memory_error_run_with(s->q, (const struct trace_action *)(void *)actions->data,
				     actions->len);
	if (went == MEMORY_ERROR_SAME) {
		done->mended = true;
		tell_of_recorded_slip(s, a, true);
	} else if (went == MEMORY_ERROR_MENDED && !done->other) {
		done->other = a;
	}
	return replay_check_interrupt(error);
}

/* True: with a block of so many times the size, or of the size that the access needs (0), no access
 * is invalid. */
static bool try_block_of(const struct recorded_slips *s, unsigned times)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	struct trace_action action;
	struct recorded_slip slip = { .line.distance = 1,
				      .actions = actions,
				      .effort = (double)s->limits->slip_size / 100 };

	slip.line.statement = memory_error_larger_block(s->q, times, &action, &slip.words);
	if (!slip.line.statement)
		return false;
	g_array_append_val(actions, action);
	if (memory_error_run_with(s->q, &action, 1) == MEMORY_ERROR_STAYS) {
		g_free(slip.words);
		return false;
	}
	s->found(s->arg, &slip);
	return true;
}

/* Who forgets the size of an element asks for bytes instead of numbers or pointers. */
static bool try_larger_block(const struct recorded_slips *s)
{
	static const unsigned times[] = { 0, 2, 4, 8 };
	unsigned i;

	for (i = 0; i < G_N_ELEMENTS(times) && !try_block_of(s, times[i]); i++)
		;
	return i < G_N_ELEMENTS(times);
}

/* The call whose argument is shifted to the left before, in a piece of code. */
static bool write_shift(struct code_piece *c, const struct image *im, const struct trace_insn *call,
			unsigned reg, unsigned by)
{
	const uint8_t shift[] = { 0x48, 0xc1, (uint8_t)(0xe0 | reg), (uint8_t)by };
	size_t avail = 0;
	const uint8_t *now = image_bytes(im, call->addr, &avail);

	return now && avail >= call->length &&
	       code_piece_insns(c, shift, sizeof shift, call->addr) &&
	       code_piece_insns(c, now, call->length, call->addr);
}

/* All executions of the call ask for so many times as many bytes.  The recorder does not follow
 * code that is executed elsewhere, so a native run has to tell. */
static bool try_blocks_of(const struct recorded_slips *s, unsigned shift, bool *passes,
			  GError **error)
{
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	const struct image *im = s->q->run.images[0];
	struct memory_size_argument a;
	struct recorded_slip slip = { .line.distance = 1,
				      .actions = actions,
				      .effort = (double)s->limits->slip_size / 100 };
	struct code_piece piece = { 0 };
	bool spent = false;

	*passes = false;
	if (!memory_error_size_argument(s->q, &a) || !write_shift(&piece, im, a.call, a.reg, shift))
		return true;
	code_piece_actions(&piece, a.call->addr, a.call->length, actions);
	if (!mutation_try(s->mutation, actions, passes, &spent, error))
		return false;
	if (!*passes)
		return true;
	slip.line.statement = a.line;
	slip.words = g_strdup_printf("%u times the size for %s", 1u << shift, a.callee);
	s->found(s->arg, &slip);
	return true;
}

/* A block that grows is allocated many times, each time too small. */
static bool try_larger_blocks(const struct recorded_slips *s, GError **error)
{
	bool passes = !s->fails_natively;

	for (unsigned shift = 1; !passes && shift <= 3; shift++)
		if (!try_blocks_of(s, shift, &passes, error))
			return false;
	return true;
}

static uint64_t runs_for(const struct question *q, const struct limits *limits)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t insns = replay_insns(f, f->thread);

	return MIN(limits->slip_memory_runs, limits->slip_memory_instructions / (insns + 1));
}

static bool try_recorded_attempts(struct recorded_slips *s, GError **error)
{
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	enum native_run plain = NATIVE_UNKNOWN;
	guint i;

	if (s->q->memory && !run_natively(s, none, &plain, error))
		return false;
	s->fails_natively = plain == NATIVE_FAILS;
	for (i = 0; i < s->attempts->len && s->runs && !deadline_is_over(&s->q->until); i++) {
		const struct attempt *a = &g_array_index(s->attempts, struct attempt, i);

		if (!g_array_index(s->done, struct done, a->line).mended &&
		    !try_recorded_attempt(s, a, error))
			return false;
	}
	if (i < s->attempts->len)
		limits_reached(s->limits, LIMIT_slip_memory_runs);
	for (guint k = 0; k < s->done->len; k++) {
		const struct done *done = &g_array_index(s->done, struct done, k);

		if (!done->mended && done->other)
			tell_of_recorded_slip(s, done->other, false);
	}
	g_debug("recorded slips: %u lines, %u of %u changes", s->lines->len, i, s->attempts->len);
	return true;
}

bool recorded_slips_search(const struct question *q, struct mutation *m,
			   const struct limits *limits, recorded_slip_found *found, void *arg,
			   GError **error)
{
	struct recorded_slips s = { .q = q,
				    .mutation = m,
				    .limits = limits,
				    .mutator = mutator_new(q->run.images[0], limits),
				    .lines = g_array_new(FALSE, FALSE, sizeof(struct near_line)),
				    .attempts = g_array_new(FALSE, FALSE, sizeof(struct attempt)),
				    .done = g_array_new(FALSE, TRUE, sizeof(struct done)),
				    .runs = runs_for(q, limits),
				    .found = found,
				    .arg = arg };
	bool ok;

	take_lines_near_error(&s);
	g_array_set_size(s.done, s.lines->len);
	for (guint i = 0; i < s.lines->len; i++)
		take_attempts(&s, i);
	g_array_sort(s.attempts, likelier_attempt_first);
	ok = try_recorded_attempts(&s, error);
	if (ok && q->memory && limits->slip_memory_runs && !try_larger_block(&s))
		ok = try_larger_blocks(&s, error);
	mutator_free(s.mutator);
	g_array_unref(s.lines);
	g_array_unref(s.attempts);
	g_array_unref(s.done);
	return ok;
}
