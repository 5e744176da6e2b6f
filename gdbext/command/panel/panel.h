/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb-why panel: explain on a screen of its own. */
#ifndef GDBEXT_COMMAND_PANEL_PANEL_H
#define GDBEXT_COMMAND_PANEL_PANEL_H

#include "gdbext/options/options.h"

int panel_command(const struct options *o, GError **error);

#endif
