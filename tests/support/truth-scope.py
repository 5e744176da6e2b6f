# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C program to standard output: truth-scope.py SEED.  It has names that are declared
# again in inner blocks, static locals of one name in two functions, thread-local variables, macros of
# several statements, `goto', variable arguments, structs and unions that are passed and returned by
# value, negative indices, long doubles, anonymous members, bit-fields in unions, arrays of structs,
# functions that are passed, and several statements on one line; its last assertion fails.
import random
import sys

r = random.Random(15485863 * int(sys.argv[1]))
NAMES = ["x", "y", "n"]
print(r"""#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum state { IDLE, BUSY = 3, DONE };
struct point { int x, y; };
struct flags { unsigned low : %d; int mid : %d; unsigned : 3; unsigned high : %d; bool on : 1; };
union word { uint32_t all; struct { uint32_t lo : %d, hi : %d; }; uint16_t half[2]; };
struct shape { struct point at, to[3]; union word word; struct flags flags; union { float f; int i; };
	enum state state; const char *name; char tag[6]; struct shape *next; int **where; };
typedef int (*step)(int, struct point);
static struct shape shapes[3];
static _Thread_local int local_to_thread = %d;
static int middle[9], *const centre = middle + 4;
int x = %d;
static long double wide = 0.5L;
#define SWAP(a, b) do { int tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)
#define BOTH(a, b, v) (a) = (v); (b) = (a) + 1
#define STEP(a) ((a)++, (a) * 2)
#define EACH(i, n) for (int i = 0; i < (n); i++)""" % (
    r.randint(1, 9), r.randint(2, 12), r.randint(2, 8), r.randint(3, 12), r.randint(5, 20),
    r.randint(1, 50), r.randint(1, 50)))

INT = ["x", "y", "n", "p.x", "p.y", "s->at.x", "s->to[1].y", "s->to[k].x", "s->word.lo", "s->word.hi",
       "s->word.half[1]", "s->flags.low", "s->flags.mid", "s->flags.high", "shapes[k].at.y",
       "shapes[1].i", "centre[-2]", "centre[k - 3]", "local_to_thread", "*q", "**s->where", "q[0]",
       "shapes[2].word.all", "s->tag[1]", "big", "narrow"]
SOURCES = INT + ["argc", "seen(%s)" % r.choice(NAMES), "count()", "other()", "s->state", "s->flags.on"]


def value(depth=0):
    if depth > 1 or r.random() < 0.5:
        return r.choice(SOURCES + [str(r.randint(-60, 99))])
    left, right = value(depth + 1), value(depth + 1)
    return r.choice([
        lambda: "(%s %s %s)" % (left, r.choice("+-*&|^"), right),
        lambda: "(%s ? %s : %s)" % (condition(), left, right),
        lambda: "total(%d, %s, %s)" % (2, left, right),
        lambda: "area((struct point){ %s, %s })" % (left, right),
        lambda: "apply(%s, %s, p)" % (r.choice(["along", "across"]), left),
        lambda: "(int)((%s) %% %d)" % (left, r.randint(2, 40)),
    ])()


def condition():
    return r.choice([
        lambda: "%s %s %s" % (r.choice(SOURCES), r.choice(["<", ">", "==", "!=", "<="]), r.choice(SOURCES)),
        lambda: "%s > %d && %s" % (r.choice(INT), r.randint(-9, 90), r.choice(INT)),
        lambda: "!%s" % r.choice(INT), lambda: "s->flags.on", lambda: "s->state == %s" % r.choice(["BUSY", "DONE"]),
        lambda: "wide > %d" % r.randint(0, 40), lambda: "s->next != NULL", lambda: "strcmp(s->name, \"ab\") < 0",
    ])()


def block(depth):
    """A block in which some of the names mean something else."""
    name = r.choice(NAMES)
    kind = r.choice(["int", "long", "short", "double", "unsigned char"])
    inner = ["{ %s %s = %s;" % (kind, name, r.choice(["4", "k + 2", "17", "-3"] if kind != "unsigned char" else ["4", "k + 2"]))]
    if kind == "double":
        inner += ["\t%s += %s; wide = wide * %s;" % (name, r.choice(["0.5", "p.x", "k"]), name),
                  "\tp.y = %s > 4;" % name]
    else:
        inner += ["\t" + statement(depth + 1) for _ in range(r.randint(1, 3))]
        inner += ["\t%s %s %s;" % (r.choice(["p.x", "s->at.x", "big"]), r.choice(["=", "+="]), name)]
    return "\n\t".join(inner + ["}"])


def statement(depth=0):
    return r.choice([
        lambda: "%s = %s;" % (r.choice(INT), value()),
        lambda: "%s = %s;" % (r.choice(INT), value()),
        lambda: "%s %s= %s;" % (r.choice(INT), r.choice("+-^|"), value(1)),
        lambda: "%s = %s; %s = %s;" % (r.choice(INT), value(1), r.choice(INT), value(1)),
        lambda: "SWAP(%s, %s);" % tuple(r.sample(["x", "y", "n", "p.x", "s->at.x", "centre[-1]", "*q"], 2)),
        lambda: "if (%s) { BOTH(%s, %s, %s); }" % (condition(), r.choice(INT), r.choice(INT), value(1)),
        lambda: "BOTH(%s, %s, %s);" % (r.choice(INT), r.choice(INT), value(1)),
        lambda: "%s = STEP(%s);" % (r.choice(INT), r.choice(["x", "y", "n", "p.y"])),
        lambda: "EACH(i, %d) { centre[i - 2] += %s; %s++; }" % (r.randint(1, 4), value(1), r.choice(NAMES)),
        lambda: "if (%s) %s = %s; else %s = %s;" % (condition(), r.choice(INT), value(1), r.choice(INT), value(1)),
        lambda: block(depth) if depth < 2 else "n++;",
        lambda: block(depth) if depth < 2 else "y--;",
        lambda: "p = %s;" % r.choice(["moved(p, %s)" % r.choice(NAMES), "s->at", "s->to[k]", "swapped(p)"]),
        lambda: "s->to[%s] = p;" % r.choice(["0", "1", "k"]),
        lambda: "s->word = packed(%s);" % r.choice(NAMES),
        lambda: "shapes[%d] = %s;" % (r.randint(1, 2), r.choice(["*s", "grown(*s)", "shapes[0]"])),
        lambda: "wide = wide * %d + %s;" % (r.randint(2, 4), r.choice(NAMES)),
        lambda: "s->f = %s;" % r.choice(["1.5f", "p.x / 4.0f", "(float)wide"]),
        lambda: "s->state = %s;" % r.choice(["IDLE", "BUSY", "DONE", "s->flags.on ? BUSY : IDLE"]),
        lambda: "s->flags.on = %s;" % condition(),
        lambda: "s->name = %s;" % r.choice(["\"ab\"", "argv[1]", "s->flags.on ? \"on\" : \"off\"", "s->tag"]),
        lambda: "snprintf(s->tag, 6, \"%%d\", %s);" % r.choice(NAMES),
        lambda: "s->tag[%d] = '%s';" % (r.randint(0, 2), r.choice("aZ0")),
        lambda: "k = (k + %d) %% 3;" % r.randint(1, 5),
        lambda: "q = %s;" % r.choice(["&p.x", "&s->at.y", "centre - 1", "&centre[k]", "&x", "&outer"]),
        lambda: "s = %s;" % r.choice(["&shapes[0]", "&shapes[k]", "s->next ? s->next : s"]),
        lambda: "s->where = &q;",
        lambda: "big = big * %d + %s;" % (r.randint(3, 9), r.choice(NAMES)),
        lambda: "narrow = %s;" % value(1),
        lambda: "do { n -= %d; y++; } while (n > %d && n < 300);" % (r.randint(3, 9), r.randint(0, 40)),
    ])()


def helper(name, expression):
    """A function whose static local has the name of another one's."""
    print("""static int %s(void)
{
	static int calls = %d, sum[2];
	calls += %d;
	sum[calls & 1] += calls;
	return %s;
}""" % (name, r.randint(0, 9), r.randint(1, 3), expression))


helper("count", "calls")
helper("other", "sum[0] - calls")
print("""static int seen(int n)
{
	static int calls;
	int x = n %% %d;
	for (int x = 0; x < 2; x++) { int n = x * %d; calls += n; }
	if (n < 0) { int n = x + 1; calls -= n; goto out; }
	calls++;
	x += local_to_thread;
out:
	return calls + x;
}
static int total(int n, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, n);
	while (n-- > 0) { int one = va_arg(list, int); sum += one; }
	va_end(list);
	return sum %% 1000;
}
static int area(struct point p) { int a = p.x %% 100 * (p.y %% 100); p.x = a; return p.x; }
static struct point moved(struct point p, int by)
{
	struct point to = p;
	to.x += by; to.y -= by;
	return to;
}
static struct point swapped(struct point p) { SWAP(p.x, p.y); return p; }
static union word packed(int n)
{
	union word w = { .all = 0 };
	w.lo = n; w.hi = n >> 2;
	return w;
}
static struct shape grown(struct shape s) { s.at.x *= 2; s.flags.mid = s.at.x; s.to[2] = s.at; return s; }
static int along(int n, struct point p) { int x = n + p.x; return x %% %d; }
static int across(int n, struct point p) { int x = n - p.y; { int y = x; x = y * 2; } return x %% %d; }
static int apply(step way, int n, struct point p) { return way(n, p) + 1; }
int main(int argc, char **argv)
{
	int y = atoi(argv[2]), n = %d, k = 1, outer = %d, *q = &outer;
	struct point p = { %d, y };
	struct shape *s = shapes;
	long big = y * 3L;
	unsigned char narrow = %d;

	s->next = &shapes[2]; s->name = "first"; s->where = &q;
	shapes[1] = shapes[2] = *s;""" % (r.randint(3, 99), r.randint(2, 9), r.randint(20, 200), r.randint(20, 200),
                                    r.randint(-30, 60), r.randint(-9, 9), r.randint(-20, 40), r.randint(0, 255)))
for _ in range(r.randint(10, 18)):
    print("\t" + statement())
if r.random() < 0.5:
    print("again:\n\t%s\n\tif (outer++ < %d)\n\t\tgoto again;" % (statement(), r.randint(0, 6)))
print("""	printf("%%d %%d %%ld %%d\\n", x + y + n, p.x + p.y, big, (int)wide + narrow);
	assert(%s);
	return s->at.x;
}""" % r.choice(["x == 12345 && p.y == 4711", "p.x == 31337 || big == 1", "s->at.x == 777 && wide > 1e9L",
                 "y == 999 || shapes[1].word.lo == 77", "n == 4711 && local_to_thread == 9"]))
