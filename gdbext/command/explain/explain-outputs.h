/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the test prints with each proven change, for the page: one more run for each of them. */
#ifndef GDBEXT_COMMAND_EXPLAIN_EXPLAIN_OUTPUTS_H
#define GDBEXT_COMMAND_EXPLAIN_EXPLAIN_OUTPUTS_H

#include "gdbext/question/question.h"

/* Fills in .printed of the suspects, as far as runs can be made and the question's time goes. */
void explain_outputs_add(struct question *q);

#endif
