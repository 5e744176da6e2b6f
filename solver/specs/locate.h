/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SAT-TAR (Gopinath, Zaeem, Khurshid, ASE 2012): which test comes next, how
 * suspicious each statement is, and which suspects a new test acquits.  It runs nothing and asks no
 * solver: it is given cores (core.h) and tests.
 *
 *     rating of s = Tarantula's suspiciousness of s, + 1 while s is a suspect of a core,
 *                   then Tarantula's confidence
 *
 * Where several constraints are violated, a suspect gets its share: 1 when it is in all their
 * cores. One fault that breaks them all is in all of them.
 *
 * Where runs have shown which statements alone, changed, let failing calls do what is demanded
 * (gdbext/specs/proof.h), the share of these calls comes first, and counts as the bonus:
 *
 *     mends of s  = how much of the failing calls that were asked about s can mend
 *
 * Statements may be equal in all this.  Then the one comes first after whose change the calls still
 * do most of what they did: a passing run that is like the failing one tells best what is wrong
 * (Renieris, Reiss, "Fault localization with nearest neighbor queries", ASE 2003).
 *
 *     rank of s   = how many statements have its rating or a greater one
 *
 * Example (a list of two nodes, `size = 0' for `size = size - 1' in statement 8): removing the
 * first node fails, the core is {2, 3, 4, 8}, all of rank 4.  Removing the second fails, too.
 * Removing a key that is not there passes, and executes 2, 3 and 4: statement 8 has rank 1.
 */
#ifndef SOLVER_SPECS_LOCATE_H
#define SOLVER_SPECS_LOCATE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum locate_technique {
	LOCATE_SAT_TAR,
	LOCATE_TAR_DT,	 /* tests directed towards the failing run, no cores */
	LOCATE_TAR_RAND, /* tests as they come, no cores */
	LOCATE_SAT,	 /* cores alone */
};

/* A set of constraints, by number. */
typedef uint64_t locate_set;

struct locate_test {
	GHashTable *lines; /* executed statements (char *); not owned, must outlive the locate */
	locate_set violated;
};

struct locate_rating {
	const char *statement;
	double suspiciousness; /* with the bonus */
	double confidence;
	double mends;	 /* 0 to 1; 0 where no call was asked about */
	double likeness; /* likewise */
	unsigned rank;
	bool suspect; /* it has the bonus */
};

struct locate;

/* The first test fails.  unchanged: after so many rounds in which no suspect's rating changed, a
 * test has to tell suspects apart. */
struct locate *locate_new(enum locate_technique technique, const struct locate_test *first,
			  unsigned unchanged);
void locate_free(struct locate *l);

/* Statements that are rated, in the order in which equal ones are shown; one that is there
 * already is left out.  Tests' statements count only when they were added. */
void locate_add_statement(struct locate *l, const char *statement);
/* A core of one constraint begins; */
void locate_add_core(struct locate *l);
/* its members. */
void locate_add_suspect(struct locate *l, const char *statement);
/* A failing call was asked about; */
void locate_add_proofs(struct locate *l);
/* the statement alone can mend it.  weight: 0 to 1, how good a change that is; likeness: 0 to 1,
 * how much the changed call executes of what it did. */
void locate_add_proof(struct locate *l, const char *statement, double weight, double likeness);
/* It is probably right: no bonus any more. */
void locate_acquit(struct locate *l, const char *statement);
/* The user knows that it is right: it stands behind all others, whatever comes. */
void locate_clear(struct locate *l, const char *statement);

/* How well a test would tell suspects apart, the greater the better; 0 = it is no use: it executes
 * what another one executes, or no suspect. */
unsigned locate_similarity(const struct locate *l, const struct locate_test *t);
/* No test can have more. */
unsigned locate_best_similarity(const struct locate *l);
/* Takes the test.  False: it fails for another reason, so it is left out. */
bool locate_add(struct locate *l, const struct locate_test *t);

/* struct locate_rating, the most suspicious first; valid until the next call. */
const GArray *locate_ratings(struct locate *l);

#endif
