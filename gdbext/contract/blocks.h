/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks of memory the parameters of a call lead to: those of the heap, and variables of
 * functions that are active. */
#ifndef GDBEXT_CONTRACT_BLOCKS_H
#define GDBEXT_CONTRACT_BLOCKS_H

#include <stdint.h>

/* Finds them: what the parameters lead to by their types, and what else a word there points to, of
 * whatever type that is.  The nearest come first, and only so many as can be read again in a
 * recorded run. */
void find_blocks(const void *parameters, uint32_t type);
/* The size of the nth one; 0 = there are no more. */
uint64_t found_block(unsigned n, const void **at);

#endif
