/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A connection to a headless GDB of our own, over pipes.
 *
 *     g_autoptr(mi_conn) gdb = mi_conn_start(&(struct mi_options){ 0 }, &error);
 *     struct mi_record *r = mi_conn_command(gdb, 5000, &error, "-break-insert %s", where);
 *
 * Commands carry tokens; a result finds the command that waits for it, whatever
 * comes in between.  All other records go to the handler, in order.  Nothing
 * here runs by itself: bytes move while one of these functions waits.
 *
 * GDB runs in a session of its own (a Ctrl-C on our terminal does not reach it)
 * and dies with the thread that started it.  After mi_conn_free neither it nor
 * any program in its session is left.
 *
 * The program under GDB inherits GDB's standard input, output and error, which
 * are this connection's pipes: give it others (mi_cmd_args, mi_cmd_tty) before
 * it runs, or its output arrives as MI_TARGET_OUTPUT and it eats our commands.
 *
 * GDB_WHY_MI_RECORD=FILE in the environment writes a transcript of every
 * connection (later ones get .2, .3 ... at the end of the name); log domain
 * "mi", level debug, shows the same.
 */
#ifndef MI_CONN_H
#define MI_CONN_H

#include "mi/record.h"

#include <sys/types.h>

#define MI_ERROR mi_error_quark()
GQuark mi_error_quark(void);
enum mi_error {
	MI_ERROR_START,	    /* GDB is missing, cannot be started, or speaks no MI */
	MI_ERROR_DIED,	    /* GDB ended or was killed: how, and its last words */
	MI_ERROR_TIMEOUT,   /* no answer in time */
	MI_ERROR_CANCELLED, /* cancel_fd became readable, or it is past until */
	MI_ERROR_COMMAND,   /* ^error: GDB's own message and nothing else */
	MI_ERROR_GONE,	    /* a stop was waited for, but there is no program */
	MI_ERROR_ANSWER,    /* the result lacks what it must have; a bad transcript */
	MI_ERROR_ARGUMENT,  /* GDB has no way to say this (a line feed in a command) */
};

struct mi_conn;

/* A record that no one waits for: async, streams, prompt, target output,
 * results that came too late.  It belongs to the connection.  The handler may
 * not send or wait. */
typedef void mi_handler_fn(struct mi_conn *conn, const struct mi_record *record, void *arg);

/* All zero is fine.  Nothing is kept after mi_conn_start but handler, arg,
 * cancel_fd and until. */
struct mi_options {
	const char *gdb;	    /* NULL: "gdb" from PATH */
	const char *const *args;    /* more arguments for GDB, NULL-terminated */
	const char *const *environ; /* GDB's environment and so the program's; NULL: ours.
				     * The program sees exactly this (GDB's own additions
				     * LINES, COLUMNS, SHELL, LC_ALL are taken back) */
	const char *directory;	    /* where GDB starts; NULL: here */
	const char *const
		*commands; /* more MI commands, without token, sent with the start's;
			    * NULL-terminated.  An ^error to one of them fails the start */
	bool bare;     /* GDB without its data directory: starts in half the time, has no Python and
			* no names of system calls, and complains about it on its standard error */
	bool personal; /* a person's GDB: it reads their init files and keeps its settings; nothing
			* but what this connection itself needs is set */
	int start_timeout_ms;	/* 0: 30 s */
	int command_timeout_ms; /* for mi_cmd_*; 0: 30 s */
	int cancel_fd;		/* > 0: a wait ends with MI_ERROR_CANCELLED while it is
				 * readable (a pipe or eventfd that a signal handler writes
				 * to); never read or closed here */
	gint64 until; /* monotonic time, microseconds: a wait ends with MI_ERROR_CANCELLED then,
		       * too; 0: never */
	mi_handler_fn *handler;
	void *arg;
};

/* Starts GDB, speaks the highest of mi4, mi3, mi2 that it knows, and has it set
 * up for headless work.  NULL with error otherwise; nothing is then left. */
struct mi_conn *mi_conn_start(const struct mi_options *options, GError **error);

/* A connection that answers from a transcript instead of GDB.  What is sent must
 * be what the transcript has (MI_ERROR_ANSWER otherwise), tokens apart; options
 * as when it was recorded. */
struct mi_conn *mi_conn_replay(const char *file, const struct mi_options *options, GError **error);

/* Asks GDB to quit, gives it a moment, kills what is left of its session, reaps. */
void mi_conn_free(struct mi_conn *conn);
typedef struct mi_conn mi_conn; /* for g_autoptr only */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mi_conn, mi_conn_free)

void mi_conn_set_handler(struct mi_conn *conn, mi_handler_fn *handler, void *arg);

/* Sends one command, without waiting; a printf format without token and line
 * feed.  Quote arguments with mi_quote.  Returns its token for
 * mi_conn_result, or 0 with error. */
uint64_t mi_conn_send(struct mi_conn *conn, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* Waits for the result of a token, which must be waited for once.  ^error
 * becomes MI_ERROR_COMMAND.  Time-outs are in milliseconds; negative: no limit.
 * Free the record. */
struct mi_record *mi_conn_result(struct mi_conn *conn, uint64_t token, int timeout_ms,
				 GError **error);

/* Has the result come? Then mi_conn_result does not wait for it. */
bool mi_conn_has_result(struct mi_conn *conn, uint64_t token);

/* Sends a line as it is, for a command that reads more than its own line
 * ("define", "commands"): GDB asks for each by printing ">".  No result of its own. */
bool mi_conn_send_line(struct mi_conn *conn, const char *line, GError **error);

/* Send and wait. */
struct mi_record *mi_conn_command(struct mi_conn *conn, int timeout_ms, GError **error,
				  const char *format, ...) G_GNUC_PRINTF(4, 5);

/* As mi_conn_command, and *output is what GDB printed to its console meanwhile;
 * free both. */
struct mi_record *mi_conn_capture(struct mi_conn *conn, int timeout_ms, char **output,
				  GError **error, const char *format, ...) G_GNUC_PRINTF(5, 6);

/* The next *stopped record that was not yet taken, waiting for it.  Free it. */
struct mi_record *mi_conn_wait_stop(struct mi_conn *conn, int timeout_ms, GError **error);

/* Forgets stops that were not taken: before setting the program going. */
void mi_conn_forget_stops(struct mi_conn *conn);

/* Handles what has come in, and no longer than timeout_ms; for waiting on other
 * things (mi_conn_fd is readable when there may be something). */
bool mi_conn_pump(struct mi_conn *conn, int timeout_ms, GError **error);
int mi_conn_fd(const struct mi_conn *conn);

/* State, as the last *running, *stopped, =thread-group-... record had it. */
bool mi_conn_is_running(const struct mi_conn *conn);   /* the program runs */
pid_t mi_conn_program_pid(const struct mi_conn *conn); /* the first group's; 0: none */

pid_t mi_conn_gdb_pid(const struct mi_conn *conn);	 /* 0 for a transcript */
unsigned mi_conn_mi_version(const struct mi_conn *conn); /* 4, 3, 2 */
int mi_conn_command_timeout(const struct mi_conn *conn);

#endif
