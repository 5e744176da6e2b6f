/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/progress.h"

#include <stdio.h>

void progress_say(const struct options *o, const char *phase)
{
	if (o->progress)
		fprintf(stderr, "progress: %s\n", phase);
}
