/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/suite/suite.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(gdb - why - suite, suite_error)

static void free_suite_test(gpointer p)
{
	struct suite_test *t = p;

	g_free(t->name);
	g_free(t->place);
	g_free(t->command);
	g_free(t->script);
	g_free(t);
}

static struct suite *suite_new(const char *path)
{
	struct suite *s = g_new0(struct suite, 1);

	s->path = g_strdup(path);
	s->tests = g_ptr_array_new_with_free_func(free_suite_test);
	s->wrong = g_ptr_array_new_with_free_func(g_free);
	return s;
}

void suite_free(struct suite *s)
{
	if (!s)
		return;
	g_free(s->path);
	g_ptr_array_unref(s->tests);
	g_ptr_array_unref(s->wrong);
	g_free(s);
}

void suite_leave_out(struct suite *s, const char *place, const char *what)
{
	g_ptr_array_add(s->wrong, g_strdup_printf("%s: %s; this test is left out", place, what));
}

/* The quote that is never closed, 0 = none; '\\' where a backslash ends it. */
static char left_open(const char *text)
{
	char quote = 0;

	for (const char *p = text; *p; p++) {
		if (quote == '\'') {
			quote = *p == '\'' ? 0 : quote;
		} else if (*p == '\\') {
			if (!*++p)
				return '\\';
		} else if (quote) {
			quote = *p == quote ? 0 : quote;
		} else if (*p == '#' && (p == text || g_ascii_isspace(p[-1]))) {
			break;
		} else if (*p == '\'' || *p == '"' || *p == '`') {
			quote = *p;
		}
	}
	return quote;
}

/* What is wrong with a line, in words; NULL = nothing. */
static char *find_fault(const char *line, gsize length)
{
	char open;

	if (memchr(line, '\0', length))
		return g_strdup("it holds a NUL byte, which no command can be given");
	if (length > SUITE_LINE_MOST)
		return g_strdup("it is too long for a command");
	open = left_open(line);
	if (open == '\\')
		return g_strdup("it ends in a backslash, but a test is a single line");
	return open ? g_strdup_printf("its quote %c is not closed", open) : NULL;
}

/* The length of a name with its colon, which a blank follows; 0 = it has none. */
static gsize length_of_name(const char *line)
{
	const char *p = line;

	while (g_ascii_isalnum(*p) || *p == '_' || *p == '.' || *p == '-')
		p++;
	return p > line && *p == ':' && (p[1] == ' ' || p[1] == '\t') ? (gsize)(p - line) + 1 : 0;
}

struct reader {
	struct suite *suite;
	GHashTable *names; /* name: its place; both are the test's */
};

/* Takes t over. */
static void add_suite_test(struct reader *r, struct suite_test *t)
{
	const char *other = g_hash_table_lookup(r->names, t->name);

	if (other) {
		g_autofree char *what =
			g_strdup_printf("the name %s is that of %s", t->name, other);

		suite_leave_out(r->suite, t->place, what);
		free_suite_test(t);
		return;
	}
	g_hash_table_insert(r->names, t->name, t->place);
	g_ptr_array_add(r->suite->tests, t);
}

static void read_suite_line(struct reader *r, const char *text, gsize length, unsigned number)
{
	g_autofree char *line = g_strndup(text, length);
	g_autofree char *place = g_strdup_printf("%s:%u", r->suite->path, number);
	g_autofree char *fault = NULL;
	struct suite_test *t;
	const char *command;
	gsize named;

	if (length == strlen(line))
		length = strlen(g_strstrip(line));
	if ((!*line && !length) || *line == '#')
		return;
	fault = find_fault(line, length);
	if (fault) {
		suite_leave_out(r->suite, place, fault);
		return;
	}
	named = length_of_name(line);
	command = line + named + strspn(line + named, " \t");
	t = g_new0(struct suite_test, 1);
	t->name = named ? g_strndup(line, named - 1) : g_strdup_printf("%u", number);
	t->command = strstr(command, "{}") ? g_strdup(command) : g_strconcat("{} ", command, NULL);
	t->place = g_steal_pointer(&place);
	add_suite_test(r, t);
}

struct suite *suite_parse(const char *path, const char *text, gsize length)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct reader r = { suite_new(path), g_hash_table_new(g_str_hash, g_str_equal) };
	const char *end = text + length;

	if (length >= 3 && memcmp(text, mark, 3) == 0)
		text += 3;
	for (unsigned number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		gsize n = (gsize)((newline ? newline : end) - text);

		read_suite_line(&r, text, n, number);
		text = newline ? newline + 1 : end;
	}
	g_hash_table_unref(r.names);
	return r.suite;
}

static char *collation_key(const char *name)
{
	return g_utf8_collate_key_for_filename(name, -1);
}

static gint compare_naturally(gconstpointer a, gconstpointer b)
{
	g_autofree char *valid_a = g_utf8_make_valid(*(char *const *)a, -1);
	g_autofree char *valid_b = g_utf8_make_valid(*(char *const *)b, -1);
	g_autofree char *key_a = collation_key(valid_a);
	g_autofree char *key_b = collation_key(valid_b);

	return strcmp(key_a, key_b);
}

static void read_script(struct reader *r, const char *folder, const char *file)
{
	g_autofree char *path = g_build_filename(folder, file, NULL);
	bool sh = g_str_has_suffix(file, ".sh") && strlen(file) > 3;
	bool executable = access(path, X_OK) == 0;
	struct suite_test *t;

	if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) || !(sh || executable))
		return;
	if (access(path, R_OK)) {
		g_autofree char *place = g_build_filename(r->suite->path, file, NULL);

		suite_leave_out(r->suite, place, "it cannot be read");
		return;
	}
	t = g_new0(struct suite_test, 1);
	t->name = sh ? g_strndup(file, strlen(file) - 3) : g_strdup(file);
	t->place = g_build_filename(r->suite->path, file, NULL);
	t->script = g_steal_pointer(&path);
	t->sh = !executable;
	add_suite_test(r, t);
}

static struct suite *read_suite_folder(const char *path, const char *folder, GError **error)
{
	g_autoptr(GError) wrong = NULL;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, &wrong);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	struct reader r;
	const char *name;

	if (!dir) {
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ,
			    "Cannot read the tests in %s: %s.", path, wrong->message);
		return NULL;
	}
	while ((name = g_dir_read_name(dir)))
		if (*name != '.' && !g_str_has_suffix(name, "~"))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_naturally);
	r = (struct reader){ suite_new(path), g_hash_table_new(g_str_hash, g_str_equal) };
	for (unsigned i = 0; i < names->len; i++)
		read_script(&r, folder, names->pdata[i]);
	g_hash_table_unref(r.names);
	return r.suite;
}

static struct suite *read_suite_file(const char *path, const char *file, GError **error)
{
	g_autoptr(GError) wrong = NULL;
	g_autofree char *text = NULL;
	gsize length;

	if (g_file_get_contents(file, &text, &length, &wrong))
		return suite_parse(path, text, length);
	if (g_error_matches(wrong, G_FILE_ERROR, G_FILE_ERROR_NOENT))
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ,
			    "There is no test suite %s; name a file with one test a line, or a "
			    "folder of scripts.",
			    path);
	else
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ,
			    "Cannot read the test suite %s: %s.", path, wrong->message);
	return NULL;
}

struct suite *suite_read(const char *path, const char *directory, GError **error)
{
	g_autofree char *file = g_canonicalize_filename(path, directory);
	bool folder = g_file_test(file, G_FILE_TEST_IS_DIR);
	struct suite *s =
		folder ? read_suite_folder(path, file, error) : read_suite_file(path, file, error);

	if (!s || s->tests->len)
		return s;
	if (s->wrong->len)
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ, "No test of %s can be used: %s.",
			    path, (char *)s->wrong->pdata[0]);
	else if (folder)
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ,
			    "The folder %s has no tests: no executable file, and none that ends "
			    "in .sh.",
			    path);
	else
		g_set_error(error, SUITE_ERROR, SUITE_ERROR_READ,
			    "The test suite %s is empty; write one test a line, such as `{} 1 2'.",
			    path);
	suite_free(s);
	return NULL;
}
