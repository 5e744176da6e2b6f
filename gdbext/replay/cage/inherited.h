/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors that the user handed down, in the form in which a caged run gets them. */
#ifndef GDBEXT_REPLAY_CAGE_INHERITED_H
#define GDBEXT_REPLAY_CAGE_INHERITED_H

#include <stdbool.h>

/* Called in the child, which shares memory with its parent: makes what fd is the run's own, so
 * that reading, seeking and flags do not reach the one that the user's other processes have. */
bool inherited_replace(int fd);

#endif
