/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One test while it runs. */
#ifndef GDBEXT_SUITE_TASK_H
#define GDBEXT_SUITE_TASK_H

#include "gdbext/suite/pool.h"

struct task {
	struct pool *pool;
	unsigned index;
	const struct suite_test *test;
	struct suite_command command; /* of the golden program first, if there is one */
	struct suite_process *process;
	char *folder;		    /* of its process; NULL = none */
	struct suite_end reference; /* what it is compared with */
	guint8 key[SUITE_KEY];
	/* Its profile: from the cache, put aside, or, where both are NULL, a file in folder. */
	GBytes *profile, *packed;
	guint32 size;	    /* of packed, unpacked */
	char *fault;	    /* why it is left out; NULL = it is not */
	bool short_timeout; /* it got less time than .run_timeout */
	bool ready;	    /* to be folded */
};

struct task *task_new(struct pool *p, unsigned index);
void task_free(struct task *t);

/* Makes the folder, and the environment of the process that is to be started next. */
char **task_environ(struct task *t, bool golden, GError **error);
void task_close_folder(struct task *t);
/* Keeps the profile of a finished test in little memory, without its folder. */
void task_put_aside(struct task *t);
/* Where the profile is written.  Free it. */
char *task_profile(const struct task *t);

#endif
