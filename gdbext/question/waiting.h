/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A test that does not end because it waits: in which calls, and for which locks of whom. */
#ifndef GDBEXT_QUESTION_WAITING_H
#define GDBEXT_QUESTION_WAITING_H

#include "gdbext/question/question.h"

/* A clause about each thread of q's failing run, such as "thread 2 waits in pthread_mutex_lock at
 * p.c:6 for `b', which thread 3 took at p.c:7"; NULL with error.  Caller frees. */
char *waiting_in_words(struct question *q, GError **error);

#endif
