/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program's values are shaded with: which of their bits nobody set, and the number of the
 * object (objects.h) whose address they were made of.  An instruction's result is shaded by what
 * its operands are: a sum with an index points into the same object, a copy of what nobody set is
 * not set either.  That alone is no mistake; a use is, such as a branch that depends on it.
 *
 * Example: after p = malloc(8), rax has the shade { no unset bits, object 1 }, and the 8 bytes
 * there are unset.  `mov 4(%rax),%ecx' makes 32 bits of rcx unset; `test %ecx,%ecx; je' depends on
 * them.
 */
#ifndef SOLVER_MEMORY_SHADE_H
#define SOLVER_MEMORY_SHADE_H

#include "solver/trace/run.h"

struct shade {
	uint64_t unset[4]; /* a bit for each of the value's bits */
	uint32_t object;
};

struct shades;

struct shades *shades_new(void);
void shades_free(struct shades *s); /* NULL is fine */

/* Bytes of memory that nobody set, or that somebody did; both forget the objects there. */
void shades_unset(struct shades *s, uint64_t address, uint64_t size);
void shades_set(struct shades *s, uint64_t address, uint64_t size);
/* Copies both; the ranges may overlap. */
void shades_copy(struct shades *s, uint64_t to, uint64_t from, uint64_t size);
/* The first byte that has unset bits; false = there is none. */
bool shades_find_unset(const struct shades *s, uint64_t address, uint64_t size, uint64_t *at);
/* The object of the pointer that is kept at this address, a multiple of 8. */
uint32_t shades_object_at(const struct shades *s, uint64_t address);

/* A general register. */
struct shade shades_register(const struct shades *s, unsigned reg);
void shades_set_register(struct shades *s, unsigned reg, const struct shade *shade);
/* Whatever untraced code may change by the calling convention is set afterwards. */
void shades_after_call(struct shades *s);

enum shade_use { SHADE_LOAD, SHADE_STORE, SHADE_BRANCH, SHADE_TARGET };

/* Asked at each load and store before it is done, with the shade of its address, and where control
 * depends on an unset value.  Loads: the object of the pointer that comes out of it, *loaded, may
 * be changed. */
typedef void shades_use_fn(void *arg, enum shade_use use, const struct shade *shade,
			   uint64_t address, unsigned size, uint32_t *loaded);
/* The object that a constant of the instruction, or a sum in it, is the address of; 0 = none. */
typedef uint32_t shades_object_fn(void *arg, const struct trace_step *step, uint32_t op);

struct shades_watch {
	shades_use_fn *use;
	shades_object_fn *object;
	void *arg;
};
/* The step's instruction was executed; regs: the general registers before it. */
void shades_step(struct shades *s, const struct trace_step *step, const uint64_t regs[16],
		 uint64_t fs_base, uint64_t gs_base, const struct shades_watch *watch);

#endif
