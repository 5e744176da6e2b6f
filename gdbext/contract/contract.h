/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between a compiled specification, which gdbext/specs generates and cc compiles, and what is
 * loaded with it into the program (contract.c).
 *
 * The program is a copy whose calls of checked functions go through slots
 * (gdbext/specs/spec/weave.h).  The constructor here puts the address of a checking function into
 * each slot:
 *
 *     bool why_call_0(struct list *l, int key)            generated, like a user's code
 *     {
 *             if (!why_begin(0)) return the function itself;   it is called by itself
 *             WHY_CHECK(0, acyclic(l));                        before
 *             struct list *why_before_l = why_copy(…);
 *             bool result = the function itself;
 *             WHY_CHECK(1, removed(why_before_l, l, key));     after
 *             why_end(0);
 *             return result;
 *     }
 *
 * What is found goes as lines of text to the descriptor that the order names (see below):
 *
 *     @why call 0 7            checked function 0 is called for the 7th time
 *     @why try 1               constraint 1 is being evaluated, …
 *     @why holds 1             … or "fails 1", or "writes 1" when it changed what it looks at
 *     @why return 0 7
 *     @why made 7 list_add(l, 1) list_add(l, 2)   a state follows that these calls make of
 *                                                 the one at call 7
 *
 * The state at a call is its parameters, in a block, and what they lead to.  A run may tell it
 * ("show") or take it from a file ("give"), in lines of this form; object 0 is the block:
 *
 *     object NUMBER TYPE ADDRESS SIZE HEX
 *     pointer NUMBER OFFSET TARGET AT          object TARGET, AT bytes behind its start
 *
 * What is told begins with "@why ", and says where the objects of this run lie.  Those that are
 * taken lie on the heap, but for the program's variables, which stay where they are.
 */
#ifndef GDBEXT_CONTRACT_CONTRACT_H
#define GDBEXT_CONTRACT_CONTRACT_H

#include <stddef.h>
#include <stdint.h>

/* A type, as far as copies need it. */
struct why_pointer {
	uint64_t offset;
	uint32_t target; /* number of a type */
	uint32_t pad;
};
struct why_scalar { /* a whole number in an object */
	uint32_t offset, size;
};
struct why_type {
	uint64_t size;
	uint32_t n;	  /* pointers in it */
	uint32_t is_text; /* a string: it ends with a 0 */
	const struct why_pointer *pointers;
	uint64_t n_scalars;
	const struct why_scalar *scalars;
};

struct why_function {
	const char *name;
	void *check;	/* the generated function */
	uint64_t entry; /* link-time addresses in the program */
	uint64_t slot;
};

struct why_constraint {
	const char *name, *file;
	unsigned line;
	unsigned function; /* number */
};

/* For each function what is demanded of its parameters, in a block. */
struct why_shape {
	int (*holds)(const void *block);
	uint32_t block; /* its type */
};

/* A function of the program that takes the structure of a checked call, and numbers. */
enum { WHY_OPERATION_NUMBERS = 2 }; /* at most */
struct why_operation {
	const char *name;
	uint64_t entry; /* link-time */
	uint32_t at;	/* which of its parameters the structure is */
	uint32_t numbers;
	uint32_t takes_anything; /* a number of it is a pointer to void */
	/* Calls it; what comes back is the structure, which may be another one then. */
	void *(*call)(void *real, void *structure, const long *numbers);
};

/* A parameter that is chosen: a number, or a pointer to void which is one. */
struct why_number {
	struct why_scalar at;
	uint32_t is_anything;
};

/* For each function, the operations of its structure, which is the parameter .name. */
struct why_builder {
	const char *name;
	const struct why_operation *operations;
	uint32_t n_operations;
	uint32_t structure;		  /* where it is in the block */
	const struct why_number *numbers; /* there, too: the call's other parameters */
	uint64_t n_numbers;
};

/* One in a specification. */
struct why_contract {
	const char *program; /* absolute path of the copy; in others nothing is checked */
	const char *state;   /* the file that a state is taken from */
	const struct why_function *functions;
	const struct why_constraint *constraints;
	const struct why_type *types;
	uint32_t n_functions, n_constraints, n_types;
	const struct why_shape *shapes; /* by function */
	const struct why_builder *builders;
};

/* What shapes.c is given. */
struct why_shapes {
	const struct why_shape *all;
	const struct why_type *types;
	uint32_t n, n_types;
};
/* The program's main: FUNCTION NODES MOST. */
int why_search(const struct why_shapes *s, int argc, char **argv);

/* The rest is hidden: nothing of it takes the place of the program's own functions. */
#pragma GCC visibility push(default)

extern const struct why_contract why_contract __attribute__((weak));

/* The environment variable with an order, words with blanks between them:
 *
 *     fd N        where lines are written to (without it: nowhere)
 *     stop        end the program by abort at the first violation
 *     only N C    evaluate constraint N only, in call number C of its function
 *     call F C    evaluate in call number C of function F only; the program ends by abort at the
 *                 first violation there, else when the call has returned
 *     show F C    tell the state at call number C of function F
 *     give F C    that call gets the state in the file; the program ends when it has returned
 *     make F C    tell states that the program's operations make of that at call number C of
 *                 function F (operations.h), and end
 *     nodes N, most N     their bounds
 *     within MS   end the program by SIGKILL when the evaluation of a predicate takes longer
 *     but M       leave out the constraints in this set (hexadecimal, constraint 0 is the last bit)
 */
#define WHY_ORDER_ENV "GDB_WHY_SPEC"
/* An order longer than this is cut. */
enum { WHY_ORDER_MOST = 256 };
/* In a block, each parameter begins at a multiple of so many bytes. */
enum { WHY_BLOCK_ALIGN = 16 };

/* Is this call to be checked?  False: the function is active already, or nothing is checked. */
int why_begin(unsigned function);
void why_end(unsigned function);
/* Tells, or replaces, the state at this call.  block: of the parameters, filled where it is
 * replaced; it has to lie where the program never wrote, so that the values are inputs of the
 * record.  at: their addresses, in order, size: theirs.  False: the parameters are as they were. */
struct why_place {
	const void *at;
	uint64_t size;
};
int why_state(unsigned function, void *block, uint32_t type, const struct why_place *parameters,
	      unsigned n);
/* The blocks of memory that the call's parameters lead to, by number.  A size of 0: there is no
 * such, or it is not asked which change would mend the call. */
uint64_t why_block_size(unsigned n);
const void *why_block(uint64_t size, unsigned n);
/* The checked function itself. */
void *why_function(unsigned function);
/* Is this constraint to be evaluated in this call?  roots: n addresses of the parameters, types
 * of what they point to. */
int why_evaluates(unsigned constraint);
/* Takes down whether it holds.  1: the program ends here. */
int why_fails(unsigned constraint, int holds);
/* Names what constraints look at, so that it is seen when they change it. */
void why_looks_at(const void *object, uint32_t type);
/* A copy of what object points to, as deep as its type says; the same object gives the same copy
 * until the call ends. */
void *why_copy(const void *object, uint32_t type);

#pragma GCC visibility pop

void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

/* Recorded code asks for each block and reads it, so that a record that begins with the call has
 * its size, as that of a block of malloc (why_block is a row of solver/library/library.def), and
 * what is in it, although the call may write there first. */
#define WHY_TELL_BLOCKS                                                                \
	do {                                                                           \
		uint64_t why_size;                                                     \
		for (unsigned n = 0; (why_size = why_block_size(n)); n++) {            \
			const volatile unsigned char *why_at = why_block(why_size, n); \
			uint64_t i = 0;                                                \
			for (; i + 8 <= why_size; i += 8)                              \
				(void)*(const volatile uint64_t *)(why_at + i);        \
			for (; i < why_size; i++)                                      \
				(void)why_at[i];                                       \
		}                                                                      \
	} while (0)

#define WHY_CHECK(number, name, file, line, function, expression)          \
	do {                                                               \
		if (why_evaluates(number)) {                               \
			int why_holds = (expression) != 0;                 \
			if (why_fails(number, why_holds) && !why_holds)    \
				__assert_fail(name, file, line, function); \
		}                                                          \
	} while (0)

#endif
