/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/error.h"

G_DEFINE_QUARK(replay - error - quark, replay_error)
