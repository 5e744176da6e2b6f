/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of events, for the writer and the reader; nobody else includes it. */
#ifndef GDBEXT_IPC_EVENT_NAMES_H
#define GDBEXT_IPC_EVENT_NAMES_H

#include "gdbext/ipc/event.h"

static const char *const event_kind_names[] = {
	[EVENT_PROGRESS] = "progress", [EVENT_FOUND] = "found", [EVENT_RESULT] = "answer",
	[EVENT_OUTPUT] = "output",     [EVENT_NOTE] = "note",	[EVENT_ASK] = "ask",
	[EVENT_FAILURE] = "error",     [EVENT_END] = "end",
};
static const char *const event_stage_names[] = {
	[EVENT_RECORD] = "record",
	[EVENT_SOLVE] = "solve",
	[EVENT_PROVE] = "prove",
};

#endif
