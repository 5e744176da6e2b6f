/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/record/archive.h"

#include "gdbext/replay/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* A window of 16 MiB: more than any level that is used here asks for. */
enum { PIECE = 256 << 10, MOST_WINDOW_LOG = 24 };

struct archive {
	int fd;
	char *shown;
	uint64_t size; /* of the file */
	struct archive_tail tail;
	struct archive_entry *entries;
	GArray *members;   /* struct archive_member */
	GHashTable *names; /* name → index + 1 */
};

static bool refuse_archive(const struct archive *a, GError **error, const char *why)
{
	g_set_error(error, RECORD_ERROR, RECORD_ERROR_FORMAT, "The record %s cannot be used: %s.",
		    a->shown, why);
	return false;
}

static bool read_at(const struct archive *a, uint64_t at, void *to, size_t size, GError **error)
{
	uint8_t *p = to;

	while (size) {
		ssize_t got = pread(a->fd, p, size, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (!got)
			return refuse_archive(a, error, "it is cut off before its end");
		if (got < 0) {
			g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
				    "The record %s cannot be read: %s.", a->shown,
				    g_strerror(errno));
			return false;
		}
		p += got;
		at += (uint64_t)got;
		size -= (size_t)got;
	}
	return true;
}

/* Text that was padded with NULs, as it may be printed. */
static char *printable_text(const char *text, size_t room)
{
	char *copy = g_strndup(text, room);

	for (char *c = copy; *c; c++)
		if (!g_ascii_isprint(*c))
			*c = '?';
	return copy;
}

static bool read_head(struct archive *a, GError **error)
{
	struct archive_head head = { 0 };
	g_autofree char *made_by = NULL, *machine = NULL, *why = NULL;

	if (!read_at(a, 0, &head, MIN(sizeof head, a->size), error))
		return false;
	if (memcmp(head.magic, ARCHIVE_MAGIC, sizeof head.magic) != 0)
		return refuse_archive(a, error, "it is none (gdb-why record makes them)");
	made_by = printable_text(head.made_by, sizeof head.made_by);
	machine = printable_text(head.machine, sizeof head.machine);
	if (head.version != ARCHIVE_VERSION || head.flags) {
		why = g_strdup_printf("gdb-why %s wrote it in version %u of the format, and this "
				      "gdb-why reads version %u; record the test again",
				      made_by, head.version, ARCHIVE_VERSION);
		return refuse_archive(a, error, why);
	}
	if (strcmp(machine, ARCHIVE_MACHINE) != 0) {
		why = g_strdup_printf("it is of a program for %s, and only those for %s can be "
				      "explained",
				      machine, ARCHIVE_MACHINE);
		return refuse_archive(a, error, why);
	}
	return true;
}

/* Does the tail that stands at `end' belong to a list of contents which ends there? */
static bool tail_fits(const struct archive_tail *t, uint64_t end)
{
	return t->n_entries <= ARCHIVE_MOST_MEMBERS && !t->flags && t->entries <= end &&
	       t->entries >= sizeof(struct archive_head) &&
	       end - t->entries == t->n_entries * sizeof(struct archive_entry);
}

/* Where the last tail stands whose magic begins in the n bytes from `at' on; 0 = there is none. */
static uint64_t find_tail_in(const struct archive *a, const uint8_t *piece, size_t n, uint64_t at)
{
	const size_t magic = strlen(ARCHIVE_END_MAGIC);

	for (size_t i = n; i-- > 0;) {
		struct archive_tail t;

		if (memcmp(piece + i, ARCHIVE_END_MAGIC, magic) == 0 &&
		    a->size - (at + i) >= sizeof t && read_at(a, at + i, &t, sizeof t, NULL) &&
		    tail_fits(&t, at + i))
			return at + i;
	}
	return 0;
}

/* Bytes that stand behind a whole record, as other programs that copy or join files leave them. */
static bool count_behind(const struct archive *a, uint64_t *behind, GError **error)
{
	const size_t more = strlen(ARCHIVE_END_MAGIC);
	g_autofree uint8_t *piece = g_malloc0(PIECE + more);
	uint64_t tail = 0;

	*behind = 0;
	for (uint64_t end = a->size; end && !tail;) {
		uint64_t at = end - MIN(end, PIECE);
		size_t n = (size_t)(end - at);

		memset(piece, 0, PIECE + more);
		if (!replay_check_interrupt(error) ||
		    !read_at(a, at, piece, (size_t)MIN(n + more, a->size - at), error))
			return false;
		tail = find_tail_in(a, piece, n, at);
		end = at;
	}
	if (tail)
		*behind = a->size - tail - sizeof a->tail;
	return true;
}

static bool refuse_tail(const struct archive *a, bool is_one, GError **error)
{
	g_autofree char *why = NULL;
	uint64_t behind;

	if (!count_behind(a, &behind, error))
		return false;
	if (behind) {
		why = g_strdup_printf("%" G_GUINT64_FORMAT " more byte%s behind its end; "
				      "copy the record again, or cut them off (truncate "
				      "--size=-%" G_GUINT64_FORMAT ")",
				      behind, behind == 1 ? " stands" : "s stand", behind);
		return refuse_archive(a, error, why);
	}
	return refuse_archive(a, error,
			      is_one ? "its list of contents is damaged"
				     : "it is cut off before its end");
}

static bool read_tail(struct archive *a, GError **error)
{
	const struct archive_tail *t = &a->tail;
	uint64_t end = a->size - sizeof *t;
	bool is_one;

	if (a->size < sizeof(struct archive_head) + sizeof *t)
		return refuse_archive(a, error, "it is cut off before its end");
	if (!read_at(a, end, &a->tail, sizeof *t, error))
		return false;
	is_one = memcmp(t->magic, ARCHIVE_END_MAGIC, sizeof t->magic) == 0;
	return (is_one && tail_fits(t, end)) || refuse_tail(a, is_one, error);
}

static bool check_sum(const struct archive *a, GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree uint8_t *piece = g_malloc(PIECE);
	uint64_t end = a->size - sizeof a->tail.sum;
	uint8_t digest[sizeof a->tail.sum];
	size_t length = sizeof digest;

	for (uint64_t at = 0; at < end; at += PIECE) {
		size_t n = (size_t)MIN(PIECE, end - at);

		if (!replay_check_interrupt(error) || !read_at(a, at, piece, n, error))
			return false;
		g_checksum_update(sum, piece, (gssize)n);
	}
	g_checksum_get_digest(sum, digest, &length);
	if (memcmp(digest, a->tail.sum, sizeof digest) != 0)
		return refuse_archive(a, error,
				      "it was altered since it was written (its checksum differs)");
	return true;
}

static bool is_entry_name(const struct archive_entry *e)
{
	size_t n = strnlen(e->name, sizeof e->name);

	return n > 0 && n < sizeof e->name;
}

static bool read_archive_entries(struct archive *a, GError **error)
{
	uint64_t at = sizeof(struct archive_head), end = a->tail.entries;
	size_t n = a->tail.n_entries;

	a->entries = g_new0(struct archive_entry, n + 1);
	a->members = g_array_sized_new(FALSE, FALSE, sizeof(struct archive_member), (guint)n);
	a->names = g_hash_table_new(g_str_hash, g_str_equal);
	if (!read_at(a, end, a->entries, n * sizeof *a->entries, error))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct archive_entry *e = &a->entries[i];
		struct archive_member m = { e->name, e->size, at, e->stored };

		if (!is_entry_name(e) || e->stored > end - at || e->size > G_MAXINT64 ||
		    !g_hash_table_insert(a->names, e->name, GSIZE_TO_POINTER(i + 1)))
			return refuse_archive(a, error, "its list of contents is damaged");
		g_array_append_val(a->members, m);
		at += e->stored;
	}
	return at == end || refuse_archive(a, error, "its list of contents is damaged");
}

struct archive *archive_open(int fd, const char *shown, GError **error)
{
	struct archive *a = g_new0(struct archive, 1);
	struct stat st;

	a->fd = fd;
	a->shown = g_strdup(shown);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		a->size = (uint64_t)st.st_size;
		if (read_head(a, error) && read_tail(a, error) && check_sum(a, error) &&
		    read_archive_entries(a, error))
			return a;
	} else {
		refuse_archive(a, error, "it is not a regular file");
	}
	archive_free(a);
	return NULL;
}

void archive_free(struct archive *a)
{
	if (!a)
		return;
	if (a->members)
		g_array_free(a->members, TRUE);
	g_clear_pointer(&a->names, g_hash_table_destroy);
	g_free(a->entries);
	g_free(a->shown);
	g_free(a);
}

uint64_t archive_size(const struct archive *a)
{
	return a->size;
}

const struct archive_member *archive_find(const struct archive *a, const char *name)
{
	size_t found = GPOINTER_TO_SIZE(g_hash_table_lookup(a->names, name));

	return found ? &g_array_index(a->members, struct archive_member, found - 1) : NULL;
}

const struct archive_member *archive_members(const struct archive *a, size_t *n)
{
	*n = a->members->len;
	return (const struct archive_member *)(const void *)a->members->data;
}

/* A member being read. */
struct reading {
	const struct archive *a;
	const struct archive_member *m;
	ZSTD_DCtx *zstd;
	uint8_t *piece; /* PIECE bytes as they are in the file */
	ZSTD_inBuffer in;
	uint64_t at; /* of m->stored, in .piece or before */
	uint64_t made;
	bool over; /* the frame is complete */
};

static void begin_member(struct reading *r, const struct archive *a, const struct archive_member *m)
{
	*r = (struct reading){ .a = a, .m = m };
	r->piece = g_malloc(PIECE);
	r->zstd = ZSTD_createDCtx();
	g_assert(r->zstd);
	ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, MOST_WINDOW_LOG);
	r->in = (ZSTD_inBuffer){ r->piece, 0, 0 };
}

static void finish_archive_read(struct reading *r)
{
	ZSTD_freeDCtx(r->zstd);
	g_free(r->piece);
}

static bool is_damaged(const struct reading *r, GError **error)
{
	g_autofree char *name =
		printable_text(r->m->name, sizeof(((struct archive_entry *)0)->name));
	g_autofree char *why = g_strdup_printf("its part %s is damaged", name);

	return refuse_archive(r->a, error, why);
}

/* Fills out; it stays short only at the end of the member, which is checked. */
static bool read_some(struct reading *r, ZSTD_outBuffer *out, GError **error)
{
	while (!r->over && out->pos < out->size) {
		size_t left, before = out->pos;

		if (r->in.pos == r->in.size && r->at < r->m->stored) {
			size_t n = (size_t)MIN(PIECE, r->m->stored - r->at);

			if (!read_at(r->a, r->m->offset + r->at, r->piece, n, error))
				return false;
			r->at += n;
			r->in = (ZSTD_inBuffer){ r->piece, n, 0 };
		}
		left = ZSTD_decompressStream(r->zstd, out, &r->in);
		r->made += out->pos - before;
		if (ZSTD_isError(left) || r->made > r->m->size)
			return is_damaged(r, error);
		r->over = left == 0;
		if (!r->over && out->pos == before && r->in.pos == r->in.size &&
		    r->at == r->m->stored)
			return is_damaged(r, error);
	}
	if (r->over && (r->made != r->m->size || r->at != r->m->stored || r->in.pos != r->in.size))
		return is_damaged(r, error);
	return true;
}

GBytes *archive_read(const struct archive *a, const struct archive_member *m, size_t most,
		     GError **error)
{
	struct reading r;
	ZSTD_outBuffer out = { 0 };
	bool done;

	if (m->size > most) {
		refuse_archive(a, error, "a part of it is larger than it may be");
		return NULL;
	}
	/* One more, so that the end is met. */
	out = (ZSTD_outBuffer){ g_malloc(m->size + 1), m->size + 1, 0 };
	begin_member(&r, a, m);
	done = read_some(&r, &out, error);
	finish_archive_read(&r);
	if (done)
		return g_bytes_new_take(out.dst, out.pos);
	g_free(out.dst);
	return NULL;
}

static bool write_all_unpacked(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		ssize_t got = write(fd, bytes, size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		bytes += got;
		size -= (size_t)got;
	}
	return true;
}

static bool extract_to(struct reading *r, int fd, const char *path, GError **error)
{
	g_autofree uint8_t *bytes = g_malloc(PIECE);

	do {
		ZSTD_outBuffer out = { bytes, PIECE, 0 };

		if (!replay_check_interrupt(error) || !read_some(r, &out, error))
			return false;
		if (!write_all_unpacked(fd, bytes, out.pos)) {
			g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE,
				    "Cannot write %s: %s; make room there or set GDB_WHY_TMPDIR.",
				    path, g_strerror(errno));
			return false;
		}
	} while (!r->over);
	return true;
}

bool archive_extract(const struct archive *a, const struct archive_member *m, const char *path,
		     GError **error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct reading r;
	bool done;

	if (fd < 0) {
		g_set_error(error, RECORD_ERROR, RECORD_ERROR_FILE, "Cannot make %s: %s.", path,
			    g_strerror(errno));
		return false;
	}
	begin_member(&r, a, m);
	done = extract_to(&r, fd, path, error);
	finish_archive_read(&r);
	close(fd);
	return done;
}
