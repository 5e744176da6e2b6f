/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a question about a failing run rests on, whatever is asked: the run, made
 * just now or taken from a record, its images, and what is known of its end.
 */
#ifndef GDBEXT_QUESTION_QUESTION_H
#define GDBEXT_QUESTION_QUESTION_H

#include "gdbext/options/options.h"
#include "gdbext/record/record.h"
#include "gdbext/replay/replay.h"
#include "solver/formula/requirement.h"
#include "solver/source/trace-point.h"

struct question {
	const struct options *o;
	struct record *record; /* NULL = the test was run just now */
	struct replay *replay; /* NULL = it cannot be run; .record's when there is one */
	bool shares_replay;    /* it is another question's, and so is what comes of it */
	struct image *const *images;
	size_t n_images;
	const char *program; /* its path */
	struct replay_failing failing;
	struct trace_point *point;	   /* the failing run where it fails, or at a stop */
	struct requirement *requirement;   /* what it does not meet there */
	const struct weighting *weighting; /* NULL = all statements are as likely; not ours */
	struct explanation *e;
	GTimer *clock;
	struct deadline until; /* --timeout, and signals; starts with the question */
};

/* Nothing is known yet but the options; not owned. */
void question_init(struct question *q, const struct options *o);

/* Runs the test, or opens the record: fills all but .point and .requirement.  After
 * question_init. */
bool question_start(struct question *q, GError **error);
/* All but .o; whatever of it was filled. */
void question_clear(struct question *q);
/* The program's name as the user gave it, and its arguments; NULL-terminated. */
char **question_words(const struct question *q);

#endif
