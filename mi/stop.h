/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames and stops, read out of records.
 */
#ifndef MI_STOP_H
#define MI_STOP_H

#include "mi/record.h"

struct mi_frame {
	bool known;			     /* GDB gave a frame at all */
	unsigned level;			     /* 0 when GDB gave none */
	uint64_t addr;			     /* the pc; 0 when GDB gave none */
	char *func, *file, *fullname, *from; /* each may be NULL; from: the library's file */
	unsigned line;			     /* 0: unknown */
};
/* Reads a frame={...} value; anything else gives an unknown frame. */
void mi_frame_init(struct mi_frame *frame, const struct mi_value *value);
void mi_frame_clear(struct mi_frame *frame);

enum mi_stop_reason {
	MI_STOP_OTHER, /* no reason given, or one that is not listed here */
	MI_STOP_BREAKPOINT,
	MI_STOP_WATCHPOINT, /* of any kind: triggered, read, access */
	MI_STOP_WATCHPOINT_SCOPE,
	MI_STOP_STEP_DONE,
	MI_STOP_FUNCTION_FINISHED,
	MI_STOP_LOCATION_REACHED,
	MI_STOP_SIGNAL,
	MI_STOP_EXITED,
	MI_STOP_KILLED, /* by a signal: the program is gone */
	MI_STOP_SYSCALL,
	MI_STOP_FORK, /* or vfork */
	MI_STOP_EXEC,
	MI_STOP_SOLIB,
};

struct mi_stop {
	enum mi_stop_reason reason;
	char *signal;	       /* when SIGNAL, KILLED: "SIGSEGV"; else NULL */
	char *meaning;	       /* when SIGNAL, KILLED: "Segmentation fault" */
	unsigned status;       /* when EXITED: the exit status */
	unsigned bkptno;       /* when BREAKPOINT, WATCHPOINT: its number; 0: unknown */
	unsigned thread;       /* GDB's number; 0: unknown */
	struct mi_frame frame; /* unknown when the program is gone */
};
/* Reads a *stopped record. */
void mi_stop_init(struct mi_stop *stop, const struct mi_record *record);
void mi_stop_clear(struct mi_stop *stop);

/* "breakpoint-hit", ...: for logs. */
const char *mi_stop_reason_name(enum mi_stop_reason reason);

#endif
