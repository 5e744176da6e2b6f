/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that untraced code may have written.  The record tells what traced code stored, and
 * what it loaded; a library function that fills a buffer is seen only when the buffer is loaded.
 * Until then the bytes of the object that the function was given are not known.  Nor is the
 * stack below the call: the function's own frames overwrote it.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_FOREIGN_MEMORY_H
#define SOLVER_SOURCE_TRACE_POINT_FOREIGN_MEMORY_H

#include "solver/image/variable/variable.h"
#include "solver/trace/superblock/superblock.h"

struct foreign_memory;

/* stack: the stack pointer when the thread's record begins. */
struct foreign_memory *foreign_memory_new(uint64_t stack);
void foreign_memory_free(struct foreign_memory *m);

/* Call it after a step that was not done by a superblock.  number: of the step, from 0; before:
 * the frame before it, with .read. */
void foreign_memory_step(struct foreign_memory *m, uint64_t number,
			 const struct image_frame *before, const struct trace_step *step,
			 uint64_t result);
/* Call it after a superblock. */
void foreign_memory_superblock(struct foreign_memory *m, const struct superblock_run *superblock);
/* May untraced code have written any of these bytes since traced code stored them, or loaded what
 * had changed?  A load in a superblock that finds what was there before tells nothing. */
bool foreign_memory_has(const struct foreign_memory *m, uint64_t address, unsigned size);
/* May untraced code have written any of them in the steps [from, until)? */
bool foreign_memory_wrote(const struct foreign_memory *m, uint64_t address, unsigned size,
			  uint64_t from, uint64_t until);
/* The last step before `until' in which it may have written any of them; UINT64_MAX: there is none,
 * or it is not known any more. */
uint64_t foreign_memory_last(const struct foreign_memory *m, uint64_t address, unsigned size,
			     uint64_t until);

#endif
