/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another process's memory. */
#include "tests/cage/attack.h"

ATTACK(process_memory)
{
	char harm[] = "harm", path[64];
	struct iovec ours = { harm, 4 }, theirs = { (void *)harm, 4 };

	DO(process_vm_writev(w->victim, &ours, 1, &theirs, 1, 0));
	DO(process_vm_writev(getppid(), &ours, 1, &theirs, 1, 0));
	snprintf(path, sizeof path, "/proc/%d/mem", w->victim);
	DO(pwrite(open(path, O_RDWR), harm, 4, (off_t)(unsigned long)harm));
	snprintf(path, sizeof path, "/proc/%d/oom_score_adj", w->victim);
	DO(write(open(path, O_WRONLY), "1000", 4));
}
