/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the engine: another gdb-why, which ends when we do. */
#ifndef GDBEXT_LESSON_ENGINE_H
#define GDBEXT_LESSON_ENGINE_H

#include "solver/explanation.h"

/* The answer of `gdb-why explain WORDS...' (NULL-terminated).  NULL with a sentence. */
struct explanation *lesson_explain(char *const *words, GError **error);

#endif
