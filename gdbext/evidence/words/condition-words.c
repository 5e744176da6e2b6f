/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/condition-words.h"

#include "solver/source/operand-text.h"

#include <string.h>

/* The operator of each condition code of x86; NULL where C has none. */
static const char *const operators[16] = {
	[2] = "<", [3] = ">=", [4] = "==",  [5] = "!=",	 [6] = "<=",
	[7] = ">", [12] = "<", [13] = ">=", [14] = "<=", [15] = ">",
};

bool condition_has_operator(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
		if (at > text && !strchr("<>=!-", at[-1]) && !strchr("<>=", at[n]))
			return true;
	return false;
}

bool condition_compares_order(const char *text)
{
	return condition_has_operator(text, "<") || condition_has_operator(text, ">") ||
	       condition_has_operator(text, "<=") || condition_has_operator(text, ">=");
}

/* The condition code of the same comparison with its operands exchanged: `>' for `<'. */
static int with_operands_exchanged(int code)
{
	static const int others[16] = { [2] = 7, [3] = 6,   [4] = 4,   [5] = 5,	  [6] = 3,
					[7] = 2, [12] = 15, [13] = 14, [14] = 13, [15] = 12 };

	return others[code];
}

/* The ways in which the source may write what the machine compares.  The branch may be taken
 * when the source's condition holds, or when it does not; and a compiler makes `n > d * d' of `d
 * * d < n'. */
enum form { OPPOSITE, SAME, OPPOSITE_EXCHANGED, SAME_EXCHANGED, FORMS };

static const char *operator_in_form(int code, enum form form)
{
	if (form == OPPOSITE || form == OPPOSITE_EXCHANGED)
		code ^= 1;
	if (form == OPPOSITE_EXCHANGED || form == SAME_EXCHANGED)
		code = with_operands_exchanged(code);
	return operators[code];
}

static bool is_read_in_form(enum condition_reading reading, enum form form)
{
	switch (reading) {
	case CONDITION_AS_WRITTEN:
		return form == OPPOSITE || form == SAME;
	case CONDITION_HOLDS:
		return form == SAME || form == SAME_EXCHANGED;
	case CONDITION_FAILS:
		return form == OPPOSITE || form == OPPOSITE_EXCHANGED;
	default:
		return true;
	}
}

/* FORMS: the source has the comparison in none of them. */
static enum form written_form(int code, const char *text, enum condition_reading reading)
{
	enum form form = operators[code] ? OPPOSITE : FORMS;

	while (form < FORMS && (!is_read_in_form(reading, form) ||
				!condition_has_operator(text, operator_in_form(code, form))))
		form++;
	return form;
}

bool condition_is_written(int code, const char *text)
{
	return written_form(code, text, CONDITION_READ_FREELY) < FORMS;
}

bool condition_chooses(const struct mutant *mutant, const char *text)
{
	return mutant_is_choice(mutant) && text &&
	       g_regex_match_simple("\\?|\\w ?\\(", text, 0, 0) &&
	       !g_regex_match_simple("\\b(if|for|while|switch)\\b", text, 0, 0);
}

char *condition_words(const struct mutant *mutant, const char *text, enum condition_reading reading)
{
	int from = (int)mutant->from, to = (int)mutant->to;
	enum form form = written_form(from, text, reading);

	if (condition_chooses(mutant, text))
		return g_strdup("the other one of two values");
	if (to == (from ^ 1))
		return g_strdup("the condition negated");
	if (form == FORMS || !operators[to])
		return g_strdup(CONDITION_ANOTHER);
	return g_strdup_printf("`%s' for `%s'", operator_in_form(to, form),
			       operator_in_form(from, form));
}

const char *condition_exchanged_words(const char *function)
{
	static const char *const words[][2] = { { "<=", "`>=' for `<='" },
						{ ">=", "`<=' for `>='" },
						{ "<", "`>' for `<'" },
						{ ">", "`<' for `>'" } };
	const char *sign = function && g_str_has_prefix(function, "operator")
				   ? function + strlen("operator")
				   : "";

	if (g_str_has_prefix(sign, "<<") || g_str_has_prefix(sign, ">>") ||
	    g_str_has_prefix(sign, "<=>"))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(sign, words[i][0]))
			return words[i][1];
	return NULL;
}

bool condition_turns_loop(const struct mutant *mutant, const char *text)
{
	g_autofree char *words =
		mutant->kind == MUTANT_CONDITION && operand_text_begins(text, "for")
			? condition_words(mutant, text, CONDITION_READ_FREELY)
			: NULL;

	return words && ((g_regex_match_simple("^`>=?' for `<=?'$", words, 0, 0) &&
			  g_regex_match_simple("\\+\\+|\\+=", text, 0, 0)) ||
			 (g_regex_match_simple("^`<=?' for `>=?'$", words, 0, 0) &&
			  g_regex_match_simple("--|-=", text, 0, 0)));
}
