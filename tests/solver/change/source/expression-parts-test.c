/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value of which another part is put in does what the compiler makes of the source with it. */
#include "tests/support/worded-program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib.h>

static const struct worded_program programs[] = {
	{ "`l->tail' for `NULL'", 5,
	  "#define NULL ((void *)0)\n"
	  "typedef struct item { long v; struct item *prev, *next; } Item; typedef struct { Item "
	  "*head, *tail; } List;\n"
	  "static void add(List *l, Item *pos, Item *it) {\n"
	  "	it->next = pos;\n"
	  "	it->prev = pos ? pos->prev : |l->tail|NULL|;\n"
	  "	if (it->prev) it->prev->next = it; else l->head = it;\n"
	  "	if (pos) pos->prev = it; else l->tail = it; }\n"
	  "long f(long a, long b) { Item one = { a }, two = { b };\n"
	  "	List l = { 0 };\n"
	  "	add(&l, 0, &one); add(&l, 0, &two); return (l.head == &one) * 3 + (l.tail == &two) "
	  "+ 7 * (two.prev == &one); }\n" },
	{ "`b' for `-1'", 2,
	  "long f(long a, long b) { long way = 0;\n"
	  "	way = a < b ? a * 2 : |b|-1|;\n"
	  "	return way * 3; }\n" },
};

static void test_parts(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
		worded_program_test(&programs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_parts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
