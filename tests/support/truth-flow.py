# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C program to standard output: truth-flow.py SEED.  It has functions that call
# each other and themselves, loops, lists on the heap, strings that are taken apart, arrays of
# structs, tables of functions, doubles and switches; its last assertion fails.
import random
import sys

r = random.Random(1000003 * int(sys.argv[1]))
print(r"""#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum kind { NUMBER, WORD, MARK };
struct token { enum kind kind; int value; const char *at; short length; };
struct cell { int key; unsigned seen : 3; bool last; struct cell *next; double weight; };
struct pile { struct cell *top; int n, most; };
static struct token tokens[24];
static int n_tokens, calls, table[8];
static struct pile pile;
static char buffer[40];""")

NAMES = ["alpha", "beta", "gamma", "delta"]
functions = []


def number():
    return str(r.randint(-40, 90))


def operand(names):
    return r.choice(names + [number(), number()])


def expression(names, depth=0):
    if depth > 1 or r.random() < 0.3:
        return operand(names)
    left, right = expression(names, depth + 1), expression(names, depth + 1)
    kind = r.choice(["+", "-", "*", "&", "|", "^", "call", "cond", "mod"])
    if kind == "call" and functions:
        name, n = r.choice(functions)
        return "%s(%s)" % (name, ", ".join(expression(names, 2) for _ in range(n)))
    if kind == "cond":
        return "(%s %s %s ? %s : %s)" % (left, r.choice(["<", ">", "=="]), right, operand(names),
                                         operand(names))
    if kind == "mod":
        return "%s %% %d" % (operand(names), r.randint(2, 17))
    return "(%s %s %s)" % (left, kind if kind in "+-*&|^" else "+", right)


def statements(names, deep):
    lines = []
    for _ in range(r.randint(2, 4)):
        kind = r.choice(["set", "set", "if", "for", "while", "switch", "table"])
        if kind == "set" or deep > 1:
            lines.append("%s %s %s;" % (r.choice(names), r.choice(["=", "=", "+=", "-=", "^="]),
                                        "(%s) %% 1000" % expression(names)))
        elif kind == "if":
            lines.append("if (%s %s %s) {" % (expression(names, 1), r.choice(["<", ">=", "!="]),
                                              operand(names)))
            lines += ["\t" + l for l in statements(names, deep + 1)] + ["} else {"]
            lines += ["\t" + l for l in statements(names, deep + 1)] + ["}"]
        elif kind == "for":
            i = "i%d" % deep
            lines.append("for (int %s = 0; %s < %d; %s++) {" % (i, i, r.randint(1, 4), i))
            lines += ["\t" + l for l in statements(names, deep + 1)]
            lines += ["\t%s += %s;" % (r.choice(names), i), "}"]
        elif kind == "while":
            lines += ["left = %d;" % r.randint(1, 3), "while (left-- > 0) {",
                      "\t%s = (%s) %% 500;" % (r.choice(names), expression(names, 1)), "}"]
        elif kind == "switch":
            lines += ["switch (%s & 3) {" % r.choice(names), "case 0:",
                      "\t%s++;" % r.choice(names), "\tbreak;", "case 2:",
                      "\t%s = %s;" % (r.choice(names), number()), "default:",
                      "\t%s -= 3;" % r.choice(names), "}"]
        else:
            lines.append("table[%s & 7] = %s;" % (r.choice(names), expression(names, 1)))
    return lines


def function(name, n):
    parameters = NAMES[:n]
    names = parameters + ["outcome"]  # "result" is what a function returns
    print("static int %s(%s)\n{" % (name, ", ".join("int " + p for p in parameters)))
    print("\tint outcome = %s, left = 0;\n\n\tcalls++;" % operand(parameters))
    print("\n".join("\t" + l for l in statements(names, 0)))
    print("\treturn (outcome + left) %% %d;\n}" % r.randint(50, 2000))
    functions.append((name, n))


for i, name in enumerate(["fold", "blend", "weigh"]):
    function(name, r.randint(1, 3))
print(r"""static int depth(int n, int down)
{
	int here = n * 2 + down;

	if (n <= 0)
		return down;
	here += depth(n - 1, down + 1);
	return here;
}
static struct cell *push(struct pile *p, int key, double weight)
{
	struct cell *c = malloc(sizeof(*c));

	c->key = key;
	c->seen = key & 7;
	c->last = p->top == NULL;
	c->next = p->top;
	c->weight = weight;
	p->top = c;
	if (++p->n > p->most)
		p->most = p->n;
	return c;
}
static int pop(struct pile *p)
{
	struct cell *c = p->top;
	int key = c ? c->key : -1;

	if (c) {
		p->top = c->next;
		p->n--;
		free(c);
	}
	return key;
}
static double sum(const struct pile *p)
{
	double all = 0;

	for (const struct cell *c = p->top; c; c = c->next)
		all += c->weight;
	return all;
}
static void split(const char *text)
{
	while (*text && n_tokens < 24) {
		struct token *t = &tokens[n_tokens];

		t->at = text;
		t->value = 0;
		if (isdigit((unsigned char)*text)) {
			t->kind = NUMBER;
			for (; isdigit((unsigned char)*text); text++)
				t->value = 10 * t->value + (*text - '0');
		} else if (isalpha((unsigned char)*text)) {
			t->kind = WORD;
			while (isalpha((unsigned char)*text))
				text++;
		} else {
			t->kind = MARK;
			t->value = *text++;
		}
		t->length = (short)(text - t->at);
		n_tokens++;
	}
}""")
print("""int main(int argc, char **argv)
{
	int (*const ways[])(int, int) = { depth, depth };
	int total = argc, alpha = atoi(argv[2]), beta = %s;
	char *copy = strdup("%s");
	struct token *best = NULL;
	double ratio;

	split("%s");
	for (int i = 0; i < n_tokens; i++) {
		if (tokens[i].kind == NUMBER) {
			push(&pile, tokens[i].value, tokens[i].value / %d.0);
			total += tokens[i].value;
		} else if (tokens[i].kind == WORD && (!best || tokens[i].length > best->length)) {
			best = &tokens[i];
		}
	}
	ratio = sum(&pile);""" % (number(), r.choice(["xyzzy", "a b", "longer than that"]),
                               r.choice(["12 apples and 7 pears", "3+44*five", "x1=20;y=7",
                                         "alpha 5 omega 66 z"]), r.randint(2, 9)))
names = ["alpha", "beta", "total"]
for _ in range(6):
    print("\t" + r.choice([
        lambda: "%s = (%s) %% 1000;" % (r.choice(names), expression(names)),
        lambda: "total += pop(&pile);",
        lambda: "push(&pile, %s, ratio / %d);" % (r.choice(names), r.randint(2, 9)),
        lambda: 'snprintf(buffer, sizeof(buffer), "%%d:%%s", %s, copy);' % r.choice(names),
        lambda: "total ^= ways[%s & 1](%d, %d);" % (r.choice(names), r.randint(1, 4), r.randint(0, 9)),
        lambda: "copy[%d] = (char)toupper(copy[%d]);" % (r.randint(0, 2), r.randint(0, 2)),
        lambda: "ratio = ratio * %d + alpha;" % r.randint(2, 5),
        lambda: "if (best && best->length > %d)\n\t\tbeta += best->length;" % r.randint(1, 6),
        lambda: "memcpy(buffer, copy, %d);" % r.randint(1, 4),
    ])())
print("""	printf("%%d %%d %%d %%g %%s\\n", total, alpha, beta, ratio, buffer);
	assert(total == 77777 && ratio > 1e9 && fold(%s) != 5);
	free(copy);
	return 0;
}""" % ", ".join(["alpha"] * dict(functions)["fold"]))
