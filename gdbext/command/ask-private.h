/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of `gdb-why ask' share: a question, and what is known where it is asked. */
#ifndef GDBEXT_COMMAND_ASK_PRIVATE_H
#define GDBEXT_COMMAND_ASK_PRIVATE_H

#include "gdbext/question/question.h"
#include "solver/source/expression/c-expression.h"

enum ask_kind { ASK_FAILURE, ASK_VALUE, ASK_NOT, ASK_LINE, ASK_NOT_LINE };

struct ask {
	struct question q;  /* first */
	struct options own; /* .program NULL: those of the user are taken as they are */
	enum ask_kind kind;
	const char *about; /* what follows the words of the question */
	struct stop stop;  /* .places NULL: where it failed */
	struct reverse_index *index;
	struct c_expression *expression;
	struct expression_code *code;
};

/* Sets error, which says how a question should be.  Returns false. */
bool ask_complain(GError **error, const char *message);
/* ask-line.c: answers `why line N' and `why not line N in f:2'; the exit status. */
int ask_line(struct ask *a, GError **error);

#endif
