/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a test has to print, and its exit status: the requirement that somebody has who knows the
 * right output.  One struct, made from texts; whoever runs the test asks whether a run met it.
 *
 *     struct expected_output e = { .text = { out, NULL }, .status = 0 };
 *     expected_look_at_run(&e, result.record, result.end, result.status).met
 */
#ifndef SOLVER_OUTPUT_EXPECTED_H
#define SOLVER_OUTPUT_EXPECTED_H

#include "solver/output/printed.h"
#include "solver/trace/runner.h"

struct expected_output {
	GString *text[PRINTED_STREAMS]; /* NULL = whatever it prints there */
	const char *name; /* of what .text[PRINTED_OUT] is about; NULL = standard output */
	int status;
	bool any_status; /* whatever its status, as long as it ends by itself */
	/* What it wrote to standard error when it failed.  A run that still writes exactly that has
	 * hidden the failure at most.  NULL = it does not matter. */
	GString *unwanted;
};

/* The strings are freed, the struct is not. */
void expected_clear(struct expected_output *e);
/* out, err: files; NULL = it does not matter.  False with error when one cannot be read. */
bool expected_read(struct expected_output *e, const char *out, const char *err, int status,
		   GError **error);

/* What a run did of it. */
struct expected_progress {
	bool met;
	bool status_met; /* it ended with the right status */
	unsigned stream; /* not .met, and some text differs: of the first stream that does */
	bool text_differs;
	uint64_t at;   /* the first byte there that differs */
	unsigned line; /* its line, from 1 */
};

/* Compares what a run wrote, in "out" and "err" of its folder, with what is expected; exited: it
 * ended by itself, with that status. */
struct expected_progress expected_look(const struct expected_output *e, const char *folder,
				       bool exited, int status);
/* The same of a run that the recorder followed: .record, .end and .status of its result. */
struct expected_progress expected_look_at_run(const struct expected_output *e, const char *folder,
					      enum run_end end, int status);
/* So many bytes did a run write to that stream's file in its folder. */
uint64_t expected_written(const char *folder, unsigned stream);
/* Can a run that goes on, and has written so much to its folder by now, not be right any more?  A
 * byte is wrong, or there are more than expected. */
bool expected_is_missed(const struct expected_output *e, const char *folder);
/* Is there so much more than expected that no more is to be learnt from it? */
bool expected_is_exceeded(const struct expected_output *e, const char *folder, uint64_t more);
/* Is the wrong byte, in what a run wrote that was ended, in a line that is complete? */
bool expected_line_is_over(const char *folder, const struct expected_progress *p);
/* Is the word that stands there in the expected text, after blanks perhaps, printed as a whole
 * before a run comes to the second place?  Then the run gets further, and not by a character that
 * happens to be right. */
bool expected_word_is_over(const struct expected_output *e, unsigned stream, uint64_t at,
			   uint64_t to);

#endif
