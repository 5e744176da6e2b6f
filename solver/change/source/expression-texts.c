/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/source/expression-texts.h"

#include <string.h>

struct expression_texts {
	const struct image *im;
	const struct limits *limits;
	struct sources *sources;
	GHashTable *of; /* const struct image_function * → GPtrArray of char *, owned */
};

struct expression_texts *expression_texts_new(const struct image *im, const struct limits *limits)
{
	struct expression_texts *x = g_new0(struct expression_texts, 1);

	x->im = im;
	x->limits = limits;
	x->sources = sources_new(im);
	x->of = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	return x;
}

void expression_texts_free(struct expression_texts *x)
{
	if (!x)
		return;
	sources_free(x->sources);
	g_hash_table_destroy(x->of);
	g_free(x);
}

struct sources *expression_texts_sources(const struct expression_texts *x)
{
	return x->sources;
}

static bool is_keyword_of_texts(const char *word, size_t n)
{
	static const char *const words[] = { "if",   "else",  "for",	"while",  "do",
					     "goto", "case",  "switch", "return", "break",
					     "int",  "char",  "long",	"short",  "unsigned",
					     "void", "const", "struct", "static", "sizeof" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
			return true;
	return false;
}

/* Words, numbers, and the signs that an expression may be made of; anything else is a token of
 * length 0, over which no expression goes. */
static GArray *tokens_of(const struct source *s, size_t from, size_t to)
{
	GArray *tokens = g_array_new(FALSE, FALSE, sizeof(struct source_span));

	for (size_t at = from; at < to;) {
		struct source_span t = { at, at + 1 };

		if (g_ascii_isspace(s->code[at])) {
			at++;
			continue;
		}
		while (source_is_word(s->code[at]) && t.to < to && source_is_word(s->code[t.to]))
			t.to++;
		if (strncmp(s->code + at, "->", 2) == 0)
			t.to = at + 2;
		else if ((source_is_word(s->code[at]) &&
			  is_keyword_of_texts(s->code + at, t.to - at)) ||
			 (!source_is_word(s->code[at]) && !strchr("()[].*&+-", s->code[at])) ||
			 strncmp(s->code + at, "++", 2) == 0 ||
			 strncmp(s->code + at, "--", 2) == 0 || strncmp(s->code + at, "&&", 2) == 0)
			t.from = t.to = MAX(t.to, at + 2); /* a limit */
		at = MAX(t.to, at + 1);
		g_array_append_val(tokens, t);
	}
	return tokens;
}

static bool is_balanced(const struct source *s, size_t from, size_t to)
{
	int round = 0, square = 0;

	for (size_t at = from; at < to; at++) {
		round += (s->code[at] == '(') - (s->code[at] == ')');
		square += (s->code[at] == '[') - (s->code[at] == ']');
		if (round < 0 || square < 0)
			return false;
	}
	return !round && !square;
}

static bool may_begin(const struct source *s, size_t at)
{
	return source_is_word(s->code[at]) || strchr("(*&-", s->code[at]);
}

static bool may_end(const struct source *s, size_t to)
{
	return source_is_word(s->code[to - 1]) || s->code[to - 1] == ')' || s->code[to - 1] == ']';
}

/* The rank of the operator that a token is, higher for what binds more; 0: it is none, or a limit.
 * A sign behind an operand stands between two. */
enum { BINARY_AND = 1, SUM, PRODUCT, UNARY, POSTFIX };

static bool ends_operand(const struct source *s, const struct source_span *t)
{
	return t->from < t->to && may_end(s, t->to);
}

static unsigned rank_at(const struct source *s, const GArray *tokens, guint i)
{
	const struct source_span *t = &g_array_index(tokens, struct source_span, i);
	char c = s->code[t->from];

	if (t->from == t->to || source_is_word(c) || c == ')' || c == ']')
		return 0;
	if (t->to - t->from == 2 || c == '.' || c == '[')
		return POSTFIX;
	if (!i || !ends_operand(s, t - 1))
		return c == '(' ? 0 : UNARY;
	return c == '(' ? POSTFIX : c == '*' ? PRODUCT : c == '&' ? BINARY_AND : SUM;
}

/* The least rank of an operator in the span that is in no bracket of it. */
static unsigned least_rank(const struct source *s, const GArray *tokens, guint first, guint last)
{
	unsigned least = POSTFIX + 1;
	int depth = 0;

	for (guint i = first; i <= last; i++) {
		char c = s->code[g_array_index(tokens, struct source_span, i).from];
		unsigned rank = rank_at(s, tokens, i);

		if (!depth && rank)
			least = MIN(least, rank);
		depth += (c == '(' || c == '[') - (c == ')' || c == ']');
	}
	return least;
}

static bool is_bracketed_text(const struct source *s, size_t from, size_t to)
{
	return s->code[from] == '(' && source_closing(s, from) == to - 1;
}

/* Is it an expression of its own where it stands?  The `b + c' of `a * b + c' is none, nor is a
 * member without what it is a member of, or a function without its call. */
static bool is_whole_expression(const struct source *s, const GArray *tokens, guint first,
				guint last)
{
	unsigned least = least_rank(s, tokens, first, last);
	unsigned before = first ? rank_at(s, tokens, first - 1) : 0;
	unsigned behind = last + 1 < tokens->len ? rank_at(s, tokens, last + 1) : 0;
	const struct source_span *t = &g_array_index(tokens, struct source_span, first);

	if (first && strchr("[(", s->code[t[-1].from]))
		before = 0; /* it begins an index, or an argument */
	if ((rank_at(s, tokens, first) && rank_at(s, tokens, first) != UNARY) ||
	    is_bracketed_text(s, t->from, t[last - first].to))
		return false;
	if (behind == POSTFIX && s->code[t[last + 1 - first].from] == '(')
		return false;
	return before < least && behind <= least;
}

static void take_expression_text(const struct expression_texts *x, GPtrArray *texts,
				 const struct source *s, size_t from, size_t to)
{
	g_autofree char *text = source_text(s, (struct source_span){ from, to });

	for (guint i = 0; i < texts->len; i++)
		if (strcmp(texts->pdata[i], text) == 0)
			return;
	if (texts->len < x->limits->expression_texts)
		g_ptr_array_add(texts, g_steal_pointer(&text));
}

static void take_texts(const struct expression_texts *x, GPtrArray *texts, const struct source *s,
		       size_t from, size_t to)
{
	g_autoptr(GArray) tokens = tokens_of(s, from, to);
	const struct source_span *t = (const struct source_span *)(const void *)tokens->data;

	for (guint first = 0; first < tokens->len; first++) {
		if (t[first].from == t[first].to || !may_begin(s, t[first].from))
			continue;
		for (guint last = first;
		     last < tokens->len && last - first < x->limits->expression_tokens &&
		     t[last].from < t[last].to;
		     last++)
			if (may_end(s, t[last].to) && is_whole_expression(s, tokens, first, last) &&
			    is_balanced(s, t[first].from, t[last].to))
				take_expression_text(x, texts, s, t[first].from, t[last].to);
	}
}

static unsigned last_line_of(const struct image *im, const struct image_function *f)
{
	const struct image_row *row = image_row_at(im, f->hi - 1);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return s && g_strcmp0(s->file, f->file) == 0 && s->line > f->line ? s->line : f->line;
}

static size_t end_of_line(const struct source *s, size_t at)
{
	while (at < s->length && s->code[at] != '\n')
		at++;
	return at;
}

const GPtrArray *expression_texts_of(struct expression_texts *x, const struct image_function *f)
{
	GPtrArray *texts = g_hash_table_lookup(x->of, f);
	const struct source *s;
	size_t from, to;

	if (texts)
		return texts;
	texts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(texts, g_strdup("1"));
	g_hash_table_insert(x->of, (gpointer)f, texts);
	s = f->file ? sources_get(x->sources, f->file) : NULL;
	if (s && source_place(s, f->line, 0, &from) &&
	    source_place(s, last_line_of(x->im, f), 0, &to))
		take_texts(x, texts, s, from, end_of_line(s, to));
	return texts;
}
