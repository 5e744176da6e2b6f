/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a line was reached, or was not, in the whole run or in one call. */
#include "gdbext/command/ask-private.h"
#include "gdbext/command/ask-tree.h"
#include "solver/cause/cause.h"

#include <string.h>

/* N is of the file that the question is asked in. */
static bool find_asked_line(struct ask *a, struct stop *line, GError **error)
{
	const struct image_statement *here = trace_point_statement(a->q.point);
	g_autofree char *file = here ? g_path_get_basename(here->file) : NULL;
	guint64 number;

	if (strchr(a->about, ':'))
		return stop_find(a->q.run.images, a->q.run.n_images, a->about, line, error);
	if (!g_ascii_string_to_unsigned(a->about, 10, 1, G_MAXINT32, &number, NULL) || !file) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' is not a line; say a number, or FILE:LINE.", a->about);
		return false;
	}
	return stop_find_line(a->q.run.images, a->q.run.n_images, file, (unsigned)number, line,
			      error);
}

/* Takes " in f:2" off the end of the question: *call is what follows the words, or NULL. */
static void split_call(struct ask *a, char **line, const char **call)
{
	char *in = strstr(a->about, " in ");

	*line = g_strndup(a->about, in ? (size_t)(in - a->about) : strlen(a->about));
	*call = in ? g_strchug(in + strlen(" in ")) : NULL;
	a->about = g_strchomp(*line);
}

/* The function whose call is asked about: f, or f:2; without words that of the line, where the
 * program stands in it.  NULL with error, or without: no call is asked about. */
static const struct image_function *function_of_call(const struct ask *a, const struct stop *line,
						     const char *call, uint64_t *number,
						     GError **error)
{
	const struct image *im = trace_point_image(a->q.point);
	const struct image_function *of =
		image_function_at(line->image, g_array_index(line->places, uint64_t, 0));
	g_auto(GStrv) words = call ? g_strsplit(call, ":", 2) : NULL;

	while (of && of->parent)
		of = of->parent;
	*number = 0;
	if (!call)
		return of && im == line->image &&
				       image_function_at(im, trace_point_frame(a->q.point)->pc) ==
					       of
			       ? of
			       : NULL;
	if (of && words[0] && strcmp(words[0], of->name) == 0 &&
	    (!words[1] || g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT64, number, NULL)))
		return of;
	g_set_error(
		error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		"`%s' is no call of the function that has the line; say `in %s:2', for its second.",
		call, of ? of->name : "f");
	return NULL;
}

int ask_line(struct ask *a, GError **error)
{
	struct stop line = { 0 };
	struct cause_tree *tree = NULL;
	const struct image_function *function;
	g_autofree char *place = NULL;
	GError *wrong = NULL;
	const char *call;
	uint64_t bias, number;

	split_call(a, &place, &call);
	if (!find_asked_line(a, &line, error))
		return OPTIONS_EXIT_USAGE;
	function = a->kind == ASK_NOT_LINE || call
			   ? function_of_call(a, &line, call, &number, &wrong)
			   : NULL;
	if (wrong || (call && a->kind == ASK_LINE)) {
		stop_clear(&line);
		if (wrong)
			g_propagate_error(error, wrong);
		else
			ask_complain(error, "`in' asks why a call did not come to a line: `why not "
					    "line N in f:2'.");
		return OPTIONS_EXIT_USAGE;
	}
	if (!trace_point_bias_of(a->q.point, line.image, &bias))
		tree = NULL;
	else if (function)
		tree = cause_of_line_in_call(a->q.e, a->q.point, a->index, &line, bias, function,
					     number, error);
	else
		tree = cause_of_line(a->q.e, a->q.point, a->index, &line, bias, a->kind == ASK_LINE,
				     error);
	stop_clear(&line);
	return tree ? ask_tree(&a->q, tree, error) : OPTIONS_EXIT_UNEXPLAINED;
}
