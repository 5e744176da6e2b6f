/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file in which a record travels: named members, each compressed by itself.
 * facts.h says what they mean; here they are bytes.  Fixed layout, little-endian,
 * written from front to back:
 *
 *     struct archive_head      magic, version, who made it, for which machine
 *     members                  zstd frames, back to back
 *     struct archive_entry[n]  name, bytes, bytes as compressed; in that order
 *     struct archive_tail      where the entries stand, SHA-256 of all before it
 *
 * A file is believed only when its magic, version, machine, lengths and checksum are
 * right: archive_open looks at all of them.  The checksum finds accidents.  Somebody
 * who alters a file on purpose can make it fit, so every length is checked before
 * anything of that length is made.
 */
#ifndef GDBEXT_RECORD_ARCHIVE_H
#define GDBEXT_RECORD_ARCHIVE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define RECORD_ERROR record_error_quark()
GQuark record_error_quark(void);
/* Each message is one full sentence. */
enum record_error {
	RECORD_ERROR_FILE,    /* cannot be opened, read, written */
	RECORD_ERROR_FORMAT,  /* truncated, altered, foreign, of another version */
	RECORD_ERROR_PROGRAM, /* it does not belong to this program */
};

#define ARCHIVE_VERSION 1
#define ARCHIVE_MAGIC "gdb-why record\n\x1a"
#define ARCHIVE_END_MAGIC "end of record\n\n\x1a"
#define ARCHIVE_MACHINE "x86_64-linux"

enum { ARCHIVE_MOST_MEMBERS = 1 << 16 };

struct archive_head {
	char magic[16]; /* ARCHIVE_MAGIC, without its NUL */
	uint32_t version;
	uint32_t flags;	  /* 0 */
	char made_by[24]; /* version of gdb-why; padded with NUL, like the next */
	char machine[16];
};
_Static_assert(sizeof(struct archive_head) == 64, "layout");

struct archive_entry {
	char name[48];	 /* NUL-padded */
	uint64_t size;	 /* bytes */
	uint64_t stored; /* bytes in the file */
};
_Static_assert(sizeof(struct archive_entry) == 64, "layout");

struct archive_tail {
	char magic[16];
	uint64_t entries; /* offset of the entries */
	uint32_t n_entries;
	uint32_t flags; /* 0 */
	uint8_t sum[32];
};
_Static_assert(sizeof(struct archive_tail) == 64, "layout");

/* ---- writing ---- */

struct archive_writer;

/* Writes to fd, which still belongs to the caller; shown: its name in messages.  NULL with
 * error when the head cannot be written. */
struct archive_writer *archive_create(int fd, const char *shown, GError **error);
void archive_writer_free(struct archive_writer *w);

bool archive_put_bytes(struct archive_writer *w, const char *name, const void *bytes, size_t size,
		       GError **error);
/* Adds the first `size' bytes of a file, or all of it when it is shorter. */
bool archive_put_file(struct archive_writer *w, const char *name, const char *path, uint64_t size,
		      GError **error);
/* Call it last; without it the file is not valid. */
bool archive_finish(struct archive_writer *w, GError **error);
uint64_t archive_written(const struct archive_writer *w); /* bytes so far */

/* ---- reading ---- */

struct archive;

/* A member; the archive knows where it stands. */
struct archive_member {
	const char *name;
	uint64_t size;
	uint64_t offset, stored;
};

/* Reads head, tail, entries and checksum of fd.  That is a regular file which belongs to the
 * caller and stays open as long as the archive; shown: its name in messages. */
struct archive *archive_open(int fd, const char *shown, GError **error);
void archive_free(struct archive *a);

const struct archive_member *archive_find(const struct archive *a, const char *name);
uint64_t archive_size(const struct archive *a); /* bytes of the file */
/* All members, in the file's order. */
const struct archive_member *archive_members(const struct archive *a, size_t *n);

/* The member's bytes; NULL with error when there are more than `most', or when they are not
 * what the entry says. */
GBytes *archive_read(const struct archive *a, const struct archive_member *m, size_t most,
		     GError **error);
/* Makes the file `path', which must not exist, out of a member.  The caller has made sure that
 * there is room for m->size bytes. */
bool archive_extract(const struct archive *a, const struct archive_member *m, const char *path,
		     GError **error);

#endif
