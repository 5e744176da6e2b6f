/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The failing moment: the recorded run, re-computed to its last step, so that
 * what the program held when it failed can be asked for by name.
 */
#ifndef SOLVER_MOMENT_H
#define SOLVER_MOMENT_H

#include "solver/explanation.h"
#include "solver/image/image.h"

struct moment;

/* record: of the failing run; thread: the one that failed; line: where, 0 = not
 * known (then the results of calls there are not either).  images must outlive
 * it. */
struct moment *moment_new(struct image *const *images, size_t n_images, const char *record,
			  unsigned thread, unsigned line, GError **error);
void moment_free(struct moment *m);

/* The frame that failed, at the call that said so. */
const struct image_frame *moment_frame(const struct moment *m);
/* The statement that failed, NULL where its code has no line. */
const struct image_statement *moment_statement(const struct moment *m);
/* The image that holds a runtime address, NULL = none; *bias is the module's. */
const struct image *moment_image_at(const struct moment *m, uint64_t pc, uint64_t *bias);
/* Instructions before those, of which there is no record. */
uint64_t moment_left_out(const struct moment *m);
uint64_t moment_instructions(const struct moment *m); /* of that thread */
unsigned moment_threads(const struct moment *m);      /* that ran traced code */

/* Appends the values of the parts of a condition to values (struct
 * explanation_value), those that are known. */
void moment_values(const struct moment *m, struct explanation *e, const char *condition,
		   GArray *values);

#endif
