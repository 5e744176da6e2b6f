/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mi/transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES_MAX 10000

struct mi_transcript {
	FILE *file;
	GString *partial; /* a received line that is not whole yet */
};

struct mi_transcript *mi_transcript_new(const char *file, GError **error)
{
	struct mi_transcript *transcript;
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	for (int i = 2; fd < 0 && errno == EEXIST && i < FILES_MAX; i++) {
		g_autofree char *other = g_strdup_printf("%s.%d", file, i);

		fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	if (fd < 0) {
		g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno),
			    "Cannot write the transcript \"%s\": %s.", file, g_strerror(errno));
		return NULL;
	}
	transcript = g_new0(struct mi_transcript, 1);
	transcript->file = fdopen(fd, "w");
	transcript->partial = g_string_new(NULL);
	return transcript;
}

static void write_line(struct mi_transcript *transcript, char mark, const char *text, size_t n)
{
	fprintf(transcript->file, "%c ", mark);
	fwrite(text, 1, n, transcript->file);
	fputc('\n', transcript->file);
	fflush(transcript->file);
}

void mi_transcript_free(struct mi_transcript *transcript)
{
	if (!transcript)
		return;
	if (transcript->partial->len)
		write_line(transcript, '!', transcript->partial->str, transcript->partial->len);
	fclose(transcript->file);
	g_string_free(transcript->partial, TRUE);
	g_free(transcript);
}

void mi_transcript_remark(struct mi_transcript *transcript, const char *text)
{
	write_line(transcript, '#', text, strlen(text));
}

void mi_transcript_sent(struct mi_transcript *transcript, const char *line)
{
	write_line(transcript, '>', line, strlen(line));
}

void mi_transcript_received(struct mi_transcript *transcript, const char *bytes, size_t n)
{
	const char *end = bytes + n, *feed;

	while ((feed = memchr(bytes, '\n', (size_t)(end - bytes)))) {
		g_string_append_len(transcript->partial, bytes, feed - bytes);
		write_line(transcript, '<', transcript->partial->str, transcript->partial->len);
		g_string_truncate(transcript->partial, 0);
		bytes = feed + 1;
	}
	g_string_append_len(transcript->partial, bytes, end - bytes);
}

static void clear_turn(gpointer turn)
{
	g_bytes_unref(((struct mi_turn *)turn)->text);
}

static void add_turn(GArray *turns, const char *line, size_t n)
{
	struct mi_turn turn;
	size_t skip = n >= 2 && line[1] == ' ' ? 2 : 1;
	char *text;

	if (!n || !line[0] || !strchr("<>!#", line[0]))
		return;
	text = g_malloc(n - skip + 1);
	memcpy(text, line + skip, n - skip);
	text[n - skip] = 0;
	turn.mark = line[0];
	turn.text = g_bytes_new_take(text, n - skip);
	g_array_append_val(turns, turn);
}

GArray *mi_transcript_read(const char *file, GError **error)
{
	g_autofree char *text = NULL;
	size_t n;
	GArray *turns;
	const char *line, *end;

	if (!g_file_get_contents(file, &text, &n, error))
		return NULL;
	turns = g_array_new(FALSE, FALSE, sizeof(struct mi_turn));
	g_array_set_clear_func(turns, clear_turn);
	end = text + n;
	for (line = text; line < end;) {
		const char *feed = memchr(line, '\n', (size_t)(end - line));
		const char *stop = feed ? feed : end;

		add_turn(turns, line, (size_t)(stop - line));
		line = feed ? feed + 1 : end;
	}
	return turns;
}
