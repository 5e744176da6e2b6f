/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grammar of one line, for parse.c: recursive descent over bytes that are
 * all there, no look at what came before.
 */
#ifndef MI_SYNTAX_H
#define MI_SYNTAX_H

#include "mi/record.h"

/* Reads all of line..end (no line feed) as one record.  NULL when it is no MI.
 * Never gives a prompt or target output. */
struct mi_record *mi_syntax_record(const char *line, const char *end);

/* Does a prompt begin at line?  Then *rest is what follows it and its blanks. */
bool mi_syntax_prompt(const char *line, const char *end, const char **rest);

/* Is this a record that GDB is known to say?  Among arbitrary text, only such
 * are believed. */
bool mi_syntax_is_usual(const struct mi_record *record);

#endif
