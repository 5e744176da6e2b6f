/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/lines.h"

#include "solver/rank/order.h"

void lines_from_statements(const struct units *u, const double *statements, double *lines)
{
	g_autofree bool *has_any = g_new0(bool, u->lines->len);
	double lowest = 0;

	for (unsigned i = 0; i < u->statements->len; i++) {
		unsigned l = g_array_index(u->statements, struct unit_statement, i).line;
		lines[l] = has_any[l] ? MAX(lines[l], statements[i]) : statements[i];
		has_any[l] = true;
		lowest = MIN(lowest, statements[i]);
	}
	for (unsigned l = 0; l < u->lines->len; l++)
		if (!has_any[l])
			lines[l] = lowest - MAX(1, -lowest);
}

/* Neighbours of each statement: at[first[i]] … at[first[i + 1] - 1]. */
struct neighbours {
	unsigned *first, *at;
};

static void neighbours_init(struct neighbours *n, const struct units *u)
{
	const struct unit_dependence *d = (const struct unit_dependence *)u->dependences->data;
	unsigned n_statements = u->statements->len, n_dependences = u->dependences->len;
	g_autofree unsigned *next = g_new(unsigned, n_statements);

	n->first = g_new0(unsigned, n_statements + 1);
	n->at = g_new(unsigned, (gsize)2 * n_dependences);
	for (unsigned i = 0; i < n_dependences; i++) {
		n->first[d[i].a + 1]++;
		n->first[d[i].b + 1]++;
	}
	for (unsigned i = 0; i < n_statements; i++) {
		n->first[i + 1] += n->first[i];
		next[i] = n->first[i];
	}
	for (unsigned i = 0; i < n_dependences; i++) {
		n->at[next[d[i].a]++] = d[i].b;
		n->at[next[d[i].b]++] = d[i].a;
	}
}

static void neighbours_deinit(struct neighbours *n)
{
	g_free(n->first);
	g_free(n->at);
}

/* Takes the best predicates that some test reached, and those that are equal to the last of
 * them; returns their number. */
static unsigned choose_predicates(const struct predicate_score *predicates, unsigned n,
				  unsigned best, unsigned *chosen)
{
	g_autofree double *scores = g_new(double, n);
	g_autofree unsigned *reached = g_new(unsigned, n), *sorted = g_new(unsigned, n);
	unsigned n_reached = 0, n_chosen = 0;

	for (unsigned p = 0; p < n; p++) {
		if (!predicates[p].reached)
			continue;
		reached[n_reached] = p;
		scores[n_reached++] = predicates[p].score;
	}
	order_sort(scores, n_reached, sorted);
	for (unsigned i = 0; i < n_reached; i++) {
		if (i >= best && scores[sorted[i]] != scores[sorted[i - 1]])
			break;
		chosen[n_chosen++] = reached[sorted[i]];
	}
	return n_chosen;
}

void lines_search(const struct units *u, const struct predicate_score *predicates, unsigned best,
		  double *statements)
{
	unsigned n = u->predicates->len;
	g_autofree unsigned *chosen = g_new(unsigned, n);
	g_autofree unsigned *queue = g_new(unsigned, u->statements->len);
	unsigned n_chosen = best ? choose_predicates(predicates, n, best, chosen) : 0, end = 0;
	struct neighbours near;

	neighbours_init(&near, u);
	for (unsigned i = 0; i < u->statements->len; i++)
		statements[i] = 0;
	for (unsigned i = 0; i < n_chosen; i++) {
		unsigned s =
			g_array_index(u->predicates, struct unit_predicate, chosen[i]).statement;
		if (statements[s] == 0)
			queue[end++] = s;
		statements[s] = 1;
	}
	for (unsigned i = 0; i < end; i++) {
		for (unsigned k = near.first[queue[i]]; k < near.first[queue[i] + 1]; k++) {
			unsigned to = near.at[k];
			if (statements[to] != 0)
				continue;
			statements[to] = 1 / (1 / statements[queue[i]] + 1);
			queue[end++] = to;
		}
	}
	neighbours_deinit(&near);
}
