/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer as JSON, schema version 1: tests/answer.schema.json.  Every field
 * is always present; what is not known is null.  Counters above 2^53 - 1, which
 * a reader that has only doubles would round, are strings of digits.
 */
#ifndef SOLVER_ANSWER_JSON_JSON_H
#define SOLVER_ANSWER_JSON_JSON_H

#include "solver/cause/cause.h"
#include "solver/explanation.h"

/* Gives a document of several lines that ends in a newline; free it. */
char *tui_json(const struct explanation *e);
/* The same on one line. */
char *tui_json_line(const struct explanation *e);
/* The same for a tree of causes: tests/causes.schema.json. */
char *tui_json_causes(const struct cause_tree *t, const char *question);

#endif
