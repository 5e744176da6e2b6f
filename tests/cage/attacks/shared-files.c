/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of the process that this run was forked from: its plan, its output, its pipes. */
#include "tests/cage/attack.h"

static void overwrite(const char *path)
{
	static const char harm[200] = "harm";
	static const int ways[] = { O_WRONLY | O_NONBLOCK, O_RDWR | O_NONBLOCK,
				    O_RDWR | O_TRUNC | O_NONBLOCK, O_WRONLY | O_CREAT | O_EXCL };

	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		int fd = open(path, ways[i], 0600);

		DO(pwrite(fd, harm, sizeof harm, 0));
		DO(write(fd, harm, sizeof harm));
		close(fd);
	}
}

/* The folder of the plan, which is mapped. */
static void overwrite_folder(void)
{
	static const char *const names[] = { "plan",	"out",	   "err",     "ask",	   "answer",
					     "trace.0", "trace.7", "../base", "../../base" };
	char line[4200], path[4300], *plan;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof line, maps)) {
		if (!(plan = strchr(line, '/')) || !strstr(plan, "/plan"))
			continue;
		plan[strcspn(plan, "\n")] = '\0';
		*strrchr(plan, '/') = '\0';
		for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
			snprintf(path, sizeof path, "%s/%s", plan, names[i]);
			overwrite(path);
		}
		break;
	}
	if (maps)
		fclose(maps);
}

ATTACK(shared_files)
{
	char path[64];

	(void)w;
	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getppid(), fd);
		overwrite(path);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		overwrite(path);
	}
	overwrite_folder();
}
