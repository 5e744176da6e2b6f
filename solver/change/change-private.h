/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the place of a change in a record. */
#ifndef SOLVER_CHANGE_CHANGE_PRIVATE_H
#define SOLVER_CHANGE_CHANGE_PRIVATE_H

#include "solver/change/change.h"
#include "solver/trace/run.h"

/* A walk through a record, counting executions.  All zero before it begins. */
struct change_walk {
	struct trace_run *run;
	struct lift *lift;
	struct trace_cursor *cursor;
	GHashTable *counts; /* pc -> executions so far */
	struct trace_step step;
	uint64_t before; /* pc of the last step, 0 = none yet */
};

/* record: a directory. */
bool change_walk_begin(struct change_walk *w, const struct change_of *of, const char *record,
		       GError **error);
void change_walk_clear(struct change_walk *w);
/* False at the end, or with error. */
bool change_walk_step(struct change_walk *w, GError **error);
/* Where control is; NULL = nowhere. */
const struct trace_module *change_module_here(const struct change_walk *w, uint64_t *link);
/* Fills in everything of an action except what it does, for the last execution of pc. */
void change_place(const struct change_walk *w, uint64_t pc, unsigned thread,
		  struct trace_action *a);

/* The line that control is in; calls that the line makes do not count. */
struct change_line {
	const struct image *image;
	const struct image_statement *statement; /* NULL = it has none */
	uint64_t sp;
};

enum change_whose { LINE_OURS, LINE_CALLED, LINE_LEFT };

struct change_line change_line_here(const struct change_walk *w);
enum change_whose change_whose_line(const struct change_walk *w, const struct change_line *line);
const struct image_statement *change_statement_at(const struct image *im, uint64_t link);

/* Sets error to a sentence and returns false. */
bool change_nothing(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
