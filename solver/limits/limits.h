/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits: numbers that steer an analysis, one table (limits.def) for all rooms.
 *
 *   struct limits limits = *limits_default();
 *   limits_set(&limits, "runs=400", &error);          --limit runs=400
 *   … if (n >= limits.runs) limits_reached(&limits, LIMIT_runs);
 *
 * A struct limits goes down by pointer in the options and contexts that are passed
 * anyway; nothing here is kept between two calls.  Whoever wants to know which limits
 * ended something sets .reached to counts of their own.
 */
#ifndef SOLVER_LIMITS_LIMITS_H
#define SOLVER_LIMITS_LIMITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* What it means for the answer when a limit is reached. */
enum limit_kind {
	LIMIT_BOUND,  /* part of the question: the answer is complete within it */
	LIMIT_CUT,    /* something was left out that belongs to the answer, which says so */
	LIMIT_EFFORT, /* another way or another order is taken, nothing is left out */
};

enum limit {
#define LIMIT(name, kind, standard, least, most, unit, does, basis) LIMIT_##name,
#include "solver/limits/limits.def"
#undef LIMIT
	N_LIMITS
};

/* The most that each row allows, LIMIT_MOST_runs and so on: room for an array that a limit fills.
 */
enum {
#define LIMIT(name, kind, standard, least, most, unit, does, basis) LIMIT_MOST_##name = most,
#include "solver/limits/limits.def"
#undef LIMIT
};

/* How often each limit was reached. */
struct limit_counts {
	uint64_t times[N_LIMITS];
};

struct limits {
	union {
		struct {
#define LIMIT(name, kind, standard, least, most, unit, does, basis) uint64_t name;
#include "solver/limits/limits.def"
#undef LIMIT
		};
		uint64_t value[N_LIMITS];
	};
	struct limit_counts *reached; /* not owned; NULL = nobody asks */
};

/* One row of the table. */
struct limit_row {
	const char *name;
	enum limit_kind kind;
	uint64_t standard, least, most;
	const char *unit, *does, *basis;
};
extern const struct limit_row limit_rows[N_LIMITS];

#define LIMITS_ERROR limits_error_quark()
GQuark limits_error_quark(void);
enum limits_error { LIMITS_ERROR_USAGE };

/* The defaults.  Static. */
const struct limits *limits_default(void);
/* limits, or the defaults when it is NULL. */
const struct limits *limits_or_default(const struct limits *limits);
/* All to their least or most. */
void limits_set_all(struct limits *limits, bool most);
/* assignment: NAME=N; hyphens count as underscores.  The error names the nearest
 * limit, or the range. */
bool limits_set(struct limits *limits, const char *assignment, GError **error);

/* The limit ended something. */
void limits_reached(const struct limits *limits, enum limit limit);

/* Was something left out? */
bool limits_cut(const struct limit_counts *reached);
/* The limits that cut the answer, by their names and values, and what to ask for
 * instead, in numbers where it is a single one; NULL when none did.  Caller frees. */
char *limits_sentence(const struct limits *limits, const struct limit_counts *reached);

/* All rows, for a terminal of 80 columns, and as a page of the handbook in Markdown.
 * Caller frees. */
char *limits_help(void);
char *limits_page(void);

#endif
