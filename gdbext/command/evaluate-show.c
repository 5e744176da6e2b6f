/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/evaluate-show.h"
#include "gdbext/options/output-file.h"

#include "gdbext/evaluate/subject.h"
#include "solver/evaluate/data-set.h"
#include "tui/report/rank/evaluate.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static bool read_measurements(struct measurements *m, const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "results.csv", NULL);
	g_autofree char *times_path = g_build_filename(folder, "times.csv", NULL);
	g_autofree char *text = NULL, *times = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_READ,
			    "There are no measurements in %s; name the --output folder of an "
			    "evaluation.",
			    folder);
		return false;
	}
	return measurements_read(m, path, text, error) &&
	       (!g_file_get_contents(times_path, &times, NULL, NULL) ||
		measurements_read_times(m, times_path, times, error));
}

static struct measurements *read_all_measurements(const struct options *o, GError **error)
{
	struct measurements *m = measurements_new();
	bool ok = true;

	for (char **word = o->program; ok && *word; word++)
		ok = read_measurements(m, *word, error);
	if (ok && !o->program[0])
		ok = read_measurements(m, o->output, error);
	if (ok && !m->rows->len) {
		g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_READ,
			    "No version was measured; skipped.csv in the --output folder says "
			    "why.");
		ok = false;
	}
	if (!ok)
		g_clear_pointer(&m, measurements_free);
	return m;
}

static bool write_drawing(const char *path, const char *text, GError **error)
{
	g_autoptr(GError) why = NULL;

	if (output_file_write(path, text, &why))
		return true;
	g_set_error_literal(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE, why->message);
	return false;
}

/* Graphviz draws.  NULL with error. */
static char *draw_by_graphviz(const char *dot, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GSubprocess) p =
		g_subprocess_new(G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
				 &why, "dot", "-Tsvg", NULL);
	char *svg = NULL;

	if (p && g_subprocess_communicate_utf8(p, dot, NULL, &svg, NULL, &why) &&
	    g_subprocess_get_successful(p))
		return svg;
	g_free(svg);
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE,
		    "Graphviz's dot cannot draw%s%s; install it (Debian: graphviz), or name a file "
		    "that ends in .dot.",
		    why ? ": " : "", why ? why->message : "");
	return NULL;
}

/* In the form that the file's name ends in. */
static bool write_graph(const struct accuracy_graph *g, const char *path, GError **error)
{
	g_autofree char *dot = accuracy_graph_dot(g);
	g_autofree char *svg = NULL;

	if (g_str_has_suffix(path, ".dot"))
		return write_drawing(path, dot, error);
	svg = draw_by_graphviz(dot, error);
	return svg && write_drawing(path, svg, error);
}

/* Why there is no such graph of the measurements, as a sentence; to be freed. */
static char *why_no_graph(const struct data_set_graph *which, const struct measurements *m)
{
	const struct formula *lacking = data_set_lacks(which, m);

	if (lacking)
		return g_strdup_printf("%s compares formulas that were not measured, %s for one; "
				       "measure with --techniques all.",
				       which->name, lacking->name);
	return g_strdup_printf(
		"No version that was measured by all of its formulas is for %s (%s); "
		"--which Gtypical takes all versions.",
		which->name, which->what);
}

/* NULL with error when no measurement satisfies what the graph assumes. */
static struct accuracy_graph *make_graph(const struct options *o, const struct measurements *m,
					 GError **error)
{
	const char *name = o->which ? o->which : "Gbase";
	const struct data_set_graph *which = data_set_find_graph(name);
	struct accuracy_graph *g;

	if (g_ascii_strcasecmp(name, "Gtheory") == 0)
		return accuracy_graph_of_theory();
	if (!which) {
		g_autoptr(GString) names = g_string_new("Gtheory");

		for (unsigned i = 0; i < n_data_set_graphs; i++)
			g_string_append_printf(names, ", %s", data_set_graphs[i].name);
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "There is no graph `%s'; --which takes one of %s.", name, names->str);
		return NULL;
	}
	g = data_set_graph(which, m);
	if (!g) {
		g_autofree char *why = why_no_graph(which, m);

		g_set_error_literal(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, why);
	}
	return g;
}

typedef void csv_writer(const struct accuracy_graph *g, bool header, GString *out);

/* A table about all graphs that there are measurements for, and theory. */
static bool write_tables(const struct measurements *m, csv_writer *write, const char *path,
			 GError **error)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct accuracy_graph *theory = accuracy_graph_of_theory();

	write(theory, true, out);
	accuracy_graph_free(theory);
	for (unsigned i = 0; i < n_data_set_graphs; i++) {
		struct accuracy_graph *g = data_set_graph(&data_set_graphs[i], m);

		if (g)
			write(g, false, out);
		accuracy_graph_free(g);
	}
	return write_drawing(path, out->str, error);
}

static bool write_both(const struct accuracy_graph *g, const char *folder, GError **error)
{
	g_autofree char *base = g_build_filename(folder, g->name, NULL);
	g_autofree char *dot = g_strconcat(base, ".dot", NULL);
	g_autofree char *svg = g_strconcat(base, ".svg", NULL);

	return write_graph(g, dot, error) && write_graph(g, svg, error);
}

/* names: of graphs, with commas. */
static void say_not_drawn(const GString *names, const struct measurements *m)
{
	bool several = strchr(names->str, ','), lacks = false;

	for (unsigned i = 0; i < n_data_set_graphs; i++)
		lacks |= data_set_lacks(&data_set_graphs[i], m) != NULL;
	if (names->len)
		fprintf(stderr,
			"gdb-why: %s %s not drawn, since no version of %s kind was measured by all "
			"of %s formulas%s\n",
			names->str, several ? "are" : "is", several ? "their" : "its",
			several ? "their" : "its", lacks ? "; measure with --techniques all" : "");
}

/* All graphs that there are measurements for, and the tables. */
static bool write_folder(const struct measurements *m, const char *folder, GError **error)
{
	g_autofree char *matrix = g_build_filename(folder, "matrix.csv", NULL);
	g_autofree char *settings = g_build_filename(folder, "settings.csv", NULL);
	g_autoptr(GString) without = g_string_new(NULL);
	struct accuracy_graph *theory = accuracy_graph_of_theory();
	bool ok = write_both(theory, folder, error);

	accuracy_graph_free(theory);
	for (unsigned i = 0; ok && i < n_data_set_graphs; i++) {
		struct accuracy_graph *g = data_set_graph(&data_set_graphs[i], m);

		ok = !g || write_both(g, folder, error);
		if (!g)
			g_string_append_printf(without, "%s%s", without->len ? ", " : "",
					       data_set_graphs[i].name);
		accuracy_graph_free(g);
	}
	ok = ok && write_tables(m, accuracy_graph_csv, matrix, error) &&
	     write_tables(m, accuracy_graph_settings_csv, settings, error);
	if (ok)
		say_not_drawn(without, m);
	return ok;
}

static bool show_graph(const struct options *o, const struct measurements *m, GError **error)
{
	const char *path = o->accuracy_graph;
	struct accuracy_graph *g;
	bool ok;

	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return write_folder(m, path, error);
	if (g_str_has_suffix(path, ".csv"))
		return write_tables(m, accuracy_graph_csv, path, error);
	if (!g_str_has_suffix(path, ".svg") && !g_str_has_suffix(path, ".dot")) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "--graph takes a file that ends in .svg, .dot or .csv, or a folder "
			    "that is there, not `%s'.",
			    path);
		return false;
	}
	g = make_graph(o, m, error);
	ok = g && write_graph(g, path, error);
	accuracy_graph_free(g);
	return ok;
}

/* Without Graphviz, the page has no drawings. */
static bool show_page(const struct options *o, const struct measurements *m, GError **error)
{
	g_autofree struct tui_evaluate_graph *graphs =
		g_new0(struct tui_evaluate_graph, n_data_set_graphs);
	g_autofree char *text = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < n_data_set_graphs; i++) {
		struct accuracy_graph *g = data_set_graph(&data_set_graphs[i], m);
		g_autofree char *dot = g ? accuracy_graph_dot(g) : NULL;

		if (g)
			graphs[n++] = (struct tui_evaluate_graph){ g, data_set_graphs[i].what,
								   draw_by_graphviz(dot, NULL) };
	}
	text = tui_evaluate_html(m, (enum rank_scheme)o->scheme, graphs, n);
	for (unsigned i = 0; i < n; i++) {
		accuracy_graph_free((struct accuracy_graph *)graphs[i].graph);
		g_free((char *)graphs[i].svg);
	}
	return write_drawing(o->page, text, error);
}

static bool show_table(const struct options *o, const struct measurements *m, GError **error)
{
	g_autofree char *text = tui_evaluate_text(m, (enum rank_scheme)o->scheme);

	if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
		return true;
	g_set_error(error, SUBJECT_ERROR, SUBJECT_ERROR_WRITE, "The table cannot be written: %s.",
		    g_strerror(errno));
	return false;
}

int evaluate_show(const struct options *o, GError **error)
{
	struct measurements *m = read_all_measurements(o, error);
	bool ok = m && (!o->table || show_table(o, m, error)) &&
		  (!o->accuracy_graph || show_graph(o, m, error)) &&
		  (!o->page || show_page(o, m, error));

	measurements_free(m);
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}
