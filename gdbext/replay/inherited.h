/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors that the user handed down, as a caged run gets them. */
#ifndef GDBEXT_REPLAY_INHERITED_H
#define GDBEXT_REPLAY_INHERITED_H

#include <stdbool.h>

/* In the child, which shares memory with its parent: what fd is becomes the run's own, so that
 * reading, seeking and flags do not reach the one that the user's other processes have. */
bool inherited_replace(int fd);

#endif
