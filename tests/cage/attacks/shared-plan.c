/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that is mapped from files, written to although it was not to be. */
#include "tests/cage/attack.h"

ATTACK(shared_plan)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4200];

	(void)w;
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long from = strtoul(line, NULL, 16), to = 0;
		char *page;

		sscanf(line, "%*x-%lx", &to);
		if (!strstr(line, "r--s"))
			continue;
		page = (char *)from;
		if (!mprotect(page, to - from, PROT_READ | PROT_WRITE)) {
			memset(page + 8, 0xee, 100);
			msync(page, to - from, MS_SYNC);
		}
		DO(madvise(page, to - from, MADV_REMOVE));
	}
}
