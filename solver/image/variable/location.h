/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of DWARF expressions; see image.h for frames and places. */
#ifndef SOLVER_IMAGE_VARIABLE_LOCATION_H
#define SOLVER_IMAGE_VARIABLE_LOCATION_H

#include "solver/image/image-private.h"
#include "solver/image/variable/variable.h"

/* frame_base: DW_AT_frame_base of the function, for DW_OP_fbreg; may be NULL. */
struct image_place location_evaluate(const struct image *im, const struct image_frame *frame,
				     Dwarf_Attribute *frame_base, const Dwarf_Op *ops, size_t n);

#endif
