/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which checks of a recorded run failed. */
#ifndef SOLVER_CHECK_CHECK_LOOK_H
#define SOLVER_CHECK_CHECK_LOOK_H

#include "solver/check/check-sites.h"
#include "solver/trace/run.h"

struct failing_check {
	const struct check_site *site;
	uint64_t pc;	 /* runtime */
	uint64_t nth;	 /* which execution of it, from 1 */
	uint64_t made;	 /* the number of the check, failing or not: .nth, but of a check that the
			  * program counts how often its branch was executed */
	char *condition; /* in C with registers, what should have held before the call; NULL = it
			  * should not have been made */
	char *says;	 /* in the framework's words; NULL = nothing is known of them */
	const struct image_statement *caller; /* of a check that the program counts: which called
					       * its function; NULL = not known */
};

struct checks_seen {
	GArray *failing;     /* struct failing_check, in the order of the run */
	GHashTable *came_by; /* struct check_site * → how often it was executed, or, of a check that
			      * the program counts, its branch (guint) */
	bool whole;	     /* the record was followed to its end */
};

/* Follows the chosen thread of a run; at most `most' failing checks are noted.  actions: those that
 * the run was made with.  False with error. */
bool checks_look(struct trace_run *run, const struct check_sites *sites,
		 const struct trace_action *actions, size_t n_actions, guint most,
		 struct checks_seen *out, GError **error);
/* Would the check at which a cursor stands fail, as far as is known before it is made?  NULL = it
 * stands at none.  *condition: as in struct failing_check, the caller's, also when it holds. */
const struct check_site *checks_at(const struct trace_run *run, const struct check_sites *sites,
				   const struct trace_cursor *cursor, bool *fails,
				   char **condition);
void checks_seen_clear(struct checks_seen *seen);

#endif
