/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a place in the program matters to the walk. */
#ifndef SOLVER_FORMULA_INSN_INFO_H
#define SOLVER_FORMULA_INSN_INFO_H

#include <stdbool.h>

/* A library function whose call is a failure of the test. */
bool insn_info_call_fails(const char *name);

#endif
