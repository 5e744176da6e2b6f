/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes that nobody can have meant, although they are small and mend the test. */
#include "gdbext/evidence/mutation/mutation-private.h"
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/constant-words.h"
#include "gdbext/evidence/words/literal-words.h"
#include "solver/change/array-bound.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/place-words.h"
#include "solver/image/variable/variable.h"
#include "solver/library/library.h"
#include "solver/source/operand-text.h"

#include <string.h>

static bool is_sum_for_assignment(const struct mutant *mutant)
{
	return mutant->kind == MUTANT_OPERATOR &&
	       g_strcmp0(mutant_operator_written(mutant), "=") == 0;
}

/* `x += 5' for `x = 5' where that is executed once: there is nothing to sum up. */
static bool sums_up_nothing(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	return is_sum_for_assignment(mutant) && m->executes &&
	       !m->executes(m->executes_arg, mutant->addr, true) &&
	       g_regex_match_simple("[^=!<>]=\\s*(-?\\d+[uUlL]*|'[^']+')\\s*;", text, 0, 0);
}

static bool leaves_array(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	const struct image_statement *s =
		mutant->kind == MUTANT_CONSTANT ? mutation_statement(m, mutant->addr) : NULL;

	return s && array_bound_leaves(
			    mutation_image(m), s->file, s->line, mutant->addr,
			    mutant->to + constant_is_one_less(mutation_image(m), mutant, text));
}

/* `END' stored, for `line++'. */
static bool counts_by_name(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	g_autofree char *name =
		mutant->kind == MUTANT_EXPRESSION && mutant->words &&
				g_str_has_suffix(mutant->words, "' stored")
			? g_strndup(mutant->words + 1, strcspn(mutant->words + 1, "'"))
			: NULL;
	int64_t value;

	return name && image_enumerator_named(mutation_image(m), name, &value) &&
	       place_counts(mutation_image(m), mutant->addr, text, m->limits);
}

/* What `sizeof' says is right but for one, and a product dodges a division by 0. */
static bool changes_size_or_dodges(const struct mutation *m, const struct mutant *mutant,
				   const char *text)
{
	const char *written =
		mutant->kind == MUTANT_OPERATOR ? mutant_operator_written(mutant) : NULL;

	return (mutant->kind == MUTANT_CONSTANT && mutant->from && strstr(text, "sizeof") &&
		mutant->to != mutant->from + 1 && mutant->to != mutant->from - 1 &&
		literal_in(mutation_image(m), text, mutant->from) != LITERAL_THERE) ||
	       (m->checks && mutant->to == MUTANT_ANOTHER_OPERATOR && g_strcmp0(written, "/") == 0);
}

/* Has one of the function's lines before the statement, or all that there are, what matches? */
static bool is_in_line_of_function(const struct mutation *m, uint64_t addr, bool before,
				   const char *pattern)
{
	const struct image_function *f = image_function_at(mutation_image(m), addr);
	const struct image_statement *s = f ? mutation_statement(m, addr) : NULL;
	const char *line;

	for (unsigned at = f ? f->line : 0; s && !(before && at >= s->line); at++) {
		line = image_source_line(mutation_image(m), s->file, at);
		if (!line || *line == '}')
			return false;
		if (g_regex_match_simple(pattern, line, 0, 0))
			return true;
	}
	return false;
}

/* `flag = 0' for `flag = 1', where it was set to 0 before and is nothing that counts: then it would
 * not have to be set. */
static bool sets_what_it_was(const struct mutation *m, const struct mutant *mutant,
			     const char *text)
{
	g_autoptr(GRegex) regex = NULL;
	g_autoptr(GMatchInfo) found = NULL;
	g_autofree char *name = NULL, *before = NULL, *counted = NULL;

	if (mutant->kind != MUTANT_CONSTANT || mutant->also || (mutant->to | 1) != 1 ||
	    !strchr(text, '='))
		return false;
	regex = g_regex_new("(?<![\\w.>])(\\w+) *= *\\d+ *;", 0, 0, NULL);
	if (!g_regex_match(regex, text, 0, &found))
		return false;
	name = g_match_info_fetch(found, 1);
	before = g_strdup_printf("\\b%s *= *%d *[,;]", name, (int)mutant->to);
	counted = g_strdup_printf("\\b%s *(\\+\\+|--|[-+*/%%]=)|(\\+\\+|--) *%s\\b", name, name);
	return is_in_line_of_function(m, mutant->addr, true, before) &&
	       !is_in_line_of_function(m, mutant->addr, false, counted);
}

/* `n = x - n' for `n = n - x': what is counted down stands in front. */
static bool turns_counting(const struct mutant *mutant, const char *text)
{
	return mutant->kind == MUTANT_OPERATOR && mutant->to == MUTANT_OPERANDS_EXCHANGED &&
	       g_regex_match_simple("(?<![\\w.>])([\\w.\\[\\]]+|(\\w+->)+\\w+) *= *\\1 *-", text, 0,
				    0);
}

/* `argc' for another variable, where nobody uses it, and the format of `printf' or `scanf'
 * exchanged with another argument. */
static bool takes_any_argument(const struct mutation *m, const struct mutant *mutant,
			       const char *text)
{
	g_autofree char *words =
		mutant->kind == MUTANT_VARIABLE || mutant->kind == MUTANT_EXPRESSION
			? mutation_describe(m, mutant)
			: NULL;

	if (mutant->kind == MUTANT_EXCHANGED)
		return (mutant->from == 1 || mutant->to == 1) &&
		       g_regex_match_simple("\\b[a-z]*(printf|scanf)\\s*\\(", text, 0, 0);
	return words && g_str_has_prefix(words, "`argc'") &&
	       !is_in_line_of_function(m, mutant->addr, false, "(?<!int )\\bargc\\b");
}

/* `for (i = -1; ...; i++)': no array has such an index. */
static bool begins_below_zero(const struct mutant *mutant, const char *text)
{
	return mutant->kind == MUTANT_CONSTANT && !mutant->from && mutant->to < 0 &&
	       operand_text_begins(text, "for") &&
	       g_regex_match_simple("^\\s*for\\s*\\(.*=\\s*0\\s*;.*\\+\\+", text, 0, 0);
}

/* `year % 100 == 1' for `year % 100 == 0': whether a number is even is asked either way, but not
 * whether it is divisible by others. */
static bool asks_for_remainder(const struct mutant *mutant, const char *text)
{
	return mutant->kind == MUTANT_CONSTANT && !mutant->from &&
	       (mutant->to == 1 || mutant->to == -1) && strchr(text, '%') &&
	       g_regex_match_simple("%\\s*(?!2\\b)\\w+\\)?\\s*[!=]=\\s*0\\b", text, 0, 0);
}

/* `*s--' for `*s++' where the text at s is read: its end is not in front. */
static bool reads_backwards(const struct mutant *mutant, const char *text)
{
	const bool counts_down =
		mutant->kind == MUTANT_CONSTANT
			? mutant->from == 1 && mutant->to == -1
			: mutant->kind == MUTANT_OPERATOR &&
				  g_strcmp0(mutant_operator_written(mutant), "+") == 0;

	return counts_down && strstr(text, "++") &&
	       g_regex_match_simple("\\*\\s*\\w+\\+\\+(?!\\s*=[^=])", text, 0, 0);
}

/* The call that ends where an instruction begins; NULL: there is none. */
static const struct trace_insn *call_before(const struct image *im, uint64_t addr)
{
	for (uint64_t length = 2; length <= 15; length++) {
		const struct trace_insn *insn = image_insn_at(im, addr - length);

		if (insn && insn->length == length && insn->flow == TRACE_FLOW_CALL)
			return insn;
	}
	return NULL;
}

/* `strcmp(a, b) == 2' for `strcmp(a, b) == 0': only the sign of its result says something. */
static bool compares_with_sign(const struct mutation *m, const struct mutant *mutant)
{
	const struct image *im = mutation_image(m);
	const struct trace_insn *call = mutant->kind == MUTANT_CONSTANT && !mutant->from
						? call_before(im, mutant->addr)
						: NULL;
	const char *name = call ? image_native_name(im, call->target) : NULL;
	const struct library_function *f = name ? library_find(name) : NULL;

	return f && f->model == LIBRARY_COMPARES;
}

/* A `return' leaves out all that follows, which meets many a check, but few outputs. */
static bool leaves_out_the_rest(const struct mutation *m, const struct mutant *mutant)
{
	const struct expected_output *all = m->tests->of_one;

	return mutant->kind == MUTANT_MISSING && mutant->words &&
	       g_str_has_prefix(mutant->words, "`return' put ") &&
	       (!all || (!all->text[PRINTED_OUT] && !all->text[PRINTED_ERR]));
}

double mutation_unmeant(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	return sums_up_nothing(m, mutant, text) || leaves_array(m, mutant, text) ||
			       counts_by_name(m, mutant, text) ||
			       changes_size_or_dodges(m, mutant, text) ||
			       condition_turns_loop(mutant, text) || turns_counting(mutant, text) ||
			       begins_below_zero(mutant, text) ||
			       asks_for_remainder(mutant, text) || reads_backwards(mutant, text) ||
			       takes_any_argument(m, mutant, text) ||
			       sets_what_it_was(m, mutant, text) || compares_with_sign(m, mutant) ||
			       leaves_out_the_rest(m, mutant) ||
			       (is_sum_for_assignment(mutant) &&
				place_sums_no_numbers(mutation_image(m), mutant->addr, text,
						      m->limits))
		       ? (double)m->limits->slip_unmeant / 100
		       : 0;
}
