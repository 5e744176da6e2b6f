/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/session/terminal/program.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

G_DEFINE_QUARK(gdb - why - program, program_error)

struct program {
	int master, slave; /* the slave stays open, so that the terminal outlives each run */
	char *name;
	bool attached;
	struct termios before; /* the user's terminal, while attached */
	GString *typed;
};

static bool keyboard_is_terminal(void)
{
	return isatty(STDIN_FILENO);
}

/* Where nobody can type, the program reads the end of its input at once. */
static void set_empty_input(int slave)
{
	struct termios t;

	if (tcgetattr(slave, &t) < 0)
		return;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 0;
	t.c_cc[VTIME] = 0;
	tcsetattr(slave, TCSANOW, &t);
}

/* The program's terminal does with lines, echo and control keys what the user's
 * would; output is passed on as it is. */
static void set_modes(struct program *p)
{
	struct termios t;

	if (!keyboard_is_terminal() || tcgetattr(STDIN_FILENO, &t) < 0) {
		set_empty_input(p->slave);
		if (tcgetattr(p->slave, &t) < 0)
			return;
	}
	if (isatty(STDOUT_FILENO))
		t.c_oflag |= OPOST | ONLCR;
	else
		t.c_oflag &= ~(tcflag_t)OPOST;
	tcsetattr(p->slave, TCSANOW, &t);
}

struct program *program_new(GError **error)
{
	struct program *p = g_new0(struct program, 1);
	char name[256];

	p->typed = g_string_new(NULL);
	p->slave = -1;
	p->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0 &&
	    ptsname_r(p->master, name, sizeof name) == 0)
		p->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (p->slave < 0) {
		g_set_error(error, PROGRAM_ERROR, PROGRAM_ERROR_TERMINAL,
			    "There is no terminal for the program: %s.", g_strerror(errno));
		program_free(p);
		return NULL;
	}
	p->name = g_strdup(name);
	set_modes(p);
	program_resized(p);
	return p;
}

void program_free(struct program *p)
{
	if (!p)
		return;
	program_detach(p);
	if (p->slave >= 0)
		close(p->slave);
	if (p->master >= 0)
		close(p->master);
	g_string_free(p->typed, TRUE);
	g_free(p->name);
	g_free(p);
}

const char *program_tty(const struct program *p)
{
	return p->name;
}

int program_fd(const struct program *p)
{
	return p->master;
}

static void write_all_to_terminal(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno != EINTR)
			return;
		if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}

bool program_show_output(struct program *p)
{
	char bytes[8192];
	ssize_t n;
	bool any = false;

	while ((n = read(p->master, bytes, sizeof bytes)) > 0) {
		fflush(stdout);
		write_all_to_terminal(STDOUT_FILENO, bytes, (size_t)n);
		any = true;
	}
	return any;
}

/* Keys come one by one, and are echoed by the program's terminal; Ctrl-C stays
 * ours. */
void program_attach(struct program *p)
{
	struct termios t;

	if (p->attached || !keyboard_is_terminal() || tcgetattr(STDIN_FILENO, &p->before) < 0)
		return;
	p->attached = true;
	t = p->before;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	/* what ends or suspends the program is a key of its own terminal */
	t.c_cc[VQUIT] = _POSIX_VDISABLE;
	t.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

void program_detach(struct program *p)
{
	if (p->attached)
		tcsetattr(STDIN_FILENO, TCSANOW, &p->before);
	p->attached = false;
}

bool program_feed(struct program *p)
{
	char bytes[1024];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);

	if (n <= 0)
		return n < 0 && (errno == EINTR || errno == EAGAIN);
	write_all_to_terminal(p->master, bytes, (size_t)n);
	g_string_append_len(p->typed, bytes, n);
	return true;
}

const GString *program_typed(const struct program *p)
{
	return p->typed;
}

void program_forget_typed(struct program *p)
{
	g_string_truncate(p->typed, 0);
}

/* Bytes that wait at the terminal; without line editing, so that half a line is read, too. */
static void read_waiting(int fd, GString *out)
{
	struct termios before, raw;
	char bytes[1024];
	ssize_t n;

	if (tcgetattr(fd, &before) < 0)
		return;
	raw = before;
	raw.c_lflag &= ~(tcflag_t)ICANON;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(fd, TCSANOW, &raw);
	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		g_string_append_len(out, bytes, n);
	tcsetattr(fd, TCSANOW, &before);
}

GString *program_take_unread(struct program *p)
{
	GString *out = g_string_new(NULL);

	if (!keyboard_is_terminal() || !p->typed->len)
		return out;
	read_waiting(p->slave, out);
	g_string_truncate(p->typed, p->typed->len - MIN(out->len, p->typed->len));
	return out;
}

void program_resized(struct program *p)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		ioctl(p->master, TIOCSWINSZ, &size);
}
