/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is measured of one version: builds it, runs its suite, ranks by each technique. */
#ifndef GDBEXT_EVALUATE_MEASURE_H
#define GDBEXT_EVALUATE_MEASURE_H

#include "gdbext/evaluate/spectra.h"
#include "gdbext/evaluate/workplace.h"
#include "gdbext/options/options.h"

struct measure {
	const struct options *o;
	struct workplace *place;
	GArray *techniques; /* struct technique, as rank_formula_techniques gives them */
	struct spectra_suites suites;
};

/* *skipped: why nothing could be measured, a sentence without its dot, free it; NULL: out was
 * filled.  False with error: it was interrupted, or nothing can be measured here at all. */
bool measure_version(const struct measure *m, const struct subject *s,
		     const struct subject_version *v, const struct spectra_rows *out,
		     char **skipped, GError **error);

#endif
