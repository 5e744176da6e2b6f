/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where in a run a question is asked: the n-th time that control comes to a line
 * or into a function, as a breakpoint with an ignore count would stop there.
 *
 *     list.c:40      list.c:40:3      insert      insert:2      insert+12:2      exit
 *
 * The fifth is an instruction, so many bytes into the function's code; the last is the
 * end of a run that exits: the call of exit, or main's return.
 */
#ifndef SOLVER_SOURCE_STOP_H
#define SOLVER_SOURCE_STOP_H

#include "solver/image/image.h"

#define STOP_ERROR stop_error_quark()
GQuark stop_error_quark(void);
enum stop_error {
	STOP_ERROR_PLACE,   /* no such file, line, function or count */
	STOP_ERROR_REACHED, /* the run does not come there so often */
};

struct stop {
	const struct image *image;
	GArray *places; /* uint64_t: link-time addresses, one a function */
	uint64_t count; /* from 1 */
	char *text;	/* "list.c:40" */
};

/* Each error is a sentence that says what to do. */
bool stop_find(struct image *const *images, size_t n_images, const char *text, struct stop *out,
	       GError **error);
/* The line of a file; file: its last name, the end of its path, or all of it. */
bool stop_find_line(struct image *const *images, size_t n_images, const char *file, unsigned line,
		    struct stop *out, GError **error);
/* Where runs exit; false with an error when no code of the images does. */
bool stop_find_exit(struct image *const *images, size_t n_images, struct stop *out, GError **error);
/* The register that holds the exit status before the instruction there, a call of such a
 * function or main's return; -1 = it is neither. */
int stop_status_register(const struct image *im, uint64_t link);
void stop_clear(struct stop *s);
bool stop_is_at(const struct stop *s, const struct image *im, uint64_t link);

#endif
