/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How C expressions are taken apart, and that no text does harm. */
#include "solver/image/variable/variable.h"
#include "solver/source/expression/c-expression.h"
#include "solver/source/expression/c-type.h"
#include "solver/source/expression/expression.h"
#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const char source[] = "typedef struct pair { int x, y; } pair_t;\n"
			     "struct pair p; int a[4]; double d; unsigned u; char *s;\n"
			     "enum color { RED, GREEN } c;\n"
			     "int main(void) { pair_t *q = &p; return q->x + a[1] + (int)d; }\n";

struct opened {
	char *folder, *program;
	struct image *im;
};

static int open_image(void **state)
{
	struct opened *o = g_new0(struct opened, 1);

	o->folder = test_folder_new();
	o->program = test_compile(o->folder, "types", source, "gcc -g -O0");
	o->im = image_open(o->program, NULL);
	*state = o;
	return o->im ? 0 : -1;
}

static int close_image(void **state)
{
	struct opened *o = *state;

	image_free(o->im);
	test_folder_free(o->folder);
	g_free(o->program);
	g_free(o);
	return 0;
}

static const char *operator_text(unsigned op, char *one)
{
	static const char *const two[] = { "<=", ">=", "==", "!=", "&&", "||", "<<", ">>" };

	one[0] = (char)op;
	one[1] = '\0';
	return op >= C_OP_LE ? two[op - C_OP_LE] : one;
}

/* With all brackets. */
static void write_node(GString *out, const struct c_node *n)
{
	g_autofree char *type = NULL;
	char one[2];

	switch (n->kind) {
	case C_NODE_CONSTANT:
		g_string_append_printf(
			out, "%g",
			n->type->kind == IMAGE_TYPE_FLOAT ? n->real : (double)(int64_t)n->integer);
		return;
	case C_NODE_NAME:
		g_string_append(out, n->name);
		return;
	case C_NODE_MEMBER:
		write_node(out, n->a);
		g_string_append_printf(out, ".%s", n->name);
		return;
	case C_NODE_INDEX:
		write_node(out, n->a);
		g_string_append_c(out, '[');
		write_node(out, n->b);
		g_string_append_c(out, ']');
		return;
	case C_NODE_CAST:
		type = image_type_text(n->type);
		g_string_append_printf(out, "{%s}", type);
		write_node(out, n->a);
		return;
	case C_NODE_SIZEOF:
		g_string_append(out, "sizeof ");
		if (n->a)
			write_node(out, n->a);
		else
			g_string_append_printf(out, "%d", (int)n->type->size);
		return;
	default:
		break;
	}
	g_string_append_c(out, '(');
	if (n->kind == C_NODE_UNARY)
		g_string_append(out, operator_text(n->op, one));
	write_node(out, n->a);
	if (n->kind != C_NODE_UNARY) {
		g_string_append(out, n->kind == C_NODE_CHOICE ? "?" : operator_text(n->op, one));
		write_node(out, n->b);
	}
	if (n->kind == C_NODE_CHOICE) {
		g_string_append_c(out, ':');
		write_node(out, n->c);
	}
	g_string_append_c(out, ')');
}

static void check(const struct opened *o, const char *text, const char *expected)
{
	GError *error = NULL;
	struct c_expression *e = c_expression_parse(o->im, text, &error);
	g_autoptr(GString) got = g_string_new(NULL);

	if (!e)
		fail_msg("%s: %s", text, error->message);
	write_node(got, c_expression_root(e));
	assert_string_equal(got->str, expected);
	c_expression_free(e);
}

static void trees(void **state)
{
	check(*state, "a + b * c - d", "((a+(b*c))-d)");
	check(*state, "a << 1 + 2 < 3 == 4 & 5 ^ 6 | 7 && 8 || 9",
	      "((((((((a<<(1+2))<3)==4)&5)^6)|7)&&8)||9)");
	check(*state, "a ? b : c ? d : e", "(a?b:(c?d:e))");
	check(*state, "-a[1]->b.c", "(-(*a[1]).b.c)");
	check(*state, "!*&x == ~-1", "((!(*(&x)))==(~(-1)))");
	check(*state, "(pair_t *)s == q", "({struct pair *}s==q)");
	check(*state, "(unsigned long int)u + (u)", "({unsigned long}u+u)");
	check(*state, "(u) - 1", "(u-1)");
	check(*state, "sizeof(struct pair) * sizeof u", "(sizeof 8*sizeof u)");
	check(*state, "sizeof(u) + 1", "(sizeof u+1)");
	check(*state, "'a' + '\\n' + '\\x41' + '\\0' + '\\''", "((((97+10)+65)+0)+39)");
	check(*state, "s == \"a\"", "((s[0]==97)&&(s[1]==0))");
	check(*state, "\"\" != s", "(!(s[0]==0))");
	check(*state, "'p.c'::a + f::b - ::c", "((p.c::a+f::b)-::c)");
	check(*state, "$rax", "$rax");
	check(*state, "0x10 + 010 + 10u + 1.5e1 + .5f", "((((16+8)+10)+15)+0.5)");
	check(*state, "a - -1", "(a-(-1))");
	check(*state, " ( ( a ) ) ", "a");
	check(*state, "a<b", "(a<b)");
	check(*state, "a->b>c", "((*a).b>c)");
}

/* Any sequence of tokens is taken or refused with a sentence. */
static void any_text(void **state)
{
	static const char *const tokens[] = {
		"a",   "p",  "p.x",    "q",	 "->",	    "x",    ".",     "[",      "]",  "(",
		")",   "*",  "&",      "-",	 "+",	    "!",    "~",     "1",      "0x", "1.5",
		"'c'", "==", "<=",     "&&",	 "||",	    "?",    ":",     ",",      "=",  "++",
		"int", "d",  "sizeof", "pair_t", " ",	    "<<",   "%",     "/",      "c",  "u",
		"s",   "\"", "'",      "GREEN",	 "struct ", "pair", "(int)", "(char)",
	};
	const struct opened *o = *state;
	const struct image_function *main_function = image_function_named(o->im, "main");
	struct image_frame frame = { .pc = main_function->body };
	unsigned taken = 0, refused = 0;

	g_autoptr(GRand) random = g_rand_new_with_seed(20261121);
	for (unsigned i = 0; i < 20000; i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		GError *error = NULL;
		struct c_expression *e;
		struct expression_code *code = NULL;

		for (int n = g_rand_int_range(random, 1, 8); n > 0; n--)
			g_string_append(text,
					tokens[g_rand_int_range(random, 0, G_N_ELEMENTS(tokens))]);
		e = c_expression_parse(o->im, text->str, &error);
		if (e)
			code = expression_compile(o->im, &frame, e, &error);
		assert_true((code != NULL) == (error == NULL));
		if (code)
			expression_run(code, &frame, NULL);
		*(code ? &taken : &refused) += 1;
		expression_code_free(code);
		c_expression_free(e);
		g_clear_error(&error);
	}
	assert_true(taken > 500 && refused > 5000);
}

static void too_deep(void **state)
{
	static const char *const pieces[] = { "(", "-", "!", "a[", "1?", "sizeof ", "(int)", "1+" };
	const struct opened *o = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++)
		for (unsigned n = 100; n <= 100000; n *= 10) {
			g_autoptr(GString) text = g_string_new(NULL);
			GError *error = NULL;

			for (unsigned k = 0; k < n; k++)
				g_string_append(text, pieces[i]);
			c_expression_free(c_expression_parse(o->im, text->str, &error));
			assert_non_null(error);
			g_clear_error(&error);
		}
}

/* A string is compared character by character, and what it is compared with stands beside each. */
static void too_large(void **state)
{
	const struct opened *o = *state;
	g_autoptr(GString) text = g_string_new("p->x");
	g_autoptr(GError) error = NULL;
	struct c_expression *e = c_expression_parse(o->im, "p->x == \"ab\"", NULL);

	/* for each of three characters: p, *, its member, index, [], character, ==; and && between
	 */
	assert_int_equal(c_expression_root(e)->written, 3 * 7 + 2);
	c_expression_free(e);
	for (unsigned i = 0; i < 20; i++)
		g_string_append(text, " == \"0123456789\"");
	assert_null(c_expression_parse(o->im, text->str, &error));
	assert_non_null(strstr(error->message, "too large"));
}

static void types(void **state)
{
	static const struct {
		const char *words;
		int type; /* -1 = none */
	} all[] = {
		{ "int", C_INT },
		{ "unsigned", C_UINT },
		{ "long unsigned int", C_ULONG },
		{ "char", C_CHAR },
		{ "signed char", C_SCHAR },
		{ "short int", C_SHORT },
		{ "long long", C_LONG_LONG },
		{ "long double", C_LONG_DOUBLE },
		{ "double", C_DOUBLE },
		{ "unsigned double", -1 },
		{ "short long", -1 },
		{ "signed unsigned", -1 },
		{ "long long long", -1 },
		{ "void int", -1 },
		{ "char long", -1 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
		g_auto(GStrv) words = g_strsplit(all[i].words, " ", -1);
		const struct image_type *t =
			c_type_of_words((const char *const *)words, g_strv_length(words));

		assert_ptr_equal(t, all[i].type < 0 ? NULL : c_type((enum c_type)all[i].type));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees),     cmocka_unit_test(any_text), cmocka_unit_test(too_deep),
		cmocka_unit_test(too_large), cmocka_unit_test(types),
	};

	return cmocka_run_group_tests(tests, open_image, close_image);
}
