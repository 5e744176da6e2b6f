/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes into folders by names in /proc, and writes what is there by short names. */
#include "tests/cage/attack.h"

static void write_here(void)
{
	int fd = open("file", O_WRONLY | O_TRUNC);

	DO(write(fd, "harm", 4));
	DO(open("../file", O_WRONLY | O_TRUNC));
	DO(open("fresh", O_WRONLY | O_CREAT, 0666));
	DO(unlink("file"));
	DO(mkdir("fresh", 0777));
}

ATTACK(folders_by_proc)
{
	char others[64], own[64];

	snprintf(others, sizeof others, "/proc/%d/cwd", (int)getppid());
	snprintf(own, sizeof own, "/proc/thread-self/fd/%d", FD_FOLDER);
	DO(chdir(others));
	write_here();
	DO(chdir("/proc/self/cwd/."));
	write_here();
	DO(chdir(own));
	write_here();
	DO(fchdir(open(own, O_PATH)));
	write_here();
	DO(fchdir(open("/proc/self/root", O_RDONLY | O_DIRECTORY)));
	DO(open(w->file + 1, O_WRONLY | O_TRUNC));
	DO(chdir(w->folder));
	DO(chdir(".."));
	write_here();
}
