/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/condition-words.h"
#include "solver/change/code/code-line.h"

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

/* FORMS: the source has the comparison in none of them. */
static enum form written_form(int code, const char *text)
{
	enum form form = operators[code] ? OPPOSITE : FORMS;

	while (form < FORMS && !condition_has_operator(text, operator_in_form(code, form)))
		form++;
	return form;
}

bool condition_is_written(int code, const char *text)
{
	return written_form(code, text) < FORMS;
}

bool condition_chooses(const struct mutant *mutant, const char *text)
{
	return mutant_is_choice(mutant) && text &&
	       g_regex_match_simple("\\?|\\w ?\\(", text, 0, 0) &&
	       !g_regex_match_simple("\\b(if|for|while|switch)\\b", text, 0, 0);
}

char *condition_words(const struct mutant *mutant, const char *text)
{
	int from = (int)mutant->from, to = (int)mutant->to;
	enum form form = written_form(from, text);

	if (condition_chooses(mutant, text))
		return g_strdup("the other one of two values");
	if (to == (from ^ 1))
		return g_strdup("the condition negated");
	if (form == FORMS || !operators[to])
		return g_strdup("another comparison");
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

static unsigned times_in_text(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = strstr(text, what); at; at = strstr(at + strlen(what), what))
		n++;
	return n;
}

const char *condition_joined_words(const struct image *im, const struct mutant *mutant,
				   const char *file, unsigned line)
{
	unsigned first, last, both = 0, any = 0;

	if (mutant->kind != MUTANT_BRANCH || mutant->from != 1)
		return NULL;
	code_condition_lines(im, file, line, &first, &last);
	for (unsigned at = first; at <= last; at++) {
		const char *text = image_source_line(im, file, at);

		both += text ? times_in_text(text, "&&") : 0;
		any += text ? times_in_text(text, "||") : 0;
	}
	if (both + any != 1)
		return NULL;
	return both ? "`||' for `&&'" : "`&&' for `||'";
}

bool condition_turns_loop(const struct mutant *mutant, const char *text)
{
	g_autofree char *words =
		mutant->kind == MUTANT_CONDITION && operand_text_begins(text, "for")
			? condition_words(mutant, text)
			: NULL;

	return words && ((g_regex_match_simple("^`>=?' for `<=?'$", words, 0, 0) &&
			  g_regex_match_simple("\\+\\+|\\+=", text, 0, 0)) ||
			 (g_regex_match_simple("^`<=?' for `>=?'$", words, 0, 0) &&
			  g_regex_match_simple("--|-=", text, 0, 0)));
}
