/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/specs/said.h"

#include "gdbext/specs/spec/specs.h"

#include <stdlib.h>
#include <string.h>

struct said {
	char *path;
	const struct image *im;
	GHashTable *right; /* char *: "list.c:29: if (lst->key == k) {" */
	GHashTable *tests; /* char * → does it pass? */
};

static const char head[] =
	"# What was said in `gdb-why specs --interactive'.  A line that is taken "
	"out is no longer said.\n";

/* "list.c:29: if (lst->key == k) {" */
static char *name_of_said(const struct said *s, const char *statement)
{
	const char *colon = strrchr(statement, ':');
	g_autofree char *file = g_strndup(statement, (gsize)(colon - statement));
	g_autofree char *base = g_path_get_basename(statement), *text = NULL;
	const char *line = image_source_line(s->im, file, (unsigned)atoi(colon + 1));

	text = g_strstrip(g_strdup(line ? line : ""));
	return g_strdup_printf("%s: %s", base, text);
}

static const char *behind_said_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(line, word, n) && line[n] == ' ' ? line + n + 1 : NULL;
}

/* False: it says nothing that we know. */
static bool take_said_line(struct said *s, const char *line)
{
	const char *rest;

	if (!*line || *line == '#')
		return true;
	if ((rest = behind_said_word(line, "right")))
		return g_hash_table_add(s->right, g_strdup(rest)), true;
	if ((rest = behind_said_word(line, "pass")))
		return said_add_test(s, rest, true), true;
	if ((rest = behind_said_word(line, "fail")))
		return said_add_test(s, rest, false), true;
	return false;
}

static bool take_said_lines(struct said *s, const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (unsigned i = 0; lines[i]; i++)
		if (!take_said_line(s, g_strchomp(lines[i]))) {
			g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC,
				    "Line %u of %s cannot be understood; a line begins with right, "
				    "pass or fail.",
				    i + 1, s->path);
			return false;
		}
	return true;
}

struct said *said_read(const char *path, const struct image *im, GError **error)
{
	struct said *s = g_new0(struct said, 1);
	g_autofree char *text = NULL;
	GError *none = NULL;

	s->path = g_strdup(path);
	s->im = im;
	s->right = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s->tests = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (g_file_get_contents(path, &text, NULL, &none)
		    ? take_said_lines(s, text, error)
		    : g_error_matches(none, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
		g_clear_error(&none);
		return s;
	}
	if (none) {
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM,
			    "What was said before cannot be read: %s.", none->message);
		g_error_free(none);
	}
	said_free(s);
	return NULL;
}

void said_free(struct said *s)
{
	if (!s)
		return;
	g_hash_table_destroy(s->right);
	g_hash_table_destroy(s->tests);
	g_free(s->path);
	g_free(s);
}

const char *said_path(const struct said *s)
{
	return s->path;
}

static gint compare_said_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(a, b);
}

bool said_write(const struct said *s, GError **error)
{
	g_autoptr(GString) text = g_string_new(head);
	GList *right = g_list_sort(g_hash_table_get_keys(s->right), compare_said_texts);
	GList *tests = g_list_sort(g_hash_table_get_keys(s->tests), compare_said_texts);
	g_autoptr(GError) cause = NULL;

	for (GList *l = right; l; l = l->next)
		g_string_append_printf(text, "right %s\n", (char *)l->data);
	for (GList *l = tests; l; l = l->next)
		g_string_append_printf(text, "%s %s\n",
				       g_hash_table_lookup(s->tests, l->data) ? "pass" : "fail",
				       (char *)l->data);
	g_list_free(right);
	g_list_free(tests);
	if (g_file_set_contents(s->path, text->str, (gssize)text->len, &cause))
		return true;
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SYSTEM, "What you said cannot be kept: %s.",
		    cause->message);
	return false;
}

void said_add_right(struct said *s, const char *statement)
{
	g_hash_table_add(s->right, name_of_said(s, statement));
}

bool said_is_right(const struct said *s, const char *statement)
{
	g_autofree char *name = name_of_said(s, statement);

	return g_hash_table_contains(s->right, name);
}

void said_add_test(struct said *s, const char *test, bool passes)
{
	g_hash_table_insert(s->tests, g_strdup(test), GINT_TO_POINTER(passes));
}

bool said_of_test(const struct said *s, const char *test, bool *passes)
{
	gpointer value;

	if (!g_hash_table_lookup_extended(s->tests, test, NULL, &value))
		return false;
	*passes = GPOINTER_TO_INT(value);
	return true;
}
