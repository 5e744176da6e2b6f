/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evaluate/sir-plan.h"

#include "gdbext/evaluate/import-private.h"
#include "gdbext/evaluate/subject.h"

#include <string.h>

/* ---- which files ---- */

static char *plans_of(const char *folder)
{
	return g_build_filename(folder, "testplans.alt", NULL);
}

static void add_files(GPtrArray *paths, const char *plans, const char *pattern, unsigned most)
{
	g_autoptr(GPtrArray) names = import_names(plans, pattern);

	for (guint i = 0; i < names->len && paths->len < most; i++) {
		char *path = g_build_filename(plans, names->pdata[i], NULL);

		if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
			g_ptr_array_add(paths, path);
		else
			g_free(path);
	}
}

/* The plans in testplans.alt: one of them, of which the others are parts or older. */
static GPtrArray *find_sir_plan(const char *folder)
{
	static const char *const patterns[] = { "universe", "universe*", "*universe",
						"*universe*" };
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *plans = plans_of(folder);

	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
		add_files(paths, plans, patterns[i], 1);
	return paths;
}

/* Those of a release: all of them are run. */
static GPtrArray *find_own(const char *folder, const char *release)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *plans = plans_of(folder);
	g_autofree char *own = g_build_filename(plans, release, NULL);

	add_files(paths, own, "*universe", G_MAXUINT);
	if (!paths->len)
		add_files(paths, own, "*universe*", 1);
	return paths;
}

/* The files of the release; when it has none, those of the last release before it that has some. */
static GPtrArray *find_nearest(const char *folder, const char *release)
{
	GPtrArray *paths = find_own(folder, release);
	guint64 n = *release ? g_ascii_strtoull(release + 1, NULL, 10) : 0;

	while (!paths->len && n--) {
		g_autofree char *earlier = g_strdup_printf("v%" G_GUINT64_FORMAT, n);

		g_ptr_array_unref(paths);
		paths = find_own(folder, earlier);
	}
	return paths;
}

bool sir_plan_is_by_release(const char *folder)
{
	g_autoptr(GPtrArray) common = find_sir_plan(folder);
	g_autofree char *plans = plans_of(folder);
	g_autoptr(GPtrArray) names = import_names(plans, "v*");

	for (guint i = 0; !common->len && i < names->len; i++) {
		g_autoptr(GPtrArray) own = find_own(folder, names->pdata[i]);

		if (own->len)
			return true;
	}
	return false;
}

bool sir_plan_exists(const char *folder)
{
	g_autoptr(GPtrArray) common = find_sir_plan(folder);

	return common->len || sir_plan_is_by_release(folder);
}

/* ---- a line ---- */

/* A test while its fields are read. */
struct test {
	const char *folder;
	unsigned number;
	GString *before, *arguments, *after;
	char *input;
	bool unfit; /* it cannot be run here */
};

static void append_command(GString *out, const char *command)
{
	g_string_append_printf(out, "%s; ", command);
}

static void add_arguments(struct test *t, const char *text)
{
	g_string_append_printf(t->arguments, " %s", text);
}

static void set_test_input(struct test *t, const char *text)
{
	g_free(t->input);
	t->input = *text ? g_strdup(text) : NULL;
}

static void add_result(struct test *t, const char *text)
{
	g_autofree char *file = g_strndup(text, strcspn(text, "|"));
	g_autofree char *show = g_strdup_printf("cat %s 2>/dev/null; rm -f %s", file, file);

	append_command(t->after, show);
}

/* The path of the script that the text begins with, quoted; NULL = there is none. */
static char *find_script(struct test *t, const char *text, const char **arguments)
{
	gsize n = strcspn(text, " \t");
	g_autofree char *name = g_strndup(text, n);
	g_autofree char *plans = plans_of(t->folder);
	g_autofree char *path = g_build_filename(plans, "testscripts", name, NULL);

	*arguments = text + n;
	t->unfit |= !g_file_test(path, G_FILE_TEST_IS_REGULAR);
	return g_shell_quote(path);
}

static void add_script(struct test *t, GString *out, const char *text)
{
	const char *arguments;
	g_autofree char *path = find_script(t, text, &arguments);
	g_autofree char *command = g_strdup_printf("sh %s%s >/dev/null 2>&1", path, arguments);

	append_command(out, command);
}

static void add_inline(struct test *t, GString *out, const char *text)
{
	const char *arguments;
	g_autofree char *path = find_script(t, text, &arguments);
	g_auto(GStrv) words = g_strsplit_set(arguments, " \t", -1);
	g_autofree char *command = g_strdup_printf(". %s >/dev/null 2>&1", path);

	for (char **w = words; *w; w++)
		if (**w)
			append_command(out, *w);
	append_command(out, command);
}

static void add_field(struct test *t, char name, const char *text)
{
	switch (name) {
	case 'P':
		add_arguments(t, text);
		break;
	case 'I':
		set_test_input(t, text);
		break;
	case 'F':
		add_result(t, text);
		break;
	case 'S':
		add_script(t, t->before, text);
		break;
	case 's':
		add_inline(t, t->before, text);
		break;
	case 'X':
		add_script(t, t->after, text);
		break;
	case 'x':
		add_inline(t, t->after, text);
		break;
	case 'O':
	case 'C':
	case 'A':
		break;
	default:
		t->unfit = true;
	}
}

/* Where a field ends: at a bracket behind which another field begins, or nothing stands.  Old plans
 * have brackets in their fields that nobody marked. */
static const char *end_of_field(const char *text)
{
	for (const char *at = strchr(text, ']'); at; at = strchr(at + 1, ']'))
		if (at[-1] != '\\' &&
		    g_regex_match_simple("^\\s*($|-[A-Za-z]\\s*\\[|-B\\b)", at + 1, 0, 0))
			return at;
	return NULL;
}

static char *plain_text(const struct test *t, const char *from, const char *end)
{
	g_autofree char *number = g_strdup_printf("%u", t->number);
	g_autofree char *root = g_path_get_dirname(t->folder);
	GString *text = g_string_new_len(from, end - from);

	g_string_replace(text, "\\]", "]", 0);
	g_string_replace(text, "\\{TEST}", number, 0);
	g_string_replace(text, "$experiment_root", root, 0);
	g_string_replace(text, "${experiment_root}", root, 0);
	return g_strstrip(g_string_free(text, FALSE));
}

static bool has_fields(const char *line)
{
	return g_regex_match_simple("^-[A-Za-z]\\s*\\[", line, 0, 0);
}

static void read_fields(struct test *t, const char *line)
{
	while (*line && !t->unfit) {
		const char *open = strchr(line, '['), *end = open ? end_of_field(open + 1) : NULL;
		g_autofree char *text = NULL;

		if (!end || !has_fields(line)) {
			/* -B: in the background, which makes no difference here */
			t->unfit = strcmp(line, "-B") != 0;
			return;
		}
		text = plain_text(t, open + 1, end);
		add_field(t, line[1], text);
		line = end + 1;
		while (g_ascii_isspace(*line))
			line++;
		if (g_str_has_prefix(line, "-B "))
			line += 3;
	}
}

/* In a line of ours, {} is the program; the word stays the same with its quotes closed and opened
 * between the two. */
static void append_sir_words(const char *text, GString *out)
{
	char quote = '\0';

	for (; *text; text++) {
		if (quote ? *text == quote : *text == '\'' || *text == '"')
			quote = quote ? '\0' : *text;
		g_string_append_c(out, *text);
		if (*text == '{' && text[1] == '}')
			g_string_append(out, quote == '"' ? "\"\"" : "''");
	}
}

static void write_test(const struct test *t, const char *settings, GString *suite)
{
	g_string_append(suite, settings);
	append_sir_words(t->before->str, suite);
	g_string_append(suite, "{}");
	append_sir_words(t->arguments->str, suite);
	if (t->input)
		g_string_append_printf(suite, " <%s", t->input);
	if (t->after->len) {
		g_string_append(suite, "; result=$?; ");
		append_sir_words(t->after->str, suite);
		g_string_append(suite, "exit $result");
	}
	g_string_append_c(suite, '\n');
}

/* ---- a plan ---- */

struct plan {
	const char *folder;
	GString *settings; /* before each test that follows */
	GString *suite;
	unsigned number, left_out;
	bool fields; /* the plan has them; then an empty line is no test */
};

/* "setenv VAR VALUE"; CLASSPATH is for programs in Java. */
static bool read_setting(struct plan *p, const char *line)
{
	g_auto(GStrv) words = NULL;

	if (!g_str_has_prefix(line, "setenv "))
		return g_str_has_prefix(line, "CLASSPATH=");
	words = g_regex_split_simple("\\s+", line, 0, 0);
	if (words[1] && words[2])
		g_string_append_printf(p->settings, "export %s=%s; ", words[1], words[2]);
	return true;
}

static void read_sir_test(struct plan *p, const char *line)
{
	struct test t = { .folder = p->folder,
			  .number = ++p->number,
			  .before = g_string_new(NULL),
			  .arguments = g_string_new(NULL),
			  .after = g_string_new(NULL) };

	if (has_fields(line))
		read_fields(&t, line);
	else if (*line)
		add_arguments(&t, line);
	if (t.unfit)
		p->left_out++;
	else
		write_test(&t, p->settings->str, p->suite);
	g_string_free(t.before, TRUE);
	g_string_free(t.arguments, TRUE);
	g_string_free(t.after, TRUE);
	g_free(t.input);
}

static bool read_plan(struct plan *p, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return false;
	lines = g_strsplit(text, "\n", -1);
	p->fields = g_regex_match_simple("^\\s*-[A-Za-z]\\s*\\[", text, G_REGEX_MULTILINE, 0);
	g_string_truncate(p->settings, 0);
	for (char **line = lines; *line; line++) {
		/* an empty line is a test without arguments where lines are nothing but these */
		bool counts = *g_strstrip(*line) || (line[1] && !p->fields);

		if (counts && !read_setting(p, *line))
			read_sir_test(p, *line);
	}
	return true;
}

char *sir_plan_suite(const char *folder, const char *release, unsigned *left_out, GError **error)
{
	g_autoptr(GPtrArray) paths = find_sir_plan(folder);
	struct plan p = { .folder = folder };
	bool ok = true;

	if (!paths->len) {
		g_ptr_array_unref(paths);
		paths = find_nearest(folder, release);
	}
	p.settings = g_string_new(NULL);
	p.suite = g_string_new(NULL);
	for (guint i = 0; ok && i < paths->len; i++)
		ok = read_plan(&p, paths->pdata[i], error);
	*left_out += p.left_out;
	g_string_free(p.settings, TRUE);
	return g_string_free(p.suite, !ok);
}
