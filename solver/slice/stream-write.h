/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which call printed a byte of a text that open_memstream made?  memory-streams.h has the calls
 * that were given the stream and how much each printed; their sum says where in the text each
 * begins.
 *
 *     fprintf (m, "n=%d;", n);  fputs (name, m);  fclose (m);     text[2] was printed by fprintf,
 * and is made of n
 */
#ifndef SOLVER_SLICE_STREAM_WRITE_H
#define SOLVER_SLICE_STREAM_WRITE_H

#include "solver/trace/index/reverse-index.h"

/* How long the text at the address was before the step; false = it is not known. */
typedef bool stream_measure_fn(void *arg, uint64_t step, uint64_t address, uint64_t *length);

struct stream_write {
	const struct memory_stream *stream;
	uint64_t shown; /* the step that made the byte be in the text */
	/* Of the stream's calls, these printed the place: [first, end).  Both are 0 when it is not
	 * known that any of its calls did. */
	unsigned first, end;
	bool is_known;	 /* false: only some of them did */
	unsigned size;	 /* of the place */
	uint64_t offset; /* when it is known, and one call: of the place in what that printed */
};

/* The last stream whose text had the place before the step, or that put its text's address or size
 * there when it was shown; false = there is none.  A place that is
 * as long as a text may be (limit slice_string) ends with the text.
 * measure: NULL = no text's length is known but those that nobody can change. */
bool stream_write_before(struct reverse_index *index, const struct reverse_index_place *place,
			 uint64_t step, stream_measure_fn *measure, void *arg,
			 struct stream_write *out);

/* Adds of what the place was made (struct library_read): of what each of the calls printed; where
 * none is known, the stream that was shown. */
void stream_write_reads(struct reverse_index *index, const struct stream_write *w, GArray *reads);

#endif
