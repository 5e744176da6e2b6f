/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/cause/cause-file.h"
#include "solver/base/ordinal.h"

#include <string.h>

/* "the file that argv[2] names"; NULL: the string is no argument of the program. */
static char *named_by_argument(const struct finder *f, uint64_t step, uint64_t address)
{
	uint64_t n, argv, start, most = reverse_index_limits(f->index)->origin_calls;

	if (!trace_point_main_arguments(f->point, &n, &argv))
		return NULL;
	for (uint64_t i = 0; i < MIN(n, most); i++)
		if (trace_point_read_before(f->point, step, argv + 8 * i, 8, &start) &&
		    start == address)
			return g_strdup_printf("the file that argv[%" G_GUINT64_FORMAT "] names",
					       i);
	return NULL;
}

/* What the string is called that a function was given, by the argument that it is where it would be
 * cut; NULL = it is not known. */
static char *named_text(const struct finder *f, uint64_t step, uint64_t address)
{
	enum { LONG = 18 };
	g_autofree char *text = cause_text_in_memory(f, step, address);
	char *argument = !text || strlen(text) > LONG ? named_by_argument(f, step, address) : NULL;

	return argument ? argument : g_steal_pointer(&text);
}

enum opened { BY_NOBODY, BY_UNKNOWN, BY_NAME };

static bool reads_opened_file(const struct reading *by, const struct reading *r)
{
	unsigned number = r->called->file;

	return by->called->input ==
		       (r->called->descriptor ? LIBRARY_OPENS_FILE : LIBRARY_OPENS_STREAM) &&
	       number && by->result == r->argument[number];
}

/* It may be standard input that is another file behind it. */
static bool reopens_input(const struct reading *r)
{
	return r->called->file &&
	       (r->called->input == LIBRARY_OPENS_STREAM || r->called->input == LIBRARY_OPENS_FILE);
}

/* Who opened last what the call reads?  *by is the call, with BY_NAME.  The same stream or number
 * may have been another file before. */
static enum opened find_opening(struct finder *f, const struct reading *r, struct reading *by)
{
	uint64_t most = reverse_index_limits(f->index)->origin_calls, left = most;
	uint64_t file = r->argument[r->called->file], other = r->step;
	bool found = false, more;

	*by = *r;
	do {
		if (left-- == 0)
			return BY_UNKNOWN;
		more = cause_reading_before(f, by->step, by);
		found = more && reads_opened_file(by, r);
	} while (more && !found);
	/* 0 is what many functions return */
	for (left = r->called->descriptor && !(uint32_t)file ? 0 : most; left > 0; left--) {
		other = cause_last_call_of(f, f->origins->others, other);
		if (other == UINT64_MAX || (found && other < by->step))
			return found ? BY_NAME : BY_NOBODY;
		if (reverse_index_at(f->index, other)->value == file)
			return BY_UNKNOWN;
	}
	return found ? BY_NAME : r->called->descriptor ? BY_NOBODY : BY_UNKNOWN;
}

/* A stream that nobody opened was there from the start. */
char *cause_file_name(struct finder *f, const struct reading *r)
{
	unsigned number = r->called->file;
	bool descriptor = r->called->descriptor;
	const char *unknown = descriptor ? "a file" : "a stream";
	struct reading by;
	char *name = NULL;

	if (!number)
		return g_strdup("standard input");
	if (!r->known[number])
		return g_strdup(unknown);
	switch (find_opening(f, r, &by)) {
	case BY_NAME:
		if (by.known[1])
			name = named_text(f, by.step, by.argument[1]);
		break;
	case BY_NOBODY:
		if (!descriptor || !(uint32_t)r->argument[number])
			name = g_strdup("standard input");
		break;
	case BY_UNKNOWN:
		break;
	}
	return name ? name : g_strdup(unknown);
}

static bool uses_file(const struct reading *r)
{
	return (r->called->input && r->called->input <= LIBRARY_SCANS) ||
	       r->called->input == LIBRARY_MOVES;
}

enum same { OTHER, SAME, MAYBE };

/* Do both calls read the same file? */
static enum same reads_same_file(const struct reading *a, const struct reading *b)
{
	unsigned x = a->called->file, y = b->called->file;

	if (a->called->descriptor != b->called->descriptor || !x != !y)
		return MAYBE; /* a stream has a descriptor, and standard input is one, too */
	if (!x)
		return SAME;
	if (!a->known[x] || !b->known[y])
		return MAYBE;
	return a->argument[x] == b->argument[y] ? SAME : OTHER;
}

uint64_t cause_bytes_read(const struct reading *r)
{
	if (r->called->input == LIBRARY_READS_ELEMENTS)
		return r->argument[2] * r->result;
	if (r->called->input == LIBRARY_READS_CHARACTER)
		return 1;
	return (int64_t)r->result > 0 ? r->result : 0;
}

/* What was read of the file before the call, since it was opened: calls of its kind, and bytes.
 * False where another function read it, too, or moved in it, or it is not known which it is. */
static bool read_before(struct finder *f, const struct reading *r, uint64_t *calls, uint64_t *bytes)
{
	unsigned number = r->called->file;
	struct reading before = *r, by;
	enum opened opened = !number		? BY_NOBODY
			     : r->known[number] ? find_opening(f, r, &by)
						: BY_UNKNOWN;
	bool alike = opened != BY_UNKNOWN;

	*calls = *bytes = 0;
	for (uint64_t left = reverse_index_limits(f->index)->origin_calls; left > 0; left--) {
		if (!cause_reading_before(f, before.step, &before) ||
		    (opened == BY_NAME && before.step <= by.step))
			return alike;
		if (!number && reopens_input(&before))
			return false;
		if (!uses_file(&before) || reads_same_file(&before, r) == OTHER)
			continue;
		alike = alike && before.called == r->called && reads_same_file(&before, r) == SAME;
		*calls += 1;
		*bytes += cause_bytes_read(&before);
	}
	return false;
}

/* Which part of a line the byte is, which the call read; behind the line the call put a NUL, and
 * behind an end that the program put, it may be that. */
static char *words_of_byte(const struct finder *f, const struct reading *r, uint64_t byte,
			   uint64_t step)
{
	const uint64_t at = r->argument[1] + byte;
	uint64_t c = 1, before = 1;

	if (r->known[1] && !trace_point_read_before(f->point, step + 1, at, 1, &c) && byte &&
	    trace_point_read_before(f->point, step + 1, at - 1, 1, &before) && !before)
		return g_strdup("");
	return c && before != '\n' ? g_strdup_printf("byte %" G_GUINT64_FORMAT " of ", byte + 1)
				   : g_strdup("the NUL behind ");
}

char *cause_file_words(struct finder *f, const struct reading *r, uint64_t byte, uint64_t step)
{
	g_autofree char *file = cause_file_name(f, r);
	const char *name = r->called->name;
	uint64_t calls, bytes;

	if (r->called->input == LIBRARY_READS_OWN && byte == UINT64_MAX)
		return g_strdup("where `getline' put the line");
	if (!read_before(f, r, &calls, &bytes))
		return r->called->input == LIBRARY_READS_CHARACTER
			       ? g_strdup_printf("from %s", file)
			       : g_strdup_printf("`%s' read it from %s", name, file);
	if (r->called->input == LIBRARY_READS_CHARACTER)
		return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s", bytes + 1, file);
	if (r->called->input == LIBRARY_READS_OWN)
		return g_strdup_printf("line %" G_GUINT64_FORMAT " of %s, byte %" G_GUINT64_FORMAT,
				       calls + 1, file, byte + 1);
	if (r->called->input == LIBRARY_READS_LINE) { /* which may be a part of a long line */
		g_autofree char *part = words_of_byte(f, r, byte, step);

		return g_strdup_printf("%swhat the %" G_GUINT64_FORMAT "%s `%s' read from %s", part,
				       calls + 1, ordinal_ending(calls + 1), name, file);
	}
	return g_strdup_printf("byte %" G_GUINT64_FORMAT " of %s, which `%s' read",
			       bytes + byte + 1, file, name);
}
