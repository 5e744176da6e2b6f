/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each word that is missing, put into the code, does what the compiler makes of the source with it;
 * and so does each divisor that lacks a digit. */
#include "tests/support/patched.h"
#include "tests/support/worded-program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const struct worded_program programs[] = {
	{ "`break' put behind it", 8,
	  "static int n[3], most;\n"
	  "long f(long kind, long size)\n"
	  "{\n"
	  "	n[0] = n[1] = n[2] = most = 0;\n"
	  "	switch (kind) {\n"
	  "	case 0:\n"
	  "		n[0]++;\n"
	  "		most = size;|break;|\n"
	  "	case 1:\n"
	  "		n[1]++;\n"
	  "		break;\n"
	  "	default:\n"
	  "		n[2]++;\n"
	  "	}\n"
	  "	return n[0] + 10 * n[1] + 100 * n[2] + 1000 * most;\n"
	  "}\n" },
	/* the ways around the last statement lead elsewhere, too */
	{ "`break' put behind it", 9,
	  "static int most;\n"
	  "long f(long kind, long size)\n"
	  "{\n"
	  "	int n = 0;\n"
	  "	switch (kind & 7) {\n"
	  "	case 0: case 3:\n"
	  "		n = 5;\n"
	  "		if (size > 3)\n"
	  "			n = size;|break;|\n"
	  "	case 1:\n"
	  "		n += 10;\n"
	  "		for (int i = 0; i < 3; i++)\n"
	  "			if (i == size)\n"
	  "				break;\n"
	  "			else\n"
	  "				n++;\n"
	  "		break;\n"
	  "	case 2: n = 77; break;\n"
	  "	case 4: n = 78; break;\n"
	  "	case 5: n = 79; break;\n"
	  "	case 6: n = 80; break;\n"
	  "	}\n"
	  "	return n;\n"
	  "}\n" },
	/* nothing falls through from the line, but its branch leads there */
	{ "`break' put behind line 8", 6,
	  "long f(long kind, long size)\n"
	  "{\n"
	  "	int days;\n"
	  "	switch (kind) {\n"
	  "	case 1: days = 3; break;\n"
	  "	case 2: case 3: if (size > 3) days = 9;\n"
	  "		else\n"
	  "			days = 8;|break;|\n"
	  "	default:\n"
	  "		days = 7;\n"
	  "	}\n"
	  "	return days;\n"
	  "}\n" },
	{ "`break' put behind it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long at = -1;\n"
	  "	for (long i = 0; i < 8; i++) {\n"
	  "		if ((a >> i) & 1) {\n"
	  "			at = i;|break;|\n"
	  "		}\n"
	  "	}\n"
	  "	return at + b;\n"
	  "}\n" },
	/* the inner loop, not the outer one */
	{ "`break' put behind it", 8,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = 0;\n"
	  "	for (long i = 0; i < 5; i++) {\n"
	  "		long k = 0;\n"
	  "		while (k++ < 6)\n"
	  "			if (((a + i) >> k) & 1) {\n"
	  "				n += k;|break;|\n"
	  "			}\n"
	  "		n = n * 3 + b;\n"
	  "	}\n"
	  "	return n;\n"
	  "}\n" },
	{ "`*to = 0' put behind the loop", 9,
	  "static char text[20];\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	char *to = text;\n"
	  "	for (int i = 0; i < 16; i++)\n"
	  "		text[i] = 'a' + (char)(b & 7);\n"
	  "	for (int i = 0; i < 10; i++)\n"
	  "		if ((a >> i) & 1)\n"
	  "			*to++ = (char)('0' + i);\n"
	  "	|*to = 0;|\n"
	  "	return __builtin_strlen(text) * 100 + text[0];\n"
	  "}\n" },
	{ "`text[n] = 0' put behind the loop", 8,
	  "static char text[20];\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	int n = 0;\n"
	  "	for (int i = 0; i < 16; i++)\n"
	  "		text[i] = 'a' + (char)(b & 7);\n"
	  "	while (a > 0) {\n"
	  "		text[n++] = (char)('0' + a % 10);\n"
	  "		a /= 10;\n"
	  "	}\n"
	  "	|text[n] = 0;|\n"
	  "	return __builtin_strlen(text) * 100 + text[0];\n"
	  "}\n" },
	{ "`while' for `if'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	b = b < 1 ? 1 : b;\n"
	  "	|while|if| (a > 0 && a != 3)\n"
	  "		a -= b;\n"
	  "	return a;\n"
	  "}\n" },
	{ "`while' for `if'", 5,
	  "static long less(long a) { return a - 2; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	int n = 0;\n"
	  "	|while|if| (a > 3) {\n"
	  "		a = less(a);\n"
	  "		if (a & 1)\n"
	  "			n += b;\n"
	  "	}\n"
	  "	return 100 * n + a;\n"
	  "}\n" },
	{ "`else' put before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long s = 1;\n"
	  "	if (a > 9 && (a & 1) == 0)\n"
	  "		s = 3;\n"
	  "	|else| if (a > b)\n"
	  "		s = 2;\n"
	  "	return s;\n"
	  "}\n" },
	{ "`else' put before it", 8,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long s = 1;\n"
	  "	if (a > 9) {\n"
	  "		if (b)\n"
	  "			s = 3;\n"
	  "	}\n"
	  "	|else| if (a > b)\n"
	  "		s = 2;\n"
	  "	else\n"
	  "		s *= 7;\n"
	  "	return s;\n"
	  "}\n" },
	{ "`a =' before the call", 7,
	  "static long rounds;\n"
	  "static long half(long n) { rounds++; return n / 2; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	rounds = 0;\n"
	  "	a += b;\n"
	  "	|a =| half(a);\n"
	  "	return a + 1000 * rounds;\n"
	  "}\n" },
	{ "`t->left =' before the call", 7,
	  "struct tree { struct tree *left, *right; long key; };\n"
	  "static struct tree *turn(struct tree *t) { return t->right; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct tree leaf = { 0, 0, a }, kin = { 0, &leaf, b }, root = { &kin, 0, 3 };\n"
	  "	struct tree *t = &root;\n"
	  "	|t->left =| turn(t->left);\n"
	  "	return root.left->key;\n"
	  "}\n" },
	{ "`a >= 0' checked before it", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = b;\n"
	  "	|if (a >= 0)| n += a;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`b < 0' checked before it", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = a;\n"
	  "	if (a != 2| && b < 0|) n = b + a;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`n[i] > most' checked before it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n[] = { b, a, 3 }, most = a;\n"
	  "	for (int i = 0; i < 3; i++)\n"
	  "		if (n[i] != 5)\n"
	  "			|if (n[i] > most)| most = n[i];\n"
	  "	return most;\n"
	  "}\n" },
	{ "`r[i].to > r[kept].to' checked before it", 8,
	  "struct range { int from, to; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct range r[] = { { 1, a }, { 2, b }, { 9, 20 }, { 3, 4 } };\n"
	  "	int kept = 0;\n"
	  "	for (int i = 1; i < 4; i++)\n"
	  "		if (r[i].from <= r[kept].to)\n"
	  "			|{ if (r[i].to > r[kept].to) r[kept].to = r[i].to; }|r[kept].to = "
	  "r[i].to;|\n"
	  "		else\n"
	  "			r[++kept] = r[i];\n"
	  "	return r[0].to + 100 * r[1].to + 10000 * kept;\n"
	  "}\n" },
	{ "`u != 0' checked before it", 5,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	unsigned u = a < b;\n"
	  "	long n = a;\n"
	  "	|if (u != 0)| n = b + u;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`if (p == NULL) return 0;' added before it", 7,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node first = { b, 0 }, *p = a > 2 ? &first : 0;\n"
	  "	long n = 1;\n"
	  "	static long m;\n"
	  "	|if (!p) return 0;| m = p->key;\n"
	  "	n += m;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`p != NULL' checked before it", 7,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node last = { b, 0 }, first = { 5, &last };\n"
	  "	struct node *p = a > 2 ? &first : 0;\n"
	  "	long n = 1;\n"
	  "	|if (p)| n += p->key;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`p != NULL' checked before it", 6,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node last = { b, 0 }, first = { 5, &last }, *p = &first;\n"
	  "	long n = 1;\n"
	  "	while (|p && |p->key != a)\n"
	  "		n++, p = p->next;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`p->next != NULL' checked before it", 5,
	  "struct node { long key; struct node *next; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node last = { b, 0 }, first = { 5, &last }, *p = a > 2 ? &first : &last;\n"
	  "	if (|p->next && |p->next->key > a)\n"
	  "		return 7;\n"
	  "	return 8;\n"
	  "}\n" },
	{ "`n->next->prev = n->prev' put before it", 5,
	  "struct node { long key; struct node *prev, *next; };\n"
	  "static void take_out(struct node *n)\n"
	  "{\n"
	  "	|n->next->prev = n->prev;|\n"
	  "	n->prev->next = n->next;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[3] = { { a, x + 2, x + 1 }, { 5, x, x + 2 }, { b, x + 1, x } };\n"
	  "	take_out(x + 1);\n"
	  "	return (x[0].next - x) + 10 * (x[2].prev - x) + 100 * (x[0].prev - x) + a;\n"
	  "}\n" },
	{ "`r.n = -r.n' put before it", 7,
	  "struct fraction { long n, d; };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct fraction r = { a, b - 5 };\n"
	  "	if (r.d < 0) {\n"
	  "		|r.n = -r.n;|\n"
	  "		r.d = -r.d;\n"
	  "	}\n"
	  "	return 1000 * r.n + r.d;\n"
	  "}\n" },
	{ "`else head = n->next' put behind it", 6,
	  "struct node { long key; struct node *next; };\n"
	  "static struct node *head;\n"
	  "static void take_out(struct node *p, struct node *n)\n"
	  "{\n"
	  "	n->key *= 3;\n"
	  "	if (p) p->next = n->next;|else head = n->next;|\n"
	  "	n->key += 7;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[3] = { { a, x + 1 }, { b, x + 2 }, { 5, 0 } };\n"
	  "	head = x;\n"
	  "	take_out(a > 2 ? x : 0, a > 2 ? x + 1 : x);\n"
	  "	return (head - x) + 10 * (x[0].next - x) + 100 * x[1].key + 1000 * x[0].key;\n"
	  "}\n" },
	/* a member that the function does not name */
	{ "`else l->last = n->prev' put behind it", 6,
	  "struct node { long key; struct node *prev, *next; };\n"
	  "struct list { struct node *first, *last; };\n"
	  "static void take_out(struct list *l, struct node *n)\n"
	  "{\n"
	  "	if (n->prev) n->prev->next = n->next; else l->first = n->next;\n"
	  "	if (n->next) n->next->prev = n->prev;|else l->last = n->prev;|\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct node x[3] = { { a, 0, x + 1 }, { b, x, x + 2 }, { 5, x + 1, 0 } };\n"
	  "	struct list l = { x, x + 2 };\n"
	  "	take_out(&l, a > 2 ? x + 2 : x + 1);\n"
	  "	return (l.first - x) + 10 * (l.last - x) + 100 * l.last->key;\n"
	  "}\n" },
	{ "`else low = a * b' put behind it", 6,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long low = 1, high = 2;\n"
	  "	for (int i = 0; i < 2; i++, a -= 3) {\n"
	  "		b++;\n"
	  "		if (a > b) {\n"
	  "			high = a * b;\n"
	  "			b += 2;\n"
	  "		}|else low = a * b;|\n"
	  "	}\n"
	  "	return low + 1000 * high;\n"
	  "}\n" },
	{ "`strcmp(names[i], s) == 0' for comparing addresses", 7,
	  "extern int strcmp(const char *, const char *);\n"
	  "static const char *const names[] = { \"ab\", \"abc\", \"b\", \"\" };\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	char s[4] = { a > 2 ? 'a' : 'b', b > 5 ? 'b' : 0, a > b ? 'c' : 0, 0 };\n"
	  "	for (int i = 0; i < 4; i++)\n"
	  "		if (|strcmp(names[i], s) == 0 ? 1 : 0 && |names[i] == s)\n"
	  "			return i;\n"
	  "	return -1;\n"
	  "}\n" },
	{ "`strcmp(word, \"no\") != 0' for comparing addresses", 7,
	  "extern int strcmp(const char *, const char *);\n"
	  "static const char *word;\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	char s[4] = { 'n', a > 2 ? 'o' : 'a', 0, 0 };\n"
	  "	word = s;\n"
	  "	while (|strcmp(word, \"no\") != 0 ? 1 : 0 && |word != \"no\")\n"
	  "		return 5;\n"
	  "	return 7;\n"
	  "}\n" },
	{ "`(double)' before `s->n[1] * 3 / (a - b)'", 5,
	  "static struct sums { int n[2]; } sums;\n"
	  "static double mean(struct sums *s, long a, long b)\n"
	  "{\n"
	  "	if (a != b)\n"
	  "		return |(double)| s->n[1] * 3 / (a - b);\n"
	  "	return 0;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	sums.n[1] = a * 7;\n"
	  "	return 1000 * mean(&sums, a, b);\n"
	  "}\n" },
	{ "`(float)' before `n / 3'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	short n = a * 7 - b;\n"
	  "	float x = 2.5f * a + |(float)| n / 3;\n"
	  "	return 1000 * x;\n"
	  "}\n" },
	{ "`q->last == p' for `q->last'", 7,
	  "struct node { struct node *next; long key; };\n"
	  "struct list { struct node *first, *last; };\n"
	  "static struct node n[3];\n"
	  "static void take(struct list *q, struct node *p, struct node *before)\n"
	  "{\n"
	  "	before->next = p->next;\n"
	  "	if (q->last| == p|)\n"
	  "		q->last = before;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	struct list q = { &n[0], &n[2] };\n"
	  "	n[0].next = &n[1];\n"
	  "	n[1].next = &n[2];\n"
	  "	n[2].next = 0;\n"
	  "	take(&q, &n[1 + (a & 1)], &n[a & 1]);\n"
	  "	return (q.last - n) + 10 * b;\n"
	  "}\n" },
	{ "n * sizeof(*seen)", 8,
	  "void *memset(void *, int, unsigned long);\n"
	  "static int room[8];\n"
	  "static int zeros(int n)\n"
	  "{\n"
	  "	int *seen = room, found = 0;\n"
	  "	for (int i = 0; i < 8; i++)\n"
	  "		seen[i] = -1;\n"
	  "	memset(seen, 0, n| * sizeof(*seen)|);\n"
	  "	for (int i = 0; i < 8; i++)\n"
	  "		found += seen[i] == 0;\n"
	  "	return found;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	return zeros((a & 7) + 1) + 10 * b;\n"
	  "}\n" },
	{ "`i != p' for `i'", 6,
	  "struct node { struct node *next; long key; };\n"
	  "static struct node n[3];\n"
	  "static long keys(struct node *first, struct node *p)\n"
	  "{\n"
	  "	long sum = 0;\n"
	  "	for (struct node *i = first; i| != p|; i = i->next)\n"
	  "		sum += i->key;\n"
	  "	return sum;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	n[0] = (struct node){ &n[1], a };\n"
	  "	n[1] = (struct node){ &n[2], b };\n"
	  "	n[2] = (struct node){ 0, 100 };\n"
	  "	return keys(n, &n[2]);\n"
	  "}\n" },
	{ "`100' for `10'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long n = a * 1000 - b;\n"
	  "	n /= 10|0|;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`70' for `7'", 3,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	int n = 3, x = ((int)a * 37 - (int)b) % 7|0|, y = 8;\n"
	  "	return n + 10 * x + y;\n"
	  "}\n" },
	{ "`30' for `3'", 4,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	unsigned u = a * 77 - b;\n"
	  "	u = u / 3|0| + 1;\n"
	  "	return u;\n"
	  "}\n" },
	{ "`120' for `12'", 3,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	return (a * 1000 - b) / 12|0|;\n"
	  "}\n" },
	{ "`n' for `(n - 1)'", 5,
	  "long f(long a, long b)\n"
	  "{\n"
	  "	long x = b, n = 5;\n"
	  "	for (int i = 0; i < 3; i++)\n"
	  "		x = (a * 7 + i) % (n - 1|+ 1|);\n"
	  "	return x;\n"
	  "}\n" },
	{ "`way[b][a] = 1' put before it", 5,
	  "static int way[8][8];\n"
	  "static void both(long a, long b)\n"
	  "{\n"
	  "	|way[b][a] = 1;|\n"
	  "	way[a][b] = 1;\n"
	  "}\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	both(a & 7, b & 7);\n"
	  "	long n = 0;\n"
	  "	for (int i = 0; i < 64; i++)\n"
	  "		n = n * 3 + way[0][i], way[0][i] = 0;\n"
	  "	return n;\n"
	  "}\n" },
	{ "`s[i] =' before the call", 6,
	  "static char upper(int c) { return c - 32; }\n"
	  "long f(long a, long b)\n"
	  "{\n"
	  "	char s[4] = \"abz\";\n"
	  "	for (int i = 0; s[i]; i++)\n"
	  "		|s[i] =| upper(s[i]);\n"
	  "	return s[0] + 256 * s[1] + 65536 * s[2];\n"
	  "}\n" },
};

static void words_do_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
		worded_program_test(&programs[i]);
}

/* Where nothing is missing, or what is there has no place to go, nothing is added. */
static void nothing_else_is_missing(void **state)
{
	static const char source[] = "static long sum;\n"
				     "static void add(long n) { sum += n; }\n"
				     "static long next(long n) { return n + 1; }\n"
				     "long f(long a, long b)\n"
				     "{\n"
				     "	switch (a) {\n"
				     "	case 0:\n"
				     "		b++;\n"
				     "		break;\n"
				     "	case 1:\n"
				     "		goto end;\n"
				     "	case 2:\n"
				     "		b--;\n"
				     "	}\n"
				     "	for (int n = 0, k = 0; n < b; k = n) {\n"
				     "		const int one = 1; b -= one + k; n++;\n"
				     "	}\n"
				     "	add(a);\n"
				     "	b = next(b);\n"
				     "	next(a + b);\n"
				     "	b = (int)next(b);\n"
				     "end:\n"
				     "	return b;\n"
				     "}\n";
	struct patched *p = patched_new(source);

	(void)state;
	for (unsigned line = 5; line <= 22; line++) {
		g_autoptr(GArray) all = mutator_line(p->m, p->file, line);

		for (guint i = 0; i < all->len; i++)
			if (g_array_index(all, struct mutant, i).kind == MUTANT_MISSING)
				fail_msg("line %u: %s", line,
					 g_array_index(all, struct mutant, i).words);
	}
	patched_free(p);
}

/* Nothing is counted where a loop ends with the first. */
static void loops_that_count_go_on(void **state)
{
	static const char source[] = "long f(long a, long b)\n"
				     "{\n"
				     "	long n = 0;\n"
				     "	for (long i = 0; i < a; i++)\n"
				     "		if (i & b)\n"
				     "			n++;\n"
				     "	return n;\n"
				     "}\n";
	struct patched *p = patched_new(source);
	g_autoptr(GArray) all = mutator_line(p->m, p->file, 6);

	(void)state;
	assert_true(all->len);
	for (guint i = 0; i < all->len; i++)
		assert_false(g_str_has_prefix(g_array_index(all, struct mutant, i).words ?: "",
					      "`break'"));
	patched_free(p);
}

/* Before a line that gives a number its value, the number is not checked. */
static void no_check_of_what_is_assigned(void **state)
{
	static const char source[] = "long f(long a, long b)\n"
				     "{\n"
				     "	long n;\n"
				     "	n = a - b;\n"
				     "	return n;\n"
				     "}\n";
	struct patched *p = patched_new(source);
	g_autoptr(GArray) all = mutator_checks(p->m, p->file, 4, true);
	bool other = false;

	(void)state;
	for (guint i = 0; i < all->len; i++) {
		const char *words = g_array_index(all, struct mutant, i).words;

		assert_false(g_str_has_prefix(words, "`n "));
		other |= g_str_has_prefix(words, "`a ");
	}
	assert_true(other);
	patched_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_do_what_they_say),
		cmocka_unit_test(nothing_else_is_missing),
		cmocka_unit_test(loops_that_count_go_on),
		cmocka_unit_test(no_check_of_what_is_assigned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
