/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes were asked for when a block of the heap was made.  glibc's own head of a block
 * tells only how many there is room for, and a structure of 8 bytes has room for 24.
 *
 * malloc, calloc and realloc of the program are those of asked.c, which are glibc's and take the
 * size down.  Blocks of other functions (memalign, an allocator of the program's own) are unknown.
 */
#ifndef GDBEXT_CONTRACT_ASKED_H
#define GDBEXT_CONTRACT_ASKED_H

#include <stdint.h>

/* room: what the block's head tells.  The same, if nothing else is known. */
uint64_t asked_size(const void *block, uint64_t room);

#endif
