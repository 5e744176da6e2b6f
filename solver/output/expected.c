/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/expected.h"

#include <string.h>
#include <sys/stat.h>

static bool read_expected_file(const char *path, GString **out, GError **error)
{
	g_autofree char *text = NULL;
	gsize length;

	if (!path)
		return true;
	if (!g_file_get_contents(path, &text, &length, error)) {
		g_prefix_error(error, "The expected output cannot be read: ");
		return false;
	}
	*out = g_string_new_len(text, (gssize)length);
	return true;
}

bool expected_read(struct expected_output *e, const char *out, const char *err, int status,
		   GError **error)
{
	*e = (struct expected_output){ .status = status };
	if (read_expected_file(out, &e->text[PRINTED_OUT], error) &&
	    read_expected_file(err, &e->text[PRINTED_ERR], error))
		return true;
	expected_clear(e);
	return false;
}

void expected_clear(struct expected_output *e)
{
	for (unsigned s = 0; s < PRINTED_STREAMS; s++) {
		if (e->text[s])
			g_string_free(e->text[s], TRUE);
		e->text[s] = NULL;
	}
	if (e->unwanted)
		g_string_free(e->unwanted, TRUE);
	e->unwanted = NULL;
}

/* A run that prints without end is not read to its end. */
static bool is_same_output(const GString *expected, const char *path, uint64_t *at, unsigned *line)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	size_t n = file ? g_mapped_file_get_length(file) : 0, i;
	const char *text = n ? g_mapped_file_get_contents(file) : "";

	for (i = 0, *line = 1; i < MIN(n, expected->len) && text[i] == expected->str[i]; i++)
		*line += text[i] == '\n';
	*at = i;
	return i == n && i == expected->len;
}

static char *written_file(const char *folder, unsigned stream)
{
	static const char *const names[] = { [PRINTED_OUT] = "out", [PRINTED_ERR] = "err" };

	return g_build_filename(folder, names[stream], NULL);
}

static bool is_unwanted(const struct expected_output *e, const char *folder)
{
	g_autofree char *path = written_file(folder, PRINTED_ERR);
	uint64_t at;
	unsigned line;

	return e->unwanted && is_same_output(e->unwanted, path, &at, &line);
}

uint64_t expected_written(const char *folder, unsigned stream)
{
	g_autofree char *path = written_file(folder, stream);
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

/* The run may change the file meanwhile, so it is not mapped. */
static bool is_beginning_of(const GString *expected, const char *path)
{
	g_autofree char *text = NULL;
	gsize n;

	return !g_file_get_contents(path, &text, &n, NULL) ||
	       (n <= expected->len && memcmp(text, expected->str, n) == 0);
}

bool expected_is_missed(const struct expected_output *e, const char *folder)
{
	bool missed = false;

	for (unsigned s = 0; s < PRINTED_STREAMS && !missed; s++) {
		g_autofree char *path = written_file(folder, s);
		uint64_t size = e->text[s] ? expected_written(folder, s) : 0;

		missed = size && (size > e->text[s]->len || !is_beginning_of(e->text[s], path));
	}
	return missed;
}

bool expected_is_exceeded(const struct expected_output *e, const char *folder, uint64_t more)
{
	bool exceeded = false;

	for (unsigned s = 0; s < PRINTED_STREAMS && !exceeded; s++)
		exceeded = e->text[s] && expected_written(folder, s) > e->text[s]->len + more;
	return exceeded;
}

bool expected_line_is_over(const char *folder, const struct expected_progress *p)
{
	g_autofree char *path = written_file(folder, p->stream);
	g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
	size_t n = file ? g_mapped_file_get_length(file) : 0;

	return p->text_differs && p->at < n &&
	       memchr(g_mapped_file_get_contents(file) + p->at, '\n', n - p->at);
}

struct expected_progress expected_look(const struct expected_output *e, const char *folder,
				       bool exited, int status)
{
	struct expected_progress p = { .status_met =
					       exited && (e->any_status || status == e->status) };

	for (unsigned s = 0; s < PRINTED_STREAMS && !p.text_differs; s++) {
		g_autofree char *path = written_file(folder, s);

		p.stream = s;
		p.text_differs = e->text[s] && !is_same_output(e->text[s], path, &p.at, &p.line);
	}
	p.met = p.status_met && !p.text_differs && !(p.status_met && is_unwanted(e, folder));
	return p;
}

struct expected_progress expected_look_at_run(const struct expected_output *e, const char *folder,
					      enum run_end end, int status)
{
	bool exited = end == RUN_PASSED || end == RUN_STATUS;

	return expected_look(e, folder, exited, end == RUN_STATUS ? status : 0);
}

bool expected_word_is_over(const struct expected_output *e, unsigned stream, uint64_t at,
			   uint64_t to)
{
	const GString *text = e->text[stream];
	uint64_t end = at;

	while (end < text->len && g_ascii_isspace(text->str[end]))
		end++;
	while (end < text->len && !g_ascii_isspace(text->str[end]))
		end++;
	return to > end || to >= text->len;
}
