/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/interval-private.h"

#include <string.h>

struct interval_solver *interval_solver_new(const struct formula *f, struct incremental *w)
{
	struct interval_solver *b = g_new0(struct interval_solver, 1);
	uint32_t n = term_pool_size(f->pool);

	b->f = f;
	b->limits = limits_or_default(f->limits);
	b->w = w;
	b->of = g_new(struct range, n);
	b->reasons = g_new(uint64_t, n);
	b->needed = g_new0(uint32_t, n);
	b->demanded = g_new0(uint8_t, n);
	b->explained = g_new0(uint32_t, n);
	b->to_explain = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b->question = 1;
	b->step_of = g_new0(uint32_t, n);
	b->steps = g_array_new(FALSE, FALSE, sizeof(struct interval_step));
	b->dims = g_array_new(FALSE, FALSE, sizeof(struct interval_dim));
	b->goals = g_array_new(FALSE, FALSE, sizeof(struct interval_goal));
	b->open_steps = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	b->open_goals = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return b;
}

void interval_solver_free(struct interval_solver *b)
{
	if (!b)
		return;
	g_free(b->of);
	g_free(b->reasons);
	g_free(b->needed);
	g_free(b->demanded);
	g_free(b->explained);
	g_array_free(b->to_explain, TRUE);
	g_free(b->step_of);
	g_array_free(b->steps, TRUE);
	g_array_free(b->dims, TRUE);
	g_array_free(b->goals, TRUE);
	g_array_free(b->open_steps, TRUE);
	g_array_free(b->open_goals, TRUE);
	g_free(b);
}

void interval_solver_until(struct interval_solver *b, const struct deadline *until)
{
	b->until = until;
}

uint64_t interval_work(const struct interval_solver *b)
{
	return b->work;
}

/* Sets of dimensions, a bit each, as far as there are bits. */
static uint64_t bit_of_dim(uint32_t i)
{
	return UINT64_C(1) << MIN(i, 63);
}

static bool is_interval_decided(const struct interval_solver *b, uint32_t t, bool value)
{
	return !b->of[t].span && (b->of[t].lo != 0) == value;
}

/* The dimensions on which an operator's result rests. */
static uint64_t reasons_of(const struct interval_solver *b, const struct term_node *n)
{
	const uint64_t *r = b->reasons;

	if (n->kind == IR_ITE && !b->of[n->c].span)
		return r[n->c] | r[b->of[n->c].lo ? n->a : n->b];
	if (n->width == 1 && (n->kind == IR_AND || n->kind == IR_OR)) {
		if (is_interval_decided(b, n->a, n->kind == IR_OR))
			return r[n->a];
		if (is_interval_decided(b, n->b, n->kind == IR_OR))
			return r[n->b];
	}
	return r[n->a] | (n->b ? r[n->b] : 0) | (n->c ? r[n->c] : 0);
}

static void evaluate_step(struct interval_solver *b, const struct interval_step *s)
{
	const struct term_node *n = s->node;

	if (s->dim != NO_DIM && interval_dim_at(b, s->dim)->free) {
		const struct interval_dim *d = interval_dim_at(b, s->dim);

		b->of[s->term] = d->box;
		b->reasons[s->term] = d->box.span >= term_mask(d->bits) ? 0 : bit_of_dim(s->dim);
	} else if (n->kind == TERM_VAR) {
		b->of[s->term] = b->of[s->expr];
		b->reasons[s->term] = b->reasons[s->expr];
	} else {
		b->of[s->term] =
			range_apply(n, b->of[n->a], s->a_width, n->b ? b->of[n->b] : range_of(0),
				    s->b_width, n->c ? b->of[n->c] : range_of(0));
		b->reasons[s->term] = reasons_of(b, n);
	}
}

/* The steps and goals that are still undecided: parts of open_steps and open_goals.  Those of a
 * smaller box stand after those of the larger one. */
struct open_list {
	guint steps, n_steps, goals, n_goals;
};

static uint32_t goal_number(const struct interval_solver *b, const struct open_list *l, guint i)
{
	return g_array_index(b->open_goals, uint32_t, l->goals + i);
}

/* Puts the goals that the box leaves undecided at the end, as a list.  False when a goal cannot
 * hold, for these reasons. */
static bool undecided_goals(struct interval_solver *b, const struct open_list *l,
			    struct open_list *rest, uint64_t *reasons)
{
	*rest = (struct open_list){ .steps = b->open_steps->len, .goals = b->open_goals->len };
	for (guint i = 0; i < l->n_goals; i++) {
		uint32_t number = goal_number(b, l, i);
		struct interval_goal *g = &g_array_index(b->goals, struct interval_goal, number);

		if (is_interval_decided(b, g->term, !g->wanted)) {
			g->failures++;
			interval_explain(b, g->term);
			*reasons = b->reasons[g->term];
			return false;
		}
		if (b->of[g->term].span)
			g_array_append_val(b->open_goals, number);
	}
	rest->n_goals = b->open_goals->len - rest->goals;
	return true;
}

static void need_interval_of(struct interval_solver *b, uint32_t t)
{
	if (t && b->of[t].span)
		b->needed[t] = b->stamp;
}

static void need_operands(struct interval_solver *b, const struct interval_step *s)
{
	const struct term_node *n = s->node;

	if (n->kind == TERM_VAR) {
		if (s->dim == NO_DIM || !interval_dim_at(b, s->dim)->free)
			need_interval_of(b, s->expr);
		return;
	}
	if (n->kind == IR_ITE && !b->of[n->c].span) {
		need_interval_of(b, b->of[n->c].lo ? n->a : n->b);
		return;
	}
	need_interval_of(b, n->a);
	need_interval_of(b, n->b);
	need_interval_of(b, n->c);
}

/* Keeps those of the list's steps that are undecided and on which undecided goals depend. */
static void undecided_steps(struct interval_solver *b, const struct open_list *l,
			    struct open_list *rest)
{
	uint32_t *first;

	b->stamp++;
	for (guint i = 0; i < rest->n_goals; i++)
		need_interval_of(
			b, g_array_index(b->goals, struct interval_goal, goal_number(b, rest, i))
				   .term);
	g_array_set_size(b->open_steps, rest->steps + l->n_steps);
	first = &g_array_index(b->open_steps, uint32_t, rest->steps);
	for (guint i = l->n_steps; i > 0; i--) {
		uint32_t number = g_array_index(b->open_steps, uint32_t, l->steps + i - 1);
		const struct interval_step *s = interval_step_at(b, number);

		if (b->needed[s->term] != b->stamp)
			continue;
		need_operands(b, s);
		first[l->n_steps - ++rest->n_steps] = number;
	}
	memmove(first, first + l->n_steps - rest->n_steps, rest->n_steps * sizeof *first);
	g_array_set_size(b->open_steps, rest->steps + rest->n_steps);
}

/* How far the box is from the value. */
static term_bits box_distance_to(struct range box, term_bits value, unsigned width)
{
	term_bits mask = term_mask(width);

	if (range_holds(box, width, value))
		return 0;
	return MIN((box.lo - value) & mask, (value - box.lo - box.span) & mask);
}

static void note_witness(struct interval_solver *b)
{
	for (guint i = 0; i < b->dims->len; i++) {
		struct interval_dim *d = interval_dim_at(b, i);
		term_bits mask = term_mask(d->width), end = (d->box.lo + d->box.span) & mask;

		if (range_holds(d->box, d->width, d->natural))
			d->found = d->natural;
		else if (((d->box.lo - d->natural) & mask) <= ((d->natural - end) & mask))
			d->found = d->box.lo;
		else
			d->found = end;
	}
}

/* The undecided goal that failed most often. */
static uint32_t goal_to_split(const struct interval_solver *b, const struct open_list *rest)
{
	uint32_t best = goal_number(b, rest, 0);

	for (guint i = 1; i < rest->n_goals; i++) {
		uint32_t number = goal_number(b, rest, i);

		if (g_array_index(b->goals, struct interval_goal, number).failures >
		    g_array_index(b->goals, struct interval_goal, best).failures)
			best = number;
	}
	return best;
}

static enum smt_answer look_into(struct interval_solver *b, const struct open_list *l,
				 unsigned depth, uint64_t *reasons);

/* The second half need not be searched when the first one was dropped for reasons that hold for
 * both. */
static enum smt_answer look_into_halves(struct interval_solver *b, const struct open_list *rest,
					unsigned depth, uint64_t *reasons)
{
	term_bits at;
	guint split = interval_split(b, goal_to_split(b, rest), depth, &at);
	struct interval_dim *d = interval_dim_at(b, split);
	struct range whole = d->box, half[2];
	uint64_t all = 0, bit = bit_of_dim(split);
	enum smt_answer answer = SMT_UNSAT;
	term_bits below = (at - whole.lo) & term_mask(d->width);
	bool second_first;

	half[0] = (struct range){ whole.lo, below - 1 };
	half[1] = (struct range){ at, whole.span - below };
	second_first = box_distance_to(half[1], d->natural, d->width) <
		       box_distance_to(half[0], d->natural, d->width);
	for (int i = 0; answer == SMT_UNSAT && i < 2; i++) {
		d->box = half[i ^ (int)second_first];
		answer = look_into(b, rest, depth + 1, reasons);
		if (answer == SMT_UNSAT && !(*reasons & bit)) {
			all = *reasons;
			break;
		}
		all |= *reasons;
	}
	d->box = whole;
	if (split < 63 && whole.span >= term_mask(d->bits))
		all &= ~bit;
	*reasons = all;
	return answer;
}

/* The clock is not read for each box: that would take as long as many a box. */
static bool interval_solver_is_over(struct interval_solver *b)
{
	if (b->work > b->most_work)
		return true;
	if (b->looks++ % 256 == 0 && deadline_is_over(b->until))
		b->work = b->most_work + 1;
	return b->work > b->most_work;
}

/* Searches the box that the dimensions have now.  *reasons: after SMT_UNSAT, the dimensions on
 * whose splits the result rests. */
static enum smt_answer look_into(struct interval_solver *b, const struct open_list *l,
				 unsigned depth, uint64_t *reasons)
{
	struct open_list rest;
	enum smt_answer answer = SMT_UNSAT;
	guint steps = b->open_steps->len, goals = b->open_goals->len;

	if (depth > b->limits->interval_depth || interval_solver_is_over(b))
		return SMT_UNKNOWN;
	b->work += l->n_steps;
	for (guint i = 0; i < l->n_steps; i++)
		evaluate_step(b, interval_step_at(
					 b, g_array_index(b->open_steps, uint32_t, l->steps + i)));
	if (undecided_goals(b, l, &rest, reasons)) {
		if (rest.n_goals) {
			undecided_steps(b, l, &rest);
			answer = look_into_halves(b, &rest, depth, reasons);
		} else {
			note_witness(b);
			answer = SMT_SAT;
		}
	}
	g_array_set_size(b->open_steps, steps);
	g_array_set_size(b->open_goals, goals);
	return answer;
}

/* The steps before the first free dimension do not change: their terms get the values of the run,
 * once.  Returns how many these are. */
static uint32_t settle_first_steps(struct interval_solver *b)
{
	uint32_t first = b->steps->len;

	for (guint i = 0; i < b->dims->len && first == b->steps->len; i++)
		if (interval_dim_at(b, i)->free)
			first = b->step_of[interval_dim_at(b, i)->variable];
	for (uint32_t i = b->settled; i < first; i++) {
		uint32_t t = interval_step_at(b, i)->term;

		b->of[t] = range_of(incremental_natural(b->w, t));
		b->reasons[t] = 0;
	}
	b->settled = first;
	return first;
}

static enum smt_answer look_everywhere(struct interval_solver *b, uint64_t effort)
{
	uint32_t first = settle_first_steps(b);
	struct open_list all = { 0, b->steps->len - first, 0, b->goals->len };
	uint64_t reasons = 0;

	g_array_set_size(b->open_steps, 0);
	g_array_set_size(b->open_goals, 0);
	for (uint32_t i = first; i < b->steps->len; i++)
		g_array_append_val(b->open_steps, i);
	for (uint32_t i = 0; i < all.n_goals; i++)
		g_array_append_val(b->open_goals, i);
	b->most_work = b->work + effort;
	return look_into(b, &all, 0, &reasons);
}

/* The values that were found; bits that do not matter stay as they are. */
static struct range box_of_all(const struct interval_dim *d)
{
	term_bits mask = term_mask(d->bits);

	return (struct range){ d->natural & ~mask, mask };
}

static enum definition_readability readability_of(const struct interval_solver *b,
						  const struct interval_dim *d)
{
	return definition_readability(
		&g_array_index(b->f->definitions, struct definition, d->number));
}

/* From here on, only the last n relaxed definitions of this readability may change. */
static void free_the_last(struct interval_solver *b, unsigned n, enum definition_readability least)
{
	for (guint i = b->dims->len; i > 0; i--) {
		struct interval_dim *d = interval_dim_at(b, i - 1);
		bool is_one = d->relaxed && n > 0 && readability_of(b, d) <= least;

		d->free = !d->relaxed || is_one;
		n -= is_one;
	}
}

/* How many relaxed definitions have this readability. */
static unsigned count_readability(const struct interval_solver *b,
				  enum definition_readability least)
{
	unsigned n = 0;

	for (guint i = 0; i < b->dims->len; i++) {
		const struct interval_dim *d = interval_dim_at(b, i);

		n += d->relaxed && readability_of(b, d) <= least;
	}
	return n;
}

/* Does what was found still hold when only the free dimensions are set? */
static bool found_holds(struct interval_solver *b)
{
	uint32_t first = settle_first_steps(b);

	b->work += b->steps->len - first;
	for (guint i = 0; i < b->dims->len; i++)
		interval_dim_at(b, i)->box = range_of(interval_dim_at(b, i)->found);
	for (guint i = first; i < b->steps->len; i++)
		evaluate_step(b, interval_step_at(b, i));
	for (guint i = 0; i < b->goals->len; i++) {
		const struct interval_goal *g = &g_array_index(b->goals, struct interval_goal, i);

		if ((b->of[g->term].lo != 0) != g->wanted)
			return false;
	}
	return true;
}

static void set_free(const struct interval_solver *b, const uint32_t *dims, guint n, bool free)
{
	for (guint i = 0; i < n; i++)
		interval_dim_at(b, dims[i])->free = free;
}

/* Takes those back of these changes that are not needed.  Mostly, nearly all are, so they are
 * taken back together where that does no harm. */
static void drop_these(struct interval_solver *b, const uint32_t *dims, guint n)
{
	set_free(b, dims, n, false);
	if (!n || found_holds(b))
		return;
	set_free(b, dims, n, true);
	if (n == 1)
		return;
	drop_these(b, dims, n / 2);
	drop_these(b, dims + n / 2, n - n / 2);
}

/* Takes changes back that are not needed: those that read worst first, and early ones before
 * late ones. */
static void drop_changes(struct interval_solver *b)
{
	g_autoptr(GArray) dims = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < b->dims->len * N_DEF_READABILITY; i++) {
		uint32_t number = i % b->dims->len;
		const struct interval_dim *d = interval_dim_at(b, number);

		if (d->free && d->relaxed &&
		    readability_of(b, d) + i / b->dims->len == N_DEF_READABILITY - 1)
			g_array_append_val(dims, number);
	}
	drop_these(b, (const uint32_t *)(const void *)dims->data, dims->len);
}

/* What the program computes there when all other values are those that were found. */
static term_bits computed_in_box(struct interval_solver *b, const struct interval_dim *d)
{
	found_holds(b);
	return b->of[interval_step_at(b, b->step_of[d->variable])->expr].lo;
}

/* Finds a value of that dimension that is nearer to what the program computes, while the others
 * stay; again and again. */
static void bring_box_near(struct interval_solver *b, struct interval_dim *d, uint64_t effort)
{
	term_bits mask = term_mask(d->width), best = d->found;

	d->natural = computed_in_box(b, d);
	for (;;) {
		term_bits above = (best - d->natural) & mask, below = (d->natural - best) & mask;
		term_bits far = MIN(above, below);

		if (far <= 1)
			break;
		for (guint i = 0; i < b->dims->len; i++)
			interval_dim_at(b, i)->box = range_of(interval_dim_at(b, i)->found);
		d->box = (struct range){ (d->natural - (far - 1)) & mask, 2 * (far - 1) };
		if (look_everywhere(b, effort) != SMT_SAT)
			break;
		best = d->found;
	}
	d->found = best;
}

static term_bits *values_found(struct interval_solver *b)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(term_bits));

	g_assert(found_holds(b));
	for (guint i = 0; i < b->dims->len; i++) {
		const struct interval_dim *d = interval_dim_at(b, i);

		if (!d->free)
			continue;
		g_array_append_val(numbers, d->number);
		g_array_append_val(values, d->found);
	}
	incremental_change(b->w, (const uint32_t *)(const void *)numbers->data, numbers->len);
	incremental_set(b->w, (const term_bits *)(const void *)values->data);
	return incremental_values(b->w);
}

static term_bits *interval_witness(struct interval_solver *b, uint64_t effort)
{
	drop_changes(b);
	for (guint i = 0, done = 0; i < b->dims->len && done < b->limits->interval_near; i++) {
		struct interval_dim *d = interval_dim_at(b, i);

		if (!d->free || !d->relaxed || d->width == 1)
			continue;
		bring_box_near(b, d, effort);
		done++;
	}
	return values_found(b);
}

/* The first look takes all of the effort, so there is none left to split a box. */
static bool is_too_large_to_split(struct interval_solver *b, uint64_t effort)
{
	return b->steps->len - settle_first_steps(b) > effort;
}

static enum smt_answer look_at_freed(struct interval_solver *b, uint64_t effort)
{
	for (guint i = 0; i < b->dims->len; i++)
		interval_dim_at(b, i)->box = box_of_all(interval_dim_at(b, i));
	return look_everywhere(b, effort);
}

static enum smt_answer look_at_the_last(struct interval_solver *b, unsigned n,
					enum definition_readability least, uint64_t effort)
{
	free_the_last(b, n, least);
	return look_at_freed(b, effort);
}

/* The last definitions are enough most often, and a question about few is decided soon; those
 * that read best come first. */
static enum smt_answer look_at_few(struct interval_solver *b, unsigned relaxed, uint64_t effort)
{
	unsigned before = 0;

	for (enum definition_readability k = DEF_READS_WELL; k < N_DEF_READABILITY; k++) {
		unsigned all = count_readability(b, k);

		for (unsigned n = 1; all > before && n < relaxed && n < 2 * all; n *= 2) {
			free_the_last(b, MIN(n, all), k);
			if (is_too_large_to_split(b, effort))
				break;
			if (look_at_freed(b, effort) == SMT_SAT)
				return SMT_SAT;
		}
		before = all;
	}
	return SMT_UNKNOWN;
}

enum smt_answer interval_solver_decide(struct interval_solver *b, const struct encoding_question *q,
				       uint64_t effort, term_bits **values)
{
	unsigned relaxed;
	enum smt_answer all;

	if (!interval_take(b, q, &relaxed))
		return SMT_UNSAT;
	if (!relaxed)
		return SMT_UNKNOWN;
	all = look_at_the_last(b, relaxed, DEF_READS_POORLY,
			       relaxed > 1 ? effort / b->limits->interval_last_part : effort);
	if (all == SMT_UNSAT)
		return SMT_UNSAT;
	if (look_at_few(b, relaxed, effort / b->limits->interval_part) != SMT_SAT) {
		if (all == SMT_UNKNOWN && relaxed > 1 && b->steps->len <= effort)
			all = look_at_the_last(b, relaxed, DEF_READS_POORLY, effort);
		if (all != SMT_SAT)
			return all;
		free_the_last(b, relaxed, DEF_READS_POORLY);
	}
	*values = interval_witness(b, effort / b->limits->interval_part);
	return SMT_SAT;
}

term_bits *interval_improve(struct interval_solver *b, const struct encoding_question *q,
			    uint64_t effort, const term_bits *values)
{
	unsigned relaxed;

	if (!interval_take(b, q, &relaxed))
		return NULL;
	for (guint i = 0; i < b->dims->len; i++)
		interval_dim_at(b, i)->found = values[interval_dim_at(b, i)->number];
	return found_holds(b) ? interval_witness(b, effort) : NULL;
}

enum smt_answer interval_core(struct interval_solver *b, const struct encoding_question *q,
			      uint64_t effort, GArray *core)
{
	enum smt_answer answer = SMT_UNSAT;
	GHashTableIter i;
	gpointer selector;
	unsigned relaxed;

	b->core = g_hash_table_new(NULL, NULL);
	b->question += 2;
	if (interval_take(b, q, &relaxed))
		answer = look_at_the_last(b, relaxed, DEF_READS_POORLY, effort);
	g_hash_table_iter_init(&i, b->core);
	while (answer == SMT_UNSAT && g_hash_table_iter_next(&i, &selector, NULL)) {
		unsigned number = GPOINTER_TO_UINT(selector);

		g_array_append_val(core, number);
	}
	g_clear_pointer(&b->core, g_hash_table_destroy);
	return answer;
}
