/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the code of each source line does, as a number that does not depend on where the code and
 * the data lie.  So the same line in two builds has the same number when the compiler made the same
 * of it: `return (x);' of `return x;', say.  Different numbers mean nothing more than that: a local
 * variable more gives all lines of its function other offsets on the stack.
 */
#ifndef SOLVER_IMAGE_LINE_CODE_H
#define SOLVER_IMAGE_LINE_CODE_H

#include <glib.h>
#include <stdint.h>

struct image;

struct image_line_code {
	const char *file; /* as the statements of the image have it; theirs */
	unsigned line;
	uint64_t code;
};

/* Of all lines with code, in no order; struct image_line_code, free with g_array_unref. */
GArray *image_line_codes(const struct image *im);

#endif
