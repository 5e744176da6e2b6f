/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a suspect's way begins (way.h): at which instance of the slice from the failure. */
#ifndef SOLVER_ANSWER_WAY_START_H
#define SOLVER_ANSWER_WAY_START_H

#include "solver/answer/way.h"

enum way_start {
	WAY_NOT_HERE,
	WAY_OF_LINE, /* it is one of the suspect's line, not known to be what is changed */
	WAY_AT,	     /* it is what is changed */
	WAY_BEHIND,  /* what it gave is changed by the suspect, and then used */
};

/* The statement with which the suspect begins. */
const struct explanation_statement *way_statement(const struct explanation_suspect *s);
/* Is what is changed a value that is there before the program starts? */
bool way_is_of_data(const struct explanation_suspect *s);

/* Is it an instance of the suspect's line? */
bool way_start_is_of_line(const struct way_run *run, const struct explanation_suspect *s,
			  const struct slice_instance *i);
/* Is i, an instance of run's slice, where the suspect's way begins?  *changed: the execution that
 * is changed there; NULL = it is not known. */
enum way_start way_start(const struct way_run *run, const struct explanation_suspect *s,
			 const struct slice_instance *i,
			 const struct explanation_instance **changed);
/* The suspect's own statement as a link, with what that execution (NULL = any) gave, and what lets
 * the test pass. */
struct explanation_link way_start_link(struct explanation *e, const struct explanation_suspect *s,
				       const struct explanation_instance *changed);

#endif
