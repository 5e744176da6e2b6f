/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a suite did on one faulty version, and where the techniques that look at nothing else rank
 * its faulty lines.
 */
#ifndef GDBEXT_EVALUATE_SPECTRA_H
#define GDBEXT_EVALUATE_SPECTRA_H

#include "gdbext/evaluate/subject.h"
#include "solver/evaluate/measurement.h"
#include "solver/rank/technique.h"

/* Which suites are measured. */
struct spectra_suites {
	GArray *percents; /* unsigned */
	unsigned seeds;	  /* so many suites of each size below 100 % */
};

struct spectra {
	const struct units *units; /* neither is owned */
	struct spectrum *spectrum;
	bool *crashed; /* of each test */
	const struct subject *subject;
	const struct subject_version *version;
	GArray *lines;	/* unsigned: the units' lines that have code */
	GArray *faulty; /* unsigned: those of them that are faulty, as indices into .lines */
	bool no_code;	/* these stand for faulty lines that have no code (no-code.h) */
	enum spectrum_verdict *verdicts;
};

/* crashed: one a test of s, copied. */
struct spectra *spectra_new(const struct subject *subject, const struct subject_version *v,
			    const struct units *u, struct spectrum *s, const bool *crashed,
			    const struct limits *limits);
void spectra_free(struct spectra *s);

/* A table's rows and times as text. */
struct spectra_rows {
	GString *rows, *times;
};

/* All of these techniques, on all suites.  Techniques that were given are left out. */
void spectra_measure(struct spectra *s, const GArray *techniques,
		     const struct spectra_suites *suites, const struct spectra_rows *out);

/* One technique on all tests, by the scores of its lines.  proven: of each line; NULL = nothing
 * is. */
void spectra_add(const struct spectra *s, const struct technique *t, const bool *proven, double ms,
		 const struct spectra_rows *out);

#endif
