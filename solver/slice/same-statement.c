/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/slice/same-statement.h"

#include <string.h>

static const struct image_statement *statement_of_index_insn(const struct reverse_index_insn *info)
{
	const struct image *im = info->module->image;
	const struct image_row *row = image_row_at(im, info->insn->addr);

	return row ? image_statement(im, row->statement) : NULL;
}

bool slice_is_inside_of_statement(struct reverse_index *h, const struct reverse_index_place *place,
				  uint64_t step, uint64_t writer)
{
	struct reverse_index_step a, b;
	const struct reverse_index_insn *of_a, *of_b;
	const struct image_statement *x, *y;

	if (place->memory || step >= reverse_index_steps(h))
		return false;
	a = *reverse_index_at(h, writer);
	b = *reverse_index_at(h, step);
	of_a = reverse_index_insn_of(h, &a);
	of_b = reverse_index_insn_of(h, &b);
	x = statement_of_index_insn(of_a);
	y = statement_of_index_insn(of_b);
	return a.depth == b.depth && of_a->pc < of_b->pc && x && y && x->line == y->line &&
	       strcmp(x->file, y->file) == 0;
}
