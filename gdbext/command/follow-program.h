/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GDBEXT_COMMAND_FOLLOW_PROGRAM_H
#define GDBEXT_COMMAND_FOLLOW_PROGRAM_H

#include "gdbext/options/options.h"

/*
 * `--follow PROGRAM': the command line is a script, a build's `check' or a runner of tests.  It is
 * run once, and o becomes what would have been typed for the first of its processes that executed
 * PROGRAM and failed, or the first at all when none failed: its arguments, folder and standard
 * input.  Its environment becomes ours.  Does nothing without the option.
 */
bool follow_program(struct options *o, GError **error);

#endif
