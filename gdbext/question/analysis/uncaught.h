/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A C++ exception that nobody caught ends the program by SIGABRT, somewhere below std::terminate,
 * which says on standard error what it was:
 *
 *     terminate called after throwing an instance of 'std::out_of_range'
 *       what():  map::at
 *
 * The failure is told by that, and by the innermost line that is the user's own:
 *
 *     uncaught exception std::out_of_range (SIGABRT): "map::at", at shop.cpp:31 in price_of
 */
#ifndef GDBEXT_QUESTION_ANALYSIS_UNCAUGHT_H
#define GDBEXT_QUESTION_ANALYSIS_UNCAUGHT_H

#include "gdbext/question/question.h"

/* Tells q's failure, which failure_describe has filled in, so; does nothing when the test ended
 * otherwise, or when std::terminate said nothing. */
void uncaught_describe(struct question *q);

#endif
