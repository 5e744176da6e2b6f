/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the code of each source line does, as numbers that do not depend on where the code and the
 * data lie: one an instruction.  So the same lines in two builds have the same numbers when the
 * compiler made the same of them: `return (x);' of `return x;', say, or of one line what stood on
 * two.  Different numbers mean nothing more than that: a local variable more gives all lines of its
 * function other offsets on the stack.
 */
#ifndef SOLVER_REGRESS_TRACE_LINE_CODE_H
#define SOLVER_REGRESS_TRACE_LINE_CODE_H

#include <glib.h>
#include <stdint.h>

struct image;

struct image_line_code {
	const char *file; /* as the statements of the image have it; theirs */
	unsigned line;
	unsigned entry; /* the line where its function begins, in the same file; 0 = not known */
	uint64_t code;	/* of one instruction */
};

/* All instructions that stand on a line, in the order of their addresses: struct image_line_code.
 * Free with g_array_unref. */
GArray *image_line_codes(const struct image *im);

#endif
