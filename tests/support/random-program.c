/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random-program.h"

enum { VARIABLES = 6, MOST_LINES = 200, STATEMENTS = 9, MOST_DEPTH = 2 };

/* The program's own part stands between these; WANTED is the right result. */
static const char head[] = "#include <assert.h>\n"
			   "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "#ifdef FORCE\n"
			   "static long line, value, right;\n"
			   "#define V(e) (line == __LINE__ ? value : (e))\n"
			   "#define PICK(a, b) (right ? (a) : (b))\n"
			   "#else\n"
			   "#define V(e) (e)\n"
			   "#define PICK(a, b) (b)\n"
			   "#endif\n"
			   "static long run(void)\n"
			   "{\n";
static const char tail[] =
	"}\n"
	"#ifdef FORCE\n"
	"/* no argument: the right result; LINE: values that mend it; LINE VALUE */\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	long wanted, found = 0;\n"
	"	right = 1;\n"
	"	wanted = run();\n"
	"	right = 0;\n"
	"	if (argc == 1)\n"
	"		return printf(\"%ld %d\\n\", wanted, run() != wanted) < 0;\n"
	"	line = atol(argv[1]);\n"
	"	value = argc > 2 ? atol(argv[2]) : 0;\n"
	"	if (argc > 2)\n"
	"		return run() != wanted;\n"
	"	for (value = -300; value <= 300 && !found; value++)\n"
	"		found = run() == wanted;\n"
	"	return !found;\n"
	"}\n"
	"#else\n"
	"int main(void)\n"
	"{\n"
	"	long result = run();\n"
	"	assert(result == WANTED);\n"
	"	return 0;\n"
	"}\n"
	"#endif\n";

struct maker {
	struct program *p;
	GRand *rand;
	GString *text;
	unsigned line, depth, loops;
	unsigned operators; /* so far */
	unsigned fault;	    /* number of the operator that is wrong */
};

static int below(struct maker *m, int n)
{
	return g_rand_int_range(m->rand, 0, n);
}

static void begin_line(struct maker *m, bool has_value)
{
	g_assert(m->line < MOST_LINES);
	m->p->has_value[m->line] = has_value;
	m->p->runs_once[m->line] = m->loops == 0;
}

static void end_line(struct maker *m)
{
	g_string_append_c(m->text, '\n');
	m->line++;
}

/* Another one than `other', no constant where there is none: a compiler folds that, and
 * the line has no instruction left. */
static char *operand(struct maker *m, const char *other)
{
	int kind = below(m, 5);
	char *e;

	if (kind == 0 && other)
		return g_strdup_printf("%d", 1 + below(m, 12));
	e = g_strdup_printf(kind == 1 ? "a[v%d & 7]" : "v%d", below(m, VARIABLES));
	if (g_strcmp0(e, other) != 0)
		return e;
	g_free(e);
	return operand(m, other);
}

/* a op b, or of the fault: PICK(a op b, a wrong b). */
static char *apply(struct maker *m, const char *const *operators, int n, const char *a,
		   const char *b)
{
	int op = below(m, n), wrong = (op + 1 + below(m, n - 1)) % n;

	if (m->operators++ != m->fault)
		return g_strdup_printf("%s %s %s", a, operators[op], b);
	m->p->fault = m->line;
	return g_strdup_printf("PICK(%s %s %s, %s %s %s)", a, operators[op], b, a, operators[wrong],
			       b);
}

static char *condition(struct maker *m)
{
	static const char *const operators[] = { "<", "<=", "==", "!=", ">", ">=" };
	g_autofree char *a = operand(m, NULL), *b = operand(m, a);

	return apply(m, operators, G_N_ELEMENTS(operators), a, b);
}

/* Small enough for nothing to overflow. */
static char *expression(struct maker *m)
{
	static const char *const growing[] = { "+", "-", "*" };
	static const char *const bitwise[] = { "&", "|", "^" };
	static const char *const by_constant[] = { "/", "%", "+", "-" };
	static const char *const shifts[] = { "<<", ">>" };
	g_autofree char *a = operand(m, NULL), *b = operand(m, a), *e = NULL;
	g_autofree char *constant = g_strdup_printf("%d", 2 + below(m, 8));
	g_autofree char *distance = g_strdup_printf("%d", 1 + below(m, 3));

	switch (below(m, 5)) {
	case 0:
		return apply(m, bitwise, G_N_ELEMENTS(bitwise), a, b);
	case 1:
		return apply(m, by_constant, G_N_ELEMENTS(by_constant), a, constant);
	case 2:
		e = apply(m, shifts, G_N_ELEMENTS(shifts), a, distance);
		return g_strdup_printf("(%s) & 255", e);
	case 3:
		return condition(m);
	default:
		e = apply(m, growing, G_N_ELEMENTS(growing), a, b);
		return g_strdup_printf("((%s) & 127) - 50", e);
	}
}

static void add_block(struct maker *m, unsigned n);

static void add_brace(struct maker *m, const char *text)
{
	begin_line(m, false);
	g_string_append(m->text, text);
	end_line(m);
}

static void add_condition(struct maker *m)
{
	g_autofree char *e = condition(m);

	begin_line(m, true);
	g_string_append_printf(m->text, "if (V(%s)) {", e);
	end_line(m);
	add_block(m, 1 + (unsigned)below(m, 2));
	if (below(m, 2)) {
		add_brace(m, "} else {");
		add_block(m, 1 + (unsigned)below(m, 2));
	}
	add_brace(m, "}");
}

static void add_loop(struct maker *m)
{
	begin_line(m, false);
	g_string_append_printf(m->text, "for (int i%u = 0; i%u < %d; i%u++) {", m->depth, m->depth,
			       2 + below(m, 3), m->depth);
	end_line(m);
	m->loops++;
	add_block(m, 1 + (unsigned)below(m, 2));
	m->loops--;
	add_brace(m, "}");
}

static void add_assignment(struct maker *m)
{
	g_autofree char *e = expression(m);

	begin_line(m, true);
	if (below(m, 4) == 0)
		g_string_append_printf(m->text, "a[v%d & 7] = V(%s);", below(m, VARIABLES), e);
	else
		g_string_append_printf(m->text, "v%d = V(%s);", below(m, VARIABLES), e);
	end_line(m);
}

static void add_block(struct maker *m, unsigned n)
{
	m->depth++;
	for (unsigned i = 0; i < n; i++) {
		int kind = m->depth > MOST_DEPTH ? 9 : below(m, 10);

		if (kind < 2)
			add_condition(m);
		else if (kind < 4)
			add_loop(m);
		else
			add_assignment(m);
	}
	m->depth--;
}

static void add_variables(struct maker *m)
{
	static const char *const types[] = {
		"int",		 "long", "short",    "signed char",
		"unsigned char", "int",	 "unsigned", "unsigned short"
	};

	add_brace(m, "signed char a[8] = { 1, 2, 3, 5, 7, 11, 13, 17 };");
	for (unsigned i = 0; i < VARIABLES; i++) {
		begin_line(m, true);
		g_string_append_printf(m->text, "%s v%u = V(%d);",
				       types[below(m, G_N_ELEMENTS(types))], i, below(m, 20));
		end_line(m);
	}
}

static void make_text(struct program *p, guint32 seed, unsigned fault, unsigned *operators)
{
	struct maker m = { .p = p, .rand = g_rand_new_with_seed(seed), .fault = fault };

	p->has_value = g_new0(bool, MOST_LINES);
	p->runs_once = g_new0(bool, MOST_LINES);
	m.text = g_string_new(head);
	m.line = 1;
	for (const char *c = head; *c; c++)
		m.line += *c == '\n';
	add_variables(&m);
	add_block(&m, STATEMENTS);
	add_brace(&m, "return v0 + 3 * v1 - v2 + 2 * v3 + v4 - v5 + a[1] - a[3];");
	g_string_append(m.text, tail);
	p->n_lines = m.line;
	p->text = g_string_free(m.text, FALSE);
	*operators = m.operators;
	g_rand_free(m.rand);
}

void program_make(struct program *p, guint32 seed)
{
	unsigned n;

	*p = (struct program){ 0 };
	make_text(p, seed, G_MAXUINT, &n);
	program_clear(p);
	make_text(p, seed, (seed * 2654435761u) % n, &n);
}

void program_clear(struct program *p)
{
	g_clear_pointer(&p->text, g_free);
	g_clear_pointer(&p->has_value, g_free);
	g_clear_pointer(&p->runs_once, g_free);
}
