/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cage/attack.h"

#include <sched.h>

ATTACK(clone_namespaces)
{
	DO(syscall(SYS_clone, 0x10000000 | 0x00020000 | SIGCHLD, 0, 0, 0, 0));
	DO(unshare(0x10000000));
	DO(unshare(0x00020000));
	DO(setns(open("/proc/1/ns/mnt", O_RDONLY), 0));
}
