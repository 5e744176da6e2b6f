/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is another number one that stands in the source?  A compiler has numbers of its own: masks,
 * shifts, the bounds of ranges, the sizes of elements. */
#include "gdbext/evidence/mutation/mutation-private.h"
#include "gdbext/evidence/words/literal-words.h"
#include "solver/change/code/code-line.h"
#include "solver/change/mutant/instruction-mutants.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/source/operand-text.h"

#include <string.h>

static bool is_code_constant(const struct mutant *of, int64_t value)
{
	return of->kind == MUTANT_CONSTANT && of->from == value;
}

/* The line's code, without a comment behind it.  NULL: it is not known.  Free it. */
static char *code_of_line(const struct mutation *m, const struct image_statement *s)
{
	const char *line = image_source_line(mutation_image(m), s->file, s->line);

	return line ? g_strndup(line, operand_text_code_length(line)) : NULL;
}

/* How many instructions of the line compute with the constant, by that operator (0 = any).  Of how
 * an unsigned number becomes a floating-point one a compiler makes masks and shifts that are none
 * of the line's. */
static guint times_in_code(const struct mutation *m, const struct image_statement *s, int64_t value,
			   char symbol)
{
	g_autofree char *text = code_of_line(m, s);
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);
	g_autoptr(GHashTable) addrs =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *of = &g_array_index(all, struct mutant, i);

		if (is_code_constant(of, value) &&
		    (!symbol || mutant_sum_symbol(mutation_image(m), of->addr) == symbol) &&
		    (!text || mutant_bits_are_written(mutation_image(m), of->addr, text)))
			g_hash_table_add(addrs, g_memdup2(&of->addr, sizeof of->addr));
	}
	return g_hash_table_size(addrs);
}

/* How often the line has the number, which may be negative, or counts by it. */
static guint times_in_source(const char *text, const char *number)
{
	const bool is_negative = *number == '-', is_step = strcmp(number + is_negative, "1") == 0;
	g_autofree char *pattern =
		g_strdup_printf("%s(?<![\\w.'\"])%s(?![\\w.'\"])", is_negative ? "-\\s*" : "",
				number + is_negative);

	return operand_text_matches(text, pattern) +
	       (is_step ? operand_text_matches(text, is_negative ? "--" : "\\+\\+|--") : 0);
}

/* Does the instruction add the number, or subtract it, and has the line that as often as its code?
 * The code of the line may have the same number of other operands, and of those in the next line.
 */
static bool is_summand_of_source(const struct mutation *m, const struct mutant *of,
				 const struct image_statement *s, const char *text,
				 const char *number)
{
	const char symbol = mutant_sum_symbol(mutation_image(m), of->addr);
	g_autofree char *pattern =
		symbol ? g_strdup_printf("[\\w)\\]]\\s*\\%c=?\\s*%s(?![\\w.'\"])", symbol, number)
		       : NULL;
	const guint source = pattern ? operand_text_matches(text, pattern) : 0;

	return source && source == times_in_code(m, s, of->from, symbol);
}

/* `f(a && b)': of what joins conditions a compiler makes a 0 and a 1. */
static bool makes_truth_value(const char *text)
{
	return (strstr(text, "&&") || strstr(text, "||")) &&
	       !g_regex_match_simple("^\\W*(else\\s+)?(if|while|for)\\b", text, 0, 0);
}

/* 0, 1 and -1 are what a compiler puts in by itself.  Elsewhere the line has as many as its code,
 * or it is known what gets the number or is compared with it. */
static bool is_number_of_source(const struct mutation *m, const struct mutant *of,
				const struct image_statement *s, const char *text,
				const char *words)
{
	g_autoptr(GRegex) form = g_regex_new("^-?\\d+ for (-?[01])(, each time)?$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *number = NULL;
	guint code, source;

	if (!g_regex_match(form, words, 0, &match))
		return true;
	if (!mutant_bits_are_written(mutation_image(m), of->addr, text))
		return false;
	number = g_match_info_fetch(match, 1);
	code = times_in_code(m, s, of->from, 0);
	source = times_in_source(text, number);
	/* a name of a macro's may stand for the only one */
	return (code == source && !makes_truth_value(text)) ||
	       (!source && code == 1 &&
		literal_in(mutation_image(m), text, of->from) == LITERAL_UNKNOWN) ||
	       is_summand_of_source(m, of, s, text, number) ||
	       (!of->also && mutator_number_is_certain(m->mutator, of, number));
}

/* `i++' has no number, and what i += 1 is made of may have one.  A number of bits by which the
 * machine shifts is in the source where that shifts, too. */
static bool is_of_machine(const struct mutation *m, const struct mutant *of, const char *text)
{
	switch (mutant_use_of_constant(mutation_image(m), of->addr)) {
	case MUTANT_ADDS:
		/* but `--' for `++' */
		return (of->from == 1 || of->from == -1) && of->to != -of->from &&
		       operand_text_matches(text, "\\+\\+|--");
	case MUTANT_SHIFTS:
		return !operand_text_matches(text, "<<|>>");
	case MUTANT_DOUBLES:
		return literal_in(mutation_image(m), text, of->from) != LITERAL_THERE;
	default:
		return false;
	}
}

/* `c >= 'a' && c <= 'z'' is the machine's c - 'a' <= 25, without a sign: with another number for
 * 'a' both ends of the range are others. */
static bool moves_range(const struct mutation *m, const struct mutant *of, const char *text)
{
	g_autofree char *number = literal_text(of->from < 0 ? -of->from : of->from, text);
	g_autofree char *escaped = g_regex_escape_string(number, -1);
	g_autofree char *compared = g_strdup_printf("[<>]=?\\s*%s(?![\\w.])", escaped);
	g_autofree char *added = g_strdup_printf("[-+]=?\\s*%s(?![\\w.])", escaped);

	return mutant_use_of_constant(mutation_image(m), of->addr) == MUTANT_ADDS &&
	       operand_text_matches(text, compared) && !operand_text_matches(text, added);
}

/* Does the text only assign the number? */
static bool is_only_assigned(const char *text, int64_t number)
{
	g_autofree char *literal = literal_text(number, text);
	g_autofree char *escaped = g_regex_escape_string(literal, -1);
	g_autofree char *any = g_strdup_printf("(?<![\\w.])%s(?![\\w.])", escaped);
	g_autofree char *assigned =
		g_strdup_printf("(?<![-=!<>+*/%%&|^])=\\s*%s(?![\\w.])", escaped);
	const guint n = operand_text_matches(text, any);

	return n && operand_text_matches(text, assigned) == n;
}

/* Is the number compared where the source compares with none?  An optimizer knows that i is 1 in
 * the first `i < n'. */
static bool is_compared_unsaid(const struct mutation *m, const struct mutant *of, const char *text)
{
	const struct trace_insn *branch = image_insn_at(mutation_image(m), of->addr + of->length);

	return branch && branch->flow == TRACE_FLOW_COND && is_only_assigned(text, of->from);
}

/* Has the line the number of "3 for 2, each time" several times?  A name may stand for it. */
static bool is_there_each_time(const struct mutation *m, const struct mutant *of, const char *text,
			       const char *words)
{
	g_autofree char *number = literal_text(of->from, text), *escaped = NULL, *pattern = NULL;

	if (!g_str_has_suffix(words, ", each time") ||
	    literal_in(mutation_image(m), text, of->from) != LITERAL_THERE)
		return true;
	escaped = g_regex_escape_string(number, -1);
	pattern = g_strdup_printf("(?<![\\w.])%s(?![\\w.])", escaped);
	return operand_text_matches(text, pattern) > 1;
}

/* Has the line this number, as often as its code?  A bound of the code may be one less. */
static bool is_number_as_often(const struct mutation *m, const struct image_statement *s,
			       const char *text, const char *number)
{
	const int64_t value = g_ascii_strtoll(number, NULL, 10);
	const guint code = times_in_code(m, s, value, 0);
	g_autofree char *pattern =
		g_strdup_printf("(?<![\\w.'\"])%s(?![\\w.'\"])", number + (*number == '-'));
	const guint source = operand_text_matches(text, pattern);

	return source && (!code || code == source) &&
	       !(value >= -1 && value <= 1 && makes_truth_value(text));
}

/* Has the line each of several numbers that change together? */
static bool are_numbers_of_source(const struct mutation *m, const struct mutant *of,
				  const struct image_statement *s, const char *text,
				  const char *words)
{
	g_auto(GStrv) parts = g_strsplit(words, " and ", 0);
	g_autoptr(GRegex) form = g_regex_new("^-?\\d+ for (-?\\d+)", 0, 0, NULL);
	bool are = true;

	for (char **part = parts; of->also && parts[1] && are && *part; part++) {
		g_autoptr(GMatchInfo) match = NULL;
		g_autofree char *number = NULL;

		if (!g_regex_match(form, *part, 0, &match))
			continue;
		number = g_match_info_fetch(match, 1);
		are = is_number_as_often(m, s, text, number);
	}
	return are;
}

/* `x % 8' is the machine's x & 7, and with another number than 2^n - 1 it is no remainder. */
static bool masks_for_remainder(const struct mutation *m, const struct mutant *of, const char *text)
{
	return of->kind == MUTANT_CONSTANT && of->from > 0 && !(of->from & (of->from + 1)) &&
	       strchr(text, '%') && !g_regex_match_simple("[^&]&[^&]", text, 0, 0) &&
	       literal_in(mutation_image(m), text, of->from) != LITERAL_THERE;
}

bool mutation_number_is_tellable(const struct mutation *m, const struct mutant *of,
				 const struct image_statement *s, const char *text,
				 const char *words)
{
	return !mutator_is_bits_of_real(m->mutator, of) && !masks_for_remainder(m, of, text) &&
	       !literal_has_two_forms(text, of->from) && !is_of_machine(m, of, text) &&
	       !moves_range(m, of, text) && !is_compared_unsaid(m, of, text) &&
	       is_there_each_time(m, of, text, words) &&
	       is_number_of_source(m, of, s, text, words) &&
	       are_numbers_of_source(m, of, s, text, words);
}
