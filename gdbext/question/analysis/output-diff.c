/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/analysis/output-diff.h"

#include "tui/words/line.h"

#include <string.h>

/* Lines that are shown, and compared beyond what the beginnings and the ends share; columns of a
 * line that are shown; bytes of it that its hash is made of; bytes that are gone through between
 * two looks at the clock. */
enum {
	MOST_SHOWN = 16,
	MOST_COMPARED = 1000,
	MOST_COLUMNS = 300,
	MOST_HASHED = 4096,
	BLOCK = 1 << 20
};

struct text {
	struct output_text rest; /* what is compared */
	GArray *lines;		 /* struct output_text */
	guint *ids;		 /* lines that are the same have the same */
	bool cut;		 /* there are more lines than that */
};

struct diff {
	struct text was, is;
	unsigned first;	 /* the number of the first line of both, from 1 */
	bool goes_on;	 /* there are only new lines behind those that there were */
	guint16 *common; /* of the rests from (i, j) on: the longest common subsequence */
	GString *out;
	unsigned shown, hidden;
};

/* ---- what both begin and end with ---- */

/* Bytes from the beginning that are the same in both; it stops when the time is up. */
static gsize same_at_the_beginning(const struct diff *d, const struct deadline *until)
{
	const char *a = d->was.rest.bytes, *b = d->is.rest.bytes;
	gsize n = MIN(d->was.rest.n, d->is.rest.n), same = 0;

	while (same < n && !deadline_is_over(until)) {
		gsize block = MIN(n - same, BLOCK), end = same + block;

		if (!memcmp(a + same, b + same, block)) {
			same = end;
			continue;
		}
		while (a[same] == b[same])
			same++;
		break;
	}
	return same;
}

static gsize same_at_the_end(const struct diff *d, const struct deadline *until)
{
	const char *a = d->was.rest.bytes + d->was.rest.n, *b = d->is.rest.bytes + d->is.rest.n;
	gsize n = MIN(d->was.rest.n, d->is.rest.n), same = 0;

	while (same < n && !deadline_is_over(until)) {
		gsize block = MIN(n - same, BLOCK);

		if (!memcmp(a - same - block, b - same - block, block)) {
			same += block;
			continue;
		}
		while (a[-(gssize)same - 1] == b[-(gssize)same - 1])
			same++;
		break;
	}
	return same;
}

static unsigned count_newlines(const char *bytes, gsize n, const struct deadline *until)
{
	unsigned found = 0;

	for (gsize i = 0; i < n; i++) {
		found += bytes[i] == '\n';
		if (i % BLOCK == 0 && deadline_is_over(until))
			break;
	}
	return found;
}

/* Is this place of the text behind a newline, or its beginning or end? */
static bool is_line_start(struct output_text t, gsize at)
{
	return !at || at == t.n || t.bytes[at - 1] == '\n';
}

/* Leaves out the lines that both begin and end with. */
static void narrow_diff(struct diff *d, const struct deadline *until)
{
	struct output_text *a = &d->was.rest, *b = &d->is.rest;
	gsize same = same_at_the_beginning(d, until);
	const char *newline;

	if (!is_line_start(*a, same) || !is_line_start(*b, same)) {
		newline = memrchr(a->bytes, '\n', same);
		same = newline ? (gsize)(newline + 1 - a->bytes) : 0;
	}
	d->first = 1 + count_newlines(a->bytes, same, until);
	*a = (struct output_text){ a->bytes + same, a->n - same };
	*b = (struct output_text){ b->bytes + same, b->n - same };
	d->goes_on = !a->n;
	same = same_at_the_end(d, until);
	if (same && !(is_line_start(*a, a->n - same) && is_line_start(*b, b->n - same))) {
		newline = memchr(a->bytes + a->n - same, '\n', same);
		same = newline ? (gsize)(a->bytes + a->n - (newline + 1)) : 0;
	}
	a->n -= same;
	b->n -= same;
}

/* ---- lines ---- */

static void split_diff_lines(struct text *t)
{
	const char *at = t->rest.bytes, *end = at + t->rest.n;

	t->lines = g_array_new(FALSE, FALSE, sizeof(struct output_text));
	while (at < end && t->lines->len < MOST_COMPARED) {
		const char *newline = memchr(at, '\n', (gsize)(end - at));
		struct output_text line = { at, (gsize)((newline ? newline : end) - at) };

		g_array_append_val(t->lines, line);
		at = newline ? newline + 1 : end;
	}
	t->cut = at < end;
}

static struct output_text diff_line(const struct text *t, unsigned i)
{
	return g_array_index(t->lines, struct output_text, i);
}

/* Only the ends of a line are hashed, because a line may be as long as the whole text. */
static guint hash_of(gconstpointer line)
{
	const struct output_text *t = line;
	guint h = (guint)t->n;

	for (gsize i = 0; i < t->n && i < MOST_HASHED; i++)
		h = (h * 33 + (guchar)t->bytes[i]) * 33 + (guchar)t->bytes[t->n - 1 - i];
	return h;
}

static gboolean are_same(gconstpointer a, gconstpointer b)
{
	const struct output_text *x = a, *y = b;

	return x->n == y->n && !memcmp(x->bytes, y->bytes, x->n);
}

/* False when the time is up. */
static bool number_distinct_lines(struct text *t, GHashTable *numbers, const struct deadline *until)
{
	t->ids = g_new(guint, t->lines->len + 1);
	for (unsigned i = 0; i < t->lines->len; i++) {
		struct output_text *line = &g_array_index(t->lines, struct output_text, i);
		gpointer known = g_hash_table_lookup(numbers, line);

		if (deadline_is_over(until))
			return false;
		if (!known) {
			known = GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
			g_hash_table_insert(numbers, line, known);
		}
		t->ids[i] = GPOINTER_TO_UINT(known);
	}
	return true;
}

static bool lines_are_same(const struct diff *d, unsigned i, unsigned j)
{
	return d->was.ids[i] == d->is.ids[j];
}

static guint16 *common_at(const struct diff *d, unsigned i, unsigned j)
{
	return &d->common[(gsize)i * (d->is.lines->len + 1) + j];
}

static void find_common_lines(struct diff *d)
{
	d->common = g_new0(guint16, (gsize)(d->was.lines->len + 1) * (d->is.lines->len + 1));
	for (unsigned i = d->was.lines->len; i-- > 0;)
		for (unsigned j = d->is.lines->len; j-- > 0;)
			*common_at(d, i, j) =
				lines_are_same(d, i, j)
					? (guint16)(*common_at(d, i + 1, j + 1) + 1)
					: MAX(*common_at(d, i + 1, j), *common_at(d, i, j + 1));
}

/* ---- what is said ---- */

static void show_words(struct diff *d, const char *word, const char *line)
{
	if (d->shown++ < MOST_SHOWN)
		g_string_append_printf(d->out, "  %-4s %s\n", word, line);
	else
		d->hidden++;
}

static void show_line(struct diff *d, const char *word, struct output_text line)
{
	/* four bytes a character at most; one more column, so that a cut shows */
	g_autofree char *bytes = g_strndup(line.bytes, MIN(line.n, 4 * (MOST_COLUMNS + 1)));
	g_autofree char *clean = NULL, *shown = NULL;

	for (gsize i = 0; i < MIN(line.n, 4 * (MOST_COLUMNS + 1)); i++)
		if (!line.bytes[i])
			bytes[i] = '?';
	clean = tui_clean_code(bytes);
	shown = tui_elide(clean, MOST_COLUMNS);
	show_words(d, word, shown);
}

/* What was there once and what is there now, up to the next line that both have. */
static void show_hunk(struct diff *d, unsigned *i, unsigned *j, const char *name)
{
	const unsigned m = d->was.lines->len, n = d->is.lines->len;
	unsigned a = *i, b = *j;

	while ((*i < m || *j < n) && !(*i < m && *j < n && lines_are_same(d, *i, *j))) {
		if (*j == n || (*i < m && *common_at(d, *i + 1, *j) >= *common_at(d, *i, *j + 1)))
			++*i;
		else
			++*j;
	}
	/* a program that dies loses what it printed and had not written yet */
	if (name)
		g_string_append_printf(d->out, "its %s %s from line %u%s:\n", name,
				       d->goes_on ? "goes on" : "differs", d->first + a,
				       d->goes_on ? "" : " on");
	else if (d->shown < MOST_SHOWN)
		g_string_append_printf(d->out, "  and from line %u on:\n", d->first + a);
	for (unsigned k = a; k < *i; k++)
		show_line(d, "was", diff_line(&d->was, k));
	if (a == *i && !d->goes_on)
		show_words(d, "was", "(nothing)");
	for (unsigned k = b; k < *j; k++)
		show_line(d, "is", diff_line(&d->is, k));
	if (b == *j)
		show_words(d, "is", "(nothing)");
}

static void show_hunks(struct diff *d, const char *name)
{
	const unsigned m = d->was.lines->len, n = d->is.lines->len;

	for (unsigned i = 0, j = 0; i < m || j < n;) {
		if (i < m && j < n && lines_are_same(d, i, j)) {
			i++;
			j++;
			continue;
		}
		show_hunk(d, &i, &j, name);
		name = NULL;
	}
	if (d->hidden)
		g_string_append_printf(d->out, "  %u more lines differ\n", d->hidden);
	if (d->was.cut || d->is.cut)
		g_string_append(d->out, "  what follows was not compared\n");
	if (!d->out->len)
		g_string_append_printf(d->out, "its %s differs in the end of its last line\n",
				       name);
}

static void compare_output(struct diff *d, const char *name, const struct deadline *until)
{
	g_autoptr(GHashTable) numbers = g_hash_table_new(hash_of, are_same);

	narrow_diff(d, until);
	split_diff_lines(&d->was);
	split_diff_lines(&d->is);
	if (number_distinct_lines(&d->was, numbers, until) &&
	    number_distinct_lines(&d->is, numbers, until)) {
		find_common_lines(d);
		show_hunks(d, name);
	}
}

static void text_clear(struct text *t)
{
	g_array_unref(t->lines);
	g_free(t->ids);
}

char *output_diff(const char *name, struct output_text was, struct output_text is,
		  const struct deadline *until, GError **error)
{
	struct diff d = { .was.rest = was, .is.rest = is };

	if (was.n == is.n && same_at_the_beginning(&d, until) == was.n)
		return was.n ? g_strdup_printf("its %s is the same\n", name) : g_strdup("");
	d.out = g_string_new(NULL);
	compare_output(&d, name, until);
	text_clear(&d.was);
	text_clear(&d.is);
	g_free(d.common);
	return g_string_free(d.out, !deadline_check(until, error));
}

/* ---- of runs ---- */

/* NULL = there is none. */
static GMappedFile *map_printed_output(const struct run_result *r, const char *name)
{
	g_autofree char *path = g_build_filename(r->record, name, NULL);

	return g_mapped_file_new(path, FALSE, NULL);
}

static struct output_text text_of_file(GMappedFile *file)
{
	gsize n = file ? g_mapped_file_get_length(file) : 0;

	return (struct output_text){ n ? g_mapped_file_get_contents(file) : "", n };
}

/* A run that is ended loses what it had printed and not yet written out. */
static bool may_have_lost_output(const struct run_result *was, const struct run_result *is)
{
	return (was->end == RUN_ASSERT || was->end == RUN_SIGNAL) &&
	       (is->end == RUN_PASSED || is->end == RUN_STATUS);
}

char *output_diff_of_runs(const struct run_result *was, const struct run_result *is,
			  const struct deadline *until, GError **error)
{
	static const struct {
		const char *file, *name;
	} streams[] = { { "out", "output" }, { "err", "standard error" } };
	g_autoptr(GString) all = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++) {
		g_autoptr(GMappedFile) a = map_printed_output(was, streams[i].file);
		g_autoptr(GMappedFile) b = map_printed_output(is, streams[i].file);
		g_autofree char *text = output_diff(streams[i].name, text_of_file(a),
						    text_of_file(b), until, error);

		if (!text)
			return NULL;
		g_string_append(all, text);
		if (i == 0 && may_have_lost_output(was, is) &&
		    g_str_has_prefix(text, "its output goes on "))
			g_string_append(all,
					"  (before, it may have been printed and lost: the run "
					"ended before it was written out)\n");
	}
	return g_strdup(all->str);
}
