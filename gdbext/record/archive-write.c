/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/record/archive.h"

#include "gdbext/replay/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#ifndef GDB_WHY_VERSION
#error "GDB_WHY_VERSION comes from the Makefile"
#endif

/* Streams shrink to a few per cent at any level; higher ones only take longer. */
enum { LEVEL = 3, PIECE = 256 << 10 };

struct archive_writer {
	int fd;
	char *shown;
	uint64_t at;
	GChecksum *sum;
	GArray *entries; /* struct archive_entry */
	ZSTD_CCtx *zstd;
	uint8_t in[PIECE], out[PIECE];
};

G_DEFINE_QUARK(gdb - why - record - error, record_error)

static bool append_to_archive(struct archive_writer *w, const void *bytes, size_t size,
			      GError **error)
{
	const uint8_t *from = bytes;

	g_checksum_update(w->sum, from, (gssize)size);
	w->at += size;
	while (size) {
		ssize_t got = write(w->fd, from, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
				    "The record %s cannot be written: %s.", w->shown,
				    g_strerror(got ? errno : ENOSPC));
			return false;
		}
		from += got;
		size -= (size_t)got;
	}
	return true;
}

struct archive_writer *archive_create(int fd, const char *shown, GError **error)
{
	struct archive_writer *w = g_new0(struct archive_writer, 1);
	struct archive_head head = { .version = ARCHIVE_VERSION };

	w->fd = fd;
	w->shown = g_strdup(shown);
	w->sum = g_checksum_new(G_CHECKSUM_SHA256);
	w->entries = g_array_new(FALSE, FALSE, sizeof(struct archive_entry));
	w->zstd = ZSTD_createCCtx();
	g_assert(w->zstd);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
	memcpy(head.magic, ARCHIVE_MAGIC, sizeof head.magic);
	g_strlcpy(head.made_by, GDB_WHY_VERSION, sizeof head.made_by);
	g_strlcpy(head.machine, ARCHIVE_MACHINE, sizeof head.machine);
	if (append_to_archive(w, &head, sizeof head, error))
		return w;
	archive_writer_free(w);
	return NULL;
}

void archive_writer_free(struct archive_writer *w)
{
	if (!w)
		return;
	ZSTD_freeCCtx(w->zstd);
	g_array_free(w->entries, TRUE);
	g_checksum_free(w->sum);
	g_free(w->shown);
	g_free(w);
}

uint64_t archive_written(const struct archive_writer *w)
{
	return w->at;
}

static bool compress_bytes(struct archive_writer *w, const void *bytes, size_t size, bool last,
			   GError **error)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { w->out, sizeof w->out, 0 };

		left = ZSTD_compressStream2(w->zstd, &out, &in,
					    last ? ZSTD_e_end : ZSTD_e_continue);
		g_assert(!ZSTD_isError(left)); /* memory, or our mistake */
		if (!append_to_archive(w, w->out, out.pos, error))
			return false;
	} while (in.pos < in.size || (last && left));
	return true;
}

static void begin_entry(struct archive_writer *w, const char *name, struct archive_entry *e)
{
	*e = (struct archive_entry){ .stored = w->at };
	g_assert(strlen(name) < sizeof e->name && w->entries->len < ARCHIVE_MOST_MEMBERS);
	g_strlcpy(e->name, name, sizeof e->name);
	ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_only);
}

static void end_entry(struct archive_writer *w, struct archive_entry *e)
{
	e->stored = w->at - e->stored;
	g_array_append_val(w->entries, *e);
}

bool archive_put_bytes(struct archive_writer *w, const char *name, const void *bytes, size_t size,
		       GError **error)
{
	struct archive_entry e;

	begin_entry(w, name, &e);
	e.size = size;
	if (!compress_bytes(w, bytes, size, true, error))
		return false;
	end_entry(w, &e);
	return true;
}

/* Reads up to room bytes; fewer only at the end of the file; -1 with errno. */
static ssize_t read_piece(int fd, uint8_t *to, size_t room)
{
	size_t have = 0;

	while (have < room) {
		ssize_t got = read(fd, to + have, room - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

static bool put_open_file(struct archive_writer *w, int fd, const char *path, uint64_t most,
			  struct archive_entry *e, GError **error)
{
	for (;;) {
		size_t room = (size_t)MIN(sizeof w->in, most - e->size);
		ssize_t got = read_piece(fd, w->in, room);
		bool last = got < (ssize_t)sizeof w->in;

		if (!replay_check_interrupt(error))
			return false;
		if (got < 0) {
			g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
				    "%s cannot be read to be recorded: %s.", path,
				    g_strerror(errno));
			return false;
		}
		e->size += (uint64_t)got;
		if (!compress_bytes(w, w->in, (size_t)got, last, error))
			return false;
		if (last)
			return true;
	}
}

bool archive_put_file(struct archive_writer *w, const char *name, const char *path, uint64_t size,
		      GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct archive_entry e;
	bool done;

	if (fd < 0) {
		g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
			    "%s cannot be read to be recorded: %s.", path, g_strerror(errno));
		return false;
	}
	begin_entry(w, name, &e);
	done = put_open_file(w, fd, path, size, &e, error);
	close(fd);
	if (done)
		end_entry(w, &e);
	return done;
}

bool archive_finish(struct archive_writer *w, GError **error)
{
	struct archive_tail tail = { .entries = w->at, .n_entries = w->entries->len };
	size_t size = sizeof tail.sum;

	memcpy(tail.magic, ARCHIVE_END_MAGIC, sizeof tail.magic);
	if (!append_to_archive(w, w->entries->data, w->entries->len * sizeof(struct archive_entry),
			       error))
		return false;
	g_checksum_update(w->sum, (const guchar *)&tail, offsetof(struct archive_tail, sum));
	g_checksum_get_digest(w->sum, tail.sum, &size);
	g_checksum_free(w->sum);
	w->sum = g_checksum_new(G_CHECKSUM_SHA256); /* of nothing that is asked for */
	return append_to_archive(w, &tail, sizeof tail, error);
}
