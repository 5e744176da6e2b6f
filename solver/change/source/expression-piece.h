/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The code that puts another value where a line stores, returns or passes one.  Both functions are
 * false when the piece has no room for it.
 */
#ifndef SOLVER_CHANGE_SOURCE_EXPRESSION_PIECE_H
#define SOLVER_CHANGE_SOURCE_EXPRESSION_PIECE_H

#include "solver/change/code/code-piece.h"
#include "solver/change/code/code-value.h"
#include "solver/change/code/value-site.h"

/* How the other expression gets into the value. */
enum expression_way { INSTEAD, ADDED, SUBTRACTED, SUBTRACTED_FROM, TIMES, WHERE_ZERO, WAYS };

bool expression_piece_write(struct code_piece *c, const struct value_site *site,
			    const struct code_value *v, enum expression_way way);
/* The code (size bytes) makes the new value in rax of the present one there. */
bool expression_piece_apply(struct code_piece *c, const struct value_site *site,
			    const uint8_t *code, size_t size);

#endif
