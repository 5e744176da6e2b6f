/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --require 'FILE:LINE[:COUNT] COND': an assertion without touching the source. */
#ifndef GDBEXT_QUESTION_USER_REQUIREMENT_H
#define GDBEXT_QUESTION_USER_REQUIREMENT_H

#include "gdbext/question/question.h"

/* For question_start: the run where the condition of --require does not hold, for the first time
 * unless the user says which.  arg: a struct stop, which is filled and must outlive q. */
question_require_fn user_requirement;

#endif
