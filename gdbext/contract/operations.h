/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States of a call that the program's own operations make: functions that take a pointer of the
 * call's structure, and numbers.  Within the program, at the call, all short sequences of such
 * calls are tried from the state that is there, breadth first, with numbers from 0 to NODES + 1:
 *
 *     @why made 1 list_add(l, 1) list_add(l, 2)     (1: at that call of the function)
 *     @why object …
 *
 * After each sequence the program's variables, its heap and those of libc are put back as they
 * were, so that operations which crash, do not end or call exit cost nothing but themselves.
 * What no call may get, by what is demanded of it, is not gone on from.  Nothing else is undone; it
 * runs in the cage (gdbext/specs/probe.h), and the process ends with it.
 */
#ifndef GDBEXT_CONTRACT_OPERATIONS_H
#define GDBEXT_CONTRACT_OPERATIONS_H

#include "gdbext/contract/contract.h"

struct operations_question {
	unsigned function;
	uint64_t call; /* number of it */
	void *block;   /* its parameters */
	uint32_t type;
	unsigned nodes, most; /* objects of a state that lead to their own kind; states */
	uint64_t bias;	      /* of the program */
	void (*line)(const char *text, size_t n);
};

/* Does not return. */
void operations_make(const struct operations_question *q) __attribute__((noreturn));

#endif
