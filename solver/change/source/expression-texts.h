/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expressions that the source of a function has, as text: what a change of it can be made of.
 *
 *     d = a[i + 1] * k;        d, a[i + 1] * k, a[i + 1], i + 1, i, k
 */
#ifndef SOLVER_CHANGE_SOURCE_EXPRESSION_TEXTS_H
#define SOLVER_CHANGE_SOURCE_EXPRESSION_TEXTS_H

#include "solver/image/image.h"
#include "solver/limits/limits.h"
#include "solver/source/source.h"

struct expression_texts;

/* im and limits are not owned. */
struct expression_texts *expression_texts_new(const struct image *im, const struct limits *limits);
void expression_texts_free(struct expression_texts *x);

/* char *, in the order of the source, short ones before those that they begin, first of all "1".
 * Each is there once.  x's. */
const GPtrArray *expression_texts_of(struct expression_texts *x, const struct image_function *f);
/* The files that were read for them; x's. */
struct sources *expression_texts_sources(const struct expression_texts *x);

#endif
