/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What known.c and known-flags.c share. */
#ifndef SOLVER_IMAGE_KNOWN_KNOWN_H
#define SOLVER_IMAGE_KNOWN_KNOWN_H

#include "solver/image/image.h"

/* How control comes to an instruction, but from the one before it; bits. */
enum known_start {
	KNOWN_START = 1,	       /* by a jump of its function, or behind a piece's end */
	KNOWN_START_OPEN = 2,	       /* from a place that we do not know */
	KNOWN_START_BEHIND_BRANCH = 4, /* the instruction before it is a conditional branch */
};

/* Sets TRACE_INSN_INFERRED, TRACE_INSN_FLAGS_DEAD and TRACE_MEM_MIRRORED.  starts: by instruction,
 * enum known_start. */
void known_mark_flags(struct image *im, const uint8_t *starts);

#endif
