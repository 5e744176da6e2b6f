/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a program, kept to be put back: its variables, its heap, the variables of libc,
 * which keeps the heap's books, and the first thread's stack from an address on. */
#ifndef GDBEXT_CONTRACT_SAVED_H
#define GDBEXT_CONTRACT_SAVED_H

/* 0: it cannot be kept. */
int save_memory(const void *stack);
void restore_memory(void);

#endif
