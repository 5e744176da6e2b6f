/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which changes come first: those that were executed, near to where the two versions' runs differ.
 */
#include "gdbext/regress/coverage.h"

#include <math.h>

/* How the two runs differ in one file, on the lines that both versions have. */
struct differences {
	GArray *lines;	 /* unsigned: of the new version */
	GArray *weights; /* double: 0 = executed by one only, which says more than how often */
};

static void find_differences(const struct regress_changes *c, unsigned file,
			     const struct coverage *old, const struct coverage *newer,
			     double only_one, struct differences *d)
{
	const struct regress_file *f = g_ptr_array_index(c->files, file);

	d->lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
	d->weights = g_array_new(FALSE, FALSE, sizeof(double));
	for (unsigned l = 1; old && newer && f->old_lines && f->new_lines && l <= f->new_lines->len;
	     l++) {
		gint64 now = coverage_of(newer, f->new_path, l);
		unsigned then_line = now >= 0 ? regress_old_line(c, file, l) : 0;
		gint64 then = then_line ? coverage_of(old, f->old_path, then_line) : -1;
		double weight = !now != !then ? 0 : only_one;

		if (then < 0 || now == then)
			continue;
		g_array_append_val(d->lines, l);
		g_array_append_val(d->weights, weight);
	}
}

static double distance_to_difference(const struct differences *d, const struct regress_change *x)
{
	double best = INFINITY;

	for (guint i = 0; i < d->lines->len; i++) {
		unsigned l = g_array_index(d->lines, unsigned, i);
		double lines = l < x->new_first ? x->new_first - l
			       : l >= x->new_first + x->new_count
				       ? l - (x->new_first + MAX(x->new_count, 1)) + 1
				       : 0;

		best = MIN(best, lines + g_array_index(d->weights, double, i));
	}
	return best;
}

/* How often the most executed of the `count' lines from `first' on was executed; -1 = they have no
 * code. */
static gint64 most_executions(const struct coverage *c, const char *file, unsigned first,
			      unsigned count)
{
	gint64 most = -1;

	for (unsigned l = first; file && l < first + count; l++)
		most = MAX(most, coverage_of(c, file, l));
	return most;
}

/* Has it the same code before and after it? */
static bool has_same_code(const struct regress_change *x, const struct regress_file *f,
			  const struct coverage *old, const struct coverage *newer)
{
	guint64 now, then;

	if (x->kind != REGRESS_LINES)
		return false;
	now = coverage_code_of(newer, f->new_path, x->new_first, x->new_count);
	then = coverage_code_of(old, f->old_path, x->old_first, x->old_count);
	return now && now == then;
}

/* How often the function around a change was entered.  The first line of the change that has code
 * tells it. */
static gint64 entries_around_change(const struct coverage *c, const char *file, unsigned first,
				    unsigned count)
{
	gint64 entries = -1;

	for (unsigned l = first; l < first + count && entries < 0; l++)
		entries = coverage_entries_of(c, file, l);
	return entries;
}

/*
 * Do the branches on its lines decide otherwise than those on the old ones?  Then the runs part at
 * the change itself.  Not so where both ways are gone more often (or both less often) and the
 * function is entered more often (or less), too: then it may decide as before, and be called by
 * what does not.
 */
static bool turns_otherwise(const struct regress_change *x, const struct regress_file *f,
			    const struct coverage *old, const struct coverage *newer)
{
	guint64 now[2], then[2];

	if (x->kind != REGRESS_LINES)
		return false;
	coverage_ways_of(newer, f->new_path, x->new_first, x->new_count, now);
	coverage_ways_of(old, f->old_path, x->old_first, x->old_count, then);
	if (!(now[0] + now[1]) || !(then[0] + then[1]) || now[0] * then[1] == now[1] * then[0])
		return false;
	if ((now[0] < then[0] && now[1] > then[1]) || (now[0] > then[0] && now[1] < then[1]))
		return true;
	return entries_around_change(newer, f->new_path, x->new_first, x->new_count) ==
	       entries_around_change(old, f->old_path, x->old_first, x->old_count);
}

static struct suspicion suspicion_of(const struct regress_changes *c, unsigned change,
				     const struct coverage *old, const struct coverage *newer,
				     const struct differences *d)
{
	const struct regress_change *x = regress_change_at(c, change);
	const struct regress_file *f = regress_file_of(c, change);
	struct suspicion s = { .change = change, .distance = INFINITY };
	gint64 now, then;

	if (x->kind == REGRESS_LINES) {
		now = most_executions(newer, f->new_path, x->new_first, x->new_count);
		then = most_executions(old, f->old_path, x->old_first, x->old_count);
		s.distance = distance_to_difference(d, x);
	} else {
		now = most_executions(newer, f->new_path, 1, f->new_lines ? f->new_lines->len : 0);
		then = most_executions(old, f->old_path, 1, f->old_lines ? f->old_lines->len : 0);
	}
	s.is_executed = now > 0 || then > 0;
	s.is_parted = now >= 0 && then >= 0 && !now != !then;
	s.is_same = has_same_code(x, f, old, newer);
	s.is_idle = s.is_executed && s.is_same;
	s.turns = s.is_executed && !s.is_idle && turns_otherwise(x, f, old, newer);
	s.is_source = !s.is_executed && now < 0 && then < 0 && regress_change_is_c(c, change);
	return s;
}

GArray *suspicions_new(const struct regress_changes *c, const struct coverage *old,
		       const struct coverage *newer, const struct limits *limits)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct suspicion));
	struct differences d = { 0 };
	unsigned file = G_MAXUINT;

	for (guint i = 0; i < regress_changes_count(c); i++) {
		struct suspicion s;

		if (regress_change_at(c, i)->file != file) {
			g_clear_pointer(&d.lines, g_array_unref);
			g_clear_pointer(&d.weights, g_array_unref);
			file = regress_change_at(c, i)->file;
			find_differences(c, file, old, newer, (double)limits->regress_only_one, &d);
		}
		s = suspicion_of(c, i, old, newer, &d);
		g_array_append_val(all, s);
	}
	g_clear_pointer(&d.lines, g_array_unref);
	g_clear_pointer(&d.weights, g_array_unref);
	return all;
}

static int compare_suspicions(gconstpointer a, gconstpointer b)
{
	const struct suspicion *x = a, *y = b;

	if (x->is_executed != y->is_executed)
		return x->is_executed ? -1 : 1;
	if (x->is_idle != y->is_idle)
		return x->is_idle ? 1 : -1;
	if (x->is_parted != y->is_parted)
		return x->is_parted ? 1 : -1;
	if (x->turns != y->turns)
		return x->turns ? -1 : 1;
	if (x->distance < y->distance || x->distance > y->distance)
		return x->distance < y->distance ? -1 : 1;
	return x->change < y->change ? -1 : x->change > y->change;
}

static unsigned suspicion_group_of(const struct suspicion *s)
{
	if (s->is_executed)
		return s->is_idle ? SUSPICION_IDLE : SUSPICION_ACTIVE;
	return s->is_source ? SUSPICION_SOURCES : SUSPICION_OTHERS;
}

GArray *suspicions_order(const GArray *suspicions, unsigned which)
{
	g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(struct suspicion));
	GArray *order = g_array_new(FALSE, FALSE, sizeof(unsigned));

	g_array_append_vals(sorted, suspicions->data, suspicions->len);
	g_array_sort(sorted, compare_suspicions);
	for (guint i = 0; i < sorted->len; i++) {
		const struct suspicion *s = &g_array_index(sorted, struct suspicion, i);

		if (suspicion_group_of(s) & which)
			g_array_append_val(order, s->change);
	}
	return order;
}
