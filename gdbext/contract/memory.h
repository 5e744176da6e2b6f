/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parameters of a checked call lead to: copies of it, and whether it changed. */
#ifndef GDBEXT_CONTRACT_MEMORY_H
#define GDBEXT_CONTRACT_MEMORY_H

#include "gdbext/contract/contract.h"

#include <link.h>

/* From now on the program's variables are among what checksum_of_memory sees. */
void watch_segments(const struct dl_phdr_info *program);
/* So is what this object leads to, until forget_memory. */
void watch_object(const void *object, uint32_t type);
uint64_t checksum_of_memory(void);

/* See why_copy.  The copies live until forget_memory. */
void *copy_object(const void *object, uint32_t type);
void forget_memory(void);

#endif
