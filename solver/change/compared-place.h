/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place whose value an instruction compares with a constant, for equality.  When the
 * constant is wrong, the right one is often among the values that runs had in that place. */
#ifndef SOLVER_CHANGE_COMPARED_PLACE_H
#define SOLVER_CHANGE_COMPARED_PLACE_H

#include "solver/change/guard/watch.h"
#include "solver/image/image.h"

/* addr: link-time, of the instruction.  *out has no .text and no .type.  False: it compares no such
 * thing. */
bool compared_place(const struct image *im, uint64_t addr, struct watch *out);

#endif
