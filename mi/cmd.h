/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typed commands: what a headless replay asks of GDB.  Each sends one command
 * (or a burst), waits for the answer within the connection's command time-out
 * and gives what it said; false or NULL with error otherwise.  Text is quoted
 * here: give expressions, paths and words as they are.
 */
#ifndef MI_CMD_H
#define MI_CMD_H

#include "mi/conn.h"
#include "mi/stop.h"

/* --- before the run --- */

/* The program and its symbols. */
bool mi_cmd_file(struct mi_conn *conn, const char *path, GError **error);

/* Files for the program's standard streams; NULL: GDB's own, this connection's
 * pipes.  Output and error are truncated. */
struct mi_redirect {
	const char *in, *out, *err;
	bool err_to_out; /* err is ignored, and goes where out goes */
};

/* The program's arguments without its name, NULL-terminated, any bytes, and its
 * streams (redirect may be NULL).  GDB without a shell splits arguments at
 * blanks and knows no quotes: where that would not do, the program is started
 * through /bin/sh. */
bool mi_cmd_args(struct mi_conn *conn, const char *const *args, const struct mi_redirect *redirect,
		 GError **error);

/* The program's working directory; must be absolute. */
bool mi_cmd_cwd(struct mi_conn *conn, const char *directory, GError **error);

/* One variable of the program's environment, set or (value == NULL) unset.  GDB
 * cannot set a value that begins with a blank: MI_ERROR_ARGUMENT; pass such
 * through mi_options.environ. */
bool mi_cmd_env(struct mi_conn *conn, const char *name, const char *value, GError **error);

/* A terminal (or /dev/null) for the program's three streams. */
bool mi_cmd_tty(struct mi_conn *conn, const char *path, GError **error);

/* -gdb-set NAME VALUE; what GDB shows with -gdb-show (free it). */
bool mi_cmd_set(struct mi_conn *conn, const char *name, const char *value, GError **error);
char *mi_cmd_show(struct mi_conn *conn, const char *name, GError **error);

struct mi_break {
	const char *location;  /* "main", "p.c:13", "*0x401136", "*__assert_fail" */
	const char *condition; /* NULL: none; may use registers: "$rdi != $rsi" */
	unsigned ignore;       /* pass it so often first */
	bool pending;	       /* it is no error when the location is not there yet */
	bool temporary, hardware, disabled;
};
struct mi_breakpoint {
	unsigned number;
	uint64_t addr; /* 0: pending, or several places */
	bool pending;
};
/* -break-insert; *made may be NULL. */
bool mi_cmd_break(struct mi_conn *conn, const struct mi_break *want, struct mi_breakpoint *made,
		  GError **error);
bool mi_cmd_break_delete(struct mi_conn *conn, unsigned number, GError **error);

/* --- running --- */

/* Each forgets stops that were not taken. */
bool mi_cmd_run(struct mi_conn *conn, GError **error);
bool mi_cmd_continue(struct mi_conn *conn, GError **error);

/* Asks the running program to stop; the stop comes with mi_cmd_wait. */
bool mi_cmd_interrupt(struct mi_conn *conn, GError **error);

/* Waits for a stop; clear it. */
bool mi_cmd_wait(struct mi_conn *conn, int timeout_ms, struct mi_stop *stop, GError **error);

/* Ends the program, whether it runs or not. It is no error when there is none. */
bool mi_cmd_kill(struct mi_conn *conn, GError **error);

/* --- at a stop --- */

/* Names a thread and a frame that are not the selected ones. */
struct mi_where {
	unsigned thread; /* 0: the selected one, and then frame is ignored */
	unsigned frame;
};

/* An expression's value as GDB prints it; free it.  where may be NULL, here and below. */
char *mi_cmd_evaluate(struct mi_conn *conn, const struct mi_where *where, const char *expression,
		      GError **error);

/* The value as a number; for integers and pointers. */
bool mi_cmd_evaluate_u64(struct mi_conn *conn, const struct mi_where *where, const char *expression,
			 uint64_t *value, GError **error);

struct mi_register {
	const char *name; /* in: "rdi", the caller's */
	uint64_t value;
	bool known; /* GDB had it, and it is at most 64 bits wide */
};
/* Fills in the registers named, and asks for no others. */
bool mi_cmd_registers(struct mi_conn *conn, const struct mi_where *where, struct mi_register *regs,
		      size_t n, GError **error);

/* Reads n bytes at addr; *got is how many of the first ones were readable, which
 * is an error only when none was. */
bool mi_cmd_read_memory(struct mi_conn *conn, uint64_t addr, void *to, size_t n, size_t *got,
			GError **error);

/* The innermost frames, at most max of them (0: all), of the thread; an array of
 * struct mi_frame that clears itself. */
GArray *mi_cmd_frames(struct mi_conn *conn, unsigned thread, unsigned max, GError **error);

struct mi_variable {
	char *name;
	char *type, *value; /* NULL where GDB gave none (compound: no value) */
	bool is_argument;
};
/* Locals and arguments of a frame, innermost block first; an array of struct
 * mi_variable that clears itself. */
GArray *mi_cmd_variables(struct mi_conn *conn, const struct mi_where *where, GError **error);

/* --- GDB itself --- */

/* -list-features; NULL-terminated, g_strfreev it. */
char **mi_cmd_features(struct mi_conn *conn, GError **error);

/* A command of GDB's own language; what it printed, free it. */
char *mi_cmd_console(struct mi_conn *conn, const char *command, GError **error);

#endif
