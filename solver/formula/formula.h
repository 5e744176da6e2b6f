/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trace formula: runs of the failing test, merged where they agree, as soft
 * definitions and hard constraints over terms.
 *
 * Walking the runs side by side (walk.c) makes a list of definitions.  A definition is
 * one value that a statement instance gave to a register, to memory, or to a branch:
 *
 *     b = a + 1;      DEF_MEMORY  v7 (width 32): selector "p.c:10" → v7 = v3 + 1
 *     if (y < 5)      DEF_GUARD   v5 (width 1):  selector "p.c:9"  → v5 = (v2 < 5)
 *
 * At the join after the branch, a location that either side wrote is ite(v5, true
 * side's term, false side's term); no clause is needed for that.  When no run took a
 * side, and the code alone does not tell its effect, the formula ends there: a model
 * that goes down that side `needs' a run of it.
 *
 * The path log says in which order instructions and definitions come, so that a model
 * can be turned into actions for a replay (model-path.c).
 */
#ifndef SOLVER_FORMULA_FORMULA_H
#define SOLVER_FORMULA_FORMULA_H

#include "solver/limits/limits.h"
#include "solver/smt/term/term.h"
#include "solver/trace/run.h"

#include <glib.h>

enum definition_kind {
	DEF_REGISTER, /* bytes of a general register, when its statement instance ends */
	DEF_MEMORY,   /* a store */
	DEF_ADDRESS,  /* where a store through a pointer or an index goes, width 64 */
	DEF_GUARD,    /* the outcome of a conditional branch, width 1 */
	DEF_TARGET,   /* where an indirect jump or call goes, width 64 */
	DEF_INPUT,    /* a value that came from outside: hard, and equal to what the run saw */
	DEF_UNKNOWN,  /* a location that an unexplored side may have written: free */
};

/* A selector stands for the statements that may be relaxed together. */
#define SELECTOR_HARD UINT32_MAX

#define DEFINITION_OF_ANOTHER_RUN UINT64_MAX

struct definition {
	enum definition_kind kind;
	uint32_t variable;			 /* its term */
	uint32_t expr;				 /* what the program computes; 0 for UNKNOWN */
	uint32_t selector;			 /* or SELECTOR_HARD */
	const struct image_statement *statement; /* NULL = none */
	uint32_t instance;
	uint32_t reach;	       /* term: the path comes here */
	uint32_t escapes;      /* term: a side that no run took may have changed it, 0 = none did */
	term_bits actual;      /* its value in the run that it was made from */
	uint64_t pc;	       /* runtime address of the instruction */
	uint64_t address;      /* MEMORY: the address in that run */
	uint32_t address_term; /* MEMORY: the address as a term, 0 = it is fixed */
	uint32_t stored;       /* ADDRESS: what is stored */
	uint32_t before;       /* ADDRESS: the bytes at the address to which it goes unchanged */
	uint64_t rbp, rsp;     /* the frame before the instruction, in which its names have a
				* meaning */
	uint64_t step;	       /* the number of the step that gave it, in the record of the
				* failing run; DEFINITION_OF_ANOTHER_RUN */
	uint8_t reg;	       /* REGISTER: enum trace_reg */
	uint8_t size;	       /* bytes, REGISTER and MEMORY */
	uint64_t kept;	       /* MEMORY: bits of a bit-field's neighbours, which stay; 0 = none */
};

/* How well a change of it reads.  A decision or a stored value reads best, then the place of a
 * store, and last a register, which may have no name in the source. */
enum definition_readability {
	DEF_READS_WELL,
	DEF_READS_AS_PLACE,
	DEF_READS_POORLY,
	N_DEF_READABILITY
};

static inline enum definition_readability definition_readability(const struct definition *d)
{
	return d->kind == DEF_REGISTER				 ? DEF_READS_POORLY
	       : d->kind == DEF_ADDRESS || d->kind == DEF_TARGET ? DEF_READS_AS_PLACE
								 : DEF_READS_WELL;
}

/* A side of a branch that no run took. */
struct unexplored {
	uint32_t taken;	  /* term: the path goes there */
	uint32_t run;	  /* a run that came to the branch */
	uint32_t guard;	  /* number of the branch's definition, UINT32_MAX = none */
	uint64_t pc, nth; /* the branch instance in that run */
	bool outcome;	  /* the side: taken or not taken */
	bool indirect;	  /* it belongs to a DEF_TARGET: only the model says where it goes */
	bool returns;	  /* it leads to the join, and it is not known what it writes on the way */
	bool cut;	  /* a run went there, but for longer than the formula follows it */
};

/* A constraint that must hold for every model. */
struct constraint {
	uint32_t term;
	bool requirement; /* it says that the path must not end in a failure; otherwise it is
			   * about bounds, overflow … */
	uint64_t pc;	  /* runtime address of the instruction it comes from */
	/* A changed run crashed here.  With other values, a run on this path might not crash. */
	bool crash;
};

/* The path log: see model-path.c. */
enum path_kind { PATH_STEP, PATH_DEF, PATH_BRANCH, PATH_END };
struct path_entry {
	uint32_t kind;
	uint32_t index;	      /* STEP: number of the pc; DEF, BRANCH: number of the def */
	uint64_t target;      /* BRANCH of a DEF_TARGET: where its outcome "true" goes, else 0 */
	uint32_t other, join; /* BRANCH: the entries at which the second side starts and both
			       * sides end */
	bool first;	      /* BRANCH: the outcome that comes first in the log */
	bool open;	      /* END: the run went on here, but the formula does not */
	bool joins;	      /* BRANCH: when the second side has no entries, it goes on at the
			       * join */
};

/* The numbers of the statements that may be relaxed.  They are kept over all formulas of one
 * question. */
struct selector_table {
	GHashTable *numbers;   /* key text (owned) → number + 1 */
	GPtrArray *statements; /* const struct image_statement *: one statement of each */
	GArray *executions;    /* uint32_t: which execution of it the selector stands for, from
				* 1; 0 = all */
};

struct formula {
	struct term_pool *pool; /* owned by the caller; several formulas may share it */
	GArray *definitions;	/* struct definition; variable number i belongs to definitions[i] */
	GArray *constraints;	/* struct constraint */
	GArray *unexplored;	/* struct unexplored */
	GArray *path;		/* struct path_entry */
	GArray *pcs;		/* uint64_t: runtime addresses of PATH_STEP numbers */
	GArray *instance_end;	/* uint32_t: for each instance, the path entry of its last step */
	uint64_t steps, concretized;
	GPtrArray *taken; /* const struct image_statement *: a few of those whose values these are,
			   * of each line one */
	bool has_floats;  /* a floating-point number is among what may change */
	const struct limits *limits; /* those of walk_options; NULL = the defaults; not owned */
};

/* The definition whose variable the term is; NULL = it is no variable, or of another formula. */
const struct definition *formula_definition(const struct formula *f, const struct term_node *n);

/* A line for each definition, constraint and unexplored side: `v7:32 = ADD:32(v3, 0x1)' is the
 * definition number 7, which has 32 bits.  GDB_WHY_LOG=formula:debug shows each new formula. */
void formula_dump(FILE *out, const struct formula *f);

#endif
