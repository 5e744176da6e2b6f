/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps and other changes of a variable that a loop has forgotten do what the compiler makes of the
 * source with them. */
#include "tests/support/worded-program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib.h>

static const struct worded_program programs[] = {
	/* what begins with 1, 0, true or false, and no statement of the loop changes */
	{ "`sign = -sign' put behind it", 3,
	  "long f(long a, long b) { long sum = 0, sign = 1;\n"
	  "	for (long i = 0; i < 5; i++) {\n"
	  "		sum += sign * (a + i * b);|sign = -sign;|\n"
	  "	}\n"
	  "	return sum; }\n" },
	{ "`first = 0' put behind it", 5,
	  "long f(long a, long b) { long sum = 0; _Bool first = 1;\n"
	  "	for (long i = a; i < a + 4; i++) {\n"
	  "		if (!first)\n"
	  "			sum *= 10;\n"
	  "		sum += b;|first = 0;|\n"
	  "	} return sum; }\n" },
	{ "`n++' put behind it", 3,
	  "long f(long a, long b) { long at[4] = { 0 }, n = 0;\n"
	  "	for (long i = 0; i < 4; i++) {\n"
	  "		at[n] = a + i * b;|n++;|\n"
	  "	} return at[0] + 3 * at[1] + 5 * at[3]; }\n" },
	/* a step of as much as a variable says */
	{ "`i + run' stored", 3,
	  "long f(long a, long b) { long sum = 0, i = 0, run = 2 + (a & 1);\n"
	  "	while (i < 20) { sum += i * b;\n"
	  "		i| = i + run|++|;\n"
	  "	} return sum; }\n" },
	{ "`-' before the value", 3,
	  "static long g(long a) { return a * 3; }\n"
	  "static long h(long a, long b) { if (a & 1)\n"
	  "	return |-|g(b);\n"
	  "	return b; }\n"
	  "long f(long a, long b) { return h(2 * a + 1, b) + 7; }\n" },
	/* what other functions count */
	{ "`q->n--' put behind it", 4,
	  "struct q { long at[4], n; }; static void put(struct q *q, long v) { q->at[q->n] = v; "
	  "q->n++; }\n"
	  "static long take(struct q *q) { long v;\n"
	  "	if (!q->n) return 0;\n"
	  "	v = q->at[q->n - 1];|q->n--;|\n"
	  "	return v; }\n"
	  "long f(long a, long b) { struct q q = { { 0 }, 0 }; put(&q, a); put(&q, b);\n"
	  "	a = take(&q); return a * 3 + take(&q); }\n" },
	{ "`l->n--' put before it", 5,
	  "struct n { long v; struct n *next; }; struct l { struct n *head; long n; };\n"
	  "static void drop(struct n *n) { n->next = 0; }\n"
	  "static void put(struct l *l, struct n *n) { n->next = l->head; l->head = n; l->n++; }\n"
	  "static void take(struct l *l) { struct n *n = l->head; l->head = n->next;\n"
	  "	|l->n--;|drop(n);\n"
	  "}\n"
	  "long f(long a, long b) { struct n one = { a, 0 }, two = { b, 0 }; struct l l = { 0, 0 "
	  "};\n"
	  "	put(&l, &one); put(&l, &two); take(&l);\n"
	  "	return l.n * 5 + l.head->v; }\n" },
	/* it only counts something else of `l' */
	{ "`l->n--' put before it", 4,
	  "struct l { long n, taken; };\n"
	  "static void drop(struct l *l) { l->taken += 2; }\n"
	  "static void take(struct l *l) { l->taken++;\n"
	  "	|l->n--;|drop(l);\n"
	  "}\n"
	  "static void put(struct l *l) { l->n++; }\n"
	  "long f(long a, long b) { struct l l = { a, b }; put(&l); put(&l); take(&l);\n"
	  "	return l.n * 5 + l.taken; }\n" },
	{ "`*p++' for `*p'", 4,
	  "long f(long a, long b) { char s[] = \"3x4y5z\"; const char *p = s; long sum = a + b;\n"
	  "	for (; *p; p++) {\n"
	  "		int n;\n"
	  "		n = *p|++| - '0';\n"
	  "		sum += n * *p;\n"
	  "	} return sum; }\n" },
	{ "`*p++' for `*p'", 2,
	  "long f(long a, long b) { char s[] = \"aab\"; const char *p = s; p += b & 1;\n"
	  "	if (*p|++| == 'a' + (a & 1))\n"
	  "		b = *p;\n"
	  "	return b + *p; }\n" },
	{ "`[n++]' for `[n]'", 3,
	  "long f(long a, long b) { long at[4] = { 0 }, n = 0;\n"
	  "	for (long i = 0; i < 4; i++) {\n"
	  "		at[n|++|] = a + i * b;\n"
	  "	} return at[0] + 3 * at[1] + 5 * at[3]; }\n" },
};

static void steps_do_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
		worded_program_test(&programs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(steps_do_what_they_say) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
