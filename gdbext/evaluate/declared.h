/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faulty lines that have no code: a macro, the initialiser of a table, a member of a structure, an
 * enumerator, the size of an array.  No technique can name them, so the lines that use what they
 * declare stand for them.  Example:
 *
 *     5   #define HEAVY 500
 *     6   static const int prices[] = { 40,
 *     7                                 60 };
 *     8   if (grams > HEAVY)                      stands for line 5
 *     9           price = prices[1];              stands for lines 6 and 7
 *
 * This is no parser of C (solver/source/source.h): a name means what it is called, wherever.
 */
#ifndef GDBEXT_EVALUATE_DECLARED_H
#define GDBEXT_EVALUATE_DECLARED_H

#include "solver/source/source.h"

/* The names that the declaration on this line declares: those on the line, or else the last one
 * before it.  Of a line within a declaration of several lines, too.  char *, owned. */
GPtrArray *declared_names(const struct source *s, unsigned line);
/* The line on which the declaration or statement around the line begins. */
unsigned declared_begin(const struct source *s, unsigned line);
/* Does the line use one of the names?  Comments, literals and directives do not count, but for
 * macros: what one is made of. */
bool declared_is_used(const struct source *s, unsigned line, const GPtrArray *names);

#endif
