/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/constant-words.h"
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/literal-words.h"

#include "solver/image/variable/variable.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <inttypes.h>
#include <string.h>

int64_t constant_element_size(const struct image *im, const struct mutant *mutant, const char *text)
{
	for (int64_t size = 2; mutant->from && size <= 16; size *= 2)
		if (mutant->from % size == 0 && mutant->to % size == 0 &&
		    literal_in(im, text, mutant->from / size) != LITERAL_NOT_THERE)
			return size;
	return 1;
}

const struct image_type *constant_enumeration(const struct image *im, const char *text,
					      int64_t value)
{
	const char *end;

	for (const char *at = text; at && *at; at = end) {
		g_autofree char *word = NULL;
		const struct image_type *type;
		int64_t named;

		for (end = at; source_is_word(*end); end++)
			;
		if (end == at || g_ascii_isdigit(*at)) {
			end += end == at;
			continue;
		}
		word = g_strndup(at, (gsize)(end - at));
		type = image_enumerator_named(im, word, &named);
		if (type && named == value)
			return type;
	}
	return NULL;
}

static const char *enumerator_of(const struct image_type *type, int64_t value)
{
	for (uint32_t i = 0; i < type->n_enumerators; i++)
		if (type->enumerators[i].value == value)
			return type->enumerators[i].name;
	return NULL;
}

/* "GREEN for RED"; NULL: the text names no such enumerator. */
static char *describe_enumerators(const struct image *im, const struct mutant *mutant,
				  const char *text)
{
	const struct image_type *type = constant_enumeration(im, text, mutant->from);
	const char *then = type ? enumerator_of(type, mutant->to) : NULL;

	if (!type)
		return NULL;
	return g_strdup_printf("%s for %s", then ? then : "another value",
			       enumerator_of(type, mutant->from));
}

bool constant_leaves_enumeration(const struct image *im, const struct mutant *mutant,
				 const char *text)
{
	const struct image_type *type = constant_enumeration(im, text, mutant->from);

	return type && !enumerator_of(type, mutant->to);
}

bool constant_is_one_less(const struct image *im, const struct mutant *mutant, const char *text)
{
	const struct trace_insn *jump = image_insn_at(im, mutant->addr + mutant->length);

	return jump && jump->flow == TRACE_FLOW_COND &&
	       literal_in(im, text, mutant->from) != LITERAL_THERE &&
	       (condition_has_operator(text, "<") || condition_has_operator(text, ">=")) &&
	       !condition_has_operator(text, ">") && !condition_has_operator(text, "<=");
}

bool constant_is_of_character_class(const struct mutant *mutant, const char *text)
{
	return mutant->from >= 1 << 8 && !(mutant->from & (mutant->from - 1)) &&
	       g_regex_match_simple("\\bis[a-z]+\\s*\\(", text, 0, 0);
}

bool constant_compares_bits(const struct mutant *mutant, const char *text)
{
	return !mutant->from && strchr(text, '&') &&
	       g_regex_match_simple("[^&]&[^&].*[!=]= ?0\\b", text, 0, 0);
}

/* `a - b - 1', for which the compiler adds -1 */
static bool is_subtracted(const char *text, int64_t value)
{
	g_autofree char *pattern =
		g_strdup_printf("[\\w\\])]\\s*-=?\\s*%" G_GUINT64_FORMAT "\\b", -(uint64_t)value);

	return value < 0 && g_regex_match_simple(pattern, text, 0, 0);
}

/* Does the number stand there several times, and once behind that sign? */
static bool is_repeated_number(const char *text, const char *number, const char *sign)
{
	g_autofree char *any = NULL, *behind = NULL;

	if (!text || !g_ascii_isdigit(*number))
		return false;
	any = g_strdup_printf("\\b%s\\b", number);
	behind = g_strdup_printf("[\\w\\])] ?%s ?%s\\b", sign, number);
	return operand_text_matches(text, any) > 1 && operand_text_matches(text, behind) == 1;
}

/* What lea adds is compared with nothing: it is the step of `n-- >= 0'. */
static bool sets_flags(const struct image *im, const struct mutant *mutant)
{
	const struct trace_insn *insn = image_insn_at(im, mutant->addr);

	return insn && insn->use_flags & TRACE_FLAGS_WRITTEN;
}

/* The machine's constant need not be that of the source: a compiler makes `i <= 9' of `i < 10',
 * adds 8 for two elements, and divides by shifts.  A number is named only where the source may hold
 * it, or where it is the 0 of `if (x)'. */
static char *describe_constant(const struct image *im, const struct mutant *mutant,
			       const char *text)
{
	g_autofree char *now = describe_enumerators(im, mutant, text), *then = NULL;
	int64_t more = 0, size = 1, sign;

	if (now)
		return g_steal_pointer(&now);
	if (text && literal_turned_truth(im, mutant, text))
		return g_strdup(literal_turned_truth(im, mutant, text));
	if (text && constant_is_one_less(im, mutant, text))
		more = 1;
	else if (text && literal_in(im, text, mutant->from) == LITERAL_NOT_THERE) {
		if (!mutant->from)
			return g_strdup_printf("%" PRId64 " for an implied 0", mutant->to);
		size = constant_element_size(im, mutant, text);
		more = size == 1 && condition_compares_order(text) && sets_flags(im, mutant) &&
		       literal_in(im, text, mutant->from + 1) == LITERAL_THERE;
		if (!more &&
		    (size == 1 || literal_in(im, text, mutant->from / size) != LITERAL_THERE))
			return g_strdup("another constant");
	}
	sign = text && !more && is_subtracted(text, mutant->from / size) ? -1 : 1;
	now = literal_text(sign * mutant->from / size + more, text);
	then = literal_text(sign * mutant->to / size + more, text && now[0] == '\'' ? now : NULL);
	if (sign * mutant->to >= 0 && is_repeated_number(text, now, sign < 0 ? "-" : "\\+"))
		return g_strdup_printf(sign < 0 ? "`- %s' for `- %s'" : "`+ %s' for `+ %s'", then,
				       now);
	return g_strdup_printf("%s for %s", then, now);
}

char *constant_words(const struct image *im, const struct mutant *mutant, const char *text)
{
	GString *words = g_string_new(NULL);
	g_autofree char *last = NULL;
	bool repeats = false;

	for (; mutant; mutant = mutant->also) {
		g_autofree char *one = describe_constant(im, mutant, text);

		if (g_strcmp0(last, one) == 0) {
			repeats = true;
			continue;
		}
		g_string_append_printf(words, "%s%s", words->len ? " and " : "", one);
		g_free(last);
		last = g_steal_pointer(&one);
	}
	return g_string_free(repeats ? g_string_append(words, ", each time") : words, FALSE);
}
