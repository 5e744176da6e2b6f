/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant in the words of the source. */
#include "gdbext/evidence/mutation-private.h"

#include <inttypes.h>
#include <string.h>

/* The operator of each condition code of x86; NULL where C has none. */
static const char *const operators[16] = {
	[2] = "<", [3] = ">=", [4] = "==",  [5] = "!=",	 [6] = "<=",
	[7] = ">", [12] = "<", [13] = ">=", [14] = "<=", [15] = ">",
};

/* Does the source have the operator, and not only a longer one that holds it? */
static bool has_operator(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
		if (at > text && !strchr("<>=!-", at[-1]) && !strchr("<>=", at[n]))
			return true;
	return false;
}

/* The machine's branch is taken either where the source's condition holds or where it does not, so
 * the operator of the source is that of the branch or its opposite. */
static char *describe_condition(const struct mutant *mutant, const char *text)
{
	int from = (int)mutant->from, to = (int)mutant->to;

	if (to == (from ^ 1))
		return g_strdup("the condition negated");
	if (operators[from] && operators[to] && has_operator(text, operators[from ^ 1]))
		return g_strdup_printf("`%s' for `%s'", operators[to ^ 1], operators[from ^ 1]);
	if (operators[from] && operators[to] && has_operator(text, operators[from]))
		return g_strdup_printf("`%s' for `%s'", operators[to], operators[from]);
	return g_strdup("another comparison");
}

/* ---- constants ---- */

static bool is_of_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Reads the number or character that the literal at this place stands for; *end is behind it.
 * False when no literal begins there. */
static bool literal_at(const char *at, int64_t *value, const char **end)
{
	char *behind = NULL;

	if (*at == '\'' && at[1] && at[1] != '\\' && at[2] == '\'') {
		*value = at[1];
		*end = at + 3;
		return true;
	}
	if (!g_ascii_isdigit(*at))
		return false;
	*value = g_ascii_strtoll(at, &behind, 0);
	for (*end = behind; is_of_word(**end) || **end == '.'; (*end)++)
		;
	return true;
}

/* A number of the code may stand in the source's line, it may be certain that it does not, or it
 * may be the value of a name. */
enum literal { LITERAL_THERE, LITERAL_NOT_THERE, LITERAL_UNKNOWN };

/* Does the statement end in this line?  If not, the rest of it may hold the number. */
static bool is_whole(const char *text)
{
	size_t n = strlen(text);

	while (n && g_ascii_isspace(text[n - 1]))
		n--;
	return n && strchr(";{)", text[n - 1]);
}

static enum literal look_for_literal(const char *text, int64_t number)
{
	bool any = false, names = false;

	for (const char *at = text; *at;) {
		int64_t value;

		if (literal_at(at, &value, &at)) {
			if (value == number || value == -number)
				return LITERAL_THERE;
			any = true;
		} else if (is_of_word(*at)) {
			const char *word = at;
			bool capital = true;

			for (; is_of_word(*at); at++)
				capital &= !g_ascii_islower(*at);
			names |= capital || g_str_has_prefix(word, "sizeof");
		} else {
			at++;
		}
	}
	return any && !names && is_whole(text) ? LITERAL_NOT_THERE : LITERAL_UNKNOWN;
}

/* The machine's constant need not be that of the source: a compiler makes `i <= 9' of `i < 10',
 * adds 8 for two elements, and divides by shifts.  A number is named only where the source may hold
 * it. */
static char *describe_constant(const struct mutant *mutant, const char *text)
{
	int64_t more = 0;

	if (text && look_for_literal(text, mutant->from) == LITERAL_NOT_THERE) {
		if (!strpbrk(text, "<>") ||
		    look_for_literal(text, mutant->from + 1) != LITERAL_THERE)
			return g_strdup("another constant");
		more = 1;
	}
	return g_strdup_printf("%" PRId64 " for %" PRId64, mutant->to + more, mutant->from + more);
}

char *mutation_describe(const struct mutation *m, const struct mutant *mutant)
{
	static const char *const words[] = {
		[MUTANT_BRANCH] = "its conditions joined otherwise",
		[MUTANT_DROPPED] = "a condition dropped",
		[MUTANT_OPERATOR] = "another operator",
		[MUTANT_VARIABLE] = "another variable, member or element",
		[MUTANT_REMOVED] = "a store or call left out",
		[MUTANT_SKIPPED] = "the line left out",
	};
	size_t n;
	const struct image *im = replay_images(m->replay, &n)[0];
	const struct image_row *row = image_row_at(im, mutant->addr);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;
	const char *text = s ? image_source_line(im, s->file, s->line) : NULL;

	if (mutant->kind == MUTANT_CONSTANT)
		return describe_constant(mutant, text);
	if (mutant->kind == MUTANT_EXCHANGED)
		return g_strdup_printf("arguments %" PRId64 " and %" PRId64 " exchanged",
				       mutant->from, mutant->to);
	if (mutant->kind == MUTANT_CONDITION)
		return describe_condition(mutant, text);
	return g_strdup(words[mutant->kind]);
}
