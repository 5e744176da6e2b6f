/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A candidate: a set of statements, of which the search asks whether changing what they
 * compute lets the run meet its requirement.  comss.h gives the candidates in order of cost,
 * technique.h has the ways by which one is decided.
 *
 *                    the run that was made for it taught the formula something
 *             ┌────────────────────────────────────────────────────────────────┐
 *             ▼                                                                │
 *   comss ► OPEN ── a technique has values with which the formula holds ─► PROPOSED
 *            │  │                                                            │    │
 *            │  │ no technique decides it                 the run meets the  │    │ no run teaches
 *            │  │                                        requirement, or it  │    │ more, or there
 *            │  └────────────► DEFERRED ◄──┐             cannot be made      │    │ were many
 *            │                     │       └─────────────────────────────────┼────┘
 *            │ there are no        │ next pass: the same question again,     ▼
 *            │ such values         ▼ with more effort                    ANSWERED
 *            │                   OPEN
 *            └──► POSTPONED ── all others were asked ──► REFUTED
 *                                                        (its core tells comss what else is none)
 *
 * A candidate that stays OPEN is the next one that is asked about.
 */
#ifndef SOLVER_SEARCH_CANDIDATE_H
#define SOLVER_SEARCH_CANDIDATE_H

#include "solver/limits/limits.h"
#include "solver/query/encode.h"
#include "solver/search/search.h"

enum candidate_state {
	CANDIDATE_OPEN,
	CANDIDATE_PROPOSED,
	CANDIDATE_ANSWERED,
	CANDIDATE_POSTPONED,
	CANDIDATE_REFUTED,
	CANDIDATE_DEFERRED,
};

/* Along which ways the formula may go. */
enum candidate_ways {
	WAYS_KNOWN,    /* those that runs went */
	WAYS_NEW,      /* also others, but not where running did not help */
	WAYS_ANYWHERE, /* all */
};

struct technique;

struct candidate {
	enum candidate_state state;
	bool proposed; /* it was CANDIDATE_PROPOSED in this round */
	const struct technique *by,
		*decided_by; /* the one at hand; the one that changed the state */
	const unsigned *set; /* selectors, ascending; not NULL */
	unsigned n;
	GArray *avoid; /* uint32_t: unexplored sides that WAYS_NEW leaves out */
	/* What techniques found out in this round. */
	enum smt_answer where_runs_went;    /* are there values along WAYS_KNOWN? */
	bool gates_known;		    /* how large the whole question is: … */
	uint64_t gates;			    /* … so large */
	bool undecided;			    /* a question took too long: … */
	enum candidate_ways undecided_ways; /* … along these */
	/* state == PROPOSED */
	struct model_path *path;
	enum candidate_ways ways;
	int side; /* WAYS_NEW: the unexplored side that the path goes down, -1 = none */
	/* state == ANSWERED: the search's */
	const struct search_answer *answer;
};

/* The question about the candidate along these ways; points into c. */
struct encoding_question candidate_question(const struct candidate *c, enum candidate_ways ways);

/* ---- what a technique makes of an open candidate ---- */

/* With the path's changes the formula holds; path is taken. */
void candidate_propose(struct candidate *c, struct model_path *path, enum candidate_ways ways,
		       int side);
/* The path's changes are an answer; path is taken.  note: why it is not proven, NULL if it is. */
void candidate_answer(struct search *s, struct candidate *c, struct model_path *path,
		      enum explanation_replay replay, const char *note);
/* The last answer's run came farther in its output than the failing one. */
void candidate_came_further(struct search *s, unsigned from, unsigned to);
/* The candidate is no correction set, and its core is asked for when the other candidates were
 * tried.  Each run changes the formula, and a core needs a question with all selectors, which is
 * expensive. */
void candidate_postpone(struct search *s, struct candidate *c);
/* The candidate is no correction set: this core (struct unsigned) contains none of its members. */
void candidate_refute(struct search *s, struct candidate *c, const GArray *core);
/* The candidate stays undecided because of this limit (N_LIMITS: because of none).  The other
 * candidates come first. */
void candidate_defer(struct search *s, struct candidate *c, enum limit because);

/* ---- candidate-run.c: from a proposal to what a run says of it ---- */

/* c is PROPOSED.  Makes the run that the ways ask for:
 *   KNOWN     the path's changes; a run that does not meet the requirement shows that the
 *             formula did not know something, and is merged into it.
 *   NEW       the same on a side that no run took.  Should that run have been made, exactly the
 *             branch is turned.  When that teaches nothing either, the side is avoided.
 *   ANYWHERE  where running did not help, or where runs went on for longer than the formula
 *             follows them: a last try, which says nothing when it fails. */
void candidate_settle(struct search *s, struct candidate *c, GError **error);

/* The actions of a known run up to the branch of an unexplored side, and down
 * that side; none where the run does not say how. */
void candidate_actions_to(const struct search *s, int side, GArray *actions);
/* Were these actions never tried?  They count as tried from now on. */
bool candidate_is_new(struct search *s, const GArray *actions);
/* A name for them; caller frees. */
char *candidate_sum(const GArray *actions);
/* Is there a runner, and may it run once more?  Else the search was cut. */
bool candidate_may_run(struct search *s);
struct search_run;
/* Makes a run with these actions; run->result is the caller's. */
bool candidate_run(struct search *s, const GArray *actions, struct search_run *run, GError **error);
/* Makes the run and learns nothing from it.  Does it meet the requirement?  False with *error
 * when it could not be made. */
bool candidate_passes(struct search *s, const GArray *actions, GError **error);

/* ---- candidate-needed.c ---- */

/* The test passes with the path's changes, as the last run showed.  Some of them may never have
 * happened in it.  Others hold a value at what it was in the failing run, although an earlier
 * change would give it another one: the formula's model happened to have it so.  Those that the
 * test passes without are taken out of the path; the others are part of what is proven. */
void candidate_leave_out_idle(struct search *s, struct model_path *path);

#endif
