/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which call of a function that is not traced wrote a piece of memory, and from what?  The record
 * has the call's arguments, and library.def says which of them it writes through, so contents can
 * be followed through memcpy and sprintf to where they were made.
 *
 *     memcpy (line, buffer, n);      line[3] was made by what made buffer[3]
 *     line = realloc (line, n);      and so is what a block has that was moved
 *     line = strdup (buffer);        or that was made so
 */
#ifndef SOLVER_SLICE_LIBRARY_WRITE_H
#define SOLVER_SLICE_LIBRARY_WRITE_H

#include "solver/library/library.h"
#include "solver/slice/stream-write.h"
#include "solver/trace/index/reverse-index.h"

struct library_writers;

/* The calls in an image that was loaded with this bias.  The index and the image outlive it. */
struct library_writers *library_writers_new(struct reverse_index *index, const struct image *image,
					    uint64_t bias);
void library_writers_free(struct library_writers *w);
/* From now on, texts that were printed to a stream in memory are as long as that says (NULL = that
 * is not known). */
void library_writers_measure(struct library_writers *w, stream_measure_fn *measure, void *arg);

struct library_write {
	uint64_t step;	/* of the call */
	uint64_t since; /* the step that put the bytes there */
	const struct library_function *function;
	bool has_source;		   /* the bytes were copied from there: */
	struct reverse_index_place source; /* those of the place that the call wrote */
	uint64_t registers;		   /* bit r: an argument that the call was given */
	/* It was printed to a stream: .stream.stream is not NULL.  The step is that of the call
	 * that printed it, or showed it when it is not known which one did; function is NULL. */
	struct stream_write stream;
	bool was_cut; /* none was found among the calls that were looked at; there were more */
};

/* The last call before the step that wrote the place's first byte, as far as it is known how much
 * each call writes.  Only so many calls are looked at (limit slice_calls). */
bool library_write_before(struct library_writers *w, const struct reverse_index_place *place,
			  uint64_t step, struct library_write *out);

/* The same of qsort and its kin, between two steps.  A value that such a call left where it was
 * looks as if nobody had written it since. */
bool library_sort_between(struct library_writers *w, const struct reverse_index_place *place,
			  uint64_t from, uint64_t step, struct library_write *out);

#endif
