# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C program to standard output: truth-data.py SEED.  It has macros for elements,
# unions in structs, arrays of structs of arrays, matrices, floats beside integers of the same
# width, copies of structs, enums in arrays, narrow and wide integers, shifts, conditional
# expressions, `&&' and `||' as values, pointers to pointers, and structs that are returned.
import random
import sys

r = random.Random(7919 * int(sys.argv[1]))
ROWS, COLS = r.randint(2, 4), r.randint(2, 4)
print(r"""#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum level { LOW = -1, MIDDLE, HIGH = 7 };
union value { int32_t i; float f; uint8_t b[4]; };
struct item { enum level level; union value value; bool set : 1; int delta : 5; uint16_t tag; };
struct pair { double first; float second; };
struct box { struct item items[3]; struct pair pair; const char *name; struct box *inner; };
struct grid { int rows, cols; double *cells; float *weights; long *sums; };
#define CELL(g, i, j) ((g)->cells[(i) * (g)->cols + (j)])
#define WEIGHT(g, i) ((g)->weights[i])
#define SUM(g, i) ((g)->sums[i])
#define ITEM(b, i) (&(b)->items[i])
static enum level levels[4];
static int64_t wide;
static uint8_t narrow[6];
static int matrix[%d][%d];
static struct box first, *last = &first;""" % (ROWS, COLS))

INT = ["n", "k", "matrix[%d][%d]" % (r.randrange(ROWS), r.randrange(COLS)), "matrix[i][1]", "narrow[2]",
       "narrow[i]", "wide", "b->items[1].value.i", "ITEM(b, i)->value.i", "ITEM(b, 0)->tag",
       "b->items[2].delta", "SUM(g, i)", "**pp", "last->items[0].value.b[1]", "u"]
REAL = ["d", "f", "CELL(g, i, 1)", "CELL(g, 0, 0)", "WEIGHT(g, i)", "b->pair.first",
        "last->pair.second", "p.first", "p.second", "b->items[2].value.f"]
BOOL = ["yes", "b->items[i].set", "last->items[1].set"]
LEVEL = ["levels[i]", "levels[2]", "b->items[1].level", "l"]


def integer():
    return r.choice(INT + [str(r.randint(-30, 200)), "argc", "(int)strlen(b->name)"])


def real():
    return r.choice(REAL + ["%g" % (r.randint(-60, 200) / 4), "n", "k"])


def condition():
    return r.choice([
        lambda: "%s %s %s" % (integer(), r.choice(["<", ">", "==", "!=", ">="]), integer()),
        lambda: "%s < %s" % (real(), real()),
        lambda: r.choice(BOOL), lambda: "%s == %s" % (r.choice(LEVEL), r.choice(["LOW", "HIGH"])),
    ])()


def statement():
    return r.choice([
        lambda: "%s = %s;" % (r.choice(INT), integer()),
        lambda: "%s = %s %s %s;" % (r.choice(INT), integer(), r.choice("+-&|^"), integer()),
        lambda: "%s = %s * %d;" % (r.choice(["wide", "SUM(g, i)", "u"]), integer(), r.randint(2, 70)),
        lambda: "%s = u >> %d;" % (r.choice(INT), r.randint(1, 9)),
        lambda: "%s %s= %d;" % (r.choice(INT), r.choice("+-"), r.randint(1, 40)),
        lambda: "%s = %s;" % (r.choice(REAL), real()),
        lambda: "%s = %s %s %s;" % (r.choice(REAL), real(), r.choice("+-*"), real()),
        lambda: "%s += %s;" % (r.choice(REAL), real()),
        lambda: "%s = %s;" % (r.choice(BOOL), condition()),
        lambda: "%s = %s %s %s;" % (r.choice(BOOL), condition(), r.choice(["&&", "||"]), condition()),
        lambda: "%s = %s;" % (r.choice(LEVEL), r.choice(["LOW", "MIDDLE", "HIGH"] + LEVEL)),
        lambda: "%s = %s ? %s : %s;" % (r.choice(INT), condition(), integer(), integer()),
        lambda: "%s = %s ? %s : %s;" % (r.choice(REAL), condition(), real(), real()),
        lambda: "*last = *b;" if r.random() < 0.5 else "b->items[2] = *ITEM(last, i);",
        lambda: "p = make(%s, %s);" % (real(), real()),
        lambda: "b->pair = p;",
        lambda: "pp = %s;" % r.choice(["&pn", "&pk"]),
        lambda: "i = pick(%s) %% 3;" % integer(),
        lambda: "b->name = %s;" % r.choice(["\"short\"", "argv[1]", "argc > 1 ? \"yes\" : \"no\""]),
        lambda: "memcpy(narrow, \"%s\", 3);" % r.choice(["abc", "xyz", "012"]),
        lambda: "for (j = 0; j < g->rows; j++)\n\t\tCELL(g, j, 0) += WEIGHT(g, j) * %d;" % r.randint(2, 5),
        lambda: "if (%s)\n\t\t%s = %s;" % (condition(), r.choice(INT), integer()),
        lambda: "while (n > %d)\n\t\tn /= 2;" % r.randint(5, 90),
    ])()


print("""static struct pair make(double a, float b)
{
	struct pair made = { a, b };
	made.first += b;
	return made;
}
static unsigned pick(int n)
{
	unsigned h = n * 2654435761u;
	return h >> 20;
}
static struct grid *grid_new(int rows, int cols)
{
	struct grid *g = malloc(sizeof(*g));
	g->rows = rows;
	g->cols = cols;
	g->cells = calloc(rows * cols, sizeof(double));
	g->weights = calloc(rows, sizeof(float));
	g->sums = calloc(rows, sizeof(long));
	for (int i = 0; i < rows; i++)
		WEIGHT(g, i) = 0.5f * i;
	return g;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[2]), k = %d, i = 1, j = 0, *pn = &n, *pk = &k, **pp = &pn;
	unsigned u = 77u * n;
	double d = 1.25;
	float f = %s;
	bool yes = argc > 2;
	enum level l = MIDDLE;
	struct pair p = { 0.5, 2 };
	struct grid *g = grid_new(3, 3);
	struct box *b = calloc(1, sizeof(*b));
	b->name = "first";
	b->inner = last;""" % (r.randint(-50, 50), r.choice(["0.1f", "3.5f", "-7"])))
for _ in range(18):
    print("\t" + statement())
print("""	printf("%%d %%g %%d\\n", n + k + j, d + f, (int)(wide + u + l));
	assert(%s);
	return *pn;
}""" % r.choice(["n == 12345 && d > 1e9", "wide == 77 && yes", "CELL(g, 1, 0) == 1e9 || u == 1",
                 "k == 999 || b->items[1].value.i == 31337", "d + f == 4711"]))
