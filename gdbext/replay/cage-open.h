/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a caged run gets when it opens a file:
 *   - to read: files and directories themselves, with descriptions of their own;
 *   - to write: a copy in memory, or an empty file in memory where there is none;
 *   - the run's own files (its output, its record): themselves;
 *   - devices: null, zero, full, random, urandom;
 *   - what is not looked at without an effect on others (terminals and other devices, named
 *     pipes, sockets, what other processes have open): an error.
 * What a path names is looked at with O_PATH first, and then exactly that is opened, so
 * nothing can be put in its place in between.
 */
#ifndef GDBEXT_REPLAY_CAGE_OPEN_H
#define GDBEXT_REPLAY_CAGE_OPEN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Files that one run has. */
struct cage_files {
	const char *folder; /* with its plan and its record */
	int folder_fd;	    /* O_PATH */
	dev_t out_dev[2];   /* of its output files */
	ino_t out_ino[2];
	pid_t server; /* the fork server itself, which reads and writes pipes in the folder; else 0
		       */
	GArray *in_memory; /* int: files in memory that it was given, kept here to be counted */
	uint64_t room;	   /* bytes that a copy may have */
};

/* open(2) for a thread of the run: path at address, relative to its descriptor at.  A descriptor
 * of ours to be given to it; else minus the error. */
int cage_open(struct cage_files *files, pid_t thread, int at, unsigned long address, int flags);
/* memfd_create(2) likewise. */
int cage_open_memory(struct cage_files *files, unsigned flags);

#endif
