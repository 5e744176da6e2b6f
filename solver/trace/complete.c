/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completes the record by what the recorder has not put into it yet: the stream's tail,
 * and the parts of a stream that was kept in parts (trace.h).  What makes no sense is
 * left for those who check the record.
 */
#include "solver/trace/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A stream being put together. */
struct stream {
	const char *directory;
	unsigned number;
	int to;
	uint64_t length; /* so far */
	uint64_t skip;	 /* bytes that are left out next */
};

static char *file_of_stream(const struct stream *s, const char *kind)
{
	g_autofree char *name = g_strdup_printf("%s.%u", kind, s->number);

	return g_build_filename(s->directory, name, NULL);
}

/* The file's first size bytes, or all of it when it is shorter. */
static bool append_stream_file(struct stream *s, const char *kind, uint64_t size)
{
	g_autofree char *path = file_of_stream(s, kind);
	uint64_t skipped = MIN(s->skip, size), done = skipped;
	int from = open(path, O_RDONLY | O_CLOEXEC);
	char buffer[1 << 16];
	ssize_t n = 1;

	s->skip -= skipped;
	while (from >= 0 && done < size && n > 0) {
		n = pread(from, buffer, MIN(sizeof(buffer), size - done), (off_t)done);
		if (n > 0 &&
		    pwrite(s->to, buffer, (size_t)n, (off_t)(TRACE_STREAM_OFFSET + s->length)) != n)
			n = -1;
		done += n > 0 ? (uint64_t)n : 0;
		s->length += n > 0 ? (uint64_t)n : 0;
	}
	if (from >= 0)
		close(from);
	return n >= 0;
}

/* A number that the recorder knew only after it had flushed its place. */
static bool fill_in_missed(const struct stream *s, const struct trace_head *head)
{
	struct trace_missed missed;

	if (!(head->flags & TRACE_MIRRORS) ||
	    pread(s->to, &missed, sizeof(missed), TRACE_MISSED_OFFSET) != sizeof(missed) ||
	    missed.offset >= s->length || s->length - missed.offset < TRACE_MISS_SIZE ||
	    (missed.next & TRACE_MISS_NONE) == TRACE_MISS_NONE)
		return true;
	return pwrite(s->to, &missed.next, TRACE_MISS_SIZE,
		      (off_t)(TRACE_STREAM_OFFSET + missed.offset)) == TRACE_MISS_SIZE;
}

/* Joins the last two parts; what both have is taken once. */
static bool append_parts(struct stream *s, struct trace_head *head)
{
	const struct trace_part *now = &head->parts[head->part & 1],
				*before = &head->parts[~head->part & 1];
	const char *names[] = { "even", "odd" };
	bool two = head->part > 0 && before->insns <= now->insns && before->offset <= now->offset;
	const struct trace_part first = *(two ? before : now);

	if (two && !append_stream_file(s, names[~head->part & 1], now->offset - before->offset))
		return false;
	s->skip = two ? TRACE_PART_START : 0;
	if (head->flushed < now->offset)
		return true;
	if (!append_stream_file(s, names[head->part & 1], head->flushed - now->offset) ||
	    !append_stream_file(s, "tail", head->length - head->flushed))
		return false;
	head->first_insns = first.insns;
	head->first_async = first.n_async;
	head->length = head->flushed = s->length;
	return pwrite(s->to, head, sizeof(*head), 0) == sizeof(*head);
}

static bool append_rest(struct stream *s)
{
	struct trace_head head;

	if (pread(s->to, &head, sizeof(head), 0) != sizeof(head) || head.flushed > head.length)
		return true;
	if (head.window)
		return append_parts(s, &head);
	s->length = head.flushed;
	return append_stream_file(s, "tail", head.length - head.flushed) &&
	       fill_in_missed(s, &head);
}

static bool remove_file(const struct stream *s, const char *kind)
{
	g_autofree char *path = file_of_stream(s, kind);

	return unlink(path) == 0 || errno == ENOENT;
}

bool trace_complete(const char *directory, unsigned number, const char *path, GError **error)
{
	struct stream s = { .directory = directory, .number = number, .to = -1 };
	g_autofree char *tail = file_of_stream(&s, "tail");
	bool done;

	if (access(tail, F_OK) != 0)
		return true;
	s.to = open(path, O_RDWR | O_CLOEXEC);
	done = s.to >= 0 && append_rest(&s) && remove_file(&s, "tail") && remove_file(&s, "even") &&
	       remove_file(&s, "odd");
	if (!done)
		g_set_error(error, TRACE_ERROR, TRACE_ERROR_OPEN,
			    "The record '%s' cannot be completed: %s.", path, g_strerror(errno));
	if (s.to >= 0)
		close(s.to);
	return done;
}
