/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rounds in which the changes of lines are tried: the likeliest of all lines first. */
#include "gdbext/evidence/slips/slips-private.h"

#include "gdbext/evidence/slips/mended.h"

/* A change of a check that a sanitizer inserted mends nothing. */
static void drop_inserted(const struct slips *s, struct slip *slip)
{
	GHashTable *inserted = s->q->requirement->inserted;
	bool touches = false;

	for (guint i = 0; inserted && slip->actions && i < slip->actions->len; i++) {
		const struct trace_action *a =
			&g_array_index(slip->actions, struct trace_action, i);

		touches |= a->module < s->q->run.n_images &&
			   g_hash_table_contains(
				   inserted, image_insn_at(s->q->run.images[a->module], a->addr));
	}
	if (touches)
		slip_forget(slip);
}

/* No explanation will name the line, so it is tried with all. */
static bool is_in_no_formula(const struct near_line *l)
{
	return l->is_called_back || l->is_handing_on;
}

/* Many changes meet a check by chance, although nobody would have to make them. */
static double most_effort(const struct slips *s, const struct near_line *l)
{
	return s->expected || slips_are_of_several(s) || is_in_no_formula(l) || s->tries_all
		       ? G_MAXDOUBLE
		       : (double)s->limits.slip_unnamed / 100;
}

/* The lines are tried in rounds: the least slips of each come before rarer ones of any, and no line
 * takes the time of all others.  Of the nearest lines all slips come before the rarer ones of
 * others. */
enum round { ROUND_LEAST, ROUND_LESS, ROUND_PEN, ROUND_NEAR, ROUND_USUAL, ROUND_REST, ROUNDS };

/* In a long run, a loop beside the failure would cost its time in each of many runs.  Its likely
 * changes are tried nevertheless: a statement may set another variable than it should. */
static bool is_too_far(const struct slips *s, const struct near_line *l, enum round round)
{
	const struct question *q = s->q;

	return l->is_elsewhere && round != ROUND_LEAST && round != ROUND_LESS && q->index &&
	       reverse_index_steps(q->index) >= s->limits.slip_far_from;
}

/* A check is met by many constants by chance, all of the output by few.  One value of a function
 * that qsort calls changes nothing. */
static bool is_tried(const struct slips *s, const struct near_line *l, enum round round)
{
	if (s->expected || slips_are_of_several(s) || is_in_no_formula(l) || s->tries_all)
		return true;
	return !is_too_far(s, l, round) && (round == ROUND_LEAST || round == ROUND_LESS ||
					    round == ROUND_PEN || round == ROUND_USUAL);
}

static struct mutation_choice choice_of_round(const struct slips *s, const struct near_line *l,
					      enum round round)
{
	const struct limits *limits = &s->limits;
	const double most = most_effort(s, l);

	switch (round) {
	case ROUND_LEAST:
		return (struct mutation_choice){ MUTATION_COMMON, MUTATION_VARIABLES,
						 MIN(most, (double)limits->slip_round_least / 100),
						 limits->slip_line_runs };
	case ROUND_LESS:
		return (struct mutation_choice){ MUTATION_COMMON, MUTATION_VARIABLES,
						 MIN(most, (double)limits->slip_round_less / 100),
						 limits->slip_line_runs };
	case ROUND_PEN:
		return (struct mutation_choice){ MUTATION_COMMON, MUTATION_VARIABLES,
						 MIN(most, (double)limits->slip_unnamed / 100),
						 2 * limits->slip_line_runs };
	case ROUND_USUAL:
		return (struct mutation_choice){ MUTATION_COMMON, MUTATION_VARIABLES, most,
						 2 * limits->slip_line_runs };
	default:
		return (struct mutation_choice){ MUTATION_COMMON, MUTATION_REST, most, 0 };
	}
}

/* Once something likely mends all of the output, much rarer slips are not worth the time.  What the
 * line prints where it fails mends always. */
static double least_found(const struct slips *s)
{
	double least = G_MAXDOUBLE;

	for (guint i = 0; s->expected && i < s->found->len; i++) {
		const struct slip *slip = s->found->pdata[i];
		const struct image_statement *st = slip->line.statement;

		if (slip->change && !mended_where_it_fails(s->q->e, st->file, st->line))
			least = MIN(least, slip->effort);
	}
	return least;
}

static bool try_round(struct slips *s, struct mutation *m, struct slip *slip, enum round round,
		      GError **error)
{
	struct mutation_choice which = choice_of_round(s, &slip->line, round);

	which.below = MIN(which.below, least_found(s) + (double)s->limits.slip_margin / 100);
	if (slip->change || !is_tried(s, &slip->line, round))
		return true;
	if (!slips_look_at(s, m, slip, &which, error))
		return false;
	drop_inserted(s, slip);
	if (slip->change && slips_meet_check(s) && !s->q->o->thorough)
		mutation_leave_time(m, 1000 * s->limits.slip_enough_check_ms);
	slips_tell_early(s, slip);
	return true;
}

static guint lines_of_round(const struct slips *s, const GPtrArray *lines, enum round round)
{
	return round == ROUND_NEAR ? MIN(lines->len, (guint)s->limits.slip_near_lines) : lines->len;
}

/* In a large program, slips of the pen in all lines take all runs that there are, so all slips of
 * the nearest lines are tried in turns with them. */
static bool is_turn_of_near(const struct slips *s, enum round round, guint tried)
{
	return s->expected && round == ROUND_PEN && tried % s->limits.slip_near_each == 0;
}

static bool try_lines_once(struct slips *s, struct mutation *m, const GPtrArray *lines,
			   enum round round, GError **error)
{
	guint near = 0;
	bool ok = true;

	for (guint i = 0; ok && i < lines_of_round(s, lines, round); i++) {
		ok = try_round(s, m, lines->pdata[i], round, error);
		if (ok && is_turn_of_near(s, round, i + 1) &&
		    near < lines_of_round(s, lines, ROUND_NEAR))
			ok = try_round(s, m, lines->pdata[near++], ROUND_NEAR, error);
	}
	return ok;
}

bool slips_try_lines(struct slips *s, struct mutation *m, const GPtrArray *lines,
		     enum slips_rounds which, GError **error)
{
	/* a check is met by chance the more often the rarer a slip is, also near the failure */
	static const enum round by_output[ROUNDS] = { ROUND_LEAST, ROUND_LESS,	ROUND_PEN,
						      ROUND_NEAR,  ROUND_USUAL, ROUND_REST },
				by_check[ROUNDS] = { ROUND_LEAST, ROUND_LESS, ROUND_PEN,
						     ROUND_USUAL, ROUND_NEAR, ROUND_REST };
	const enum round *rounds = s->expected ? by_output : by_check;
	const guint n = which == SLIPS_ALL ? ROUNDS : which == SLIPS_COMMON ? ROUND_NEAR : 1;
	bool ok = true;

	for (guint k = 0; ok && k < n; k++) {
		mutation_postpone(m);
		ok = try_lines_once(s, m, lines, rounds[k], error);
		if (mutation_resume(m) && ok)
			ok = try_lines_once(s, m, lines, rounds[k], error);
	}
	return ok;
}
