/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/handed.h"

static bool is_returned(const struct slice_instance *i)
{
	return i->effect && !i->decides && !i->place.memory && i->user > i->step &&
	       (i->place.reg == TRACE_RAX || i->place.reg == TRACE_XMM0);
}

uint64_t handed_by_call(struct reverse_index *index, const struct slice_instance *i, uint64_t at)
{
	uint32_t depth, user;
	uint64_t call;

	if (!is_returned(i) || at == UINT64_MAX)
		return UINT64_MAX;
	depth = reverse_index_at(index, at)->depth;
	user = reverse_index_at(index, i->user)->depth;
	if (depth <= user + 1)
		return UINT64_MAX;
	reverse_index_find_branch(index, at, depth, NULL, 0, &call);
	return call;
}
