/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that a test compiles and loads, so that changes of its code (TRACE_ACTION_CODE) can be
 * put into it as the agent does, and the processor says what they do. */
#ifndef TESTS_SUPPORT_PATCHED_H
#define TESTS_SUPPORT_PATCHED_H

#include "solver/change/mutator.h"

enum { PATCHED_MOST = 8 };

/* An instruction that is replaced, or several whose code is as long. */
struct patch {
	uint8_t *at, saved[32];
	unsigned length;
	uint8_t *code; /* what is executed in its place */
};

struct patched {
	char *folder, *file; /* the source's */
	struct image *im;
	struct mutator *m;
	void *library;
	uint64_t bias;
	uint8_t *page; /* code is executed here */
	struct patch patches[PATCHED_MOST];
	unsigned n_patches; /* now */
};

struct patched *patched_new(const char *source);
/* Compiled with that option. */
struct patched *patched_new_at(const char *source, const char *level);
void patched_free(struct patched *p);
void *patched_function(const struct patched *p, const char *name);

/* Puts one mutant's actions in place; until patched_restore. */
void patched_put(struct patched *p, const GArray *actions);
void patched_restore(struct patched *p);

#endif
