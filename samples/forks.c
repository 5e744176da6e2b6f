/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that breeds: without a limit on the workers it starts one after
 * another and never stops.  The fault is elsewhere, but an explanation that
 * looks into that branch must not leave a process behind.  (Outside of a cage
 * it is kept harmless: a hundred a second, each gone after ten seconds.)
 *
 * test: 4 2
 * danger: forks without end
 * fails: 47
 * faulty: 34
 * fixed: started = jobs < limit ? jobs : limit;
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int start_workers(int jobs, int limit)
{
	int started = 0;

	if (limit == 0) {
		for (;;) {
			pid_t child = fork();

			if (child == 0) {
				sleep(10);
				_exit(0);
			}
			usleep(10000);
			started = started < jobs;
		}
	} else {
		started = jobs > limit ? jobs : limit;
	}
	return started;
}

int main(int argc, char **argv)
{
	int jobs, limit;

	if (argc != 3)
		return 2;
	jobs = atoi(argv[1]);
	limit = atoi(argv[2]);
	assert(start_workers(jobs, limit) <= limit);
	return 0;
}
