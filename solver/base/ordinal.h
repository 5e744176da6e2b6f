/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordinal numbers as English writes them. */
#ifndef SOLVER_BASE_ORDINAL_H
#define SOLVER_BASE_ORDINAL_H

#include <stdint.h>

/* What stands behind the digits of n: "st" of 1, "nd" of 22, "th" of 11.  Static. */
const char *ordinal_ending(uint64_t n);

#endif
