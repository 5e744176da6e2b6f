/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/check/check-table.h"

#include <string.h>

G_DEFINE_QUARK(check - table - error - quark, check_table_error)

struct check_table {
	GPtrArray *frameworks; /* struct check_framework */
	GPtrArray *rules;      /* struct check_rule */
	GHashTable *by_name;   /* rules without pattern */
	bool has_variables;
};

static void framework_free(gpointer data)
{
	struct check_framework *f = data;

	g_free(f->name);
	g_strfreev(f->environment);
	g_strfreev(f->preload);
	g_strfreev(f->arguments);
	g_strfreev(f->filter);
	g_strfreev(f->filter_variable);
	g_strfreev(f->files);
	g_strfreev(f->only_in);
	g_strfreev(f->inserted);
	g_free(f);
}

static void rule_free(gpointer data)
{
	struct check_rule *r = data;

	g_free(r->name);
	if (r->pattern)
		g_pattern_spec_free(r->pattern);
	g_free(r->holds);
	g_free(r->says);
	g_free(r);
}

/* ---- reading ---- */

/* "COND -- WORDS", "never -- WORDS", "stores 0", each with or without words. */
static void set_meaning(struct check_rule *r, const char *value)
{
	const char *words = strstr(value, "--");
	g_autofree char *holds = words ? g_strndup(value, (gsize)(words - value)) : g_strdup(value);

	g_strstrip(holds);
	r->stores = strcmp(holds, "stores 0") == 0;
	if (*holds && !r->stores && strcmp(holds, "never") != 0)
		r->holds = g_steal_pointer(&holds);
	if (words)
		r->says = g_strstrip(g_strdup(words + 2));
}

static void add_framework_rule(struct check_table *t, const struct check_framework *f,
			       const char *name, const char *value)
{
	struct check_rule *r = g_new0(struct check_rule, 1);

	r->framework = f;
	r->name = g_strdup(name);
	set_meaning(r, value);
	t->has_variables |= r->stores;
	g_ptr_array_add(t->rules, r);
	if (strchr(name, '*'))
		r->pattern = g_pattern_spec_new(name);
	else
		g_hash_table_insert(t->by_name, r->name, r);
}

static char ***list_of_key(struct check_framework *f, const char *key)
{
	return strcmp(key, ".environment") == 0	      ? &f->environment
	       : strcmp(key, ".arguments") == 0	      ? &f->arguments
	       : strcmp(key, ".preload") == 0	      ? &f->preload
	       : strcmp(key, ".filter") == 0	      ? &f->filter
	       : strcmp(key, ".filter-variable") == 0 ? &f->filter_variable
	       : strcmp(key, ".files") == 0	      ? &f->files
	       : strcmp(key, ".only-in") == 0	      ? &f->only_in
	       : strcmp(key, ".inserted") == 0	      ? &f->inserted
						      : NULL;
}

static bool read_key(struct check_table *t, struct check_framework *f, const char *key,
		     const char *value, GError **error)
{
	char ***list;

	if (*key != '.') {
		add_framework_rule(t, f, key, value);
		return true;
	}
	list = list_of_key(f, key);
	if (!list) {
		g_set_error(error, CHECK_TABLE_ERROR, CHECK_TABLE_ERROR_TEXT,
			    "[%s] has the unknown setting `%s'", f->name, key);
		return false;
	}
	g_strfreev(*list);
	*list = NULL;
	return g_shell_parse_argv(value, NULL, list, error);
}

static bool read_framework(struct check_table *t, GKeyFile *file, const char *name, GError **error)
{
	struct check_framework *f = g_new0(struct check_framework, 1);
	g_auto(GStrv) keys = g_key_file_get_keys(file, name, NULL, NULL);
	bool ok = true;

	f->name = g_strdup(name);
	g_ptr_array_add(t->frameworks, f);
	for (char **key = keys; ok && *key; key++) {
		g_autofree char *value = g_key_file_get_value(file, name, *key, error);

		ok = value && read_key(t, f, *key, value, error);
	}
	return ok;
}

static struct check_table *table_new(void)
{
	struct check_table *t = g_new0(struct check_table, 1);

	t->frameworks = g_ptr_array_new_with_free_func(framework_free);
	t->rules = g_ptr_array_new_with_free_func(rule_free);
	t->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	return t;
}

struct check_table *check_table_parse(const char *text, const char *name, GError **error)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_auto(GStrv) groups = NULL;
	struct check_table *t = table_new();
	GError *cause = NULL;
	bool ok = !*text ||
		  g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &cause);

	if (ok)
		groups = g_key_file_get_groups(file, NULL);
	for (char **group = groups; ok && *group; group++)
		ok = read_framework(t, file, *group, &cause);
	if (ok)
		return t;
	g_set_error(error, CHECK_TABLE_ERROR, CHECK_TABLE_ERROR_TEXT,
		    "The table of checks %s is not as its format has it: %s.", name,
		    cause->message);
	g_error_free(cause);
	check_table_free(t);
	return NULL;
}

void check_table_free(struct check_table *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->by_name);
	g_ptr_array_free(t->rules, TRUE);
	g_ptr_array_free(t->frameworks, TRUE);
	g_free(t);
}

bool check_table_add(struct check_table *t, const char *text, GError **error)
{
	size_t length = strcspn(text, " \t");
	g_autofree char *name = g_strndup(text, length);

	if (!length) {
		g_set_error(error, CHECK_TABLE_ERROR, CHECK_TABLE_ERROR_TEXT,
			    "--fail-call takes the name of a function, as in --fail-call die.");
		return false;
	}
	add_framework_rule(t, NULL, name, text + length);
	return true;
}

/* ---- asking ---- */

static bool matches_any(char *const *patterns, const char *file)
{
	for (; patterns && *patterns; patterns++)
		if (g_pattern_match_simple(*patterns, file))
			return true;
	return false;
}

static bool is_rule_meant(const struct check_rule *r, const char *file, bool variable)
{
	if (r->stores != variable)
		return false;
	return !r->framework || !r->framework->only_in ||
	       (file && matches_any(r->framework->only_in, file));
}

const struct check_rule *check_table_find(const struct check_table *t, const char *name,
					  const char *file, bool variable)
{
	const struct check_rule *r = name ? g_hash_table_lookup(t->by_name, name) : NULL;

	if (r && is_rule_meant(r, file, variable))
		return r;
	for (guint i = 0; name && i < t->rules->len; i++) {
		r = t->rules->pdata[i];
		if (r->pattern && g_pattern_spec_match_string(r->pattern, name) &&
		    is_rule_meant(r, file, variable))
			return r;
	}
	return NULL;
}

bool check_table_has_variables(const struct check_table *t)
{
	return t->has_variables;
}

bool check_framework_has_file(const struct check_framework *f, const char *file)
{
	return matches_any(f->files, file);
}
