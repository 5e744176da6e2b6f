/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/evidence/words/term-words.h"
#include "gdbext/evidence/words/condition-words.h"
#include "gdbext/evidence/words/joined-words.h"

#include "solver/base/hash.h"
#include "solver/source/condition-text.h"
#include "solver/source/polarity.h"

#include <string.h>

struct term_words {
	const struct image *im;
	const struct limits *limits;
	struct sources *sources;
	GHashTable *known;   /* address × 2 + is it always taken? → the term; "" = none */
	GHashTable *clauses; /* address → struct decided */
	GHashTable *joined; /* address, code and target of a changed jump → the words; "" = none */
};

/* What a jump decides. */
struct decided {
	char *clause; /* NULL = not known */
	enum polarity_meaning meaning;
};

static void decided_free(gpointer decided)
{
	struct decided *d = decided;

	g_free(d->clause);
	g_free(d);
}

struct term_words *term_words_new(const struct image *im, const struct limits *limits)
{
	struct term_words *x = g_new0(struct term_words, 1);

	x->im = im;
	x->limits = limits;
	x->sources = sources_new(im);
	x->known = g_hash_table_new_full(hash_u64_itself, NULL, NULL, g_free);
	x->clauses = g_hash_table_new_full(hash_u64_itself, NULL, NULL, decided_free);
	x->joined = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
					  (GDestroyNotify)g_bytes_unref, g_free);
	return x;
}

void term_words_free(struct term_words *x)
{
	if (!x)
		return;
	sources_free(x->sources);
	g_hash_table_destroy(x->known);
	g_hash_table_destroy(x->clauses);
	g_hash_table_destroy(x->joined);
	g_free(x);
}

static bool is_operator_at(const struct source *s, size_t at, char sign)
{
	return at + 1 < s->length && s->code[at] == sign && s->code[at + 1] == sign;
}

/* Does the operator stand beside the term, in its own brackets? */
static bool has_operator_beside(const struct source *s, struct source_span term, char sign)
{
	const size_t before = source_end_before(s, term.from);

	return is_operator_at(s, source_skip(s, term.to), sign) ||
	       (before >= 2 && is_operator_at(s, before - 2, sign));
}

/* What the term has to be for the others alone to decide: 1 beside `&&', 0 beside `||'; -1: it is
 * the only one. */
static int neutral_value(const struct source *s, struct source_span term)
{
	if (has_operator_beside(s, term, '&'))
		return 1;
	return has_operator_beside(s, term, '|') ? 0 : -1;
}

/* The place of the condition's term with this text; false: it is not known. */
static bool find_term(const struct source *s, size_t at, const char *clause,
		      struct source_span *out)
{
	struct condition_text c;
	bool found = false;

	if (!condition_text_find(s, at, &c))
		return false;
	for (guint i = 0; i < c.atoms->len && c.atoms->len > 1; i++) {
		const struct condition_atom *a = &g_array_index(c.atoms, struct condition_atom, i);
		g_autofree char *text = source_text(s, a->span);

		/* a term that stands there twice may be either */
		if (g_strcmp0(text, clause) != 0)
			continue;
		if (found)
			return condition_text_clear(&c), false;
		*out = a->span;
		found = true;
	}
	condition_text_clear(&c);
	return found;
}

static char *left_out(struct term_words *x, const struct mutant *mutant)
{
	const struct image_row *row = image_row_at(x->im, mutant->addr);
	const struct image_statement *st = row ? image_statement(x->im, row->statement) : NULL;
	const struct source *s = st ? sources_get(x->sources, st->file) : NULL;
	struct source_span term;
	struct polarity p;
	char *words = NULL;
	size_t at;

	if (!s || !source_place(s, st->line, st->column, &at))
		return g_strdup("");
	polarity_find(x->im, x->sources, x->limits, mutant->addr, &p);
	if ((p.meaning == POLARITY_TAKEN_IS_TRUE || p.meaning == POLARITY_TAKEN_IS_FALSE) &&
	    find_term(s, at, p.clause, &term) &&
	    neutral_value(s, term) == (mutant->to == (p.meaning == POLARITY_TAKEN_IS_TRUE)))
		words = g_steal_pointer(&p.clause);
	polarity_clear(&p);
	return words ? words : g_strdup("");
}

const char *term_words_left_out(struct term_words *x, const struct mutant *mutant)
{
	gpointer key = GSIZE_TO_POINTER(mutant->addr * 2 + (mutant->to != 0));
	char *known = mutant->kind == MUTANT_DROPPED ? g_hash_table_lookup(x->known, key) : NULL;

	if (!known && mutant->kind == MUTANT_DROPPED) {
		known = left_out(x, mutant);
		g_hash_table_insert(x->known, key, known);
	}
	return known && *known ? known : NULL;
}

char *term_words_fixed(struct term_words *x, const struct mutant *mutant)
{
	struct polarity p;
	char *words = NULL;

	if (mutant->kind != MUTANT_DROPPED)
		return NULL;
	polarity_find(x->im, x->sources, x->limits, mutant->addr, &p);
	if (p.clause &&
	    (p.meaning == POLARITY_TAKEN_IS_TRUE || p.meaning == POLARITY_TAKEN_IS_FALSE))
		words = g_strdup_printf("`%s' %s true", p.clause,
					(mutant->to != 0) == (p.meaning == POLARITY_TAKEN_IS_TRUE)
						? "always"
						: "never");
	polarity_clear(&p);
	return words;
}

/* The only comparison of the text; false: it has none, or several. */
static bool find_only_comparison(const char *text, int *from, int *to)
{
	g_autoptr(GRegex) regex = g_regex_new("(?<![-<>=!])(?:[<>]=?|==|!=)(?![<>=])", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	return g_regex_match(regex, text, 0, &match) &&
	       g_match_info_fetch_pos(match, 0, from, to) && !g_match_info_next(match, NULL);
}

/* "`i < n' for `i <= n'", of the words "`<' for `<='".  NULL: it is not known where that stands. */
static char *comparison_as_whole(const char *clause, const char *words)
{
	const size_t length = *words == '`' ? strcspn(words + 1, "'") : 0;
	int from, to;

	if (!length || !find_only_comparison(clause, &from, &to))
		return NULL;
	return g_strdup_printf("`%.*s%.*s%s' for `%s'", from, clause, (int)length, words + 1,
			       clause + to, clause);
}

static const struct decided *decided_by(struct term_words *x, uint64_t jump)
{
	gpointer key = GSIZE_TO_POINTER(jump);
	struct decided *known = g_hash_table_lookup(x->clauses, key);

	if (!known) {
		struct polarity p;

		polarity_find(x->im, x->sources, x->limits, jump, &p);
		known = g_new0(struct decided, 1);
		known->clause = g_steal_pointer(&p.clause);
		known->meaning = p.meaning;
		g_hash_table_insert(x->clauses, key, known);
		polarity_clear(&p);
	}
	return known;
}

const char *term_words_clause(struct term_words *x, uint64_t jump)
{
	return decided_by(x, jump)->clause;
}

static bool is_branch_at(const struct image *im, uint64_t addr)
{
	const struct trace_insn *insn = image_insn_at(im, addr);

	return insn && insn->flow == TRACE_FLOW_COND;
}

/* How the text says what the machine compares.  What is no jump makes a value of what holds. */
static enum condition_reading reading_of(struct term_words *x, uint64_t addr, const char *text)
{
	switch (decided_by(x, addr)->meaning) {
	case POLARITY_TAKEN_IS_TRUE:
		return CONDITION_HOLDS;
	case POLARITY_TAKEN_IS_FALSE:
		return CONDITION_FAILS;
	default:
		return is_branch_at(x->im, addr) || g_regex_match_simple("!(?!=)", text, 0, 0)
			       ? CONDITION_AS_WRITTEN
			       : CONDITION_HOLDS;
	}
}

char *term_words_comparison(struct term_words *x, const struct mutant *mutant, const char *text)
{
	const char *clause = term_words_clause(x, mutant->addr), *where = clause ? clause : text;
	char *words = condition_words(
		mutant, where, where ? reading_of(x, mutant->addr, where) : CONDITION_READ_FREELY);
	char *whole = NULL;
	int from, to;

	if (clause && text && (strstr(text, "&&") || strstr(text, "||")) &&
	    strcmp(words, "the condition negated") == 0)
		whole = g_strdup_printf("`%s' negated", clause);
	else if (clause && text && !find_only_comparison(text, &from, &to))
		whole = comparison_as_whole(clause, words);
	if (!whole)
		return words;
	g_free(words);
	return whole;
}

const char *term_words_joined(struct term_words *x, const struct mutant *mutant)
{
	struct {
		uint64_t addr, link_to;
		uint8_t bytes[sizeof mutant->bytes];
	} key = { mutant->addr, mutant->link_to, { 0 } };
	g_autoptr(GBytes) bytes = NULL;
	char *known;

	if (mutant->kind != MUTANT_BRANCH || mutant->from != 1)
		return NULL;
	memcpy(key.bytes, mutant->bytes, mutant->size);
	bytes = g_bytes_new(&key, sizeof key);
	known = g_hash_table_lookup(x->joined, bytes);
	if (!known) {
		known = joined_words(x->im, x->sources, x->limits, mutant);
		known = known ? known : g_strdup("");
		g_hash_table_insert(x->joined, g_steal_pointer(&bytes), known);
	}
	return *known ? known : NULL;
}
