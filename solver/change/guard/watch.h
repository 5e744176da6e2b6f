/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that a condition at one place of the program could compare: its variables there,
 * members of structures, and the first elements or the members of what pointers point to.  A native
 * run can note them (TRACE_ACTION_CODE_NOTE), and machine code can load them (code-piece.h).
 */
#ifndef SOLVER_CHANGE_GUARD_WATCH_H
#define SOLVER_CHANGE_GUARD_WATCH_H

#include "solver/format/trace.h"
#include "solver/image/variable/variable.h"
#include "solver/limits/limits.h"

enum watch_kind {
	WATCH_MEMORY,  /* .disp from register .reg; TRACE_NOTE_NONE: .disp is a link-time address */
	WATCH_POINTED, /* the same holds a pointer; .member bytes behind where it points */
	WATCH_REGISTER, /* register .reg */
};

struct watch {
	char *text; /* as C names it: "n", "p->size", "*s", "s[1]" */
	const struct image_type *type;
	enum watch_kind kind;
	unsigned reg; /* enum trace_reg */
	int64_t disp, member;
	unsigned size;
	bool is_signed;
	unsigned distance; /* 0: of the innermost scope; higher: farther from the place */
};
void watch_free(struct watch *w);

/* The variables that can be watched at a link-time address, nearest first, at most
 * guard_watches: numbers, truth values, enumerations and pointers.  struct watch *, owned by the
 * array. */
GPtrArray *watches_at(const struct image *im, uint64_t addr, const struct limits *limits);

/* The action that notes it. */
struct trace_action watch_note(const struct watch *w);
/* A noted value, extended to 64 bits as the type says.  A floating-point value: its bits, which
 * are in order from 0 upwards. */
int64_t watch_value(const struct watch *w, uint64_t noted);

/* Would a program compare the two with each other? */
bool watches_are_comparable(const struct watch *a, const struct watch *b);

#endif
