/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder's own files, by their names, and out of its folder. */
#include "tests/cage/attack.h"

ATTACK(record_files)
{
	char path[4200], *plan = NULL;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4200];

	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "/plan") && (plan = strchr(line, '/')))
			break;
	if (plan) {
		plan[strcspn(plan, "\n")] = 0;
		*strrchr(plan, '/') = 0;
		snprintf(path, sizeof path, "%s/../../../../../%s", plan, w->file);
		DO(write(open(path, O_WRONLY), "harm", 4));
		snprintf(path, sizeof path, "%s/trace.0", plan);
		DO(unlink(path));
		DO(symlink(w->file, path));
		DO(write(open(path, O_WRONLY), "harm", 4));
	}
}
