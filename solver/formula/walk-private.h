/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the walk share: walk.c says which run goes on, exec.c carries out an
 * instruction, memory.c says where its addresses may point, insn-info.c says what is known of
 * an instruction's place. */
#ifndef SOLVER_FORMULA_WALK_PRIVATE_H
#define SOLVER_FORMULA_WALK_PRIVATE_H

#include "solver/formula/formula.h"
#include "solver/formula/side/symbolic-memory.h"
#include "solver/formula/walk.h"
#include "solver/source/expression/assigned-field.h"

/* An instruction's place, looked up once for each runtime address. */
struct insn_info {
	uint64_t pc, link;
	const struct trace_module *module;
	const struct image_function *function;
	const struct trace_insn *insn;
	uint32_t index;				 /* number in formula.pcs */
	const struct image_statement *statement; /* NULL = none */
	uint32_t selector; /* SELECTOR_HARD: a prologue, an assertion, no source line; by
			    * instance: that of the present execution */
	bool saves;	   /* push or call: stores a saved value or a return address */
	bool restores;	   /* pop, leave: loads what was saved */
	/* What it stores to; this is found at its first store: */
	bool type_known, is_signed, is_float;
	uint8_t type_size;		/* 0 = no integer variable */
	const struct image_type *named; /* whose values have names: bool, an enumeration; NULL =
					 * others */
	bool assigned_known;		/* bit-field.c: */
	enum assigned_to assigned;	/* by its statement */
	struct expression field;	/* when it assigns to a bit-field */
};

/* One execution of a statement in one frame, without interruption.  What it leaves in registers
 * is merged at joins, so an execution ends where sides begin or end. */
struct instance {
	const struct image_statement *statement;
	uint32_t selector, reach;
	uint64_t pc;	   /* its first instruction */
	uint64_t rbp, rsp; /* before it */
	uint64_t last;	   /* the number of its last step so far, as in struct definition */
};

/* Identifies a pending cell, so that both sides of a branch give it the same variable. */
struct pending_key {
	uint64_t key;
	uint32_t instance, term;
};

/* A heap block or a variable: the addresses that belong together. */
struct object {
	uint64_t lo, hi;
};

struct walk {
	struct formula *f;
	struct term_pool *p;
	const struct walk_options *options;
	struct symbolic_memory *memory;
	GHashTable *insn_infos; /* pc → struct insn_info *, owned */
	GHashTable *sources;	/* assigned_sources_new */
	GHashTable *asserting;	/* "file:line" of statements that call a failure function */
	GHashTable *marked;	/* struct image *: those whose asserting statements are known */
	GHashTable *softened;	/* struct pending_key → the softened cell's term */
	GArray *instances;	/* struct instance */
	GArray *blocks;	 /* struct object: live heap blocks, ascending, none overlaps another */
	GArray *zeroed;	 /* struct heap_zeroed: large ones of them that began as zeros */
	GArray *awaited; /* struct heap_awaited: blocks whose address is not known yet */
	GArray *tables;	 /* struct character_table */
	GArray *sorts;	 /* of sorted-array.h */
	GHashTable *changeable;	  /* term → 1 no, 2 yes */
	GHashTable *inputs;	  /* uint64_t * address << 8 | value → its variable */
	GHashTable *bounded;	  /* term << 32 | reach that walk_forbid_overflow has seen */
	GHashTable *sums;	  /* term → has walk_forbid_overflow anything to bound in it? */
	GHashTable *bounded_at;	  /* term → the last reach that it was bounded at */
	GHashTable *escapes;	  /* term → walk_escapes of it */
	struct term_memo *actual; /* every variable's actual value */
	GPtrArray *active;	  /* struct run_walker: the runs that are at the step */
	/* the step at hand */
	const struct trace_run *step_run;
	unsigned step_run_number; /* 0: the failing run */
	struct trace_cursor *cursor;
	uint64_t before[16]; /* general registers before the step */
	const struct trace_step *step;
	struct insn_info *info, *next_info;
	unsigned last_depth;
	bool parted; /* a branch's sides began or ended after the last step */
	uint32_t instance, reach;
	uint32_t *terms; /* of the IR's temporaries, 0 = concrete only */
	uint32_t n_terms;
	uint64_t crashed_at; /* the failing run accessed this address in vain, at the step; 0 = none
			      */
	uint32_t predicate;  /* COND: term of "taken", 0 = not known */
	uint32_t target;     /* indirect transfers, 0 = fixed */
	uint32_t wanted;     /* requirement-output.c: the paths that print what is missing; 0 = none
			      */
};

/* A value counts as it was in the run, although it may change; told with the statement. */
void walk_concretized(struct walk *w);
struct insn_info *insn_info_at(struct walk *w, uint64_t pc, const struct trace_module *module,
			       const struct trace_insn *insn);
/* By instance, gives the info the selector of the present execution. */
void insn_info_choose_selector(struct walk *w, struct insn_info *s);

/* The present step's, as in struct definition. */
uint64_t walk_step_number(const struct walk *w);
/* A new definition; its variable has the width given. */
struct definition *walk_define(struct walk *w, enum definition_kind kind, unsigned width,
			       uint32_t expr, uint32_t selector, term_bits actual);
void walk_require(struct walk *w, uint32_t term, bool requirement);
/* From here on only paths are followed on which the term's value is known: where
 * it depends on a side that no run took, the formula is left. */
void walk_rely_on(struct walk *w, uint32_t term);
/* Whether the value depends on anything that may be relaxed. */
bool walk_is_changeable(struct walk *w, uint32_t term);
/* Whether it is nothing but what an untraced function returned to the present
 * statement, moved or extended. */
bool walk_is_received(const struct walk *w, uint32_t term);
term_bits walk_actual(struct walk *w, uint32_t term);
/* Signed arithmetic of C that did not overflow in the run must not in a witness:
 * for the additions, subtractions and products that make up the value. */
void walk_forbid_overflow(struct walk *w, uint32_t value);
/* A floating-point number that is defined must not become infinite or NaN. */
void walk_forbid_overflow_of_float(struct walk *w, const struct definition *d);
/* A value that has a name in the type keeps to those that have one, too. */
void walk_keep_to_names(struct walk *w, const struct definition *d, const struct image_type *type);
/* Where the value is made of some bits of the old bytes, and the statement does not assign to a
 * whole number, these stay what the program computes: they are the neighbours of a bit-field. Fills
 * in d->kept. */
void walk_keep_neighbours(struct walk *w, struct definition *d, uint32_t value);

/* Executes the step symbolically: store, definitions, predicate, target. */
void exec_step(struct walk *w);
/* Registers after control came from outside (or at the start): what untraced
 * code returned are inputs. */
void exec_enter(struct walk *w, bool from_outside);
/* What the cell holds for others than the instance that wrote it. */
uint32_t exec_settle(struct walk *w, uint64_t key, struct cell c);
/* What a general register holds, 0 = not known. */
uint32_t exec_register(struct walk *w, unsigned reg);
/* What the low 8 bytes of a vector register hold, 0 = not known. */
uint32_t exec_vector(struct walk *w, unsigned number);

/* memory.c: loads and stores at the address that operation op of the step's IR
 * gives (its term: address). */
uint32_t memory_load(struct walk *w, int32_t op, uint32_t address, unsigned bytes);
void memory_store(struct walk *w, int32_t op, uint32_t address, uint32_t value, unsigned bytes);
/* Stores n 8-byte words that are as the run had them. */
void memory_store_words(struct walk *w, int32_t op, const uint64_t *words, unsigned n);
uint32_t memory_byte(struct walk *w, uint64_t at); /* 0 = not known */
/* Several bytes as one number; 0 = not all of them are known. */
uint32_t memory_bytes(struct walk *w, uint64_t at, unsigned bytes);
/* Looks at a byte without making a term: its value in the run, and whether it may be another
 * one.  Returns false when it is not known. */
bool memory_look(struct walk *w, uint64_t at, uint8_t *value, bool *changeable);
/* The byte there, in a variable or a heap block that was not touched so far; 0 = not known. */
uint32_t memory_untouched(struct walk *w, uint64_t at);
/* The heap block or variable that holds these bytes. */
bool memory_object_around(const struct walk *w, uint64_t at, unsigned bytes, uint64_t *lo,
			  uint64_t *hi);

#endif
