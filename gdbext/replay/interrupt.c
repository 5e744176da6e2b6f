/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/replay/interrupt.h"

#include "gdbext/replay/replay.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const int taken_over[] = { SIGINT, SIGTERM, SIGHUP };

static struct {
	volatile sig_atomic_t signal;
	volatile sig_atomic_t fd_plus_1; /* 0 = not installed */
	void (*notify)(void *arg);
	void *arg;
	struct sigaction before[G_N_ELEMENTS(taken_over)];
	volatile sig_atomic_t pipe_closed;
	enum { HANG_NOT_MEANT, HANG_MEANT, HANG_TAKEN } hang;
} interrupt;

static void note_signal(int signo)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t written;

	if (signo == SIGPIPE)
		interrupt.pipe_closed = true;
	if (!interrupt.fd_plus_1)
		return;
	interrupt.signal = signo;
	written = write(interrupt.fd_plus_1 - 1, &one, sizeof one);
	(void)written; /* fails only when it is readable already */
	if (interrupt.notify)
		interrupt.notify(interrupt.arg);
	errno = saved;
}

bool replay_interrupt_install(void (*notify)(void *arg), void *arg, GError **error)
{
	struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART };
	int fd;

	g_assert(!interrupt.fd_plus_1);
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0) {
		g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_SYSTEM,
			    "Cannot make an eventfd to watch for Ctrl-C: %s.", g_strerror(errno));
		return false;
	}
	interrupt.signal = 0;
	interrupt.notify = notify;
	interrupt.arg = arg;
	interrupt.fd_plus_1 = fd + 1;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < G_N_ELEMENTS(taken_over); i++) {
		sigaction(taken_over[i], NULL, &interrupt.before[i]);
		if (interrupt.before[i].sa_handler != SIG_IGN)
			sigaction(taken_over[i], &action, NULL);
	}
	if (interrupt.pipe_closed)
		note_signal(SIGPIPE);
	return true;
}

void replay_interrupt_is_hang(void)
{
	interrupt.hang = HANG_MEANT;
}

bool replay_interrupt_take_hang(void)
{
	uint64_t count;

	if (interrupt.hang != HANG_MEANT || interrupt.signal != SIGINT ||
	    read(interrupt.fd_plus_1 - 1, &count, sizeof count) != sizeof count)
		return false;
	interrupt.hang = HANG_TAKEN;
	interrupt.signal = 0;
	return true;
}

bool replay_interrupt_took_hang(void)
{
	return interrupt.hang == HANG_TAKEN;
}

void replay_interrupt_return_hang(void)
{
	if (interrupt.hang != HANG_TAKEN)
		return;
	interrupt.hang = HANG_NOT_MEANT;
	interrupt.signal = SIGINT;
}

void replay_interrupt_restore(void)
{
	int fd = interrupt.fd_plus_1 - 1;

	if (fd < 0)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(taken_over); i++)
		sigaction(taken_over[i], &interrupt.before[i], NULL);
	interrupt.fd_plus_1 = 0;
	interrupt.signal = 0;
	close(fd);
}

void replay_outlive_pipe(void)
{
	struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART }, before;

	sigemptyset(&action.sa_mask);
	if (!sigaction(SIGPIPE, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGPIPE, &action, NULL);
}

bool replay_pipe_closed(void)
{
	return interrupt.pipe_closed;
}

int replay_interrupt_fd(void)
{
	return interrupt.fd_plus_1 - 1;
}

const volatile sig_atomic_t *replay_interrupt_flag(void)
{
	return &interrupt.signal;
}

int replay_interrupted(void)
{
	return interrupt.signal;
}

bool replay_check_interrupt(GError **error)
{
	if (!interrupt.signal)
		return true;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_CANCELLED, "Interrupted by %s.",
		    replay_signal_name(interrupt.signal));
	return false;
}
