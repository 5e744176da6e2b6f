/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a program, ranked by one or several techniques (solver/rank) from
 * what the tests of a suite did: what the front ends show.
 */
#ifndef SOLVER_RANK_RANKING_H
#define SOLVER_RANK_RANKING_H

#include "solver/rank/order.h"
#include "solver/rank/spectrum.h"
#include "solver/rank/technique.h"

struct image;

struct ranking_score {
	double score; /* may be infinite */
	struct standing standing;
};

struct ranking_line {
	const char *file; /* absolute where the debug information tells */
	unsigned number;
	const char *text;		    /* of the source; NULL = not there */
	unsigned failed, passed;	    /* tests that executed it */
	const struct ranking_score *scores; /* one a technique */
};

/* A source file that has ranked lines. */
struct ranking_file {
	const char *name;
	GPtrArray *text; /* const char *, a line each; empty = it is not there */
};

struct ranking_test {
	const char *name;
	const char *verdict; /* a word */
};

struct ranking {
	const char *program, *suite; /* as they were named; ranking_new leaves them NULL */
	unsigned passed, failed;     /* tests that the scores come from */
	/* Others, told by the caller: without a verdict, and not run for an interrupt. */
	unsigned left_out, not_run;
	const char *unproven; /* likewise: why explanations were not proven; NULL = they were */
	const char *cut;      /* likewise: what cut explanations; NULL = nothing */
	unsigned cached;      /* of the first two: known from an earlier run */
	double ms;
	GArray *tests; /* struct ranking_test, likewise */

	enum rank_scheme scheme;
	GPtrArray *techniques; /* const char *: their names */
	GArray *lines;	       /* struct ranking_line, best by the first technique first */
	GArray *files;	       /* struct ranking_file, by name */
	GStringChunk *strings; /* all text */
	GPtrArray *scores;     /* owns the lines' */
};

/* Ranks all lines of u that have statements, by at least one technique.  im:
 * where source text is read; NULL = there is none.  Files that it says are not what is tested
 * (image_file_is_given) are left out. */
struct ranking *ranking_new(const struct units *u, const struct spectrum *s,
			    const struct technique *techniques, unsigned n_techniques,
			    enum rank_scheme scheme, const struct image *im);
/* A line that no unit stands for, one without code, and what one of the techniques scores it. */
struct ranking_extra {
	const char *file;
	unsigned number;
	unsigned technique;
	double score;
};
/* Adds these lines (struct ranking_extra); by the other techniques they stand with the last ones.
 * Nothing is kept of extras. */
void ranking_add_lines(struct ranking *r, const GArray *extras, const struct image *im);
void ranking_free(struct ranking *r);

/* The technique that a name means when none is asked for. */
#define RANKING_TECHNIQUE "ochiai"

/* "NAME", "NAME,NAME…" or "all" (then the usual one comes first): an array of
 * struct technique.  NULL: *wrong is the name that there is not; free it.  limits: NULL = the
 * defaults; not owned. */
GArray *ranking_techniques(const char *names, const struct limits *limits, char **wrong);

#endif
