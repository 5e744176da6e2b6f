/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The path condition of a recorded run over what a test can choose, and inputs for other paths:
 * all decisions before number k as they were, and number k the other way.
 *
 * Inputs are what the program read: how many arguments there are, bytes of them, and the numbers
 * that atoi, strtol and their like made of them.  A model is put into words again (path_words);
 * what the program does with these, a run has to tell.
 */
#ifndef SOLVER_SPECS_PATH_H
#define SOLVER_SPECS_PATH_H

#include "solver/formula/walk.h"
#include "solver/smt/smt.h"

enum path_input_kind {
	PATH_COUNT,  /* argc */
	PATH_NUMBER, /* what the text of .argument from .offset on says */
	PATH_BYTE,   /* the byte of .argument at .offset */
	PATH_MEMORY, /* .size bytes at .address, which lie in .memory of the question */
};

struct path_input {
	enum path_input_kind kind;
	unsigned argument, offset;
	bool is_int;	  /* NUMBER: 32 bits; BYTE: it was returned, and -1 is the end */
	uint64_t address; /* MEMORY */
	unsigned size;
	bool fixed;
	uint32_t definition;
	int64_t actual;
};

/* Bytes that a test can choose. */
struct path_memory {
	uint64_t address, size;
	bool fixed; /* path_other_side leaves it as it was */
};

struct path_question {
	struct trace_run *run;
	const struct requirement *requirement; /* how the run ended */
	const struct image *program;
	/* Numbers of the first and the last step whose decisions matter.  What the program did
	 * before is as it was; first is 0 where arguments or text are chosen. */
	uint64_t first, last;
	/* Not NULL: the chosen bytes are in this memory (struct path_memory), and the arguments
	 * stay. */
	const GArray *memory;
	/* Not NULL: bytes of standard input are chosen, of which this is the text, and the
	 * arguments stay.  The text counts as argument 0. */
	const char *text;
	enum smt_kind solver;
	const struct limits *limits;
	const struct deadline *until;
};

struct path;

/* NULL with error. */
struct path *path_new(const struct path_question *q, struct lift *lift, GError **error);
void path_free(struct path *p);
/* Decisions that can be taken otherwise, in order. */
unsigned path_decisions(const struct path *p);
/* struct path_input */
const GArray *path_inputs(const struct path *p);
/* *values: int64_t, as many as inputs; the caller's.  False: there are none. */
bool path_other_side(struct path *p, unsigned decision, GArray **values);
/* The number of the first decision that goes otherwise with these values (int64_t, as many as
 * inputs); path_decisions: all go as they went. */
unsigned path_leaves(struct path *p, const GArray *values);

/* The arguments that these values are read from, NULL-terminated, the caller's.  words: those of
 * the run, the program's name first; or the text of standard input alone. */
char **path_words(const struct path *p, char *const *words, const GArray *values);

#endif
