/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where in a run a question is asked: the n-th time that control comes to a line or
 * into a function, as a breakpoint with an ignore count would stop there.
 *
 *     list.c:40      list.c:40:3      insert      insert:2      insert+12:2      exit
 *
 * insert+12 is an instruction, 12 bytes into the function's code.  exit is the end of a
 * run that exits: the call of exit, or main's return.
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
	GArray *places;	  /* uint64_t: link-time addresses, one for each function */
	uint64_t count;	  /* from 1 */
	char *text;	  /* "list.c:40" */
	bool instruction; /* it was named by FUNCTION+BYTES */
};

/* Each error is a sentence that says what to do. */
bool stop_find(struct image *const *images, size_t n_images, const char *text, struct stop *out,
	       GError **error);
/* The stop at a line of a file; file: its name, the end of its path, or all of it. */
bool stop_find_line(struct image *const *images, size_t n_images, const char *file, unsigned line,
		    struct stop *out, GError **error);
/* The stop where runs exit; false with an error when no code of the images exits. */
bool stop_find_exit(struct image *const *images, size_t n_images, struct stop *out, GError **error);
/* The register that holds the exit status before this instruction, which is a call of such a
 * function or main's return; -1 = it is neither. */
int stop_status_register(const struct image *im, uint64_t link);
void stop_clear(struct stop *s);
bool stop_is_at(const struct stop *s, const struct image *im, uint64_t link);

#endif
