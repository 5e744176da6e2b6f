/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other inherited descriptors hold: counters, timers, watched files, memory. */
#include "tests/cage/attack.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>

ATTACK(inherited_events)
{
	unsigned long more = 5;
	struct itimerspec never = { 0 }, late = { .it_value = { 9000, 0 } };
	struct epoll_event event = { .events = EPOLLIN };
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, FD_MEMORY, 0);
	char path[64];

	(void)w;
	DO(write(FD_EVENT, &more, sizeof more));
	DO(read(FD_EVENT, &more, sizeof more));
	DO(timerfd_settime(FD_TIMER, 0, &late, NULL));
	DO(timerfd_settime(FD_TIMER, 0, &never, NULL));
	DO(epoll_ctl(FD_EPOLL, EPOLL_CTL_DEL, FD_EVENT, &event));
	DO(epoll_ctl(FD_EPOLL, EPOLL_CTL_ADD, FD_SOCKET, &event));
	if (memory != MAP_FAILED)
		strcpy(memory, "harm");
	DO(pwrite(FD_MEMORY, "harm", 4, 0));
	DO(ftruncate(FD_MEMORY, 0));
	DO(fcntl(FD_MEMORY, F_ADD_SEALS, F_SEAL_WRITE));
	snprintf(path, sizeof path, "/proc/self/fd/%d", FD_MEMORY);
	DO(write(open(path, O_RDWR | O_TRUNC), "harm", 4));
}
