/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of this folder share.
 *
 * A block (of a function's graph) is cut into pieces.  A piece ends where a call comes
 * back or where the block ends, so everything in it is executed as often as its start,
 * except when it faults.  The number of times that a piece was started is one counter,
 * or the sum of two (the outcomes of the conditional branch at its end), or the sum of
 * the targets of a computed jump.  So each piece has exactly one thing to count.
 */
#ifndef GDBEXT_PROFILE_PRIVATE_H
#define GDBEXT_PROFILE_PRIVATE_H

#include "solver/limits/limits.h"
#include "solver/format/counts.h"
#include "gdbext/profile/profile.h"
#include "gdbext/replay/folder.h"
#include "solver/image/image.h"

enum piece_kind {
	PIECE_COUNTED, /* .counter counts its start */
	PIECE_COND,    /* .counter counts its branch taken, the next counter not taken */
	PIECE_JUMP,    /* ends in a computed jump */
};

struct piece {
	uint64_t lo, last;   /* addresses of its first and last instruction */
	uint32_t first, end; /* numbers of its instructions, [first, end) */
	enum piece_kind kind;
	uint32_t counter; /* number */
};

/* Instructions of one row that follow each other in a block. */
struct segment {
	uint32_t insn;	    /* number of its first one */
	unsigned unit;	    /* statement */
	unsigned piece;	    /* that holds the first one */
	unsigned unit_line; /* line */
};

struct code_block {
	const struct image_block *image;
	unsigned function;		    /* in code.functions */
	unsigned unit;			    /* block */
	unsigned first_piece, n_pieces;	    /* at least 1 */
	unsigned first_segment, n_segments; /* 0: it has no rows */
	unsigned first_edge;  /* in code.edges: to its successors, then to the function's exit */
	unsigned predicate;   /* UNIT_NONE = it does not end in a conditional branch */
	unsigned sequence[2]; /* the sequences that end when it is taken, and when it is not;
			       * UNIT_NONE: another condition follows */
};

struct code_function {
	const struct image_cfg *cfg;
	unsigned first_block;	    /* in code.blocks; they follow each other as in cfg */
	unsigned unit_in, unit_out; /* virtual blocks */
	unsigned edge_in;	    /* to its entry's block */
};

/* The program's code as it is counted. */
struct code {
	const struct limits *limits;
	const struct image *image;
	const struct trace_insn *insns;
	size_t n_insns;
	GArray *functions, *blocks, *pieces, *segments;
	GArray *edges;		   /* unsigned: their units */
	struct count_insn *counts; /* for the plan */
	uint32_t n_counters, n_edges;
};

/* Needs only the image, which must outlive it.  The units are not filled in. */
struct code *code_new(const struct image *im, const struct limits *limits);
void code_free(struct code *code);
/* Number of the instruction at a link-time address; UNIT_NONE = none. */
unsigned code_insn(const struct code *code, uint64_t addr);

static inline struct code_block *code_block(const struct code *code, unsigned i)
{
	return &g_array_index(code->blocks, struct code_block, i);
}

static inline struct piece *code_piece(const struct code *code, unsigned i)
{
	return &g_array_index(code->pieces, struct piece, i);
}

/* Names everything that can be counted and is known beforehand. */
struct units *code_units(struct code *code);

/* Names the sequences of the function's conditions; its predicates have names already. */
void code_sequences(struct code *code, struct units *u, const struct code_function *f);

/* The sums over all sections of a file. */
struct counts {
	guint64 *counters;
	GHashTable *edges; /* from << 32 | to, as in struct count_edge: guint64 *, owned */
	guint64 *faults;   /* by number of the instruction */
	struct profile_summary summary;
};

/* The same for bytes in memory; path: the name in messages. */
bool counts_parse(const struct code *code, const char *key, const char *path, const uint8_t *bytes,
		  size_t size, struct counts *out, GError **error);
bool counts_read(const struct code *code, const char *key, const char *path, struct counts *out,
		 GError **error);
void counts_clear(struct counts *counts);

/* Adds what the counts mean to the test that is open in the spectrum. */
void counts_derive(const struct code *code, struct units *u, const struct counts *counts,
		   struct spectrum *s);

struct profile_plan {
	struct image *image;
	struct code *code;
	struct units *units;
	struct folder *folder;
	char *agent, *file; /* of the plan */
	char *name;	    /* of the program, as tests see it; NULL = as we do */
	char key[COUNTS_KEY + 1];
};

#endif
