/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-words.h"

#include "solver/base/ordinal.h"
#include "solver/change/source/operand-name.h"

/* "argument 2", and of which of the line's calls. */
static char *words_of_argument(const struct value_site *site)
{
	if (site->calls < 2 || !site->callee)
		return g_strdup_printf("argument %u", site->argument);
	if (site->alike < 2)
		return g_strdup_printf("argument %u of `%s'", site->argument, site->callee);
	return g_strdup_printf("argument %u of the %u%s `%s'", site->argument, site->call,
			       ordinal_ending(site->call), site->callee);
}

/* The variable that the instruction stores to, where the line stores to several; else NULL. */
static char *one_of_several_stored(struct mutant_maker *x, uint64_t addr)
{
	g_autofree char *line = mutant_maker_line(x, addr);

	return line && g_regex_match_simple("[\\w\\]] *=[^=].*[\\w\\]] *=[^=]", line, 0, 0)
		       ? operand_name_stored(x->im, addr)
		       : NULL;
}

const char *expression_words(struct mutant_maker *x, const struct value_site *site,
			     const char *text, enum expression_way way)
{
	static const char *const words[WAYS] = { [ADDED] = "`+ %s' added",
						 [SUBTRACTED] = "`- %s' added",
						 [SUBTRACTED_FROM] = "`%s -' before the value",
						 [TIMES] = "`* %s' added" };
	g_autofree char *out = NULL, *added = NULL, *argument = words_of_argument(site);
	g_autofree char *stored = one_of_several_stored(x, site->addr);

	if (way == INSTEAD)
		out = site->argument
			      ? g_strdup_printf("`%s' passed as %s", text, argument)
			      : g_strdup_printf(site->stores ? "`%s' stored" : "`%s' returned",
						text);
	else if (way == WHERE_ZERO)
		out = g_strdup_printf("`%s' where the value is 0", text);
	else
		/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of those above */
		added = g_strdup_printf(words[way], text);
	if (added && site->argument)
		out = g_strdup_printf("%s to %s", added, argument);
	else if (added && site->stores && stored)
		out = g_strdup_printf("%s to `%s'", added, stored);
	return g_string_chunk_insert_const(x->words, out ? out : added);
}
