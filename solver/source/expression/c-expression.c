/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/expression/c-expression.h"
#include "solver/source/expression/c-type.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK(c - expression, c_expression_error)

/* A text is not longer than this, so that the tree of it is not too deep for the stack. */
enum { DEEPEST = 64, MOST_WORDS = 8, LONGEST = 4096, MOST_WRITTEN = 1 << 18 };

struct c_expression {
	GPtrArray *nodes;
	GStringChunk *names;
	const struct c_node *root;
};

struct reader {
	const struct image *im;
	struct c_expression *e;
	const char *text, *at;
	unsigned depth;
	GError *error;
};

static const struct c_node *conditional(struct reader *r);
static const struct c_node *unary(struct reader *r);

G_GNUC_PRINTF(2, 3)
static const struct c_node *refuse(struct reader *r, const char *format, ...)
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

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$';
}

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t\n");
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (is_word(at[n]))
		n++;
	return n;
}

/* The operators, the longest first, so that `<' is not taken out of `<<='. */
static const char *const operators[] = { "<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
					 "<=",	">=",  "==",  "!=", "&&", "||", "*=", "/=",
					 "%=",	"+=",  "-=",  "&=", "|=", "^=" };

static size_t operator_length(const char *at)
{
	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
		if (strncmp(at, operators[i], strlen(operators[i])) == 0)
			return strlen(operators[i]);
	return *at ? 1 : 0;
}

static bool is_next(struct reader *r, const char *wanted)
{
	skip_blanks(r);
	return operator_length(r->at) == strlen(wanted) &&
	       strncmp(r->at, wanted, strlen(wanted)) == 0;
}

static bool take(struct reader *r, const char *wanted)
{
	if (!is_next(r, wanted))
		return false;
	r->at += strlen(wanted);
	return true;
}

static const char *next_word(struct reader *r)
{
	g_autofree char *word = NULL;

	skip_blanks(r);
	word = g_strndup(r->at, word_length(r->at));
	return *word && !g_ascii_isdigit(*word) ? g_string_chunk_insert_const(r->e->names, word)
						: NULL;
}

static bool take_word(struct reader *r, const char *word)
{
	const char *next = next_word(r);

	if (!next || strcmp(next, word) != 0)
		return false;
	r->at += strlen(word);
	return true;
}

static uint32_t written(const struct c_node *n)
{
	return n ? n->written : 0;
}

/* A string that is compared with what has another inside, and so on, would be written out to any
 * size.  Each summand is at most MOST_WRITTEN. */
static const struct c_node *add(struct reader *r, struct c_node n)
{
	struct c_node *kept = g_memdup2(&n, sizeof(n));

	kept->written = 1 + written(n.a) + written(n.b) + written(n.c);
	if (kept->written > MOST_WRITTEN) {
		kept->written = MOST_WRITTEN;
		refuse(r, "the expression is too large");
	}
	g_ptr_array_add(r->e->nodes, kept);
	return kept;
}

static const struct c_node *operation(struct reader *r, unsigned op, const struct c_node *a,
				      const struct c_node *b)
{
	if (!a)
		return NULL;
	return add(r, (struct c_node){
			      .kind = b ? C_NODE_BINARY : C_NODE_UNARY, .op = op, .a = a, .b = b });
}

/* ---- types ---- */

static const struct image_type *tagged(struct reader *r, const char *keyword)
{
	const char *tag;
	const struct image_type *t;
	g_autofree char *name = NULL;

	r->at += strlen(keyword);
	tag = next_word(r);
	if (!tag) {
		refuse(r, "a name is missing after `%s'", keyword);
		return NULL;
	}
	r->at += strlen(tag);
	name = g_strdup_printf("%s %s", keyword, tag);
	t = image_type_named(r->im, name);
	if (!t)
		refuse(r, "the program has no type `%s'", name);
	return t;
}

/* Keywords, a tag, or a typedef's name.  NULL without an error: there is no type here. */
static const struct image_type *specifiers(struct reader *r)
{
	const char *words[MOST_WORDS], *word;
	const struct image_type *t = NULL;
	size_t n = 0;

	while (!r->error && (word = next_word(r))) {
		bool tag = strcmp(word, "struct") == 0 || strcmp(word, "union") == 0 ||
			   strcmp(word, "enum") == 0;

		if (c_type_is_qualifier(word)) {
			r->at += strlen(word);
		} else if (!t && !n && tag) {
			t = tagged(r, word);
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
		refuse(r, "`%s ...' is no type", words[0]);
	return t;
}

/* A type's name with its stars. */
static const struct image_type *type_name(struct reader *r)
{
	const char *start = r->at;
	const struct image_type *t = specifiers(r);

	if (!t) {
		r->at = start;
		return NULL;
	}
	for (;;) {
		const char *word = next_word(r);

		if (take(r, "*"))
			t = image_pointer_to(r->im, t);
		else if (word && c_type_is_qualifier(word))
			r->at += strlen(word);
		else
			return t;
	}
}

/* ---- constants ---- */

static const struct c_node *integer(struct reader *r, const struct image_type *t, uint64_t v)
{
	return add(r, (struct c_node){ .kind = C_NODE_CONSTANT, .type = t, .integer = v });
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

static const struct c_node *real_number(struct reader *r)
{
	char *end;
	double v = g_ascii_strtod(r->at, &end);
	bool f = *end == 'f' || *end == 'F';

	if (is_word(end[f]) || end[f] == '.')
		return refuse(r, "`%.*s' is not a number", (int)(end - r->at) + 1, r->at);
	r->at = end + f;
	return add(r, (struct c_node){ .kind = C_NODE_CONSTANT,
				       .type = c_type(f ? C_FLOAT : C_DOUBLE),
				       .real = f ? (float)v : v });
}

static const struct c_node *number(struct reader *r)
{
	const char *digits = is_hex(r->at) ? "0123456789abcdefABCDEF" : "0123456789";
	size_t n = (is_hex(r->at) ? 2 : 0), suffix;
	bool decimal = *r->at != '0';
	char *end;
	uint64_t v;

	n += strspn(r->at + n, digits);
	if (r->at[n] == '.' || (!is_hex(r->at) && (r->at[n] == 'e' || r->at[n] == 'E')))
		return real_number(r);
	v = g_ascii_strtoull(r->at, &end, 0);
	suffix = strspn(end, "uUlL");
	if (end != r->at + n || is_word(end[suffix]))
		return refuse(r, "`%.*s' is not a number", (int)word_length(r->at), r->at);
	r->at = end + suffix;
	return integer(r,
		       type_of_integer(v, decimal,
				       memchr(end, 'u', suffix) || memchr(end, 'U', suffix),
				       memchr(end, 'l', suffix) || memchr(end, 'L', suffix)),
		       v);
}

/* The quote that closes it, or the end of the text. */
static const char *closing_quote(const char *at, char quote)
{
	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return at;
}

static const struct c_node *string(struct reader *r)
{
	const char *end = closing_quote(r->at + 1, '"');
	g_autofree char *inside = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	g_autofree char *plain = g_strcompress(inside);

	if (!*end)
		return refuse(r, "the closing \" of a string is missing");
	r->at = end + 1;
	return add(r, (struct c_node){ .kind = C_NODE_STRING,
				       .name = g_string_chunk_insert_const(r->e->names, plain) });
}

static const struct c_node *character(struct reader *r)
{
	const char *end = closing_quote(r->at + 1, '\'');
	g_autofree char *inside = NULL, *plain = NULL;

	if (!*end)
		return refuse(r, "the closing ' of a character is missing");
	inside = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	r->at = end + 1;
	if (g_str_has_prefix(inside, "\\x"))
		return integer(r, c_type(C_INT),
			       (uint64_t)(signed char)g_ascii_strtoull(inside + 2, NULL, 16));
	if (strcmp(inside, "\\0") == 0)
		return integer(r, c_type(C_INT), 0);
	if (strcmp(inside, "\\a") == 0)
		return integer(r, c_type(C_INT), '\a');
	plain = g_strcompress(inside);
	if (strlen(plain) != 1)
		return refuse(r, "'%s' is not one character", inside);
	return integer(r, c_type(C_INT), (uint64_t)(int64_t)(signed char)*plain);
}

/* ---- expressions ---- */

static const struct c_node *well_known(struct reader *r, const char *name)
{
	if (strcmp(name, "NULL") == 0)
		return add(r, (struct c_node){ .kind = C_NODE_CONSTANT,
					       .type = image_pointer_to(r->im, NULL) });
	if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
		return integer(r, c_type(C_INT), *name == 't');
	return NULL;
}

static bool is_scope(const char *at)
{
	return strncmp(at, "::", 2) == 0;
}

/* scope: "" = of any file. */
static const struct c_node *name_in(struct reader *r, const char *scope)
{
	const char *name;
	g_autofree char *whole = NULL;

	r->at += strlen("::");
	name = next_word(r);
	if (!name)
		return refuse(r, "a name is missing after `::'");
	r->at += strlen(name);
	whole = g_strconcat(scope, "::", name, NULL);
	return add(r, (struct c_node){ .kind = C_NODE_NAME,
				       .name = g_string_chunk_insert_const(r->e->names, whole) });
}

/* 'file.c'::name, or 'c'. */
static const struct c_node *quoted(struct reader *r)
{
	const char *end = closing_quote(r->at + 1, '\'');
	g_autofree char *scope = NULL;

	if (!*end || !is_scope(end + 1))
		return character(r);
	scope = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	r->at = end + 1;
	return name_in(r, scope);
}

static const struct c_node *name_or_type(struct reader *r)
{
	const char *name = next_word(r);
	const struct c_node *known;

	if (!name && is_scope(r->at))
		return name_in(r, "");

	if (!name)
		return *r->at ? refuse(r, "`%s' is not understood there", r->at)
			      : refuse(r, "something is missing at the end of `%s'", r->text);
	r->at += strlen(name);
	if (is_scope(r->at))
		return name_in(r, name);
	known = well_known(r, name);
	return known ? known : add(r, (struct c_node){ .kind = C_NODE_NAME, .name = name });
}

static const struct c_node *primary(struct reader *r)
{
	skip_blanks(r);
	if (take(r, "(")) {
		const struct c_node *x = conditional(r);

		if (is_next(r, ","))
			return refuse(r, "the comma operator is not understood");
		return !x || take(r, ")") ? x : refuse(r, "a `)' is missing before `%s'", r->at);
	}
	if (g_ascii_isdigit(*r->at))
		return number(r);
	if (*r->at == '.' && g_ascii_isdigit(r->at[1]))
		return real_number(r);
	if (*r->at == '\'')
		return quoted(r);
	if (*r->at == '"')
		return string(r);
	return name_or_type(r);
}

static const struct c_node *member(struct reader *r, const struct c_node *x, bool arrow)
{
	const char *name = next_word(r);

	if (!name)
		return refuse(r, "a member's name is missing before `%s'", r->at);
	r->at += strlen(name);
	if (arrow)
		x = operation(r, '*', x, NULL);
	return add(r, (struct c_node){ .kind = C_NODE_MEMBER, .a = x, .name = name });
}

static const struct c_node *element(struct reader *r, const struct c_node *x)
{
	const struct c_node *index = conditional(r);

	if (!index)
		return NULL;
	if (!take(r, "]"))
		return refuse(r, "a `]' is missing before `%s'", r->at);
	return add(r, (struct c_node){ .kind = C_NODE_INDEX, .a = x, .b = index });
}

static const struct c_node *postfix(struct reader *r)
{
	const struct c_node *x = primary(r);

	while (x) {
		if (take(r, "->"))
			x = member(r, x, true);
		else if (take(r, "."))
			x = member(r, x, false);
		else if (take(r, "["))
			x = element(r, x);
		else if (is_next(r, "("))
			return refuse(r, "functions cannot be called: it would change the run; ask "
					 "about variables");
		else if (is_next(r, "++") || is_next(r, "--"))
			return refuse(r, "`%.2s' would change the run; ask about a value", r->at);
		else
			break;
	}
	return x;
}

static const struct c_node *size(struct reader *r)
{
	const char *start = r->at;
	const struct image_type *t = take(r, "(") ? type_name(r) : NULL;
	const struct c_node *x;

	if (t && !take(r, ")"))
		return refuse(r, "a `)' is missing before `%s'", r->at);
	if (t)
		return add(r, (struct c_node){ .kind = C_NODE_SIZEOF, .type = t });
	r->at = start;
	x = r->error ? NULL : unary(r);
	return x ? add(r, (struct c_node){ .kind = C_NODE_SIZEOF, .a = x }) : NULL;
}

/* A cast, or NULL without an error. */
static const struct c_node *cast(struct reader *r)
{
	const char *start = r->at;
	const struct image_type *t = take(r, "(") ? type_name(r) : NULL;
	const struct c_node *x;

	if (!t) {
		r->at = start;
		return NULL;
	}
	if (!take(r, ")"))
		return refuse(r, "a `)' is missing before `%s'", r->at);
	x = unary(r);
	return x ? add(r, (struct c_node){ .kind = C_NODE_CAST, .type = t, .a = x }) : NULL;
}

static const struct c_node *unary(struct reader *r)
{
	static const char operators_of_one[] = "*&-+~!";
	const struct c_node *x;

	if (r->depth > DEEPEST)
		return refuse(r, "the expression is nested too deeply");
	skip_blanks(r);
	if (is_next(r, "++") || is_next(r, "--"))
		return refuse(r, "`%.2s' would change the run; ask about a value", r->at);
	if (*r->at && strchr(operators_of_one, *r->at) && operator_length(r->at) == 1) {
		unsigned op = (unsigned char)*r->at++;

		r->depth++;
		x = operation(r, op, unary(r), NULL);
		r->depth--;
		return x;
	}
	if (take_word(r, "sizeof"))
		return size(r);
	r->depth++;
	x = cast(r);
	if (!x && !r->error)
		x = postfix(r);
	r->depth--;
	return x;
}

static const struct {
	const char *text;
	unsigned op, level;
} binaries[] = {
	{ "*", '*', 10 },      { "/", '/', 10 },      { "%", '%', 10 },	     { "+", '+', 9 },
	{ "-", '-', 9 },       { "<<", C_OP_SHL, 8 }, { ">>", C_OP_SHR, 8 }, { "<", '<', 7 },
	{ ">", '>', 7 },       { "<=", C_OP_LE, 7 },  { ">=", C_OP_GE, 7 },  { "==", C_OP_EQ, 6 },
	{ "!=", C_OP_NE, 6 },  { "&", '&', 5 },	      { "^", '^', 4 },	     { "|", '|', 3 },
	{ "&&", C_OP_AND, 2 }, { "||", C_OP_OR, 1 },
};

static int next_binary(struct reader *r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(binaries); i++)
		if (is_next(r, binaries[i].text))
			return (int)i;
	return -1;
}

/* x == "ab": x[0] == 'a' && x[1] == 'b' && x[2] == 0 */
static const struct c_node *compare_string(struct reader *r, unsigned op, const struct c_node *x,
					   const char *string)
{
	const struct c_node *all = NULL;

	for (size_t i = strlen(string) + 1; i > 0; i--) {
		const struct c_node *at = integer(r, c_type(C_INT), i - 1);
		const struct c_node *c =
			add(r, (struct c_node){ .kind = C_NODE_INDEX, .a = x, .b = at });

		c = operation(
			r, C_OP_EQ, c,
			integer(r, c_type(C_INT), (uint64_t)(int64_t)(signed char)string[i - 1]));
		all = all ? operation(r, C_OP_AND, c, all) : c;
	}
	return op == C_OP_NE ? operation(r, '!', all, NULL) : all;
}

static const struct c_node *operation_of_two(struct reader *r, unsigned op, const struct c_node *x,
					     const struct c_node *y)
{
	bool compares = op == C_OP_EQ || op == C_OP_NE;

	if (compares && y->kind == C_NODE_STRING && x->kind != C_NODE_STRING)
		return compare_string(r, op, x, y->name);
	if (compares && x->kind == C_NODE_STRING && y->kind != C_NODE_STRING)
		return compare_string(r, op, y, x->name);
	return operation(r, op, x, y);
}

/* Operators of this level and those that bind more. */
static const struct c_node *binary(struct reader *r, unsigned level)
{
	const struct c_node *x = unary(r);
	int i;

	while (x && (i = next_binary(r)) >= 0 && binaries[i].level >= level) {
		const struct c_node *y;

		take(r, binaries[i].text);
		y = binary(r, binaries[i].level + 1);
		x = y ? operation_of_two(r, binaries[i].op, x, y) : NULL;
	}
	return x;
}

static const struct c_node *conditional(struct reader *r)
{
	const struct c_node *x, *y, *z;

	if (r->depth++ > DEEPEST)
		return refuse(r, "the expression is nested too deeply");
	x = binary(r, 1);
	if (x && take(r, "?")) {
		y = conditional(r);
		if (y && !take(r, ":"))
			return refuse(r, "a `:' is missing before `%s'", r->at);
		z = y ? conditional(r) : NULL;
		x = z ? add(r, (struct c_node){ .kind = C_NODE_CHOICE, .a = x, .b = y, .c = z })
		      : NULL;
	}
	r->depth--;
	return x;
}

static void refuse_rest(struct reader *r)
{
	size_t n;

	skip_blanks(r);
	n = operator_length(r->at);
	if (!n)
		return;
	if (r->at[n - 1] == '=' && n != 2)
		refuse(r, "`%.*s' would change the run; to compare, write `=='", (int)n, r->at);
	else if (r->at[n - 1] == '=')
		refuse(r, "`%.*s' would change the run; ask about a value", (int)n, r->at);
	else
		refuse(r, "`%s' is not understood there", r->at);
}

struct c_expression *c_expression_parse(const struct image *im, const char *text, GError **error)
{
	struct c_expression *e = g_new0(struct c_expression, 1);
	struct reader r = { .im = im, .e = e, .text = text, .at = text };

	e->nodes = g_ptr_array_new_with_free_func(g_free);
	e->names = g_string_chunk_new(256);
	skip_blanks(&r);
	if (!*r.at)
		refuse(&r, "an expression is missing");
	else if (strlen(text) > LONGEST)
		refuse(&r, "the expression is longer than %d characters", LONGEST);
	else
		e->root = conditional(&r);
	if (e->root)
		refuse_rest(&r);
	if (!r.error)
		return e;
	g_propagate_error(error, r.error);
	c_expression_free(e);
	return NULL;
}

void c_expression_free(struct c_expression *e)
{
	if (!e)
		return;
	g_ptr_array_free(e->nodes, TRUE);
	g_string_chunk_free(e->names);
	g_free(e);
}

const struct c_node *c_expression_root(const struct c_expression *e)
{
	return e->root;
}
