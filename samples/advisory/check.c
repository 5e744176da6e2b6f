/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test of an advisory: it must say what the golden version says.
 */
#include "advisory.h"

#include <assert.h>

int main(int argc, char **argv)
{
	struct encounter e;

	read_encounter(&e, argc, argv);
	assert(advise(&e) == golden_advise(&e));
	return 0;
}
