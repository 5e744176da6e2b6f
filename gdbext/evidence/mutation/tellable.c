/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can a change of the code be typed as its words say it?  A compiler has constants and comparisons
 * of its own: the 0 of an `&&' that does not hold, the shift of a bit-field. */
#include "gdbext/evidence/mutation/mutation-private.h"
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/literal-words.h"
#include "gdbext/evidence/words/operator-words.h"
#include "solver/change/code/code-line.h"
#include "solver/change/first-value.h"
#include "solver/change/mutant/instruction-mutants.h"
#include "solver/change/mutant/mutant-operator.h"
#include "solver/change/place-words.h"
#include "solver/source/operand-text.h"

#include <string.h>

/* The statement's line, and those on which it goes on.  Free it. */
static char *text_of_whole_statement(const struct mutation *m, const struct image_statement *s)
{
	enum { MOST_LINES = 8 };
	GString *all = g_string_new(NULL);

	for (unsigned at = s->line; at < s->line + MOST_LINES; at++) {
		const char *line = image_source_line(mutation_image(m), s->file, at);
		size_t n = line ? operand_text_code_length(line) : 0;

		if (!line)
			break;
		g_string_append_len(all, line, (gssize)n);
		g_string_append_c(all, '\n');
		while (n && g_ascii_isspace(line[n - 1]))
			n--;
		if (n && strchr(";{}", line[n - 1]))
			break;
	}
	return g_string_free(all, FALSE);
}

static void leave_out_blanks(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (!g_ascii_isspace(*text))
			*to++ = *text;
	*to = '\0';
}

bool mutation_has_text(const struct mutation *m, uint64_t addr, const char *text)
{
	const struct image_statement *s = mutation_statement(m, addr);
	g_autofree char *lines = s ? text_of_whole_statement(m, s) : NULL;
	g_autofree char *sought = g_strdup(text);

	if (!lines)
		return false;
	leave_out_blanks(lines);
	leave_out_blanks(sought);
	return strstr(lines, sought);
}

/* `y' of `p->y', `a[i].y[0]' and `(*p).y': by what a structure's copy is told from its members. */
static char *last_name_of(const char *place)
{
	g_autoptr(GRegex) names = g_regex_new("[A-Za-z_]\\w*(?=(\\[[^]]*\\]|\\))*$)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(names, place, 0, &match) ? g_match_info_fetch(match, 0) : NULL;
}

/* `run++;': with another variable to read alone, it would be another statement. */
static bool only_counts_up(const char *text)
{
	return g_regex_match_simple("^\\s*((\\+\\+|--)[\\w.>-]+|[\\w.>-]+?(\\+\\+|--))\\s*;\\s*$",
				    text, 0, 0);
}

/* Is the place, for which another one is put in one of its uses, counted up in the statement? */
static bool is_counted(const char *text, const char *place)
{
	g_autofree char *escaped = g_regex_escape_string(place, -1);
	g_autofree char *pattern = g_strdup_printf(
		"(\\+\\+|--)\\s*%s(?!\\w)|(?<!\\w)%s\\s*(\\+\\+|--)", escaped, escaped);

	return operand_text_matches(text, pattern) > 0;
}

/* Has the statement the place, or both places, that another one is put for?  The copy of a
 * structure names none of its members. */
static bool has_places_of_words(const struct mutation *m, const struct image_statement *s,
				const struct mutant *of, const char *words)
{
	g_autoptr(GRegex) form =
		g_regex_new("^`([^']+)' (?:for `([^']+)'|and `([^']+)' exchanged)", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *text = NULL;

	if (!g_regex_match(form, words, 0, &match))
		return true;
	text = text_of_whole_statement(m, s);
	for (int i = 1; i <= 3; i++) {
		g_autofree char *place = g_match_info_fetch(match, i), *name = NULL, *word = NULL;

		/* of "for", the first is the new one */
		if (!place || !*place || (i == 1 && strstr(words, "' for `")))
			continue;
		name = last_name_of(place);
		word = name ? g_strdup_printf("\\b%s\\b", name) : NULL;
		if (word && !operand_text_matches(text, word))
			return false;
		if ((!of->also || strstr(words, "' and `")) && is_counted(text, place))
			return false;
	}
	return true;
}

/* A load into the register only writes it, unless it is a part of the address. */
static bool reads_register(const struct trace_insn *insn, unsigned reg)
{
	bool reads = insn->load_reg != reg;

	for (unsigned i = 0; i < insn->n_mem; i++)
		reads |= insn->mem[i].base == reg || insn->mem[i].index == reg;
	return reads && insn->use_gpr >> reg & 1;
}

/* Does the code of another line of the function at `from' on use what the register holds, although
 * that line names the place?  Then the place was read or written once for both. */
static bool is_used_for_place(const struct mutation *m, const struct image_statement *s,
			      uint64_t from, unsigned reg, const char *place)
{
	const struct image *im = mutation_image(m);
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const uint64_t most = limits_or_default(m->limits)->name_insns;

	g_array_append_val(open, from);
	while (open->len && g_hash_table_size(seen) < most) {
		const uint64_t at = g_array_index(open, uint64_t, open->len - 1);
		const struct trace_insn *insn = image_insn_at(im, at);
		const struct image_statement *of = code_statement_at(im, at);
		const uint64_t next = insn ? at + insn->length : 0;

		g_array_set_size(open, open->len - 1);
		if (!insn || !g_hash_table_add(seen, g_memdup2(&at, sizeof at)))
			continue;
		if (of && of->line != s->line && reads_register(insn, reg) &&
		    mutation_has_text(m, at, place))
			return true;
		if (insn->out_gpr >> reg & 1 || insn->flow > TRACE_FLOW_JUMP)
			continue;
		if (insn->flow != TRACE_FLOW_NONE)
			g_array_append_val(open, insn->target);
		if (insn->flow != TRACE_FLOW_JUMP)
			g_array_append_val(open, next);
	}
	return false;
}

/* An optimizer reads `*p' once for several lines, or knows what it has stored there. */
static bool is_place_of_other_line(const struct mutation *m, const struct image_statement *s,
				   const struct mutant *of, const char *words)
{
	const struct trace_insn *insn = image_insn_at(mutation_image(m), of->addr);
	g_autoptr(GRegex) form = g_regex_new("^`[^']+' for `([^']+)'", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *place = NULL;
	unsigned reg;

	if (!insn || !g_regex_match(form, words, 0, &match))
		return false;
	place = g_match_info_fetch(match, 1);
	reg = insn->store_reg < TRACE_RFLAGS ? insn->store_reg : insn->load_reg;
	if (reg >= TRACE_RFLAGS && insn->out_gpr && !(insn->out_gpr & (insn->out_gpr - 1)))
		reg = (unsigned)__builtin_ctz(insn->out_gpr);
	return reg < TRACE_RFLAGS && is_used_for_place(m, s, insn->addr + insn->length, reg, place);
}

/* `n = atoi(s)' without the call is no statement. */
static bool is_call_alone(const struct mutation *m, const struct mutant *of, const char *text)
{
	g_autofree char *words = mutation_describe(m, of), *pattern = NULL, *any = NULL;
	g_autoptr(GRegex) form =
		g_regex_new("^the call of (?:.*::)?([A-Za-z_]\\w*)[^:]* left out$", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *name = NULL;

	if (!g_regex_match(form, words, 0, &match))
		return true;
	name = g_match_info_fetch(match, 1);
	any = g_strdup_printf("\\b%s\\s*\\(", name);
	pattern = g_strdup_printf("(^|[;{}):]|\\belse\\b)\\s*([\\w\\])]+(\\.|->|::))*%s\\s*\\(",
				  name);
	return !operand_text_matches(text, any) || operand_text_matches(text, pattern);
}

/* The first one that has code of the line. */
static const struct image_function *function_of_line(const struct image *im,
						     const struct image_statement *s)
{
	const struct trace_insn *all;
	const size_t n = image_insns(im, &all);

	for (size_t i = 0; i < n; i++)
		if (code_stands_on(im, all[i].addr, s->file, s->line))
			return image_function_at(im, all[i].addr);
	return NULL;
}

/* How many branches the line has, and values that it makes of comparisons. */
static guint conditions_in_code(const struct mutation *m, const struct image_statement *s)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);
	uint64_t last = 0;
	guint n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *of = &g_array_index(all, struct mutant, i);

		n += of->kind == MUTANT_CONDITION && of->addr != last;
		if (of->kind == MUTANT_CONDITION)
			last = of->addr;
	}
	return n;
}

/* Does the branch ask for the result of a call that is true or false?  It compares nothing. */
static bool asks_for_truth(const struct image *im, uint64_t addr)
{
	static const uint8_t test_al[] = { 0x84, 0xc0 };
	const struct trace_insn *all, *branch = image_insn_at(im, addr);
	size_t n = image_insns(im, &all), at = branch ? (size_t)(branch - all) : n, avail = 0;
	const uint8_t *bytes;

	if (at >= n || at < 2 || all[at - 2].flow != TRACE_FLOW_CALL)
		return false;
	bytes = image_bytes(im, all[at - 1].addr, &avail);
	return bytes && all[at - 1].length == sizeof test_al && avail >= sizeof test_al &&
	       memcmp(bytes, test_al, sizeof test_al) == 0;
}

/* Do the words say which comparison is meant, and is it one of the source? */
static bool is_comparison_of_source(const struct mutation *m, const struct image_statement *s,
				    const struct mutant *of, const char *text)
{
	const bool negates = of->to == (of->from ^ 1);
	const char *clause = term_words_clause(m->terms, of->addr);
	g_autofree char *words = NULL;

	if (!negates && asks_for_truth(mutation_image(m), of->addr))
		return false;
	words = mutation_describe(m, of);
	if (strstr(words, CONDITION_ANOTHER))
		return false;
	/* of `a && b' one branch asks for a part, or for both ends of a range */
	if (clause && !operand_text_matches(clause, "&&|\\|\\|"))
		return true;
	return conditions_in_code(m, s) <= 1 &&
	       (negates || !operand_text_matches(text, "&&|\\|\\|"));
}

/* A condition of a macro is one of all its uses. */
static bool has_own_clause(const struct mutation *m, const struct mutant *of)
{
	const char *clause = term_words_clause(m->terms, of->addr);

	return !clause || mutation_has_text(m, of->addr, clause);
}

static bool is_call(const struct image *im, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(im, addr);

	return insn && insn->flow == TRACE_FLOW_CALL;
}

/* Is the store that is left out all that the line stores?  A structure is copied by several. */
static bool is_only_store(const struct mutation *m, const struct image_statement *s)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);
	guint n = 0;

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *of = &g_array_index(all, struct mutant, i);

		n += of->kind == MUTANT_REMOVED && !is_call(mutation_image(m), of->addr);
	}
	return n <= 1;
}

const char *mutation_text(const struct mutation *m, uint64_t addr)
{
	const struct image_statement *s = mutation_statement(m, addr);
	const char *line = s ? image_source_line(mutation_image(m), s->file, s->line) : NULL;
	g_autofree char *code = line ? g_strndup(line, operand_text_code_length(line)) : NULL;
	struct first_value first;
	const char *text;

	if (!s || !first_value_stored(mutation_image(m), addr, &first))
		return code ? g_string_chunk_insert_const(m->words, code) : NULL;
	text = g_string_chunk_insert_const(m->words, first.text);
	first_value_clear(&first);
	return text;
}

/* `+=' for `=' adds to a number, and the only one that the line stores. */
static bool adds_to_number(const struct mutation *m, const struct image_statement *s,
			   const struct mutant *of, const char *text)
{
	return g_strcmp0(mutant_operator_written(of), "=") != 0 ||
	       (is_only_store(m, s) &&
		!place_sums_no_numbers(mutation_image(m), of->addr, text, m->limits));
}

static bool is_operator_of_source(const struct mutation *m, const struct image_statement *s,
				  const struct mutant *of, const char *text)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);

	return mutation_is_written(m, of, text) && adds_to_number(m, s, of, text) &&
	       operator_is_of_source(mutation_image(m), all, of, text);
}

/* Has the line itself what a 0 is implied of?  A macro's name stands for conditions, too. */
static bool asks_in_line(const char *text)
{
	return g_regex_match_simple("\\b(if|while|for|return|switch)\\b|[?!<>]|&&|\\|\\||==", text,
				    0, 0);
}

/* `if (n != 3) say (n); assert (n == 3);': an optimizer asks only once, and the branch of the `if'
 * leaves out the assertion as well, which stands in the source all the same. */
static bool leaves_out_check(const struct mutation *m, const struct image_statement *s,
			     const struct mutant *of)
{
	const char *text = m->file && (of->kind == MUTANT_CONDITION || of->kind == MUTANT_DROPPED ||
				       of->kind == MUTANT_BRANCH)
				   ? image_source_line(mutation_image(m), m->file, m->line)
				   : NULL;
	const struct image_statement check = { .file = m->file, .line = m->line };

	return text && s->line < m->line && strcmp(s->file, m->file) == 0 &&
	       g_regex_match_simple("assert\\w*\\s*\\(", text, G_REGEX_CASELESS, 0) &&
	       image_function_at(mutation_image(m), of->addr) ==
		       function_of_line(mutation_image(m), &check) &&
	       !conditions_in_code(m, &check);
}

static bool changes_instruction(const struct mutant *of, uint64_t addr)
{
	for (; of; of = of->also)
		if (of->addr == addr)
			return true;
	return false;
}

/* Are they two copies of one place of the source? */
static bool is_same_change(const struct mutation *m, const struct mutant *of, const char *words,
			   const struct mutant *other)
{
	const char *clause = term_words_clause(m->terms, of->addr);
	g_autofree char *others = NULL;

	if (of->kind != MUTANT_VARIABLE)
		return clause && g_strcmp0(clause, term_words_clause(m->terms, other->addr)) == 0;
	if (mutants_copy_at(mutation_image(m), of->addr) ==
	    mutants_copy_at(mutation_image(m), other->addr))
		return false;
	others = mutation_describe(m, other);
	return strcmp(words, others) == 0;
}

/* Has the line other code of the same source that is executed and is not changed?  Optimizers ask
 * for the condition of a loop before it and in it, and put a function in several places. */
static bool leaves_out_copy(const struct mutation *m, const struct image_statement *s,
			    const struct mutant *of)
{
	g_autoptr(GArray) all = mutator_line(m->mutator, s->file, s->line);
	g_autofree char *words = mutation_describe(m, of);

	for (guint i = 0; i < all->len; i++) {
		const struct mutant *other = &g_array_index(all, struct mutant, i);

		if (other->kind == of->kind && !changes_instruction(of, other->addr) &&
		    (!m->executes || m->executes(m->executes_arg, other->addr, false)) &&
		    is_same_change(m, of, words, other))
			return true;
	}
	return false;
}

static bool may_have_copies(const struct mutant *of)
{
	return of->kind == MUTANT_CONDITION || of->kind == MUTANT_DROPPED ||
	       of->kind == MUTANT_VARIABLE;
}

bool mutation_is_tellable(const struct mutation *m, const struct mutant *of)
{
	const struct image_statement *s = mutation_statement(m, of->addr);
	const char *text = s ? mutation_text(m, of->addr) : NULL;
	g_autofree char *words = NULL;

	if (!text)
		return true;
	if ((of->kind == MUTANT_CONDITION || of->kind == MUTANT_DROPPED) && !has_own_clause(m, of))
		return false;
	if (leaves_out_check(m, s, of) || (may_have_copies(of) && leaves_out_copy(m, s, of)))
		return false;
	if (of->kind == MUTANT_CONDITION)
		return is_comparison_of_source(m, s, of, text);
	if (of->kind == MUTANT_BRANCH)
		return term_words_joined(m->terms, of);
	if (of->kind == MUTANT_REMOVED)
		return is_call(mutation_image(m), of->addr) ? is_call_alone(m, of, text)
							    : is_only_store(m, s);
	if (of->kind == MUTANT_OPERATOR && !is_operator_of_source(m, s, of, text))
		return false;
	words = mutation_describe(m, of);
	if (g_regex_match_simple(
		    "(^|and )another (constant|operation|variable)|^a condition dropped", words, 0,
		    0))
		return false;
	if (strstr(words, " for an implied 0") && !asks_in_line(text))
		return false;
	if (of->kind == MUTANT_VARIABLE)
		return has_places_of_words(m, s, of, words) &&
		       (of->also || !only_counts_up(text)) &&
		       !is_place_of_other_line(m, s, of, words);
	return of->kind != MUTANT_CONSTANT || mutation_number_is_tellable(m, of, s, text, words);
}
