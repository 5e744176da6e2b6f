/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs an advisory on every line of standard input (twelve numbers each) and
 * prints the lines on which it does not say what the golden version says.
 */
#include "advisory.h"

#include <stdio.h>

static int read_line(struct encounter *e, const char *line)
{
	return sscanf(line, "%d %d %d %d %d %d %d %d %d %d %d %d", &e->own_height, &e->own_rate,
		      &e->other_height, &e->other_rate, &e->distance, &e->closing, &e->clearance,
		      &e->link, &e->intends, &e->last, &e->warnings, &e->yields) == 12;
}

int main(void)
{
	char line[256];
	struct encounter e;

	while (fgets(line, sizeof line, stdin)) {
		if (!read_line(&e, line)) {
			fprintf(stderr, "not twelve numbers: %s", line);
			return 2;
		}
		if (advise(&e) != golden_advise(&e))
			fputs(line, stdout);
	}
	return 0;
}
