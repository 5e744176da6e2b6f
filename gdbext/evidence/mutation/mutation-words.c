/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant in the words of the source. */
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/constant-words.h"
#include "gdbext/evidence/words/copied-words.h"
#include "gdbext/evidence/words/literal-words.h"
#include "gdbext/evidence/words/operator-words.h"
#include "gdbext/evidence/mutation/mutation-private.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/mutant/mutant-step.h"
#include "solver/change/array-bound.h"
#include "solver/change/first-value.h"
#include "solver/change/place-words.h"
#include "solver/image/variable/variable.h"
#include "solver/library/mangled.h"
#include "solver/source/operand-text.h"
#include "solver/source/source.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_equality_code(int code)
{
	return (code | 1) == 5;
}

/* A compiler makes comparisons and branches of a `switch' that the source does not have. */
static bool is_switch(const char *text)
{
	return text && operand_text_begins(text, "switch");
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

static bool may_be_written(const struct image *im, const struct mutant *mutant, const char *text)
{
	return is_switch(text) || /* its cases stand in other lines */
	       literal_in(im, text, mutant->from) != LITERAL_NOT_THERE ||
	       (condition_compares_order(text) &&
		literal_in(im, text, mutant->from + 1) != LITERAL_NOT_THERE) ||
	       constant_element_size(im, mutant, text) > 1;
}

static bool compares_with_null(const struct image *im, const char *text)
{
	return literal_in(im, text, 0) != LITERAL_THERE &&
	       g_regex_match_simple("\\b(NULL|nullptr)\\b", text, 0, 0);
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

		if (element && strstr(text, element) && constant_element_size(im, mutant, text) > 1)
			return true;
	}
	return false;
}

/* `if (c == '/')': that the code of another character is near says nothing, unless it is the same
 * letter; that a failing test comes there with it says more. */
static bool is_character(const struct mutant *mutant, const char *text)
{
	g_autofree char *character =
		mutant->kind == MUTANT_CONSTANT ? literal_text(mutant->from, text) : NULL;

	return character && *character == '\'' && !condition_compares_order(text) &&
	       !mutant_turns_case(mutant) && mutant->nearness != MUTANT_SEEN_VALUE;
}

/* `'-'' for `'+'': these two go together, and are taken for each other. */
static bool is_other_of_pair(const struct mutant *mutant, const char *text)
{
	static const char *const pairs[] = { "+-", "*/", "<>", "()",  "[]", "{}",
					     ",;", ":;", ",.", "'\"", "&|", "/\\" };
	g_autofree char *character = NULL;

	if (mutant->kind != MUTANT_CONSTANT || mutant->also || mutant->to <= 0 || mutant->to > 0x7f)
		return false;
	character = literal_text(mutant->from, text);
	if (*character != '\'')
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (strchr(pairs[i], (int)mutant->from) && strchr(pairs[i], (int)mutant->to))
			return true;
	return false;
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

static bool is_of_last_place(const struct place_told *last, const struct mutant *mutant)
{
	return last->is_known && last->addr == mutant->addr && last->from == mutant->from &&
	       last->to == mutant->to && last->also == mutant->also;
}

/* NULL: one of the two has no name.  What a mutant costs asks it several times. */
static char *named_place_words(const struct mutation *m, const struct mutant *mutant,
			       const char *text)
{
	struct place_told *last = m->last_place;

	if (is_of_last_place(last, mutant))
		return g_strdup(last->words);
	g_free(last->words);
	*last = (struct place_told){ mutant->addr, mutant->from,
				     mutant->to,   mutant->also,
				     true,	   mutator_place_words(m->mutator, mutant) };
	if (!last->words)
		last->words = place_words_member(mutation_image(m), mutant, text);
	return g_strdup(last->words);
}

/* The words, also where the source has no name for either of the two.  NULL: there are no words
 * for it. */
static char *place_words(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	char *words = named_place_words(m, mutant, text);

	if (words && text && !copied_words_has_element(text, words))
		g_clear_pointer(&words, g_free);
	words = words ? words : place_words_element(mutation_image(m), mutant, text);
	return words ? words : place_words_neighbour(mutation_image(m), mutant, text);
}

/* The same of places that the source may have by these names: `end[0]' is written so, but with
 * `*end' nobody means `end[1]'. */
static char *written_place_words(const struct mutation *m, const struct mutant *mutant,
				 const char *text)
{
	char *words = named_place_words(m, mutant, text);

	if (!words)
		words = place_words_element(mutation_image(m), mutant, text);
	if (words && strstr(words, "' for `*"))
		g_clear_pointer(&words, g_free);
	return words;
}

/* Has it an `=' that is neither a part of another operator nor gives a first value? */
static bool has_assignment(const char *text)
{
	static const char declares[] =
		"^\\s*[A-Za-z_]([\\w :]|<[^()]*>)*[\\s*&]+\\**\\w+(\\[\\w*\\])?\\s*=";

	return g_regex_match_simple("[^-=!<>+*/%&|^]=[^=]", text, 0, 0) &&
	       !g_regex_match_simple(declares, text, 0, 0);
}

static bool is_loop_head(const char *text)
{
	return operand_text_begins(text, "for");
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

/* What the comparison decides of a line with several conditions. */
static const char *clause_of_condition(const struct mutation *m, const struct mutant *mutant,
				       const char *text)
{
	const char *clause = term_words_clause(m->terms, mutant->addr);

	return clause ? clause : text;
}

/* Has the source's line what is changed?  A place without a name is in no source. */
static bool is_one_written(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	const struct image *im = mutation_image(m);
	int from = (int)mutant->from;
	bool named;
	char *place;

	switch (mutant->kind) {
	case MUTANT_CONSTANT:
		return (may_be_written(im, mutant, text) ||
			constant_enumeration(im, text, mutant->from)) &&
		       !(!from && compares_with_null(im, text)) &&
		       !constant_compares_bits(mutant, text) &&
		       !constant_is_of_character_class(mutant, text) &&
		       !constant_leaves_enumeration(im, mutant, text) &&
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
		place = written_place_words(m, mutant, text);
		named = place && (mutant->also ? copied_words_has_both(text, place)
					       : copied_words_is_no_list(text, place) &&
							 copied_words_has_element(text, place));
		g_free(place);
		return named;
	case MUTANT_CONDITION:
		if (strstr(text, "&&") || strstr(text, "||"))
			text = clause_of_condition(m, mutant, text);
		/* nobody asks whether a pointer is above NULL, or a letter above a comma */
		if (is_equality_code(from) && !is_equality_code((int)mutant->to) &&
		    (compares_with_null(im, text) || operand_text_is_character_asked(text)))
			return false;
		return mutant->to == (from ^ 1) || condition_is_written(from, text);
	default:
		return true;
	}
}

bool mutation_is_written(const struct mutation *m, const struct mutant *mutant, const char *text)
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

/* `n += 1', not `n++', which has no number that could be wrong. */
static bool has_written_step(const char *text)
{
	return g_regex_match_simple("[-+]=?\\s*1\\b", text, 0, 0);
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

/* Does another line, this far away at most, have these words? */
static bool is_in_near_line(const struct mutation *m, uint64_t addr, const char *words,
			    unsigned far)
{
	const struct image_statement *s = words ? mutation_statement(m, addr) : NULL;
	const char *line = words;

	for (unsigned at = s && s->line > far ? s->line - far : 1; s && line && at <= s->line + far;
	     at++) {
		line = image_source_line(mutation_image(m), s->file, at);
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
	const struct image_statement *s = mutation_statement(m, addr);
	const unsigned from = s && s->line > NEAR ? s->line - NEAR : 1;
	bool adapts = false;

	for (unsigned at = from; s && !adapts && at <= s->line + NEAR; at++) {
		const char *line = image_source_line(mutation_image(m), s->file, at);

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

/* Has the line only a name like LUA_TTABLE for it, one of many?  Who takes another one of these
 * does not err by one; a bound like MAX may be one too many. */
static bool is_named_number(const struct mutation *m, const struct mutant *mutant, const char *text)
{
	const struct image *im = mutation_image(m);

	return mutant->kind == MUTANT_CONSTANT && !mutant->also && !is_switch(text) &&
	       literal_in(im, text, mutant->from) == LITERAL_UNKNOWN &&
	       g_regex_match_simple("\\b[A-Z][A-Z0-9]*_\\w+\\b(?!\\s*\\()", text, 0, 0);
}

/* `for (auto &x : all)': which place in memory that goes through says no name of the source. */
static bool is_range_for(const char *text)
{
	return is_loop_head(text) &&
	       g_regex_match_simple("^\\s*for\\s*\\([^;]*[^:;]:[^:;]", text, 0, 0);
}

static double effort_of_unwritten(const struct mutation *m, const struct mutant *mutant,
				  const char *text)
{
	const bool is_nowhere = (mutant->kind == MUTANT_CONSTANT && !mutant->also &&
				 !may_be_written(mutation_image(m), mutant, text) &&
				 !constant_enumeration(mutation_image(m), text, mutant->from)) ||
				(mutant->kind == MUTANT_VARIABLE && is_range_for(text));

	if (mutation_is_written(m, mutant, text))
		return is_named_number(m, mutant, text) ? (double)m->limits->slip_named / 100 : 0;
	return (double)(is_nowhere ? m->limits->slip_nowhere : m->limits->slip_unwritten) / 100;
}

/* The condition of an `if' for which the compiler needs no branch is negated. */
static double effort_of_branchless(const struct mutation *m, const struct mutant *mutant,
				   const char *text)
{
	const struct limits *l = m->limits;

	return mutant_is_choice(mutant) && !condition_chooses(mutant, text)
		       ? ((double)l->slip_negated - (double)l->slip_turned) / 100
		       : 0;
}

static bool read_number_at(const struct image *im, uint64_t addr, unsigned size, double *out)
{
	uint8_t bytes[sizeof(double)];
	bool writable;
	float single;

	if ((size != sizeof(float) && size != sizeof(double)) ||
	    !image_initial(im, addr, size, bytes, &writable))
		return false;
	memcpy(&single, bytes, sizeof(single));
	if (size == sizeof(float))
		*out = single;
	else
		memcpy(out, bytes, sizeof(bytes));
	return true;
}

/* Two floating-point numbers of the code of which the mutant takes *to for *from, which the line
 * has; false: it does no such thing. */
static bool takes_other_number(const struct mutation *m, const struct mutant *mutant,
			       const char *text, double *from, double *to)
{
	const struct image *im = mutation_image(m);
	const struct trace_insn *insn = image_insn_at(im, mutant->addr);
	g_autofree char *number = NULL, *escaped = NULL, *written = NULL;

	if (!text || mutant->kind != MUTANT_VARIABLE || mutant->nearness != MUTANT_OTHER_LITERAL ||
	    !insn || insn->n_mem != 1 ||
	    !read_number_at(im, (uint64_t)mutant->from, insn->mem[0].size, from) ||
	    !read_number_at(im, (uint64_t)mutant->to, insn->mem[0].size, to) || isnan(*to))
		return false;
	*to += 0.0; /* the mask of a sign is -0 */
	number = g_strdup_printf("%g", *from);
	escaped = g_regex_escape_string(number, -1);
	written = g_strdup_printf("(?<![\\w.])%s(\\.0*)?(?![\\w.])", escaped);
	return g_regex_match_simple(written, text, 0, 0);
}

/* NULL: it takes no other number. */
static char *other_number_words(const struct mutation *m, const struct mutant *mutant,
				const char *text)
{
	double from, to;

	return takes_other_number(m, mutant, text, &from, &to)
		       ? g_strdup_printf("%g for %g", to, from)
		       : NULL;
}

/* "`<' for `>'", which C++ calls; NULL: it is no such change. */
static const char *turned_operator(const struct mutation *m, const struct mutant *mutant)
{
	return mutant->kind == MUTANT_EXCHANGED
		       ? condition_exchanged_words(function_called_by(m, mutant))
		       : NULL;
}

double mutation_effort(const struct mutation *m, const struct mutant *mutant)
{
	double from, to;
	const char *text = mutation_text(m, mutant->addr);

	if (turned_operator(m, mutant))
		return (double)m->limits->slip_turned / 100;
	if (turned_step_words(mutant, text))
		return (double)m->limits->slip_operator / 100 + mutation_unmeant(m, mutant, text);
	if (text && mutant->kind == MUTANT_CONSTANT && !mutant->also &&
	    literal_turned_truth(mutation_image(m), mutant, text))
		return (double)m->limits->slip_turned / 100;
	if (term_words_left_out(m->terms, mutant))
		return (double)m->limits->slip_term / 100;
	if (text && is_longer_step(mutant, text))
		return (double)(m->limits->slip_by_more +
				(has_written_step(text) ? 0 : m->limits->slip_unmeant)) /
		       100;
	if (text && is_other_of_pair(mutant, text))
		return (double)m->limits->slip_by_one / 100;
	if (text && is_character(mutant, text))
		return (double)m->limits->slip_by_more / 100;
	if (takes_other_number(m, mutant, text, &from, &to))
		return (double)(fabs(from - to) == 1 ? m->limits->slip_by_one
						     : m->limits->slip_by_more) /
		       100;
	return mutant_effort(mutant, m->limits) + effort_of_copy(m, mutant, text) +
	       effort_of_branchless(m, mutant, text) +
	       (text ? effort_of_unwritten(m, mutant, text) + mutation_unmeant(m, mutant, text)
		     : 0);
}

bool mutation_is_unmeant(const struct mutation *m, const struct mutant *mutant)
{
	const char *text = mutation_text(m, mutant->addr);

	return text && mutation_unmeant(m, mutant, text) > 0;
}

/* "0 for 1", and where a member's first value stands, which is not the constructor's line.  Takes
 * words. */
static char *describe_number(const struct mutation *m, const struct mutant *mutant, char *words)
{
	g_autofree char *number = words;
	struct first_value first;

	if (!first_value_stored(mutation_image(m), mutant->addr, &first))
		return g_steal_pointer(&number);
	words = g_strdup_printf("%s in %s", number, first.where);
	first_value_clear(&first);
	return words;
}

char *mutation_describe(const struct mutation *m, const struct mutant *mutant)
{
	static const char *const words[] = {
		[MUTANT_BRANCH] = "its conditions joined or negated otherwise",
		[MUTANT_DROPPED] = "a condition dropped",
		[MUTANT_VARIABLE] = "another variable, member or element",
		[MUTANT_REMOVED] = "a store or call left out",
		[MUTANT_SKIPPED] = "the line left out",
	};
	const char *text = mutation_text(m, mutant->addr), *callee;
	g_autofree char *name = NULL;
	bool is_place = mutant->kind == MUTANT_VARIABLE && !mutant->words;
	char *place = is_place ? place_words(m, mutant, text) : NULL;

	if (place || (place = other_number_words(m, mutant, text)))
		return place;
	/* the compiler made several operators of one, as for a division */
	if (mutant->kind == MUTANT_OPERATOR && text && !is_one_written(m, mutant, text))
		return g_strdup("another operation");
	if (text && mutant_is_step(mutant))
		return mutant_step_words(mutant, text);
	if (mutant->kind == MUTANT_OPERATOR)
		return operator_words(mutation_image(m), mutant, text);
	if (mutant->words)
		return g_strdup(mutant->words);
	if (mutant->kind == MUTANT_REMOVED && (callee = function_called_by(m, mutant))) {
		name = mangled_words(callee);
		return g_strdup_printf("the call of %s left out", name);
	}
	if (term_words_left_out(m->terms, mutant))
		return g_strdup_printf("`%s' left out", term_words_left_out(m->terms, mutant));
	if (is_switch(text) && (place = describe_switch(mutation_image(m), mutant, text)))
		return place;
	if ((place = term_words_fixed(m->terms, mutant)))
		return place;
	if (turned_step_words(mutant, text))
		return g_strdup(turned_step_words(mutant, text));
	if (mutant->kind == MUTANT_CONSTANT)
		return describe_number(m, mutant, constant_words(mutation_image(m), mutant, text));
	if (turned_operator(m, mutant))
		return g_strdup(turned_operator(m, mutant));
	if (mutant->kind == MUTANT_EXCHANGED && !mutant->from)
		return g_strdup_printf("the object and argument %" PRId64 " exchanged", mutant->to);
	if (mutant->kind == MUTANT_EXCHANGED)
		return g_strdup_printf("arguments %" PRId64 " and %" PRId64 " exchanged",
				       mutant->from, mutant->to);
	if (mutant->kind == MUTANT_CONDITION)
		return term_words_comparison(m->terms, mutant, text);
	if (term_words_joined(m->terms, mutant))
		return g_strdup(term_words_joined(m->terms, mutant));
	return g_strdup(words[mutant->kind]);
}

char *mutation_told(const struct mutation *m, const struct mutant *mutant)
{
	g_autofree char *words = mutation_describe(m, mutant);

	return mutator_told_words(m->mutator, mutant, words);
}
