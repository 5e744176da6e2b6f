/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/progress.h"

#include <stdio.h>

void progress_stage(const struct options *o, enum event_stage stage, uint64_t runs)
{
	event_write((int)o->events,
		    &(struct event){ .kind = EVENT_PROGRESS, .stage = stage, .runs = runs });
}

void progress_note(const struct options *o, const char *format, ...)
{
	va_list args;
	g_autofree char *text = NULL;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	if (o->events)
		event_write((int)o->events, &(struct event){ .kind = EVENT_NOTE, .text = text });
	else
		fprintf(stderr, "gdb-why: %s\n", text);
}
