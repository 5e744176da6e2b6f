/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/difference.h"

#include <git2.h>
#include <string.h>

static bool is_blank_line(const git_diff_line *l)
{
	for (size_t i = 0; i < l->content_len; i++)
		if (!g_ascii_isspace(l->content[i]))
			return false;
	return true;
}

/* One hunk: which lines the faulty file has instead, and where something is missing. */
struct reading {
	struct difference *d;
	GArray *missing; /* unsigned: places of hunks that only take away */
	unsigned place;	 /* in front of which this hunk stands */
	bool adds, takes;
};

static void end_hunk(struct reading *r)
{
	if (r->takes && !r->adds)
		g_array_append_val(r->missing, r->place);
	r->takes = r->adds = false;
}

static int read_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *arg)
{
	struct reading *r = arg;

	(void)delta;
	end_hunk(r);
	r->place = (unsigned)hunk->new_start + (hunk->new_lines == 0);
	return 0;
}

static int read_difference_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
				const git_diff_line *line, void *arg)
{
	struct reading *r = arg;
	unsigned number = (unsigned)line->new_lineno;

	(void)delta, (void)hunk;
	if (is_blank_line(line))
		return 0;
	if (line->origin == GIT_DIFF_LINE_ADDITION) {
		r->adds = true;
		g_array_append_val(r->d->lines, number);
	}
	r->takes |= line->origin == GIT_DIFF_LINE_DELETION;
	return 0;
}

struct difference *difference_new(const char *right, const char *wrong)
{
	struct difference *d = g_new0(struct difference, 1);
	struct reading r = { .d = d, .missing = g_array_new(FALSE, FALSE, sizeof(unsigned)) };
	git_diff_options options;

	d->lines = g_array_new(FALSE, FALSE, sizeof(unsigned));
	git_libgit2_init();
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.context_lines = 0;
	options.flags = GIT_DIFF_IGNORE_WHITESPACE | GIT_DIFF_FORCE_TEXT;
	git_diff_buffers(right, strlen(right), NULL, wrong, strlen(wrong), NULL, &options, NULL,
			 NULL, read_hunk, read_difference_line, &r);
	git_libgit2_shutdown();
	end_hunk(&r);
	if (!d->lines->len && r.missing->len) {
		d->omission = true;
		g_array_append_vals(d->lines, r.missing->data, r.missing->len);
	}
	g_array_unref(r.missing);
	return d;
}

void difference_free(struct difference *d)
{
	if (!d)
		return;
	g_array_unref(d->lines);
	g_free(d);
}
