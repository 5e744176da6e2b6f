/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a statement puts a value that it computes: the instruction at which another value can be
 * slipped in. */
#ifndef SOLVER_CHANGE_CODE_VALUE_SITE_H
#define SOLVER_CHANGE_CODE_VALUE_SITE_H

#include "solver/image/image.h"

struct value_site {
	uint64_t addr;	/* link-time, of the instruction */
	uint8_t length; /* its bytes */
	/* Executed in its place, as if it stood there, around the change of .reg: behind the
	 * change where it is a store, before it where it computes what is returned or passed. */
	uint8_t bytes[16], size;
	bool stores;
	uint8_t argument; /* of a call: its number, from 1; 0 = the value is none */
	/* of .argument: the function that is called, the image's or NULL; which one of the line's
	 * calls of it that is, from 1, in the order of the code, of how many, and of how many calls
	 * in all */
	const char *callee;
	guint call, alike, calls;
	uint8_t reg;   /* 0 to 15: the register with the value, or the one that a constant of the
			* instruction has moved to */
	uint8_t width; /* bits */
	bool is_constant;
	int64_t constant; /* the value now; else it is in .reg */
};

/* The instruction (link-time) if it stores a whole number or a pointer to a variable; false: it
 * does not. */
bool value_site_of_store(const struct image *im, uint64_t addr, struct value_site *out);
/* The same of an instruction that adds a constant to a variable, as for `n++'.  Another value can
 * be stored instead; the present one is in no register. */
bool value_site_of_step(const struct image *im, uint64_t addr, struct value_site *out);
/* The last of the instructions (uint64_t link-time, ascending: those of one line), if it computes
 * what a function returns. */
bool value_site_of_return(const struct image *im, const GArray *addrs, struct value_site *out);
/* The last of the instructions in front of addrs' call-th, which is a call, that puts the argument
 * with this number, from 1, into its register. */
bool value_site_of_argument(const struct image *im, const GArray *addrs, guint call,
			    unsigned argument, struct value_site *out);

#endif
