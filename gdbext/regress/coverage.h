/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines the test executes in a version, whichever of its programs and however often the
 * test starts them: the recorder's coverage mode.
 */
#ifndef GDBEXT_REGRESS_COVERAGE_H
#define GDBEXT_REGRESS_COVERAGE_H

#include "gdbext/regress/workshop.h"

struct coverage {
	GHashTable *counts; /* "file:line", relative to the tree -> guint64 *: how often; lines with
			     * code have one, 0 where they are not executed */
	GHashTable *code; /* the same keys -> guint64 *: what the line's code does, in all programs
			   * (solver/image/line-code.h) */
	GHashTable *ways[2]; /* the same keys -> guint64 *: how often its branches were, and were
			      * not, taken */
	unsigned programs;   /* of the tree, that the test ran */
};

/* Of the version with that set reverted, in a bench that holds it.  NULL: it does not build, or
 * no program of the tree with debug info ran. */
struct coverage *coverage_new(struct workshop *w, const GArray *reverted);
void coverage_free(struct coverage *c);
/* How often; -1 = there is no code on the line. */
gint64 coverage_of(const struct coverage *c, const char *file, unsigned line);

/* What the code of these lines does; 0 = they have none. */
guint64 coverage_code_of(const struct coverage *c, const char *file, unsigned first,
			 unsigned count);

/* How often the branches on these lines went one way and the other. */
void coverage_ways_of(const struct coverage *c, const char *file, unsigned first, unsigned count,
		      guint64 ways[2]);

/* What each change has to do with the runs. */
struct suspicion {
	unsigned change;
	bool is_executed; /* its new lines by the new version, or its old ones by the old */
	bool is_idle;	  /* it is executed, but the compiler made the same code of both sides */
	bool turns;	  /* its branches go another way more, or less, often than the old ones */
	bool is_source;	  /* of C, without code of its own: a declaration, a macro, a type */
	double distance;  /* in lines, to where both versions' runs differ; less is more suspicious
			   */
};

/* Of all changes, in their order.  old: may be NULL.  Free with g_array_unref. */
GArray *suspicions_new(const struct regress_changes *c, const struct coverage *old,
		       const struct coverage *newer, const struct limits *limits);
/* Which of them; flags. */
enum {
	SUSPICION_ACTIVE = 1, /* executed, and not idle */
	SUSPICION_IDLE = 2,
	SUSPICION_SOURCES = 4,
	SUSPICION_OTHERS = 8,
	SUSPICION_EXECUTED = SUSPICION_ACTIVE | SUSPICION_IDLE,
};
/* The numbers of those changes, the most suspicious first. */
GArray *suspicions_order(const GArray *suspicions, unsigned which);

#endif
