/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What -fsanitize=address puts into a program.  In front of an access, the compiler looks whether
 * the memory may be used, in the shadow: the byte at address / 8 + SHADOW_OFFSET says it of eight
 * bytes.  gcc, for four bytes at rax:
 *
 *     mov %rax,%rdx; shr $3,%rdx; add $0x7fff8000,%rdx; movzbl (%rdx),%edx; test %dl,%dl; ...
 *     je  ok; mov %rax,%rdi; call __asan_report_load4
 *
 * Functions with variables in memory write to the shadow at their beginnings and ends.
 */
#ifndef SOLVER_IMAGE_SHADOW_H
#define SOLVER_IMAGE_SHADOW_H

#include "solver/image/image.h"

/* The address space that the runtime reserves: the shadow of 47 bits, and its heap. */
#define SHADOW_RESERVED (20ull << 40)

/* Was the program built with -fsanitize=address? */
bool shadow_is_used(const struct image *im);
/* The value of -fsanitize= with which the program was built, if the runtime of that does not run
 * together with the recorder: "thread", for example.  NULL = there is none. */
const char *shadow_refused(const struct image *im);
/* The environment in which a program with AddressSanitizer or LeakSanitizer runs with a library
 * loaded before the runtime, which looks for no leaks (it would have to be its own debugger) and
 * finds no lines in debug information, which takes a quarter of a second.  Takes env and returns
 * it, as g_environ_setenv does; that of another program stays as it is. */
char **shadow_environ(const struct image *im, char **env);
/* Adds to set the instructions (const struct trace_insn *) that look at the shadow and decide by
 * it, or write it, and the calls of the runtime, also of -fsanitize=undefined.  They are the
 * compiler's, in the lines of the accesses. */
void shadow_add_checks(const struct image *im, GHashTable *set);

#endif
