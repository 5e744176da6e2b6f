/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the name of a C++ function in a program's symbols tells of its arguments (Itanium C++ ABI,
 * 5.1): registers behind the last argument have what was left in them, so what they point to is
 * not the function's business.
 */
#ifndef SOLVER_LIBRARY_MANGLED_H
#define SOLVER_LIBRARY_MANGLED_H

#include <stdbool.h>
#include <stddef.h>

enum { MANGLED_UNKNOWN = 6 };

/* How many of the six general registers for arguments the function uses at most; MANGLED_UNKNOWN
 * when the name does not tell. */
unsigned mangled_registers(const char *name);
/* The letter by which the ABI says of which plain type a whole number is that the function gets in
 * the argument-th of the general registers, from 1; the object of a member function is in the
 * first.  0 = it is none, or the name does not tell. */
char mangled_number(const char *name, unsigned argument);
/* The name as people write it, without scopes, arguments, and arguments of templates: `push_back',
 * `operator<<', `sort' for `sort<int*>'; of a constructor, its class.  name: of a symbol, or of the
 * debug information; one that tells nothing stays as it is.  Free it. */
char *mangled_words(const char *name);
/* Is it the name of a function in a class or namespace?  In a class, the first argument of the
 * function is the object.
 */
bool mangled_is_member(const char *name);

#endif
