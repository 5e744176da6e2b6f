/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code of one or several statements that is executed at another place of its function, with the
 * branches that it has. */
#ifndef SOLVER_CHANGE_MOVED_MOVED_CODE_H
#define SOLVER_CHANGE_MOVED_MOVED_CODE_H

#include "solver/change/source/mutant-maker.h"

/* The statements that are moved, and their code: [from, to). */
struct moved {
	const struct image_function *function;
	const struct source *source;
	struct source_span span;
	uint64_t from, to;
	unsigned first, last; /* lines */
	/* Where two variables of the frame lie, from rbp, that are exchanged in the copy, and their
	 * size; 0: none are. */
	int64_t exchanged[2];
	uint64_t size;
};

const struct trace_insn *moved_insn_behind(const struct image *im, const struct trace_insn *insn);
/* 0 = it has none. */
unsigned moved_line_at(const struct image *im, uint64_t addr);
/* The code of .span that begins at .from; sets .to and the lines. */
bool moved_find_code(struct mutant_maker *x, struct moved *m);
/* One of kind MUTANT_ORDER. */
struct mutant moved_mutant_at(const struct trace_insn *insn, struct code_piece *piece,
			      const char *words);
/* The code is executed before the instruction at `where', too; false: it cannot be.  words: copied.
 */
bool moved_execute_before(struct mutant_maker *x, const struct moved *m, uint64_t where,
			  const char *words, struct mutant *out);

#endif
