/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments that the kernel takes as 32 bits, with something above: requests of ioctl and fcntl
 * that are harmless in 64 bits or in 32. */
#include "tests/cage/attack.h"

#include <sys/file.h>
#include <termios.h>

ATTACK(upper_halves)
{
	static const unsigned long upper[] = { 1ul << 32, 1ul << 63, ~0ul << 32 };
	struct f_owner_ex owner = { F_OWNER_PID, w->victim };
	struct winsize size = { 7, 7, 7, 7 };

	for (size_t i = 0; i < sizeof upper / sizeof *upper; i++) {
		unsigned long u = upper[i];

		DO(syscall(SYS_fcntl, FD_PIPE | u, F_SETFL | u, O_NONBLOCK | u));
		DO(syscall(SYS_fcntl, FD_SOCKET | u, F_SETOWN_EX | u, &owner));
		DO(syscall(SYS_fcntl, FD_SOCKET | u, F_SETSIG | u, SIGKILL));
		DO(syscall(SYS_ioctl, FD_TERMINAL | u, TIOCSWINSZ | u, &size));
		DO(syscall(SYS_ioctl, FD_TERMINAL | u, TIOCSTI | u, "x"));
		DO(syscall(SYS_flock, FD_READ | u, LOCK_EX | LOCK_NB | u));
		DO(syscall(SYS_fchmod, FD_READ | u, 0777 | u));
	}
}
