/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/options/log.h"

#include "gdbext/options/options.h"

#include <stdio.h>
#include <string.h>

struct rule {
	char *domain; /* NULL = all */
	GLogLevelFlags level;
};

struct log_rules {
	GArray *rules; /* struct rule; the last one that fits counts */
};

static const struct {
	const char *name;
	GLogLevelFlags level;
} levels[] = {
	{ "error", G_LOG_LEVEL_ERROR },	    { "critical", G_LOG_LEVEL_CRITICAL },
	{ "warning", G_LOG_LEVEL_WARNING }, { "message", G_LOG_LEVEL_MESSAGE },
	{ "info", G_LOG_LEVEL_INFO },	    { "debug", G_LOG_LEVEL_DEBUG },
};

static void clear_rule(gpointer data)
{
	g_free(((struct rule *)data)->domain);
}

static void add_log_rule(struct log_rules *r, const char *domain, size_t length,
			 GLogLevelFlags level)
{
	struct rule rule = { domain ? g_strndup(domain, length) : NULL, level };

	g_array_append_val(r->rules, rule);
}

static bool find_level(const char *name, GLogLevelFlags *level)
{
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++)
		if (strcmp(levels[i].name, name) == 0) {
			*level = levels[i].level;
			return true;
		}
	return false;
}

static bool read_rule(struct log_rules *r, const char *word, GError **error)
{
	const char *colon = strchr(word, ':');
	GLogLevelFlags level;

	if (find_level(colon ? colon + 1 : word, &level) && colon != word) {
		add_log_rule(r, colon ? word : NULL, colon ? (size_t)(colon - word) : 0, level);
		return true;
	}
	g_set_error(
		error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		"GDB_WHY_LOG has `%s'; write FOLDER:LEVEL or LEVEL, with commas between them, "
		"such as `mi:debug,formula:info'.  Levels are error, critical, warning, message, "
		"info and debug.",
		word);
	return false;
}

struct log_rules *log_rules_new(const char *spec, const char *domains, GError **error)
{
	struct log_rules *r = g_new0(struct log_rules, 1);
	g_auto(GStrv) rules = g_strsplit(spec ? spec : "", ",", -1);
	g_auto(GStrv) names = g_strsplit_set(domains ? domains : "", " ,", -1);

	r->rules = g_array_new(FALSE, FALSE, sizeof(struct rule));
	g_array_set_clear_func(r->rules, clear_rule);
	add_log_rule(r, NULL, 0, G_LOG_LEVEL_WARNING);
	for (char **name = names; *name; name++)
		if (**name)
			add_log_rule(r, strcmp(*name, "all") == 0 ? NULL : *name, strlen(*name),
				     G_LOG_LEVEL_DEBUG);
	for (char **rule = rules; *rule; rule++)
		if (**rule && !read_rule(r, *rule, error)) {
			log_rules_free(r);
			return NULL;
		}
	return r;
}

void log_rules_free(struct log_rules *r)
{
	if (!r)
		return;
	g_array_free(r->rules, TRUE);
	g_free(r);
}

bool log_rules_say(const struct log_rules *r, const char *domain, GLogLevelFlags level)
{
	for (guint i = r->rules->len; i > 0; i--) {
		const struct rule *rule = &g_array_index(r->rules, struct rule, i - 1);

		/* GLib's levels are bits, the graver the lower */
		if (!rule->domain || g_strcmp0(rule->domain, domain) == 0)
			return (level & G_LOG_LEVEL_MASK) <= rule->level;
	}
	return false;
}

static const char *log_field(const GLogField *fields, gsize n, const char *name)
{
	for (gsize i = 0; i < n; i++)
		if (strcmp(fields[i].key, name) == 0 && fields[i].length < 0)
			return fields[i].value;
	return NULL;
}

static const char *name_of_level(GLogLevelFlags level)
{
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++)
		if (level & levels[i].level)
			return levels[i].name;
	return "log";
}

static GLogWriterOutput write_entry(GLogLevelFlags level, const GLogField *fields, gsize n,
				    gpointer data)
{
	const char *domain = log_field(fields, n, "GLIB_DOMAIN"),
		   *text = log_field(fields, n, "MESSAGE");

	if (log_rules_say(data, domain, level))
		fprintf(stderr, "gdb-why: %s%s%s: %s\n", domain ? domain : "", domain ? " " : "",
			name_of_level(level), text ? text : "");
	return G_LOG_WRITER_HANDLED;
}

static void free_rules(gpointer rules)
{
	log_rules_free(rules);
}

bool log_start(GError **error)
{
	struct log_rules *r =
		log_rules_new(g_getenv("GDB_WHY_LOG"), g_getenv("G_MESSAGES_DEBUG"), error);

	if (!r)
		return false;
	g_log_set_writer_func(write_entry, r, free_rules);
	return true;
}
