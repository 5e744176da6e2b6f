/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines the test executes in a version, whichever of its programs and however often the
 * test starts them: the recorder's coverage mode.
 */
#ifndef GDBEXT_REGRESS_COVERAGE_H
#define GDBEXT_REGRESS_COVERAGE_H

#include "gdbext/regress/workshop/workshop.h"

struct coverage_line {
	gint64 count;	 /* how often it was executed; -1 = nothing is known of its code */
	guint64 ways[2]; /* how often its branches were, and were not, taken */
	unsigned entry;	 /* the line where the function begins that it stands in; 0 = not known, or
			  * it stands in several */
	bool is_shared;	 /* it stands in several */
	GArray *code;	 /* of its instructions, in the order of addresses */
};

struct coverage {
	GHashTable *lines; /* "file:line", relative to the tree -> struct coverage_line * */
	guint64 codes;	   /* of instructions that were added */
	unsigned programs; /* of the tree, that the test ran */
};

/* The coverage of the version in which that set of changes is reverted; a bench holds
 * it.  NULL: it does not build, or no program of the tree with debug info ran. */
struct coverage *coverage_new(struct workshop *w, const GArray *reverted);

/* One that is filled by hand: a line was executed so often more, its branches went one way or the
 * other so often more, and its next instruction does this (solver/regress/trace/line-code.h). */
struct coverage *coverage_empty_new(void);
void coverage_free(struct coverage *c);
void coverage_add_count(struct coverage *c, const char *file, unsigned line, guint64 times);
void coverage_add_way(struct coverage *c, const char *file, unsigned line, bool taken,
		      guint64 times);
void coverage_add_code(struct coverage *c, const char *file, unsigned line, unsigned entry,
		       guint64 code);

/* How often; -1 = there is no code on the line. */
gint64 coverage_of(const struct coverage *c, const char *file, unsigned line);
/* How often the function was entered that the line stands in; -1 = that cannot be told. */
gint64 coverage_entries_of(const struct coverage *c, const char *file, unsigned line);

/* What the code of these lines does, one line or several; 0 = they have none. */
guint64 coverage_code_of(const struct coverage *c, const char *file, unsigned first,
			 unsigned count);

/* How often the branches on these lines went one way and the other. */
void coverage_ways_of(const struct coverage *c, const char *file, unsigned first, unsigned count,
		      guint64 ways[2]);

/* What each change has to do with the runs. */
struct suspicion {
	unsigned change;
	bool is_executed; /* its new lines by the new version, or its old ones by the old */
	bool is_same;	  /* the compiler made the same code of both sides */
	bool is_idle;	  /* that, and it is executed */
	bool is_parted;	  /* both sides have code, and one version alone comes there: the runs
			   * had parted before */
	bool turns;	  /* its branches decide otherwise than the old ones, and not only because
			   * they are come to more, or less, often */
	bool is_source;	  /* of C, without code of its own: a declaration, a macro, a type */
	double distance;  /* in lines, to where both versions' runs differ; less is more suspicious
			   */
};

/* The suspicion of each change, in their order.  old: may be NULL.  Free with g_array_unref. */
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
