/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a run could not be made. */
#ifndef GDBEXT_REPLAY_CAGE_ERROR_H
#define GDBEXT_REPLAY_CAGE_ERROR_H

#include <glib.h>

#define REPLAY_ERROR replay_error_quark()
GQuark replay_error_quark(void);
/* Each message is one full sentence that says what to do. */
enum replay_error {
	REPLAY_ERROR_PROGRAM,	/* missing, not executable, cannot be traced … */
	REPLAY_ERROR_SANITIZED, /* the same, since AddressSanitizer is in it */
	REPLAY_ERROR_INPUT,	/* --stdin, --directory, --trace-lib */
	REPLAY_ERROR_GDB,	/* missing, died, may not debug */
	REPLAY_ERROR_SYSTEM,	/* no temporary folder, no process … */
	REPLAY_ERROR_CANCELLED, /* Ctrl-C: exit status 130 */
	REPLAY_ERROR_CAGE,	/* there is no cage here, so nothing is forced: a clause, not a
				 * sentence */
};

#endif
