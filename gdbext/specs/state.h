/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state at a checked call: the parameters and what they lead to, as objects that point to each
 * other.  Object 0 is the parameters' block (spec-types.h).  The lines are those of
 * gdbext/contract/contract.h.
 */
#ifndef GDBEXT_SPECS_STATE_H
#define GDBEXT_SPECS_STATE_H

#include "gdbext/specs/spec/spec-types.h"

struct state_object {
	bool there; /* numbers may be left out */
	unsigned type;
	uint64_t address, size; /* in the program; 0 = it is new */
	uint8_t *bytes;
};

struct state_pointer {
	unsigned from;
	uint64_t offset;
	unsigned to;
	uint64_t at;
};

struct spec_state {
	char *text;	   /* its lines */
	GArray *objects;   /* struct state_object, by number */
	GHashTable *links; /* uint64_t *, number and offset → struct state_pointer * */
};

/* NULL: these are no lines of a state. */
struct spec_state *spec_state_read(const char *text, const struct spec_types *types);
void spec_state_free(struct spec_state *s);
/* NULL = no pointer to an object lies there. */
const struct state_pointer *spec_state_link(const struct spec_state *s, unsigned object,
					    uint64_t offset);
/* "t = {root #1 {key 5}, size 1}, k = 3"; fields that are 0 are left out.  The caller's. */
char *spec_state_words(const struct spec_state *s, const struct spec_types *types);

/* What lies in `other' where s has this object, s's object; the address that a pointer has is that
 * in s of what it leads to there.  The ways from the parameters tell which object is which. */
struct state_pairs;
struct state_pairs *state_pairs_new(const struct spec_state *s, const struct spec_state *other);
void state_pairs_free(struct state_pairs *p);
/* False: there is no such object in `other', or it is smaller. */
bool state_pairs_value(const struct state_pairs *p, uint64_t address, unsigned size,
		       uint64_t *value);

#endif
