/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about programs on x86-64 Linux that several rooms need.
 */
#ifndef SOLVER_BASE_MACHINE_H
#define SOLVER_BASE_MACHINE_H

enum {
	/* The kernel maps nothing below (vm.mmap_min_addr, as distributions set it).  Null pointers
	 * to which the compiler has added a member's offset lie there, too. */
	LOWEST_MAPPED_ADDRESS = 0x10000,
	/* The main thread's stack may grow so far (RLIMIT_STACK, as distributions set it). */
	MAIN_STACK_BYTES = 8 << 20,
};

#endif
