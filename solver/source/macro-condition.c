/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/macro-condition.h"
#include "solver/source/operand-text.h"

#include <string.h>

enum { MOST_EXPANSIONS = 4, MOST_MACRO_LENGTH = 4096 };

struct macro {
	char **parameters;
	char *body; /* without ends of lines */
};

static void macro_clear(struct macro *m)
{
	g_clear_pointer(&m->parameters, g_strfreev);
	g_clear_pointer(&m->body, g_free);
}

/* ---- the definition ---- */

static bool find_macro_in_text(const char *text, const char *name, struct macro *out)
{
	g_autofree char *pattern = g_strdup_printf(
		"^[ \\t]*#[ \\t]*define[ \\t]+%s\\(([^)]*)\\)((?:[^\\n\\\\]|\\\\\\n|\\\\.)*)",
		name);
	g_autoptr(GRegex) regex = g_regex_new(pattern, G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *parameters = NULL, *body = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_regex_match(regex, text, 0, &match))
		return false;
	parameters = g_match_info_fetch(match, 1);
	body = g_match_info_fetch(match, 2);
	lines = g_strsplit(body, "\\\n", 0);
	out->parameters = g_strsplit(parameters, ",", 0);
	for (char **p = out->parameters; *p; p++)
		g_strstrip(*p);
	out->body = g_strjoinv(" ", lines);
	if (strstr(out->body, "##") || strstr(parameters, "..."))
		macro_clear(out);
	return out->body;
}

/* In the file, or in one that it includes in quotes. */
static bool find_definition_of_macro(struct sources *sources, const char *file,
				     const struct source *s, const char *name, struct macro *out)
{
	g_autoptr(GRegex) regex = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*\"([^\"\\n]+)\"",
					      G_REGEX_MULTILINE, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *folder = g_path_get_dirname(file);
	bool found = find_macro_in_text(s->text, name, out);

	for (g_regex_match(regex, s->text, 0, &match); !found && g_match_info_matches(match);
	     g_match_info_next(match, NULL)) {
		g_autofree char *included = g_match_info_fetch(match, 1);
		g_autofree char *path = g_build_filename(folder, included, NULL);
		const struct source *other = sources_get(sources, path);

		found = other && find_macro_in_text(other->text, name, out);
	}
	return found;
}

/* ---- the expansion ---- */

static char *name_at(const struct source *s, size_t at)
{
	size_t end = at;

	while (end < s->length && source_is_word(s->code[end]))
		end++;
	return end > at && !g_ascii_isdigit(s->code[at]) ? g_strndup(s->code + at, end - at) : NULL;
}

/* The texts between the brackets at `open'; NULL: they do not end. */
static GPtrArray *arguments_given(const struct source *s, size_t open, size_t *close)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	size_t from = open + 1;
	unsigned depth = 0;

	*close = source_closing(s, open);
	for (size_t i = from; *close != SIZE_MAX && i <= *close; i++) {
		depth += strchr("([{", s->code[i]) != NULL;
		if (i < *close && strchr(")]}", s->code[i]))
			depth--;
		if (depth || (i < *close && s->code[i] != ','))
			continue;
		g_ptr_array_add(all, source_text(s, source_trim(s, from, i)));
		from = i + 1;
	}
	if (*close == SIZE_MAX)
		g_clear_pointer(&all, g_ptr_array_unref);
	return all;
}

/* What takes the place of a word of the body: an argument, or NULL. */
static const char *argument_of_word(const struct macro *m, const GPtrArray *arguments,
				    const char *word)
{
	for (guint i = 0; m->parameters[i] && i < arguments->len; i++)
		if (strcmp(m->parameters[i], word) == 0)
			return arguments->pdata[i];
	return NULL;
}

/* Does a name or a literal stand in brackets of its own, which it does not need? */
static bool has_needless_brackets(const GString *out, const char *argument, char next)
{
	return out->len > 1 && next == ')' && out->str[out->len - 1] == '(' &&
	       !source_is_word(out->str[out->len - 2]) &&
	       g_regex_match_simple("^(\\w+|\"([^\"\\\\]|\\\\.)*\"|'[^']+')$", argument, 0, 0);
}

static char *body_with_arguments(const struct macro *m, const GPtrArray *arguments)
{
	struct source *body = source_new(m->body);
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < body->length;) {
		g_autofree char *word = name_at(body, i);
		const char *argument = word ? argument_of_word(m, arguments, word) : NULL;
		const bool is_quoted = out->len && out->str[out->len - 1] == '#';

		if (is_quoted && argument) {
			g_string_truncate(out, out->len - 1);
			argument = "\"\"";
		}
		if (argument &&
		    has_needless_brackets(out, argument, body->code[i + strlen(word)])) {
			g_string_truncate(out, out->len - 1);
			i++;
		}
		if (argument)
			g_string_append(out, argument);
		else
			g_string_append_len(out, body->text + i, word ? (gssize)strlen(word) : 1);
		i += word ? strlen(word) : 1;
	}
	source_free(body);
	return g_string_free(out, FALSE);
}

/* The text in which the first call of a macro at or behind a place is expanded; NULL: there is
 * none. */
static char *with_macro_expanded(struct sources *sources, const char *file,
				 const struct source *definitions, const struct source *s,
				 size_t at, bool only_there)
{
	for (size_t i = at; i < s->length; i++) {
		g_autofree char *name =
			!i || !source_is_word(s->code[i - 1]) ? name_at(s, i) : NULL;
		const size_t open = name ? source_skip(s, i + strlen(name)) : s->length;
		struct macro m = { 0 };
		g_autoptr(GPtrArray) arguments = NULL;
		g_autofree char *body = NULL;
		size_t close;

		if (open < s->length && s->code[open] == '(' &&
		    find_definition_of_macro(sources, file, definitions, name, &m)) {
			arguments = arguments_given(s, open, &close);
			body = arguments ? body_with_arguments(&m, arguments) : NULL;
			macro_clear(&m);
			return body ? g_strdup_printf("%.*s%s%s", only_there ? 0 : (int)i, s->text,
						      body, only_there ? ";" : s->text + close + 1)
				    : NULL;
		}
		if (only_there)
			return NULL;
	}
	return NULL;
}

/* Where the first `if' stands; SIZE_MAX: nowhere. */
static size_t first_if(const struct source *s)
{
	for (size_t i = 0; i < s->length; i++)
		if (source_has_word(s, i, "if"))
			return i;
	return SIZE_MAX;
}

/* The statement with its macros expanded up to the first `if'; NULL: it has none. */
static struct source *expand_statement(struct sources *sources, const char *file,
				       const struct source *s, size_t at)
{
	char *text = with_macro_expanded(sources, file, s, s, at, true);
	struct source *expanded = NULL;

	for (int i = 0; text && i < MOST_EXPANSIONS; i++) {
		expanded = source_new(text);
		g_clear_pointer(&text, g_free);
		if (expanded->length > MOST_MACRO_LENGTH || first_if(expanded) != SIZE_MAX)
			break;
		text = with_macro_expanded(sources, file, s, expanded, 0, false);
		if (!text || i + 1 == MOST_EXPANSIONS)
			break;
		g_clear_pointer(&expanded, source_free);
	}
	g_free(text);
	if (expanded && (expanded->length > MOST_MACRO_LENGTH || first_if(expanded) == SIZE_MAX))
		g_clear_pointer(&expanded, source_free);
	return expanded;
}

/* ---- the condition ---- */

/* Places from which a compiler makes jumps; `while (0)' is none. */
static unsigned conditions_in(const struct source *s, size_t from, size_t to)
{
	g_autofree char *code = g_strndup(s->code + from, to - from);

	return operand_text_matches(
		code, "\\?|&&|\\|\\||\\b(if|for|while(?!\\s*\\(\\s*(0|false)\\s*\\)))\\b");
}

bool macro_condition_find(struct sources *sources, const char *file, const struct source *s,
			  size_t at, struct macro_condition *out)
{
	struct macro_condition m = { .expanded = expand_statement(sources, file, s, at) };
	const size_t head = m.expanded ? first_if(m.expanded) : 0;

	if (!m.expanded)
		return false;
	if (conditions_in(m.expanded, 0, head) || !condition_text_find(m.expanded, head, &m.text)) {
		source_free(m.expanded);
		return false;
	}
	m.more = conditions_in(m.expanded, m.text.whole.to, m.expanded->length);
	*out = m;
	return true;
}

void macro_condition_clear(struct macro_condition *m)
{
	g_clear_pointer(&m->expanded, source_free);
	condition_text_clear(&m->text);
}
