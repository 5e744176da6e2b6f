/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What check.c, calls.c and variables.c share; see memory.h. */
#ifndef SOLVER_MEMORY_PRIVATE_H
#define SOLVER_MEMORY_PRIVATE_H

#include "solver/memory/memory.h"
#include "solver/memory/objects.h"
#include "solver/memory/shade.h"
#include "solver/memory/texts.h"

/* An open call of a traced function. */
struct open_call {
	uint64_t pc; /* of the call, in the caller */
	uint64_t sp; /* where the return address lies */
	uint64_t function, number;
};

/* A call of untraced code that has not come back. */
struct pending_call {
	const char *name; /* NULL = not known */
	uint64_t pc, sp, step;
	uint64_t arguments[6];
	uint32_t objects[6]; /* that the arguments point into */
	unsigned unset;	     /* bit i: argument i + 1 has a bit that nobody set */
};

struct checking {
	struct trace_run *run;
	struct trace_cursor *cursor;
	struct objects *objects;
	struct shades *shades;
	struct texts *texts;
	struct variables *variables;
	GArray *calls;	     /* struct open_call */
	GArray *pending;     /* struct pending_call */
	GHashTable *entered; /* entry of a function → how often it was called */
	const struct trace_step *step;
	uint64_t number, pc, last_pc;
	uint64_t before[16]; /* general registers before the step */
	struct memory_reported reported;
	bool tables;
	bool influence; /* a bit is "unset" when a value that an action wrote went into it */
	struct memory_finding *out;
};

/* Where the step at hand stands. */
struct memory_point checking_point(const struct checking *c, const char *by);
/* Keeps what was found, if it is the first. */
void checking_found(struct checking *c, const struct memory_finding *finding);
/* Looks at an access of a library function (by), or of the step (by: NULL), with a pointer made of
 * this object's address; argument: of the function. */
void checking_access(struct checking *c, uint32_t object, uint64_t address, uint64_t size,
		     bool writes, const char *by, unsigned argument);
/* The object that an address was made of: by the pointer's shade, or the block there. */
uint32_t checking_object(const struct checking *c, const struct shade *shade, uint64_t address);

/* Nobody set these bytes yet. */
void checking_unset(struct checking *c, uint64_t address, uint64_t size);

/* influence.c: shades what the actions of the step wrote.  Does a finding count? */
void influence_step(struct checking *c);
bool influence_counts(const struct checking *c, enum memory_kind kind);

/* calls.c: before a call of untraced code; after it came back with a result. */
void calls_before(struct checking *c);
void calls_begin(struct checking *c, const struct trace_step *step);
void calls_end(struct checking *c, uint64_t result);
/* The run ended in a library function, of which a sanitizer said this. */
void calls_reported(struct checking *c, const struct memory_reported *r);

/* variables.c: the number of the array or structure that operation number op of the step's
 * instruction makes the address of; 0 = none. */
struct variables;
struct variables *variables_new(void);
void variables_free(struct variables *v);
uint32_t variables_object(struct checking *c, const struct trace_step *step, uint32_t op);
/* The same for a memory operand with an index: table(,%rax,4), or -48(%rbp,%rax,4). */
uint32_t variables_indexed(struct checking *c, const struct trace_step *step, int operand);

#endif
