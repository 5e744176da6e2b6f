/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state at a call, as lines of text (contract.h): told, and taken. */
#ifndef GDBEXT_CONTRACT_STATE_H
#define GDBEXT_CONTRACT_STATE_H

#include <stddef.h>
#include <stdint.h>

/* Gives the state's lines, each with "@why " before it, to line. */
void tell_state(const void *block, uint32_t type, void (*line)(const char *text, size_t n));
/* Makes the objects of a file, and writes object 0 to block.  0: the file is not as it has to be.
 */
int take_state(const char *path, void *block);

#endif
