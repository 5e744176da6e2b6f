/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `gdb-why explain --tests': explains the failing test with what the suite knows about
 * its statements.  Without arguments it explains failing tests of the suite.
 */
#ifndef GDBEXT_COMMAND_EXPLAIN_EXPLAIN_TESTS_H
#define GDBEXT_COMMAND_EXPLAIN_EXPLAIN_TESTS_H

#include "gdbext/options/options.h"

/* As explain_command. */
int explain_with_tests(const struct options *o, GError **error);

#endif
