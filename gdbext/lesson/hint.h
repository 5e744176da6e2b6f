/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hints: a question to look at, the place, the reason.  Each costs more than the one before. */
#ifndef GDBEXT_LESSON_HINT_H
#define GDBEXT_LESSON_HINT_H

#include "gdbext/lesson/variant.h"

/* Hint number n, from 1 to LESSON_HINTS; free it. */
char *lesson_hint(const struct lesson_variant *v, unsigned n);

#endif
