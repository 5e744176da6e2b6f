/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that lead to the file by detours: folders of /proc, dots, descriptors, trailing slashes. */
#include "tests/cage/attack.h"

ATTACK(ways_up)
{
	static const char *const starts[] = { "/proc/self/cwd/",
					      "/proc/thread-self/cwd/./",
					      "/proc/self/root/proc/self/cwd/",
					      "/proc/self/fd/55/",
					      "/proc/self/task/../cwd/",
					      "/dev/fd/55/",
					      "/proc/./self/../self/fd/../cwd//",
					      "folder/../" };
	static const int ways[] = { O_WRONLY | O_TRUNC, O_RDWR | O_APPEND, O_RDONLY | O_TRUNC,
				    O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW };
	const char *name = strrchr(w->file, '/') ? strrchr(w->file, '/') + 1 : w->file;
	char path[512];

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
			snprintf(path, sizeof path, "%s%s", starts[i], name);
			DO(write(open(path, ways[k], 0600), "harm", 4));
			DO(truncate(path, 0));
			snprintf(path, sizeof path, "%snew", starts[i]);
			DO(write(open(path, ways[k] | O_CREAT, 0600), "harm", 4));
		}
	DO(fchdir(FD_FOLDER));
	DO(write(open(name, O_WRONLY | O_TRUNC), "harm", 4));
	DO(chdir("/proc/self/cwd"));
	DO(write(open(name, O_WRONLY | O_TRUNC), "harm", 4));
}
