/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/subset.h"

static unsigned shuffle_tests(const struct spectrum *s, unsigned seed, unsigned *order)
{
	GRand *random = g_rand_new_with_seed(seed);
	unsigned n = 0;

	for (unsigned i = 0; i < spectrum_n_tests(s); i++)
		if (spectrum_verdict(s, i) != SPECTRUM_IGNORED)
			order[n++] = i;
	for (unsigned i = n; i > 1; i--) {
		unsigned k = (unsigned)g_rand_int_range(random, 0, (gint32)i);
		unsigned other = order[k];

		order[k] = order[i - 1];
		order[i - 1] = other;
	}
	g_rand_free(random);
	return n;
}

/* Marks what the test executes.  Returns whether some of it was not marked before. */
static bool adds_coverage(const struct spectrum *s, unsigned test, GHashTable *covered)
{
	struct spectrum_row row = spectrum_row(s, test, SPECTRUM_STATEMENT);
	bool more = false;

	while (spectrum_next(&row))
		more |= g_hash_table_add(covered, GUINT_TO_POINTER(row.unit));
	return more;
}

unsigned subset_order(const struct spectrum *s, unsigned seed, unsigned *order)
{
	g_autoptr(GHashTable) covered = g_hash_table_new(NULL, NULL);
	unsigned n = shuffle_tests(s, seed, order);
	g_autofree unsigned *rest = g_new(unsigned, n + 1);
	unsigned first = 0, n_rest = 0;

	for (unsigned i = 0; i < n; i++) {
		if (adds_coverage(s, order[i], covered))
			order[first++] = order[i];
		else
			rest[n_rest++] = order[i];
	}
	for (unsigned i = 0; i < n_rest; i++)
		order[first + i] = rest[i];
	return n;
}

/* The place of the first test from `from' on with that verdict; to: there is none. */
static unsigned find_verdict(const enum spectrum_verdict *verdicts, const unsigned *order,
			     unsigned from, unsigned to, enum spectrum_verdict v)
{
	while (from < to && verdicts[order[from]] != v)
		from++;
	return from;
}

bool subset_take(struct spectrum *s, const enum spectrum_verdict *verdicts, const unsigned *order,
		 unsigned n, unsigned percent)
{
	unsigned size = MAX((unsigned)(((guint64)n * percent + 99) / 100), 2), last;
	static const enum spectrum_verdict both[] = { SPECTRUM_PASSED, SPECTRUM_FAILED };

	for (unsigned i = 0; i < G_N_ELEMENTS(both); i++)
		if (find_verdict(verdicts, order, 0, n, both[i]) == n)
			return false;
	last = size - 1;
	for (unsigned i = 0; i < G_N_ELEMENTS(both); i++)
		if (find_verdict(verdicts, order, 0, size, both[i]) == size)
			last = find_verdict(verdicts, order, size, n, both[i]);
	for (unsigned i = 0; i < n; i++)
		spectrum_set_verdict(s, order[i],
				     i < size - 1 || i == last ? verdicts[order[i]]
							       : SPECTRUM_IGNORED);
	return true;
}
