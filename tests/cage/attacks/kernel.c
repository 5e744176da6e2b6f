/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changes the machine, or looks into the kernel. */
#include "tests/cage/attack.h"

ATTACK(kernel)
{
	char attributes[128] = { 0 };

	DO(syscall(SYS_bpf, 0, attributes, sizeof attributes));
	DO(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
	DO(syscall(SYS_add_key, "user", "why-cage-attack", "harm", 4, -5 /* session */));
	DO(syscall(SYS_keyctl, 0, -3, 1));
	DO(syscall(SYS_request_key, "user", "why-cage-attack", NULL, -3));
	DO(syscall(SYS_userfaultfd, 0));
	DO(sethostname("harm", 4));
	DO(syscall(SYS_setdomainname, "harm", 4));
	DO(syscall(SYS_syslog, 5, NULL, 0));
	DO(syscall(SYS_acct, w->file));
	DO(syscall(SYS_quotactl, 0, NULL, 0, NULL));
	DO(syscall(SYS_init_module, attributes, 1, ""));
	DO(syscall(SYS_delete_module, "why_cage_attack", 0));
	DO(syscall(SYS_ioperm, 0x80, 1, 1));
	DO(syscall(SYS_swapoff, w->file));
	DO(syscall(SYS_clock_settime, 99, NULL));
	DO(syscall(SYS_settimeofday, NULL, NULL));
	DO(syscall(SYS_madvise, attributes, 4096, 100 /* poison */));
}
