/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints an advisory, so that a test is judged by output alone.
 */
#include "advisory.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct encounter e;

	read_encounter(&e, argc, argv);
	printf("advice %d\n", advise(&e));
	return 0;
}
