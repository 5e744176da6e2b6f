/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another gdb-why, run in the background for the panel.  What it writes is gathered as
 * it comes.  It has no terminal, and it ends when we do.
 */
#ifndef GDBEXT_IPC_CHILD_H
#define GDBEXT_IPC_CHILD_H

#include <glib.h>
#include <stdbool.h>

struct panel_child {
	GString *out, *err; /* what it has written so far */
	bool ended;
	int status; /* .ended: of waitpid */

	/* of child.c */
	GPid pid;
	int pidfd, fds[2];
};

/* args: after the program's name, NULL-terminated.  watch: an epoll's descriptor,
 * which becomes readable when panel_child_turn has something to do. */
struct panel_child *panel_child_start(char *const *args, int watch, GError **error);
/* Ends it and all that it has started, if it still runs; NULL is fine. */
void panel_child_free(struct panel_child *c);

/* Takes what has been written, without waiting. */
void panel_child_turn(struct panel_child *c);
/* As Ctrl-C. */
void panel_child_interrupt(struct panel_child *c);

#endif
