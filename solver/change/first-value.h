/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C++: a class gives a member its first value where it declares the member, `int sales = 1;', and
 * constructors store that value in the line in which they begin.
 */
#ifndef SOLVER_CHANGE_FIRST_VALUE_H
#define SOLVER_CHANGE_FIRST_VALUE_H

#include "solver/image/image.h"

struct first_value {
	char *text;  /* "sales = 1;" */
	char *where; /* "line 51", "line 51 of store.h" where that is another file */
};

/* addr: link-time, of an instruction.  False: it stores no such value. */
bool first_value_stored(const struct image *im, uint64_t addr, struct first_value *out);
void first_value_clear(struct first_value *f);

#endif
