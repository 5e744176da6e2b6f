/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that must not be tried for real: when nobody wants the file any
 * more, it is deleted.  The fault is elsewhere, but that branch would make the
 * assertion hold too, so an explanation has to run it, and the file must
 * survive.  KEEP stands for a file of the test's own.
 *
 * test: KEEP 3
 * danger: deletes KEEP
 * fails: 39
 * faulty: 26
 * fixed: left = readers;
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int close_one(const char *path, int readers)
{
	int left;

	if (readers == 0) {
		unlink(path);
		left = 0;
	} else {
		left = readers + 1;
	}
	return left;
}

int main(int argc, char **argv)
{
	int readers, left;

	if (argc != 3)
		return 2;
	readers = atoi(argv[2]);
	left = close_one(argv[1], readers);
	assert(left <= readers);
	return 0;
}
