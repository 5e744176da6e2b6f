/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that never comes back: with rungs zero apart the climb goes on for
 * ever.  The fault is elsewhere (the number of rungs is rounded down), but an
 * explanation that looks into that branch must come out again.
 *
 * test: 7 2
 * danger: never ends
 * fails: 38
 * faulty: 24
 * fixed: rungs = (height + apart - 1) / apart;
 */
#include <assert.h>
#include <stdlib.h>

static int rungs_for(int height, int apart)
{
	int rungs = 0;

	if (apart <= 0) {
		while (height > 0)
			rungs ^= 1;
	} else {
		rungs = height / apart;
	}
	return rungs;
}

int main(int argc, char **argv)
{
	int height, apart, rungs;

	if (argc != 3)
		return 2;
	height = atoi(argv[1]);
	apart = atoi(argv[2]);
	rungs = rungs_for(height, apart);
	assert(rungs * apart >= height);
	return 0;
}
