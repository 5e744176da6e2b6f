/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small program that a test writes, compiles and records on the spot. */
#ifndef TESTS_SUPPORT_RECORDED_H
#define TESTS_SUPPORT_RECORDED_H

#include "gdbext/replay/replay.h"
#include "solver/trace/run.h"

struct recorded {
	char *folder; /* of this program alone */
	char *program;
	struct replay *replay;
	struct replay_failing failing;
	struct image *const *images; /* the replay's */
	size_t n_images;
	struct trace_run *run; /* its thread is chosen */
};

/* Compiles the text of a C file with the command, such as "gcc -g -O0", and records one run of the
 * program.  output: what it prints is noted, too.  Call support_need_replay first; fails the test
 * when something does not work. */
struct recorded *recorded_new(const char *text, const char *command, bool output);
void recorded_free(struct recorded *r);

/* The number of the line, from 1, in which text stands first in source; fails the test when it does
 * not. */
unsigned recorded_line(const char *source, const char *text);

#endif
