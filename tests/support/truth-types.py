# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a random C program to standard output: truth-types.py SEED.  It has bit-fields,
# unions, nested structs, strings that the C library fills, arrays, pointers, doubles, enums,
# bools, and statics that nobody sets; its last assertion fails.
import random
import sys

r = random.Random(int(sys.argv[1]))
HEAD = r"""#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN = 4, BLUE };
struct inner { short s; char name[8]; enum colour c; };
struct bits { unsigned a : %d; unsigned b : %d; signed c : %d; unsigned long d : %d; bool e : 1; };
union both { unsigned u; unsigned char bytes[4]; };
struct node { int key; struct node *next; };
struct outer { struct inner in; struct bits bits; union both both; double ratio; bool on; int *at; };
static struct outer global, *which;
static struct inner table[3];
static int untouched, numbers[5];
static char word[12];
""" % (r.randint(1, 12), r.randint(1, 18), r.randint(2, 9), r.randint(3, 40))

INTS = ["x", "y", "numbers[2]", "numbers[i]", "s->in.s", "o.in.s", "list->next->key", "o.both.u",
        "s->both.bytes[1]", "*p", "long_one", "o.bits.a", "s->bits.b", "s->bits.c", "s->bits.d",
        "o.bits.c", "small"]
SOURCES = INTS + ["argc", "x * 3", "y - 7", "numbers[1] % 5", "strlen(word)", "small / 2", "o.bits.b"]


def statement():
    return r.choice([
        lambda: "%s = %s;" % (r.choice(INTS), r.choice(SOURCES)),
        lambda: "%s = %s + %d;" % (r.choice(INTS), r.choice(SOURCES), r.randint(-300, 300)),
        lambda: "%s += %d;" % (r.choice(INTS), r.randint(-5, 90)),
        lambda: "ratio = %s / %s;" % (r.choice(["x", "y", "o.ratio"]), r.choice(["3.0", "7.5"])),
        lambda: "s->ratio = ratio * %d;" % r.randint(2, 9),
        lambda: "%s = %s;" % (r.choice(["o.in.c", "s->in.c", "table[1].c"]),
                              r.choice(["RED", "GREEN", "BLUE"])),
        lambda: "%s = x > %d;" % (r.choice(["o.on", "flag", "s->bits.e"]), r.randint(-9, 99)),
        lambda: 'strncpy(%s, "%s", 7);' % (r.choice(["o.in.name", "table[0].name", "s->in.name"]),
                                           r.choice(["name", "ab", "seven77", ""])),
        lambda: 'strcpy(%s, argv[1]);' % r.choice(["word", "local"]),
        lambda: 'sprintf(%s, "%%d", x);' % r.choice(["word", "local"]),
        lambda: "memset(%s, %d, 3);" % (r.choice(["word", "local", "table[2].name", "numbers"]),
                                        r.choice([0, 65, 120])),
        lambda: "*s = o;" if r.random() < 0.5 else "o = *s;",
        lambda: "p = %s;" % r.choice(["&x", "&y", "&numbers[3]", "&list->key"]),
        lambda: "o.at = p; o.both.u = %d;" % r.randint(0, 1 << 30),
        lambda: "for (i = 0; i < %d; i++)\n\t\tnumbers[i] += x + i;" % r.randint(1, 4),
        lambda: "if (%s > %d)\n\t\tx++;" % (r.choice(SOURCES), r.randint(-20, 200)),
        lambda: "change(&o.bits, %s);" % r.choice(SOURCES),
    ])()


print(HEAD)
print("""static int change(struct bits *b, int n)
{
	b->a = n;
	b->c = b->b + n;
	b->e = n & 1;
	return b->a + 1;
}
int main(int argc, char **argv)
{
	int x = atoi(argv[2]), y = %d, i = 1, *p = &x;
	long long_one = x * 1000000007L;
	signed char small = 3;
	bool flag = false;
	double ratio = 0.5;
	char local[12] = "start";
	struct outer o = { .in.s = 4 }, *s = malloc(sizeof(*s));
	struct node second = { 7, NULL }, first = { x, &second }, *list = &first;
	memset(s, 0, sizeof(*s));
	which = s;""" % r.randint(-50, 50))
for _ in range(14):
    print("\t" + statement())
print("""	printf("%d%d\\n", x + y + i + flag, (int)(long_one + small + global.in.s));
	assert(x == 12345 && ratio > 99 && local[0] == 'q' && o.bits.a == untouched && list);
	free(s);
	return *p;
}""")
