/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/given-stdin.h"

#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 20 }; /* `cat FILE | gdb-why ...' starts both at once */

/* Does the command start the test of its command line? */
static bool starts_a_test(const struct options *o)
{
	static const bool starts[] = {
		[OPTIONS_EXPLAIN] = true, [OPTIONS_RECORD] = true,  [OPTIONS_ASK] = true,
		[OPTIONS_TRY] = true,	  [OPTIONS_REGRESS] = true, [OPTIONS_SPECS] = true,
	};

	return (size_t)o->command < G_N_ELEMENTS(starts) && starts[o->command] && !o->events &&
	       !o->record && !o->tests && !o->stdin_file;
}

/* The name of the file that standard input is, where it is still that file's; NULL: it has none.
 * Free it. */
static char *name_of_input(const struct stat *now)
{
	char *name = g_file_read_link("/proc/self/fd/0", NULL);
	struct stat named;

	if (name && stat(name, &named) == 0 && named.st_dev == now->st_dev &&
	    named.st_ino == now->st_ino)
		return name;
	g_free(name);
	return NULL;
}

static bool something_waits(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	int waiting = 0;

	return poll(&in, 1, PATIENCE_MS) > 0 && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 &&
	       waiting > 0;
}

void given_stdin(struct options *o)
{
	struct stat st;

	/* then answers come from there */
	if (!starts_a_test(o) || o->interactive || fstat(STDIN_FILENO, &st))
		return;
	if (S_ISREG(st.st_mode) && st.st_size > 0 && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0)
		o->stdin_file = name_of_input(&st);
	else if (S_ISFIFO(st.st_mode) && something_waits())
		fputs("gdb-why: what is piped to it is not given to the test, whose standard "
		      "input is empty; put it into a file and name that with --stdin FILE, or "
		      "behind `<'\n",
		      stderr);
}
