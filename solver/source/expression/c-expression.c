/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/source/expression/c-expression-private.h"

#include "solver/source/expression/c-type.h"

#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK(c - expression, c_expression_error)

/* A text is not longer than this, so that the tree of it is not too deep for the stack. */
enum { DEEPEST = 64, LONGEST = 4096 };

static const struct c_node *read_conditional(struct c_reader *r);
static const struct c_node *read_unary(struct c_reader *r);

static const struct c_node *well_known(struct c_reader *r, const char *name)
{
	if (strcmp(name, "NULL") == 0)
		return c_reader_add(r, (struct c_node){ .kind = C_NODE_CONSTANT,
							.type = image_pointer_to(r->im, NULL) });
	if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
		return c_reader_integer(r, c_type(C_INT), *name == 't');
	return NULL;
}

static bool is_scope(const char *at)
{
	return strncmp(at, "::", 2) == 0;
}

/* scope: "" = of any file. */
static const struct c_node *name_in(struct c_reader *r, const char *scope)
{
	const char *name;
	g_autofree char *whole = NULL;

	r->at += strlen("::");
	name = c_reader_word(r);
	if (!name)
		return c_reader_refuse(r, "a name is missing after `::'");
	r->at += strlen(name);
	whole = g_strconcat(scope, "::", name, NULL);
	return c_reader_add(
		r, (struct c_node){ .kind = C_NODE_NAME,
				    .name = g_string_chunk_insert_const(r->e->names, whole) });
}

/* 'file.c'::name, or 'c'. */
static const struct c_node *read_quoted_name(struct c_reader *r)
{
	const char *end = c_reader_closing_quote(r->at + 1, '\'');
	g_autofree char *scope = NULL;

	if (!*end || !is_scope(end + 1))
		return c_reader_character(r);
	scope = g_strndup(r->at + 1, (size_t)(end - r->at - 1));
	r->at = end + 1;
	return name_in(r, scope);
}

static const struct c_node *name_or_type(struct c_reader *r)
{
	const char *name = c_reader_word(r);
	const struct c_node *known;

	if (!name && is_scope(r->at))
		return name_in(r, "");

	if (!name)
		return *r->at ? c_reader_refuse(r, "`%s' is not understood there", r->at)
			      : c_reader_refuse(r, "something is missing at the end of `%s'",
						r->text);
	r->at += strlen(name);
	if (is_scope(r->at))
		return name_in(r, name);
	known = well_known(r, name);
	return known ? known
		     : c_reader_add(r, (struct c_node){ .kind = C_NODE_NAME, .name = name });
}

static const struct c_node *read_primary(struct c_reader *r)
{
	c_reader_skip_blanks(r);
	if (c_reader_take(r, "(")) {
		const struct c_node *x = read_conditional(r);

		if (c_reader_is_next(r, ","))
			return c_reader_refuse(r, "the comma operator is not understood");
		return !x || c_reader_take(r, ")")
			       ? x
			       : c_reader_refuse(r, "a `)' is missing before `%s'", r->at);
	}
	if (g_ascii_isdigit(*r->at))
		return c_reader_number(r);
	if (*r->at == '.' && g_ascii_isdigit(r->at[1]))
		return c_reader_real_number(r);
	if (*r->at == '\'')
		return read_quoted_name(r);
	if (*r->at == '"')
		return c_reader_string(r);
	return name_or_type(r);
}

static const struct c_node *read_member_access(struct c_reader *r, const struct c_node *x,
					       bool arrow)
{
	const char *name = c_reader_word(r);

	if (!name)
		return c_reader_refuse(r, "a member's name is missing before `%s'", r->at);
	r->at += strlen(name);
	if (arrow)
		x = c_reader_operation(r, '*', x, NULL);
	return c_reader_add(r, (struct c_node){ .kind = C_NODE_MEMBER, .a = x, .name = name });
}

static const struct c_node *read_element(struct c_reader *r, const struct c_node *x)
{
	const struct c_node *index = read_conditional(r);

	if (!index)
		return NULL;
	if (!c_reader_take(r, "]"))
		return c_reader_refuse(r, "a `]' is missing before `%s'", r->at);
	return c_reader_add(r, (struct c_node){ .kind = C_NODE_INDEX, .a = x, .b = index });
}

static const struct c_node *read_postfix(struct c_reader *r)
{
	const struct c_node *x = read_primary(r);

	while (x) {
		if (c_reader_take(r, "->"))
			x = read_member_access(r, x, true);
		else if (c_reader_take(r, "."))
			x = read_member_access(r, x, false);
		else if (c_reader_take(r, "["))
			x = read_element(r, x);
		else if (c_reader_is_next(r, "("))
			return c_reader_refuse(
				r, "functions cannot be called: it would change the run; ask "
				   "about variables");
		else if (c_reader_is_next(r, "++") || c_reader_is_next(r, "--"))
			return c_reader_refuse(r, "`%.2s' would change the run; ask about a value",
					       r->at);
		else
			break;
	}
	return x;
}

static const struct c_node *read_sizeof(struct c_reader *r)
{
	const char *start = r->at;
	const struct image_type *t = c_reader_take(r, "(") ? c_reader_type(r) : NULL;
	const struct c_node *x;

	if (t && !c_reader_take(r, ")"))
		return c_reader_refuse(r, "a `)' is missing before `%s'", r->at);
	if (t)
		return c_reader_add(r, (struct c_node){ .kind = C_NODE_SIZEOF, .type = t });
	r->at = start;
	x = r->error ? NULL : read_unary(r);
	return x ? c_reader_add(r, (struct c_node){ .kind = C_NODE_SIZEOF, .a = x }) : NULL;
}

/* A cast, or NULL without an error. */
static const struct c_node *read_cast(struct c_reader *r)
{
	const char *start = r->at;
	const struct image_type *t = c_reader_take(r, "(") ? c_reader_type(r) : NULL;
	const struct c_node *x;

	if (!t) {
		r->at = start;
		return NULL;
	}
	if (!c_reader_take(r, ")"))
		return c_reader_refuse(r, "a `)' is missing before `%s'", r->at);
	x = read_unary(r);
	return x ? c_reader_add(r, (struct c_node){ .kind = C_NODE_CAST, .type = t, .a = x })
		 : NULL;
}

static const struct c_node *read_unary(struct c_reader *r)
{
	static const char operators_of_one[] = "*&-+~!";
	const struct c_node *x;

	if (r->depth > DEEPEST)
		return c_reader_refuse(r, "the expression is nested too deeply");
	c_reader_skip_blanks(r);
	if (c_reader_is_next(r, "++") || c_reader_is_next(r, "--"))
		return c_reader_refuse(r, "`%.2s' would change the run; ask about a value", r->at);
	if (*r->at && strchr(operators_of_one, *r->at) && c_reader_operator_length(r->at) == 1) {
		unsigned op = (unsigned char)*r->at++;

		r->depth++;
		x = c_reader_operation(r, op, read_unary(r), NULL);
		r->depth--;
		return x;
	}
	if (c_reader_take_word(r, "sizeof"))
		return read_sizeof(r);
	r->depth++;
	x = read_cast(r);
	if (!x && !r->error)
		x = read_postfix(r);
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

static int next_binary(struct c_reader *r)
{
	for (size_t i = 0; i < G_N_ELEMENTS(binaries); i++)
		if (c_reader_is_next(r, binaries[i].text))
			return (int)i;
	return -1;
}

/* x == "ab": x[0] == 'a' && x[1] == 'b' && x[2] == 0 */
static const struct c_node *compare_string(struct c_reader *r, unsigned op, const struct c_node *x,
					   const char *string)
{
	const struct c_node *all = NULL;

	for (size_t i = strlen(string) + 1; i > 0; i--) {
		const struct c_node *at = c_reader_integer(r, c_type(C_INT), i - 1);
		const struct c_node *c =
			c_reader_add(r, (struct c_node){ .kind = C_NODE_INDEX, .a = x, .b = at });

		c = c_reader_operation(
			r, C_OP_EQ, c,
			c_reader_integer(r, c_type(C_INT),
					 (uint64_t)(int64_t)(signed char)string[i - 1]));
		all = all ? c_reader_operation(r, C_OP_AND, c, all) : c;
	}
	return op == C_OP_NE ? c_reader_operation(r, '!', all, NULL) : all;
}

static const struct c_node *operation_of_two(struct c_reader *r, unsigned op,
					     const struct c_node *x, const struct c_node *y)
{
	bool compares = op == C_OP_EQ || op == C_OP_NE;

	if (compares && y->kind == C_NODE_STRING && x->kind != C_NODE_STRING)
		return compare_string(r, op, x, y->name);
	if (compares && x->kind == C_NODE_STRING && y->kind != C_NODE_STRING)
		return compare_string(r, op, y, x->name);
	return c_reader_operation(r, op, x, y);
}

/* Operators of this level and those that bind more. */
static const struct c_node *read_binary(struct c_reader *r, unsigned level)
{
	const struct c_node *x = read_unary(r);
	int i;

	while (x && (i = next_binary(r)) >= 0 && binaries[i].level >= level) {
		const struct c_node *y;

		c_reader_take(r, binaries[i].text);
		y = read_binary(r, binaries[i].level + 1);
		x = y ? operation_of_two(r, binaries[i].op, x, y) : NULL;
	}
	return x;
}

static const struct c_node *read_conditional(struct c_reader *r)
{
	const struct c_node *x, *y, *z;

	if (r->depth++ > DEEPEST)
		return c_reader_refuse(r, "the expression is nested too deeply");
	x = read_binary(r, 1);
	if (x && c_reader_take(r, "?")) {
		y = read_conditional(r);
		if (y && !c_reader_take(r, ":"))
			return c_reader_refuse(r, "a `:' is missing before `%s'", r->at);
		z = y ? read_conditional(r) : NULL;
		x = z ? c_reader_add(
				r, (struct c_node){ .kind = C_NODE_CHOICE, .a = x, .b = y, .c = z })
		      : NULL;
	}
	r->depth--;
	return x;
}

static void refuse_rest(struct c_reader *r)
{
	size_t n;

	c_reader_skip_blanks(r);
	n = c_reader_operator_length(r->at);
	if (!n)
		return;
	if (r->at[n - 1] == '=' && n != 2)
		c_reader_refuse(r, "`%.*s' would change the run; to compare, write `=='", (int)n,
				r->at);
	else if (r->at[n - 1] == '=')
		c_reader_refuse(r, "`%.*s' would change the run; ask about a value", (int)n, r->at);
	else
		c_reader_refuse(r, "`%s' is not understood there", r->at);
}

struct c_expression *c_expression_parse(const struct image *im, const char *text, GError **error)
{
	struct c_expression *e = g_new0(struct c_expression, 1);
	struct c_reader r = { .im = im, .e = e, .text = text, .at = text };

	e->nodes = g_ptr_array_new_with_free_func(g_free);
	e->names = g_string_chunk_new(256);
	c_reader_skip_blanks(&r);
	if (!*r.at)
		c_reader_refuse(&r, "an expression is missing");
	else if (strlen(text) > LONGEST)
		c_reader_refuse(&r, "the expression is longer than %d characters", LONGEST);
	else
		e->root = read_conditional(&r);
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
