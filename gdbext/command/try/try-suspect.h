/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A suspect of an answer as a change that `try' runs: exactly what the proof changed. */
#ifndef GDBEXT_COMMAND_TRY_TRY_SUSPECT_H
#define GDBEXT_COMMAND_TRY_TRY_SUSPECT_H

#include "solver/change/change.h"

/* which: "FILE:N" is suspect N of the JSON answer in FILE.  False with an error of
 * OPTIONS_ERROR when there is no such suspect, when the answer does not say what was changed,
 * or when the stack of its run lay at another place, so that its addresses mean something else
 * here.  *out belongs to the caller (change_clear). */
bool suspect_change(const struct change_of *run, const char *which, struct change *out,
		    GError **error);

#endif
