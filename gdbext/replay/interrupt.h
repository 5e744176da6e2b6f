/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and the like.  Once installed, SIGINT, SIGTERM and SIGHUP do not end the
 * process.  They set a flag and make a descriptor readable, so that every wait in this
 * room ends with REPLAY_ERROR_CANCELLED and everything is taken down in order.  Signals
 * belong to the whole process, so this is the one place outside of the agent that has
 * state at file scope.
 */
#ifndef GDBEXT_REPLAY_INTERRUPT_H
#define GDBEXT_REPLAY_INTERRUPT_H

#include <glib.h>
#include <signal.h>
#include <stdbool.h>

/* Takes the three signals over; those that were ignored stay ignored (nohup).
 * notify (may be NULL) is called with arg inside the signal handler: it may do
 * what is async-signal-safe only, such as telling a solver to stop. */
bool replay_interrupt_install(void (*notify)(void *arg), void *arg, GError **error);

/* Ctrl-C while the first run of a question goes on is the moment at which it hangs: the run ends
 * there, as if its time were up, and the question goes on.  The next one ends the question, as
 * every other signal does. */
void replay_interrupt_is_hang(void);
/* Was it Ctrl-C, for the first time after replay_interrupt_is_hang?  Then it is forgotten. */
bool replay_interrupt_take_hang(void);
/* Was one taken so? */
bool replay_interrupt_took_hang(void);
/* The program did not run yet, so the signal was about all, after all. */
void replay_interrupt_return_hang(void);

/* Gives the signals back and forgets a pending interrupt. */
void replay_interrupt_restore(void);

/* From then on, and until the process ends, a closed pipe that is written to does not end it at
 * once: it is an interrupt, of this time and of each later one, and the caller ends by SIGPIPE when
 * everything is taken down.  A SIGPIPE that was ignored stays ignored. */
void replay_outlive_pipe(void);
bool replay_pipe_closed(void);

/* The signal that came, 0 = none; in the form that struct deadline takes. */
const volatile sig_atomic_t *replay_interrupt_flag(void);
/* The signal that came, 0 = none.  Async-signal-safe, cheap. */
int replay_interrupted(void);

/* Becomes and stays readable when a signal comes; for poll.  -1 when not
 * installed. */
int replay_interrupt_fd(void);

/* False with REPLAY_ERROR_CANCELLED when a signal came. */
bool replay_check_interrupt(GError **error);

#endif
