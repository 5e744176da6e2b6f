/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that hand on what a call returned and give nothing themselves, so that no instance is
 * theirs:
 *
 *     return number(s);        `- number(s)' would be another value
 */
#ifndef SOLVER_SLICE_HANDED_H
#define SOLVER_SLICE_HANDED_H

#include "solver/slice/slice.h"

/* The step of the innermost call around the step `at' whose frame hands on what the instance
 * returned; at: the instance's own step, then what this gave.  UINT64_MAX = there is none more. */
uint64_t handed_by_call(struct reverse_index *index, const struct slice_instance *i, uint64_t at);

#endif
