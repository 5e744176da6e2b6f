/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/subject.h"

#include <string.h>

G_DEFINE_QUARK(gdb - why - subject, subject_error)

bool subject_wrong(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_propagate_error(error,
			  g_error_new_valist(SUBJECT_ERROR, SUBJECT_ERROR_READ, format, args));
	va_end(args);
	return false;
}

gint subject_compare_names(gconstpointer a, gconstpointer b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	int natural = strverscmp(x, y);

	return natural ? natural : strcmp(x, y);
}

static void version_free(gpointer p)
{
	struct subject_version *v = p;

	for (guint i = 0; i < v->faulty->len; i++)
		g_free(g_array_index(v->faulty, struct subject_place, i).file);
	g_array_unref(v->faulty);
	g_free(v->name);
	g_free(v);
}

static struct subject *subject_new(const char *folder)
{
	struct subject *s = g_new0(struct subject, 1);

	s->folder = g_strdup(folder);
	s->versions = g_ptr_array_new_with_free_func(version_free);
	return s;
}

void subject_free(struct subject *s)
{
	if (!s)
		return;
	g_free(s->name);
	g_free(s->folder);
	g_free(s->build);
	g_free(s->build_version);
	g_free(s->program);
	g_free(s->suite);
	g_free(s->directory);
	g_free(s->golden);
	g_free(s->expected);
	g_free(s->coverage);
	g_ptr_array_unref(s->versions);
	g_free(s);
}

char *subject_expand(const struct subject *s, const char *value, const char *out,
		     const struct subject_version *v)
{
	GString *text;

	if (!value)
		return NULL;
	text = g_string_new(value);
	g_string_replace(text, "{folder}", s->folder, 0);
	g_string_replace(text, "{out}", out, 0);
	if (v)
		g_string_replace(text, "{version}", v->name, 0);
	return g_string_free(text, FALSE);
}

char *subject_file(const struct subject *s, const char *value, const char *out,
		   const struct subject_version *v)
{
	g_autofree char *text = subject_expand(s, value, out, v);

	return text ? g_canonicalize_filename(text, s->folder) : NULL;
}

/* Do the names mean the same file, as far as the shorter one tells? */
static bool ends_with(const char *file, const char *end)
{
	size_t n = strlen(file), m = strlen(end);

	if (m > n || strcmp(file + n - m, end) != 0)
		return false;
	return m == n || file[n - m - 1] == '/';
}

bool subject_is_in_file(const struct subject_place *p, const char *file)
{
	return !p->file || ends_with(file, p->file);
}

bool subject_is_faulty(const struct subject_version *v, const char *file, unsigned line)
{
	for (guint i = 0; i < v->faulty->len; i++) {
		const struct subject_place *p = &g_array_index(v->faulty, struct subject_place, i);

		if (p->line == line && subject_is_in_file(p, file))
			return true;
	}
	return false;
}

/* ---- the table of versions ---- */

enum column { VERSION, LINE, FILE_NAME, FAULTS, OMISSION, COLUMNS };
static const char *const column_names[COLUMNS] = { "version", "line", "file", "faults",
						   "omission" };

struct table {
	struct subject *s;
	const char *path;
	const char *file;    /* of subject.conf; NULL = none */
	int places[COLUMNS]; /* -1 = not there */
	GHashTable *names;
};

static const char *value_of_column(const struct table *t, char **fields, enum column c)
{
	int place = t->places[c];

	return place >= 0 && place < (int)g_strv_length(fields) ? fields[place] : NULL;
}

static bool read_fault_place(const struct table *t, const char *word, const char *file,
			     struct subject_version *v)
{
	const char *colon = strrchr(word, ':');
	struct subject_place place = { NULL, 0 };
	guint64 line;

	if (!g_ascii_string_to_unsigned(colon ? colon + 1 : word, 10, 1, G_MAXINT32, &line, NULL))
		return false;
	place.line = (unsigned)line;
	if (colon)
		place.file = g_strndup(word, (gsize)(colon - word));
	else
		place.file = subject_expand(t->s, file && *file ? file : t->file, "", v);
	g_array_append_val(v->faulty, place);
	return true;
}

static bool read_places(const struct table *t, char **fields, struct subject_version *v)
{
	const char *text = value_of_column(t, fields, LINE);
	g_auto(GStrv) words = g_strsplit(text ? text : "", ",", -1);

	for (char **w = words; *w; w++)
		if (!read_fault_place(t, g_strstrip(*w), value_of_column(t, fields, FILE_NAME), v))
			return false;
	v->faults = v->faulty->len;
	return v->faulty->len > 0;
}

static bool read_properties(const struct table *t, char **fields, struct subject_version *v)
{
	const char *faults = value_of_column(t, fields, FAULTS),
		   *omission = value_of_column(t, fields, OMISSION);
	guint64 n;

	if (faults && *faults) {
		if (!g_ascii_string_to_unsigned(faults, 10, 1, G_MAXINT32, &n, NULL))
			return false;
		v->faults = (unsigned)n;
	}
	if (omission && *omission) {
		if (!g_ascii_string_to_unsigned(omission, 10, 0, 1, &n, NULL))
			return false;
		v->omission = n;
	}
	return true;
}

/* Its name becomes the name of files. */
static bool is_good_name(const char *name)
{
	return name && *name && *name != '.' && !strchr(name, '/') &&
	       g_utf8_validate(name, -1, NULL);
}

static bool read_version(struct table *t, char **fields, unsigned number, GError **error)
{
	const char *name = value_of_column(t, fields, VERSION);
	struct subject_version *v;

	if (!is_good_name(name))
		return subject_wrong(error, "%s:%u: a version needs a name without a slash.",
				     t->path, number);
	if (!g_hash_table_add(t->names, g_strdup(name)))
		return subject_wrong(error,
				     "%s:%u: there are two versions %s; give one another name.",
				     t->path, number, name);
	v = g_new0(struct subject_version, 1);
	v->name = g_strdup(name);
	v->faulty = g_array_new(FALSE, FALSE, sizeof(struct subject_place));
	g_ptr_array_add(t->s->versions, v);
	if (!read_places(t, fields, v))
		return subject_wrong(
			error,
			"%s:%u: the faulty lines of %s are numbers with commas between them, "
			"such as 12 or a.c:12,b.c:3.",
			t->path, number, name);
	return read_properties(t, fields, v) ||
	       subject_wrong(error, "%s:%u: faults is a number from 1 on, and omission is 0 or 1.",
			     t->path, number);
}

static bool read_header(struct table *t, const char *line, GError **error)
{
	g_auto(GStrv) names = g_strsplit(line, "\t", -1);

	for (unsigned c = 0; c < COLUMNS; c++) {
		t->places[c] = -1;
		for (int i = 0; names[i]; i++)
			if (strcmp(g_strstrip(names[i]), column_names[c]) == 0)
				t->places[c] = i;
	}
	return (t->places[VERSION] >= 0 && t->places[LINE] >= 0) ||
	       subject_wrong(error,
			     "%s:1: the first line names the columns, with tabs between them; "
			     "version and "
			     "line are missing there.",
			     t->path);
}

static gint compare_versions(gconstpointer a, gconstpointer b)
{
	const struct subject_version *x = *(struct subject_version *const *)a;
	const struct subject_version *y = *(struct subject_version *const *)b;

	return subject_compare_names(&x->name, &y->name);
}

static bool read_subject_table(struct subject *s, const char *path, const char *file,
			       GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct table t = { .s = s, .path = path, .file = file };
	bool ok;

	if (!g_file_get_contents(path, &text, NULL, &why))
		return subject_wrong(error, "The table of versions cannot be read: %s.",
				     why->message);
	lines = g_strsplit(text, "\n", -1);
	t.names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ok = read_header(&t, lines[0] ? lines[0] : "", error);
	for (unsigned i = 1; ok && lines[0] && lines[i]; i++) {
		g_auto(GStrv) fields = g_strsplit(g_strchomp(lines[i]), "\t", -1);

		if (fields[0] && *fields[0] != '#')
			ok = read_version(&t, fields, i + 1, error);
	}
	g_hash_table_unref(t.names);
	g_ptr_array_sort(s->versions, compare_versions);
	return ok && (s->versions->len || subject_wrong(error, "%s names no version.", path));
}

/* ---- subject.conf ---- */

static const struct {
	const char *key;
	size_t at; /* in struct subject */
} keys[] = {
	{ "name", offsetof(struct subject, name) },
	{ "build", offsetof(struct subject, build) },
	{ "build-version", offsetof(struct subject, build_version) },
	{ "program", offsetof(struct subject, program) },
	{ "suite", offsetof(struct subject, suite) },
	{ "directory", offsetof(struct subject, directory) },
	{ "golden", offsetof(struct subject, golden) },
	{ "expected", offsetof(struct subject, expected) },
	{ "coverage", offsetof(struct subject, coverage) },
};

static bool check_keys(GKeyFile *file, const char *path, GError **error)
{
	g_auto(GStrv) there = g_key_file_get_keys(file, "subject", NULL, NULL);

	if (!there)
		return subject_wrong(error, "%s has no [subject].", path);
	for (char **key = there; *key; key++) {
		bool known = strcmp(*key, "file") == 0 || strcmp(*key, "versions") == 0 ||
			     strcmp(*key, "asserts") == 0;

		for (size_t i = 0; !known && i < G_N_ELEMENTS(keys); i++)
			known = strcmp(keys[i].key, *key) == 0;
		if (!known)
			return subject_wrong(error, "%s: a subject has no %s.", path, *key);
	}
	return true;
}

static bool check_subject(const struct subject *s, const char *path, GError **error)
{
	if (!is_good_name(s->name))
		return subject_wrong(error, "%s: the name of a subject has no slash.", path);
	if (s->coverage ? s->program || s->suite : !s->program || !s->suite)
		return subject_wrong(
			error,
			"%s: say by program and suite what is run, or by coverage what was "
			"measured elsewhere.",
			path);
	if (s->golden && s->expected)
		return subject_wrong(
			error,
			"%s: golden and expected both say what passes; leave one of them out.",
			path);
	return true;
}

static bool read_conf(struct subject *s, GKeyFile *file, const char *path, GError **error)
{
	g_autofree char *versions = g_key_file_get_value(file, "subject", "versions", NULL);
	g_autofree char *place = g_key_file_get_value(file, "subject", "file", NULL);
	g_autofree char *table =
		g_canonicalize_filename(versions ? versions : "versions.tsv", s->folder);

	if (!check_keys(file, path, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		*(char **)((char *)s + keys[i].at) =
			g_key_file_get_value(file, "subject", keys[i].key, NULL);
	s->asserts = g_key_file_get_boolean(file, "subject", "asserts", NULL);
	if (!s->name)
		s->name = g_path_get_basename(s->folder);
	return check_subject(s, path, error) && read_subject_table(s, table, place, error);
}

struct subject *subject_read(const char *path, GError **error)
{
	bool is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
	g_autofree char *conf =
		is_folder ? g_build_filename(path, "subject.conf", NULL) : g_strdup(path);
	g_autofree char *absolute = g_canonicalize_filename(conf, NULL);
	g_autofree char *folder = g_path_get_dirname(absolute);
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) why = NULL;
	struct subject *s;

	if (!g_key_file_load_from_file(file, absolute, G_KEY_FILE_NONE, &why)) {
		subject_wrong(error,
			      "%s is no subject of an evaluation: %s; name a folder with a file "
			      "subject.conf.",
			      path, why->message);
		return NULL;
	}
	s = subject_new(folder);
	if (!read_conf(s, file, conf, error))
		g_clear_pointer(&s, subject_free);
	return s;
}
