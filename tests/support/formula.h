/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas put together by hand, for tests of what works on them. */
#ifndef TESTS_SUPPORT_FORMULA_H
#define TESTS_SUPPORT_FORMULA_H

#include "solver/formula/formula.h"

/* Without definitions, constraints or a path; for formula_forget. */
struct formula *formula_of_nothing(void);
void formula_forget(struct formula *f);

#endif
