/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure 1 of Zhang, Chan, Tse, Jiang, "Precise Propagation of Fault-Failure
 * Correlations in Program Flow Graphs" (COMPSAC 2011): four blocks, five
 * edges, three passed and three failed tests; the second block holds the fault
 * and can crash.
 */
#ifndef TESTS_SUPPORT_FIGURE_1_H
#define TESTS_SUPPORT_FIGURE_1_H

#include "solver/rank/spectrum.h"
#include "solver/rank/units.h"

struct figure_1 {
	struct units *units;
	struct spectrum *spectrum;
};

void figure_1_init(struct figure_1 *f);
void figure_1_deinit(struct figure_1 *f);

#endif
