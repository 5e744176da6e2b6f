/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant in the words of the source. */
#include "gdbext/evidence/mutation/condition-words.h"
#include "gdbext/evidence/mutation/copied-words.h"
#include "gdbext/evidence/mutation/literal-words.h"
#include "gdbext/evidence/mutation/mutation-private.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/mutant/mutant-step.h"
#include "solver/change/array-bound.h"
#include "solver/change/place-words.h"
#include "solver/image/variable/variable.h"
#include "solver/library/mangled.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <inttypes.h>
#include <string.h>

static bool is_equality_code(int code)
{
	return (code | 1) == 5;
}

/* ---- constants ---- */

/* How many bytes an element may have, when the source counts elements where the code counts bytes.
 */
static int64_t element_size(const struct image *im, const struct mutant *mutant, const char *text)
{
	for (int64_t size = 2; mutant->from && size <= 16; size *= 2)
		if (mutant->from % size == 0 && mutant->to % size == 0 &&
		    literal_in(im, text, mutant->from / size) != LITERAL_NOT_THERE)
			return size;
	return 1;
}

/* The enumeration of which the text names this value; NULL = none. */
static const struct image_type *enumeration_of(const struct image *im, const char *text,
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
	const struct image_type *type = enumeration_of(im, text, mutant->from);
	const char *then = type ? enumerator_of(type, mutant->to) : NULL;

	if (!type)
		return NULL;
	return g_strdup_printf("%s for %s", then ? then : "another value",
			       enumerator_of(type, mutant->from));
}

/* No value of an enumeration takes the place of one: nobody can have meant that. */
static bool leaves_enumeration(const struct image *im, const struct mutant *mutant,
			       const char *text)
{
	const struct image_type *type = enumeration_of(im, text, mutant->from);

	return type && !enumerator_of(type, mutant->to);
}

/* A compiler makes comparisons and branches of a `switch' that the source does not have. */
static bool is_switch(const char *text)
{
	for (; text && g_ascii_isspace(*text); text++)
		;
	return text && g_str_has_prefix(text, "switch") && !source_is_word(text[strlen("switch")]);
}

static char *describe_switch(const struct image *im, const struct mutant *mutant, const char *text)
{
	switch (mutant->kind) {
	case MUTANT_CONSTANT:
		if (literal_in(im, text, mutant->from) == LITERAL_THERE)
			return NULL;
		return g_strdup("its cases told apart otherwise");
	case MUTANT_CONDITION:
	case MUTANT_DROPPED:
		return g_strdup("its cases told apart otherwise");
	case MUTANT_BRANCH:
		return g_strdup("another of its cases taken");
	default:
		return NULL;
	}
}

/* `p->n' compares nothing. */
static bool compares_order(const char *text)
{
	return condition_has_operator(text, "<") || condition_has_operator(text, ">") ||
	       condition_has_operator(text, "<=") || condition_has_operator(text, ">=");
}

/* `i < N' and `i >= N' are compared with the number below N. */
static bool compares_with_one_less(const struct image *im, const struct mutant *mutant,
				   const char *text)
{
	const struct trace_insn *jump = image_insn_at(im, mutant->addr + mutant->length);

	return jump && jump->flow == TRACE_FLOW_COND &&
	       literal_in(im, text, mutant->from) != LITERAL_THERE &&
	       (condition_has_operator(text, "<") || condition_has_operator(text, ">=")) &&
	       !condition_has_operator(text, ">") && !condition_has_operator(text, "<=");
}

/* The machine's constant need not be that of the source: a compiler makes `i <= 9' of `i < 10',
 * adds 8 for two elements, and divides by shifts.  A number is named only where the source may hold
 * it, or where it is the 0 of `if (x)'. */
static char *describe_constant(const struct image *im, const struct mutant *mutant,
			       const char *text)
{
	g_autofree char *now = describe_enumerators(im, mutant, text), *then = NULL;
	int64_t more = 0, size = 1;

	if (now)
		return g_steal_pointer(&now);
	if (text && literal_turned_truth(text, mutant->from, mutant->to))
		return g_strdup(literal_turned_truth(text, mutant->from, mutant->to));
	if (text && compares_with_one_less(im, mutant, text))
		more = 1;
	else if (text && literal_in(im, text, mutant->from) == LITERAL_NOT_THERE) {
		if (!mutant->from)
			return g_strdup_printf("%" PRId64 " for an implied 0", mutant->to);
		size = element_size(im, mutant, text);
		more = size == 1 && compares_order(text) &&
		       literal_in(im, text, mutant->from + 1) == LITERAL_THERE;
		if (!more &&
		    (size == 1 || literal_in(im, text, mutant->from / size) != LITERAL_THERE))
			return g_strdup("another constant");
	}
	now = literal_text(mutant->from / size + more, text);
	then = literal_text(mutant->to / size + more, text && now[0] == '\'' ? now : NULL);
	return g_strdup_printf("%s for %s", then, now);
}

/* Constants that are changed together, in words: "'a' for 'A' and 'z' for 'Z'". */
static char *describe_constants(const struct image *im, const struct mutant *mutant,
				const char *text)
{
	GString *words = g_string_new(NULL);

	for (; mutant; mutant = mutant->also) {
		g_autofree char *one = describe_constant(im, mutant, text);

		g_string_append_printf(words, "%s%s", words->len ? " and " : "", one);
	}
	return g_string_free(words, FALSE);
}

static const struct image *image_of(const struct mutation *m)
{
	size_t n;

	return replay_images(m->replay, &n)[0];
}

static const char *text_at(const struct mutation *m, uint64_t addr)
{
	const struct image *im = image_of(m);
	const struct image_row *row = image_row_at(im, addr);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return s ? image_source_line(im, s->file, s->line) : NULL;
}

static bool may_be_written(const struct image *im, const struct mutant *mutant, const char *text)
{
	return is_switch(text) || /* its cases stand in other lines */
	       literal_in(im, text, mutant->from) != LITERAL_NOT_THERE ||
	       (compares_order(text) &&
		literal_in(im, text, mutant->from + 1) != LITERAL_NOT_THERE) ||
	       element_size(im, mutant, text) > 1;
}

/* The bit that a macro like isdigit() looks at is in no source of the user's. */
static bool is_of_character_class(const struct mutant *mutant, const char *text)
{
	return mutant->from >= 1 << 8 && !(mutant->from & (mutant->from - 1)) &&
	       g_regex_match_simple("\\bis[a-z]+\\s*\\(", text, 0, 0);
}

static bool compares_with_null(const struct image *im, const char *text)
{
	return literal_in(im, text, 0) != LITERAL_THERE &&
	       g_regex_match_simple("\\b(NULL|nullptr)\\b", text, 0, 0);
}

/* `(flags & DIRTY) != 0': nobody compares that with another number that is near 0. */
static bool compares_bits(const struct mutant *mutant, const char *text)
{
	return !mutant->from && g_regex_match_simple("[^&]&[^&].*[!=]= ?0\\b", text, 0, 0);
}

static bool is_argument_vector(const struct image_variable *v, const struct image_function *f)
{
	return v->parameter && v->function == f && v->name && v->type &&
	       v->type->kind == IMAGE_TYPE_POINTER && v->type->target &&
	       v->type->target->kind == IMAGE_TYPE_POINTER;
}

/* `argv[0]' for `argv[2]' in main: nobody reads an argument where the program's name is. */
static bool reads_program_name(const struct image *im, const struct mutant *mutant,
			       const char *text)
{
	const struct image_function *f = image_function_at(im, mutant->addr);
	const struct image_variable *const *all;
	size_t n = f && strcmp(f->name, "main") == 0 ? image_variables_at(im, f->body, &all) : 0;

	for (size_t i = 0; i < n && mutant->to == 0; i++) {
		g_autofree char *element =
			is_argument_vector(all[i], f) ? g_strconcat(all[i]->name, "[", NULL) : NULL;

		if (element && strstr(text, element) && element_size(im, mutant, text) > 1)
			return true;
	}
	return false;
}

/* `if (c == '/')': that the code of another character is near says nothing, unless it is the same
 * letter; that a failing test comes there with it says more. */
static bool is_character(const struct mutant *mutant, const char *text)
{
	g_autofree char *character = g_strdup_printf("'%c'", (char)mutant->from);

	return mutant->kind == MUTANT_CONSTANT && g_ascii_isprint((char)mutant->from) &&
	       mutant->from < 127 && strstr(text, character) && !compares_order(text) &&
	       !mutant_turns_case(mutant) && mutant->nearness != MUTANT_SEEN_VALUE;
}

/* NULL: the mutant is of a store, or of a call by a pointer. */
static const char *function_called_by(const struct mutation *m, const struct mutant *mutant)
{
	size_t n;
	const struct image *im = replay_images(m->replay, &n)[0];
	const struct trace_insn *insn = image_insn_at(im, mutant->addr);
	const struct image_function *f;

	if (!insn || insn->flow != TRACE_FLOW_CALL)
		return NULL;
	f = image_function_at(im, insn->target);
	return f ? f->name : image_native_name(im, insn->target);
}

/* NULL: one of the two has no name. */
static char *named_place_words(const struct mutation *m, const struct mutant *mutant,
			       const char *text)
{
	char *words = mutator_place_words(m->mutator, mutant);

	return words ? words : place_words_member(image_of(m), mutant, text);
}

/* The words, also where the source has no name for either of the two.  NULL: there are no words
 * for it. */
static char *place_words(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	char *words = named_place_words(m, mutant, text);

	return words ? words : place_words_element(image_of(m), mutant, text);
}

/* Has it an `=' that is neither a part of another operator nor gives a first value? */
static bool has_assignment(const char *text)
{
	static const char declares[] = "^\\s*[A-Za-z_][\\w ]*[\\s*]+\\**\\w+(\\[\\w*\\])?\\s*=";

	return g_regex_match_simple("[^-=!<>+*/%&|^]=[^=]", text, 0, 0) &&
	       !g_regex_match_simple(declares, text, 0, 0);
}

static bool is_loop_head(const char *text)
{
	return g_regex_match_simple("^\\s*for\\b", text, 0, 0);
}

/* `p[i]' adds, and `i++' in the head of a loop is no `+' that anyone takes for `-'. */
static bool has_arithmetic(const char *text, const char *sign, bool steps)
{
	if (g_strcmp0(sign, "=") == 0)
		return has_assignment(text);
	for (const char *at = sign ? strstr(text, sign) : NULL; at; at = strstr(at + 1, sign)) {
		if (*at == '-' && at[1] == '>')
			continue;
		if (at[1] != *sign && (at == text || at[-1] != *sign))
			return true;
		if (steps && strchr("+-", *sign))
			return true;
	}
	return !sign;
}

/* `9 - n' for `9 + n', `MOST - n' for `MOST + n': does a number stand in front of the operator? */
static bool begins_with_number(const char *text)
{
	return g_regex_match_simple("\\b(\\d\\w*|[A-Z][A-Z0-9_]*)\\s*\\+(?![+=])", text, 0, 0);
}

/* Has the source's line what is changed?  A place without a name is in no source. */
static bool is_one_written(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	const struct image *im = image_of(m);
	int from = (int)mutant->from;
	bool named;
	char *place;

	switch (mutant->kind) {
	case MUTANT_CONSTANT:
		return (may_be_written(im, mutant, text) ||
			enumeration_of(im, text, mutant->from)) &&
		       !(!from && compares_with_null(im, text)) && !compares_bits(mutant, text) &&
		       !is_of_character_class(mutant, text) &&
		       !leaves_enumeration(im, mutant, text) &&
		       !reads_program_name(im, mutant, text);
	case MUTANT_OPERATOR:
		if (mutant_is_step(mutant))
			return mutant_step_is_written(mutant, text);
		return (mutant->to != MUTANT_FROM_NUMBER || begins_with_number(text)) &&
		       has_arithmetic(text, mutant_operator_written(mutant),
				      !is_loop_head(text) &&
					      mutant->to != MUTANT_OPERANDS_EXCHANGED);
	case MUTANT_CALLEE:
		return copied_words_has_name(text, mutant->words);
	case MUTANT_VARIABLE:
		if (mutant->words && mutant->nearness == MUTANT_OTHER_VARIABLE)
			return true;
		place = named_place_words(m, mutant, text);
		named = place && (mutant->also ? copied_words_has_both(text, place)
					       : copied_words_is_no_list(text, place));
		g_free(place);
		return named;
	case MUTANT_CONDITION:
		/* nobody asks whether a pointer is above NULL, or a letter above a comma */
		if (is_equality_code(from) && !is_equality_code((int)mutant->to) &&
		    (compares_with_null(im, text) || operand_text_is_character_asked(text)))
			return false;
		return mutant->to == (from ^ 1) || condition_is_written(from, text);
	default:
		return true;
	}
}

/* The same of all that the mutant changes. */
static bool is_written(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	for (; mutant; mutant = mutant->also)
		if (!is_one_written(m, mutant, text))
			return false;
	return true;
}

/* 2 for the 1 of `x + 1' or `i++': steps by one are meant so, unlike bounds and first values. */
static bool is_longer_step(const struct mutant *mutant, const char *text)
{
	return mutant->from == 1 &&
	       (mutant->kind == MUTANT_EXPRESSION ||
		(mutant->kind == MUTANT_CONSTANT && mutant->to == 2)) &&
	       g_regex_match_simple("\\+\\+|--|[-+]=?\\s*1\\b", text, 0, 0);
}

/* A compiler makes `n++' with the constant 1, so that -1 in its place is `n--'.  In words; NULL: it
 * is no such change. */
static const char *turned_step_words(const struct mutant *mutant, const char *text)
{
	const bool up = mutant->from == 1;

	if (mutant->kind != MUTANT_CONSTANT || mutant->also || mutant->to != -mutant->from ||
	    (!up && mutant->from != -1) || !text || is_loop_head(text))
		return NULL;
	if (strstr(text, up ? "++" : "--"))
		return up ? "`--' for `++'" : "`++' for `--'";
	if (g_regex_match_simple(up ? "\\+=?\\s*1\\b" : "-=?\\s*1\\b", text, 0, 0))
		return up ? "`-' for `+'" : "`+' for `-'";
	return NULL;
}

static const struct image_statement *statement_at(const struct mutation *m, uint64_t addr)
{
	const struct image_row *row = image_row_at(image_of(m), addr);

	return row ? image_statement(image_of(m), row->statement) : NULL;
}

/* Does another line, this far away at most, have these words? */
static bool is_in_near_line(const struct mutation *m, uint64_t addr, const char *words,
			    unsigned far)
{
	const struct image_statement *s = words ? statement_at(m, addr) : NULL;
	const char *line = words;

	for (unsigned at = s && s->line > far ? s->line - far : 1; s && line && at <= s->line + far;
	     at++) {
		line = image_source_line(image_of(m), s->file, at);
		if (line && at != s->line && strstr(line, words))
			return true;
	}
	return false;
}

/* Do near lines have the indices in the order that this line has?  Then an exchange in it alone is
 * no slip. */
static bool has_indices_of_others(const struct mutation *m, uint64_t addr, const char *text,
				  const char *change)
{
	g_autofree char *indices = copied_words_indices(text, change);

	return is_in_near_line(m, addr, indices, (unsigned)m->limits->slip_alike_lines);
}

/* Does the line before or behind have the call as the change makes it? */
static bool has_call_of_neighbour(const struct mutation *m, uint64_t addr, const char *text,
				  const char *change)
{
	g_autofree char *call = copied_words_call(text, change);

	return is_in_near_line(m, addr, call, 1);
}

/* Does the change make of the line what people make of one near it that they copy? */
static bool is_adapted_copy(const struct mutation *m, uint64_t addr, const char *text,
			    const char *change)
{
	enum { NEAR = 3 };
	const struct image_statement *s = statement_at(m, addr);
	const unsigned from = s && s->line > NEAR ? s->line - NEAR : 1;
	bool adapts = false;

	for (unsigned at = from; s && !adapts && at <= s->line + NEAR; at++) {
		const char *line = image_source_line(image_of(m), s->file, at);

		adapts = line && at != s->line && copied_words_adapt(text, change, line);
	}
	return adapts;
}

/* What the change of a variable costs otherwise than others, by how the lines were written. */
static double effort_of_copy(const struct mutation *m, const struct mutant *mutant,
			     const char *text)
{
	const bool exchanges = mutant->also;
	g_autofree char *change = NULL;

	if (mutant->kind != MUTANT_VARIABLE || !text ||
	    !(exchanges ? strstr(text, "][") : strpbrk(text, "&|(")))
		return 0;
	change = mutation_describe(m, mutant);
	if (!exchanges && (copied_words_forgot_name(text, change) ||
			   has_call_of_neighbour(m, mutant->addr, text, change) ||
			   is_adapted_copy(m, mutant->addr, text, change)))
		return -(double)m->limits->slip_copied_less / 100;
	return exchanges && has_indices_of_others(m, mutant->addr, text, change)
		       ? (double)m->limits->slip_alike / 100
		       : 0;
}

/* ---- what nobody can have meant ---- */

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
		mutant->kind == MUTANT_CONSTANT ? statement_at(m, mutant->addr) : NULL;

	return s &&
	       array_bound_leaves(image_of(m), s->file, s->line, mutant->addr,
				  mutant->to + compares_with_one_less(image_of(m), mutant, text));
}

static double effort_of_unwritten(const struct mutation *m, const struct mutant *mutant,
				  const char *text)
{
	const bool is_nowhere = mutant->kind == MUTANT_CONSTANT && !mutant->also &&
				!may_be_written(image_of(m), mutant, text) &&
				!enumeration_of(image_of(m), text, mutant->from);

	if (is_written(m, mutant, text))
		return 0;
	return (double)(is_nowhere ? m->limits->slip_nowhere : m->limits->slip_unwritten) / 100;
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

	return name && image_enumerator_named(image_of(m), name, &value) &&
	       place_counts(image_of(m), mutant->addr, text, m->limits);
}

/* What `sizeof' says is right but for one, and a product dodges a division by 0. */
static bool changes_size_or_dodges(const struct mutation *m, const struct mutant *mutant,
				   const char *text)
{
	const char *written =
		mutant->kind == MUTANT_OPERATOR ? mutant_operator_written(mutant) : NULL;

	return (mutant->kind == MUTANT_CONSTANT && mutant->from && strstr(text, "sizeof") &&
		mutant->to != mutant->from + 1 && mutant->to != mutant->from - 1 &&
		literal_in(image_of(m), text, mutant->from) != LITERAL_THERE) ||
	       (m->checks && mutant->to == MUTANT_ANOTHER_OPERATOR && g_strcmp0(written, "/") == 0);
}

static double effort_of_unmeant(const struct mutation *m, const struct mutant *mutant,
				const char *text)
{
	return sums_up_nothing(m, mutant, text) || leaves_array(m, mutant, text) ||
			       counts_by_name(m, mutant, text) ||
			       changes_size_or_dodges(m, mutant, text) ||
			       (is_sum_for_assignment(mutant) &&
				place_sums_no_numbers(image_of(m), mutant->addr, text, m->limits))
		       ? (double)m->limits->slip_unmeant / 100
		       : 0;
}

double mutation_effort(const struct mutation *m, const struct mutant *mutant)
{
	const char *text = text_at(m, mutant->addr);

	if (turned_step_words(mutant, text))
		return (double)m->limits->slip_operator / 100;
	if (text && mutant->kind == MUTANT_CONSTANT && !mutant->also &&
	    literal_turned_truth(text, mutant->from, mutant->to))
		return (double)m->limits->slip_turned / 100;
	if (text && (is_longer_step(mutant, text) || is_character(mutant, text)))
		return (double)m->limits->slip_by_more / 100;
	return mutant_effort(mutant, m->limits) + effort_of_copy(m, mutant, text) +
	       (text ? effort_of_unwritten(m, mutant, text) + effort_of_unmeant(m, mutant, text)
		     : 0);
}

char *mutation_describe(const struct mutation *m, const struct mutant *mutant)
{
	static const char *const words[] = {
		[MUTANT_BRANCH] = "its conditions joined otherwise",
		[MUTANT_DROPPED] = "a condition dropped",
		[MUTANT_VARIABLE] = "another variable, member or element",
		[MUTANT_REMOVED] = "a store or call left out",
		[MUTANT_SKIPPED] = "the line left out",
	};
	const char *text = text_at(m, mutant->addr), *callee;
	g_autofree char *name = NULL;
	bool is_place = mutant->kind == MUTANT_VARIABLE && !mutant->words;
	char *place = is_place ? place_words(m, mutant, text) : NULL;

	if (place)
		return place;
	/* the compiler made several operators of one, as for a division */
	if (mutant->kind == MUTANT_OPERATOR && text && !is_one_written(m, mutant, text))
		return g_strdup("another operation");
	if (text && mutant_is_step(mutant))
		return mutant_step_words(mutant, text);
	if (mutant->kind == MUTANT_OPERATOR)
		return mutant_operator_words(mutant);
	if (mutant->words)
		return g_strdup(mutant->words);
	if (mutant->kind == MUTANT_REMOVED && (callee = function_called_by(m, mutant))) {
		name = mangled_words(callee);
		return g_strdup_printf("the call of %s left out", name);
	}
	if (is_switch(text) && (place = describe_switch(image_of(m), mutant, text)))
		return place;
	if (turned_step_words(mutant, text))
		return g_strdup(turned_step_words(mutant, text));
	if (mutant->kind == MUTANT_CONSTANT)
		return describe_constants(image_of(m), mutant, text);
	if (mutant->kind == MUTANT_EXCHANGED)
		return g_strdup_printf("arguments %" PRId64 " and %" PRId64 " exchanged",
				       mutant->from, mutant->to);
	if (mutant->kind == MUTANT_CONDITION)
		return condition_words(mutant, text);
	return g_strdup(words[mutant->kind]);
}
