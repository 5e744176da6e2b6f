/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/alternatives.h"

#include "solver/rank/order.h"

static void number_alternatives(struct alternatives *a, const struct units *u)
{
	a->predicate = g_new(unsigned, a->n_outcomes + a->n_sequences);
	for (unsigned i = 0; i < a->n_sequences; i++) {
		unsigned p = g_array_index(u->sequences, struct unit_sequence, i).predicate;
		a->sequence[i] = a->n;
		a->of_predicate[p]++;
		a->predicate[a->n++] = p;
	}
	for (unsigned i = 0; i < a->n_outcomes; i++) {
		unsigned p = g_array_index(u->outcomes, unsigned, i);
		const struct unit_predicate *predicate =
			&g_array_index(u->predicates, struct unit_predicate, p);
		bool has_sequences = i == predicate->first ? a->of_predicate[p] > 0
							   : a->outcome[i - 1] == UNIT_NONE;
		a->outcome[i] = has_sequences ? UNIT_NONE : a->n;
		if (has_sequences)
			continue;
		a->of_predicate[p]++;
		a->predicate[a->n++] = p;
	}
}

struct alternatives *alternatives_new(const struct units *u, enum predicate_view view)
{
	struct alternatives *a = g_new0(struct alternatives, 1);

	a->n_predicates = u->predicates->len;
	a->n_outcomes = u->outcomes->len;
	a->n_sequences = view == PREDICATE_SEQUENCES ? u->sequences->len : 0;
	a->of_predicate = g_new0(unsigned, a->n_predicates);
	a->outcome = g_new(unsigned, a->n_outcomes);
	a->sequence = g_new(unsigned, a->n_sequences);
	number_alternatives(a, u);
	a->times = g_new(guint64, a->n);
	a->total = g_new(guint64, a->n_predicates);
	return a;
}

void alternatives_free(struct alternatives *a)
{
	if (!a)
		return;
	g_free(a->predicate);
	g_free(a->of_predicate);
	g_free(a->outcome);
	g_free(a->sequence);
	g_free(a->times);
	g_free(a->total);
	g_free(a);
}

static void load_kind(struct alternatives *a, struct spectrum_row row, const unsigned *alternative,
		      unsigned n)
{
	while (spectrum_next(&row)) {
		unsigned i = row.unit < n ? alternative[row.unit] : UNIT_NONE;
		if (i == UNIT_NONE)
			continue;
		a->times[i] += row.times;
		a->total[a->predicate[i]] += row.times;
	}
}

void alternatives_load(struct alternatives *a, const struct spectrum *s, unsigned test)
{
	for (unsigned i = 0; i < a->n; i++)
		a->times[i] = 0;
	for (unsigned i = 0; i < a->n_predicates; i++)
		a->total[i] = 0;
	load_kind(a, spectrum_row(s, test, SPECTRUM_OUTCOME), a->outcome, a->n_outcomes);
	load_kind(a, spectrum_row(s, test, SPECTRUM_SEQUENCE), a->sequence, a->n_sequences);
}

void predicates_settle(struct predicate_score *scores, unsigned n)
{
	g_autofree double *score = g_new(double, n);

	for (unsigned i = 0; i < n; i++)
		score[i] = scores[i].score;
	order_settle(score, n);
	for (unsigned i = 0; i < n; i++)
		scores[i].score = score[i];
}
