/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records: the lines that GDB says over its machine interface.
 *
 *     12^done,value="4"                   a result, token 12
 *     *stopped,reason="exited-normally"   exec: the program's state changed
 *     +download,section=".text"           status: progress
 *     =library-loaded,id="..."            notify: something else changed
 *     ~"text"  @"text"  &"text"           console, target and log streams
 *     (gdb)                               the prompt
 *
 * Everything else that comes in is MI_TARGET_OUTPUT: what a program, a shell or
 * a library printed to the same pipe.  It is an event like any other.
 */
#ifndef MI_RECORD_H
#define MI_RECORD_H

#include "mi/value.h"

#include <stdio.h>

enum mi_record_kind {
	MI_RESULT,
	MI_EXEC,
	MI_STATUS,
	MI_NOTIFY,
	MI_CONSOLE,
	MI_TARGET,
	MI_LOG,
	MI_PROMPT,
	MI_TARGET_OUTPUT,
};

struct mi_record {
	enum mi_record_kind kind;
	bool has_token; /* when RESULT, EXEC, STATUS, NOTIFY */
	uint64_t token;
	char *class;		  /* when RESULT...NOTIFY: "done", "stopped"; else NULL */
	struct mi_value *results; /* when RESULT...NOTIFY: a tuple, never NULL; else NULL */

	/* when CONSOLE, TARGET, LOG: unescaped; when TARGET_OUTPUT: the bytes as
	 * they came, without the line feed.  Else NULL. */
	char *text;
	size_t length;
	bool ended; /* when TARGET_OUTPUT: a line feed followed */
};

void mi_record_free(struct mi_record *record);
typedef struct mi_record mi_record; /* for g_autoptr only */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mi_record, mi_record_free)

/* Is it a record of this kind and class? */
bool mi_record_is(const struct mi_record *record, enum mi_record_kind kind, const char *class);

bool mi_record_equal(const struct mi_record *a, const struct mi_record *b);

/* Appends the record as GDB would write it, line feed included; reading that
 * again gives an equal record. */
void mi_record_print(const struct mi_record *record, GString *to);

/* "result", "exec", ... */
const char *mi_record_kind_name(enum mi_record_kind kind);

/* One line for a person. */
void mi_record_dump(FILE *to, const struct mi_record *record);

#endif
