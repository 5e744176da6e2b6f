/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which check of a plan comes first, and which come too late to be kept. */
#include "solver/output/plan-private.h"

static gint earlier_first(gconstpointer a, gconstpointer b)
{
	const struct output_check *x = a, *y = b;

	return x->step < y->step ? -1 : x->step > y->step;
}

/* Texts may be made in another order than they are printed in. */
void plan_put_in_order(struct output_plan *plan)
{
	g_array_sort(plan->checks, earlier_first);
	for (guint i = 0; i < plan->checks->len; i++)
		if (!g_array_index(plan->checks, struct output_check, i).keeps) {
			const struct output_check *c =
				&g_array_index(plan->checks, struct output_check, i);

			plan->first = i;
			plan->call = c->call;
			plan->step = c->step;
			return;
		}
}

/* Behind those that stand at that call. */
static void leave_out_behind(struct output_plan *plan, guint n)
{
	while (n < plan->checks->len && n > 0) {
		const struct output_check *last =
			&g_array_index(plan->checks, struct output_check, n - 1);

		if (g_array_index(plan->checks, struct output_check, n).step != last->step)
			break;
		n++;
	}
	if (n < plan->checks->len)
		plan->at_end = false;
	g_array_set_size(plan->checks, n);
}

void plan_leave_out_late_checks(struct output_plan *plan, uint64_t steps)
{
	guint n = plan->first == G_MAXUINT ? plan->checks->len : plan->first;

	while (n < plan->checks->len &&
	       g_array_index(plan->checks, struct output_check, n).step <= plan->step + steps)
		n++;
	leave_out_behind(plan, n);
}

void output_plan_keep_first(struct output_plan *plan)
{
	if (plan->first >= plan->checks->len)
		return;
	leave_out_behind(plan, plan->first + 1);
	/* text that is missing at the end is behind it, too */
	plan->at_end = false;
}
