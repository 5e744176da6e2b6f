/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why panel: explain on a screen of its own. */
#ifndef GDBEXT_PANEL_COMMAND_H
#define GDBEXT_PANEL_COMMAND_H

#include "gdbext/options.h"

int panel_command(const struct options *o, GError **error);

#endif
