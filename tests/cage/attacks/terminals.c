/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal of others: opened, and inherited. */
#include "tests/cage/attack.h"

#include <termios.h>

ATTACK(terminals)
{
	int fds[] = { open(w->terminal, O_RDONLY | O_NOCTTY | O_NONBLOCK),
		      open(w->terminal, O_RDWR | O_NONBLOCK), open("/dev/tty", O_RDWR),
		      FD_TERMINAL };

	for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++) {
		struct termios t = { .c_lflag = 0 };
		struct winsize size = { 7, 7, 0, 0 };
		char key = '!', buffer[16];
		int line = 2;

		DO(tcsetattr(fds[i], TCSANOW, &t));
		DO(ioctl(fds[i], TIOCSWINSZ, &size));
		DO(ioctl(fds[i], TIOCEXCL));
		DO(ioctl(fds[i], TIOCSTI, &key));
		DO(ioctl(fds[i], TIOCSCTTY, 1));
		DO(ioctl(fds[i], TIOCSETD, &line));
		DO(ioctl(fds[i], TCXONC, 0));
		DO(tcflush(fds[i], TCIOFLUSH));
		DO(tcsendbreak(fds[i], 0));
		DO(read(fds[i], buffer, sizeof buffer));
		DO(write(fds[i], "harm", 4));
	}
	DO(open("/dev/ptmx", O_RDWR | O_NOCTTY));
	DO(syscall(SYS_vhangup));
}
