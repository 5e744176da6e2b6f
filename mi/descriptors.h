/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many descriptors at once, also where close_range() is refused: older containers answer
 * it with EPERM.  Async-signal-safe, for a child that shares our memory.
 */
#ifndef MI_DESCRIPTORS_H
#define MI_DESCRIPTORS_H

/* Closes those of the range that are open, the last one included. */
void descriptors_close(unsigned first, unsigned last);
/* The same, but with the next exec. */
void descriptors_close_on_exec(unsigned first, unsigned last);

#endif
