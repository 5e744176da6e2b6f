/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/regress/changes.h"
#include "solver/regress/set.h"
#include "solver/regress/split.h"

#include <string.h>

enum { TYPE_OF_MODE = 0170000, REGULAR = 0100000 };

static void free_file(void *pointer)
{
	struct regress_file *f = pointer;

	g_free(f->old_path);
	g_free(f->new_path);
	g_clear_pointer(&f->old_bytes, g_bytes_unref);
	g_clear_pointer(&f->new_bytes, g_bytes_unref);
	g_clear_pointer(&f->old_lines, g_ptr_array_unref);
	g_clear_pointer(&f->new_lines, g_ptr_array_unref);
	g_free(f);
}

static void clear_change(void *pointer)
{
	g_free(((struct regress_change *)pointer)->function);
}

struct regress_changes *regress_changes_new(void)
{
	struct regress_changes *c = g_new0(struct regress_changes, 1);

	c->files = g_ptr_array_new_with_free_func(free_file);
	c->changes = g_array_new(FALSE, FALSE, sizeof(struct regress_change));
	g_array_set_clear_func(c->changes, clear_change);
	return c;
}

void regress_changes_free(struct regress_changes *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->files);
	g_array_unref(c->changes);
	g_free(c);
}

/* As git tells them apart: a text has no zero byte in its beginning. */
static bool is_text(GBytes *bytes)
{
	gsize size;
	const char *data = g_bytes_get_data(bytes, &size);

	return !size || !memchr(data, '\0', MIN(size, 8000));
}

/* NULL where it is no text, or absent. */
static GPtrArray *lines_of(GBytes *bytes, unsigned mode)
{
	GPtrArray *lines;
	gsize size, at = 0;
	const char *data;

	if (!bytes || (mode & TYPE_OF_MODE) != REGULAR || !is_text(bytes))
		return NULL;
	data = g_bytes_get_data(bytes, &size);
	lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
	while (at < size) {
		const char *end = memchr(data + at, '\n', size - at);
		gsize n = end ? (gsize)(end - data) + 1 - at : size - at;

		g_ptr_array_add(lines, g_bytes_new_from_bytes(bytes, at, n));
		at += n;
	}
	return lines;
}

static struct regress_change *add_change(struct regress_changes *c, enum regress_kind kind)
{
	struct regress_change change = { .number = c->changes->len,
					 .file = c->files->len - 1,
					 .kind = kind };

	g_array_append_val(c->changes, change);
	return &g_array_index(c->changes, struct regress_change, change.number);
}

static void add_whole_changes(struct regress_changes *c, const struct regress_file *f)
{
	if (!f->old_path) {
		add_change(c, REGRESS_ADDED);
		return;
	}
	if (!f->new_path) {
		add_change(c, REGRESS_DELETED);
		return;
	}
	if (strcmp(f->old_path, f->new_path) != 0)
		add_change(c, REGRESS_RENAMED);
	if (f->old_lines && f->new_lines) {
		if (f->old_mode != f->new_mode)
			add_change(c, REGRESS_MODE);
	} else if (!g_bytes_equal(f->old_bytes, f->new_bytes) || f->old_mode != f->new_mode) {
		add_change(c, REGRESS_CONTENTS);
	}
}

struct regress_file *regress_changes_add_file(struct regress_changes *c, const char *old_path,
					      unsigned old_mode, GBytes *old_bytes,
					      const char *new_path, unsigned new_mode,
					      GBytes *new_bytes)
{
	struct regress_file *f = g_new0(struct regress_file, 1);

	g_assert(old_path || new_path);
	f->old_path = g_strdup(old_path);
	f->new_path = g_strdup(new_path);
	f->old_mode = old_mode;
	f->new_mode = new_mode;
	f->old_bytes = old_bytes ? g_bytes_ref(old_bytes) : NULL;
	f->new_bytes = new_bytes ? g_bytes_ref(new_bytes) : NULL;
	f->old_lines = lines_of(old_bytes, old_mode);
	f->new_lines = lines_of(new_bytes, new_mode);
	g_ptr_array_add(c->files, f);
	add_whole_changes(c, f);
	return f;
}

/* The lines [first, first + count) as an array; lines count from 1. */
static GBytes *const *line_at(const GPtrArray *lines, unsigned first, unsigned count)
{
	return count ? (GBytes *const *)lines->pdata + first - 1 : NULL;
}

static bool is_c(const char *path)
{
	static const char *const ends[] = { ".c", ".h", ".cc", ".cpp", ".y", ".l", ".def" };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
		if (g_str_has_suffix(path, ends[i]))
			return true;
	return false;
}

struct group {
	unsigned old_first, old_count, new_first, new_count;
};

static void add_group(struct regress_changes *c, const struct group *g, const char *function)
{
	struct regress_change *change = add_change(c, REGRESS_LINES);

	change->old_first = g->old_first;
	change->old_count = g->old_count;
	change->new_first = g->new_first;
	change->new_count = g->new_count;
	change->function = g_strdup(function);
}

static unsigned piece(const GArray *pieces, guint i)
{
	return pieces && i < pieces->len ? g_array_index(pieces, unsigned, i) : 0;
}

/* A side without lines has no first line of its own: it names the line before. */
static unsigned first_of(unsigned next, unsigned count)
{
	return count ? next : next - 1;
}

static void add_pieces(struct regress_changes *c, const struct group *g, const GArray *old_pieces,
		       const GArray *new_pieces, const char *function)
{
	unsigned next_old = g->old_count ? g->old_first : g->old_first + 1;
	unsigned next_new = g->new_count ? g->new_first : g->new_first + 1;
	guint n = MAX(old_pieces->len, new_pieces->len);

	for (guint i = 0; i < n; i++) {
		struct group part = { .old_count = piece(old_pieces, i),
				      .new_count = piece(new_pieces, i) };

		part.old_first = first_of(next_old, part.old_count);
		part.new_first = first_of(next_new, part.new_count);
		next_old += part.old_count;
		next_new += part.new_count;
		add_group(c, &part, function);
	}
}

void regress_changes_add_lines(struct regress_changes *c, unsigned old_first, unsigned old_count,
			       unsigned new_first, unsigned new_count, const char *function)
{
	const struct regress_file *f = g_ptr_array_index(c->files, c->files->len - 1);
	struct group g = { old_first, old_count, new_first, new_count };
	g_autoptr(GArray) old_pieces = NULL, new_pieces = NULL;

	g_assert(f->old_lines && f->new_lines);
	if (is_c(f->new_path)) {
		old_pieces = regress_split_statements(line_at(f->old_lines, old_first, old_count),
						      old_count);
		new_pieces = regress_split_statements(line_at(f->new_lines, new_first, new_count),
						      new_count);
	}
	/* which statement became which is known when there are as many, or none on one side */
	if (old_pieces && new_pieces &&
	    (old_pieces->len == new_pieces->len || !old_count || !new_count))
		add_pieces(c, &g, old_pieces, new_pieces, function);
	else
		add_group(c, &g, function);
}

guint regress_changes_count(const struct regress_changes *c)
{
	return c->changes->len;
}

const struct regress_change *regress_change_at(const struct regress_changes *c, unsigned number)
{
	g_assert(number < c->changes->len);
	return &g_array_index(c->changes, struct regress_change, number);
}

const struct regress_file *regress_file_of(const struct regress_changes *c, unsigned change)
{
	return g_ptr_array_index(c->files, regress_change_at(c, change)->file);
}

const char *regress_change_path(const struct regress_changes *c, unsigned change)
{
	const struct regress_file *f = regress_file_of(c, change);

	return f->new_path ? f->new_path : f->old_path;
}

static void append_bytes(GByteArray *out, GBytes *bytes)
{
	gsize size;
	const guint8 *data = g_bytes_get_data(bytes, &size);

	g_byte_array_append(out, data, (guint)size);
}

static void append_lines(GByteArray *out, const GPtrArray *lines, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		append_bytes(out, g_ptr_array_index(lines, i));
}

/* The new text, with the old side of each group that is reverted. */
static GBytes *compose_lines(const struct regress_changes *c, unsigned file, const GArray *reverted)
{
	const struct regress_file *f = g_ptr_array_index(c->files, file);
	GByteArray *out = g_byte_array_new();
	unsigned next = 0; /* line of the new text, from 0 */

	for (guint i = 0; i < c->changes->len; i++) {
		const struct regress_change *x = regress_change_at(c, i);
		unsigned begin = x->new_count ? x->new_first - 1 : x->new_first;

		if (x->file != file || x->kind != REGRESS_LINES || !regress_set_has(reverted, i))
			continue;
		append_lines(out, f->new_lines, next, begin);
		if (x->old_count)
			append_lines(out, f->old_lines, x->old_first - 1,
				     x->old_first - 1 + x->old_count);
		next = begin + x->new_count;
	}
	append_lines(out, f->new_lines, next, f->new_lines->len);
	return g_byte_array_free_to_bytes(out);
}

static bool is_reverted(const struct regress_changes *c, unsigned file, enum regress_kind kind,
			const GArray *reverted)
{
	for (guint i = 0; i < reverted->len; i++) {
		const struct regress_change *x = regress_change_at(c, regress_set_at(reverted, i));

		if (x->file == file && x->kind == kind)
			return true;
	}
	return false;
}

void regress_file_compose(const struct regress_changes *c, unsigned file, const GArray *reverted,
			  struct regress_state *state)
{
	const struct regress_file *f = g_ptr_array_index(c->files, file);
	bool old = !f->new_path ? is_reverted(c, file, REGRESS_DELETED, reverted)
				: is_reverted(c, file, REGRESS_CONTENTS, reverted);
	bool there =
		f->new_path ? f->old_path || !is_reverted(c, file, REGRESS_ADDED, reverted) : old;

	*state = (struct regress_state){ 0 };
	if (!there)
		return;
	state->path =
		!f->new_path || (f->old_path && is_reverted(c, file, REGRESS_RENAMED, reverted))
			? f->old_path
			: f->new_path;
	state->mode =
		old || is_reverted(c, file, REGRESS_MODE, reverted) ? f->old_mode : f->new_mode;
	if (f->old_lines && f->new_lines)
		state->bytes = compose_lines(c, file, reverted);
	else
		state->bytes = g_bytes_ref(old ? f->old_bytes : f->new_bytes);
}

GArray *regress_files_of(const struct regress_changes *c, const GArray *changes)
{
	GArray *files = regress_set_new();

	for (guint i = 0; i < changes->len; i++)
		regress_set_add(files, regress_change_at(c, regress_set_at(changes, i))->file);
	return files;
}

unsigned regress_old_line(const struct regress_changes *c, unsigned file, unsigned line)
{
	long shift = 0;

	for (guint i = 0; i < regress_changes_count(c); i++) {
		const struct regress_change *x = regress_change_at(c, i);
		unsigned begin = x->new_count ? x->new_first : x->new_first + 1;

		if (x->file != file || x->kind != REGRESS_LINES || begin > line)
			continue;
		if (line < begin + x->new_count)
			return 0;
		shift += (long)x->old_count - (long)x->new_count;
	}
	return (unsigned)((long)line + shift);
}

int regress_file_named(const struct regress_changes *c, const char *new_path)
{
	for (guint i = 0; i < c->files->len; i++) {
		const struct regress_file *f = g_ptr_array_index(c->files, i);

		if (g_strcmp0(f->new_path, new_path) == 0)
			return (int)i;
	}
	return -1;
}
