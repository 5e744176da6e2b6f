/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines of the sources in an answer have code, and which of these were
 * executed: by the run that is explained, and by the tests of a suite.
 */
#ifndef SOLVER_SOURCE_EXECUTED_H
#define SOLVER_SOURCE_EXECUTED_H

#include "solver/explanation.h"
#include "solver/image/image.h"

struct executed;
struct spectrum;
struct units;

struct executed *executed_new(void);
void executed_free(struct executed *x);
/* Notes that insn, one of im's, was executed after so many instructions. */
void executed_add(struct executed *x, const struct image *im, const struct trace_insn *insn,
		  uint64_t step);

/* The how-manieth of all instructions it was when it was noted for the first time; 0 = it never
 * was. */
uint32_t executed_turn(const struct executed *x, const struct image *im,
		       const struct trace_insn *insn);

/* How many instructions came before its first execution; UINT64_MAX = it was never executed. */
uint64_t executed_step(const struct executed *x, const struct image *im,
		       const struct trace_insn *insn);

/* Fills .coverage of those sources of e that have none yet.  whole: what was not noted was not
 * executed; otherwise that is not known, and left out. */
void executed_describe(const struct executed *x, struct image *const *images, size_t n_images,
		       bool whole, struct explanation *e);
/* Adds how many tests executed each line. */
void executed_tests(struct explanation *e, const struct units *u, const struct spectrum *s);

#endif
