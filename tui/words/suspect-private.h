/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What suspect-change.c and suspect-words.c share. */
#ifndef TUI_WORDS_SUSPECT_PRIVATE_H
#define TUI_WORDS_SUSPECT_PRIVATE_H

#include "solver/explanation.h"

/* The values of the statement's changed executions in their order, where they differ: "6, 11, 10";
 * otherwise NULL. */
char *suspect_values_in_turn(const struct explanation_suspect *s, unsigned statement, bool witness);

#endif
