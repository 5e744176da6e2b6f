/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/expression-mutant.h"

#include "solver/change/code-piece-private.h"
#include "solver/change/code-value.h"
#include "solver/change/value-site.h"
#include "solver/format/trace.h"
#include "solver/source/source.h"

#include <string.h>

/* An expression of a longer one is made of at most so many words and signs; in a function, at most
 * so many different ones are looked at. */

/* How the other expression gets into the value. */
enum way { INSTEAD, ADDED, SUBTRACTED, SUBTRACTED_FROM, TIMES, WHERE_ZERO, WAYS };

struct expression_mutants {
	const struct image *im;
	const struct limits *limits;
	struct sources *sources;
	GHashTable *texts; /* const struct image_function * → GPtrArray of char *, owned */
	GPtrArray *pieces; /* struct code_piece * */
	GStringChunk *words;
};

struct expression_mutants *expression_mutants_new(const struct image *im,
						  const struct limits *limits)
{
	struct expression_mutants *x = g_new0(struct expression_mutants, 1);

	x->im = im;
	x->limits = limits;
	x->sources = sources_new(im);
	x->texts = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	x->pieces = g_ptr_array_new_with_free_func(g_free);
	x->words = g_string_chunk_new(256);
	return x;
}

void expression_mutants_free(struct expression_mutants *x)
{
	if (!x)
		return;
	sources_free(x->sources);
	g_hash_table_destroy(x->texts);
	g_ptr_array_unref(x->pieces);
	g_string_chunk_free(x->words);
	g_free(x);
}

/* ---- the expressions of a function ---- */

static bool is_keyword(const char *word, size_t n)
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
		else if ((source_is_word(s->code[at]) && is_keyword(s->code + at, t.to - at)) ||
			 (!source_is_word(s->code[at]) && !strchr("()[].*&+-", s->code[at])) ||
			 strncmp(s->code + at, "++", 2) == 0 ||
			 strncmp(s->code + at, "--", 2) == 0 || strncmp(s->code + at, "&&", 2) == 0)
			t.from = t.to = at + 2; /* a limit */
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

static bool is_in_brackets(const struct source *s, size_t from, size_t to)
{
	return s->code[from] == '(' && source_closing(s, from) == to - 1;
}

/* Is it an expression of its own where it stands?  The `b + c' of `a * b + c' is none, nor is a
 * member without what it is a member of, or a function without its call. */
static bool is_whole(const struct source *s, const GArray *tokens, guint first, guint last)
{
	unsigned least = least_rank(s, tokens, first, last);
	unsigned before = first ? rank_at(s, tokens, first - 1) : 0;
	unsigned behind = last + 1 < tokens->len ? rank_at(s, tokens, last + 1) : 0;
	const struct source_span *t = &g_array_index(tokens, struct source_span, first);

	if (first && s->code[t[-1].from] == '[' && before == POSTFIX)
		before = 0; /* it begins an index */
	if ((rank_at(s, tokens, first) && rank_at(s, tokens, first) != UNARY) ||
	    is_in_brackets(s, t->from, t[last - first].to))
		return false;
	if (behind == POSTFIX && s->code[t[last + 1 - first].from] == '(')
		return false;
	return before < least && behind <= least;
}

static void take_text(const struct expression_mutants *x, GPtrArray *texts, const struct source *s,
		      size_t from, size_t to)
{
	g_autofree char *text = source_text(s, (struct source_span){ from, to });

	for (guint i = 0; i < texts->len; i++)
		if (strcmp(texts->pdata[i], text) == 0)
			return;
	if (texts->len < x->limits->expression_texts)
		g_ptr_array_add(texts, g_steal_pointer(&text));
}

static void take_texts(const struct expression_mutants *x, GPtrArray *texts, const struct source *s,
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
			if (may_end(s, t[last].to) && is_whole(s, tokens, first, last) &&
			    is_balanced(s, t[first].from, t[last].to))
				take_text(x, texts, s, t[first].from, t[last].to);
	}
}

static unsigned last_line_of(const struct image *im, const struct image_function *f)
{
	const struct image_row *row = image_row_at(im, f->hi - 1);
	const struct image_statement *s = row ? image_statement(im, row->statement) : NULL;

	return s && g_strcmp0(s->file, f->file) == 0 && s->line > f->line ? s->line : f->line;
}

/* In the order of the source, short ones before those that they begin. */
static const GPtrArray *texts_of(struct expression_mutants *x, const struct image_function *f)
{
	GPtrArray *texts = g_hash_table_lookup(x->texts, f);
	const struct source *s;
	size_t from, to;

	if (texts)
		return texts;
	texts = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(texts, g_strdup("1"));
	g_hash_table_insert(x->texts, (gpointer)f, texts);
	s = f->file ? sources_get(x->sources, f->file) : NULL;
	if (s && source_place(s, f->line, 0, &from) &&
	    source_place(s, last_line_of(x->im, f), 0, &to))
		take_texts(x, texts, s, from, to);
	return texts;
}

/* ---- mutants ---- */

static bool is_pointer(const struct image_type *t)
{
	return t->kind == IMAGE_TYPE_POINTER;
}

static bool fits(const struct image_type *to, const struct image_type *t)
{
	if (is_pointer(to) != is_pointer(t))
		return false;
	return !is_pointer(to) || !to->target || !t->target ||
	       (to->target->kind == t->target->kind &&
		g_strcmp0(to->target->name, t->target->name) == 0);
}

/* mov between rax or rcx and the register, or the place where it is kept. */
static bool put_move(struct code_piece *c, unsigned reg, bool from, bool rcx)
{
	uint8_t other = rcx ? 1 : 0;
	uint8_t slot[] = { 0x48, from ? 0x8b : 0x89, (uint8_t)(0x44 | other << 3), 0x24,
			   reg == TRACE_RAX ? CODE_SAVED_RAX : CODE_SAVED_RCX };
	uint8_t move[] = { (uint8_t)(0x48 | (reg >= 8 ? 1 : 0)), from ? 0x8b : 0x89,
			   (uint8_t)(0xc0 | other << 3 | (reg & 7)) };

	return reg <= TRACE_RCX ? code_piece_bytes(c, slot, sizeof slot)
				: code_piece_bytes(c, move, sizeof move);
}

/* The value that is there without the change goes to rax (or rcx). */
static bool put_present(struct code_piece *c, const struct value_site *site, bool rcx)
{
	uint8_t load[] = { 0x48, rcx ? 0xb9 : 0xb8 };

	if (!site->is_constant)
		return put_move(c, site->reg, true, rcx);
	return code_piece_bytes(c, load, sizeof load) &&
	       code_piece_bytes(c, &site->constant, sizeof site->constant);
}

/* rax := the value there now and rax, together. */
static bool put_way(struct code_piece *c, const struct value_site *site, enum way way)
{
	static const uint8_t add[] = { 0x48, 0x01, 0xc8 }, subtract[] = { 0x48, 0x29, 0xc8 },
			     negate[] = { 0x48, 0xf7, 0xd8 }, times[] = { 0x48, 0x0f, 0xaf, 0xc1 },
			     test4[] = { 0x85, 0xc9 }, test8[] = { 0x48, 0x85, 0xc9 },
			     unless_zero[] = { 0x48, 0x0f, 0x45, 0xc1 }; /* cmovne %rcx,%rax */

	if (way == INSTEAD)
		return true;
	if (!put_present(c, site, true))
		return false;
	switch (way) {
	case ADDED:
		return code_piece_bytes(c, add, sizeof add);
	case SUBTRACTED_FROM: /* the other one less the present one */
		return code_piece_bytes(c, subtract, sizeof subtract);
	case SUBTRACTED:
		return code_piece_bytes(c, subtract, sizeof subtract) &&
		       code_piece_bytes(c, negate, sizeof negate);
	case TIMES:
		return code_piece_bytes(c, times, sizeof times);
	default:
		return (site->width == 64 ? code_piece_bytes(c, test8, sizeof test8)
					  : code_piece_bytes(c, test4, sizeof test4)) &&
		       code_piece_bytes(c, unless_zero, sizeof unless_zero);
	}
}

static bool write_piece(struct code_piece *c, const struct value_site *site,
			const struct code_value *v, enum way way)
{
	bool ok = (site->stores || code_piece_insns(c, site->bytes, site->size, site->addr)) &&
		  code_piece_save(c) && code_value_put(c, v) && put_way(c, site, way) &&
		  put_move(c, site->reg, false, false) && code_piece_restore(c);

	return ok && (!site->stores || code_piece_insns(c, site->bytes, site->size, site->addr));
}

static const char *words_of(struct expression_mutants *x, const struct value_site *site,
			    const char *text, enum way way)
{
	static const char *const words[WAYS] = { [ADDED] = "`+ %s' added",
						 [SUBTRACTED] = "`- %s' added",
						 [SUBTRACTED_FROM] = "`%s -' before the value",
						 [TIMES] = "`* %s' added" };
	g_autofree char *out = NULL;

	if (way == INSTEAD)
		out = g_strdup_printf(site->stores ? "`%s' stored" : "`%s' returned", text);
	else if (way == WHERE_ZERO)
		out = g_strdup_printf("`%s' where the value is 0", text);
	else
		/* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): one of those above */
		out = g_strdup_printf(words[way], text);
	return g_string_chunk_insert_const(x->words, out);
}

static void add_mutant(struct expression_mutants *x, const struct value_site *site,
		       const char *text, const struct code_value *v, enum way way, GArray *all)
{
	struct code_piece *piece = g_new0(struct code_piece, 1);
	struct mutant made = { .kind = MUTANT_EXPRESSION,
			       .addr = site->addr,
			       .length = site->length,
			       .to = way,
			       .piece = piece };

	if (!write_piece(piece, site, v, way)) {
		g_free(piece);
		return;
	}
	g_ptr_array_add(x->pieces, piece);
	made.words = words_of(x, site, text, way);
	g_array_append_val(all, made);
}

/* What the statement assigns to, or returns, and of which type that is. */
static const struct image_type *type_of_site(struct expression_mutants *x, const char *file,
					     unsigned line, const struct value_site *site,
					     const struct image_function *f, char **text)
{
	const struct source *s = sources_get(x->sources, file);
	const struct image_row *row = image_row_at(x->im, site->addr);
	const struct image_statement *st = row ? image_statement(x->im, row->statement) : NULL;
	const struct image_type *type = NULL;
	struct code_value *v;
	size_t at;

	*text = NULL;
	if (!s || !source_place(s, line, st ? st->column : 0, &at))
		return NULL;
	*text = source_text(s, site->stores ? source_assigned(s, at) : source_returned(s, at));
	if (!*text)
		return NULL;
	if (!site->stores)
		return image_return_type(x->im, f);
	v = code_value_new(x->im, site->addr, *text, x->limits);
	type = v ? code_value_type(v) : NULL;
	code_value_free(v);
	return type && 8 * type->size == site->width ? type : NULL;
}

/* Numbers alone are other constants, which mutants of other kinds try; but one too many or too few
 * is a common fault.  Above the bits of a small value may stand anything. */
static bool is_possible(const struct value_site *site, const struct image_type *type,
			const char *text, enum way way)
{
	if (g_ascii_isdigit(*text) || (*text == '-' && g_ascii_isdigit(text[1])))
		return strcmp(text, "1") == 0 && (way == ADDED || way == SUBTRACTED);
	return way == INSTEAD || (way == WHERE_ZERO ? site->width >= 32 : !is_pointer(type));
}

static void add_of_site(struct expression_mutants *x, const char *file, unsigned line,
			const struct value_site *site, GArray *all)
{
	const struct image_function *f = image_function_at(x->im, site->addr);
	g_autofree char *own = NULL;
	const struct image_type *type = f ? type_of_site(x, file, line, site, f, &own) : NULL;
	const GPtrArray *texts = type ? texts_of(x, f) : NULL;
	guint first = all->len;

	for (guint i = 0; texts && i < texts->len; i++) {
		struct code_value *v =
			code_value_new(x->im, site->addr, texts->pdata[i], x->limits);
		bool same = strcmp(texts->pdata[i], own) == 0;

		if (v && fits(type, code_value_type(v)))
			for (enum way way = same ? ADDED : INSTEAD; way < WAYS; way++)
				if (is_possible(site, type, texts->pdata[i], way) &&
				    all->len - first < x->limits->mutant_expressions)
					add_mutant(x, site, texts->pdata[i], v, way, all);
		code_value_free(v);
	}
}

void expression_mutants_of_line(struct expression_mutants *x, const char *file, unsigned line,
				const GArray *addrs, GArray *all)
{
	struct value_site site;

	if (value_site_of_store(x->im, addrs, &site))
		add_of_site(x, file, line, &site, all);
	if (value_site_of_return(x->im, addrs, &site))
		add_of_site(x, file, line, &site, all);
}
