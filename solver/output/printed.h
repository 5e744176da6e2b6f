/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each byte came from that a run printed: the calls in traced code, in the order of the
 * bytes, and for each call the pieces of its format with the arguments that they show.
 *
 *     printf("%d of %s\n", n, name)        "3 of cats\n"
 *             |    |  |  |                  3 | of | cats | \n
 *
 * The recorder notes how much was written when (struct trace_output), whatever function wrote
 * it and however it is buffered.  What a call is known to print is compared with the bytes; when
 * they differ, or the function is not known, the call is one opaque piece.
 */
#ifndef SOLVER_OUTPUT_PRINTED_H
#define SOLVER_OUTPUT_PRINTED_H

#include "solver/output/directive.h"
#include "solver/limits/limits.h"
#include "solver/trace/run.h"

enum { PRINTED_OUT, PRINTED_ERR, PRINTED_STREAMS };

/* Where an argument is when the call is about to be made. */
struct printed_place {
	enum { PRINTED_NOWHERE, PRINTED_REGISTER, PRINTED_MEMORY } kind;
	unsigned reg;	  /* REGISTER: enum trace_reg, or TRACE_XMM0 + n */
	uint64_t address; /* MEMORY */
};

struct printed_call;

struct printed_piece {
	struct directive directive;
	int width, precision; /* in force */
	uint64_t from, to;    /* of the stream's bytes */
	struct printed_place place;
	uint64_t bits;	/* the argument; STRING, BYTES: the address */
	unsigned value; /* its number among the arguments that are values, from 0 */
	/* An earlier call made the text in memory that was printed here (sprintf, or fprintf to a
	 * stream of open_memstream): the directive and its argument are that call's.  NULL = they
	 * are the call's own. */
	const struct printed_call *made_by;
};

struct printed_call {
	unsigned stream;
	uint64_t from, to;
	uint64_t step; /* the number of the instruction that calls, from 0 */
	uint64_t pc;   /* runtime */
	uint64_t nth;  /* which execution of it, from 1 */
	const struct trace_module *module;
	const struct trace_insn *insn;
	const char *name; /* "printf"; NULL = not known */
	GArray *pieces;	  /* struct printed_piece: all bytes, in order */
};

struct printed {
	GPtrArray *calls[PRINTED_STREAMS]; /* struct printed_call *, in order of their bytes */
	GString *text[PRINTED_STREAMS];
	GPtrArray *formatted; /* struct printed_call *: calls of that kind that pieces name */
	uint64_t steps;	      /* of the thread */
	const struct limits *limits;
};

/* out, err: files with what the run wrote.  NULL with error.  run: its chosen thread is looked
 * at; it must outlive the result, as limits must. */
struct printed *printed_new(struct trace_run *run, const char *out, const char *err,
			    const struct limits *limits, GError **error);
void printed_free(struct printed *p); /* NULL is fine */

/* The call that printed the byte; NULL = it is not known. */
const struct printed_call *printed_call_at(const struct printed *p, unsigned stream, uint64_t at);

#endif
