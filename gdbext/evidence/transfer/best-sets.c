/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/transfer/best-sets.h"

static bool is_best_set(const struct best_sets *b, unsigned set)
{
	return set < b->limits->joint_best || joint_size(b->joint, set) == 1;
}

bool best_sets_are_explained(const struct best_sets *b, const struct explanation *covered,
			     const struct explanation *also)
{
	for (unsigned i = 0; i < joint_sets(b->joint); i++)
		if (is_best_set(b, i) && !joint_is_explained(b->joint, i, covered) &&
		    !(also && joint_is_explained(b->joint, i, also)))
			return false;
	return true;
}

bool best_sets_of_one_line(const struct best_sets *b, const struct explanation *covered)
{
	for (unsigned i = 0; i < joint_sets(b->joint); i++)
		if (joint_size(b->joint, i) == 1 && !joint_is_explained(b->joint, i, covered))
			return true;
	return false;
}

bool best_sets_are_settled(const struct best_sets *b, const struct explanation *covered)
{
	bool explained = false;
	bool open = false;

	for (unsigned i = 0; i < joint_sets(b->joint); i++) {
		if (!is_best_set(b, i))
			continue;
		if (!joint_is_explained(b->joint, i, covered))
			open |= joint_size(b->joint, i) <= b->limits->size / 2;
		else if (joint_size(b->joint, i) == 1 && b->one_line_is_enough)
			return true;
		else
			explained = true;
	}
	return explained && !open;
}

GHashTable *best_sets_to_ask(const struct best_sets *b, const struct explanation *covered,
			     bool one_line, unsigned *size)
{
	GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	*size = 0;
	for (unsigned i = 0; i < joint_sets(b->joint); i++) {
		if (!is_best_set(b, i) || joint_is_explained(b->joint, i, covered) ||
		    (one_line && joint_size(b->joint, i) > 1))
			continue;
		joint_add_lines(b->joint, i, lines);
		*size = MAX(*size, joint_size(b->joint, i));
	}
	return lines;
}
