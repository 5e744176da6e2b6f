/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What expressions are made of: words, operators, names of types, constants, and nodes. */
#include "solver/source/expression/c-expression-private.h"

#include "solver/source/expression/c-type.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8, MOST_WRITTEN = 1 << 18 };

const struct c_node *c_reader_refuse(struct c_reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (!r->error)
		r->error = g_error_new_valist(C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_SYNTAX, format,
					      args);
	va_end(args);
	return NULL;
}

/* ---- words ---- */

static bool is_word_of_expression(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$';
}

void c_reader_skip_blanks(struct c_reader *r)
{
	r->at += strspn(r->at, " \t\n");
}

static size_t expression_word_length(const char *at)
{
	size_t n = 0;

	while (is_word_of_expression(at[n]))
		n++;
	return n;
}

/* The operators, the longest first, so that `<' is not taken out of `<<='. */
static const char *const operators[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
					 "<=",	">=",  "==",  "!=", "&&", "||", "*=", "/=",
					 "%=",	"+=",  "-=",  "&=", "|=", "^=" };

size_t c_reader_operator_length(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return *at ? 1 : 0;
}

bool c_reader_is_next(struct c_reader *r, const char *wanted)
{
	c_reader_skip_blanks(r);
	return c_reader_operator_length(r->at) == strlen(wanted) &&
	       strncmp(r->at, wanted, strlen(wanted)) == 0;
}

bool c_reader_take(struct c_reader *r, const char *wanted)
{
	if (!c_reader_is_next(r, wanted))
		return false;
	r->at += strlen(wanted);
	return true;
}

const char *c_reader_word(struct c_reader *r)
{
	g_autofree char *word = NULL;

	c_reader_skip_blanks(r);
	word = g_strndup(r->at, expression_word_length(r->at));
	return *word && !g_ascii_isdigit(*word) ? g_string_chunk_insert_const(r->e->names, word)
						: NULL;
}

bool c_reader_take_word(struct c_reader *r, const char *word)
{
	const char *next = c_reader_word(r);

	if (!next || strcmp(next, word) != 0)
		return false;
	r->at += strlen(word);
	return true;
}

static uint32_t written_operator(const struct c_node *n)
{
	return n ? n->written : 0;
}

/* A string that is compared with what has another inside, and so on, would be written out to any
 * size.  Each summand is at most MOST_WRITTEN. */
const struct c_node *c_reader_add(struct c_reader *r, struct c_node n)
{
	struct c_node *kept = g_memdup2(&n, sizeof(n));

	kept->written = 1 + written_operator(n.a) + written_operator(n.b) + written_operator(n.c);
	if (kept->written > MOST_WRITTEN) {
		kept->written = MOST_WRITTEN;
		c_reader_refuse(r, "the expression is too large");
	}
	g_ptr_array_add(r->e->nodes, kept);
	return kept;
}

const struct c_node *c_reader_operation(struct c_reader *r, unsigned op, const struct c_node *a,
					const struct c_node *b)
{
	if (!a)
		return NULL;
	return c_reader_add(
		r, (struct c_node){
			   .kind = b ? C_NODE_BINARY : C_NODE_UNARY, .op = op, .a = a, .b = b });
}

/* ---- types ---- */

static const struct image_type *read_tagged_type(struct c_reader *r, const char *keyword)
{
	const char *tag;
	const struct image_type *t;
	g_autofree char *name = NULL;

	r->at += strlen(keyword);
	tag = c_reader_word(r);
	if (!tag) {
		c_reader_refuse(r, "a name is missing after `%s'", keyword);
		return NULL;
	}
	r->at += strlen(tag);
	name = g_strdup_printf("%s %s", keyword, tag);
	t = image_type_named(r->im, name);
	if (!t)
		c_reader_refuse(r, "the program has no type `%s'", name);
	return t;
}

/* Keywords, a tag, or a typedef's name.  NULL without an error: there is no type here. */
static const struct image_type *read_specifiers(struct c_reader *r)
{
	const char *words[MOST_WORDS], *word;
	const struct image_type *t = NULL;
	size_t n = 0;

	while (!r->error && (word = c_reader_word(r))) {
		bool tag = strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 ||
			   strcmp(word, "enum") == 0;

		if (c_type_is_qualifier(word)) {
			r->at += strlen(word);
		} else if (!t && !n && tag) {
			t = read_tagged_type(r, word);
		} else if (!t && c_type_is_word(word) && n < MOST_WORDS) {
			words[n++] = word;
			r->at += strlen(word);
		} else if (!t && !n && (t = image_type_named(r->im, word))) {
			r->at += strlen(word);
		} else {
			break;
		}
	}
	if (!n || r->error)
		return t;
	t = c_type_of_words(words, n);
	if (!t)
		c_reader_refuse(r, "`%s ...' is no type", words[0]);
	return t;
}

/* A type's name with its stars. */
const struct image_type *c_reader_type(struct c_reader *r)
{
	const char *start = r->at;
	const struct image_type *t = read_specifiers(r);

	if (!t) {
		r->at = start;
		return NULL;
	}
	for (;;) {
		const char *word = c_reader_word(r);

		if (c_reader_take(r, "*"))
			t = image_pointer_to(r->im, t);
		else if (word && c_type_is_qualifier(word))
			r->at += strlen(word);
		else
			return t;
	}
}

/* ---- constants ---- */

const struct c_node *c_reader_integer(struct c_reader *r, const struct image_type *t, uint64_t v)
{
	return c_reader_add(r, (struct c_node){ .kind = C_NODE_CONSTANT, .type = t, .integer = v });
}

static bool is_hex(const char *at)
{
	return at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
}

/* The first type that can hold the number (C17, 6.4.4.1). */
static const struct image_type *type_of_integer(uint64_t v, bool decimal, bool u, bool l)
{
	if (!l && !u && v <= INT32_MAX)
		return c_type(C_INT);
	if (!l && (u || !decimal) && v <= UINT32_MAX)
		return c_type(C_UINT);
	return c_type(u || v > INT64_MAX ? C_ULONG : C_LONG);
}

const struct c_node *c_reader_real_number(struct c_reader *r)
{
	char *end;
	double v = g_ascii_strtod(r->at, &end);
	bool f = *end == 'f' || *end == 'F';

	if (is_word_of_expression(end[f]) || end[f] == '.')
		return c_reader_refuse(r, "`%.*s' is not a number", (int)(end - r->at) + 1, r->at);
	r->at = end + f;
	return c_reader_add(r, (struct c_node){ .kind = C_NODE_CONSTANT,
						.type = c_type(f ? C_FLOAT : C_DOUBLE),
						.real = f ? (float)v : v });
}

const struct c_node *c_reader_number(struct c_reader *r)
{
	const char *digits = is_hex(r->at) ? "0123456789abcdefABCDEF" : "0123456789";
	size_t n = (is_hex(r->at) ? 2 : 0), suffix;
	bool decimal = *r->at != '0';
	char *end;
	uint64_t v;

	n += strspn(r->at + n, digits);
	if (r->at[n] == '.' || (!is_hex(r->at) && (r->at[n] == 'e' || r->at[n] == 'E')))
		return c_reader_real_number(r);
	v = g_ascii_strtoull(r->at, &end, 0);
	suffix = strspn(end, "uUlL");
	if (end != r->at + n || is_word_of_expression(end[suffix]))
		return c_reader_refuse(r, "`%.*s' is not a number",
				       (int)expression_word_length(r->at), r->at);
	r->at = end + suffix;
	return c_reader_integer(
		r,
		type_of_integer(v, decimal, memchr(end, 'u', suffix) || memchr(end, 'U', suffix),
				memchr(end, 'l', suffix) || memchr(end, 'L', suffix)),
		v);
}

/* The quote that closes it, or the end of the text. */
const char *c_reader_closing_quote(const char *at, char quote)
{
	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return at;
}

const struct c_node *c_reader_string(struct c_reader *r)
{
	const char *end = c_reader_closing_quote(r->at + 1, '"');
	g_autofree char *inside = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	g_autofree char *plain = g_strcompress(inside);

	if (!*end)
		return c_reader_refuse(r, "the closing \" of a string is missing");
	r->at = end + 1;
	return c_reader_add(
		r, (struct c_node){ .kind = C_NODE_STRING,
				    .name = g_string_chunk_insert_const(r->e->names, plain) });
}

const struct c_node *c_reader_character(struct c_reader *r)
{
	const char *end = c_reader_closing_quote(r->at + 1, '\'');
	g_autofree char *inside = NULL, *plain = NULL;

	if (!*end)
		return c_reader_refuse(r, "the closing ' of a character is missing");
	inside = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	r->at = end + 1;
	if (g_str_has_prefix(inside, "\\x"))
		return c_reader_integer(
			r, c_type(C_INT),
			(uint64_t)(signed char)g_ascii_strtoull(inside + 2, NULL, 16));
	if (strcmp(inside, "\\0") == 0)
		return c_reader_integer(r, c_type(C_INT), 0);
	if (strcmp(inside, "\\a") == 0)
		return c_reader_integer(r, c_type(C_INT), '\a');
	plain = g_strcompress(inside);
	if (strlen(plain) != 1)
		return c_reader_refuse(r, "'%s' is not one character", inside);
	return c_reader_integer(r, c_type(C_INT), (uint64_t)(int64_t)(signed char)*plain);
}
