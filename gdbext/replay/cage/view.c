/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/cage/view.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* The user and the group stay what they are; there are no others in the namespace. */
static bool map_ids(unsigned uid, unsigned gid)
{
	char users[64], groups[64];

	snprintf(users, sizeof users, "%u %u 1\n", uid, uid);
	snprintf(groups, sizeof groups, "%u %u 1\n", gid, gid);
	return write_to("/proc/self/uid_map", users) && write_to("/proc/self/setgroups", "deny") &&
	       write_to("/proc/self/gid_map", groups);
}

static bool own_mounts(void)
{
	unsigned uid = geteuid(), gid = getegid();

	if (!unshare(CLONE_NEWNS))
		return true;
	return errno == EPERM && !unshare(CLONE_NEWUSER | CLONE_NEWNS) && map_ids(uid, gid);
}

bool view_enter(const struct view *v)
{
	/* what is mounted here is not to be seen outside */
	if (!own_mounts() || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL))
		return false;
	for (int i = 0; i < VIEW_MOST && v->onto[i]; i++)
		if (mount(v->folder, v->onto[i], NULL, MS_BIND | MS_REC, NULL))
			return false;
	return true;
}

bool view_is_possible(const struct view *v)
{
	pid_t pid = fork();
	int status = 1;

	if (!pid)
		_exit(view_enter(v) ? 0 : 1);
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
