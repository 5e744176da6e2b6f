/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why specs --interactive: after each round, what the user has to say. */
#ifndef GDBEXT_COMMAND_SPECS_SPECS_TALK_H
#define GDBEXT_COMMAND_SPECS_SPECS_TALK_H

#include "gdbext/command/specs/specs-report.h"

struct specs_talk;

/* The arguments outlive it.  What the user says goes into `said' and into its file; the time that
 * the user takes is added to `until'. */
struct specs_talk *specs_talk_new(const struct specs_subject *s, struct specs_report *r,
				  struct said *said, struct deadline *until);
/* Tells the user in which file the answers are kept. */
void specs_talk_free(struct specs_talk *t);
/* The function that a struct study_listener calls; arg: a struct specs_talk. */
enum study_reply specs_talk_ask(void *arg, const struct study_round *round);

#endif
