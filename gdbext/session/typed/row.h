/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `why 4' goes on from row 4 of the last answer.  The question is asked again, with all the rows
 * that were chosen so far:
 *
 *     why b                  its row 4:   why --row 4 b
 *     why --row 4 b          its row 2:   why --row 4.2 b
 */
#ifndef GDBEXT_SESSION_TYPED_ROW_H
#define GDBEXT_SESSION_TYPED_ROW_H

#include <glib.h>
#include <stdbool.h>

bool row_is_number(const char *text);
/* What stands behind options of the question: "b" of "-d 6 --all b". */
const char *row_behind_options(const char *text);
/* The question that goes on from a row of the answer to the last one; free it. */
char *row_question(const char *last, const char *number);
/* What a question is about, as one text: the run and the stop.  stop: char *, the options of
 * `gdb-why ask' that lead there.  Free it. */
char *row_about(const GPtrArray *stop, const char *run);

#endif
