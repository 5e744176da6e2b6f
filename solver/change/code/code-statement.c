/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/code/code-statement.h"

#include "solver/change/code/code-piece-private.h"
#include "solver/change/code/code-value.h"
#include "solver/image/variable/variable.h"

#include <string.h>

enum { MOST_ARGUMENTS = 6 };

struct code_statement {
	struct code_value *place, *value; /* an assignment: the address, and what goes there */
	uint64_t size;			  /* bytes of it */
	bool copies;			  /* .value is the address of what is copied */
	uint64_t callee;		  /* a call: link-time; 0 = it is none */
	struct code_value *arguments[MOST_ARGUMENTS];
	unsigned n_arguments;
	struct code_statement *then; /* it does that as well; NULL = nothing */
};

#define PUT(...) \
	code_piece_bytes(c, (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

/* ---- what a text says ---- */

/* What stands for these names of macros, which a program has no code for. */
static const char *without_macro(const char *text)
{
	if (strcmp(text, "NULL") == 0 || strcmp(text, "false") == 0)
		return "0";
	return strcmp(text, "true") == 0 ? "1" : text;
}

/* Behind the literal or bracket that begins there, or the next character. */
static const char *step_over_text(const char *at, int *depth)
{
	char quote = *at;

	if (quote == '"' || quote == '\'') {
		for (at++; *at && *at != quote; at++)
			at += *at == '\\' && at[1];
		return *at ? at + 1 : at;
	}
	*depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
	return at + 1;
}

/* The `=' of an assignment; NULL: there is none.  *op: the sign in front of it, or it. */
static const char *find_assignment(const char *text, const char **op)
{
	int depth = 0;

	for (const char *at = text; *at; at = step_over_text(at, &depth)) {
		if (*at != '=' || depth || at == text)
			continue;
		*op = at;
		if (strchr("<>", at[-1])) { /* `a <<= 1', or a comparison */
			if (at - text < 2 || at[-2] != at[-1])
				return NULL;
			*op = at - 2;
		} else if (strchr("+-*&|^", at[-1])) {
			*op = at - 1;
		} else if (at[1] == '=' || strchr("!/%", at[-1])) {
			return NULL;
		}
		return at;
	}
	return NULL;
}

/* `place = value'; false: the text assigns nothing. */
static bool split_place_and_value(const char *text, char **place, char **value)
{
	size_t n = strlen(text);
	const char *op = NULL, *equals = find_assignment(text, &op);
	g_autofree char *sign = NULL;
	g_autofree char *right = NULL;

	if (equals) {
		*place = g_strstrip(g_strndup(text, (size_t)(op - text)));
		sign = g_strndup(op, (size_t)(equals - op));
		right = g_strstrip(g_strdup(equals + 1));
	} else if (n > 2 && (g_str_has_suffix(text, "++") || g_str_has_suffix(text, "--"))) {
		*place = g_strstrip(g_strndup(text, n - 2));
		sign = g_strndup(text + n - 1, 1);
		right = g_strdup("1");
	} else if (g_str_has_prefix(text, "++") || g_str_has_prefix(text, "--")) {
		*place = g_strstrip(g_strdup(text + 2));
		sign = g_strndup(text, 1);
		right = g_strdup("1");
	} else {
		return false;
	}
	*value = *sign ? g_strdup_printf("(%s) %s (%s)", *place, sign, right)
		       : g_strdup(without_macro(right));
	return true;
}

char *code_statement_place(const char *text)
{
	g_autofree char *value = NULL;
	char *place = NULL;

	return split_place_and_value(text, &place, &value) ? place : NULL;
}

const char *code_statement_value(const char *text)
{
	const char *op, *value = find_assignment(text, &op);

	if (!value || op != value)
		return NULL;
	for (value++; g_ascii_isspace(*value); value++)
		;
	return value;
}

const char *code_statement_assigned(const char *text)
{
	const char *op, *value = find_assignment(text, &op);

	if (!value)
		return NULL;
	for (value++; g_ascii_isspace(*value); value++)
		;
	return find_assignment(value, &op) ? value : NULL;
}

const struct image_function *code_statement_callee(const struct image *im, const char *text,
						   const char **arguments)
{
	size_t n = 0;
	int depth = 0;
	g_autofree char *name = NULL;
	const char *at;

	while (g_ascii_isalnum(text[n]) || text[n] == '_')
		n++;
	*arguments = text + n;
	if (!n || g_ascii_isdigit(*text) || text[n] != '(')
		return NULL;
	for (at = step_over_text(text + n, &depth); *at && depth; at = step_over_text(at, &depth))
		;
	name = g_strndup(text, n);
	return !depth && !*at ? image_function_named(im, name) : NULL;
}

/* ---- an assignment ---- */

static bool is_zero_or_one(const char *text)
{
	return strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
}

/* Can a value of type t be assigned to one of type `to'? */
static bool fits_assignment(const struct image_type *to, const struct image_type *t,
			    const char *value)
{
	if (to->kind == IMAGE_TYPE_BOOL)
		return t->kind == IMAGE_TYPE_BOOL || is_zero_or_one(value);
	if (to->kind != IMAGE_TYPE_POINTER)
		return t->kind != IMAGE_TYPE_POINTER;
	if (t->kind != IMAGE_TYPE_POINTER)
		return strcmp(value, "0") == 0;
	return !to->target || !t->target ||
	       (to->target->kind == t->target->kind &&
		g_strcmp0(to->target->name, t->target->name) == 0);
}

/* No general register holds a floating-point number, but its bytes can be copied. */
static bool compile_copy(struct code_statement *s, const struct image *im, uint64_t addr,
			 const struct image_type *to, const char *value,
			 const struct limits *limits)
{
	g_autofree char *address = g_strdup_printf("&(%s)", value);
	const struct image_type *from;

	s->value = code_value_new(im, addr, address, limits);
	from = s->value ? code_value_type(s->value)->target : NULL;
	s->copies = true;
	return from && code_value_is_of_one_type(to, from);
}

static bool compile_assignment(struct code_statement *s, const struct image *im, uint64_t addr,
			       const char *text, const struct limits *limits)
{
	g_autofree char *place = NULL, *value = NULL, *address = NULL;
	const struct image_type *to;

	if (!split_place_and_value(text, &place, &value))
		return false;
	address = g_strdup_printf("&(%s)", place);
	s->place = code_value_new(im, addr, address, limits);
	to = s->place ? code_value_type(s->place)->target : NULL;
	s->size = to ? to->size : 0;
	if (to && to->kind == IMAGE_TYPE_FLOAT && (s->size == 4 || s->size == 8))
		return compile_copy(s, im, addr, to, value, limits);
	if (!code_value_is_word(to))
		return false;
	s->value = code_value_new(im, addr, value, limits);
	return s->value && fits_assignment(to, code_value_type(s->value), value);
}

static bool put_assignment(struct code_piece *c, const struct code_statement *s)
{
	/* mov (%rax),%rax, or %eax */
	const bool ok = code_value_put(c, s->value) &&
			(!s->copies || (s->size == 8 ? PUT(0x48, 0x8b, 0) : PUT(0x8b, 0)));

	return ok && PUT(0x50) && code_value_put(c, s->place) && PUT(0x59) &&
	       code_piece_store(c, s->size);
}

/* ---- a call ---- */

static bool add_argument(struct code_statement *s, const struct image *im, uint64_t addr,
			 const struct image_function *f, const char *text,
			 const struct limits *limits)
{
	const struct image_type *to = image_parameter_type(im, f, s->n_arguments);
	struct code_value *v;

	text = without_macro(text);
	if (!code_value_is_word(to) || s->n_arguments == MOST_ARGUMENTS ||
	    !(v = code_value_new(im, addr, text, limits)))
		return false;
	s->arguments[s->n_arguments++] = v;
	return fits_assignment(to, code_value_type(v), text);
}

static bool compile_call(struct code_statement *s, const struct image *im, uint64_t addr,
			 const char *text, const struct limits *limits)
{
	const char *at, *begin;
	const struct image_function *f = code_statement_callee(im, text, &at);
	int depth = 0;

	if (!f)
		return false;
	s->callee = f->entry;
	begin = ++at;
	while (*at) {
		bool ends = !depth && (*at == ',' || *at == ')');
		g_autofree char *argument =
			ends ? g_strstrip(g_strndup(begin, (size_t)(at - begin))) : NULL;

		if (!ends) {
			at = step_over_text(at, &depth);
			continue;
		}
		if ((*argument || *at == ',') && !add_argument(s, im, addr, f, argument, limits))
			return false;
		begin = ++at;
	}
	return !image_parameter_type(im, f, s->n_arguments);
}

/* The stack is where a function wants it, and rbx, which functions keep, says where it was. */
static bool put_statement_call(struct code_piece *c, const struct code_statement *s)
{
	static const struct {
		uint8_t code[2], size;
	} pops[MOST_ARGUMENTS] = { { { 0x5f }, 1 }, { { 0x5e }, 1 },	   { { 0x5a }, 1 },
				   { { 0x59 }, 1 }, { { 0x41, 0x58 }, 2 }, { { 0x41, 0x59 }, 2 } };

	if (!PUT(0x53, 0x48, 0x89, 0xe3)) /* push %rbx; mov %rsp,%rbx */
		return false;
	for (unsigned i = 0; i < s->n_arguments; i++)
		if (!code_value_put(c, s->arguments[i]) || !PUT(0x50))
			return false;
	for (unsigned i = s->n_arguments; i-- > 0;)
		if (!code_piece_bytes(c, pops[i].code, pops[i].size))
			return false;
	/* and $-16,%rsp; xor %eax,%eax; call; mov %rbx,%rsp; pop %rbx */
	return PUT(0x48, 0x83, 0xe4, 0xf0, 0x31, 0xc0, 0xe8, 0, 0, 0, 0) &&
	       code_piece_link(c, c->size - 4, c->size, s->callee) && PUT(0x48, 0x89, 0xdc, 0x5b);
}

/* ---- containers of the C++ library ---- */

/* What `clear()' does to a string, and to a vector whose elements need no destructor: in the words
 * of the members that libstdc++ has. */
static const struct {
	const char *first, *then; /* %s: the object */
} clears[] = {
	{ "%s._M_string_length = 0", "*%s._M_dataplus._M_p = 0" },
	{ "%s._M_impl._M_finish = %s._M_impl._M_start", NULL },
};

static char *with_object(const char *text, const char *object)
{
	g_auto(GStrv) parts = g_strsplit(text, "%s", -1);

	return g_strjoinv(object, parts);
}

static bool compile_clear(struct code_statement *s, const struct image *im, uint64_t addr,
			  const char *object, size_t i, const struct limits *limits)
{
	g_autofree char *first = with_object(clears[i].first, object);
	g_autofree char *then = clears[i].then ? with_object(clears[i].then, object) : NULL;

	if (!compile_assignment(s, im, addr, first, limits))
		return false;
	s->then = then ? code_statement_new(im, addr, then, limits) : NULL;
	return s->then || !then;
}

/* ---- */

bool code_statement_put(struct code_piece *c, const struct code_statement *s)
{
	return (s->callee ? put_statement_call(c, s) : put_assignment(c, s)) &&
	       (!s->then || code_statement_put(c, s->then));
}

/* Frees s where it is none. */
static struct code_statement *checked_statement(struct code_statement *s, bool compiles)
{
	struct code_piece probe = { 0 };

	if (compiles && code_statement_put(&probe, s))
		return s;
	code_statement_free(s);
	return NULL;
}

struct code_statement *code_statement_new(const struct image *im, uint64_t addr, const char *text,
					  const struct limits *limits)
{
	struct code_statement *s = g_new0(struct code_statement, 1);
	g_autofree char *object = NULL;

	s = checked_statement(s, compile_assignment(s, im, addr, text, limits) ||
					 compile_call(s, im, addr, text, limits));
	if (s || !g_str_has_suffix(text, CODE_STATEMENT_CLEAR))
		return s;
	object = g_strndup(text, strlen(text) - strlen(CODE_STATEMENT_CLEAR));
	for (size_t i = 0; !s && i < G_N_ELEMENTS(clears); i++) {
		s = g_new0(struct code_statement, 1);
		s = checked_statement(s, compile_clear(s, im, addr, object, i, limits));
	}
	return s;
}

void code_statement_free(struct code_statement *s)
{
	if (!s)
		return;
	code_value_free(s->place);
	code_value_free(s->value);
	for (unsigned i = 0; i < s->n_arguments; i++)
		code_value_free(s->arguments[i]);
	code_statement_free(s->then);
	g_free(s);
}
