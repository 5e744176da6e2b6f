/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cage of hijacked and proof runs: a seccomp filter that the agent loads
 * before main.  A run that is forced down another branch may do anything; the
 * world outside of it must not notice.
 *
 * What the filter does with a system call:
 *   - what reads, computes, or changes only this process: allowed;
 *   - what changes files, ownership, times, names: not done, "succeeds" (0);
 *   - what reaches others (sockets, processes, mounts, tracing, shared
 *     memory): not done, fails with an error that the program can meet in real
 *     life (EPERM, EACCES, EAGAIN, ENOSYS);
 *   - what needs thought is trapped (SIGSYS) and answered by the agent: opening
 *     for writing (openat, open, creat), which should give a descriptor that
 *     can be written to but leads nowhere, and signals (kill, tkill, tgkill …),
 *     which a process may send to itself only.
 * Answers without a trap are preferred: a trap while the program blocks SIGSYS
 * would kill it.  A trapped call passes when its sixth argument is the magic of
 * the plan: so the agent makes its own.
 */
#ifndef GDBEXT_REPLAY_CAGE_H
#define GDBEXT_REPLAY_CAGE_H

#include <glib.h>
#include <stdint.h>

struct sock_filter;

/* The filter as an array for the plan; *n instructions.  NULL with
 * REPLAY_ERROR_SYSTEM.  Caller frees. */
struct sock_filter *cage_filter(uint64_t magic, size_t *n, GError **error);

/* A magic that no program passes by chance. */
uint64_t cage_magic(void);

#endif
