/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What check.c, calls.c and variables.c share; see memory.h. */
#ifndef SOLVER_MEMORY_PRIVATE_H
#define SOLVER_MEMORY_PRIVATE_H

#include "solver/library/library.h"
#include "solver/memory/memory.h"
#include "solver/memory/objects.h"
#include "solver/memory/shade.h"
#include "solver/memory/texts.h"

/* What untraced code may have done is not in the record.  These guesses are no rows of the table of
 * limits: each decides whether an access is called wrong, which must not depend on the effort that
 * somebody allows, and each errs on the side of saying nothing. */
enum {
	LARGEST_SHADED = 16 << 20, /* bytes of a block; those of larger ones count as set */
	ESCAPES_FROM = 4096,	   /* bytes that a function may write where no object is known */
	DEEPEST = 4,		   /* pointers from one block to the next that it may follow */
	MOST_POINTERS = 4096,	   /* of one block that it may follow */
	LARGEST_TEXT = 65536,	   /* bytes of a text that are looked at */
};

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

struct variables;

struct memory_code {
	struct lift *lift, *own_lift;
	struct variables *variables[2]; /* without and with tables that cannot be written */
};

struct checking {
	struct trace_run *run;
	struct trace_cursor *cursor;
	struct objects *objects;
	struct shades *shades;
	struct texts *texts;
	struct variables *variables; /* known of the code */
	GArray *calls;		     /* struct open_call */
	GArray *pending;	     /* struct pending_call */
	GHashTable *entered;	     /* entry of a function → how often it was called */
	const struct trace_step *step;
	uint64_t number, pc, last_pc;
	uint64_t before[16]; /* general registers before the step */
	struct memory_reported reported;
	bool tables, accesses_only;
	bool own_places;
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

/* The number of the instruction's memory operand that is at the address; -1 = there is none. */
int checking_operand(const struct checking *c, uint64_t address);

/* influence.c: shades what the actions of the step wrote.  Does a finding count? */
void influence_step(struct checking *c);
bool influence_counts(const struct checking *c, enum memory_kind kind);

/* calls.c: before a call of untraced code; after it came back with a result. */
void calls_before(struct checking *c);
void calls_begin(struct checking *c, const struct trace_step *step);
void calls_end(struct checking *c, uint64_t result);
/* The run ended in a library function, of which a sanitizer said this. */
void calls_reported(struct checking *c, const struct memory_reported *r);

/* The argument with that number, from 1. */
static inline uint64_t calls_argument(const struct pending_call *p, unsigned number)
{
	return number >= 1 && number <= 6 ? p->arguments[number - 1] : 0;
}
/* Strings of objects whose end is reached before a NUL are as long as that; one more is outside.
 * False when the length is not known. */
bool calls_string_length(const struct checking *c, uint64_t at, uint32_t object, uint64_t most,
			 uint64_t *length);

/* heap-calls.c: looks at what argument number of a function that frees is, before the call. */
void calls_look_at_free(struct checking *c, const struct pending_call *p, unsigned number);
/* The block was freed; or made at that address, or made of another one: its number, 0 = none. */
void calls_free(struct checking *c, const struct pending_call *p, unsigned number);
uint32_t calls_allocate(struct checking *c, const struct pending_call *p,
			const struct library_function *f, uint64_t at);
uint32_t calls_reallocate(struct checking *c, const struct pending_call *p,
			  const struct library_function *f, uint64_t at);

/* variables.c: the number of the array or structure that operation number op of the step's
 * instruction makes the address of; 0 = none. */
struct variables *variables_new(void);
void variables_free(struct variables *v);
uint32_t variables_object(struct checking *c, const struct trace_step *step, uint32_t op);
/* The same for a memory operand with an index: table(,%rax,4), or -48(%rbp,%rax,4). */
uint32_t variables_indexed(struct checking *c, const struct trace_step *step, int operand);

#endif
