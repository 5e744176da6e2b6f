/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The causes of a value or of a line, as an answer: the nearest rows, all of them with --all, or
 * what lies behind one of them:
 *
 *     --row 4       behind row 4
 *     --row 4.2     behind row 2 of what that prints
 */
#ifndef GDBEXT_COMMAND_ASK_TREE_H
#define GDBEXT_COMMAND_ASK_TREE_H

#include "gdbext/question/question.h"
#include "solver/cause/cause.h"

/* Unfolds the tree as q's options say, answers with it, and frees it.  Returns the exit status. */
int ask_tree(struct question *q, struct cause_tree *tree, GError **error);

/* The command that asks q's question again and goes further back; q's explanation keeps it. */
const char *ask_tree_deeper(const struct question *q);

/* Where an inlined function begins, debuggers are still in the line that calls it.  Does the stop
 * name that line, so that the function around is meant? */
bool ask_tree_is_around(const struct question *q, const struct stop *stop);
/* Gives what is asked about its value, and puts it into that line. */
void ask_tree_name(const struct question *q, const struct stop *stop, const char *value,
		   struct cause *asked);

#endif
