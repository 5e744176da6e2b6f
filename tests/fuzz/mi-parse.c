/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The MI parser: whole and split input give the same records, within bounds, and
 * what they print reads as the same records again.
 */
#include "mi/parse.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void gather(struct mi_record *record, void *records)
{
	g_ptr_array_add(records, record);
}

static GPtrArray *parse(const char *bytes, size_t n, size_t piece, size_t line_max)
{
	GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)mi_record_free);
	g_autoptr(mi_parser) parser = mi_parser_new(gather, records);

	mi_parser_set_line_max(parser, line_max);
	for (size_t at = 0; at < n; at += piece)
		mi_parser_feed(parser, bytes + at, MIN(piece, n - at));
	mi_parser_end(parser);
	return records;
}

static void must_be_same(const GPtrArray *a, const GPtrArray *b)
{
	if (a->len != b->len)
		abort();
	for (guint i = 0; i < a->len; i++) {
		if (!mi_record_equal(g_ptr_array_index(a, i), g_ptr_array_index(b, i)))
			abort();
	}
}

static void check_splits(const char *bytes, size_t n, size_t line_max)
{
	g_autoptr(GPtrArray) whole = parse(bytes, n, n ? n : 1, line_max);
	g_autoptr(GPtrArray) one = parse(bytes, n, 1, line_max);
	g_autoptr(GPtrArray) some = parse(bytes, n, 1 + n % 13, line_max);

	must_be_same(whole, one);
	must_be_same(whole, some);
}

static void check_printing(const char *bytes, size_t n)
{
	g_autoptr(GPtrArray) records = parse(bytes, n, n ? n : 1, MI_LINE_MAX);
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GPtrArray) again = NULL;

	for (guint i = 0; i < records->len; i++)
		mi_record_print(g_ptr_array_index(records, i), text);
	again = parse(text->str, text->len, 7, MI_LINE_MAX);
	must_be_same(records, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_splits((const char *)data, size, MI_LINE_MAX);
	check_splits((const char *)data, size, 1 + size / 3);
	check_printing((const char *)data, size);
	return 0;
}
