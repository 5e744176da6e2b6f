/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The streams of a run that print into memory (open_memstream), and the calls that were given
 * them.  The record has neither what a call printed nor the text, but it has the calls with their
 * arguments and results, and the results say how long each part of the text is:
 *
 *     FILE *m = open_memstream (&text, &size);
 *     fprintf (m, "n=%d;", 12);      5 bytes, by its result
 *     fputc ('x', m);                1 byte
 *     fputs (name, m);               as long as that text is, which others have to find out
 *     fclose (m);                    shows it: from here on text points to "n=12;x..."
 *
 * Whoever goes forward through a run tells it each step that was not done by a superblock, and what
 * superblocks wrote; steps have numbers from 0.  Streams that other threads print to as well are
 * not told apart.
 */
#ifndef SOLVER_TRACE_SUPERBLOCK_MEMORY_STREAMS_H
#define SOLVER_TRACE_SUPERBLOCK_MEMORY_STREAMS_H

#include "solver/library/library.h"
#include "solver/limits/limits.h"
#include "solver/trace/superblock/superblock.h"

enum { MEMORY_STREAM_ARGUMENTS = 6 };

/* A call that was given the stream. */
struct memory_stream_call {
	uint64_t step;
	uint64_t before; /* the last step before it that ran untraced code; UINT64_MAX = none */
	/* It prints to it.  NULL = it may do anything with it, if it was given it: */
	const struct library_function *function;
	unsigned registers; /* LIBRARY_ARGUMENT(n) where that register had the stream */
	uint64_t length;    /* bytes that it printed; UINT64_MAX = as long as this text was: */
	uint64_t text;	    /* its address */
};

/* A call that made the text be what was printed so far. */
struct memory_stream_show {
	uint64_t step;
	unsigned calls; /* how many calls were before it */
	bool is_known;	/* false: something else may have changed what they printed */
	/* The step behind the first that stored or loaded the text's address since, when it was
	 * another one than before; UINT64_MAX = none has. */
	uint64_t found;
	uint64_t address; /* what that step or a later one of its superblock left there, else 0 */
};

struct memory_stream {
	uint64_t step;	 /* that opened it */
	uint64_t stream; /* its address */
	uint64_t text;	 /* where the address of the text is, and its size: */
	uint64_t size;
	GArray *calls; /* struct memory_stream_call */
	GArray *shows; /* struct memory_stream_show */
	bool is_open;
	bool is_changed; /* something else than these calls may have changed what it has */
};

struct memory_streams;

/* The limits must outlive it. */
struct memory_streams *memory_streams_new(const struct limits *limits);
void memory_streams_free(struct memory_streams *s);

/* What is about to be given to a call, if the next step is one. */
void memory_streams_before(struct memory_streams *s, const struct trace_cursor *c);
/* The step with that number was done by trace_cursor_step; c: behind it.  Was it a call that
 * printed to such a stream? */
bool memory_streams_step(struct memory_streams *s, const struct trace_cursor *c,
			 const struct trace_step *step, uint64_t number);
/* A superblock was done; end: the number of the step behind it; c stands there. */
void memory_streams_superblock(struct memory_streams *s, const struct trace_cursor *c,
			       const struct superblock_run *superblock, uint64_t end);

/* How many streams there were, and one of them, in the order in which they were opened. */
unsigned memory_streams_count(const struct memory_streams *s);
const struct memory_stream *memory_streams_at(const struct memory_streams *s, unsigned number);
/* The last stream whose text was found at that address; NULL = none. */
const struct memory_stream *memory_streams_with_text(const struct memory_streams *s,
						     uint64_t address);
/* Where its text was found after the show with that number, or before it when it stayed there; 0 =
 * it was not found.  Traced code may have stored that address itself. */
uint64_t memory_stream_address(const struct memory_stream *m, unsigned show);
/* Was the block of memory given back in the steps [from, until)? */
bool memory_streams_freed(const struct memory_streams *s, uint64_t block, uint64_t from,
			  uint64_t until);

#endif
