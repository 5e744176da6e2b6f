/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All commands of fcntl(2), those of newer kernels too, on whatever the run has. */
#include "tests/cage/attack.h"

static void ask_all(const struct world *w, int fd)
{
	struct flock lock = { .l_type = F_WRLCK };
	struct f_owner_ex owner = { F_OWNER_PID, w->victim };
	const long arguments[] = { 0,
				   1,
				   w->victim,
				   -w->victim,
				   SIGKILL,
				   O_NONBLOCK | O_ASYNC,
				   O_APPEND | O_DIRECT | O_NOATIME,
				   1 << 20,
				   (long)&lock,
				   (long)&owner };

	for (int command = 0; command < 2000; command += command == 60 ? 964 : 1)
		for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++) {
			int made = (int)syscall(SYS_fcntl, fd, command, arguments[i]);

			if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && made >= 0)
				close(made);
		}
}

ATTACK(every_fcntl)
{
	const int fds[] = { open(w->file, O_RDONLY),
			    open(w->folder, O_RDONLY),
			    open(w->file, O_PATH),
			    open("/dev/null", O_RDWR),
			    FD_READ,
			    FD_WRITE,
			    FD_PIPE,
			    FD_SOCKET,
			    FD_TERMINAL,
			    FD_FOLDER,
			    FD_EVENT,
			    FD_TIMER,
			    FD_EPOLL,
			    FD_MEMORY };
	char byte = 'h';

	for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++) {
		ask_all(w, fds[i]);
		DO((int)read(fds[i], &byte, 1));
		DO((int)write(fds[i], &byte, 1));
	}
}
