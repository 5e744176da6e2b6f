/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the program stands when control is in code that the recorder made: read
 * from the recorder's live tables (gdbext/agent/jit/describe.h) in the program's
 * memory.  Knows nothing of GDB but two functions that it is given.
 */
#ifndef GDBEXT_JITREADER_GUEST_H
#define GDBEXT_JITREADER_GUEST_H

#include "gdbext/agent/jit/describe.h"

/* How to ask for what is there.  Both return false when it is not known. */
struct guest_view {
	bool (*memory)(void *arg, uint64_t addr, void *to, size_t size);
	bool (*reg)(void *arg, enum trace_reg reg, uint64_t *value);
	void *arg;
};

/* A frame that the recorder put between two of the program's, or below all of
 * them. */
struct guest {
	uint64_t code;	   /* where the piece of made code starts that control is in */
	uint64_t regs[16]; /* the program's */
	bool known[16];
	/* Where the program stands, as a return address: debuggers look for what is
	 * right before it.  So where an instruction is about to be executed it is the
	 * one behind that. */
	uint64_t rip;
	bool has_xmm15;
	uint8_t xmm15[16];
};

/* Is rip, which .reg need not tell, in such code?  False also when it cannot be
 * found out where the program stands. */
bool guest_find(const struct describe *d, const struct guest_view *view, uint64_t rip,
		struct guest *guest);

#endif
