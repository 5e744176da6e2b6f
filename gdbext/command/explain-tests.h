/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `gdb-why explain --tests': the failing test is explained with what the suite
 * knows of its statements; without arguments, failing tests of the suite are.
 */
#ifndef GDBEXT_COMMAND_EXPLAIN_TESTS_H
#define GDBEXT_COMMAND_EXPLAIN_TESTS_H

#include "gdbext/options/options.h"

/* As explain_command. */
int explain_with_tests(const struct options *o, GError **error);

#endif
