/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask-tree.h"
#include "gdbext/ipc/event.h"
#include "gdbext/question/ending.h"
#include "tui/report/cause.h"

#include <errno.h>
#include <string.h>

static const char *kept_words(const struct question *q, char *text)
{
	const char *kept = explanation_string(q->e, text);

	g_free(text);
	return kept;
}

/* As it is typed behind `why'; the panel has the stop behind it. */
static char *asked_behind_why(const struct options *o)
{
	const char *about =
		g_str_has_prefix(o->question, "why ") ? o->question + strlen("why ") : o->question;

	return o->events && o->in_gdb && o->at ? g_strconcat(about, " at ", o->at, NULL)
					       : g_strdup(about);
}

const char *ask_tree_deeper(const struct question *q)
{
	const struct options *o = q->o;
	g_autofree char *about = asked_behind_why(o);

	if (o->events || o->in_gdb)
		return kept_words(q, g_strdup_printf("why -d %u %s", 2 * o->depth, about));
	return kept_words(q, g_strdup_printf("--depth %u", 2 * o->depth));
}

/* The session knows what was asked last, so `why 4' is enough there.  With more rows or hops the
 * rows have other numbers, so neither is suggested where one was gone on from. */
static void put_ways_on(const struct question *q, struct tui_options *t)
{
	const struct options *o = q->o;
	const char *row = o->row ? o->row : "", *dot = o->row ? "." : "";
	g_autofree char *about = asked_behind_why(o);

	t->from_row = "why ";
	if (!o->events && !o->in_gdb) {
		t->from_row = kept_words(q, g_strconcat("--row ", row, dot, NULL));
	} else if (o->in_gdb) {
		t->from_row = kept_words(q, g_strconcat("why --row ", row, dot, NULL));
		t->behind_row = kept_words(q, g_strconcat(" ", about, NULL));
	}
	if (o->row)
		return;
	t->deeper = ask_tree_deeper(q);
	t->others = o->events || o->in_gdb ? kept_words(q, g_strconcat("why --all ", about, NULL))
					   : "--all";
}

static struct tui_options format_of_tree(const struct question *q)
{
	const struct options *o = q->o;
	struct tui_options t = {
		.format = o->events ? TUI_TEXT : (enum tui_format)o->format,
		.color = o->events ? TUI_COLOR_NEVER : (enum tui_color_when)o->color,
		.max_rows = o->all ? 0 : TUI_CAUSE_ROWS,
	};

	put_ways_on(q, &t);
	return t;
}

/* Goes from row to row, and unfolds what lies behind the last one. */
static bool find_row(const struct question *q, struct cause_tree *tree, unsigned *root,
		     GError **error)
{
	const struct tui_options t = format_of_tree(q);
	g_auto(GStrv) rows = g_strsplit(q->o->row ? q->o->row : "", ".", -1);
	unsigned most = (unsigned)q->o->limits.causes;

	*root = 0;
	cause_unfold_all(tree, q->o->depth, most);
	for (char **row = rows; *row; row++) {
		guint64 number;

		if (!g_ascii_string_to_unsigned(*row, 10, 1, G_MAXUINT32, &number, NULL) ||
		    !tui_cause_of_row(tree, *root, &t, (unsigned)number, root)) {
			g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
				    "The answer has no row %s; its rows are numbered.", *row);
			return false;
		}
		cause_unfold_from(tree, *root, q->o->depth, most);
	}
	return true;
}

static bool write_tree(FILE *out, const struct question *q, const struct cause_tree *tree,
		       unsigned root)
{
	const struct tui_options t = format_of_tree(q);

	return root ? tui_print_causes_of(out, tree, root, &t)
		    : tui_print_causes(out, tree, q->o->question, &t);
}

static int tell_cause_tree(const struct question *q, struct cause_tree *tree, unsigned root)
{
	g_autofree char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	write_tree(out, q, tree, root);
	fclose(out);
	event_write((int)q->o->events, &(struct event){ .kind = EVENT_RESULT, .text = text });
	return OPTIONS_EXIT_EXPLAINED;
}

static int print_cause_tree(const struct question *q, struct cause_tree *tree, unsigned root,
			    GError **error)
{
	const struct options *o = q->o;
	FILE *out = o->output ? fopen(o->output, "we") : stdout;
	bool ok = out && write_tree(out, q, tree, root);

	if (!ok)
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
			    "The answer cannot be written: %s.", g_strerror(errno));
	if (out && out != stdout)
		fclose(out);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

int ask_tree(struct question *q, struct cause_tree *tree, GError **error)
{
	unsigned root;
	int status = OPTIONS_EXIT_USAGE;
	bool found = find_row(q, tree, &root, error);

	if (found)
		cause_tell_apart(tree);
	if (found && q->o->format == TUI_JSON)
		cause_find_stops(tree);
	/* what was cut there is no cause */
	if (found && !deadline_check(&q->until, error))
		status = ending_status(*error);
	else if (found)
		status = q->o->events ? tell_cause_tree(q, tree, root)
				      : print_cause_tree(q, tree, root, error);
	cause_tree_free(tree);
	return status;
}

/* The line that the stop names; 0: it names none. */
static unsigned line_of_stop(const struct stop *stop)
{
	const char *line = stop->places ? strrchr(stop->text, ':') : NULL;

	return line ? (unsigned)g_ascii_strtoull(line + 1, NULL, 10) : 0;
}

static const char *function_around(const struct question *q)
{
	return image_function_around(trace_point_image(q->point), trace_point_frame(q->point)->pc);
}

bool ask_tree_is_around(const struct question *q, const struct stop *stop)
{
	const struct image_statement *s = trace_point_statement(q->point);
	const char *around = function_around(q);
	const unsigned line = line_of_stop(stop);

	return line && s && around && line != s->line && g_strcmp0(s->function, around) != 0;
}

void ask_tree_name(const struct question *q, const struct stop *stop, const char *value,
		   struct cause *asked)
{
	asked->value = explanation_string(q->e, value);
	if (!ask_tree_is_around(q, stop))
		return;
	asked->line = line_of_stop(stop);
	asked->function = function_around(q);
}
