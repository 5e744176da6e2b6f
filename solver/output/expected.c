/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/output/expected.h"

#include <string.h>

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

static bool is_unwanted(const struct expected_output *e, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "err", NULL);
	uint64_t at;
	unsigned line;

	return e->unwanted && is_same_output(e->unwanted, path, &at, &line);
}

struct expected_progress expected_look(const struct expected_output *e, const char *folder,
				       bool exited, int status)
{
	static const char *const names[] = { [PRINTED_OUT] = "out", [PRINTED_ERR] = "err" };
	struct expected_progress p = { .status_met =
					       exited && (e->any_status || status == e->status) };

	for (unsigned s = 0; s < PRINTED_STREAMS && !p.text_differs; s++) {
		g_autofree char *path = g_build_filename(folder, names[s], NULL);

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
