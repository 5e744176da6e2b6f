/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen-suite DIR: DIR/inputs/NNN, commands for the queue, and the suite on standard output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TESTS = 640 };

static uint32_t state = 1;

static unsigned below(unsigned n)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 16) % n;
}

static void command(FILE *f)
{
	unsigned who = below(9);

	switch (below(16)) {
	case 0: case 1: case 2: case 3: case 4:
		fprintf(f, "come p%u %u\n", who, below(25) ? 1 + below(4) : 7 * below(2));
		break;
	case 5: case 6: case 7:
		fprintf(f, "call\n");
		break;
	case 8:
		fprintf(f, "done p%u\n", who);
		break;
	case 9:
		fprintf(f, "worse p%u\n", who);
		break;
	case 10:
		fprintf(f, "leave p%u\n", who);
		break;
	case 11: case 12:
		fprintf(f, "move %u %u\n", 1 + below(4), below(20) ? below(21) * 5 : 101 + below(9));
		break;
	case 13: case 14:
		fprintf(f, "tick %u\n", below(7));
		break;
	default:
		fprintf(f, below(8) ? "show\n" : "sow\n");
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	for (int i = 0; i < TESTS; i++) {
		unsigned commands = 2 + below(i % 4 ? 10 : 30);
		char path[4096];
		FILE *f;

		snprintf(path, sizeof path, "%s/inputs/%03d", argv[1], i);
		f = fopen(path, "w");
		if (!f)
			return 1;
		while (commands--)
			command(f);
		fclose(f);
		printf("%03d: {} %u %u <%s\n", i, 1 + below(3), 1 + below(4), path);
	}
	return 0;
}
