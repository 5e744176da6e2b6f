/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/variant.h"

#include "gdbext/lesson/difficulty.h"

#include <string.h>

/* So many variants a seed chooses, one after the other, until one is as difficult as the first. */
enum { TRIES_MOST = 256 };

static void free_lesson_test(gpointer p)
{
	struct lesson_test *t = p;

	if (!t)
		return;
	g_free(t->name);
	g_strfreev(t->words);
	g_free(t);
}

void lesson_variant_free(struct lesson_variant *v)
{
	if (!v)
		return;
	g_free(v->seed);
	g_free(v->golden);
	g_free(v->program);
	g_hash_table_unref(v->names);
	g_hash_table_unref(v->constants);
	g_array_unref(v->faulty);
	g_ptr_array_unref(v->tests);
	free_lesson_test(v->shown);
	g_free(v);
}

/* --- what the seed chooses --- */

/* One of n; of what depends on the word alone beside the seed. */
static unsigned choose_by_seed(const char *seed, const char *word, unsigned n)
{
	g_autofree char *text = g_strconcat(seed ? seed : "", "\n", word, NULL);
	g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	guint64 number = 0;

	sum[15] = '\0';
	g_ascii_string_to_unsigned(sum, 16, 0, G_MAXUINT64, &number, NULL);
	return seed ? (unsigned)(number % n) : 0;
}

static void choose_names(const GArray *choices, const char *seed, GHashTable *to)
{
	for (guint i = 0; i < choices->len; i++) {
		const struct lesson_choice *c = &g_array_index(choices, struct lesson_choice, i);
		unsigned n = g_strv_length(c->values);

		g_hash_table_insert(to, c->name, c->values[choose_by_seed(seed, c->name, n)]);
	}
}

unsigned lesson_n_variants(const struct lesson *l)
{
	unsigned n = l->faults->len;

	for (guint i = 0; i < l->constants->len; i++)
		n *= g_strv_length(g_array_index(l->constants, struct lesson_choice, i).values);
	return n;
}

/* A number's digits are the fault and what is chosen for each constant. */
static void choose_by_number(struct lesson_variant *v, unsigned number)
{
	const struct lesson *l = v->lesson;

	v->fault = l->faults->pdata[number % l->faults->len];
	number /= l->faults->len;
	for (guint i = 0; i < l->constants->len; i++) {
		const struct lesson_choice *c =
			&g_array_index(l->constants, struct lesson_choice, i);
		unsigned n = g_strv_length(c->values);

		g_hash_table_insert(v->constants, c->name, c->values[number % n]);
		number /= n;
	}
}

static unsigned variant_number(const struct lesson *l, const char *seed)
{
	unsigned number = 0;

	for (guint i = l->constants->len; i > 0; i--) {
		const struct lesson_choice *c =
			&g_array_index(l->constants, struct lesson_choice, i - 1);
		unsigned n = g_strv_length(c->values);

		number = number * n + choose_by_seed(seed, c->name, n);
	}
	return number * l->faults->len + choose_by_seed(seed, "which fault", l->faults->len);
}

char *lesson_variant_name(const struct lesson_variant *v)
{
	GString *out = g_string_new(v->fault->name);

	for (guint i = 0; i < v->lesson->constants->len; i++) {
		const char *name =
			g_array_index(v->lesson->constants, struct lesson_choice, i).name;

		g_string_append_printf(out, " %s=%s", name,
				       (char *)g_hash_table_lookup(v->constants, name));
	}
	return g_string_free(out, FALSE);
}

/* --- texts --- */

static gboolean put_name(const GMatchInfo *match, GString *out, gpointer names)
{
	g_autofree char *word = g_match_info_fetch(match, 0);
	const char *other = g_hash_table_lookup(names, word);

	g_string_append(out, other ? other : word);
	return FALSE;
}

static gboolean put_constant_number(const GMatchInfo *match, GString *out, gpointer constants)
{
	g_autofree char *all = g_match_info_fetch(match, 0), *name = g_match_info_fetch(match, 1);
	g_autofree char *more = g_match_info_fetch(match, 2);
	const char *value = g_hash_table_lookup(constants, name);

	if (!value)
		g_string_append(out, all);
	else
		g_string_append_printf(
			out, "%" G_GINT64_FORMAT,
			g_ascii_strtoll(value, NULL, 10) +
				(more && *more ? g_ascii_strtoll(more, NULL, 10) : 0));
	return FALSE;
}

static char *replace_pattern(const char *text, const char *pattern, GRegexEvalCallback with,
			     gpointer arg)
{
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, NULL);
	char *out = g_regex_replace_eval(regex, text, -1, 0, 0, with, arg, NULL);

	return out ? out : g_strdup(text);
}

static char *fill_in_constants(const struct lesson_variant *v, const char *text)
{
	return replace_pattern(text, "@([A-Z_]+)([+-][0-9]+)?@", put_constant_number, v->constants);
}

char *lesson_rename(const struct lesson_variant *v, const char *text)
{
	g_autofree char *numbers = fill_in_constants(v, text);

	return replace_pattern(numbers, "\\b[A-Za-z_][A-Za-z_0-9]*\\b", put_name, v->names);
}

static gboolean put_renamed_code(const GMatchInfo *match, GString *out, gpointer v)
{
	g_autofree char *code = g_match_info_fetch(match, 0), *said = lesson_rename(v, code);

	g_string_append(out, said);
	return FALSE;
}

char *lesson_say(const struct lesson_variant *v, const char *text)
{
	g_autofree char *numbers = fill_in_constants(v, text);

	return replace_pattern(numbers, "(?m)`[^`\n]*`|^    .*$", put_renamed_code, (gpointer)v);
}

char *lesson_line_text(const char *program, unsigned line)
{
	g_auto(GStrv) lines = g_strsplit(program, "\n", -1);

	return g_strdup(line && line <= g_strv_length(lines) ? g_strstrip(lines[line - 1]) : "");
}

char *lesson_function_of(const struct lesson_variant *v, unsigned line, unsigned *first,
			 unsigned *last)
{
	g_auto(GStrv) lines = g_strsplit(v->program, "\n", -1);
	g_autoptr(GRegex) head = g_regex_new("^[a-zA-Z_].*?([A-Za-z_0-9]+)\\(", 0, 0, NULL);
	unsigned n = g_strv_length(lines);

	for (unsigned i = MIN(line, n); i > 0; i--) {
		g_autoptr(GMatchInfo) match = NULL;

		if (i < line && lines[i - 1][0] == '}')
			return NULL;
		if (!g_regex_match(head, lines[i - 1], 0, &match))
			continue;
		*first = i;
		for (*last = i; *last < n && lines[*last - 1][0] != '}'; (*last)++)
			;
		return g_match_info_fetch(match, 1);
	}
	return NULL;
}

/* --- the program --- */

static bool bad_lesson(const struct lesson *l, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
static bool bad_lesson(const struct lesson *l, GError **error, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE, "%s: %s", l->folder, what);
	return false;
}

/* `#define NAME 10' gets the value that was chosen. */
static bool set_constants(const struct lesson_variant *v, char **lines, GError **error)
{
	GHashTableIter each;
	gpointer name, value;

	g_hash_table_iter_init(&each, v->constants);
	while (g_hash_table_iter_next(&each, &name, &value)) {
		g_autofree char *head = g_strdup_printf("#define %s ", (char *)name);
		char **line = lines;

		while (*line && !g_str_has_prefix(*line, head))
			line++;
		if (!*line)
			return bad_lesson(v->lesson, error,
					  "golden.c has no `%s', which [constants] names.", head);
		g_free(*line);
		*line = g_strconcat(head, value, NULL);
	}
	return true;
}

/* The number of the only line that reads so, from 0; -1 = there is none, or several. */
static int line_like(char **lines, const char *text)
{
	int found = -1;

	for (int i = 0; lines[i]; i++) {
		g_autofree char *line = g_strstrip(g_strdup(lines[i]));

		if (strcmp(line, text) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static gint by_test_number(gconstpointer a, gconstpointer b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* Puts the fault's lines in. */
static bool spoil_lines(struct lesson_variant *v, char **lines, GError **error)
{
	const struct lesson_fault *f = v->fault;

	for (unsigned i = 0; i < f->n_lines; i++) {
		g_autofree char *right = fill_in_constants(v, f->right[i]),
				*wrong = fill_in_constants(v, f->wrong[i]);
		int at = line_like(lines, right);
		unsigned number = (unsigned)at + 1;
		g_autofree char *margin =
			at < 0 ? NULL : g_strndup(lines[at], strspn(lines[at], " \t"));

		if (at < 0)
			return bad_lesson(v->lesson, error,
					  "golden.c has `%s' of [fault.%s] not exactly once.",
					  right, f->name);
		g_free(lines[at]);
		lines[at] = g_strconcat(*wrong ? margin : "", wrong, NULL);
		g_array_append_val(v->faulty, number);
	}
	g_array_sort(v->faulty, by_test_number);
	return true;
}

/* Where a whole faulty program differs from the golden one. */
static void note_differences(struct lesson_variant *v)
{
	g_auto(GStrv) right = g_strsplit(v->golden, "\n", -1);
	g_auto(GStrv) wrong = g_strsplit(v->program, "\n", -1);
	bool same_length = g_strv_length(right) == g_strv_length(wrong);

	for (unsigned i = 0; right[i] && wrong[i]; i++) {
		unsigned number = i + 1;

		if (strcmp(right[i], wrong[i]) == 0)
			continue;
		g_array_append_val(v->faulty, number);
		if (!same_length)
			return;
	}
}

static bool make_programs(struct lesson_variant *v, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(v->lesson->program, "\n", -1);

	if (!set_constants(v, lines, error))
		return false;
	v->golden = g_strjoinv("\n", lines);
	if (v->fault->file) {
		v->program = g_strdup(v->fault->file);
		note_differences(v);
		return true;
	}
	if (!spoil_lines(v, lines, error))
		return false;
	v->program = g_strjoinv("\n", lines);
	return true;
}

/* --- the suite --- */

static struct lesson_test *read_lesson_test(const struct lesson_variant *v, const char *name,
					    const char *line, GError **error)
{
	g_autofree char *text = fill_in_constants(v, line);
	g_autoptr(GError) wrong = NULL;
	struct lesson_test *t = g_new0(struct lesson_test, 1);
	gint n = 0;

	t->name = g_strdup(name);
	if (!*g_strstrip(text)) {
		t->words = g_new0(char *, 1);
		return t;
	}
	if (!g_shell_parse_argv(text, &n, &t->words, &wrong)) {
		bad_lesson(v->lesson, error, "the test `%s' cannot be read: %s.", line,
			   wrong->message);
		free_lesson_test(t);
		return NULL;
	}
	t->asks = strcmp(t->words[n - 1], "?") == 0;
	if (t->asks)
		g_clear_pointer(&t->words[n - 1], g_free);
	return t;
}

static bool read_suite(struct lesson_variant *v, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(v->lesson->suite, "\n", -1);

	v->shown = read_lesson_test(v, "the failing test", v->fault->fails, error);
	if (!v->shown)
		return false;
	for (unsigned i = 0; lines[i]; i++) {
		g_autofree char *name = g_strdup_printf("test %u", v->tests->len + 1);
		struct lesson_test *t;

		g_strstrip(lines[i]);
		if (!lines[i][0] || lines[i][0] == '#')
			continue;
		t = read_lesson_test(v, name, lines[i], error);
		if (!t)
			return false;
		g_ptr_array_add(v->tests, t);
	}
	return v->tests->len || bad_lesson(v->lesson, error, "tests.txt has no test.");
}

static struct lesson_variant *variant_new(const struct lesson *l, const char *seed, unsigned number)
{
	struct lesson_variant *v = g_new0(struct lesson_variant, 1);

	v->lesson = l;
	v->seed = g_strdup(seed);
	v->names = g_hash_table_new(g_str_hash, g_str_equal);
	v->constants = g_hash_table_new(g_str_hash, g_str_equal);
	v->faulty = g_array_new(FALSE, FALSE, sizeof(unsigned));
	v->tests = g_ptr_array_new_with_free_func(free_lesson_test);
	choose_by_number(v, number);
	choose_names(l->names, seed, v->names);
	return v;
}

static struct lesson_variant *finish_variant(struct lesson_variant *v, GError **error)
{
	if (make_programs(v, error) && read_suite(v, error))
		return v;
	lesson_variant_free(v);
	return NULL;
}

struct lesson_variant *lesson_variant_at(const struct lesson *l, unsigned number, GError **error)
{
	return finish_variant(variant_new(l, NULL, number), error);
}

/* The seed's own variant, or another one that it chooses where that is too easy or too difficult.
 */
struct lesson_variant *lesson_vary(const struct lesson *l, const char *seed, GError **error)
{
	struct lesson_variant *v = variant_new(l, seed, variant_number(l, seed));

	for (unsigned again = 1; seed && again < TRIES_MOST && !lesson_is_equal(v); again++) {
		g_autofree char *other = g_strdup_printf("%s\n%u", seed, again);

		lesson_variant_free(v);
		v = variant_new(l, seed, variant_number(l, other));
	}
	if (!seed || lesson_is_equal(v))
		return finish_variant(v, error);
	bad_lesson(l, error,
		   "no variant of it is known to be as difficult as the first one; say `gdb-why "
		   "lesson measure' to measure them.");
	lesson_variant_free(v);
	return NULL;
}
