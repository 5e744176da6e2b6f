/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transcripts: what a connection said and heard, in a file to read, to keep as a
 * test, and to replay.  One line of the file is a line of the talk:
 *
 *     > 3-exec-run            we sent it, line feed taken off
 *     < *running,thread-id="all"
 *     ! half a li             we received it, and no line feed came behind it
 *     # a remark; lines that begin with something else are nothing
 *
 * Behind the mark and one blank come the bytes as they were, a CR included.
 */
#ifndef MI_TRANSCRIPT_H
#define MI_TRANSCRIPT_H

#include <glib.h>
#include <stdbool.h>

/* Writing.  A file that is already there is kept: file.2, file.3, ... is made. */
struct mi_transcript *mi_transcript_new(const char *file, GError **error);
void mi_transcript_free(struct mi_transcript *transcript); /* NULL is fine */
void mi_transcript_remark(struct mi_transcript *transcript, const char *text);
void mi_transcript_sent(struct mi_transcript *transcript, const char *line);
void mi_transcript_received(struct mi_transcript *transcript, const char *bytes, size_t n);

/* Reading. */
struct mi_turn {
	char mark;    /* '>', '<', '!' or '#' */
	GBytes *text; /* without mark and line feed; followed by a NUL in memory */
};
/* The turns of a file in order; an array that clears itself. */
GArray *mi_transcript_read(const char *file, GError **error);

#endif
