/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of naming.h: naming.c says what a definition is, naming-register.c says
 * what a register holds, naming-role.c what becomes of that, naming-value.c writes
 * values.
 */
#ifndef SOLVER_NAMING_NAMING_PRIVATE_H
#define SOLVER_NAMING_NAMING_PRIVATE_H

#include "solver/image/variable/variable.h"
#include "solver/naming/naming.h"

struct naming {
	struct explanation *e;
	const struct trace_point *point;
	GHashTable *sources;	/* struct image * → struct sources * */
	GHashTable *polarities; /* runtime address → struct polarity * */
	uint64_t first;		/* naming_count_from */
	uint64_t now; /* memory is read as it was before this step; UINT64_MAX = it is not known */
};

#define NAMING_NO_NAME "an intermediate result"

/* Takes text and gives the explanation's copy of it; NULL stays NULL. */
const char *naming_keep(struct naming *n, char *text);
/* From here on, memory is read as it was behind the definition. */
void naming_look_behind(struct naming *n, const struct definition *d);
/* Lets the frame read memory as it was then. */
void naming_read_past(struct naming *n, struct image_frame *frame);
/* Names it by what the statement assigns to, or returns, in the source.  When it does neither,
 * this is false and nothing is written. */
bool naming_by_assignment(struct naming *n, struct name *out);
bool naming_by_return(struct naming *n, struct name *out);
/* "argument 1 of add"; 0: the object of a member function of C++.  Free it. */
char *naming_argument_words(unsigned number, const char *callee);
/* The parameter that a register brings into the function: its type, and *number, as the source
 * counts arguments: from 1, 0 is the object; NULL = that is not known. */
const struct image_type *naming_parameter_in(const struct image *im, const struct image_function *f,
					     unsigned reg, unsigned *number);
/* d: a DEF_REGISTER.  The argument of the call that the register is set for, if it is. */
bool naming_by_argument(struct naming *n, const struct definition *d, struct name *out);
void naming_register(struct naming *n, const struct formula *f, const struct definition *d,
		     struct name *out);

/* naming-role.c */

/* Who uses a register first.  A register that is passed on and was not read before was set to be
 * passed on, because calls and returns leave nothing else in it.  ROLE_NONE: nobody does. */
struct naming_role {
	enum { ROLE_NONE, ROLE_USED, ROLE_ARGUMENT, ROLE_RESULT } kind;
	bool maybe; /* on one side of a branch */
	const struct trace_insn *call;
};

/* What the register is used for from the address (link-time) on.  *left: how many instructions
 * may still be looked at. */
struct naming_role naming_find_role(const struct image *im, uint64_t at, unsigned reg,
				    unsigned *left);
/* Which integer argument the register passes, from 0; negative: none. */
int naming_argument_number(unsigned reg);
/* Does the instruction only move or extend what a register holds? */
bool naming_is_move(const struct image *im, const struct trace_insn *insn);

#endif
