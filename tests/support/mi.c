/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void gather(struct mi_record *record, void *records)
{
	g_ptr_array_add(records, record);
}

GPtrArray *test_mi_parse(const char *bytes, size_t n, size_t piece, GRand *random, size_t line_max)
{
	GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)mi_record_free);
	g_autoptr(mi_parser) parser = mi_parser_new(gather, records);

	if (line_max)
		mi_parser_set_line_max(parser, line_max);
	for (size_t at = 0; at < n;) {
		size_t size = random ? (size_t)g_rand_int_range(random, 1, 80) : piece;

		if (size == TEST_MI_WHOLE || size > n - at)
			size = n - at;
		mi_parser_feed(parser, bytes + at, size);
		at += size;
	}
	mi_parser_end(parser);
	return records;
}

GString *test_mi_print(const GPtrArray *records)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < records->len; i++)
		mi_record_print(g_ptr_array_index(records, i), text);
	return text;
}

char *test_mi_dump(const GPtrArray *records)
{
	char *memory = NULL, *text;
	size_t n;
	FILE *file = open_memstream(&memory, &n);

	for (guint i = 0; i < records->len; i++)
		mi_record_dump(file, g_ptr_array_index(records, i));
	fclose(file);
	text = g_strdup(memory);
	free(memory);
	return text;
}

static bool same(const GPtrArray *a, const GPtrArray *b)
{
	if (a->len != b->len)
		return false;
	for (guint i = 0; i < a->len; i++) {
		if (!mi_record_equal(g_ptr_array_index(a, i), g_ptr_array_index(b, i)))
			return false;
	}
	return true;
}

void test_mi_assert_same(const GPtrArray *a, const GPtrArray *b, const char *what)
{
	g_autofree char *of_a = NULL, *of_b = NULL;

	if (same(a, b))
		return;
	of_a = test_mi_dump(a);
	of_b = test_mi_dump(b);
	fail_msg("%s: the records differ:\n%s--- and:\n%s", what, of_a, of_b);
}
